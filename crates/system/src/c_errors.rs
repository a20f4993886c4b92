//! Errors as the C library of Linux has them, which scripts compare with.

/// An error of C.
#[derive(Clone, Copy)]
pub(crate) struct CError {
    pub(crate) number: i32,
    pub(crate) words: &'static str,
}

macro_rules! errors {
    ($($name:ident = $number:expr, $words:expr;)*) => {
        $(pub(crate) const $name: CError = CError { number: $number, words: $words };)*
    };
}

errors! {
    PERM = 1, "Operation not permitted";
    NOENT = 2, "No such file or directory";
    INTR = 4, "Interrupted system call";
    IO = 5, "Input/output error";
    NXIO = 6, "No such device or address";
    BADF = 9, "Bad file descriptor";
    CHILD = 10, "No child processes";
    AGAIN = 11, "Resource temporarily unavailable";
    NOMEM = 12, "Cannot allocate memory";
    ACCESS = 13, "Permission denied";
    EXIST = 17, "File exists";
    NOTDIR = 20, "Not a directory";
    ISDIR = 21, "Is a directory";
    INVAL = 22, "Invalid argument";
    NFILE = 23, "Too many open files in system";
    MFILE = 24, "Too many open files";
    NOSPC = 28, "No space left on device";
    SPIPE = 29, "Illegal seek";
    ROFS = 30, "Read-only file system";
    PIPE = 32, "Broken pipe";
    RANGE = 34, "Numerical result out of range";
    NOSYS = 38, "Function not implemented";
    NOTEMPTY = 39, "Directory not empty";
    LOOP = 40, "Too many levels of symbolic links";
    OVERFLOW = 75, "Value too large for defined data type";
    ILSEQ = 84, "Invalid or incomplete multibyte or wide character";
    NOTSUP = 95, "Operation not supported";
    CONNABORTED = 103, "Software caused connection abort";
    NOTCONN = 107, "Transport endpoint is not connected";
    TIMEDOUT = 110, "Connection timed out";
}
