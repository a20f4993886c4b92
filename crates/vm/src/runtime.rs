//! Everything a running program touches besides registers: the record, specials, globals, patterns,
//! and the outer world.

use crate::arithmetic::Arithmetic;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::locale::Locale;
use crate::main_input::MainInput;
use crate::outside::Outside;
use crate::searches::Searches;
use crate::specials::too_many_fields;
use crate::workspace::Workspace;
use riverhawk_awkio::Io;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::patterns::Patterns;
use riverhawk_record::terminator::FIELD_LIMIT;
use riverhawk_record::{Joining, TextKind};
use riverhawk_value::{HeapStr, Probe, Value, View};
use std::sync::Arc;

/// The state of a run.
pub struct Runtime {
    /// The program.
    pub(crate) program: Arc<Program>,
    /// The record, and the variables that describe it.
    pub(crate) current: CurrentRecord,
    /// Other variables.
    pub(crate) globals: Globals,
    /// Regular expressions.
    pub(crate) searches: Searches,
    /// Buffers for text.
    pub(crate) workspace: Workspace,
    /// What the locale decides.
    pub(crate) locale: Locale,
    /// Numbers of any precision, and random ones.
    pub(crate) arithmetic: Arithmetic,
    /// The files of the command line.
    pub(crate) main: MainInput,
    /// Everything else that is read and written, and warnings.
    pub(crate) outside: Outside,
    /// What library functions keep.
    pub(crate) library: crate::library::Kept,
}

impl Runtime {
    /// A run that has not begun.
    pub(crate) fn new(program: Arc<Program>, patterns: Patterns, io: Io) -> Runtime {
        Runtime {
            current: CurrentRecord::new(&program, *patterns.options()),
            globals: Globals::new(&program),
            locale: Locale::new(patterns.unit()),
            searches: Searches::new(&program, patterns),
            workspace: Workspace::new(&program),
            arithmetic: Arithmetic::default(),
            main: MainInput::default(),
            outside: Outside::new(program.clone(), io),
            library: crate::library::Kept::default(),
            program,
        }
    }

    /// Assigns a field, 0 being the record.
    pub fn set_field(&mut self, n: usize, value: &Value) -> Fallible<()> {
        if n == 0 {
            let mut text = std::mem::take(&mut self.workspace.scratch[0]);
            text.clear();
            value.append_to(self.current.record.text(), &self.current.specials.convfmt, &mut text);
            let too_long = u32::try_from(text.len()).is_err();
            match value {
                _ if too_long => {}
                Value::Num(number) => self.current.record.set_whole(Value::Num(*number), &text),
                Value::Precise(_) | Value::Regex { .. } => {
                    self.current.record.set_whole(value.clone(), &text)
                }
                Value::Uninit | Value::Unassigned | Value::Untyped(_) => {
                    self.current.record.set_whole(Value::Unassigned, &text)
                }
                Value::Small(_) | Value::Str(_) => {
                    self.current.record.set_text(&text, TextKind::Text)
                }
                _ => self.current.record.set_text(&text, TextKind::Input),
            }
            self.workspace.scratch[0] = text;
            return if too_long { Err(record_too_long()) } else { Ok(()) };
        }
        if self.current.tables.is_json() {
            return self.current.record.set_json_member(n, value);
        }
        if n >= FIELD_LIMIT {
            return Err(too_many_fields(n as f64));
        }
        if self.current.tables.keep_header {
            self.outside.check_column(&self.program, &mut self.current, n)?;
        }
        let value = self.current.owned(value);
        self.current.record.set_field(n, value);
        Ok(())
    }

    /// `delete @"name"`: the field has no value any more; what a path leads to in JSON is gone.
    ///
    /// # Errors
    /// As [`Runtime::set_field`].
    pub(crate) fn delete_field(&mut self, n: usize) -> Fallible<()> {
        if !self.current.tables.is_json() {
            return self.set_field(n, &Value::Uninit);
        }
        self.current.record.delete_json_member(n);
        Ok(())
    }
}

