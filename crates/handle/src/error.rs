//! Errors, with the handle's name and the action.

use riverhawk_system::io::Errno;
use std::fmt;
use std::io;

/// A handle's name in messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Name {
    /// Standard input.
    Stdin,
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// A file, by its path.
    File(Box<[u8]>),
    /// A child process, by its command line.
    Command(Box<[u8]>),
    /// A socket, by address.
    Socket(Box<[u8]>),
    /// Anything else.
    Other(Box<[u8]>),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdin => f.write_str("standard input"),
            Self::Stdout => f.write_str("standard output"),
            Self::Stderr => f.write_str("standard error"),
            Self::File(name) => write!(f, "\"{}\"", String::from_utf8_lossy(name)),
            Self::Command(name) => write!(f, "the command \"{}\"", String::from_utf8_lossy(name)),
            Self::Socket(name) => write!(f, "the socket {}", String::from_utf8_lossy(name)),
            Self::Other(name) => f.write_str(&String::from_utf8_lossy(name)),
        }
    }
}

/// What failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Opening a file, starting a command, connecting, listening.
    Open,
    /// Reading.
    Read,
    /// Writing, or a flush before a write, read or seek.
    Write,
    /// Flushing on demand, or forcing to the disk.
    Flush,
    /// Closing, with the last flush.
    Close,
    /// Querying or changing the position.
    Seek,
    /// Locking or unlocking.
    Lock,
    /// Waiting for a child process, or signalling it.
    Wait,
    /// Accepting a connection.
    Accept,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Read => "read from",
            Self::Write => "write to",
            Self::Flush => "flush",
            Self::Close => "finish writing to",
            Self::Seek => "change the position in",
            Self::Lock => "lock",
            Self::Wait => "wait for",
            Self::Accept => "accept connections at",
        })
    }
}

/// Causes that programs distinguish; [`Error::source`](std::error::Error::source) has the system's
/// error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The handle is closed, perhaps during the call.
    Closed,
    /// The read timeout passed without data.
    TimedOut,
    /// No data yet, and the call does not wait.
    NotReady,
    /// The reading end is closed.
    ReaderGone,
    /// There is no such file.
    Missing,
    /// It is not permitted.
    Permission,
    /// It is a directory.
    Directory,
    /// The file exists but was to be created.
    Exists,
    /// No descriptor left in the process or the system.
    TooManyOpen,
    /// A path, host or command contains NUL.
    NulInName,
    /// The path or command is empty.
    EmptyName,
    /// Opened for writing only, or that direction is closed.
    NotReadable,
    /// Opened for reading only, or that direction is closed.
    NotWritable,
    /// A pipe, terminal or socket has no position.
    NotSeekable,
    /// Exclusive without writing, or shared without reading.
    LockMode,
    /// Locked by another, and the call does not wait.
    Locked,
    /// Bytes that are invalid in the handle's encoding, or text it cannot represent.
    NotText,
    /// A host or service name is unknown.
    UnknownHost,
    /// A decoder holds the input.
    TextMode,
    /// Any other system error.
    System,
}

/// A failed operation on a handle.
///
/// ```
/// use riverhawk_handle::{Action, ErrorKind, Handle};
/// let error = Handle::open("/no/such/file").unwrap_err();
/// assert_eq!((error.kind(), error.action()), (ErrorKind::Missing, Action::Open));
/// assert_eq!(error.to_string(), "cannot open \"/no/such/file\": No such file or directory");
/// ```
pub struct Error(Box<Parts>);

struct Parts {
    name: Name,
    action: Action,
    kind: ErrorKind,
    source: io::Error,
}

impl Error {
    pub(crate) fn new(name: &Name, action: Action, kind: ErrorKind, source: io::Error) -> Self {
        Self(Box::new(Parts { name: name.clone(), action, kind, source }))
    }

