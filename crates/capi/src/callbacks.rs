//! Readers, writers and files of the caller.
//!
//! A callback that panics (in Rust) gives an error as one that fails does.

use crate::border::rh_text;
use crate::error::rh_diagnostic;
use riverhawk::Diagnostic;
use riverhawk::filesystem::{FileSystem, InputStream, OutputStream, WriteMode};
use std::ffi::c_void;
use std::io::{self, Read, Write};
use std::ptr;

/// "Input/output error" on every Unix, for codes that are none.
const EIO: i32 = 5;

/// Where a run reads from. It is used by one thread at a time, not always the same.
#[repr(C)]
pub struct rh_reader {
    /// Passed to the functions.
    pub context: *mut c_void,
    /// Writes at most `capacity` bytes to `bytes` and returns how many; 0 is the end, and a negative
    /// number an error: -errno.
    pub read: Option<
        unsafe extern "C-unwind" fn(context: *mut c_void, bytes: *mut u8, capacity: usize) -> isize,
    >,
    /// Called once when the reader is no longer needed, also if the function that it was given to
    /// failed. May be null.
    pub drop: Option<unsafe extern "C-unwind" fn(context: *mut c_void)>,
}

/// Where a run writes to. It is used by one thread at a time, not always the same.
#[repr(C)]
pub struct rh_writer {
    /// Passed to the functions.
    pub context: *mut c_void,
    /// Takes all `length` bytes, which it must not change or keep. Returns 0, or errno.
    pub write: Option<
        unsafe extern "C-unwind" fn(context: *mut c_void, bytes: *const u8, length: usize) -> i32,
    >,
    /// Passes on what the writer has kept, at `fflush` and `close`. Returns 0, or errno. May be null.
    pub flush: Option<unsafe extern "C-unwind" fn(context: *mut c_void) -> i32>,
    /// Called once when the writer is no longer needed, also if the function that it was given to
    /// failed. May be null.
    pub drop: Option<unsafe extern "C-unwind" fn(context: *mut c_void)>,
}

/// What the names of files in a program mean. Commands and connections are refused.
///
/// The functions are called by the thread that runs the program. `-`, `/dev/stdin`, `/dev/stdout` and
/// `/dev/stderr` are the run's own and never asked for.
#[repr(C)]
pub struct rh_files {
    /// Passed to the functions.
    pub context: *mut c_void,
    /// Opens a file to read by filling in `reader`, which is all zero before. Returns 0, or errno.
    pub open: Option<
        unsafe extern "C-unwind" fn(
            context: *mut c_void,
            name: rh_text<'_>,
            reader: *mut rh_reader,
        ) -> i32,
    >,
    /// Opens a file to write, at its end if `append` is not 0 and emptied otherwise, by filling in
    /// `writer`, which is all zero before. Returns 0, or errno. May be null: nothing can be written.
    pub create: Option<
        unsafe extern "C-unwind" fn(
            context: *mut c_void,
            name: rh_text<'_>,
            append: i32,
            writer: *mut rh_writer,
        ) -> i32,
    >,
    /// Called once when the files are no longer needed, also if the function that they were given to
    /// failed. May be null.
    pub drop: Option<unsafe extern "C-unwind" fn(context: *mut c_void)>,
}

/// Who is told how far a run has read. The thread that runs the program calls it.
#[repr(C)]
pub struct rh_progress {
    /// Passed to the functions.
    pub context: *mut c_void,
    /// So many bytes, after decompression, and records have been read.
    pub report: Option<unsafe extern "C-unwind" fn(context: *mut c_void, bytes: u64, records: u64)>,
    /// Called once when it is no longer needed, also if the function that it was given to failed. May
    /// be null.
    pub drop: Option<unsafe extern "C-unwind" fn(context: *mut c_void)>,
}

/// Who gets a run's warnings. The thread that runs the program calls it.
#[repr(C)]
pub struct rh_warnings {
    /// Passed to the functions.
    pub context: *mut c_void,
    /// A warning, which is valid during the call, with the file and the number of the record that the
    /// run was working on: an empty name for the standard input, 0 before the first record.
    pub report: Option<
        unsafe extern "C-unwind" fn(
            context: *mut c_void,
            warning: rh_diagnostic<'_>,
            file: rh_text<'_>,
            record: u64,
        ),
    >,
    /// Called once when it is no longer needed, also if the function that it was given to failed. May
    /// be null.
    pub drop: Option<unsafe extern "C-unwind" fn(context: *mut c_void)>,
}

/// A caller's pointer, with the function that frees what it points to.
pub(crate) struct Owned {
    pub context: *mut c_void,
    pub drop: Option<unsafe extern "C-unwind" fn(*mut c_void)>,
}

// SAFETY: the header says that callbacks are called by more than one thread over time.
unsafe impl Send for Owned {}

// SAFETY: files and functions share it, and the header says which threads call them.
unsafe impl Sync for Owned {}

impl Drop for Owned {
    fn drop(&mut self) {
        if let Some(drop) = self.drop {
            // SAFETY: the header asks for a function that takes this pointer, and this is the one call.
            unsafe { drop(self.context) };
        }
    }
}

/// `code` as a callback returned it.
fn checked(code: i32) -> io::Result<()> {
    if code == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(code)) }
}

fn missing() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "the callback is missing")
}

/// A reader of the caller.
pub(crate) struct ForeignReader {
    owned: Owned,
    read: Option<unsafe extern "C-unwind" fn(*mut c_void, *mut u8, usize) -> isize>,
}

