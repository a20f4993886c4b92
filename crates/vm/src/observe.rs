//! A run that is observed: the places it comes by are counted, and somebody may look at it there and change it.

use crate::fault::{Fallible, Fault};
use crate::machine::Machine;
use riverhawk_bytecode::VisitNo;

/// Looks at a run at every place it comes by.
pub trait Observer {
    /// The run is about to go on at this place, an index into [`Unit::visits`](riverhawk_bytecode::Unit::visits).
    fn come_by(&mut self, place: usize, scene: &mut Scene<'_>) -> Go;
}

/// How a run goes on after somebody has looked at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// As if nobody had looked.
    On,
    /// Not at all.
    End,
}

/// A run that stands still.
pub struct Scene<'m> {
    pub(crate) machine: &'m mut Machine,
    /// The running frame's first register.
    pub(crate) base_at: usize,
}

impl Machine {
    /// Lets somebody look at every place that the run comes by.
    pub fn observe(&mut self, observer: Box<dyn Observer>) {
        self.observer = Some(observer);
    }

    /// The run comes by a place.
    #[cold]
    pub(crate) fn come_by(&mut self, at: VisitNo, base_at: usize) -> Fallible<()> {
        if let Some(count) = self.visits.get_mut(at.index()) {
            *count += 1;
        }
        let Some(mut observer) = self.observer.take() else { return Ok(()) };
        let go = observer.come_by(at.index(), &mut Scene { machine: self, base_at });
        self.observer = Some(observer);
        match go {
            Go::On => Ok(()),
            Go::End => Err(Fault::quit()),
        }
    }
}
