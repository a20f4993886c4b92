//! The tasks of the pool that help a run, and their end.
//!
//! Inside another program none goes on after its run has returned: with an embedder's reader, a
//! function of its, or a piece that a serial run would not have reached. A process of the run's own
//! ends without waiting for them.

use riverhawk_awkio::cancel::{self, Interrupt, ProcessOwner, StoppableHelper};
use std::sync::{Arc, mpsc};

pub(super) struct Helpers {
    interrupt: Option<Arc<Interrupt>>,
    owner: ProcessOwner,
    working: mpsc::Sender<()>,
    returned: mpsc::Receiver<()>,
}

/// A task has this as long as it works.
#[derive(Clone)]
pub(super) struct Helper {
    interrupt: Option<Arc<Interrupt>>,
    _working: mpsc::Sender<()>,
}

impl Helper {
    /// The calling thread works for the run.
    pub fn enter(&self) -> StoppableHelper {
        cancel::enter(self.interrupt.clone())
    }
}

impl Helpers {
    /// Of the calling thread's run.
    pub fn new(owner: ProcessOwner) -> Helpers {
        let interrupt = match owner {
            ProcessOwner::Run => cancel::current(),
            ProcessOwner::Host => Some(cancel::for_helpers()),
        };
        let (working, returned) = mpsc::channel();
        Helpers { interrupt, owner, working, returned }
    }

    pub fn helper(&self) -> Helper {
        Helper { interrupt: self.interrupt.clone(), _working: self.working.clone() }
    }

    /// Ends what they do, and waits for them.
    pub fn end(self) {
        let Helpers { interrupt, owner, working, returned } = self;
        if owner == ProcessOwner::Host {
            interrupt.iter().for_each(Interrupt::end);
            drop(working);
            // Nothing is sent: it fails when the last helper has dropped its end.
            let _ = returned.recv();
        }
    }
}
