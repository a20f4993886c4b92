//! The programs of a specialiser, and which of them a plan is of.

use riverhawk_spesh::{Evidence, FrameId, Planned, Producer, Production};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A program that can have its frames compiled.
pub(super) trait CodeMaker: Send + Sync {
    /// Makes machine code of the frame with this index.
    fn produce(&self, index: usize, planned: &Planned, evidence: &Evidence<'_>) -> Production;
}

/// A program, and the index of one of its frames.
type FrameOf = (Weak<dyn CodeMaker>, usize);

/// The programs whose frames a specialiser knows.
#[derive(Default)]
pub(super) struct Programs {
    of_frame: Mutex<BTreeMap<FrameId, FrameOf>>,
}

impl Programs {
    /// Remembers a program's frames, in order.
    pub(super) fn add(&self, program: &Weak<dyn CodeMaker>, frames: impl Iterator<Item = FrameId>) {
        let mut of_frame = self.of_frame.lock().unwrap_or_else(PoisonError::into_inner);
        of_frame.extend(frames.enumerate().map(|(index, id)| (id, (program.clone(), index))));
    }

    /// Forgets frames.
    pub(super) fn remove(&self, frames: impl Iterator<Item = FrameId>) {
        let mut of_frame = self.of_frame.lock().unwrap_or_else(PoisonError::into_inner);
        frames.for_each(|id| drop(of_frame.remove(&id)));
    }

    fn find(&self, id: FrameId) -> Option<(Arc<dyn CodeMaker>, usize)> {
        let (program, index) =
            self.of_frame.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()?;
        Some((program.upgrade()?, index))
    }
}

/// Has a plan made by the program that it is of.
pub(super) struct Maker {
    pub(super) programs: Arc<Programs>,
}

impl Producer for Maker {
    fn produce(&mut self, planned: &Planned, evidence: &Evidence<'_>) -> Production {
        match self.programs.find(planned.frame) {
            Some((program, index)) => program.produce(index, planned, evidence),
            None => Production::Refused(String::from("the program has ended")),
        }
    }
}
