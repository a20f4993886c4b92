//! Exit statuses.

use std::fmt;

/// A process's exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ended {
    /// Exit code, 0 to 255.
    Code(i32),
    /// Killed by a signal.
    Signal {
        /// Its number.
        number: i32,
        /// Whether it dumped core.
        core: bool,
    },
}

impl Ended {
    /// The exit code, if any.
    pub fn code(self) -> Option<i32> {
        match self {
            Self::Code(code) => Some(code),
            Self::Signal { .. } => None,
        }
    }

    /// The signal, if any.
    pub fn signal(self) -> Option<i32> {
        match self {
            Self::Code(_) => None,
            Self::Signal { number, .. } => Some(number),
        }
    }

    /// Whether the exit code is 0.
    pub fn is_success(self) -> bool {
        self == Self::Code(0)
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal { number, core: false } => write!(f, "signal {number}"),
            Self::Signal { number, core: true } => write!(f, "signal {number}, core dumped"),
        }
    }
}
