//! The current record, and how records are read, split and put together.

use crate::specials::{Specials, too_many_fields};
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::record_rule::RecordRule;
use riverhawk_record::splitter::Splitter;
use riverhawk_record::table::{Columns, Flaws, Frames, Tables};
use riverhawk_record::terminator::{FIELD_LIMIT, Terminator};
use riverhawk_record::{Joining, Record};
use riverhawk_regex::Options;
use riverhawk_value::number::to_number_within;
use riverhawk_value::{Value, View};

pub(crate) struct CurrentRecord {
    pub(crate) record: Record,
    pub(crate) specials: Specials,
    pub(crate) rule: RecordRule,
    pub(crate) rt: Terminator,
    pub(crate) rt_text: Vec<u8>,
    pub(crate) tables: Tables,
    pub(crate) columns: Columns,
    pub(crate) frames: Frames,
    pub(crate) flaws: Flaws,
    pub(crate) warned_of_separators: [bool; 2],
}

impl CurrentRecord {
    pub(crate) fn new(program: &Program, options: Options) -> CurrentRecord {
        let mut record = Record::new(Splitter::Blanks);
        match program.takes_fields_in_turn() {
            true => record.expect_all_fields(),
            false => record.expect_fields(program.fields_named()),
        }
        CurrentRecord {
            record,
            specials: Specials::default(),
            rule: RecordRule {
                separator: b"\n".to_vec(),
                generation: 0,
                options,
                rows: None,
                checked: false,
            },
            rt: Terminator::None,
            rt_text: Vec::new(),
            tables: Tables::default(),
            columns: Columns::default(),
            frames: Frames::default(),
            flaws: Flaws::default(),
            warned_of_separators: [false; 2],
        }
    }

    #[inline]
    pub fn number(&self, value: &Value) -> f64 {
        value.number(self.record.text_and_behind())
    }

    /// Without what asking for the kind of a value takes.
    #[inline(always)]
    pub fn number_of(&self, view: View) -> f64 {
        to_number_within(self.record.text_and_behind(), view.start as usize, view.end as usize)
    }

    pub fn text_of(&self, value: &Value) -> Vec<u8> {
        let mut text = Vec::new();
        value.append_to(self.record.text(), &self.specials.convfmt, &mut text);
        text
    }

    #[inline]
    pub fn owned(&self, value: &Value) -> Value {
        value.to_owned(self.record.text_and_behind())
    }

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

    #[inline(always)]
    pub fn field(&mut self, n: usize) -> Value {
        match self.field_view(n, n) {
            Some(view) => Value::View(view),
            None => self.unusual_field(n),
        }
    }

    /// A field, or the record for 0; `None` if it is [unusual](Self::unusual_field). Also finds
    /// fields up to `reach`.
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

/// The field with this number, without its fraction. `trunc` would be a call for each record.
#[inline(always)]
pub fn field_at(number: f64) -> Option<usize> {
    (number > -1.0 && number < FIELD_LIMIT as f64).then_some(number as i64 as usize)
}
