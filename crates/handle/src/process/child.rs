//! Running children, and their exit statuses.

use super::ended::Ended;
use crate::dispatcher::{Dispatcher, Watch};
use crate::error::{Action, Error, Name};
use crate::gate;
use crate::system;
use riverhawk_pool::{Affinity, Interest, blocking};
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use std::fmt;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;

/// A child process. Clones are the same process; any thread may wait for it. The dispatcher waits
/// if no clone did.
#[derive(Clone)]
pub struct Child(Arc<Owner>);

/// A child that this does not keep: once the last [`Child`] is gone it is out of reach.
#[derive(Clone)]
pub struct WeakChild(Weak<Owner>);

impl WeakChild {
    /// The child, if there still is a [`Child`] of it.
    pub fn upgrade(&self) -> Option<Child> {
        self.0.upgrade().map(Child)
    }
}

impl fmt::Debug for WeakChild {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("WeakChild").field(&self.upgrade().map(|child| child.id())).finish()
    }
}

struct Owner(Arc<ChildState>);

/// How long a wait lasts that nothing can wake.
const LOOK_UP: Duration = Duration::from_millis(10);

impl Drop for Owner {
    fn drop(&mut self) {
        if self.0.ended.get().is_none() {
            Orphan(Arc::clone(&self.0)).collect();
        }
    }
}

struct Orphan(Arc<ChildState>);

struct ChildState {
    name: Name,
    id: u32,
    process: Mutex<std::process::Child>,
    ended: OnceLock<Ended>,
}

impl Child {
    pub(super) fn new(name: Name, process: std::process::Child) -> Self {
        let id = process.id();
        let state = ChildState { name, id, process: Mutex::new(process), ended: OnceLock::new() };
        Self(Arc::new(Owner(Arc::new(state))))
    }

    fn state(&self) -> &ChildState {
        &self.0.0
    }

    /// The child, without keeping it.
    pub fn downgrade(&self) -> WeakChild {
        WeakChild(Arc::downgrade(&self.0))
    }

    /// The process id, which may be reused after waiting.
    pub fn id(&self) -> u32 {
        self.state().id
    }

    /// The exit status, if it has ended; never waits.
    ///
    /// # Errors
    /// The system does not know the child: it was waited for elsewhere, or SIGCHLD is ignored.
    pub fn try_wait(&self) -> Result<Option<Ended>, Error> {
        self.state().try_wait()
    }

    /// Waits until it has ended.
    ///
    /// # Errors
    /// As [`try_wait`](Child::try_wait).
    pub fn wait(&self) -> Result<Ended, Error> {
        let state = self.state();
        loop {
            if let Some(ended) = state.try_wait()? {
                return Ok(ended);
            }
            // Without the lock: other threads may query, signal and wait.
            match state.end_fd().map_err(|source| state.failed(source))? {
                Some(fd) => blocking(|| gate::until_readable(fd.as_fd()))
                    .map_err(|source| state.failed(source))?,
                None => {
                    let status = blocking(|| state.process().wait())
                        .map_err(|source| state.failed(source))?;
                    return Ok(*state.ended.get_or_init(|| system::ended(status)));
                }
            }
        }
    }

    /// As [`wait`](Child::wait), but at most until `wake` is readable: then `None`, unless the child
    /// has ended too.
    ///
    /// # Errors
    /// As [`try_wait`](Child::try_wait).
    pub fn wait_unless(&self, wake: BorrowedFd<'_>) -> Result<Option<Ended>, Error> {
        let state = self.state();
        loop {
            if let Some(ended) = state.try_wait()? {
                return Ok(Some(ended));
            }
            let end = state.end_fd().map_err(|source| state.failed(source))?;
            let woken = blocking(|| match &end {
                Some(end) => gate::first_readable(&[wake, end.as_fd()], None),
                // Without a descriptor for its end the wait looks up now and then.
                None => gate::first_readable(&[wake], Some(LOOK_UP)),
            });
            if woken.map_err(|source| state.failed(source))? == Some(0) {
                return state.try_wait();
            }
        }
    }

    /// As [`wait`](Child::wait), for the last clone: one system call instead of five.
    ///
    /// # Errors
    /// As [`try_wait`](Child::try_wait).
    pub fn finish(self) -> Result<Ended, Error> {
        let state = self.state();
        if Arc::strong_count(&self.0) > 1 || state.ended.get().is_some() {
            return self.wait();
        }
        let status = blocking(|| state.process().wait()).map_err(|source| state.failed(source))?;
        Ok(*state.ended.get_or_init(|| system::ended(status)))
    }

