//! Who makes specialisations out of plans.

use crate::frame::StaticFrame;
use crate::frame_id::FrameId;
use crate::planner::Planned;
use crate::statistics::FrameStatistics;
use crate::statistics::ledger::{Ledger, OpenFrame};
use std::sync::Arc;

/// Makes specialisations. It is called on the worker's thread, one item after the other in the
/// plan's order, and never twice for one [key](crate::SpecialisationKey) of a frame unless that was
/// [withdrawn](StaticFrame::withdraw) in between, however many threads run the frame.
pub trait Producer: Send {
    /// Makes what is planned, and puts it where the program finds it. The program
    /// goes on meanwhile, unless it runs in blocking mode.
    fn produce(&mut self, planned: &Planned, evidence: &Evidence<'_>) -> Production;
}

/// What became of a planned item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Production {
    /// It is there.
    Done,
    /// It cannot be made, for this reason, and is not asked for again.
    Refused(String),
}

/// What is known about a frame while it is specialised.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    open: &'a OpenFrame,
    ledger: &'a Ledger<'a>,
}

impl<'a> Evidence<'a> {
    pub(crate) fn new(ledger: &'a Ledger<'a>, id: FrameId) -> Option<Evidence<'a>> {
        Some(Evidence { open: ledger.frames().get(&id)?, ledger })
    }

    /// The frame.
    pub fn frame(&self) -> &'a Arc<StaticFrame> {
        &self.open.frame
    }

    /// What was seen of it.
    pub fn statistics(&self) -> &'a FrameStatistics {
        &self.open.statistics
    }

    /// What is known about a frame that it calls, directly or not.
    pub fn of(&self, callee: FrameId) -> Option<Evidence<'a>> {
        Evidence::new(self.ledger, callee)
    }
}

/// Makes nothing: plans are drawn up and shown, and that is all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProducer;

impl Producer for NoProducer {
    fn produce(&mut self, _: &Planned, _: &Evidence<'_>) -> Production {
        Production::Done
    }
}