impl Arithmetic {
    /// From now on this thread reads and writes numbers as the run does.
    pub(crate) fn set_number_forms(&self) {
        self.numbers.set();
        self.decimal_point.set();
        self.precise.context.set_current();
    }
}

impl CurrentRecord {
    /// A value as a number.
    #[inline]
    pub fn number(&self, value: &Value) -> f64 {
        value.number(self.record.text())
    }

    /// A value as text of its own.
    pub fn text_of(&self, value: &Value) -> Vec<u8> {
        let mut text = Vec::new();
        value.append_to(self.record.text(), &self.specials.convfmt, &mut text);
        text
    }

    /// A value that may outlive the record.
    #[inline]
    pub fn owned(&self, value: &Value) -> Value {
        value.to_owned(self.record.text())
    }

    /// A value that may outlive the record, in the allocation of a string that is no longer wanted
    /// where possible.
    #[inline]
    pub fn owned_in(&self, old: Option<HeapStr>, value: Value) -> Value {
        match value {
            Value::View(view) => Value::from_input_slice(
                old,
                self.record.text(),
                view.start as usize,
                view.end as usize,
            ),
            other => other,
        }
    }

    // Fields.

    /// Puts `$0` together if fields were assigned.
    #[inline]
    pub fn settle_record(&mut self) {
        if self.record.is_stale() {
            self.record.join(Joining {
                separator: &self.specials.ofs,
                convfmt: &self.specials.convfmt,
                row: self.tables.joins_as(),
            });
        }
    }

    /// A field, 0 being the record: a view where it is text of the record.
    #[inline(always)]
    pub fn field(&mut self, n: usize) -> Value {
        match self.field_view(n, n) {
            Some(view) => Value::View(view),
            None => self.unusual_field(n),
        }
    }

    /// A field, 0 being the record, where it is text of the record; otherwise it is an
    /// [unusual](Self::unusual_field) one. If it has to be looked for, so are those up to
    /// `reach`.
    #[inline(always)]
    pub fn field_view(&mut self, n: usize, reach: usize) -> Option<View> {
        if n == 0 { self.record.whole_view() } else { self.record.field_view(n, reach) }
    }

    /// A field that has no view.
    pub fn unusual_field(&mut self, n: usize) -> Value {
        if n == 0 {
            self.record.whole(Joining {
                separator: &self.specials.ofs,
                convfmt: &self.specials.convfmt,
                row: self.tables.joins_as(),
            })
        } else {
            self.record.unusual_field(n)
        }
    }

    /// The field number that a value is.
    ///
    /// # Errors
    /// It is negative, or past the limit.
    #[inline]
    pub fn field_number(&self, program: &Program, value: &Value) -> Fallible<usize> {
        let number = self.number(value);
        field_at(number).ok_or_else(|| self.bad_field_number(program, number.trunc()))
    }

    #[cold]
    fn bad_field_number(&self, program: &Program, number: f64) -> Fault {
        if let Some(fault) =
            self.columns.missing(number, self.tables.input, &program.columns.changed)
        {
            fault
        } else if number < 0.0 {
            Fault::new(format!("attempt to access field {number}: field numbers start at 0"))
        } else {
            too_many_fields(number)
        }
    }
}

impl Workspace {
    // Arrays.

    /// The key that a value is, handed to `f`.
    #[inline(always)]
    pub fn with_key<R>(
        &mut self,
        current: &CurrentRecord,
        key: &Value,
        f: impl FnOnce(Probe<'_>) -> R,
    ) -> R {
        f(Probe::from_value(
            key,
            current.record.text(),
            &current.specials.convfmt,
            &mut self.scratch[0],
        ))
    }
}

/// The field that a number stands for, its fraction cut off; none where there can be no field.
/// Comparisons and one conversion instead of `trunc`, which is a call: a column by its name takes
/// this way for each record.
#[inline(always)]
pub fn field_at(number: f64) -> Option<usize> {
    (number > -1.0 && number < FIELD_LIMIT as f64).then_some(number as i64 as usize)
}

/// The error for a record past what ranges can say.
#[cold]
pub fn record_too_long() -> Fault {
    Fault::new("a record is longer than the limit of 4294967295 bytes")
}
