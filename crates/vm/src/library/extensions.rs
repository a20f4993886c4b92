//! The functions of gawk's extensions, except `rwarray`, `fork` and `fts`. As there, `ord` and
//! `chr` work on bytes.

use super::Failure;
use super::file::path;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::locale::Locale;
use crate::named::elements::global_array;
use crate::outside::Outside;
use crate::runtime::Runtime;
use riverhawk_awkio::cancel;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_builtins::shell_pattern::{FLAGS, matches};
use riverhawk_bytecode::Unit as Program;
use riverhawk_slurp::Slurp;
use riverhawk_syntax::ast::{Extension, LibraryFn};
use riverhawk_value::{ArrayRef, HeapStr, Probe, Truth, Value, new_array};
use std::time::Duration;

/// Timers take no longer times.
const LONGEST_SLEEP: f64 = 1e9;

impl Runtime {
    pub(super) fn call_extension(
        &mut self,
        f: LibraryFn,
        old: Option<HeapStr>,
        arguments: &[Value],
    ) -> Fallible<Value> {
        let Runtime { program, current, globals, locale, outside, library, .. } = self;
        Ok(match (f, arguments) {
            (LibraryFn::Chdir, [path]) => globals.chdir(current, path),
            (LibraryFn::Stat, [path, Value::Array(array), rest @ ..]) => {
                globals.stat(current, path, array, rest.first())
            }
            (LibraryFn::Fnmatch, [pattern, name, flags]) => {
                locale.fnmatch(current, pattern, name, flags)
            }
            (LibraryFn::Ord, [s]) => {
                Value::Num(f64::from(current.text_of(s).first().copied().unwrap_or(0)))
            }
            (LibraryFn::Chr, [n]) => Value::from_text(&[current.number(n) as i64 as u8]),
            (LibraryFn::Readfile, [path]) => globals.readfile(current, old, path),
            (LibraryFn::Gettimeofday, []) => Value::Num(library.clock.since_epoch().as_secs_f64()),
            (LibraryFn::Sleep, [seconds]) => outside.sleep(current, globals, seconds)?,
            (LibraryFn::Strptime, [text, format]) => {
                library.strptime(current, globals, text, format)
            }
            (LibraryFn::Fts, [Value::Array(paths), flags, Value::Array(tree)]) => {
                globals.fts(current, paths, flags, tree)
            }
            (LibraryFn::Statvfs, [path, Value::Array(array)]) => {
                globals.statvfs(current, path, array)
            }
            (LibraryFn::Intdiv, [a, b, Value::Array(array)]) => {
                outside.intdiv(program, current, a, b, array)?
            }
            (LibraryFn::Writea | LibraryFn::Reada, [path, Value::Array(array)]) => {
                self.read_or_write_array(f, path, Some(array))?
            }
            (LibraryFn::Writeall | LibraryFn::Readall, [path]) => {
                self.read_or_write_array(f, path, None)?
            }
            (LibraryFn::Fork, []) => outside.fork(current, globals)?,
            (LibraryFn::Waitpid, [pid]) => globals.waitpid(current, pid),
            (LibraryFn::Wait, []) => outside.wait_for_any(current, globals)?,
            (other, arguments) => {
                unreachable!("{} with {} arguments", other.name(), arguments.len())
            }
        })
    }
}

impl Globals {
    fn zero_or_failure(
        &mut self,
        current: &mut CurrentRecord,
        result: Result<(), Failure>,
    ) -> Value {
        self.count_or_failure(current, result.map(|()| 0))
    }

    fn chdir(&mut self, current: &mut CurrentRecord, name: &Value) -> Value {
        let name = current.text_of(name);
        self.zero_or_failure(current, std::env::set_current_dir(path(&name)).map_err(Failure::from))
    }

    fn stat(
        &mut self,
        current: &mut CurrentRecord,
        name: &Value,
        array: &ArrayRef,
        follow: Option<&Value>,
    ) -> Value {
        match self.file_stat(current, name, array, follow.map(|_| &Value::Bool(Truth::One))) {
            Value::Num(1.0) => Value::Num(0.0),
            failed => failed,
        }
    }

    fn statvfs(&mut self, current: &mut CurrentRecord, name: &Value, array: &ArrayRef) -> Value {
        let name = current.text_of(name);
        let known = crate::system::file_system(path(&name));
        let mut array = array.borrow_mut();
        array.clear();
        let known = known.map(|known| {
            for (field, number) in known {
                array.set(Probe::Text(field.as_bytes()), Value::Num(number as f64));
            }
        });
        self.zero_or_failure(current, known.map_err(Failure::from))
    }

