//! Ctrl-C while a program runs on Python's main thread.
//!
//! Python's own handler of SIGINT only notes the signal; `KeyboardInterrupt` is raised when the main
//! thread next runs Python code, which it does not while it is in the engine. But the handler also
//! writes the signal's number to the descriptor of `signal.set_wakeup_fd`: during a run that is one
//! end of a socket pair, and a thread at the other end cancels the run. Other signals, and handlers
//! of the caller's for SIGINT, are for Python to handle after the run.

use crate::wakeup::{self, End};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyDict;
use riverhawk::Cancel;
use std::cell::RefCell;
use std::io::{Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// On every system.
const SIGINT: u8 = 2;

/// No signal: the watching thread is to say that it has seen everything before.
const ANSWER: u8 = 0;

/// What the watching thread shares with the main thread.
#[derive(Default)]
struct Watched {
    /// The runs of the main thread; each but the first is inside the one before.
    runs: Vec<Cancel>,
    /// Signals whose numbers an event loop wants to have.
    signals: Vec<u8>,
    /// How often [`ANSWER`] was seen.
    answers: u64,
}

/// Shared with the watching thread, and when `answers` changes.
#[derive(Default)]
struct Shared {
    watched: Mutex<Watched>,
    answered: Condvar,
}

/// The watching thread, as the main thread sees it.
struct Watcher {
    /// A forked process has no threads of its parent.
    process: u32,
    /// Python writes to it.
    written: End,
    shared: Arc<Shared>,
}

thread_local! {
    /// Only the main thread has one.
    static WATCHER: RefCell<Option<Watcher>> = const { RefCell::new(None) };
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Watched> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher {
    fn start() -> std::io::Result<Watcher> {
        let (written, mut read) = wakeup::pair()?;
        // Python's handler must not wait.
        written.set_nonblocking(true)?;
        let shared = Arc::new(Shared::default());
        let seen = Arc::clone(&shared);
        thread::Builder::new().name("interrupts".into()).spawn(move || {
            let mut signal = [0];
            while read.read_exact(&mut signal).is_ok() {
                let mut watched = seen.lock();
                match signal[0] {
                    ANSWER => {
                        watched.answers += 1;
                        seen.answered.notify_all();
                    }
                    signal => watched.signals.push(signal),
                }
                if signal[0] == SIGINT {
                    watched.runs.iter().for_each(Cancel::cancel);
                }
            }
        })?;
        Ok(Watcher { process: std::process::id(), written, shared })
    }

    /// Calls `f` with the one of this thread and process.
    fn with<R>(f: impl FnOnce(&mut Watcher) -> R) -> std::io::Result<R> {
        WATCHER.with_borrow_mut(|watcher| {
            let ours = watcher.take().filter(|known| known.process == std::process::id());
            Ok(f(watcher.insert(ours.map_or_else(Watcher::start, Ok)?)))
        })
    }

    /// Waits until what was written is seen, so that a late signal does not cancel the next run.
    fn settle(&mut self) {
        let before = self.shared.lock().answers;
        if self.written.write_all(&[ANSWER]).is_ok() {
            let watched = self.shared.lock();
            let waiting = |watched: &mut Watched| watched.answers == before;
            drop(self.shared.answered.wait_while(watched, waiting));
        }
    }
}

/// Performs `run`, which ends by Ctrl-C if it has the handle.
///
/// # Errors
/// What the handlers of signals raise, `KeyboardInterrupt` above all.
pub(crate) fn interruptible<T, E>(
    py: Python<'_>,
    cancel: &Cancel,
    run: impl FnOnce() -> Result<T, E>,
) -> PyResult<Result<T, E>> {
    if !is_main_thread(py)? || !is_default(py)? {
        return Ok(run());
    }
    let (written, shared) =
        Watcher::with(|watcher| (wakeup::number(&watcher.written), Arc::clone(&watcher.shared)))?;
    let begun = Begun::new(&shared, cancel);
    let before = set_wakeup(py, written)?;
    // Python raises a panic as an exception, and goes on.
    let result = catch_unwind(AssertUnwindSafe(run));
    set_wakeup(py, before)?;
    let checked = py.check_signals();
    // An event loop's, which wants to have what came meanwhile.
    let is_shared = before >= 0 && before != written;
    if checked.is_err() || !matches!(result, Ok(Ok(_))) || is_shared {
        Watcher::with(Watcher::settle)?;
    }
    let signals = begun.end();
    if is_shared && !signals.is_empty() {
        wakeup::write(py, before, &signals)?;
    }
    match result {
        Ok(result) => checked.map(|()| result),
        Err(panic) => resume_unwind(panic),
    }
}

/// A run that Ctrl-C ends until this is dropped.
struct Begun<'a>(&'a Shared);

impl Begun<'_> {
    fn new<'a>(shared: &'a Shared, cancel: &Cancel) -> Begun<'a> {
        shared.lock().runs.push(cancel.clone());
        Begun(shared)
    }

    /// The signals that came meanwhile, if no other run is around this one.
    fn end(self) -> Vec<u8> {
        let shared = self.0;
        drop(self);
        let mut watched = shared.lock();
        if watched.runs.is_empty() { std::mem::take(&mut watched.signals) } else { Vec::new() }
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.0.lock().runs.pop();
    }
}

/// A function that every run asks for: to import it each time takes more instructions than a short run.
struct Function {
    module: &'static str,
    name: &'static str,
    found: PyOnceLock<Py<PyAny>>,
}

impl Function {
    const fn new(module: &'static str, name: &'static str) -> Function {
        Function { module, name, found: PyOnceLock::new() }
    }

    fn get<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyAny>> {
        self.found.import(py, self.module, self.name)
    }
}

// Those of `signal` make enumerations of what these give.
static GET_SIGNAL: Function = Function::new("_signal", "getsignal");
static DEFAULT_HANDLER: Function = Function::new("_signal", "default_int_handler");
static SET_WAKEUP: Function = Function::new("_signal", "set_wakeup_fd");
static MAIN_THREAD: Function = Function::new("threading", "main_thread");
static GET_IDENT: Function = Function::new("threading", "get_ident");

fn set_wakeup(py: Python<'_>, fd: i64) -> PyResult<i64> {
    let options = PyDict::new(py);
    options.set_item(intern!(py, "warn_on_full_buffer"), false)?;
    SET_WAKEUP.get(py)?.call((fd,), Some(&options))?.extract()
}

/// Handlers may be set, and are called, on the main thread of the main interpreter only.
fn is_main_thread(py: Python<'_>) -> PyResult<bool> {
    let ours = GET_IDENT.get(py)?.call0()?;
    MAIN_THREAD.get(py)?.call0()?.getattr(intern!(py, "ident"))?.eq(ours)
}

/// Whether Ctrl-C raises `KeyboardInterrupt`.
fn is_default(py: Python<'_>) -> PyResult<bool> {
    Ok(GET_SIGNAL.get(py)?.call1((SIGINT,))?.is(DEFAULT_HANDLER.get(py)?))
}
