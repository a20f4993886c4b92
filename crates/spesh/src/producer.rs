//! What makes specialisations from plans.

use crate::frame::RegisteredFrame;
use crate::frame_id::FrameId;
use crate::planner::Planned;
use crate::statistics::FrameStatistics;
use crate::statistics::ledger::{Ledger, OpenFrame};
use std::sync::Arc;

/// Makes specialisations on the worker's thread, in order. Each [key](crate::SpecialisationKey) of
/// a frame comes once, unless it is [withdrawn](RegisteredFrame::withdraw).
pub trait Producer: Send {
    /// Makes and publishes a specialisation while the program runs.
    fn produce(&mut self, planned: &Planned, evidence: &Evidence<'_>) -> Production;
}

/// What became of a planned item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Production {
    /// It exists.
    Done,
    /// Refused for this reason, and not requested again.
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
    pub fn frame(&self) -> &'a Arc<RegisteredFrame> {
        &self.open.frame
    }

    /// Its statistics.
    pub fn statistics(&self) -> &'a FrameStatistics {
        &self.open.statistics
    }

    /// The evidence of a direct or indirect callee.
    pub fn of(&self, callee: FrameId) -> Option<Evidence<'a>> {
        Evidence::new(self.ledger, callee)
    }
}

/// Makes nothing, so that plans are only shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProducer;

impl Producer for NoProducer {
    fn produce(&mut self, _: &Planned, _: &Evidence<'_>) -> Production {
        Production::Done
    }
}
