//! Errors of input and output, which always name their file or command.

use crate::name::is_inet;
use crate::quota::TooMuchOutput;
use riverhawk_system::errors;
use riverhawk_system::io::Errno;
use std::fmt;
use std::io;

/// An output, as error messages name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The process's standard output.
    Stdout,
    /// The process's standard error.
    Stderr,
    /// A file: `print > "name"` or `print >> "name"`.
    File(Box<[u8]>),
    /// A command: `print | "command"`.
    Pipe(Box<[u8]>),
    /// A coprocess or connection, `print |& "command"`.
    Coprocess(Box<[u8]>),
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => f.write_str("standard output"),
            Self::Stderr => f.write_str("standard error"),
            Self::File(name) => write!(f, "\"{}\"", String::from_utf8_lossy(name)),
            Self::Pipe(command) => {
                write!(f, "the command \"{}\"", String::from_utf8_lossy(command))
            }
            Self::Coprocess(name) if is_inet(name) => {
                write!(f, "\"{}\"", String::from_utf8_lossy(name))
            }
            Self::Coprocess(command) => {
                write!(f, "the coprocess \"{}\"", String::from_utf8_lossy(command))
            }
        }
    }
}

/// The action that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Opening a file or starting a command.
    Open,
    /// `print` or `printf`.
    Write,
    /// `getline` from a coprocess.
    Read,
    /// `fflush`, or the flush before a child process is started.
    Flush,
    /// `close`, also at exit.
    Close,
}

/// A failed output. Unwritten bytes are dropped, so it is reported once.
#[derive(Debug)]
pub struct OutputError {
    /// The output.
    pub target: Target,
    /// The action that failed.
    pub action: Action,
    /// The system's error.
    pub source: io::Error,
}

impl OutputError {
    /// Whether it is the limit of all output.
    pub fn is_limit(&self) -> bool {
        self.source.get_ref().is_some_and(|inner| inner.is::<TooMuchOutput>())
    }

    pub(crate) fn is_reader_gone(&self) -> bool {
        self.source.kind() == io::ErrorKind::BrokenPipe
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match (self.action, &self.target) {
            (Action::Open, Target::Coprocess(name)) if is_inet(name) => "cannot connect to",
            (Action::Open, Target::Pipe(_) | Target::Coprocess(_)) => "cannot start",
            (Action::Open, _) => "cannot open",
            (Action::Write, _) => "cannot write to",
            (Action::Read, _) => "cannot read from",
            (Action::Flush, _) => "cannot flush",
            (Action::Close, _) => "cannot finish writing to",
        };
        let purpose = match (self.action, &self.target) {
            (Action::Open, Target::File(_)) => " for writing",
            _ => "",
        };
        write!(f, "{verb} {}{purpose}: {}", self.target, Reason(&self.source))
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// Why an input could not be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenErrorKind {
    /// No file has this name.
    Missing,
    /// Reading is not permitted.
    Permission,
    /// Skipped with a warning as an operand, a failure for `getline`.
    Directory,
    /// The process or the system has no free file descriptor.
    TooManyOpen,
    /// The name is the empty string.
    EmptyName,
    /// Anything else.
    Other,
}

/// An input that could not be opened.
#[derive(Debug)]
pub struct OpenError {
    /// The file or command.
    pub name: Box<[u8]>,
    /// The case that awk distinguishes.
    pub kind: OpenErrorKind,
    /// The system's error: the text of `ERRNO`.
    pub source: io::Error,
}

impl OpenError {
    pub(super) fn new(name: &[u8], source: io::Error) -> Self {
        let kind = match Errno::from_io_error(&source) {
            Some(Errno::NOENT) => OpenErrorKind::Missing,
            Some(Errno::ACCESS | Errno::PERM) => OpenErrorKind::Permission,
            Some(Errno::ISDIR) => OpenErrorKind::Directory,
            Some(Errno::MFILE | Errno::NFILE) => OpenErrorKind::TooManyOpen,
            _ => OpenErrorKind::Other,
        };
        Self { name: name.into(), kind, source }
    }

    pub(super) fn empty_name() -> Self {
        let source = Errno::NOENT.into();
        Self { name: Box::default(), kind: OpenErrorKind::EmptyName, source }
    }

    /// A directory where none is allowed.
    pub fn directory(name: &[u8]) -> Self {
        Self::new(name, Errno::ISDIR.into())
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            OpenErrorKind::EmptyName => {
                f.write_str("the name of the file or command to read is empty")
            }
            _ => write!(
                f,
                "cannot open \"{}\" for reading: {}",
                String::from_utf8_lossy(&self.name),
                self.reason()
            ),
        }
    }
}

impl OpenError {
    /// The system's message alone, as gawk puts it into `ERRNO`.
    pub fn reason(&self) -> Reason<'_> {
        Reason(&self.source)
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// An I/O error without Rust's `(os error 28)`.
pub struct Reason<'a>(pub &'a io::Error);

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&errors::words(self.0))
    }
}

/// Whether closing another stream may help.
pub(super) trait LacksDescriptor {
    fn lacks_descriptor(&self) -> bool;
}

impl LacksDescriptor for io::Error {
    fn lacks_descriptor(&self) -> bool {
        matches!(Errno::from_io_error(self), Some(Errno::MFILE | Errno::NFILE))
    }
}

impl LacksDescriptor for OpenError {
    fn lacks_descriptor(&self) -> bool {
        self.kind == OpenErrorKind::TooManyOpen
    }
}

/// Why an input could not be opened.
#[derive(Debug)]
pub enum InputError {
    /// The open failed.
    Open(OpenError),
    /// An output could not be flushed first.
    Flush(Box<OutputError>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_target_and_use_the_systems_words() {
        let error = OutputError {
            target: Target::File(b"/dev/full"[..].into()),
            action: Action::Write,
            source: io::Error::from_raw_os_error(libc::ENOSPC),
        };
        assert_eq!(error.to_string(), "cannot write to \"/dev/full\": No space left on device");
        let error = OpenError::new(b"nope", io::Error::from_raw_os_error(libc::ENOENT));
        assert_eq!(error.kind, OpenErrorKind::Missing);
        assert_eq!(
            error.to_string(),
            "cannot open \"nope\" for reading: No such file or directory"
        );
        assert_eq!(error.reason().to_string(), "No such file or directory");
    }
}
