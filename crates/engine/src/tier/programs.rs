//! The programs of a specialiser.

use riverhawk_spesh::{Evidence, FrameId, Planned, Producer, Production};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

pub(super) trait CodeMaker: Send + Sync {
    fn produce(&self, index: usize, planned: &Planned, evidence: &Evidence<'_>) -> Production;
}

type FrameOf = (Weak<dyn CodeMaker>, usize);

#[derive(Default)]
pub(super) struct Programs {
    of_frame: Mutex<BTreeMap<FrameId, FrameOf>>,
}

impl Programs {
    pub(super) fn add(&self, program: &Weak<dyn CodeMaker>, frames: impl Iterator<Item = FrameId>) {
        let mut of_frame = self.of_frame.lock().unwrap_or_else(PoisonError::into_inner);
        of_frame.extend(frames.enumerate().map(|(index, id)| (id, (program.clone(), index))));
    }

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
