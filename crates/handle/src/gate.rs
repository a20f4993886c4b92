//! The waits of one direction of a handle: a gate that is open, or shut, which ends them.
//!
//! Close shuts the gate *before* it takes that direction's lock, so that a blocked holder releases
//! it.

use crate::wake::Wake;
use riverhawk_pool::blocking;
use riverhawk_system::event::{PollFd, PollFlags, Timespec, poll};
use riverhawk_system::fd::BorrowedFd;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;
use std::time::{Duration, Instant};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waited {
    /// Try again.
    Ready,
    Shut,
    TimedOut,
}

pub(crate) use riverhawk_pool::Interest;

/// The waits of one direction, and whether it is shut.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    /// Set under the lock of `waiting`.
    shut: AtomicBool,
    waiting: Mutex<Waiting>,
}

#[derive(Debug, Default)]
struct Waiting {
    threads: Vec<Arc<Wake>>,
    /// With the numbers of their waits.
    tasks: Vec<(u64, Waker)>,
}

impl Waiting {
    /// Dropped after the lock: a waker may hold the last reference to a task, which may own another
    /// wait here.
    fn take_task(&mut self, number: u64) -> Option<(u64, Waker)> {
        let at = self.tasks.iter().position(|(noted, _)| *noted == number)?;
        Some(self.tasks.swap_remove(at))
    }
}

