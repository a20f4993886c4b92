//! What the names in a program mean, where an embedder decides: files, commands, connections.
//!
//! Without a [`FileSystem`] names are the operating system's.

mod memory;
mod operands;
mod rooted;

pub use memory::MemoryFiles;
pub(crate) use operands::FromBeginning;
pub use operands::{OperandFile, OperandFiles, ReadAt};
pub use rooted::RootedFiles;

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};

/// The world that a program's names lead to.
///
/// A run asks from its own thread; several runs may ask at the same time. `-`, `/dev/stdin`,
/// `/dev/stdout` and `/dev/stderr` are the run's own streams and never asked for. An error becomes
/// what a file that cannot be opened is in awk: -1 from `getline`, the end of the run from `print`.
///
/// Only [`FileSystem::open`] has to be written; the rest refuses.
///
/// ```
/// use riverhawk_awkio::filesystem::{FileSystem, InputStream};
/// use std::io;
///
/// struct Rules;
///
/// impl FileSystem for Rules {
///     fn open(&self, name: &[u8]) -> io::Result<InputStream> {
///         match name {
///             b"rules.txt" => Ok(InputStream::from(b"allow tea\n".to_vec())),
///             _ => Err(io::ErrorKind::NotFound.into()),
///         }
///     }
/// }
/// assert!(Rules.open(b"rules.txt").is_ok() && Rules.open(b"/etc/passwd").is_err());
/// ```
pub trait FileSystem: Send + Sync {
    /// Opens a file to read: an operand, `getline < name`, `file::slurp`.
    ///
    /// # Errors
    /// There is no file of that name, or it may not be read.
    fn open(&self, name: &[u8]) -> io::Result<InputStream>;

    /// Opens a file to write: `print > name`, `print >> name`, `file::spew`.
    ///
    /// # Errors
    /// It may not be written.
    fn create(&self, name: &[u8], mode: WriteMode) -> io::Result<OutputStream> {
        let (_, _) = (name, mode);
        Err(refused("files cannot be written here"))
    }

    /// Starts a command: `system`, `print | command`, `command | getline`, coprocesses.
    ///
    /// # Errors
    /// It cannot be started.
    fn start(&self, command: &[u8], pipes: Pipes) -> io::Result<Started> {
        let (_, _) = (command, pipes);
        Err(refused("commands cannot be started here"))
    }

    /// Makes a connection, `/inet/tcp/0/host/port` and the like.
    ///
    /// # Errors
    /// It cannot be made.
    fn connect(&self, name: &[u8]) -> io::Result<Started> {
        let _ = name;
        Err(refused("connections cannot be made here"))
    }
}

impl fmt::Debug for dyn FileSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FileSystem")
    }
}

fn refused(message: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, message)
}

/// What a file holds when it is opened to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteMode {
    /// Nothing: `>`.
    Truncate,
    /// What it held: `>>`.
    Append,
}

/// Which ends of a command the run holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pipes {
    /// None: `system`. What the command returns as its output goes to the run's standard output.
    None,
    /// Its input: `print | command`.
    Input,
    /// Its output: `command | getline`.
    Output,
    /// Both: `|&`.
    Both,
}

/// A file opened to read.
pub enum InputStream {
    /// The system's: read without a copy, and waited for as the run's other files are.
    File(File),
    /// Any reader. It is asked for up to 64 KiB at a time; a read of 0 bytes is the end.
    Reader(Box<dyn Read + Send>),
}

impl InputStream {
    /// Reads from any reader.
    pub fn new(reader: impl Read + Send + 'static) -> InputStream {
        InputStream::Reader(Box::new(reader))
    }
}

impl From<File> for InputStream {
    fn from(file: File) -> InputStream {
        InputStream::File(file)
    }
}

impl From<Vec<u8>> for InputStream {
    fn from(text: Vec<u8>) -> InputStream {
        InputStream::new(io::Cursor::new(text))
    }
}

/// A file opened to write.
pub enum OutputStream {
    /// The system's.
    File(File),
    /// Any writer. It gets blocks of up to 64 KiB, and is flushed by `fflush` and `close`.
    Writer(Box<dyn Write + Send>),
}

impl OutputStream {
    /// Writes to any writer.
    pub fn new(writer: impl Write + Send + 'static) -> OutputStream {
        OutputStream::Writer(Box::new(writer))
    }
}

impl From<File> for OutputStream {
    fn from(file: File) -> OutputStream {
        OutputStream::File(file)
    }
}

/// A command that has been started, or a connection that has been made.
#[derive(Default)]
pub struct Started {
    /// What the run writes to it. Dropped at its end.
    pub input: Option<Box<dyn Write + Send>>,
    /// What the run reads from it.
    pub output: Option<Box<dyn Read + Send>>,
    /// Waits for its end; what `close` and `system` return. 0 at once if `None`.
    pub wait: Option<Box<dyn FnOnce() -> io::Result<i32> + Send>>,
}

impl fmt::Debug for Started {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Started").finish_non_exhaustive()
    }
}
