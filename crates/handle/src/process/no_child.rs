//! Where there are no child processes: a [`Child`] that cannot be.

use super::ended::Ended;
use crate::error::Error;
use riverhawk_pool::Affinity;
use riverhawk_system::fd::BorrowedFd;
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A child process, of which this platform has none.
#[derive(Clone, Debug)]
pub struct Child(Infallible);

/// A child that this does not keep.
#[derive(Clone, Debug)]
pub struct WeakChild(Infallible);

impl WeakChild {
    /// The child, if there still is a [`Child`] of it.
    pub fn upgrade(&self) -> Option<Child> {
        match self.0 {}
    }
}

impl Child {
    /// The child, without keeping it.
    pub fn downgrade(&self) -> WeakChild {
        match self.0 {}
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        match self.0 {}
    }

    /// The exit status, if it has ended.
    ///
    /// # Errors
    /// None: there is no child.
    pub fn try_wait(&self) -> Result<Option<Ended>, Error> {
        match self.0 {}
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    /// None: there is no child.
    pub fn wait(&self) -> Result<Ended, Error> {
        match self.0 {}
    }

    /// Waits until it has ended, or `wake` is readable.
    ///
    /// # Errors
    /// None: there is no child.
    pub fn wait_unless(&self, _: BorrowedFd<'_>) -> Result<Option<Ended>, Error> {
        match self.0 {}
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    /// None: there is no child.
    pub fn finish(self) -> Result<Ended, Error> {
        match self.0 {}
    }

    /// Sends it a signal.
    ///
    /// # Errors
    /// None: there is no child.
    pub fn signal(&self, _: i32) -> Result<(), Error> {
        match self.0 {}
    }

    /// Kills it.
    ///
    /// # Errors
    /// None: there is no child.
    pub fn kill(&self) -> Result<(), Error> {
        match self.0 {}
    }

    /// Waits without blocking a thread.
    pub fn ended(&self) -> ChildEnd {
        match self.0 {}
    }

    /// Queues `work` in the pool when the child has ended.
    pub fn on_end(&self, _: &Affinity, _: impl FnOnce(Result<Ended, Error>) + Send + 'static) {
        match self.0 {}
    }
}

/// A future of a child's exit status.
#[derive(Debug)]
#[must_use = "a future does nothing unless awaited"]
pub struct ChildEnd(Infallible);

impl Future for ChildEnd {
    type Output = Result<Ended, Error>;

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Self::Output> {
        match self.0 {}
    }
}