    fn readfile(
        &mut self,
        current: &mut CurrentRecord,
        old: Option<HeapStr>,
        name: &Value,
    ) -> Value {
        let mut text = Vec::new();
        let name = current.text_of(name);
        match Slurp::new().read_into(path(&name), &mut text) {
            Ok(_) => Value::from_text_in(old, &text),
            Err(error) => {
                let failure = Failure::from(error);
                self.note_failure(current, &failure);
                Value::EMPTY
            }
        }
    }

    pub(crate) fn fill_variables_of_extensions(&mut self, program: &Program) {
        self.fill_flags_of_patterns(program);
        if program.extensions.is_empty() {
            return;
        }
        let mut set = |extension: Extension, name: &str, number: u32| {
            let at = program
                .globals
                .iter()
                .position(|global| global.name == name && !global.usage.array);
            if let Some(at) = at.filter(|_| program.extensions.contains(&extension)) {
                self.statics[at] = Value::Num(f64::from(number));
            }
        };
        for (name, flag) in super::directory_tree::FLAGS {
            set(Extension::Filefuncs, name, *flag);
        }
        set(Extension::Revoutput, "REVOUT", 0);
    }

    fn fill_flags_of_patterns(&mut self, program: &Program) {
        let Some(at) = global_array(program, "FNM") else { return };
        let calls = |op: &riverhawk_bytecode::Op| {
            matches!(op, riverhawk_bytecode::Op::Library { f: LibraryFn::Fnmatch, .. })
        };
        if !program.code.iter().any(calls) {
            return;
        }
        let array = new_array();
        for (name, flag) in FLAGS {
            array.borrow_mut().set(Probe::Text(name.as_bytes()), Value::Num(f64::from(*flag)));
        }
        array.borrow_mut().set(Probe::Text(b"NOMATCH"), Value::Num(1.0));
        self.statics[at] = Value::Array(array);
    }
}

impl Outside {
    fn intdiv(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        a: &Value,
        b: &Value,
        array: &ArrayRef,
    ) -> Fallible<Value> {
        let divided = if program.has_large_integers() {
            current.precise_intdiv(a, b)
        } else {
            current.double_intdiv(a, b)
        };
        let mut array = array.borrow_mut();
        array.clear();
        match divided {
            Ok((quotient, remainder)) => {
                array.set(Probe::Text(b"quotient"), quotient);
                array.set(Probe::Text(b"remainder"), remainder);
                Ok(Value::Num(0.0))
            }
            Err(complaint) => {
                drop(array);
                self.warn_here(current, &format!("intdiv: {complaint}"))?;
                Ok(Value::Num(-1.0))
            }
        }
    }

    fn sleep(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        seconds: &Value,
    ) -> Fallible<Value> {
        let seconds = current.number(seconds);
        if seconds < 0.0 {
            let failure = Failure::new("sleep: argument is negative");
            return Ok(globals.zero_or_failure(current, Err(failure)));
        }
        if seconds.is_nan() || seconds > LONGEST_SLEEP || !riverhawk_system::HAS_CLOCK {
            return Err(Fault::new(format!("sleep: cannot wait for {seconds:e} seconds")));
        }
        self.io.outputs.flush_all()?;
        cancel::sleep(Duration::from_secs_f64(seconds));
        cancel::check()?;
        Ok(Value::Num(0.0))
    }
}

impl CurrentRecord {
    /// Infinity and NaN divide as in C.
    fn double_intdiv(&self, a: &Value, b: &Value) -> Result<(Value, Value), &'static str> {
        let (a, b) = (self.number(a).trunc(), self.number(b).trunc());
        if b == 0.0 {
            return Err(crate::precise::INTDIV_BY_ZERO);
        }
        Ok((Value::Num((a / b).trunc()), Value::Num((a % b).trunc())))
    }
}

impl Locale {
    fn fnmatch(
        &self,
        current: &CurrentRecord,
        pattern: &Value,
        name: &Value,
        flags: &Value,
    ) -> Value {
        let (pattern, name) = (current.text_of(pattern), current.text_of(name));
        let is_match = matches(&pattern, &name, current.number(flags) as u32, self.unit);
        Value::Num(if is_match { 0.0 } else { 1.0 })
    }
}