impl From<rh_reader> for ForeignReader {
    fn from(reader: rh_reader) -> ForeignReader {
        let owned = Owned { context: reader.context, drop: reader.drop };
        ForeignReader { owned, read: reader.read }
    }
}

impl Read for ForeignReader {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let read = self.read.ok_or_else(missing)?;
        // SAFETY: the block is as long as the function is told, and the pointer is the one that was
        // given with it.
        let count = unsafe { read(self.owned.context, block.as_mut_ptr(), block.len()) };
        match usize::try_from(count) {
            Ok(count) if count <= block.len() => Ok(count),
            Ok(_) => {
                Err(io::Error::other("the callback says that it read more than there is room for"))
            }
            Err(_) => Err(io::Error::from_raw_os_error(
                count.checked_neg().and_then(|code| i32::try_from(code).ok()).unwrap_or(EIO),
            )),
        }
    }
}

/// A writer of the caller.
pub(crate) struct ForeignWriter {
    owned: Owned,
    write: Option<unsafe extern "C-unwind" fn(*mut c_void, *const u8, usize) -> i32>,
    flush: Option<unsafe extern "C-unwind" fn(*mut c_void) -> i32>,
}

impl From<rh_writer> for ForeignWriter {
    fn from(writer: rh_writer) -> ForeignWriter {
        let owned = Owned { context: writer.context, drop: writer.drop };
        ForeignWriter { owned, write: writer.write, flush: writer.flush }
    }
}

impl Write for ForeignWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let write = self.write.ok_or_else(missing)?;
        // SAFETY: the bytes are as many as the function is told, and the pointer is the one that was
        // given with it.
        checked(unsafe { write(self.owned.context, bytes.as_ptr(), bytes.len()) })?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.flush {
            // SAFETY: the pointer is the one that was given with the function.
            Some(flush) => checked(unsafe { flush(self.owned.context) }),
            None => Ok(()),
        }
    }
}

/// Files of the caller.
pub(crate) struct ForeignFiles {
    owned: Owned,
    open: Option<unsafe extern "C-unwind" fn(*mut c_void, rh_text<'_>, *mut rh_reader) -> i32>,
    create:
        Option<unsafe extern "C-unwind" fn(*mut c_void, rh_text<'_>, i32, *mut rh_writer) -> i32>,
}

impl From<rh_files> for ForeignFiles {
    fn from(files: rh_files) -> ForeignFiles {
        let owned = Owned { context: files.context, drop: files.drop };
        ForeignFiles { owned, open: files.open, create: files.create }
    }
}

impl FileSystem for ForeignFiles {
    fn open(&self, name: &[u8]) -> io::Result<InputStream> {
        let open = self.open.ok_or_else(missing)?;
        let mut reader = rh_reader { context: ptr::null_mut(), read: None, drop: None };
        // SAFETY: the name and the reader live through the call, and the pointer is the one that was
        // given with the function.
        checked(unsafe { open(self.owned.context, rh_text::new(name), &raw mut reader) })?;
        Ok(InputStream::new(ForeignReader::from(reader)))
    }

    fn create(&self, name: &[u8], mode: WriteMode) -> io::Result<OutputStream> {
        let refused = "files cannot be written here";
        let refused = || io::Error::new(io::ErrorKind::PermissionDenied, refused);
        let create = self.create.ok_or_else(refused)?;
        let append = i32::from(mode == WriteMode::Append);
        let mut writer =
            rh_writer { context: ptr::null_mut(), write: None, flush: None, drop: None };
        // SAFETY: as in `open`.
        checked(unsafe {
            create(self.owned.context, rh_text::new(name), append, &raw mut writer)
        })?;
        Ok(OutputStream::new(ForeignWriter::from(writer)))
    }
}

/// The caller's `rh_progress`.
pub(crate) struct ForeignProgress {
    owned: Owned,
    report: Option<unsafe extern "C-unwind" fn(*mut c_void, u64, u64)>,
}

impl From<rh_progress> for ForeignProgress {
    fn from(progress: rh_progress) -> ForeignProgress {
        let owned = Owned { context: progress.context, drop: progress.drop };
        ForeignProgress { owned, report: progress.report }
    }
}

impl ForeignProgress {
    pub(crate) fn call(&self, bytes: u64, records: u64) {
        if let Some(report) = self.report {
            // SAFETY: the header asks for a function that takes this pointer and two numbers.
            unsafe { report(self.owned.context, bytes, records) };
        }
    }
}

/// The caller's `rh_warnings`.
pub(crate) struct ForeignWarnings {
    owned: Owned,
    report: Option<unsafe extern "C-unwind" fn(*mut c_void, rh_diagnostic<'_>, rh_text<'_>, u64)>,
}

impl From<rh_warnings> for ForeignWarnings {
    fn from(warnings: rh_warnings) -> ForeignWarnings {
        let owned = Owned { context: warnings.context, drop: warnings.drop };
        ForeignWarnings { owned, report: warnings.report }
    }
}

impl ForeignWarnings {
    pub(crate) fn call(&self, warning: &Diagnostic) {
        let Some(report) = self.report else { return };
        let found = rh_diagnostic::new(&warning.message, warning.location.as_ref());
        let input = warning.input.as_ref();
        let file = input.map_or(rh_text::EMPTY, |input| rh_text::new(&input.file));
        let record = input.map_or(0, |input| input.record);
        // SAFETY: the header asks for a function that takes these.
        unsafe { report(self.owned.context, found, file, record) };
    }
}
