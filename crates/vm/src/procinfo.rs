//! PROCINFO.
//!
//! The array exists only in programs that name it. Elements about streams are read when needed, so
//! that they may change: `PROCINFO[name, "READ_TIMEOUT"]`, `"RETRY"`, `"pty"` and `"NONFATAL"`.
//! `"BUFFERPIPE"` has no effect, since output to commands is always buffered.

mod elements;

use riverhawk_value::ArrayRef;
use std::time::Duration;

/// Programs test `PROCINFO["version"] >= "4.0"`.
const GAWK_VERSION: &[u8] = b"5.3.2";

#[derive(Default)]
pub struct ProcessInfo {
    array: Option<ArrayRef>,
    timeout: Option<Duration>,
}

impl ProcessInfo {
    #[inline]
    pub fn has_array(&self) -> bool {
        self.array.is_some()
    }

    pub(crate) fn array(&self) -> Option<&ArrayRef> {
        self.array.as_ref()
    }

    pub fn sets_timeouts(&self) -> bool {
        self.array.is_some() || self.timeout.is_some()
    }
}
