//! Options for reading whole files.

use crate::error::{Failure, Operation, Result, Step};
use crate::file_lines::FileLines;
use crate::lines::Separator;
use crate::lock::{Lock, Locking};
use crate::open::open;
use crate::reading::{Bounds, Memory, read_file, read_reader};
use crate::reporting::{Reporting, reporting_options};
use crate::text_form::TextForm;
use riverhawk_system::fd::AsFd;
use riverhawk_system::fs::{Mode, OFlags};
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

/// How to read. By default: bytes, without lock or limit; lines end with newlines, which are
/// removed.
///
/// ```
/// use riverhawk_slurp::{Separator, Slurp};
/// use std::io::Cursor;
///
/// let fields = Slurp::new().separator("|").read_lines_from("memory", Cursor::new("a|b.c|"))?;
/// assert_eq!(fields.to_vec(), [&b"a"[..], b"b.c"]);
/// # Ok::<(), riverhawk_slurp::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Slurp {
    form: TextForm,
    bounds: Bounds,
    locking: Locking,
    separator: Separator,
    keep_separators: bool,
    reporting: Reporting,
}

impl Default for Slurp {
    fn default() -> Self {
        Self {
            form: TextForm::binary(),
            bounds: Bounds::default(),
            locking: Locking::default(),
            separator: Separator::NEWLINE,
            keep_separators: false,
            reporting: Reporting::default(),
        }
    }
}

impl Slurp {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether to decode bytes to UTF-8.
    #[must_use]
    pub fn form(mut self, form: TextForm) -> Self {
        self.form = form;
        self
    }

    /// Limits a system call to this size, instead of the whole file.
    #[must_use]
    pub fn block_size(mut self, bytes: NonZeroUsize) -> Self {
        self.bounds.block_size = Some(bytes);
        self
    }

    /// Refuses larger files (before decoding).
    #[must_use]
    pub fn limit(mut self, bytes: u64) -> Self {
        self.bounds.limit = Some(bytes);
        self
    }

    /// Stops when a file gives more than this and more than its size: an endless pipe or device.
    /// Checked when the buffer grows, so up to twice as much is read.
    #[must_use]
    pub fn stream_limit(mut self, bytes: u64) -> Self {
        self.bounds.stream_limit = Some(bytes);
        self
    }

    /// Locks the file while it is read. Handles are not locked.
    #[must_use]
    pub fn lock(mut self, lock: Lock) -> Self {
        self.locking.lock = lock;
        self
    }

    /// Limits the wait for the lock; zero tries once. By default there is no limit.
    #[must_use]
    pub fn lock_timeout(mut self, timeout: Duration) -> Self {
        self.locking.timeout = Some(timeout);
        self
    }

    /// What ends a line.
    #[must_use]
    pub fn separator(mut self, separator: impl Into<Separator>) -> Self {
        self.separator = separator.into();
        self
    }

    /// Keeps separators at the ends of lines.
    #[must_use]
    pub fn keep_separators(mut self) -> Self {
        self.keep_separators = true;
        self
    }

    reporting_options!();

    /// The content of the file at `path`: regular, FIFO, device, or of `/proc`.
    ///
    /// # Errors
    /// The file cannot be opened, locked, read or decoded, or is over the limit.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Vec<u8>> {
        let mut buffer = Vec::new();
        self.read_into(path, &mut buffer)?;
        Ok(buffer)
    }

    /// Replaces `buffer` by the file's content; gives its length. Fastest with a large enough
    /// buffer, since nothing is allocated. After an error the buffer is empty.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_into(&self, path: impl AsRef<Path>, buffer: &mut Vec<u8>) -> Result<usize> {
        let path = path.as_ref();
        self.fill(path, buffer, |buffer| {
            let file = open(path, OFlags::RDONLY, Mode::empty(), self.locking)?;
            read_file(file.as_fd(), buffer, self.bounds)
        })
    }

    /// Appends to other memory than `Vec<u8>`, without [`form`](Self::form); gives the number of
    /// bytes. After an error, some may have been appended.
    ///
    /// # Errors
    /// The file cannot be opened, locked or read, or is over the limit.
    pub fn read_onto(&self, path: impl AsRef<Path>, memory: &mut impl Memory) -> Result<usize> {
        let path = path.as_ref();
        let before = memory.len();
        let read = open(path, OFlags::RDONLY, Mode::empty(), self.locking)
            .and_then(|file| read_file(file.as_fd(), memory, self.bounds));
        match read {
            Ok(()) => Ok(memory.len() - before),
            Err(failure) => Err(self.reporting.report(Operation::Read, path, failure)),
        }
    }

    /// The rest of `reader`, called `name` in errors.
    ///
    /// # Errors
    /// The reader fails, or the text cannot be decoded or is over the limit.
    pub fn read_from(&self, name: impl AsRef<Path>, reader: impl io::Read) -> Result<Vec<u8>> {
        let mut buffer = Vec::new();
        self.fill(name.as_ref(), &mut buffer, |buffer| read_reader(reader, buffer, self.bounds))?;
        Ok(buffer)
    }

    /// The rest of an open descriptor, called `name` in errors.
    ///
    /// # Errors
    /// As [`read_from`](Self::read_from).
    pub fn read_fd(&self, name: impl AsRef<Path>, file: impl AsFd) -> Result<Vec<u8>> {
        let mut buffer = Vec::new();
        self.fill(name.as_ref(), &mut buffer, |buffer| {
            read_file(file.as_fd(), buffer, self.bounds)
        })?;
        Ok(buffer)
    }

    /// The lines of the file at `path`.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_lines(&self, path: impl AsRef<Path>) -> Result<FileLines> {
        self.read(path).map(|text| self.cut(text))
    }

    /// The lines of the rest of `reader`, called `name` in errors.
    ///
    /// # Errors
    /// As [`read_from`](Self::read_from).
    pub fn read_lines_from(
        &self,
        name: impl AsRef<Path>,
        reader: impl io::Read,
    ) -> Result<FileLines> {
        self.read_from(name, reader).map(|text| self.cut(text))
    }

    /// The lines of a text in memory, such as a decompressed file.
    pub fn lines_of(&self, text: Vec<u8>) -> FileLines {
        self.cut(text)
    }

    /// The file's content, decoded by [`form`](Self::form), or as UTF-8 if that is binary.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn read_string(&self, path: impl AsRef<Path>) -> Result<String> {
        let path = path.as_ref();
        let bytes = self.read(path)?;
        String::from_utf8(bytes).map_err(|error| {
            let failure =
                Failure::new(Step::Decode, crate::ErrorKind::Undecodable, error.utf8_error());
            self.reporting.report(Operation::Read, path, failure)
        })
    }

    fn cut(&self, text: Vec<u8>) -> FileLines {
        FileLines { text, separator: self.separator.clone(), keep_separators: self.keep_separators }
    }

    #[inline]
    fn fill(
        &self,
        path: &Path,
        buffer: &mut Vec<u8>,
        read: impl FnOnce(&mut Vec<u8>) -> Result<(), Failure>,
    ) -> Result<usize> {
        buffer.clear();
        match read(buffer).and_then(|()| self.form.decode(buffer)) {
            Ok(()) => Ok(buffer.len()),
            Err(failure) => {
                buffer.clear();
                Err(self.reporting.report(Operation::Read, path, failure))
            }
        }
    }
}
