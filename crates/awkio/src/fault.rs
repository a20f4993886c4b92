//! Why an operation failed. The interpreter adds position and backtrace.

use crate::cancel::StopCause;
use crate::error::{InputError, OpenError, OutputError};

/// A failure, in one pointer to fit a register.
#[derive(Debug)]
pub struct Fault(Box<FaultKind>);

/// The kinds of fault.
#[derive(Debug)]
pub enum FaultKind {
    /// An error in what the program did.
    Message(String),
    /// An operand cannot be used; no place in the program is shown.
    Operand(String),
    /// The main input cannot be read; `getline` returns this.
    Read(String, std::io::Error),
    /// A record is longer than the limit.
    RecordTooLong(String),
    /// Out of memory.
    Memory,
    /// The run is to end.
    Stopped(StopCause),
    /// The run has reached a limit.
    Limit(RunLimit),
    /// The embedding program ends the run; no message.
    Quit,
    /// Output failed.
    Output(Box<OutputError>),
    /// A value used as the wrong kind; its name is added later.
    Misuse(Misuse),
}

/// A limit of what a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunLimit {
    /// Iterations of loops and calls of functions.
    Steps(u64),
    /// Records of the main input.
    Records(u64),
    /// Nested calls.
    Calls(usize),
}

impl std::fmt::Display for RunLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RunLimit::Steps(limit) => {
                write!(f, "the limit of {limit} steps is reached")
            }
            RunLimit::Records(limit) => {
                write!(f, "the limit of {limit} records is reached")
            }
            RunLimit::Calls(limit) => write!(
                f,
                "function calls are nested deeper than the limit of {limit}: does the recursion end?"
            ),
        }
    }
}

/// Something used as the wrong kind.
#[derive(Debug)]
pub struct Misuse {
    /// The slot.
    pub slot: MisusedSlot,
    /// The element's key, if it is an element.
    pub key: Option<String>,
    /// What it is.
    pub is: &'static str,
    /// The use that failed.
    pub used_as: &'static str,
}

/// A slot that the interpreter can name.
#[derive(Clone, Copy, Debug)]
pub enum MisusedSlot {
    /// A register of the running frame.
    Register(u16),
    /// A global variable.
    Global(u32),
}

/// The result of an operation.
pub type Fallible<T> = Result<T, Fault>;

impl Fault {
    /// A fault with `message`.
    #[cold]
    pub fn new(message: impl Into<String>) -> Fault {
        Fault(Box::new(FaultKind::Message(message.into())))
    }

    /// A fault of the command line.
    #[cold]
    pub fn operand(message: impl Into<String>) -> Fault {
        Fault(Box::new(FaultKind::Operand(message.into())))
    }

    /// A failed read of the main input.
    #[cold]
    pub fn read(message: impl Into<String>, error: std::io::Error) -> Fault {
        Fault(Box::new(FaultKind::Read(message.into(), error)))
    }

    /// A record is longer than the limit.
    #[cold]
    pub fn record_too_long(message: impl Into<String>) -> Fault {
        Fault(Box::new(FaultKind::RecordTooLong(message.into())))
    }

    /// The end of a run by its embedding program.
    #[cold]
    pub fn quit() -> Fault {
        Fault(Box::new(FaultKind::Quit))
    }

    /// The run is to end.
    #[cold]
    pub fn stopped(cause: StopCause) -> Fault {
        Fault(Box::new(FaultKind::Stopped(cause)))
    }

    /// A limit is reached.
    #[cold]
    pub fn limit(limit: RunLimit) -> Fault {
        Fault(Box::new(FaultKind::Limit(limit)))
    }

    /// Out of memory.
    #[cold]
    pub fn memory() -> Fault {
        Fault(Box::new(FaultKind::Memory))
    }

    /// A slot used as the wrong kind.
    #[cold]
    pub fn misuse(misuse: Misuse) -> Fault {
        Fault(Box::new(FaultKind::Misuse(misuse)))
    }

    /// The kind.
    pub fn kind(&self) -> &FaultKind {
        &self.0
    }

    /// The read error, or else the fault again.
    pub fn into_read_error(self) -> Result<std::io::Error, Fault> {
        match *self.0 {
            FaultKind::Read(_, error) => Ok(error),
            kind => Err(Fault(Box::new(kind))),
        }
    }

    /// The message for the user.
    pub fn message(&self) -> String {
        match self.kind() {
            FaultKind::Message(message)
            | FaultKind::Operand(message)
            | FaultKind::RecordTooLong(message)
            | FaultKind::Read(message, _) => message.clone(),
            FaultKind::Memory => "out of memory".to_owned(),
            FaultKind::Stopped(cause) => cause.to_string(),
            FaultKind::Limit(limit) => limit.to_string(),
            FaultKind::Quit => String::new(),
            FaultKind::Output(error) => error.to_string(),
            FaultKind::Misuse(misuse) => {
                format!("attempt to use the {} as {}", misuse.is, misuse.used_as)
            }
        }
    }
}

impl From<Box<OutputError>> for Fault {
    fn from(error: Box<OutputError>) -> Fault {
        Fault(Box::new(FaultKind::Output(error)))
    }
}

impl From<StopCause> for Fault {
    #[cold]
    fn from(cause: StopCause) -> Fault {
        Fault::stopped(cause)
    }
}

impl From<OpenError> for Fault {
    fn from(error: OpenError) -> Fault {
        Fault::new(error.to_string())
    }
}

impl From<InputError> for Fault {
    fn from(error: InputError) -> Fault {
        match error {
            InputError::Open(error) => Fault::new(error.to_string()),
            InputError::Flush(error) => error.into(),
        }
    }
}
