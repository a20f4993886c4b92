//! The signals that an awk must think about: SIGPIPE, SIGINT and SIGQUIT while `system` waits, and
//! those that end a run that follows files.
//!
//! A process whose SIGPIPE is left at its default is killed by a write to *any* pipe whose reader
//! is gone, a child's included, before it can say so or save what other streams hold. gawk
//! therefore ignores SIGPIPE, gets EPIPE instead, and ends itself by SIGPIPE when it was the
//! standard output that nobody reads. So do we, if the parent had left SIGPIPE at its default; if
//! it had it ignored, a broken pipe is an error like any other.
#![allow(unsafe_code)] // signal(2) has no safe face; this file and `descriptor` are all the unsafe code of `io`.

use std::io;
use std::os::fd::{BorrowedFd, IntoRawFd};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

/// What a broken pipe on the standard output does to the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenPipe {
    /// It ends the process quietly by SIGPIPE.
    Die,
    /// It is an error like any other.
    Report,
}

/// Turns SIGPIPE into EPIPE for this process and says what its disposition, until now, asks for.
///
/// To be called once at start, by a program that owns its process; a library inside another program
/// leaves signals alone and uses [`BrokenPipe::Report`]. Children get SIGPIPE's default disposition
/// again, whatever we inherited, as gawk's do: `std::process::Command` resets it.
pub fn take_over_sigpipe() -> BrokenPipe {
    // SAFETY: SIG_IGN is a disposition, not a function: no code of ours runs in a signal handler.
    let inherited = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    if inherited == libc::SIG_DFL { BrokenPipe::Die } else { BrokenPipe::Report }
}

/// Ends the process by SIGPIPE, so that the parent sees what it would have seen of any other
/// program.
pub fn die_by_sigpipe() -> ! {
    // SAFETY: only the disposition of a signal is changed; the signal set is initialised by
    // sigemptyset before it is used; raise and _exit have no preconditions.
    unsafe {
        let mut only_pipe: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut only_pipe);
        libc::sigaddset(&mut only_pipe, libc::SIGPIPE);
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &only_pipe, std::ptr::null_mut());
        libc::raise(libc::SIGPIPE);
        // Not reached: an unblocked SIGPIPE with its default disposition ends the process. 141 is
        // what a shell makes of it.
        libc::_exit(128 + libc::SIGPIPE)
    }
}

/// While one of these lives, SIGINT and SIGQUIT go to the child only, as system(3) has it: an
/// interrupted child does not take the awk with it.
///
/// Dispositions belong to the process, so programs on several threads share them: the first to wait
/// saves them, the last puts them back.
pub(super) struct InterruptsIgnored(());

struct Waiting {
    count: usize,
    /// What SIGINT and SIGQUIT were before the first.
    before: [libc::sighandler_t; 2],
}

static WAITING: Mutex<Waiting> = Mutex::new(Waiting { count: 0, before: [libc::SIG_DFL; 2] });

const INTERRUPTS: [libc::c_int; 2] = [libc::SIGINT, libc::SIGQUIT];

impl InterruptsIgnored {
    pub(super) fn new() -> Self {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.count == 0 {
            // SAFETY: SIG_IGN is a disposition, not a function.
            waiting.before =
                INTERRUPTS.map(|signal| unsafe { libc::signal(signal, libc::SIG_IGN) });
        }
        waiting.count += 1;
        Self(())
    }
}

impl Drop for InterruptsIgnored {
    fn drop(&mut self) {
        let mut waiting = WAITING.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.count -= 1;
        if waiting.count > 0 {
            return;
        }
        for (signal, before) in INTERRUPTS.into_iter().zip(waiting.before) {
            if before != libc::SIG_ERR {
                // SAFETY: `before` is what signal(2) returned for the same signal.
                unsafe { libc::signal(signal, before) };
            }
        }
    }
}

/// What is written to by the handler of [`note_interrupts`], so that whoever waits for something
/// else wakes up. Never closed.
static WAKE: AtomicI32 = AtomicI32::new(-1);

/// The end of that pipe that is waited on.
static WOKEN: AtomicI32 = AtomicI32::new(-1);

/// SIGINT or SIGTERM has come.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The signals that ask a run to end.
const REQUESTS: [libc::c_int; 2] = [libc::SIGINT, libc::SIGTERM];

/// From now on the first SIGINT or SIGTERM is noted, for whoever asks `interrupted`; the next one
/// ends the process, as ever. A signal that the parent has had ignored stays ignored.
///
/// # Errors
/// There is no pipe to be had.
pub fn note_interrupts() -> io::Result<()> {
    let (woken, wake) = rustix::pipe::pipe_with(
        rustix::pipe::PipeFlags::CLOEXEC | rustix::pipe::PipeFlags::NONBLOCK,
    )?;
    WOKEN.store(woken.into_raw_fd(), Ordering::SeqCst);
    WAKE.store(wake.into_raw_fd(), Ordering::SeqCst);
    for signal in REQUESTS {
        // SAFETY: the handler does nothing but what a handler may do: atomics, write(2), signal(2).
        unsafe {
            if libc::signal(signal, libc::SIG_IGN) != libc::SIG_IGN {
                libc::signal(signal, note as extern "C" fn(libc::c_int) as libc::sighandler_t);
            }
        }
    }
    Ok(())
}

extern "C" fn note(_: libc::c_int) {
    INTERRUPTED.store(true, Ordering::SeqCst);
    // SAFETY: the descriptor is open for good, and the byte is a constant. With two bytes at most
    // the pipe is never full, so errno stays what it was.
    unsafe {
        libc::write(WAKE.load(Ordering::SeqCst), [1u8].as_ptr().cast(), 1);
    }
    for signal in REQUESTS {
        // SAFETY: both are dispositions, not functions. The next signal ends the process, unless it
        // was to be ignored.
        unsafe {
            if libc::signal(signal, libc::SIG_DFL) == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
}

/// Whether somebody wants the run to end.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// What can be read when somebody wants the run to end.
pub(super) fn interrupted_fd() -> Option<BorrowedFd<'static>> {
    let fd = WOKEN.load(Ordering::SeqCst);
    // SAFETY: what is stored there is open for good.
    (fd >= 0).then(|| unsafe { BorrowedFd::borrow_raw(fd) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_to_wait_puts_the_dispositions_back() {
        let first = InterruptsIgnored::new();
        let second = InterruptsIgnored::new();
        let saved = WAITING.lock().unwrap().before;
        drop(first);
        let third = InterruptsIgnored::new();
        assert_eq!(WAITING.lock().unwrap().before, saved);
        assert!(saved.iter().all(|before| *before != libc::SIG_ERR));
        drop((second, third));
    }
}
