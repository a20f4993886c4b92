//! gawk's extension `rwarray`: arrays in files, in gawk's format, so that either can read the
//! other's.
//!
//! | what | how |
//! |---|---|
//! | a file | `awkrulz\n`, the versions 4 and 1, an array |
//! | an array | its number of elements, then for each its key as text, a [`kind`], the value |
//! | text, a regex, input text that is a number, nothing | a length and the bytes |
//! | a number | the same, of C's `%.17g` with a NUL |
//! | a boolean of `mkbool` | the same, of `TRUE` or `FALSE` |
//!
//! All counts, lengths and kinds are four bytes, big-endian.

mod read;
mod write;

use super::file::path;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::globals::as_array;
use crate::named::elements::variables;
use crate::outside::Outside;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::Unit as Program;
use riverhawk_syntax::ast::{GlobalId, LibraryFn, Special, Usage};
use riverhawk_value::{Array, ArrayRef, NumberFormat, Probe, Value, new_array};
use std::fs::File;
use std::io;

const MAGIC: &[u8] = b"awkrulz\n";

const VERSION: [u32; 2] = [4, 1];

mod kind {
    pub(super) const TEXT: u32 = 1;
    pub(super) const NUMBER: u32 = 2;
    pub(super) const LONG_NUMBERS: [u32; 2] = [3, 4];
    pub(super) const ARRAY: u32 = 5;
    pub(super) const REGEX: u32 = 6;
    pub(super) const NUMERIC_INPUT: u32 = 7;
    pub(super) const TRUTH: u32 = 8;
    pub(super) const NOTHING: u32 = 20;
}

impl Runtime {
    pub(super) fn read_or_write_array(
        &mut self,
        f: LibraryFn,
        name: &Value,
        array: Option<&ArrayRef>,
    ) -> Fallible<Value> {
        let name = self.current.text_of(name);
        let done = match (f, array) {
            (LibraryFn::Writea, Some(array)) => {
                write_file(&name, &array.borrow(), &self.current.specials.convfmt)
            }
            (LibraryFn::Writeall, _) => {
                write_file(&name, &self.all_variables(), &self.current.specials.convfmt)
            }
            (LibraryFn::Reada, Some(array)) => self.read_file(&name, |_, source| {
                array.borrow_mut().clear();
                source.array(array)
            })?,
            _ => self.read_file(&name, |rt, source| {
                let variables = new_array();
                source.array(&variables)?;
                rt.globals
                    .take_variables(&rt.program, &rt.current, &mut rt.outside, &variables.borrow())
                    .map_err(|fault| io::Error::other(fault.message().clone()))
            })?,
        };
        Ok(Value::Num(match done {
            Ok(()) => 1.0,
            Err(error) => {
                self.globals.set_errno_of(&mut self.current, &error);
                0.0
            }
        }))
    }

    fn read_file(
        &mut self,
        name: &[u8],
        take: impl FnOnce(&mut Runtime, &mut read::Reader<File>) -> io::Result<()>,
    ) -> Fallible<io::Result<()>> {
        let mut reader = match File::open(path(name)).and_then(read::Reader::begin) {
            Ok(reader) => reader,
            Err(error) => return Ok(Err(error)),
        };
        let done = take(self, &mut reader);
        for code in reader.unknown_kinds() {
            self.outside.warn_here(
                &self.current,
                &format!("treating recovered value with unknown type code {code} as a string"),
            )?;
        }
        Ok(done)
    }

    fn all_variables(&mut self) -> Array {
        let mut all = Array::default();
        for (name, at) in variables(&self.program) {
            all.set(Probe::from_text(name.as_bytes()), self.globals.statics[at].clone());
        }
        for &special in Special::ALL.iter().filter(|&&special| special != Special::Encoding) {
            let value = self.current.special(&self.program, &self.arithmetic, special);
            all.set(Probe::from_text(special.name().as_bytes()), self.current.owned(&value));
        }
        all
    }
}

impl Globals {
    /// Assigns only variables without a value. Names that the program lacks go to SYMTAB.
    fn take_variables(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        outside: &mut Outside,
        all: &Array,
    ) -> Fallible<()> {
        for (name, value) in all.pairs() {
            let name = String::from_utf8_lossy(&current.text_of(&name)).into_owned();
            if Special::from_name(&name).is_some() || matches!(value, Value::Unassigned) {
                continue;
            }
            if program.functions.iter().any(|function| function.defined && function.name == name) {
                outside.warn_here(current, &format!("readall: unable to set {name}"))?;
                continue;
            }
            let Some(at) = program.globals.iter().position(|global| global.name == name) else {
                if riverhawk_syntax::is_variable_name(&name) {
                    self.keep_read(&name, value);
                }
                continue;
            };
            if !self.take_variable(program, current, at, value) {
                outside.warn_here(current, &format!("readall: unable to set {name}"))?;
            }
        }
        Ok(())
    }

    fn take_variable(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        at: usize,
        value: Value,
    ) -> bool {
        let Usage { scalar, array } = program.globals[at].usage;
        let is_free = match &self.statics[at] {
            Value::Uninit | Value::Unassigned => true,
            Value::Untyped(cell) => cell.get().is_none(),
            _ => false,
        };
        if !is_free || at == GlobalId::ENVIRON.index() {
            return true;
        }
        match value {
            Value::Array(read) => {
                if scalar && !array || matches!(self.statics[at], Value::Unassigned) {
                    return false;
                }
                let Ok(filled) = as_array(&mut self.statics[at]) else { return false };
                for (key, value) in read.borrow().pairs() {
                    let mut text = Vec::new();
                    key.append_to(b"", &current.specials.convfmt, &mut text);
                    filled.borrow_mut().set(Probe::from_text(&text), value);
                }
            }
            _ if array && !scalar => return false,
            value => self.statics[at] = value,
        }
        self.assignments += 1;
        true
    }

    fn keep_read(&mut self, name: &str, value: Value) {
        if !self.is_named(name) {
            self.keep_named(name, value);
        }
    }
}

fn write_file(name: &[u8], array: &Array, convfmt: &NumberFormat) -> io::Result<()> {
    let path = path(name);
    let file = File::create(path)?;
    let is_regular = file.metadata().is_ok_and(|known| known.is_file());
    let written = write::write(file, array, convfmt);
    // gawk removes devices too.
    if written.is_err() && is_regular {
        let _ = std::fs::remove_file(path);
    }
    written
}
