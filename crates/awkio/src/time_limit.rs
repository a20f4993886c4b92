//! `--timeout`: a thread that ends the run when its time is over.
//!
//! Programs check a flag at each turn of a loop and start of a function. A repeated signal
//! interrupts system calls; commands are ended. The run then ends as by any error. One that still
//! runs (a long built-in function) is ended by force.
//!
//! Not a thread of the pool, which starts after the sandbox and may be stuck.
#![allow(unsafe_code)] // The handler of the signal, and sending it; setting an attribute of the process.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Read by machine code.
static OVER: AtomicBool = AtomicBool::new(false);

static IMPATIENT: AtomicBool = AtomicBool::new(false);

/// With its end.
static LIMIT: Mutex<Option<(Duration, Instant)>> = Mutex::new(None);

const WOKEN_EVERY: Duration = Duration::from_millis(20);

/// From SIGTERM to SIGKILL; then blocked writes give up.
const ASKED_FOR: Duration = Duration::from_millis(500);

const FORCED_AFTER: Duration = Duration::from_secs(5);

/// Not zero when the time is over.
pub fn flag() -> *const u8 {
    OVER.as_ptr().cast()
}

/// Whether the time is over.
#[inline]
pub fn is_over() -> bool {
    OVER.load(Ordering::Relaxed)
}

pub(crate) fn is_impatient() -> bool {
    IMPATIENT.load(Ordering::Relaxed)
}

/// The time limit is over.
#[derive(Clone, Copy, Debug)]
pub struct TimeOver;

/// Fails when the time is over.
#[inline]
pub fn check() -> Result<(), TimeOver> {
    if is_over() { Err(TimeOver) } else { Ok(()) }
}

/// Fails when the time is over; otherwise retry the call.
pub fn interrupted() -> io::Result<()> {
    if is_over() { Err(io::Error::other("interrupted")) } else { Ok(()) }
}

/// Maximum time for an uninterruptible wait.
pub fn left() -> Option<Duration> {
    let (_, end) = (*LIMIT.lock().unwrap_or_else(PoisonError::into_inner))?;
    Some(end.saturating_duration_since(Instant::now()) + ASKED_FOR)
}

/// The message for the user.
pub fn message() -> String {
    let limit = LIMIT
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .map_or(Duration::ZERO, |(limit, _)| limit);
    format!("the time limit of {limit:?} is reached (--timeout)")
}

/// A run with a limit. Only one may exist, since the limit is the process's.
#[derive(Debug)]
pub struct Timed {
    ended: Arc<(Mutex<bool>, Condvar)>,
}

/// Limits the calling thread's run, whose process and commands may be ended.
///
/// # Errors
/// No thread can be started.
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
    // SAFETY: pointer and length are the message's; ending the process has no preconditions.
    unsafe {
        libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len());
        libc::_exit(2)
    }
}

/// Ignored by default, SIGURG interrupts system calls.
fn note_wakes() {
    extern "C" fn wake(_: libc::c_int) {}
    // SAFETY: an action of zeros is valid (no flags, so calls are not restarted; an empty mask),
    // and the handler does nothing.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = wake as extern "C" fn(libc::c_int) as libc::sighandler_t;
        libc::sigaction(libc::SIGURG, &action, std::ptr::null_mut());
    }
}

/// So that descendants of ended commands are found.
fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    // SAFETY: sets an attribute of the process.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
}

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

/// Returns how many.
fn end_commands(signal: libc::c_int) -> usize {
    let mut ours = vec![std::process::id().cast_signed()];
    let mut others = processes();
    // Repeated, since children may be listed before their parents.
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

/// Where `/proc` exists.
fn processes() -> Vec<(i32, i32)> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return children() };
    let process = |entry: std::fs::DirEntry| {
        let pid: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read(entry.path().join("stat")).ok()?;
        // The command's name, in parentheses, may contain anything.
        let rest = &stat[stat.iter().rposition(|&byte| byte == b')')? + 1..];
        let mut words = std::str::from_utf8(rest).ok()?.split_whitespace();
        let (state, parent) = (words.next()?, words.next()?.parse().ok()?);
        (state != "Z").then_some((pid, parent))
    };
    entries.flatten().filter_map(process).collect()
}

/// For a sandbox. Orphans of ended commands become children too.
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
