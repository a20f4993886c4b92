//! Where descriptors cannot be watched: there is no dispatcher.

use riverhawk_pool::Interest;
use riverhawk_system::fd::BorrowedFd;
use std::collections::HashMap;
use std::convert::Infallible;
use std::io;
use std::sync::{Arc, Mutex};
use std::task::Waker;

/// The process's dispatcher, which this platform cannot have.
pub struct Dispatcher {
    never: Infallible,
    #[allow(clippy::zero_sized_map_values)] // The form that it has where there are watches.
    pub(super) asked: Mutex<HashMap<(u64, Interest), Watch>>,
}

/// A running watch.
pub(crate) struct Watch(Infallible);

impl Drop for Watch {
    fn drop(&mut self) {
        match self.0 {}
    }
}

impl Dispatcher {
    /// The process's dispatcher.
    ///
    /// # Errors
    /// Always: the platform cannot watch descriptors.
    pub fn get() -> io::Result<Arc<Self>> {
        let words = "this platform cannot watch descriptors";
        Err(io::Error::new(io::ErrorKind::Unsupported, words))
    }

    /// The number of running watches.
    pub fn watches(&self) -> usize {
        match self.never {}
    }

    #[cfg(windows)] // For the end of a child.
    pub(crate) fn call(
        &self,
        _: riverhawk_system::fd::OwnedFd,
        _: impl FnOnce() + Send + 'static,
    ) -> io::Result<()> {
        match self.never {}
    }

    pub(crate) fn wake(
        self: Arc<Self>,
        _: BorrowedFd<'_>,
        _: Interest,
        _: Waker,
    ) -> io::Result<Option<Watch>> {
        match self.never {}
    }
}
