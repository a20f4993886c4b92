//! Errors of requests ([`Error`]) and of tasks ([`TaskError`]).

use std::any::Any;
use std::{error, fmt, io};

/// A request the pool refuses.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The pool was built without a readiness source.
    NoReadiness,
    /// One of the pool's own tasks requested the shutdown, and would wait for itself.
    WithinWorker,
    /// The readiness source failed.
    Io(io::Error),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReadiness => f.write_str("the pool was built without a readiness source"),
            Self::WithinWorker => {
                f.write_str("a task cannot wait for the shutdown of its own pool")
            }
            Self::Io(error) => write!(f, "readiness: {error}"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// The payload of a panic.
pub type Payload = Box<dyn Any + Send + 'static>;

/// Why a task has no result.
pub enum TaskError {
    /// It panicked; `std::panic::resume_unwind` continues the panic.
    Panicked(Payload),
    /// The shutdown cancelled or refused it.
    Cancelled,
}

impl TaskError {
    /// The panic's message, if it was text.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        match self {
            Self::Panicked(payload) => panic_message(payload.as_ref()),
            Self::Cancelled => None,
        }
    }
}

pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> Option<&str> {
    payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
}

impl fmt::Debug for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(_) => write!(f, "Panicked({:?})", self.message().unwrap_or("...")),
            Self::Cancelled => f.write_str("Cancelled"),
        }
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panicked(_) => {
                write!(f, "the task panicked: {}", self.message().unwrap_or("no message"))
            }
            Self::Cancelled => f.write_str("the task was cancelled because its pool was shut down"),
        }
    }
}

impl error::Error for TaskError {}
