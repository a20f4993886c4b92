//! Errors: C's numbers. The standard library has no words for numbers here, so that an error keeps
//! this type inside of its own.

use crate::c_errors::{self, CError};
use std::io;

/// An error that a system would give.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Errno(i32);

macro_rules! errors {
    ($($name:ident)*) => {
        impl Errno {
            $(#[doc = concat!("C's `E", stringify!($name), "`.")]
            pub const $name: Errno = Errno(c_errors::$name.number);)*
        }

        const KNOWN: &[CError] = &[$(c_errors::$name,)*];
    };
}

errors! {
    PERM NOENT INTR IO NXIO BADF CHILD AGAIN NOMEM ACCESS EXIST NOTDIR ISDIR INVAL NFILE MFILE NOSPC SPIPE
    ROFS PIPE RANGE NOSYS NOTEMPTY LOOP OVERFLOW ILSEQ NOTSUP CONNABORTED NOTCONN TIMEDOUT
}

impl Errno {
    /// As [`AGAIN`](Errno::AGAIN).
    pub const WOULDBLOCK: Errno = Errno::AGAIN;

    /// That of C's number.
    pub fn from_raw_os_error(number: i32) -> Errno {
        Errno(number)
    }

    /// That of an error that one of these calls has given.
    pub fn from_io_error(error: &io::Error) -> Option<Errno> {
        error.get_ref()?.downcast_ref().copied()
    }

    /// C's number.
    pub fn raw_os_error(self) -> i32 {
        self.0
    }

    fn kind(self) -> io::ErrorKind {
        match self {
            Errno::NOENT => io::ErrorKind::NotFound,
            Errno::PERM | Errno::ACCESS => io::ErrorKind::PermissionDenied,
            Errno::INTR => io::ErrorKind::Interrupted,
            Errno::AGAIN => io::ErrorKind::WouldBlock,
            Errno::NOMEM => io::ErrorKind::OutOfMemory,
            Errno::EXIST => io::ErrorKind::AlreadyExists,
            Errno::NOTDIR => io::ErrorKind::NotADirectory,
            Errno::ISDIR => io::ErrorKind::IsADirectory,
            Errno::INVAL => io::ErrorKind::InvalidInput,
            Errno::NOSPC => io::ErrorKind::StorageFull,
            Errno::SPIPE => io::ErrorKind::NotSeekable,
            Errno::PIPE => io::ErrorKind::BrokenPipe,
            Errno::TIMEDOUT => io::ErrorKind::TimedOut,
            Errno::NOTSUP | Errno::NOSYS => io::ErrorKind::Unsupported,
            _ => io::ErrorKind::Other,
        }
    }

    fn words(self) -> Option<&'static str> {
        KNOWN.iter().find(|known| known.number == self.0).map(|known| known.words)
    }
}

impl From<Errno> for io::Error {
    fn from(error: Errno) -> io::Error {
        io::Error::new(error.kind(), error)
    }
}

impl std::fmt::Display for Errno {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.words() {
            Some(words) => f.write_str(words),
            None => write!(f, "error {}", self.0),
        }
    }
}

/// C's words for what C knows.
pub fn words(error: &io::Error) -> String {
    error.to_string()
}

/// C's number, or 0.
pub fn number(error: &io::Error) -> i32 {
    Errno::from_io_error(error).map_or(0, Errno::raw_os_error)
}
