//! Calls from built-in functions to functions of the program: the comparisons of `asort`, `asorti`
//! and `PROCINFO["sorted_in"]`, the changes of `file::edit` and `file::edit_lines`. Also finds the
//! function of an indirect call.
//!
//! The interpreter enters itself, with registers above the running frame's. The function returns to
//! the unit's callback frame, so that other returns cost nothing. `next` and `exit` are errors
//! there, as in gawk.

use crate::current::CurrentRecord;
use crate::error::RuntimeError;
use crate::frames::Frame;
use crate::library::sort::{Entries, Order, Stored};
use crate::machine::Machine;
use crate::outside::Outside;
use crate::tier::{Execution, PacedTier};
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_builtins::merge_sort::merge_sort;
use riverhawk_bytecode::{Dst, FrameId, StaticFrame, Unit as Program};
use riverhawk_slurp::Spew;
use riverhawk_syntax::ast::{Builtin, LibraryFn};
use riverhawk_system::names::OsStrExt;
use riverhawk_value::{ArrayRef, KeyIter, Value};
use std::ffi::OsStr;
use std::path::Path;
use std::rc::Rc;

pub(crate) enum Stop {
    Fault(Fault),
    Located(Box<RuntimeError>),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Fault(fault)
    }
}

/// Reports an array passed for a scalar parameter. A direct call is checked where the parameter is
/// used; this call is indirect.
#[inline(never)]
pub(crate) fn check_arguments(callee: &StaticFrame, arguments: &[Value]) -> Fallible<()> {
    for ((argument, usage), name) in arguments.iter().zip(&callee.usages).zip(&callee.params) {
        if usage.scalar && !usage.array && argument.is_array() {
            let message = format!(
                "attempt to use the array parameter `{name}' of `{}' as a scalar",
                callee.name
            );
            return Err(Fault::new(message));
        }
    }
    Ok(())
}

const MAX_CALLBACKS: usize = 200;

const SORTED_INTO_ITSELF: &str = "asort/asorti: using the same array as source and destination without a third argument is silly.";

#[derive(Clone, Copy)]
struct Place {
    top: usize,
    at: u32,
}

struct Callback<'p> {
    place: Place,
    function: FrameId,
    callee: &'p StaticFrame,
    end: &'p StaticFrame,
}

impl<'p> Callback<'p> {
    fn new(program: &'p Program, function: FrameId, place: Place) -> Fallible<Callback<'p>> {
        let callee = &program.functions[function.index()];
        let Some(end) = &program.callback else {
            return Err(Fault::new("a function cannot be called from here"));
        };
        Ok(Callback { place, function, callee, end })
    }
}

impl Machine {
    #[inline(never)]
    pub(crate) fn call_with_callback(
        &mut self,
        f: LibraryFn,
        arguments: &[Value],
        base_at: usize,
        start: &StaticFrame,
        at: u32,
        watch: &mut PacedTier,
    ) -> Result<Value, Stop> {
        let place = self.place(base_at, start, at);
        match (f, arguments) {
            (LibraryFn::FileEdit | LibraryFn::FileEditLines, [path, function]) => {
                self.rt.outside.allow_function(&self.rt.current, f, arguments)?;
                self.edit_file(f, path, function, place, watch)
            }
            _ => self.sort_array(f, arguments, place, watch),
        }
    }

    /// If the function fails the file stays as it was; if it returns nothing the text does.
    fn edit_file(
        &mut self,
        f: LibraryFn,
        path: &Value,
        function: &Value,
        place: Place,
        watch: &mut PacedTier,
    ) -> Result<Value, Stop> {
        let path = self.rt.current.text_of(path);
        let (function, takes) =
            self.rt.outside.function_named(&self.rt.program, &self.rt.current, function, 1)?;
        let program = self.rt.program.clone();
        let callback = Callback::new(&program, function, place)?;
        let mut change = |machine: &mut Machine, text: Value| -> Result<Value, Stop> {
            check_arguments(callback.callee, std::slice::from_ref(&text))?;
            let answer = machine.call_back(&callback, &[&text][..usize::from(takes)], watch)?;
            Ok(if matches!(answer, Value::Unassigned) { text } else { answer })
        };
        let mut outcome = Ok(());
        let edited = Spew::new().edit(Path::new(OsStr::from_bytes(&path)), |text| {
            let changed = match f {
                LibraryFn::FileEdit => change(self, Value::from_text(text))
                    .map(|answer| self.rt.current.text_of(&answer)),
                _ => self.change_lines(text, &mut change),
            };
            outcome = changed.map(|changed| *text = changed);
        });
        outcome.map(|()| self.rt.globals.edited(&mut self.rt.current, edited))
    }

