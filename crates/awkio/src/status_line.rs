//! A progress line on the terminal, beside the program's output.
//!
//! Removed before other output; not drawn after an unfinished line or during a command.

use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The line at the bottom of standard error's terminal.
#[derive(Debug, Default)]
pub struct StatusLine {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    shown: bool,
    is_within_line: bool,
    held: usize,
}

/// Nothing is drawn while it exists.
#[derive(Debug)]
pub struct Held(Arc<StatusLine>);

impl StatusLine {
    /// Replaces the shown text.
    pub fn draw(&self, text: &str) {
        let mut state = self.state();
        if !state.is_within_line && state.held == 0 {
            say(&format!("\r{text}\x1b[K"));
            state.shown = true;
        }
    }

    /// Removes it from the screen.
    pub fn wipe(&self) {
        self.state().wipe();
    }

    /// Removes it and prevents drawing.
    pub fn hold(self: &Arc<StatusLine>) -> Held {
        let mut state = self.state();
        state.wipe();
        state.held += 1;
        Held(self.clone())
    }

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

/// A lost terminal is no error.
fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}
