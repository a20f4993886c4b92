//! `file::`: whole files, written and read by the crate `slurp`, and directories.
//!
//! A path is what the system takes for one: `-` and `/dev/stdin` mean nothing of their own here.

use super::Failure;
use crate::runtime::Runtime;
use riverhawk_compress::Codec;
use riverhawk_slurp::{ReadDir, Slurp, Spew};
use riverhawk_value::{ArrayRef, HeapStr, Value};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

impl From<riverhawk_slurp::Error> for Failure {
    /// The system's words where they are the system's, as in gawk: the program knows which file it named.
    fn from(error: riverhawk_slurp::Error) -> Failure {
        match error.io_error() {
            Some(error) => Failure(crate::io::Reason(error).to_string()),
            None => Failure(std::error::Error::source(&error).unwrap_or(&error).to_string()),
        }
    }
}

/// A buffer of more bytes is not kept for the next file: reading is faster into memory that is there (8.8 us against
/// 11.1 at 121 KB), but one large file must not hold its size twice for the rest of the run.
const KEPT_BUFFER: usize = 2 << 20;

/// The path that bytes are.
pub(super) fn path(name: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(name))
}

impl Runtime {
    /// `file::slurp(path)`: a string, not input text, because a whole file is rarely meant as a number.
    pub(super) fn file_slurp(&mut self, old: Option<HeapStr>, name: &Value) -> Value {
        let mut scratch = Vec::new();
        let mut text = std::mem::take(&mut self.assembly);
        let read = Slurp::new().read_into(path(self.bytes(name, &mut scratch)), &mut text);
        let read = read.map_err(Failure::from).and_then(|_| self.decompress(&mut text));
        let result = read.map(|()| Value::from_text_in(old, &text));
        if text.capacity() <= KEPT_BUFFER {
            self.assembly = text;
        }
        self.text_or_failure(result)
    }

    /// `file::lines(path, array)`: the lines without their newlines, as input text.
    pub(super) fn file_lines(&mut self, name: &Value, array: &ArrayRef) -> Value {
        let mut scratch = Vec::new();
        let path = path(self.bytes(name, &mut scratch));
        let mut text = Vec::new();
        let read = Slurp::new().read_into(path, &mut text).map_err(Failure::from);
        let read = read.and_then(|_| self.decompress(&mut text)).map(|()| Slurp::new().chomp(true).lines_of(text));
        let mut array = array.borrow_mut();
        // Whatever happens, nothing of what was in the array is left to be taken for lines of this file.
        array.clear();
        let count = read.map(|lines| {
            array.fill(lines.iter().map(Value::from_input));
            array.len()
        });
        self.count_or_failure(count)
    }

    /// Puts what a compressed text stands for in its place.
    fn decompress(&self, text: &mut Vec<u8>) -> Result<(), Failure> {
        let (Some(limit), Some(codec)) = (self.io.inputs.reading().decompress, Codec::of_content(text)) else {
            return Ok(());
        };
        *text = riverhawk_compress::decompress(codec, text, limit).map_err(|error| Failure(error.to_string()))?;
        Ok(())
    }

    /// `file::spew(path, text)`.
    pub(super) fn file_spew(&mut self, name: &Value, text: &Value) -> Value {
        self.write_file(name, text, |path, text| Spew::new().write(path, text))
    }

    /// `file::append(path, text)`.
    pub(super) fn file_append(&mut self, name: &Value, text: &Value) -> Value {
        self.write_file(name, text, |path, text| Spew::new().append(path, text))
    }

    /// `file::prepend(path, text)`: creates a file that is not there, as `file::append` does.
    pub(super) fn file_prepend(&mut self, name: &Value, text: &Value) -> Value {
        self.write_file(name, text, |path, text| Spew::new().create(true).prepend(path, text))
    }

    fn write_file(
        &mut self,
        name: &Value,
        text: &Value,
        write: impl FnOnce(&Path, &[u8]) -> riverhawk_slurp::Result<()>,
    ) -> Value {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let written = write(path(self.bytes(name, &mut first)), self.bytes(text, &mut second));
        self.count_or_failure(written.map(|()| 1).map_err(Failure::from))
    }

    /// `file::dir(path, array)`: the names without `.` and `..`, in the order of their bytes.
    pub(super) fn file_dir(&mut self, name: &Value, array: &ArrayRef) -> Value {
        let mut scratch = Vec::new();
        let read = ReadDir::new().sorted(true).read(path(self.bytes(name, &mut scratch)));
        let mut array = array.borrow_mut();
        array.clear();
        let count = read.map(|names| {
            array.fill(names.iter().map(|name| Value::from_input(name.as_os_str().as_bytes())));
            array.len()
        });
        self.count_or_failure(count.map_err(Failure::from))
    }
}
