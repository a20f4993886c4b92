//! Readiness of files, sockets and children, reported by another crate's poller.

use crate::error::Error;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// Identifies a thing to the readiness source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Token(pub u64);

/// Ready for what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Interest {
    /// Data, end of input, or an error can be read.
    Read,
    /// Data can be written, or an error.
    Write,
}

/// A source of readiness, shared by all tasks of a pool.
pub trait Readiness: Send + Sync {
    /// Ready if the thing is; otherwise keeps the context's waker, replacing one for the same token
    /// and interest, and wakes it once.
    ///
    /// # Errors
    /// An unknown token, a closed descriptor and the like.
    fn poll_ready(
        &self,
        token: Token,
        interest: Interest,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>>;

    /// There is no waiter any more.
    fn forget(&self, token: Token, interest: Interest);
}

/// Waits for readiness without holding a worker; from [`Handle::ready`](crate::Handle::ready).
#[must_use = "a future does nothing unless awaited"]
pub struct ReadyWait {
    source: Arc<dyn Readiness>,
    token: Token,
    interest: Interest,
    waits: bool,
}

impl ReadyWait {
    pub(crate) fn new(source: Arc<dyn Readiness>, token: Token, interest: Interest) -> Self {
        Self { source, token, interest, waits: false }
    }
}

impl Future for ReadyWait {
    type Output = Result<(), Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = self.source.poll_ready(self.token, self.interest, context);
        self.waits = answer.is_pending();
        answer.map_err(Error::Io)
    }
}

impl Drop for ReadyWait {
    fn drop(&mut self) {
        if self.waits {
            self.source.forget(self.token, self.interest);
        }
    }
}
