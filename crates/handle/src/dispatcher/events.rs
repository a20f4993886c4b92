//! Watching descriptors, by `mio`.

use mio::unix::SourceFd;
use mio::{Events, Poll, Registry, Token};
use riverhawk_pool::Interest;
use riverhawk_system::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::thread;

/// Per round.
const EVENTS: usize = 256;

/// The process's dispatcher, also a pool's readiness source: after
/// `Pool::builder().readiness(Dispatcher::get()?)` tasks may await `pool.ready(handle.token(),
/// interest)`.
pub struct Dispatcher {
    registry: Registry,
    watched: Mutex<Watched>,
    pub(super) asked: Mutex<HashMap<(u64, Interest), Watch>>,
}

#[derive(Default)]
struct Watched {
    next_key: usize,
    entries: HashMap<usize, Entry>,
}

struct Entry {
    fd: OwnedFd,
    then: Then,
}

/// How a signal is counted.
#[derive(Clone, Copy)]
pub(super) struct Counting {
    pub(super) number: i32,
    /// Empties the pipe; how many bytes it had.
    pub(super) drain: fn(&OwnedFd) -> usize,
    /// That the signal has come so often.
    pub(super) arrived: fn(i32, usize),
}

enum Then {
    Wake(Waker),
    Call(Box<dyn FnOnce() + Send>),
    /// Again and again.
    Count(Counting),
}

/// A running watch, ended on drop.
pub(crate) struct Watch {
    dispatcher: Arc<Dispatcher>,
    key: usize,
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.dispatcher.take(self.key);
    }
}

impl Dispatcher {
    /// The process's dispatcher, started if needed.
    ///
    /// # Errors
    /// The system refuses the thread or a descriptor. The next call tries again.
    pub fn get() -> io::Result<Arc<Self>> {
        /// With the process that has the thread: one that was forked since does not.
        static RUNNING: Mutex<Option<(u32, Arc<Dispatcher>)>> = Mutex::new(None);
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if let Some((_, known)) = running.as_ref().filter(|(id, _)| *id == process) {
            return Ok(Arc::clone(known));
        }
        let poll = Poll::new()?;
        let started = Arc::new(Self {
            registry: poll.registry().try_clone()?,
            watched: Mutex::default(),
            asked: Mutex::default(),
        });
        let working = Arc::clone(&started);
        thread::Builder::new()
            .name("handle-dispatcher".into())
            .stack_size(128 * 1024)
            .spawn(move || working.run(poll))?;
        // The parent's, of which nothing is to be closed here, is kept.
        std::mem::forget(running.replace((process, Arc::clone(&started))));
        Ok(started)
    }

    fn watched(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of running watches.
    pub fn watches(&self) -> usize {
        self.watched().entries.len()
    }

    /// Wakes `waker` once when `fd` is ready. `None` if it always is, as regular files are.
    pub(crate) fn wake(
        self: Arc<Self>,
        fd: BorrowedFd<'_>,
        interest: Interest,
        waker: Waker,
    ) -> io::Result<Option<Watch>> {
        match self.watch(fd.try_clone_to_owned()?, interest, Then::Wake(waker)) {
            Ok(key) => Ok(Some(Watch { dispatcher: self, key })),
            // epoll's answer for files.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn call(&self, fd: OwnedFd, then: impl FnOnce() + Send + 'static) -> io::Result<()> {
        self.watch(fd, Interest::Read, Then::Call(Box::new(then))).map(drop)
    }

    /// Counts a signal for each byte from `pipe`, which is non-blocking.
    pub(super) fn count_signals(&self, pipe: OwnedFd, counting: Counting) -> io::Result<()> {
        self.watch(pipe, Interest::Read, Then::Count(counting)).map(drop)
    }

    fn watch(&self, fd: OwnedFd, interest: Interest, then: Then) -> io::Result<usize> {
        let interest = match interest {
            Interest::Read => mio::Interest::READABLE,
            Interest::Write => mio::Interest::WRITABLE,
        };
        // The event may arrive before `register` returns, and needs its entry.
        let mut watched = self.watched();
        let key = watched.next_key;
        watched.next_key = key.wrapping_add(1);
        self.registry.register(&mut SourceFd(&fd.as_raw_fd()), Token(key), interest)?;
        watched.entries.insert(key, Entry { fd, then });
        Ok(key)
    }

    fn take(&self, key: usize) -> Option<Then> {
        let Entry { fd, then } = self.watched().entries.remove(&key)?;
        // Closing the descriptor would have the same effect.
        let _ = self.registry.deregister(&mut SourceFd(&fd.as_raw_fd()));
        Some(then)
    }

    fn run(&self, mut poll: Poll) {
        let mut events = Events::with_capacity(EVENTS);
        loop {
            // Interrupted or out of memory: the next round tries again.
            if poll.poll(&mut events, None).is_err() {
                thread::yield_now();
                continue;
            }
            for event in &events {
                self.happened(event.token().0);
            }
        }
    }

    fn happened(&self, key: usize) {
        let pipe = match self.watched().entries.get(&key) {
            Some(Entry { fd, then: Then::Count(counting) }) => {
                Some(((counting.drain)(fd), *counting))
            }
            _ => None,
        };
        if let Some((count, counting)) = pipe {
            (counting.arrived)(counting.number, count);
            return;
        }
        match self.take(key) {
            Some(Then::Wake(waker)) => waker.wake(),
            Some(Then::Call(then)) => then(),
            Some(Then::Count(_)) | None => {}
        }
    }
}
