//! Errors: Windows's numbers, under the names that C has for them.

use crate::c_errors::{self, CError};
use std::io;
use windows_sys::Win32::Foundation as win;

/// An error of the system. What Windows has several numbers for has one here.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Errno(i32);

macro_rules! errors {
    ($($name:ident = $windows:expr, $also:expr;)*) => {
        impl Errno {
            $(#[doc = concat!("C's `E", stringify!($name), "`.")] pub const $name: Errno = Errno($windows as i32);)*
        }

        /// Windows's number, others that mean the same, and the error in C.
        const KNOWN: &[(Errno, &[u32], CError)] = &[$((Errno::$name, &$also, c_errors::$name),)*];
    };
}

errors! {
    NOENT = win::ERROR_FILE_NOT_FOUND, [win::ERROR_PATH_NOT_FOUND, win::ERROR_INVALID_DRIVE, win::ERROR_BAD_NETPATH, win::ERROR_BAD_NET_NAME];
    PERM = win::ERROR_PRIVILEGE_NOT_HELD, [];
    INTR = 10004, [];
    IO = win::ERROR_IO_DEVICE, [];
    NXIO = win::ERROR_NO_SUCH_DEVICE, [];
    BADF = win::ERROR_INVALID_HANDLE, [];
    CHILD = win::ERROR_WAIT_NO_CHILDREN, [];
    AGAIN = 10035, [];
    NOMEM = win::ERROR_NOT_ENOUGH_MEMORY, [win::ERROR_OUTOFMEMORY];
    ACCESS = win::ERROR_ACCESS_DENIED, [];
    EXIST = win::ERROR_FILE_EXISTS, [win::ERROR_ALREADY_EXISTS];
    NOTDIR = win::ERROR_DIRECTORY, [];
    ISDIR = win::ERROR_DIRECTORY_NOT_SUPPORTED, [];
    INVAL = win::ERROR_INVALID_PARAMETER, [win::ERROR_NOT_A_REPARSE_POINT];
    NFILE = win::ERROR_SHARING_BUFFER_EXCEEDED, [];
    MFILE = win::ERROR_TOO_MANY_OPEN_FILES, [];
    NOSPC = win::ERROR_DISK_FULL, [win::ERROR_HANDLE_DISK_FULL];
    SPIPE = win::ERROR_SEEK_ON_DEVICE, [];
    ROFS = win::ERROR_WRITE_PROTECT, [];
    PIPE = win::ERROR_BROKEN_PIPE, [win::ERROR_NO_DATA, win::ERROR_PIPE_NOT_CONNECTED];
    RANGE = win::ERROR_INSUFFICIENT_BUFFER, [];
    NOSYS = win::ERROR_CALL_NOT_IMPLEMENTED, [];
    NOTEMPTY = win::ERROR_DIR_NOT_EMPTY, [];
    LOOP = win::ERROR_CANT_RESOLVE_FILENAME, [];
    OVERFLOW = win::ERROR_ARITHMETIC_OVERFLOW, [];
    ILSEQ = win::ERROR_NO_UNICODE_TRANSLATION, [];
    NOTSUP = win::ERROR_NOT_SUPPORTED, [];
    CONNABORTED = 10053, [];
    NOTCONN = 10057, [];
    TIMEDOUT = 10060, [];
}

impl Errno {
    /// As [`AGAIN`](Errno::AGAIN).
    pub const WOULDBLOCK: Errno = Errno::AGAIN;

    /// The offset is behind the file's end.
    pub(super) const END: Errno = Errno(win::ERROR_HANDLE_EOF as i32);

    /// That of a number of Windows.
    pub fn from_raw_os_error(number: i32) -> Errno {
        let same = |known: &&(Errno, &[u32], CError)| known.1.contains(&number.cast_unsigned());
        KNOWN.iter().find(same).map_or(Errno(number), |known| known.0)
    }

    /// That of an error that the system has given.
    pub fn from_io_error(error: &io::Error) -> Option<Errno> {
        error.raw_os_error().map(Errno::from_raw_os_error)
    }

    /// Windows's number.
    pub fn raw_os_error(self) -> i32 {
        self.0
    }

    /// That of this thread's last failed call.
    pub(crate) fn last() -> Errno {
        Errno::from_raw_os_error(io::Error::last_os_error().raw_os_error().unwrap_or(0))
    }
}

impl From<Errno> for io::Error {
    fn from(error: Errno) -> io::Error {
        io::Error::from_raw_os_error(error.0)
    }
}

impl std::fmt::Display for Errno {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&words(&(*self).into()))
    }
}

/// C's words for what C knows, Windows's for all else, which are those of the user's language.
pub fn words(error: &io::Error) -> String {
    let known = Errno::from_io_error(error).and_then(known);
    match (known, error.raw_os_error()) {
        (Some(known), _) => known.words.into(),
        (None, Some(0)) => "Success".into(),
        (None, _) => {
            let mut text = error.to_string();
            text.truncate(text.rfind(" (os error ").unwrap_or(text.len()));
            text
        }
    }
}

/// C's number for what C knows, otherwise Windows's, or 0.
pub fn number(error: &io::Error) -> i32 {
    let windows = error.raw_os_error().unwrap_or(0);
    Errno::from_io_error(error).and_then(known).map_or(windows, |known| known.number)
}

fn known(error: Errno) -> Option<CError> {
    KNOWN.iter().find(|known| known.0 == error).map(|known| known.2)
}
