//! An observed run: visits are counted, and an observer may look at the run and change it.

pub use crate::machine::{AfterVisit, Observer, Scene};
pub use crate::substitute::Replacements;

use crate::error::RuntimeError;
use crate::globals::as_array;
use crate::machine::Machine;
use crate::runtime::Runtime;
use crate::strings::Case;
use crate::variables::{is_own, shortest};
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::{MathFn, Op, RETURN_VALUE, VisitNo};
use riverhawk_syntax::ast::{Builtin, FunctionId, GlobalId, Span, Special};
use riverhawk_text::quoted;
use riverhawk_value::{Probe, Value};
use std::cmp::Ordering;
use std::fs::File;

/// Variables that the engine fills once.
const FILLED_BY_RUN: [&str; 3] = ["ARGC", "ARGV", "ENVIRON"];

impl Machine {
    /// Lets an observer see every visit.
    pub fn observed_by(&mut self, observer: Box<dyn Observer>) {
        self.observer = Some(observer);
    }

    /// Whether there is an observer to show the place to.
    pub(crate) fn count_visit(&mut self, at: VisitNo) -> bool {
        if let Some(count) = self.visits.get_mut(at.index()) {
            *count += 1;
        }
        self.observer.is_some()
    }

    #[cold]
    pub(crate) fn visit(&mut self, at: VisitNo, base_at: usize) -> Fallible<Option<u32>> {
        let Some(mut observer) = self.observer.take() else { return Ok(None) };
        self.visited = (self.frames.len(), base_at);
        let go = observer.visit(at.index(), &mut Scene { machine: self, base_at });
        self.observer = Some(observer);
        match go {
            AfterVisit::On => Ok(None),
            AfterVisit::Return(value) => Ok(self.early_return(value)),
            AfterVisit::End => Err(Fault::quit()),
        }
    }
}

impl Machine {
    /// Lets the observer see an error before the frames go.
    pub(crate) fn show_failure(&mut self, error: &RuntimeError) {
        // Between two visits only a call changes the frame; one that fails before its first
        // statement has no registers to show.
        let (depth, base_at) = self.visited;
        if depth != self.frames.len() {
            return;
        }
        let Some(mut observer) = self.observer.take() else { return };
        observer.failed(error, &mut Scene { machine: self, base_at });
        self.observer = Some(observer);
    }

    /// The operation that returns a debugger's value: the last of an observed function, which reads
    /// the last global.
    fn early_return(&mut self, value: Value) -> Option<u32> {
        let program = self.rt.program.clone();
        let function = self.frames.last()?.function;
        let slot = program.globals.iter().position(|global| global.name == RETURN_VALUE)?;
        self.rt.globals.statics[slot] = self.rt.current.owned(&value);
        Some(program.functions[function.index()].code.end - 1)
    }
}

