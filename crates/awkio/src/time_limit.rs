//! `--timeout`: a thread that says when the time is over, and sees to it that everybody hears.
//!
//! Programs with a limit ask at each turn of a loop and at the beginning of each function, in
//! machine code too; others pay nothing. Who is blocked in a system call is woken by a signal,
//! again and again; the commands that the program has started are ended, so that who waits for them
//! goes on. The run ends as by any error then: what was printed is written. A run that still does
//! not end (a built-in function takes long, or a call that no signal interrupts) is ended by force.
//!
//! The thread is its own and not the pool's: it is there before the sandbox is, whose children the
//! pool's threads are to be, and it has to act when nothing else answers.
#![allow(unsafe_code)] // The handler of the signal, and sending it; setting an attribute of the process.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The time is over. Machine code reads it.
static OVER: AtomicBool = AtomicBool::new(false);

/// So is the patience with who does not read what is written.
static IMPATIENT: AtomicBool = AtomicBool::new(false);

/// The limit that is in force, and when the time is over.
static LIMIT: Mutex<Option<(Duration, Instant)>> = Mutex::new(None);

/// How often who is blocked is woken when the time is over.
const WOKEN_EVERY: Duration = Duration::from_millis(20);

/// Commands are asked to end (SIGTERM), and after so long made to (SIGKILL); who is blocked in
/// writing then gives up.
const ASKED_FOR: Duration = Duration::from_millis(500);

/// A run that has not ended by then is ended by force.
const FORCED_AFTER: Duration = Duration::from_secs(5);

/// Where it says whether the time is over, for machine code: a byte that is not zero then.
pub fn flag() -> *const u8 {
    OVER.as_ptr().cast()
}

/// Whether the time is over.
#[inline]
pub fn is_over() -> bool {
    OVER.load(Ordering::Relaxed)
}

/// Whether what cannot be written by now is not written.
pub(crate) fn is_impatient() -> bool {
    IMPATIENT.load(Ordering::Relaxed)
}

/// The time that the program may take is over.
#[derive(Clone, Copy, Debug)]
pub struct TimeOver;

/// An error when the time is over.
#[inline]
pub fn check() -> Result<(), TimeOver> {
    if is_over() { Err(TimeOver) } else { Ok(()) }
}

/// What an interrupted call says when the time is over; otherwise it is tried again.
pub fn interrupted() -> io::Result<()> {
    if is_over() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

/// How long may be waited for something that no signal interrupts, if there is a limit: until the
/// time is certainly over.
pub fn left() -> Option<Duration> {
    let (_, end) = (*LIMIT.lock().unwrap_or_else(PoisonError::into_inner))?;
    Some(end.saturating_duration_since(Instant::now()) + ASKED_FOR)
}

/// What is told.
pub fn message() -> String {
    let limit = LIMIT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .map_or(Duration::ZERO, |(limit, _)| limit);
    format!("the time limit of {limit:?} is reached (--timeout)")
}

/// A run with a limit. The limit is the process's: there should be one such run at a time. Dropped
/// when the run has ended.
#[derive(Debug)]
pub struct Timed {
    ended: Arc<(Mutex<bool>, Condvar)>,
}

/// Lets the calling thread run for so long. The process is its own: its commands are ended, and if
/// all else fails the process.
///
/// # Errors
/// There can be no thread.
pub fn begin(limit: Duration) -> io::Result<Timed> {
    OVER.store(false, Ordering::SeqCst);
    IMPATIENT.store(false, Ordering::SeqCst);
    *LIMIT.lock().unwrap_or_else(PoisonError::into_inner) = Some((limit, Instant::now() + limit));
    note_wakes();
    adopt_orphans();
    let ended = Arc::new((Mutex::new(false), Condvar::new()));
    let watched = ended.clone();
    // SAFETY: no preconditions.
    let thread = unsafe { libc::pthread_self() } as usize;
    std::thread::Builder::new()
        .name("time limit".into())
        .spawn(move || watch(&watched, limit, thread))?;
    Ok(Timed { ended })
}

impl Drop for Timed {
    fn drop(&mut self) {
        *self.ended.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.ended.1.notify_all();
        if is_over() {
            end_all_commands();
        }
        *LIMIT.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Waits until the run has ended, at most so long; whether it has.
fn has_ended(run: &(Mutex<bool>, Condvar), within: Duration) -> bool {
    let ended = run.0.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = run.1.wait_timeout_while(ended, within, |ended| !*ended);
    *waited.unwrap_or_else(PoisonError::into_inner).0
}

fn watch(run: &(Mutex<bool>, Condvar), limit: Duration, thread: usize) {
    if has_ended(run, limit) {
        return;
    }
    OVER.store(true, Ordering::SeqCst);
    let since = Instant::now();
    while since.elapsed() < FORCED_AFTER {
        let is_long = since.elapsed() >= ASKED_FOR;
        IMPATIENT.store(is_long, Ordering::SeqCst);
        end_commands(if is_long { libc::SIGKILL } else { libc::SIGTERM });
        let ended = run.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !*ended {
            // SAFETY: the thread lives as long as its run, whose end waits for this lock.
            unsafe { libc::pthread_kill(thread as libc::pthread_t, libc::SIGURG) };
        }
        drop(ended);
        if has_ended(run, WOKEN_EVERY) {
            return;
        }
    }
    let message = format!(
        "rhawk: error: {}; the program does not end, and what it held back is lost\n",
        message()
    );
    // SAFETY: the message is so long; ending the process needs nothing.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        libc::_exit(2)
    }
}

/// SIGURG, which is ignored by default, interrupts the system call that a thread is in.
fn note_wakes() {
    extern "C" fn wake(_: libc::c_int) {}
    // SAFETY: the action is all zeros, which is valid (no flags, so calls are not restarted; an
    // empty mask), but for the handler, which does nothing.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = wake as extern "C" fn(libc::c_int) as libc::sighandler_t;
        libc::sigaction(libc::SIGURG, &action, std::ptr::null_mut());
    }
}

/// What the commands of this process have started becomes its own when they end, so that it is
/// found.
fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    // SAFETY: sets an attribute of the process.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
}

