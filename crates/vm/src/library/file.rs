//! `file::`: whole files, through the crate `slurp`, and directories.
//!
//! Paths are the system's: `-` and `/dev/stdin` have no special meaning.

use super::{Failure, embedded};
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::outside::Outside;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_awkio::filesystem::WriteMode;
use riverhawk_builtins::names::unknown_name;
use riverhawk_compress::Codec;
use riverhawk_slurp::{Durability, Lock, Memory, ReadDir, Slurp, Spew};
use riverhawk_system::fd::BorrowedFd;
use riverhawk_system::names::OsStrExt;
use riverhawk_value::{ArrayRef, HeapStr, SMALL_CAPACITY, Value};
use std::ffi::OsStr;
use std::io;
use std::path::Path;

impl From<riverhawk_slurp::Error> for Failure {
    /// The system's message, as in gawk: the program knows which file it named.
    fn from(error: riverhawk_slurp::Error) -> Failure {
        match error.io_error() {
            Some(error) => Failure::of(error),
            None => Failure::new(std::error::Error::source(&error).unwrap_or(&error)),
        }
    }
}

/// The limit for a pipe or device if the program gives none. So reading `/dev/zero` ends before
/// memory does.
const STREAM_LIMIT: u64 = 1 << 30;

struct Contents(HeapStr);

/// Bytes read at once: a millisecond's.
const AT_ONCE: usize = 4 << 20;

impl Memory for Contents {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn capacity(&self) -> usize {
        self.0.capacity()
    }

    fn reserve(&mut self, more: usize) -> bool {
        !riverhawk_memory::ran_out() && self.0.try_reserve(more)
    }

    fn read_once(&mut self, file: BorrowedFd<'_>, most: usize) -> io::Result<usize> {
        // A run that is to end does not wait for the rest of a large file.
        if riverhawk_memory::ran_out() {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let filled = self.0.fill_with(|room| {
            let length = room.len().min(most).min(AT_ONCE);
            riverhawk_system::io::read(file, &mut room[..length]).map(|(filled, _)| filled)
        });
        Ok(filled?)
    }
}

impl Contents {
    fn into_value(self) -> Value {
        let text = self.0;
        if text.len() <= SMALL_CAPACITY || text.capacity() / 4 > text.len() + 16 {
            return Value::from_text(text.as_bytes());
        }
        Value::Str(text)
    }
}

fn octal(digits: &[u8]) -> Option<u32> {
    let mode = u32::from_str_radix(std::str::from_utf8(digits).ok()?, 8).ok()?;
    (mode <= 0o7777).then_some(mode)
}

pub(super) fn path(name: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(name))
}

impl Outside {
    /// `file::slurp(path [, limit])`: a string, since a whole file is rarely a number. It is read
    /// into the string of the assigned variable if that is not shared, which saves a copy.
    pub(super) fn file_slurp(
        &self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        old: Option<HeapStr>,
        name: &Value,
        limit: Option<&Value>,
    ) -> Value {
        let limit = limit.map(|limit| current.number(limit) as u64);
        let mut scratch = Vec::new();
        if let Some(files) = self.io.outputs.file_system() {
            let name = current.bytes(name, &mut scratch);
            let read = embedded::read(files.as_ref(), name, limit.unwrap_or(STREAM_LIMIT));
            let result = read.map(|text| Value::from_text(&text));
            return globals.text_or_failure(current, result);
        }
        let options = match limit {
            Some(limit) => Slurp::new().limit(limit),
            None => Slurp::new().stream_limit(STREAM_LIMIT),
        };
        let empty = old.and_then(HeapStr::emptied).unwrap_or_else(|| HeapStr::with_capacity(0));
        let mut contents = Contents(empty);
        let read = options.read_onto(path(current.bytes(name, &mut scratch)), &mut contents);
        let read = read.map_err(Failure::from).map(|_| contents.into_value());
        let result = read.and_then(|value| {
            match self.decompressed(value.bytes(b"").unwrap_or_default())? {
                Some(text) => Ok(Value::from_text(&text)),
                None => Ok(value),
            }
        });
        globals.text_or_failure(current, result)
    }

    pub(super) fn file_lines(
        &self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &Value,
        array: &ArrayRef,
    ) -> Value {
        let mut scratch = Vec::new();
        let name = current.bytes(name, &mut scratch);
        let read = match self.io.outputs.file_system() {
            Some(files) => embedded::read(files.as_ref(), name, STREAM_LIMIT),
            None => {
                let mut text = Vec::new();
                let options = Slurp::new().stream_limit(STREAM_LIMIT);
                let read = options.read_into(path(name), &mut text).map_err(Failure::from);
                let read = read.and_then(|_| self.decompressed(&text));
                read.map(|decompressed| decompressed.unwrap_or(text))
            }
        };
        let read = read.map(|text| Slurp::new().lines_of(text));
        let mut array = array.borrow_mut();
        array.clear();
        let count = read.map(|lines| {
            array.fill(lines.iter().map(Value::from_input));
            array.len()
        });
        globals.count_or_failure(current, count)
    }

