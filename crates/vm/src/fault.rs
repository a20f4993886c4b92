//! Why an operation failed, before it is known where: the interpreter adds position and backtrace.

use crate::io::{InputError, OpenError, OutputError};
use crate::patterns::PatternError;
use riverhawk_value::format::FormatError;

/// Why an operation failed.
#[derive(Debug)]
pub enum Fault {
    /// The program did something that has no answer.
    Message(String),
    /// Output could not be delivered.
    Output(Box<OutputError>),
}

/// The result of an operation.
pub type Fallible<T> = Result<T, Fault>;

impl Fault {
    /// A fault with this message.
    #[cold]
    pub fn new(message: impl Into<String>) -> Fault {
        Fault::Message(message.into())
    }

    /// What to tell.
    pub fn message(&self) -> String {
        match self {
            Fault::Message(message) => message.clone(),
            Fault::Output(error) => error.to_string(),
        }
    }
}

impl From<Box<OutputError>> for Fault {
    fn from(error: Box<OutputError>) -> Fault {
        Fault::Output(error)
    }
}

impl From<PatternError> for Fault {
    fn from(error: PatternError) -> Fault {
        Fault::Message(error.message)
    }
}

impl From<FormatError> for Fault {
    fn from(error: FormatError) -> Fault {
        Fault::Message(error.to_string())
    }
}

impl From<OpenError> for Fault {
    fn from(error: OpenError) -> Fault {
        Fault::Message(error.to_string())
    }
}

impl From<InputError> for Fault {
    fn from(error: InputError) -> Fault {
        match error {
            InputError::Open(error) => Fault::Message(error.to_string()),
            InputError::Flush(error) => Fault::Output(error),
        }
    }
}
