//! The states of a run, and what needs most of them.

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

pub struct Runtime {
    pub(crate) program: Arc<Program>,
    pub(crate) current: CurrentRecord,
    pub(crate) globals: Globals,
    pub(crate) searches: Searches,
    pub(crate) workspace: Workspace,
    pub(crate) locale: Locale,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) main: MainInput,
    pub(crate) outside: Outside,
    pub(crate) library: crate::library::Kept,
}

impl Runtime {
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

    /// Assigns a field or, for 0, the record.
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

    /// `delete @"name"`.
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
    /// This thread reads and writes numbers as the run does.
    pub(crate) fn set_number_forms(&self) {
        self.numbers.set();
        self.decimal_point.set();
        self.precise.context.set_current();
    }
}

impl CurrentRecord {
    #[inline]
    pub fn number(&self, value: &Value) -> f64 {
        value.number(self.record.text())
    }

    pub fn text_of(&self, value: &Value) -> Vec<u8> {
        let mut text = Vec::new();
        value.append_to(self.record.text(), &self.specials.convfmt, &mut text);
        text
    }

    #[inline]
    pub fn owned(&self, value: &Value) -> Value {
        value.to_owned(self.record.text())
    }

    /// Owned, in the allocation of an unneeded string where possible.
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

    /// A field or, for 0, the record: a view where possible.
    #[inline(always)]
    pub fn field(&mut self, n: usize) -> Value {
        match self.field_view(n, n) {
            Some(view) => Value::View(view),
            None => self.unusual_field(n),
        }
    }

    /// A field or, for 0, the record, unless it is [unusual](Self::unusual_field). A search for it
    /// finds fields up to `reach`.
    #[inline(always)]
    pub fn field_view(&mut self, n: usize, reach: usize) -> Option<View> {
        if n == 0 { self.record.whole_view() } else { self.record.field_view(n, reach) }
    }

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

    /// # Errors
    /// The number is negative, or past the limit.
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

/// The field of a number, without its fraction; none where there can be none. No `trunc`, which is
/// a call: columns by name come here for each record.
#[inline(always)]
pub fn field_at(number: f64) -> Option<usize> {
    (number > -1.0 && number < FIELD_LIMIT as f64).then_some(number as i64 as usize)
}

#[cold]
pub fn record_too_long() -> Fault {
    Fault::new("a record is longer than the limit of 4294967295 bytes")
}