    pub(crate) fn of_kind(name: &Name, action: Action, kind: ErrorKind) -> Self {
        let (io_kind, words) = match kind {
            ErrorKind::Closed => (io::ErrorKind::NotConnected, "it is closed"),
            ErrorKind::TimedOut => (io::ErrorKind::TimedOut, "timed out"),
            ErrorKind::NotReady => (io::ErrorKind::WouldBlock, "no data is available yet"),
            ErrorKind::Directory => (io::ErrorKind::IsADirectory, "it is a directory"),
            ErrorKind::NulInName => (io::ErrorKind::InvalidInput, "the name contains a NUL byte"),
            ErrorKind::EmptyName => (io::ErrorKind::InvalidInput, "the name is empty"),
            ErrorKind::NotReadable => (io::ErrorKind::Unsupported, "it is not open for reading"),
            ErrorKind::NotWritable => (io::ErrorKind::Unsupported, "it is not open for writing"),
            ErrorKind::NotSeekable => {
                (io::ErrorKind::NotSeekable, "it has no position that could be changed")
            }
            ErrorKind::LockMode => (
                io::ErrorKind::InvalidInput,
                "an exclusive lock needs a handle that can write, a shared one a handle that can read",
            ),
            ErrorKind::Locked => (io::ErrorKind::WouldBlock, "it is already locked"),
            ErrorKind::TextMode => (
                io::ErrorKind::InvalidInput,
                "it is being read as text; switch it to binary before",
            ),
            _ => (io::ErrorKind::Other, "it failed"),
        };
        Self::new(name, action, kind, io::Error::new(io_kind, words))
    }

    pub(crate) fn system(name: &Name, action: Action, source: io::Error) -> Self {
        if source.get_ref().is_some_and(|inner| inner.is::<Self>()) {
            match source.into_inner().map(|inner| inner.downcast::<Self>()) {
                Some(Ok(own)) => return *own,
                _ => return Self::of_kind(name, action, ErrorKind::System),
            }
        }
        let kind = match (Errno::from_io_error(&source), source.kind()) {
            (Some(Errno::MFILE | Errno::NFILE), _) => ErrorKind::TooManyOpen,
            (Some(Errno::ISDIR), _) => ErrorKind::Directory,
            (Some(Errno::SPIPE), _) => ErrorKind::NotSeekable,
            (_, io::ErrorKind::BrokenPipe) => ErrorKind::ReaderGone,
            (_, io::ErrorKind::NotFound) => ErrorKind::Missing,
            (_, io::ErrorKind::PermissionDenied) => ErrorKind::Permission,
            (_, io::ErrorKind::AlreadyExists) => ErrorKind::Exists,
            (_, io::ErrorKind::TimedOut) => ErrorKind::TimedOut,
            _ => ErrorKind::System,
        };
        Self::new(name, action, kind, source)
    }

    /// The handle.
    pub fn name(&self) -> &Name {
        &self.0.name
    }

    /// The action.
    pub fn action(&self) -> Action {
        self.0.action
    }

    /// The cause.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The system's message without `(os error 28)`, for awk's `ERRNO`.
    pub fn reason(&self) -> String {
        riverhawk_system::errors::words(&self.0.source)
    }

    /// The system's error number, if any.
    pub fn raw_os_error(&self) -> Option<i32> {
        self.0.source.raw_os_error()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, reason) = (&self.0.name, self.reason());
        match (self.0.action, name) {
            (Action::Open, Name::Command(_)) => write!(f, "cannot start {name}: {reason}"),
            (action, _) => write!(f, "cannot {action} {name}: {reason}"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { name, action, kind, source } = &*self.0;
        f.debug_struct("Error")
            .field("name", name)
            .field("action", action)
            .field("kind", kind)
            .field("source", source)
            .finish()
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0.source)
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::new(error.0.source.kind(), error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_handle_and_use_the_systems_words() {
        let name = Name::File(b"/dev/full"[..].into());
        let error = Error::system(&name, Action::Write, io::Error::from_raw_os_error(libc::ENOSPC));
        assert_eq!(error.to_string(), "cannot write to \"/dev/full\": No space left on device");
        let error = Error::system(
            &Name::Command(b"x"[..].into()),
            Action::Open,
            io::ErrorKind::NotFound.into(),
        );
        assert_eq!(error.kind(), ErrorKind::Missing);
        assert!(error.to_string().starts_with("cannot start the command \"x\": "));
    }

    #[test]
    fn an_error_survives_its_way_through_std_io() {
        let error = Error::of_kind(&Name::Stdin, Action::Read, ErrorKind::TimedOut);
        let passed: io::Error = error.into();
        assert_eq!(passed.kind(), io::ErrorKind::TimedOut);
        let back = Error::system(&Name::Stdout, Action::Write, passed);
        assert_eq!(
            (back.kind(), back.action(), back.name()),
            (ErrorKind::TimedOut, Action::Read, &Name::Stdin)
        );
    }
}
