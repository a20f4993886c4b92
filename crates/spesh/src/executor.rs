//! What runs the specialiser's work beside the program.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Work of the specialiser.
pub type Work = Box<dyn FnOnce() + Send>;

/// Runs work beside the program, one piece after the other: a queue of a thread pool, or
/// [`OwnThread`]. After a panic it must still run or refuse the next piece.
pub trait Executor: Send + Sync {
    /// False if there is no thread for the work.
    fn execute(&self, work: Work) -> bool;
}

/// A thread for a program without a pool, started by the first work and ended by drop.
#[derive(Debug, Default)]
pub struct OwnThread {
    queue: Mutex<Option<Sender<Work>>>,
}

impl Executor for OwnThread {
    fn execute(&self, work: Work) -> bool {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        if queue.is_none() {
            let (sender, receiver) = channel::<Work>();
            let run = move || receiver.into_iter().for_each(|work| work());
            if thread::Builder::new().name("specialiser".into()).spawn(run).is_ok() {
                *queue = Some(sender);
            }
        }
        queue.as_ref().is_some_and(|queue| queue.send(work).is_ok())
    }
}
