//! Why an operation failed, before it is known where: the interpreter adds position and backtrace.

use crate::error::{InputError, OpenError, OutputError};
use crate::time_limit::{self, TimeOver};

/// Why an operation failed. One pointer, so that the result of an operation comes back in
/// registers.
#[derive(Debug)]
pub struct Fault(Box<FaultKind>);

/// The kinds of fault.
#[derive(Debug)]
pub enum FaultKind {
    /// The program did something that has no answer.
    Message(String),
    /// An operand of the command line cannot be used: nothing in the program's text is wrong, so no
    /// place in it is shown.
    Operand(String),
    /// The main input cannot be read any further: what to tell, and why. To a getline it is an
    /// answer.
    Read(String, std::io::Error),
    /// There is no memory for what the program makes.
    Memory,
    /// The time that the program may take is over.
    Time,
    /// Who observes the run wants it to end; nobody is told.
    Quit,
    /// Output could not be delivered.
    Output(Box<OutputError>),
    /// A slot, or an element of the array in it, is one thing and is used as another. It gets its
    /// name where the running frame is known.
    Misuse(Misuse),
}

/// What is used as something that it is not.
#[derive(Debug)]
pub struct Misuse {
    /// The slot.
    pub slot: MisusedSlot,
    /// The element's key, if it is an element.
    pub key: Option<String>,
    /// What it is.
    pub is: &'static str,
    /// What it is used as.
    pub used_as: &'static str,
}

/// A slot of the program, which the interpreter has a name for.
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
    /// A fault with this message.
    #[cold]
    pub fn new(message: impl Into<String>) -> Fault {
        Fault(Box::new(FaultKind::Message(message.into())))
    }

    /// A fault of the command line.
    #[cold]
    pub fn operand(message: impl Into<String>) -> Fault {
        Fault(Box::new(FaultKind::Operand(message.into())))
    }

    /// A main input that cannot be read any further.
    #[cold]
    pub fn read(message: impl Into<String>, error: std::io::Error) -> Fault {
        Fault(Box::new(FaultKind::Read(message.into(), error)))
    }

    /// The end of a run that somebody wants.
    #[cold]
    pub fn quit() -> Fault {
        Fault(Box::new(FaultKind::Quit))
    }

    /// The time is over.
    #[cold]
    pub fn time() -> Fault {
        Fault(Box::new(FaultKind::Time))
    }

    /// Memory has run out.
    #[cold]
    pub fn memory() -> Fault {
        Fault(Box::new(FaultKind::Memory))
    }

    /// A slot is used as something that it is not.
    #[cold]
    pub fn misuse(misuse: Misuse) -> Fault {
        Fault(Box::new(FaultKind::Misuse(misuse)))
    }

    /// What kind it is.
    pub fn kind(&self) -> &FaultKind {
        &self.0
    }

    /// Why the main input cannot be read, if that is what this is; otherwise the fault again.
    pub fn into_read_error(self) -> Result<std::io::Error, Fault> {
        match *self.0 {
            FaultKind::Read(_, error) => Ok(error),
            kind => Err(Fault(Box::new(kind))),
        }
    }

    /// What to tell.
    pub fn message(&self) -> String {
        match self.kind() {
            FaultKind::Message(message)
            | FaultKind::Operand(message)
            | FaultKind::Read(message, _) => message.clone(),
            FaultKind::Memory => "out of memory".to_owned(),
            FaultKind::Time => time_limit::message(),
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

impl From<TimeOver> for Fault {
    fn from(_: TimeOver) -> Fault {
        Fault::time()
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
