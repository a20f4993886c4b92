//! PROCINFO: what a program can learn of its process, and what it can ask of its streams.
//!
//! The array exists only for programs that name it. What is asked of streams is read when it
//! matters, so that it may be changed at any time: `PROCINFO[name, "READ_TIMEOUT"]`,
//! `PROCINFO[name, "RETRY"]`, `PROCINFO[name, "pty"]`, `PROCINFO[name, "NONFATAL"]`.
//! `PROCINFO[name, "BUFFERPIPE"]` changes nothing: output to commands is buffered anyway.

mod elements;

use riverhawk_value::ArrayRef;
use std::time::Duration;

/// The gawk whose language this is, as programs ask for it: `PROCINFO["version"] >= "4.0"`.
const GAWK_VERSION: &[u8] = b"5.3.2";

/// What PROCINFO says, and where reads may take how long when it does not.
#[derive(Default)]
pub struct ProcessInfo {
    /// The array, when the program uses it.
    array: Option<ArrayRef>,
    /// `GAWK_READ_TIMEOUT`.
    timeout: Option<Duration>,
}

impl ProcessInfo {
    /// Whether the program uses the array.
    #[inline]
    pub fn has_array(&self) -> bool {
        self.array.is_some()
    }

    /// The array, when the program uses it.
    pub(crate) fn array(&self) -> Option<&ArrayRef> {
        self.array.as_ref()
    }

    /// Whether any input may have a timeout.
    pub fn sets_timeouts(&self) -> bool {
        self.array.is_some() || self.timeout.is_some()
    }
}