    fn decompressed(&self, text: &[u8]) -> Result<Option<Vec<u8>>, Failure> {
        let (Some(limit), Some(codec)) =
            (self.io.inputs.reading().decompress, Codec::of_content(text))
        else {
            return Ok(None);
        };
        riverhawk_compress::decompress(codec, text, limit).map(Some).map_err(Failure::new)
    }

    pub(super) fn file_spew(
        &self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &Value,
        text: &Value,
        flags: Option<&Value>,
    ) -> Fallible<Value> {
        let options = current.spew_options("file::spew", flags)?;
        let files = self.io.outputs.file_system().cloned();
        Ok(self.write_file(current, globals, name, text, |name, text| match files {
            Some(_) if flags.is_some() => Err(Failure::new(embedded::NO_FLAGS)),
            Some(files) => embedded::write(files.as_ref(), name, WriteMode::Truncate, text),
            None => Ok(options.write(path(name), text)?),
        }))
    }

    pub(super) fn file_append(
        &self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &Value,
        text: &Value,
        flags: Option<&Value>,
    ) -> Fallible<Value> {
        let options = current.spew_options("file::append", flags)?;
        let files = self.io.outputs.file_system().cloned();
        Ok(self.write_file(current, globals, name, text, |name, text| match files {
            Some(_) if flags.is_some() => Err(Failure::new(embedded::NO_FLAGS)),
            Some(files) => embedded::write(files.as_ref(), name, WriteMode::Append, text),
            None => Ok(options.append(path(name), text)?),
        }))
    }

    pub(super) fn file_prepend(
        &self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &Value,
        text: &Value,
        flags: Option<&Value>,
    ) -> Fallible<Value> {
        let options = current.spew_options("file::prepend", flags)?.create();
        Ok(self.write_file(current, globals, name, text, |name, text| {
            Ok(options.prepend(path(name), text)?)
        }))
    }

    fn write_file(
        &self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &Value,
        text: &Value,
        write: impl FnOnce(&[u8], &[u8]) -> Result<(), Failure>,
    ) -> Value {
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let (name, text) = (current.bytes(name, &mut first), current.bytes(text, &mut second));
        let written = match self.io.outputs.count_file(text.len()) {
            Ok(()) => write(name, text).inspect_err(|_| self.io.outputs.give_back(text.len())),
            Err(error) => Err(Failure::of(&error)),
        };
        globals.count_or_failure(current, written.map(|()| 1))
    }
}

impl Globals {
    pub(crate) fn edited(
        &mut self,
        current: &mut CurrentRecord,
        edited: riverhawk_slurp::Result<bool>,
    ) -> Value {
        self.count_or_failure(current, edited.map(usize::from).map_err(Failure::from))
    }

    pub(super) fn file_dir(
        &mut self,
        current: &mut CurrentRecord,
        name: &Value,
        array: &ArrayRef,
    ) -> Value {
        let mut scratch = Vec::new();
        let read = ReadDir::new().sorted().read(path(current.bytes(name, &mut scratch)));
        let mut array = array.borrow_mut();
        array.clear();
        let count = read.map(|names| {
            array.fill(names.iter().map(|name| Value::from_input(name.as_os_str().as_bytes())));
            array.len()
        });
        self.count_or_failure(current, count.map_err(Failure::from))
    }
}

impl CurrentRecord {
    fn spew_options(&self, function: &str, flags: Option<&Value>) -> Fallible<Spew> {
        let (mut options, mut scratch) = (Spew::new(), Vec::new());
        let words = flags.map_or(&b""[..], |flags| self.bytes(flags, &mut scratch));
        for word in words.split(|byte| b" ,".contains(byte)).filter(|word| !word.is_empty()) {
            options = match word {
                b"atomic" => options.atomic(),
                b"no_clobber" => options.no_clobber(),
                b"lock" => options.lock(Lock::Exclusive),
                b"sync" => options.sync(Durability::FileAndDirectory),
                _ => match word.strip_prefix(b"mode=").map(octal) {
                    Some(Some(mode)) => options.perms(mode),
                    Some(None) => {
                        let word = String::from_utf8_lossy(word);
                        return Err(Fault::new(format!(
                            "{function}: \"{word}\" is not an octal mode such as mode=644"
                        )));
                    }
                    None => {
                        let names = ["atomic", "no_clobber", "lock", "sync", "mode=644"];
                        return Err(unknown_name(
                            function,
                            "flag",
                            word,
                            &names,
                            std::iter::empty(),
                        ));
                    }
                },
            };
        }
        Ok(options)
    }
}
