//! A line on the terminal that says how far a run has come, beside what the program writes there.
//!
//! Whoever writes to the terminal wipes the line first, and nobody draws it while something else
//! has the terminal: half a line that the program has written, or a command that may write at any
//! time.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The line at the bottom of the terminal that standard error is.
#[derive(Debug, Default)]
pub struct StatusLine {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// It is on the screen.
    shown: bool,
    /// What was written last did not end its line.
    is_within_line: bool,
    /// So many commands may write to the terminal.
    held: usize,
}

/// As long as it lives, nothing is drawn.
#[derive(Debug)]
pub struct Held(Arc<StatusLine>);

impl StatusLine {
    /// Shows a text, in place of the one before.
    pub fn draw(&self, text: &str) {
        let mut state = self.state();
        if !state.is_within_line && state.held == 0 {
            say(&format!("\r{text}\x1b[K"));
            state.shown = true;
        }
    }

    /// Wipes it out.
    pub fn wipe(&self) {
        self.state().wipe();
    }

    /// Wipes it out and keeps it so.
    pub fn hold(self: &Arc<StatusLine>) -> Held {
        let mut state = self.state();
        state.wipe();
        state.held += 1;
        Held(self.clone())
    }

    /// Writes something else to the terminal.
    pub(super) fn beside<R>(&self, bytes: &[u8], write: impl FnOnce() -> R) -> R {
        let mut state = self.state();
        state.wipe();
        let result = write();
        state.is_within_line = bytes.last().map_or(state.is_within_line, |last| *last != b'\n');
        result
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn wipe(&mut self) {
        if std::mem::take(&mut self.shown) {
            say("\r\x1b[K");
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.state().held -= 1;
    }
}

/// A terminal that has gone away is no reason to fail.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
