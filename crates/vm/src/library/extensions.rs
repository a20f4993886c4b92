//! gawk's extensions that are built in: `filefuncs`, `fnmatch`, `ordchr`, `readfile` and `time`, with the answers of those that
//! come with gawk. As there, `ord` and `chr` are about bytes, whatever the characters are.

use super::Failure;
use super::file::path;
use super::shell_pattern::{FLAGS, matches};
use crate::fault::{Fallible, Fault};
use crate::runtime::Runtime;
use riverhawk_slurp::Slurp;
use riverhawk_syntax::ast::LibraryFn;
use riverhawk_value::{ArrayRef, HeapStr, Probe, Value, new_array};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// As long as a sleep may be: longer ones are no number of seconds that a timer takes.
const LONGEST_SLEEP: f64 = 1e9;

impl Runtime {
    /// Calls a function of an extension.
    pub(super) fn call_extension(
        &mut self,
        f: LibraryFn,
        old: Option<HeapStr>,
        arguments: &[Value],
    ) -> Fallible<Value> {
        Ok(match (f, arguments) {
            (LibraryFn::Chdir, [path]) => self.chdir(path),
            (LibraryFn::Stat, [path, Value::Array(array), rest @ ..]) => self.stat(path, array, rest.first()),
            (LibraryFn::Fnmatch, [pattern, name, flags]) => self.fnmatch(pattern, name, flags),
            (LibraryFn::Ord, [s]) => Value::Num(f64::from(self.text_of(s).first().copied().unwrap_or(0))),
            (LibraryFn::Chr, [n]) => Value::from_text(&[self.number(n) as i64 as u8]),
            (LibraryFn::Readfile, [path]) => self.readfile(old, path),
            (LibraryFn::Gettimeofday, []) => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                Value::Num(since.as_secs_f64())
            }
            (LibraryFn::Sleep, [seconds]) => self.sleep(seconds)?,
            (other, arguments) => unreachable!("{} with {} arguments", other.name(), arguments.len()),
        })
    }

    /// What a call is that did what it should, or ERRNO says why it did not.
    fn zero_or_failure(&mut self, result: Result<(), Failure>) -> Value {
        self.count_or_failure(result.map(|()| 0))
    }

    fn chdir(&mut self, name: &Value) -> Value {
        let name = self.text_of(name);
        self.zero_or_failure(std::env::set_current_dir(path(&name)).map_err(Failure::from))
    }

    fn stat(&mut self, name: &Value, array: &ArrayRef, follow: Option<&Value>) -> Value {
        match self.file_stat(name, array, follow) {
            Value::Num(1.0) => Value::Num(0.0),
            failed => failed,
        }
    }

    fn fnmatch(&mut self, pattern: &Value, name: &Value, flags: &Value) -> Value {
        let (pattern, name) = (self.text_of(pattern), self.text_of(name));
        let is_match = matches(&pattern, &name, self.number(flags) as u32, self.unit);
        Value::Num(if is_match { 0.0 } else { 1.0 })
    }

    fn readfile(&mut self, old: Option<HeapStr>, name: &Value) -> Value {
        let mut text = Vec::new();
        let name = self.text_of(name);
        match Slurp::new().read_into(path(&name), &mut text) {
            Ok(_) => Value::from_text_in(old, &text),
            Err(error) => {
                let failure = Failure::from(error);
                self.note_failure(&failure);
                Value::EMPTY
            }
        }
    }

    fn sleep(&mut self, seconds: &Value) -> Fallible<Value> {
        let seconds = self.number(seconds);
        if seconds < 0.0 {
            let failure = Failure::new("sleep: argument is negative");
            return Ok(self.zero_or_failure(Err(failure)));
        }
        if seconds.is_nan() || seconds > LONGEST_SLEEP {
            return Err(Fault::new(format!("sleep: {seconds} is no number of seconds to wait")));
        }
        // Whoever waits for what was printed should not wait for the end of the sleep too.
        self.io.outputs.flush_all()?;
        std::thread::sleep(Duration::from_secs_f64(seconds));
        Ok(Value::Num(0.0))
    }

    /// The array `FNM`, if the program calls `fnmatch` and mentions it: what its flags are called.
    pub(crate) fn fill_flags_of_patterns(&mut self) {
        let Some(at) = self.global_array("FNM") else { return };
        let calls =
            |op: &riverhawk_bytecode::Op| matches!(op, riverhawk_bytecode::Op::Library { f: LibraryFn::Fnmatch, .. });
        if !self.program.code.iter().any(calls) {
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