impl Gate {
    pub(crate) fn is_shut(&self) -> bool {
        self.shut.load(Ordering::Acquire)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn shut(&self) -> bool {
        let mut waiting = self.waiting();
        let first = !self.shut.swap(true, Ordering::AcqRel);
        for wake in &waiting.threads {
            // Leaving a wait takes the same lock, so no signal reaches a later wait.
            wake.signal();
        }
        let tasks = std::mem::take(&mut waiting.tasks);
        drop(waiting);
        tasks.into_iter().for_each(|(_, waker)| waker.wake());
        first
    }

    /// Wakes `task` when the gate is shut, replacing an earlier one with the same number. False if
    /// it is shut.
    pub(crate) fn note_task(&self, number: u64, task: &Waker) -> bool {
        let mut waiting = self.waiting();
        if self.is_shut() {
            return false;
        }
        let old = waiting.take_task(number);
        waiting.tasks.push((number, task.clone()));
        drop(waiting);
        drop(old);
        true
    }

    pub(crate) fn forget_task(&self, number: u64) {
        let old = self.waiting().take_task(number);
        drop(old);
    }

    #[cfg(test)]
    pub(crate) fn tasks(&self) -> usize {
        self.waiting().tasks.len()
    }

    /// Blocks until `fd` is ready, the gate is shut, or `limit` has passed; declared in a pool's
    /// worker.
    pub(crate) fn wait(
        &self,
        fd: BorrowedFd<'_>,
        interest: Interest,
        limit: Option<Duration>,
    ) -> io::Result<Waited> {
        // Without a free descriptor the wait polls.
        let Ok(wake) = Wake::of_this_thread() else {
            return self.wait_unwoken(fd, interest, limit);
        };
        let mut waiting = self.waiting();
        if self.is_shut() {
            return Ok(Waited::Shut);
        }
        waiting.threads.push(Arc::clone(&wake));
        drop(waiting);
        let waited = blocking(|| sleep(fd, interest, limit, &wake));
        let mut waiting = self.waiting();
        waiting.threads.retain(|other| !Arc::ptr_eq(other, &wake));
        let shut = self.is_shut();
        drop(waiting);
        if shut {
            wake.reset();
            return Ok(Waited::Shut);
        }
        waited
    }

    /// Without descriptors.
    fn wait_unwoken(
        &self,
        fd: BorrowedFd<'_>,
        interest: Interest,
        limit: Option<Duration>,
    ) -> io::Result<Waited> {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        loop {
            if self.is_shut() {
                return Ok(Waited::Shut);
            }
            let left = deadline
                .map_or(LOOK_UP, |deadline| deadline.saturating_duration_since(Instant::now()));
            if poll_for(fd, interest, Some(left.min(LOOK_UP)))? {
                return Ok(Waited::Ready);
            }
            if left.is_zero() {
                return Ok(Waited::TimedOut);
            }
        }
    }
}

const LOOK_UP: Duration = Duration::from_millis(100);

fn sleep(
    fd: BorrowedFd<'_>,
    interest: Interest,
    limit: Option<Duration>,
    wake: &Wake,
) -> io::Result<Waited> {
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    let mut both = [
        PollFd::from_borrowed_fd(fd, events(interest)),
        PollFd::from_borrowed_fd(wake.fd(), PollFlags::IN),
    ];
    loop {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        match poll(&mut both, left.as_ref()) {
            Ok(0) => return Ok(Waited::TimedOut),
            Ok(_) if !both[1].revents().is_empty() => return Ok(Waited::Shut),
            Ok(_) => return Ok(Waited::Ready),
            Err(riverhawk_system::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

pub(crate) fn is_ready(fd: BorrowedFd<'_>, interest: Interest) -> io::Result<bool> {
    poll_for(fd, interest, Some(Duration::ZERO))
}

/// Blocks until one of them can be read, or for `limit`; which, the first if both can.
pub(crate) fn first_readable(
    fds: &[BorrowedFd<'_>],
    limit: Option<Duration>,
) -> io::Result<Option<usize>> {
    let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
    let mut polled: Vec<PollFd<'_>> =
        fds.iter().map(|fd| PollFd::from_borrowed_fd(*fd, events(Interest::Read))).collect();
    match poll(&mut polled, limit.as_ref()) {
        Ok(_) => Ok(polled.iter().position(|fd| !fd.revents().is_empty())),
        Err(riverhawk_system::io::Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Blocks until `fd` is readable, unconditionally.
#[cfg(not(target_family = "wasm"))] // For the end of a child.
pub(crate) fn until_readable(fd: BorrowedFd<'_>) -> io::Result<()> {
    poll_for(fd, Interest::Read, None).map(drop)
}

fn poll_for(fd: BorrowedFd<'_>, interest: Interest, limit: Option<Duration>) -> io::Result<bool> {
    let limit = limit.and_then(|limit| Timespec::try_from(limit).ok());
    loop {
        match poll(&mut [PollFd::from_borrowed_fd(fd, events(interest))], limit.as_ref()) {
            Ok(count) => return Ok(count > 0),
            Err(riverhawk_system::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn events(interest: Interest) -> PollFlags {
    match interest {
        Interest::Read => PollFlags::IN,
        Interest::Write => PollFlags::OUT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_system::fd::AsFd;

    #[test]
    fn a_shut_gate_ends_every_wait_and_leaves_the_threads_usable() {
        let gate = Gate::default();
        let (reader, _writer) = io::pipe().unwrap();
        std::thread::scope(|scope| {
            let waits: Vec<_> = (0..3)
                .map(|_| {
                    scope.spawn(|| {
                        let first = gate.wait(reader.as_fd(), Interest::Read, None).unwrap();
                        let other = Gate::default();
                        let limit = Some(Duration::from_millis(5));
                        (first, other.wait(reader.as_fd(), Interest::Read, limit).unwrap())
                    })
                })
                .collect();
            while gate.waiting().threads.len() < 3 {
                std::thread::yield_now();
            }
            assert!(gate.shut());
            for wait in waits {
                assert_eq!(wait.join().unwrap(), (Waited::Shut, Waited::TimedOut));
            }
        });
        assert!(!gate.shut());
        assert_eq!(gate.wait(reader.as_fd(), Interest::Read, None).unwrap(), Waited::Shut);
    }

    #[test]
    fn a_wait_ends_when_there_is_something_to_read() {
        use std::io::Write;
        let gate = Gate::default();
        let (reader, mut writer) = io::pipe().unwrap();
        writer.write_all(b"x").unwrap();
        assert_eq!(gate.wait(reader.as_fd(), Interest::Read, None).unwrap(), Waited::Ready);
    }

    #[test]
    fn a_wait_without_a_descriptor_to_spare_still_ends() {
        let gate = Gate::default();
        let (reader, _writer) = io::pipe().unwrap();
        let limit = Some(Duration::from_millis(5));
        assert_eq!(
            gate.wait_unwoken(reader.as_fd(), Interest::Read, limit).unwrap(),
            Waited::TimedOut
        );
        std::thread::scope(|scope| {
            let waiting =
                scope.spawn(|| gate.wait_unwoken(reader.as_fd(), Interest::Read, None).unwrap());
            gate.shut();
            assert_eq!(waiting.join().unwrap(), Waited::Shut);
        });
    }
}