/// Frames are counted outwards, from 0 for the running one.
impl Scene<'_> {
    /// Number of calls in progress.
    pub fn depth(&self) -> usize {
        self.machine.frames.len()
    }

    /// The function of a frame; `None` for the rules.
    pub fn function(&self, level: usize) -> Option<FunctionId> {
        let at = self.depth().checked_sub(level + 1)?;
        Some(FunctionId(self.machine.frames[at].function.index() as u32))
    }

    /// The call in a frame that has not returned.
    pub fn call(&self, level: usize) -> Option<Span> {
        let at = self.depth().checked_sub(level)?;
        let return_to = self.machine.frames.get(at)?.return_to as usize;
        self.machine.rt.program.spans.get(return_to.checked_sub(1)?).copied()
    }

    fn slot(&mut self, name: &str, level: usize) -> Option<&mut Value> {
        let program = self.machine.rt.program.clone();
        let base = match level {
            0 => self.base_at,
            _ => self.machine.frames.get(self.depth().checked_sub(level)?)?.caller_base as usize,
        };
        if let Some(function) = self.function(level) {
            let params = &program.functions[function.index()].params;
            if let Some(at) = params.iter().position(|param| param == name) {
                return self.machine.stack.get_mut(base + at);
            }
        }
        match program.globals.iter().position(|global| global.name == name) {
            Some(at) => self.machine.rt.globals.statics.get_mut(at),
            None => self.machine.made.get_mut(name),
        }
    }

    /// Makes a variable, unless a frame has one of this name.
    pub fn make_variable(&mut self, name: &str, level: usize) {
        if self.variable(name, level).is_none() {
            self.machine.made.insert(name.to_owned(), Value::Uninit);
        }
    }

    /// The result of the function called before a [`Visit::Returned`].
    ///
    /// [`Visit::Returned`]: riverhawk_syntax::Visit::Returned
    pub fn returned(&self, place: usize) -> Option<Value> {
        let code = &self.machine.rt.program.code;
        let here =
            code.iter().position(|op| matches!(op, Op::Visit { at } if at.index() == place))?;
        match code.get(here.checked_sub(1)?)? {
            Op::Call { d, .. } | Op::CallIndirect { d, .. } => {
                self.machine.stack.get(self.base_at + d.number()).cloned()
            }
            _ => None,
        }
    }

    /// A variable as a frame sees it.
    pub fn variable(&mut self, name: &str, level: usize) -> Option<Value> {
        if let Some(special) = self.special(name) {
            return Some(self.machine.rt.current.special(
                &self.machine.rt.program,
                &self.machine.rt.arithmetic,
                special,
            ));
        }
        self.slot(name, level).map(|slot| slot.clone())
    }

    fn special(&self, name: &str) -> Option<Special> {
        let dialect = self.machine.rt.program.dialect;
        Special::from_name(name).filter(|special| dialect.has_variable(special.name()))
    }

    /// Assigns a variable.
    ///
    /// # Errors
    /// It does not exist, or cannot have this value.
    pub fn set_variable(&mut self, name: &str, level: usize, value: Value) -> Result<(), String> {
        if let Some(special) = self.special(name) {
            return self.machine.rt.set_special(special, value).map_err(|fault| fault.message());
        }
        match self.slot(name, level) {
            None => Err(format!("no symbol `{name}' in current context")),
            Some(Value::Array(_)) => Err(format!("`{name}' is an array")),
            Some(slot) => {
                *slot = value;
                Ok(())
            }
        }
    }

    /// A field; 0 is the record.
    pub fn field(&mut self, number: usize) -> Value {
        let value = self.machine.rt.current.field(number);
        self.machine.rt.current.owned(&value)
    }

    /// Assigns a field.
    ///
    /// # Errors
    /// It cannot exist.
    pub fn set_field(&mut self, number: usize, value: &Value) -> Result<(), String> {
        self.machine.rt.set_field(number, value).map_err(|fault| fault.message())
    }

    /// An element of an array, if it exists.
    pub fn element(&mut self, array: &Value, key: &Value) -> Option<Value> {
        let Value::Array(array) = array else { return None };
        let array = array.clone();
        self.machine
            .rt
            .workspace
            .with_key(&self.machine.rt.current, key, |key| array.borrow().get(key))
    }

    /// Assigns an element.
    pub fn set_element(&mut self, array: &Value, key: &Value, value: Value) {
        if let Value::Array(array) = array {
            let array = array.clone();
            self.machine.rt.workspace.with_key(&self.machine.rt.current, key, |key: Probe<'_>| {
                array.borrow_mut().set(key, value)
            });
        }
    }

    /// The array of this name, made if the program uses it as one.
    ///
    /// # Errors
    /// It is a scalar, or does not exist.
    pub fn make_array(&mut self, name: &str, level: usize) -> Result<Value, String> {
        let globals = &self.machine.rt.program.globals;
        let is_used = match globals.iter().find(|global| global.name == name) {
            Some(global) => global.usage.array,
            None => self.machine.made.contains_key(name),
        };
        let slot = self
            .slot(name, level)
            .ok_or_else(|| format!("no symbol `{name}' in current context"))?;
        let is_empty = matches!(slot, Value::Uninit | Value::Unassigned | Value::Untyped(_));
        if !(slot.is_array() || is_used && is_empty) {
            return Err(format!("`{name}' is not an array"));
        }
        as_array(slot).map(|array| Value::Array(array.clone())).map_err(|fault| fault.message())
    }

    /// Deletes an element.
    pub fn delete_element(&mut self, array: &Value, key: &Value) {
        if let Value::Array(array) = array {
            let array = array.clone();
            self.machine.rt.workspace.with_key(&self.machine.rt.current, key, |key: Probe<'_>| {
                array.borrow_mut().remove(key)
            });
        }
    }

    /// `print` of these values.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn print(&mut self, values: &[Value]) -> Result<(), String> {
        self.machine.rt.print(values.iter()).map_err(|fault| fault.message())
    }

    /// `printf`, the format first.
    ///
    /// # Errors
    /// As [`Scene::format`], or they cannot be written.
    pub fn printf(&mut self, values: &[Value]) -> Result<(), String> {
        let rt = &mut self.machine.rt;
        let printed = rt
            .workspace
            .format_by_first::<false>(&rt.program, &rt.current, rt.locale.unit, values.iter())
            .and_then(|()| rt.outside.print_formatted(&rt.workspace));
        printed.map_err(|fault| fault.message())
    }

    /// `sprintf`, the format first.
    ///
    /// # Errors
    /// The values do not fit the format.
    pub fn format(&mut self, values: &[Value]) -> Result<Value, String> {
        let rt = &mut self.machine.rt;
        rt.workspace
            .format_by_first::<false>(&rt.program, &rt.current, rt.locale.unit, values.iter())
            .map_err(|fault| fault.message())?;
        Ok(Value::from_text(&rt.workspace.formatted))
    }

    /// The result of a built-in function without effects; `None` for others.
    ///
    /// # Errors
    /// The function fails.
    pub fn built_in(
        &mut self,
        builtin: Builtin,
        arguments: &[Value],
    ) -> Result<Option<Value>, String> {
        let rt = &mut self.machine.rt;
        let math = match builtin {
            Builtin::Int => Some(MathFn::Int),
            Builtin::Sin => Some(MathFn::Sin),
            Builtin::Cos => Some(MathFn::Cos),
            Builtin::Sqrt => Some(MathFn::Sqrt),
            Builtin::Exp => Some(MathFn::Exp),
            Builtin::Log => Some(MathFn::Log),
            _ => None,
        };
        Ok(Some(match (math, builtin, arguments) {
            (Some(function), _, [a]) => {
                let a = rt.current.number(a);
                Value::Num(
                    rt.outside.math(&rt.current, function, a).map_err(|fault| fault.message())?,
                )
            }
            (_, Builtin::Atan2, [y, x]) => {
                Value::Num(rt.current.number(y).atan2(rt.current.number(x)))
            }
            (_, Builtin::Substr, [s, start, length @ ..]) => {
                let (start, length) = (
                    rt.current.number(start),
                    length.first().map(|length| rt.current.number(length)),
                );
                let (text, range, _) =
                    rt.workspace.substr(&rt.current, &rt.locale, s, start, length);
                Value::from_text(&text[range])
            }
            (_, Builtin::Index, [s, t]) => {
                Value::Num(rt.workspace.index(&rt.current, &rt.locale, s, t) as f64)
            }
            (_, Builtin::Tolower, [s]) => {
                rt.workspace.change_case(&rt.current, &rt.locale, None, s, Case::Lower)
            }
            (_, Builtin::Toupper, [s]) => {
                rt.workspace.change_case(&rt.current, &rt.locale, None, s, Case::Upper)
            }
            _ => return Ok(None),
        }))
    }

    /// `sub` or `gsub`: the count and the new text.
    ///
    /// # Errors
    /// The pattern is not valid.
    pub fn substitute(
        &mut self,
        which: Replacements,
        pattern: &[u8],
        by: &Value,
        text: &Value,
    ) -> Result<(usize, Value), String> {
        let rt = &mut self.machine.rt;
        let regex = rt.searches.patterns.dynamic(pattern).map_err(|error| error.message)?;
        let mut text = text.clone();
        let count = rt.workspace.substitute(&rt.program, &rt.current, which, &mut text, &regex, by);
        Ok((count, text))
    }

    /// Prints to this file, or to the first output again.
    ///
    /// # Errors
    /// Earlier output cannot be written.
    pub fn print_to(&mut self, file: Option<File>) -> Result<(), String> {
        let Machine { rt, first_output, .. } = &mut *self.machine;
        let outputs = &mut rt.outside.io.outputs;
        outputs.flush_stdout().map_err(|error| error.to_string())?;
        let sink = match file {
            Some(file) => {
                Some(outputs.sink_for(file.into(), b"", None).map_err(|error| error.to_string())?)
            }
            None => first_output.take(),
        };
        if let Some(sink) = sink {
            let before = outputs.replace_stdout(sink);
            first_output.get_or_insert(before);
        }
        Ok(())
    }

    /// Calls a function of the program, unobserved.
    ///
    /// # Errors
    /// It does not exist, or fails.
    pub fn call_function(&mut self, name: &str, arguments: &[Value]) -> Result<Value, String> {
        self.machine.call_named(name, arguments, self.base_at)
    }

    /// The number of arguments that a frame's call passed.
    pub fn passed(&self, level: usize) -> usize {
        let at = self.depth().checked_sub(level + 1).and_then(|at| self.machine.frames.get(at));
        let call = at.and_then(|frame| {
            self.machine.rt.program.code.get((frame.return_to as usize).checked_sub(1)?)
        });
        match call {
            Some(Op::Call { arguments, .. }) => arguments.count.into(),
            _ => usize::MAX,
        }
    }

    /// An array's keys in the order of their texts.
    pub fn keys(&mut self, array: &Value) -> Vec<Value> {
        let Value::Array(array) = array else { return Vec::new() };
        let mut keys: Vec<Value> = array.borrow().keys().collect();
        keys.sort_by_cached_key(|key| self.machine.rt.current.text_of(key));
        keys
    }

    /// A value as text.
    pub fn text(&self, value: &Value) -> Vec<u8> {
        self.machine.rt.current.text_of(value)
    }

    /// A value as a number.
    pub fn number(&self, value: &Value) -> f64 {
        self.machine.rt.current.number(value)
    }

    /// Whether a value is true.
    pub fn truth(&self, value: &Value) -> bool {
        value.truth(self.machine.rt.current.record.text())
    }

    /// Compares two values; `None` with a NaN.
    pub fn compare(&mut self, a: &Value, b: &Value) -> Option<Ordering> {
        self.machine.rt.locale.compare(&self.machine.rt.program, &self.machine.rt.current, a, b)
    }

    /// Whether a text matches a pattern.
    ///
    /// # Errors
    /// The pattern is not valid.
    pub fn matches(&mut self, text: &[u8], pattern: &[u8]) -> Result<bool, String> {
        let regex =
            self.machine.rt.searches.patterns.dynamic(pattern).map_err(|error| error.message)?;
        Ok(regex.is_match(text))
    }

    /// A value for display: text in quotes, an array by its size.
    pub fn describe(&self, value: &Value) -> String {
        // Showing a variable must not make it a scalar.
        if matches!(value, Value::Uninit | Value::Unassigned) {
            return "untyped variable".to_owned();
        }
        String::from_utf8_lossy(&self.machine.rt.current.describe(value)).into_owned()
    }

    /// As [`Scene::describe`], for people: text as it is, with escape sequences only for what cannot
    /// be shown, and numbers with no more digits than they need.
    pub fn show(&self, value: &Value) -> String {
        let array = match value {
            Value::Array(array) => Some(&**array),
            Value::Untyped(cell) => cell.get().map(|array| &**array),
            _ => None,
        };
        if let Some(array) = array {
            return match array.borrow().len() {
                1 => "array, 1 element".to_owned(),
                count => format!("array, {count} elements"),
            };
        }
        match value {
            Value::Num(number) if number.is_finite() => shortest(*number),
            Value::Uninit | Value::Unassigned | Value::Untyped(_) => self.describe(value),
            Value::Num(_) | Value::Precise(_) | Value::Regex { .. } => self.describe(value),
            text => quoted(&self.text(text)),
        }
    }

    /// The names of the program's own global variables, and of those that were made for an observer.
    pub fn globals(&self) -> Vec<String> {
        let program = &self.machine.rt.program;
        let own = program.globals.iter().filter(|global| is_own(program, global));
        let own = own.map(|global| &global.name).filter(|name| !FILLED_BY_RUN.contains(&&***name));
        own.chain(self.machine.made.keys()).cloned().collect()
    }

    /// The names of the variables that the engine keeps or fills.
    pub fn specials(&self) -> Vec<&'static str> {
        let program = &self.machine.rt.program;
        let kept = Special::ALL.iter().map(|special| special.name());
        let is_there = |name: &&str| program.globals.iter().any(|global| global.name == **name);
        let filled = FILLED_BY_RUN.into_iter().chain(GlobalId::FILLED).filter(is_there);
        kept.filter(|name| program.dialect.has_variable(name)).chain(filled).collect()
    }

    /// All global variables with their values, one each line.
    pub fn variables(&mut self) -> String {
        String::from_utf8_lossy(&self.machine.rt.arithmetic.list_variables(
            &self.machine.rt.program,
            &mut self.machine.rt.current,
            &self.machine.rt.globals,
        ))
        .into_owned()
    }

    /// Flushes what was printed.
    pub fn flush(&mut self) {
        let rt: &mut Runtime = &mut self.machine.rt;
        // A failure is reported when the program continues.
        let _ = rt.outside.io.outputs.flush_all();
    }
}