    fn change_lines(
        &mut self,
        text: &[u8],
        change: &mut impl FnMut(&mut Machine, Value) -> Result<Value, Stop>,
    ) -> Result<Vec<u8>, Stop> {
        let mut changed = Vec::with_capacity(text.len());
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let (line, newline) = match line.split_last() {
                Some((b'\n', line)) => (line, &b"\n"[..]),
                _ => (line, &b""[..]),
            };
            let answer = change(self, Value::from_input(line))?;
            changed.extend_from_slice(&self.rt.current.text_of(&answer));
            changed.extend_from_slice(newline);
        }
        Ok(changed)
    }

    fn sort_array(
        &mut self,
        f: LibraryFn,
        arguments: &[Value],
        place: Place,
        watch: &mut PacedTier,
    ) -> Result<Value, Stop> {
        let (Some(Value::Array(source)), into) = (arguments.first(), arguments.get(1)) else {
            return Err(Fault::new(format!("{}: first argument is not an array", f.name())).into());
        };
        let into = match into {
            Some(Value::Array(into)) => into,
            _ => source,
        };
        self.rt.globals.check_sorted(f.name(), source, arguments.get(1).map(|_| into))?;
        let is_same = Rc::ptr_eq(source, into);
        if arguments.len() == 2
            && is_same
            && self.rt.outside.lint.reported.insert(SORTED_INTO_ITSELF)
        {
            self.rt.outside.warn_here(&self.rt.current, SORTED_INTO_ITSELF)?;
        }
        let stored = if f == LibraryFn::Asorti { Stored::Keys } else { Stored::Values };
        let order = match arguments.get(2) {
            Some(how) if !self.rt.current.text_of(how).is_empty() => {
                self.rt.current.order_named(&self.rt.program, how)?
            }
            _ if stored == Stored::Keys => Order::INDEX_TEXT,
            _ => Order::VALUE_TYPE,
        };
        let entries = Entries::of(&source.borrow());
        let sorted = self.in_order(&entries, order, place, watch)?;
        Ok(entries.store(&sorted, stored, source, into))
    }

    #[inline(never)]
    pub(crate) fn sorted_keys(
        &mut self,
        array: &ArrayRef,
        base_at: usize,
        start: &StaticFrame,
        at: usize,
        watch: &mut PacedTier,
    ) -> Result<KeyIter, Box<RuntimeError>> {
        match self.keys_in_order(array, base_at, start, at as u32, watch) {
            Ok(keys) => Ok(keys),
            Err(Stop::Located(error)) => Err(error),
            Err(Stop::Fault(fault)) => Err(self.locate(fault, at, start)),
        }
    }

    fn keys_in_order(
        &mut self,
        array: &ArrayRef,
        base_at: usize,
        start: &StaticFrame,
        at: u32,
        watch: &mut PacedTier,
    ) -> Result<KeyIter, Stop> {
        let Some(how) = self.rt.globals.loop_order().filter(|_| !array.borrow().is_empty()) else {
            return Ok(array.borrow().keys());
        };
        let order = match self.rt.current.text_of(&how).is_empty() {
            true => Order::Unsorted,
            false => self.rt.current.order_named(&self.rt.program, &how)?,
        };
        if order == Order::Unsorted {
            return Ok(array.borrow().keys());
        }
        let entries = Entries::of(&array.borrow());
        let place = self.place(base_at, start, at);
        let sorted = self.in_order(&entries, order, place, watch)?;
        Ok(entries.keys(&sorted))
    }

    fn in_order(
        &mut self,
        entries: &Entries,
        order: Order,
        place: Place,
        watch: &mut PacedTier,
    ) -> Result<Vec<u32>, Stop> {
        let Order::Function(function) = order else {
            return Ok(self.rt.locale.sorted(&self.rt.program, &self.rt.current, entries, order));
        };
        self.check_comparison(function)?;
        let program = self.rt.program.clone();
        let callback = Callback::new(&program, function, place)?;
        // Not watched if short: each comparison is a run of its own, and watching costs a tenth.
        if !watch.tier.watches_callbacks(function) {
            return self.in_order_of(entries, &callback, &mut PacedTier::none());
        }
        self.in_order_of(entries, &callback, watch)
    }

    fn in_order_of(
        &mut self,
        entries: &Entries,
        callback: &Callback<'_>,
        watch: &mut PacedTier,
    ) -> Result<Vec<u32>, Stop> {
        merge_sort(entries.len(), &mut |a, b| {
            let arguments = [entries.key(a), entries.value(a), entries.key(b), entries.value(b)];
            let result = self.call_back(callback, &arguments, watch)?;
            Ok(self.rt.current.number(&result) <= 0.0)
        })
    }

