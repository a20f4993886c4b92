//! Real signals during system calls: every interruptible call continues.
//!
//! The handler has no `SA_RESTART`, and signals go to the waiting thread. A call without a retry
//! shows that they interrupt.

use crate::scratch::Scratch;
use riverhawk_slurp::{Lock, Slurp, Spew};
use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

static CAUGHT: AtomicUsize = AtomicUsize::new(0);

extern "C" fn catch(_: libc::c_int) {
    CAUGHT.fetch_add(1, Ordering::Relaxed);
}

/// Runs `work` with SIGALRM sent to this thread every millisecond.
fn interrupted<R>(work: impl FnOnce() -> R) -> R {
    // SAFETY: an all-zero `sigaction` is valid; the handler only adds to an atomic.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = catch as extern "C" fn(libc::c_int) as usize;
        assert_eq!(libc::sigaction(libc::SIGALRM, &action, std::ptr::null_mut()), 0);
    }
    // SAFETY: always succeeds. The thread outlives the scope below, which alone uses the handle.
    let this = unsafe { libc::pthread_self() };
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                // SAFETY: as above.
                assert_eq!(unsafe { libc::pthread_kill(this, libc::SIGALRM) }, 0);
                thread::sleep(Duration::from_millis(1));
            }
        });
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        done.store(true, Ordering::Relaxed);
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// With the number of signals.
fn counted<R>(work: impl FnOnce() -> R) -> (R, usize) {
    let before = CAUGHT.load(Ordering::Relaxed);
    let result = interrupted(work);
    (result, CAUGHT.load(Ordering::Relaxed) - before)
}

fn long_text() -> Vec<u8> {
    (0..400_000u32).flat_map(|n| n.to_le_bytes()).collect()
}

/// Writes `text` to the FIFO at `path` in pieces, with pauses in which the reader waits.
fn write_slowly(path: &Path, text: &[u8]) {
    thread::sleep(Duration::from_millis(20));
    let mut file = File::options().write(true).open(path).unwrap();
    for piece in text.chunks(text.len() / 12 + 1) {
        file.write_all(piece).unwrap();
        thread::sleep(Duration::from_millis(5));
    }
}

/// Reads the FIFO at `path` to its end, with pauses in which the writer waits.
fn read_slowly(path: &Path) -> Vec<u8> {
    thread::sleep(Duration::from_millis(20));
    let mut file = File::open(path).unwrap();
    let (mut text, mut buffer, mut reads) = (Vec::new(), vec![0; 256 * 1024], 0);
    loop {
        let count = file.read(&mut buffer).unwrap();
        if count == 0 {
            return text;
        }
        text.extend_from_slice(&buffer[..count]);
        reads += 1;
        if reads % 4 == 0 {
            thread::sleep(Duration::from_millis(5));
        }
    }
}

#[test]
fn a_signal_does_break_off_a_read_that_nobody_tries_again() {
    let (reader, _writer) = rustix::pipe::pipe().unwrap();
    let (result, caught) = counted(|| {
        let mut byte = 0u8;
        // SAFETY: one writable byte.
        let count = unsafe { libc::read(reader.as_raw_fd(), (&raw mut byte).cast(), 1) };
        (count, std::io::Error::last_os_error().kind())
    });
    assert_eq!(result, (-1, ErrorKind::Interrupted));
    assert!(caught > 0);
}

#[test]
fn reading_goes_on_after_signals() {
    let scratch = Scratch::new();
    let text = long_text();
    // From opening to the end; at once, and by blocks.
    for slurp in [Slurp::new(), Slurp::new().block_size(5000.try_into().unwrap())] {
        let fifo = scratch.fifo("fifo");
        let (read, caught) = thread::scope(|scope| {
            scope.spawn(|| write_slowly(&fifo, &text));
            counted(|| slurp.read(&fifo))
        });
        assert!(read.unwrap() == text);
        assert!(caught >= 10, "{caught} signals");
        std::fs::remove_file(&fifo).unwrap();
    }
}

#[test]
fn reading_lines_and_readers_goes_on_after_signals() {
    let scratch = Scratch::new();
    let fifo = scratch.fifo("fifo");
    let text = "a line like any other\n".repeat(50_000);
    let (lines, caught) = thread::scope(|scope| {
        scope.spawn(|| write_slowly(&fifo, text.as_bytes()));
        counted(|| Slurp::new().read_lines(&fifo))
    });
    assert_eq!(lines.unwrap().iter().count(), 50_000);
    assert!(caught >= 10, "{caught} signals");
    let (read, caught) = thread::scope(|scope| {
        scope.spawn(|| write_slowly(&fifo, text.as_bytes()));
        counted(|| Slurp::new().read_from("a reader", File::open(&fifo).unwrap()))
    });
    assert!(read.unwrap() == text.as_bytes());
    assert!(caught >= 10, "{caught} signals");
}

#[test]
fn writing_goes_on_after_signals() {
    let scratch = Scratch::new();
    let text = long_text();
    for spew in [Spew::new(), Spew::new().block_size(100_000.try_into().unwrap())] {
        let fifo = scratch.fifo("fifo");
        let (read, (written, caught)) = thread::scope(|scope| {
            let reader = scope.spawn(|| read_slowly(&fifo));
            let written = counted(|| spew.append(&fifo, &text));
            (reader.join().unwrap(), written)
        });
        written.unwrap();
        assert!(read == text, "{} of {} bytes", read.len(), text.len());
        assert!(caught >= 5, "{caught} signals");
        std::fs::remove_file(&fifo).unwrap();
    }
}

#[test]
fn an_atomic_write_is_whole_however_often_it_is_interrupted() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "old");
    let text = long_text();
    let (written, caught) =
        counted(|| (0..40).try_for_each(|_| Spew::new().atomic().write(&path, &text)));
    written.unwrap();
    assert!(std::fs::read(&path).unwrap() == text);
    assert_eq!(scratch.names(), ["file"]);
    assert!(caught > 0);
}

#[test]
fn waiting_for_a_lock_goes_on_after_signals() {
    let scratch = Scratch::new();
    let path = scratch.file("file", "content");
    let holder = File::open(&path).unwrap();
    for timeout in [None, Some(Duration::from_secs(60))] {
        holder.lock().unwrap();
        let (read, caught) = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(40));
                holder.unlock().unwrap();
            });
            let slurp = Slurp::new().lock(Lock::Shared);
            let slurp = timeout.into_iter().fold(slurp, Slurp::lock_timeout);
            counted(|| slurp.read(&path))
        });
        assert_eq!(read.unwrap(), b"content");
        assert!(caught >= 5, "{caught} signals");
    }
}