    /// Sends it a signal, unless it has ended.
    ///
    /// # Errors
    /// No such signal, or no permission.
    pub fn signal(&self, number: i32) -> Result<(), Error> {
        let state = self.state();
        let signal = system::known_signal(number).map_err(|source| state.failed(source))?;
        // Held so that the process is not waited for meanwhile, and its id reused.
        let mut process = state.process();
        match process.try_wait() {
            Ok(Some(status)) => {
                state.ended.get_or_init(|| system::ended(status));
                Ok(())
            }
            _ => system::send_signal(&mut process, signal).map_err(|source| state.failed(source)),
        }
    }

    /// Kills it (SIGKILL).
    ///
    /// # Errors
    /// As [`signal`](Child::signal).
    pub fn kill(&self) -> Result<(), Error> {
        self.signal(system::KILL)
    }

    /// Waits without blocking a thread.
    pub fn ended(&self) -> ChildEnd {
        ChildEnd { child: self.clone(), watch: None }
    }

    /// Queues `work` in the pool when the child has ended.
    pub fn on_end(
        &self,
        queue: &Affinity,
        work: impl FnOnce(Result<Ended, Error>) + Send + 'static,
    ) {
        let (child, order) = (self.clone(), queue.clone());
        drop(queue.spawn_future(async move {
            let ended = child.ended().await;
            // A task, so that a panic is counted and logged.
            order.run(move || work(ended));
        }));
    }
}

impl ChildState {
    fn process(&self) -> MutexGuard<'_, std::process::Child> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, source: io::Error) -> Error {
        Error::system(&self.name, Action::Wait, source)
    }

    fn try_wait(&self) -> Result<Option<Ended>, Error> {
        if let Some(&ended) = self.ended.get() {
            return Ok(Some(ended));
        }
        let mut process = self.process();
        let status = process.try_wait().map_err(|source| self.failed(source))?;
        Ok(status.map(|status| *self.ended.get_or_init(|| system::ended(status))))
    }

    /// A descriptor that becomes readable when the child has ended, if the system has them.
    fn end_fd(&self) -> io::Result<Option<OwnedFd>> {
        let process = self.process();
        match self.ended.get() {
            Some(_) => system::ended_child(&process),
            None => system::child_end(&process),
        }
    }
}

impl Orphan {
    /// Waits for it now if it has ended, otherwise through the dispatcher.
    fn collect(self) {
        if matches!(self.0.try_wait(), Ok(Some(_)) | Err(_)) {
            return;
        }
        let watched = self.0.end_fd().and_then(|fd| match fd {
            // Too early: watch again.
            Some(fd) => {
                let orphan = Self(Arc::clone(&self.0));
                Dispatcher::get()?.call(fd, || orphan.collect())
            }
            None => Err(io::ErrorKind::Unsupported.into()),
        });
        if watched.is_err() {
            orphans().push(self);
        }
    }
}

/// Children without a watch, collected when another child is started.
static ORPHANS: Mutex<Vec<Orphan>> = Mutex::new(Vec::new());

fn orphans() -> MutexGuard<'static, Vec<Orphan>> {
    ORPHANS.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn reap_orphans() {
    orphans().retain(|orphan| matches!(orphan.0.try_wait(), Ok(None)));
}

impl fmt::Debug for Child {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Child")
            .field("id", &self.id())
            .field("ended", &self.state().ended.get())
            .finish()
    }
}

/// A future of a child's exit status; from [`Child::ended`].
#[must_use = "a future does nothing unless awaited"]
pub struct ChildEnd {
    child: Child,
    watch: Option<Watch>,
}

impl Future for ChildEnd {
    type Output = Result<Ended, Error>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some(ended) = self.child.try_wait().transpose() {
            self.watch = None;
            return Poll::Ready(ended);
        }
        let child = self.child.clone();
        let watched = child.state().end_fd().and_then(|fd| match fd {
            Some(fd) => {
                Dispatcher::get()?.wake(fd.as_fd(), Interest::Read, context.waker().clone())
            }
            None => Err(io::ErrorKind::Unsupported.into()),
        });
        match watched {
            Ok(watch) => {
                self.watch = watch;
                if self.watch.is_none() {
                    context.waker().wake_by_ref();
                }
                Poll::Pending
            }
            Err(error) => Poll::Ready(Err(child.state().failed(error))),
        }
    }
}