    pub(crate) fn call_named(
        &mut self,
        name: &str,
        arguments: &[Value],
        base_at: usize,
    ) -> Result<Value, String> {
        let program = self.rt.program.clone();
        let mut functions = (0..)
            .zip(&program.functions)
            .filter(|(_, function)| function.defined && !function.builtin);
        let function =
            functions.find(|(_, function)| function.name == name).map(|(at, _)| FrameId(at));
        let function = function.ok_or_else(|| format!("function `{name}' not defined"))?;
        // The running rule is not known: leaves room for the largest.
        let most =
            program.frames().map(|frame| usize::from(frame.registers)).max().unwrap_or_default();
        let place =
            Place { top: base_at + most, at: program.functions[function.index()].code.start };
        let (frames, callbacks) = (self.frames.len(), self.callbacks.len());
        let arguments: Vec<&Value> = arguments.iter().collect();
        let called = Callback::new(&program, function, place)
            .map_err(Stop::Fault)
            .and_then(|callback| self.call_back(&callback, &arguments, &mut PacedTier::none()));
        self.frames.truncate(frames);
        self.callbacks.truncate(callbacks);
        called.map_err(|stop| match stop {
            Stop::Fault(fault) => fault.message(),
            Stop::Located(error) => error.message,
        })
    }

    fn place(&self, base_at: usize, start: &StaticFrame, at: u32) -> Place {
        let running = self
            .frames
            .last()
            .map_or(start, |call| &self.rt.program.functions[call.function.index()]);
        Place { top: base_at + running.registers as usize, at }
    }

    fn call_back(
        &mut self,
        callback: &Callback<'_>,
        arguments: &[&Value],
        watch: &mut PacedTier,
    ) -> Result<Value, Stop> {
        let &Callback { place, function, callee, end } = callback;
        if self.callbacks.len() >= MAX_CALLBACKS {
            let message = format!(
                "built-in functions that call functions are nested deeper than {MAX_CALLBACKS}"
            );
            return Err(Fault::new(message).into());
        }
        let result_at = place.top;
        let new_base = result_at + 1;
        let top = new_base + callee.registers as usize;
        if top > self.stack.len() {
            self.make_room(top)?;
        }
        let given = arguments.len().min(callee.params.len());
        let registers = &mut self.stack[new_base..new_base + callee.params.len()];
        let mut has_array = false;
        for (register, &argument) in registers.iter_mut().zip(arguments) {
            has_array |= argument.is_array();
            register.clone_from(argument);
        }
        registers[given..].fill(Value::Uninit);
        if has_array {
            check_arguments(callee, &registers[..given])?;
        }
        let frame = Frame {
            return_to: end.code.start,
            caller_base: result_at as u32,
            function,
            d: Dst::register(0),
        };
        self.frames.push(frame);
        self.callbacks.push(place.at);
        let way = if watch.pace.calls(function) || watch.pace.observes(self.frames.len() - 1) {
            self.called(given, place.at, new_base, watch)
        } else {
            Execution::Plain
        };
        self.run_from(end, callee.code.start, new_base, way, watch).map_err(Stop::Located)?;
        self.callbacks.pop();
        Ok(std::mem::take(&mut self.stack[result_at]))
    }

    /// gawk warns at each comparison; once is enough.
    fn check_comparison(&mut self, function: FrameId) -> Fallible<()> {
        let callee = &self.rt.program.functions[function.index()];
        if callee.params.len() >= 4 {
            return Ok(());
        }
        let warning =
            format!("function `{}' called with more arguments than declared", callee.name);
        self.rt.outside.warn_here(&self.rt.current, &warning)
    }
}

impl Outside {
    #[inline(never)]
    pub(crate) fn function_named(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        name: &Value,
        count: u16,
    ) -> Fallible<(FrameId, u16)> {
        let name = current.text_of(name);
        let name = name.strip_prefix(b"awk::").unwrap_or(&name);
        let named = || {
            (0..).zip(&program.functions).filter(|(_, function)| function.name.as_bytes() == name)
        };
        let meant = named()
            .find(|(_, f)| f.defined && (!f.builtin || f.params.len() == usize::from(count)));
        let Some((at, function)) = meant else {
            let name = String::from_utf8_lossy(name);
            return Err(Fault::new(match Builtin::from_name(&name) {
                Some(Builtin::Sub | Builtin::Gsub) => {
                    format!("{name}: can be called indirectly only with two arguments")
                }
                None if LibraryFn::from_name(&name).is_none() => {
                    format!("`{name}' is not a function, so it cannot be called indirectly")
                }
                _ => format!("{name}: called with {count} arguments"),
            }));
        };
        let takes = function.params.len() as u16;
        if count > takes {
            self.warn_here(
                current,
                &format!("function `{}' called with more arguments than declared", function.name),
            )?;
        }
        Ok((FrameId(at), count.min(takes)))
    }
}
