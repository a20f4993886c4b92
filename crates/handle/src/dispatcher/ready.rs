//! Awaitable readiness.

use super::{Dispatcher, Watch};
use crate::error::{Action, Error, ErrorKind};
use crate::gate::is_ready;
use crate::handle::Handle;
use crate::{open_handles, registry};
use riverhawk_pool::{Affinity, Interest, Readiness, Token};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::PoisonError;
use std::task::{Context, Poll};

impl Handle {
    /// Waits, without blocking a thread, until a read or write would not block, or would find the
    /// end or an error. Closing the handle ends the wait with [`ErrorKind::Closed`].
    pub fn ready(&self, interest: Interest) -> Ready {
        Ready { handle: self.clone(), interest, number: registry::next_id(), watch: None }
    }

    /// The handle's token for a pool's readiness source ([`Dispatcher`]).
    pub fn token(&self) -> Token {
        Token(self.0.id)
    }

    /// Up to `limit` bytes once they have arrived, without blocking a thread; empty at the end.
    ///
    /// # Errors
    /// As [`read`](Handle::read).
    pub async fn receive_when_ready(&self, limit: usize) -> Result<Vec<u8>, Error> {
        loop {
            if let Some(bytes) = self.try_receive(limit)? {
                return Ok(bytes);
            }
            self.ready(Interest::Read).await?;
        }
    }

    /// Queues `work` in the pool when the handle is readable or closed.
    pub fn on_readable(
        &self,
        queue: &Affinity,
        work: impl FnOnce(Result<(), Error>) + Send + 'static,
    ) {
        let (ready, order) = (self.ready(Interest::Read), queue.clone());
        drop(queue.spawn_future(async move {
            let readable = ready.await;
            // A task, so that a panic is counted and logged.
            order.run(move || work(readable));
        }));
    }

    /// Checks readiness, or else watches for readiness and closing.
    fn poll_ready(
        &self,
        interest: Interest,
        number: u64,
        context: &mut Context<'_>,
    ) -> Result<Option<Watch>, io::Error> {
        let action = match interest {
            Interest::Read => Action::Read,
            Interest::Write => Action::Write,
        };
        let has_bytes = || {
            interest == Interest::Read
                && self.0.read.try_lock().is_ok_and(|side| side.available() > 0)
        };
        if !self.gate(interest).note_task(number, context.waker()) {
            return Err(self.closed_error(action).into());
        }
        let device = match interest {
            Interest::Read => self.0.read_shared.device.get(),
            Interest::Write => self.0.write_shared.device.get(),
        };
        let Some(device) = device else {
            let kind = if interest == Interest::Read {
                ErrorKind::NotReadable
            } else {
                ErrorKind::NotWritable
            };
            return Err(Error::of_kind(self.name(), action, kind).into());
        };
        // A device without a descriptor blocks itself.
        let Some(fd) = device.fd() else { return Ok(None) };
        if has_bytes() || is_ready(fd, interest)? {
            return Ok(None);
        }
        Dispatcher::get()?.wake(fd, interest, context.waker().clone())
    }
}

/// A future of a handle's readiness; from [`Handle::ready`].
#[must_use = "a future does nothing unless awaited"]
pub struct Ready {
    handle: Handle,
    interest: Interest,
    number: u64,
    watch: Option<Watch>,
}

impl Drop for Ready {
    fn drop(&mut self) {
        self.handle.gate(self.interest).forget_task(self.number);
    }
}

impl Future for Ready {
    type Output = Result<(), Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match self.handle.poll_ready(self.interest, self.number, context) {
            Ok(Some(watch)) => {
                self.watch = Some(watch);
                Poll::Pending
            }
            Ok(None) => {
                self.watch = None;
                Poll::Ready(Ok(()))
            }
            Err(error) => {
                self.watch = None;
                let action =
                    if self.interest == Interest::Read { Action::Read } else { Action::Write };
                Poll::Ready(Err(Error::system(self.handle.name(), action, error)))
            }
        }
    }
}

/// Waits by token have one number each for both directions.
const BY_TOKEN: u64 = 0;

impl Readiness for Dispatcher {
    fn poll_ready(
        &self,
        token: Token,
        interest: Interest,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<()>> {
        let key = (token.0, interest);
        let Some(handle) = open_handles::find(token.0) else {
            self.forget(token, interest);
            return Poll::Ready(Err(io::Error::new(
                io::ErrorKind::NotConnected,
                "no open handle has this token",
            )));
        };
        let watch = match handle.poll_ready(interest, BY_TOKEN, context) {
            Ok(None) => {
                self.forget(token, interest);
                return Poll::Ready(Ok(()));
            }
            Ok(Some(watch)) => watch,
            Err(error) => {
                self.forget(token, interest);
                return Poll::Ready(Err(error));
            }
        };
        let old = self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(key, watch);
        drop(old);
        Poll::Pending
    }

    fn forget(&self, token: Token, interest: Interest) {
        let old =
            self.asked.lock().unwrap_or_else(PoisonError::into_inner).remove(&(token.0, interest));
        drop(old);
        if let Some(handle) = open_handles::find(token.0) {
            handle.gate(interest).forget_task(BY_TOKEN);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Waker;

    #[test]
    fn a_wait_that_is_over_leaves_nothing_behind() {
        let (reader, writer) = Handle::pipe().unwrap();
        let dispatcher = Dispatcher::get().unwrap();
        let mut context = Context::from_waker(Waker::noop());
        for _ in 0..100 {
            let mut ready = reader.ready(Interest::Read);
            assert!(Pin::new(&mut ready).poll(&mut context).is_pending());
            assert!(
                Readiness::poll_ready(&*dispatcher, reader.token(), Interest::Read, &mut context)
                    .is_pending()
            );
            dispatcher.forget(reader.token(), Interest::Read);
        }
        assert_eq!(reader.gate(Interest::Read).tasks(), 0);
        assert_eq!(dispatcher.watches(), 0);
        writer.write(b"x").unwrap();
        let mut ready = reader.ready(Interest::Read);
        assert!(Pin::new(&mut ready).poll(&mut context).is_ready());
        writer.close().unwrap();
        reader.close().unwrap();
        let answer =
            Readiness::poll_ready(&*dispatcher, reader.token(), Interest::Read, &mut context);
        assert!(matches!(answer, Poll::Ready(Err(_))));
    }
}
