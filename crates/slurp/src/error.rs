//! One typed error that names the path.

use std::error::Error as StdError;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// How an error is treated: an option of every function.
///
/// The error is returned in all modes; the mode says who is told, and whether
/// [`Settle::settle`](crate::Settle::settle) lets the program go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ErrorMode {
    /// The error is the caller's to raise. Nothing is printed.
    #[default]
    Raise,
    /// The warning hook (or standard error) is told, and the program may go on.
    Warn,
    /// The program may go on, and nothing is printed.
    Return,
}

/// A failed operation on one path.
///
/// Nothing was read, or what was to be written is not (wholly) there.
#[derive(Debug)]
pub struct Error {
    pub(crate) operation: Operation,
    pub(crate) step: Step,
    pub(crate) path: PathBuf,
    pub(crate) kind: ErrorKind,
    pub(crate) source: Cause,
    pub(crate) mode: ErrorMode,
}

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

pub(crate) type Cause = Box<dyn StdError + Send + Sync>;

impl Error {
    /// The operation that was asked for.
    pub fn operation(&self) -> Operation {
        self.operation
    }

    /// The step of the operation that failed.
    pub fn step(&self) -> Step {
        self.step
    }

    /// As the caller gave it; for handles, their name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The kind of failure.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// How the options that were in force want the error treated.
    pub fn mode(&self) -> ErrorMode {
        self.mode
    }

    /// The error of the operating system, where one lies below.
    pub fn io_error(&self) -> Option<&io::Error> {
        self.source.downcast_ref()
    }
}

impl fmt::Display for Error {
    /// `cannot write /dev/full: No space left on device (os error 28)`, or `cannot edit a.txt:
    /// rename: ...` where the step matters.
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

/// What the caller asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// Reading a whole file or handle.
    Read,
    /// Reading a directory.
    ReadDir,
    /// Writing a whole file or to a handle.
    Write,
    /// Adding at the end.
    Append,
    /// Adding at the beginning.
    Prepend,
    /// Changing the text as one piece.
    Edit,
    /// Changing the text line by line.
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
    /// Finding the file behind symbolic links, and what is known of it.
    Resolve,
    /// Opening, with or without creating.
    Open,
    /// Taking the advisory lock.
    Lock,
    /// Reading.
    Read,
    /// Bytes to text.
    Decode,
    /// Text to bytes.
    Encode,
    /// Creating the temporary file of an atomic write.
    CreateTemporary,
    /// Writing, or flushing what was written.
    Write,
    /// Cutting off what a longer file had behind the new content.
    Truncate,
    /// Giving the new file the owner and group of the old one.
    KeepOwner,
    /// Giving the new file the permissions of the old one.
    KeepPermissions,
    /// Giving the new file the extended attributes and access lists of the old one.
    KeepAttributes,
    /// Bringing the file, or its directory, to the disk.
    Sync,
    /// Closing a file that was written; network file systems report lost writes here.
    Close,
    /// Putting the new file in the place of the old one.
    Rename,
}

impl Step {
    /// Steps that are part of every operation, or of this one: not worth a word.
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
            Self::KeepOwner => "keep owner",
            Self::KeepPermissions => "keep permissions",
            Self::KeepAttributes => "keep extended attributes",
            Self::Sync => "sync",
            Self::Close => "close",
            Self::Rename => "rename",
        })
    }
}

/// The kind of failure, each with what triggers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// `read("nowhere")`.
    NotFound,
    /// `read` of a file with mode 000 by somebody who is not root.
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
    /// Symbolic links in a circle.
    LinkLoop,
    /// [`Slurp::limit`](crate::Slurp::limit) was passed.
    TooLarge,
    /// The file is larger than the memory that can be had.
    OutOfMemory,
    /// [`Slurp::lock_timeout`](crate::Slurp::lock_timeout) passed without the lock.
    LockTimeout,
    /// Text in another encoding than was said, under the strict policy.
    Undecodable,
    /// Text that the encoding asked for cannot express, under the strict policy.
    Unencodable,
    /// The reading end of a pipe is closed.
    BrokenPipe,
    /// Anything else: see [`Error::io_error`].
    Other,
}

/// A failed step; operation and path are added where the operation ends.
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

/// For `map_err`.
pub(crate) fn during<E: Into<io::Error>>(step: Step) -> impl Fn(E) -> Failure {
    move |source| Failure::io(step, source.into())
}

fn kind_of(error: &io::Error) -> ErrorKind {
    // ELOOP has no stable `io::ErrorKind`.
    if error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error()) {
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
