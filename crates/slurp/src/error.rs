//! Errors, with the path.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// How an error is reported: an option of every function.
///
/// The error is returned in all modes. The mode decides whether it is printed, and whether
/// [`Settle::settle`](crate::Settle::settle) lets the program continue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ErrorMode {
    /// Prints nothing; the caller raises the error.
    #[default]
    Raise,
    /// Calls the warning hook (or prints to standard error); the program may continue.
    Warn,
    /// Prints nothing; the program may continue.
    Return,
}

/// A failed operation on one path: nothing was read, or the write is incomplete.
#[derive(Debug)]
pub struct Error {
    pub(crate) operation: Operation,
    pub(crate) step: Step,
    pub(crate) path: PathBuf,
    pub(crate) kind: ErrorKind,
    pub(crate) source: Cause,
    pub(crate) mode: ErrorMode,
}

/// Results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

pub(crate) type Cause = Box<dyn StdError + Send + Sync>;

impl Error {
    /// The requested operation.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The step that failed.
    pub fn step(&self) -> Step {
        self.step
    }

    /// As given by the caller; for handles, their name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The kind of failure.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// From the options in force.
    pub fn mode(&self) -> ErrorMode {
        self.mode
    }

    /// The operating system's error, if any.
    pub fn io_error(&self) -> Option<&io::Error> {
        self.source.downcast_ref()
    }
}

impl fmt::Display for Error {
    /// `cannot write /dev/full: No space left on device (os error 28)`, or `cannot edit a.txt:
    /// rename: ...` if the step adds information.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "cannot {} {}: ", self.operation, self.path.display())?;
        if self.step.says_more_than(self.operation) {
            write!(out, "{}: ", self.step)?;
        }
        write!(out, "{}", self.source)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&*self.source)
    }
}

impl From<Error> for io::Error {
    /// Keeps the system's kind.
    fn from(error: Error) -> Self {
        let kind = error.io_error().map_or(io::ErrorKind::Other, io::Error::kind);
        Self::new(kind, error)
    }
}

/// The requested operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// Reading a file or handle.
    Read,
    /// Reading a directory.
    ReadDir,
    /// Writing a file or to a handle.
    Write,
    /// Appending.
    Append,
    /// Prepending.
    Prepend,
    /// Editing the whole text.
    Edit,
    /// Editing line by line.
    EditLines,
}

impl fmt::Display for Operation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Read => "read",
            Self::ReadDir => "read directory",
            Self::Write => "write",
            Self::Append => "append to",
            Self::Prepend => "prepend to",
            Self::Edit => "edit",
            Self::EditLines => "edit lines of",
        })
    }
}

/// The part of an operation that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Step {
    /// Resolving symbolic links, and reading the file's metadata.
    Resolve,
    /// Opening, with or without creating.
    Open,
    /// Taking the lock.
    Lock,
    /// Reading.
    Read,
    /// Decoding bytes to text.
    Decode,
    /// Encoding text to bytes.
    Encode,
    /// Creating the temporary file of an atomic write.
    CreateTemporary,
    /// Writing or flushing.
    Write,
    /// Truncating a longer file to the new length.
    Truncate,
    /// Giving a new file the permissions that were asked for.
    SetPermissions,
    /// Copying the old file's owner and group.
    KeepOwner,
    /// Copying the old file's permissions.
    KeepPermissions,
    /// Copying the old file's extended attributes and access lists.
    KeepAttributes,
    /// Syncing the file or its directory.
    Sync,
    /// Closing a written file; network file systems report lost writes here.
    Close,
    /// Renaming the new file to the old one.
    Rename,
}

impl Step {
    /// False for the obvious step of an operation.
    fn says_more_than(self, operation: Operation) -> bool {
        !matches!(
            (self, operation),
            (Self::Open | Self::Resolve, _)
                | (Self::Read, Operation::Read | Operation::ReadDir)
                | (Self::Write, Operation::Write | Operation::Append)
        )
    }
}

impl fmt::Display for Step {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Resolve => "resolve",
            Self::Open => "open",
            Self::Lock => "lock",
            Self::Read => "read",
            Self::Decode => "decode",
            Self::Encode => "encode",
            Self::CreateTemporary => "create temporary file",
            Self::Write => "write",
            Self::Truncate => "truncate",
            Self::SetPermissions => "set permissions",
            Self::KeepOwner => "keep owner",
            Self::KeepPermissions => "keep permissions",
            Self::KeepAttributes => "keep extended attributes",
            Self::Sync => "sync",
            Self::Close => "close",
            Self::Rename => "rename",
        })
    }
}

/// The kind of failure, with an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// `read("nowhere")`.
    NotFound,
    /// `read` of a file with mode 000, not as root.
    PermissionDenied,
    /// `Spew::new().no_clobber().write` on a file that exists.
    AlreadyExists,
    /// `read("/etc")`.
    IsADirectory,
    /// `read_dir("/etc/passwd")`.
    NotADirectory,
    /// An atomic write to a device, FIFO or pipe.
    NotARegularFile,
    /// A full device or an exhausted quota.
    NoSpace,
    /// A read-only file system.
    ReadOnly,
    /// A cycle of symbolic links.
    LinkLoop,
    /// Over [`Slurp::limit`](crate::Slurp::limit).
    TooLarge,
    /// The file is larger than the available memory.
    OutOfMemory,
    /// [`Slurp::lock_timeout`](crate::Slurp::lock_timeout) passed without the lock.
    LockTimeout,
    /// Text not in the given encoding, under the strict policy.
    Undecodable,
    /// Text that the encoding cannot represent, under the strict policy.
    Unencodable,
    /// The reading end of a pipe is closed.
    BrokenPipe,
    /// Anything else: see [`Error::io_error`].
    Other,
}

/// A failed step, without operation and path.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) step: Step,
    pub(crate) kind: ErrorKind,
    pub(crate) source: Cause,
}

impl Failure {
    pub(crate) fn new(step: Step, kind: ErrorKind, source: impl Into<Cause>) -> Self {
        Self { step, kind, source: source.into() }
    }

    pub(crate) fn io(step: Step, source: io::Error) -> Self {
        Self { step, kind: kind_of(&source), source: source.into() }
    }
}

pub(crate) fn during<E: Into<io::Error>>(step: Step) -> impl Fn(E) -> Failure {
    move |source| Failure::io(step, source.into())
}

fn kind_of(error: &io::Error) -> ErrorKind {
    // ELOOP has no stable `io::ErrorKind`.
    if error.raw_os_error() == Some(riverhawk_system::io::Errno::LOOP.raw_os_error()) {
        return ErrorKind::LinkLoop;
    }
    match error.kind() {
        io::ErrorKind::NotFound => ErrorKind::NotFound,
        io::ErrorKind::PermissionDenied => ErrorKind::PermissionDenied,
        io::ErrorKind::AlreadyExists => ErrorKind::AlreadyExists,
        io::ErrorKind::IsADirectory => ErrorKind::IsADirectory,
        io::ErrorKind::NotADirectory => ErrorKind::NotADirectory,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorKind::NoSpace,
        io::ErrorKind::ReadOnlyFilesystem => ErrorKind::ReadOnly,
        io::ErrorKind::OutOfMemory => ErrorKind::OutOfMemory,
        io::ErrorKind::BrokenPipe => ErrorKind::BrokenPipe,
        _ => ErrorKind::Other,
    }
}