/// The run has ended at the first command that has; the others are not to be left behind.
fn end_all_commands() {
    let since = Instant::now();
    loop {
        let is_long = since.elapsed() >= ASKED_FOR;
        let count = end_commands(if is_long { libc::SIGKILL } else { libc::SIGTERM });
        if count == 0 || since.elapsed() >= 2 * ASKED_FOR {
            return;
        }
        std::thread::sleep(WOKEN_EVERY);
    }
}

/// Sends a signal to all that this process has started, and to what they have; how many there are.
fn end_commands(signal: libc::c_int) -> usize {
    let mut ours = vec![std::process::id().cast_signed()];
    let mut others = processes();
    // Parents are found before their children, however they are listed.
    loop {
        let before = ours.len();
        others.retain(|&(pid, parent)| {
            let is_ours = ours.contains(&parent);
            if is_ours {
                ours.push(pid);
            }
            !is_ours
        });
        if ours.len() == before {
            break;
        }
    }
    for &pid in &ours[1..] {
        // SAFETY: no preconditions. At worst the process has just ended and its number is free.
        unsafe { libc::kill(pid, signal) };
    }
    ours.len() - 1
}

/// All running processes with their parents, where there is a list of them.
fn processes() -> Vec<(i32, i32)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return children() };
    let process = |entry: std::fs::DirEntry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read(entry.path().join("stat")).ok()?;
        // The name of the command, in parentheses, may hold anything.
        let rest = &stat[stat.iter().rposition(|&byte| byte == b')')? + 1..];
        let mut words = std::str::from_utf8(rest).ok()?.split_whitespace();
        let (state, parent) = (words.next()?, words.next()?.parse().ok()?);
        (state != "Z").then_some((pid, parent))
    };
    entries.flatten().filter_map(process).collect()
}

/// The children of this process, which is what a sandbox lets it see. What they have started
/// becomes its own as they end.
fn children() -> Vec<(i32, i32)> {
    let ours = std::process::id().cast_signed();
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|pid| Some((pid.parse().ok()?, ours)))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn the_list_of_processes_has_this_one_with_its_parent() {
        let parent = std::os::unix::process::parent_id().cast_signed();
        assert!(processes().contains(&(std::process::id().cast_signed(), parent)));
    }
}
