//! SIGPIPE, SIGINT and SIGQUIT, and the end of a run that follows files.
//!
//! At its default, SIGPIPE kills the process at a write to *any* pipe without a reader, unreported
//! and unflushed. So, like gawk, we ignore it, get EPIPE, and raise it ourselves for the standard
//! output. If the parent ignored it, a broken pipe is an ordinary error.
#![allow(unsafe_code)] // signal(2) has no safe face; this file and `descriptor` are all the unsafe code of `io`.

use super::BrokenPipe;
use riverhawk_system::fd::{BorrowedFd, IntoRawFd};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};

/// Ignores SIGPIPE, and returns what its inherited disposition asks for.
///
/// Call this once at start; a library uses [`BrokenPipe::Report`]. Children get the default
/// disposition again, as gawk's do, by `std::process::Command`.
pub fn take_over_sigpipe() -> BrokenPipe {
    // SAFETY: SIG_IGN is a disposition, not a function: no code of ours runs in a signal handler.
    let inherited = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
    if inherited == libc::SIG_DFL { BrokenPipe::Die } else { BrokenPipe::Report }
}

/// Ends the process by SIGPIPE, for the parent to see.
pub fn die_by_sigpipe() -> ! {
    // SAFETY: only a disposition is changed; sigemptyset initialises the signal set before its use;
    // raise and _exit have no preconditions.
    unsafe {
        let mut only_pipe: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut only_pipe);
        libc::sigaddset(&mut only_pipe, libc::SIGPIPE);
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &only_pipe, std::ptr::null_mut());
        libc::raise(libc::SIGPIPE);
        // Not reached. 141 is the shell's status for it.
        libc::_exit(128 + libc::SIGPIPE)
    }
}

/// Makes this process ignore SIGINT and SIGQUIT, as system(3) does.
///
/// Shared by threads: the first saves the dispositions, the last restores them.
pub(crate) struct InterruptsIgnored(());

struct Waiting {
    count: usize,
    before: [libc::sighandler_t; 2],
}

static WAITING: Mutex<Waiting> = Mutex::new(Waiting { count: 0, before: [libc::SIG_DFL; 2] });

const INTERRUPTS: [libc::c_int; 2] = [libc::SIGINT, libc::SIGQUIT];

impl InterruptsIgnored {
    pub(crate) fn new() -> Self {
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

/// Written to by the handler of [`note_interrupts`]. Never closed.
static WAKE: AtomicI32 = AtomicI32::new(-1);

static WOKEN: AtomicI32 = AtomicI32::new(-1);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

const REQUESTS: [libc::c_int; 2] = [libc::SIGINT, libc::SIGTERM];

/// Records the first SIGINT or SIGTERM for `interrupted`; the next ends the process. An ignored
/// signal stays ignored.
///
/// # Errors
/// No pipe can be made.
pub fn note_interrupts() -> io::Result<()> {
    let (woken, wake) = io::pipe()?;
    riverhawk_system::io::ioctl_fionbio(&woken, true)?;
    riverhawk_system::io::ioctl_fionbio(&wake, true)?;
    WOKEN.store(woken.into_raw_fd(), Ordering::SeqCst);
    WAKE.store(wake.into_raw_fd(), Ordering::SeqCst);
    for signal in REQUESTS {
        // SAFETY: the handler is async-signal-safe: atomics, write(2), signal(2).
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
    // SAFETY: the descriptor is never closed, and the byte is a constant. At most two bytes are
    // written, so the pipe is never full and errno does not change.
    unsafe {
        libc::write(WAKE.load(Ordering::SeqCst), [1u8].as_ptr().cast(), 1);
    }
    for signal in REQUESTS {
        // SAFETY: both are dispositions, not functions. The next signal ends the process, unless it
        // was ignored.
        unsafe {
            if libc::signal(signal, libc::SIG_DFL) == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
}

/// Whether a signal asked the run to end.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

pub(crate) fn interrupted_fd() -> Option<BorrowedFd<'static>> {
    let fd = WOKEN.load(Ordering::SeqCst);
    // SAFETY: a stored descriptor is never closed.
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
