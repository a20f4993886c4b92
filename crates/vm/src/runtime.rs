//! Everything a running program touches besides registers: the record, specials, globals, patterns,
//! and the outer world.

use crate::backwards::ReversingOutputs;
use crate::main_input::MainInput;
use crate::precise::PreciseState;
use crate::printing::arguments::{HeldArguments, format_rules};
use riverhawk_awkio::Io;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_awkio::in_place::InPlace;
use riverhawk_builtins::random::Random;
use riverhawk_parallel::Noted;
use riverhawk_record::ahead::Ahead;
use riverhawk_record::patterns::Patterns;

use crate::specials::{Specials, too_many_fields};
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::record_rule::RecordRule;
use riverhawk_record::splitter::Splitter;
use riverhawk_record::table::{Columns, Flaws, Frames, Tables};
use riverhawk_record::terminator::{FIELD_LIMIT, Terminator};
use riverhawk_record::{Joining, Record, TextKind};
use riverhawk_text::Unit;
use riverhawk_value::format::Format;
use riverhawk_value::number::{DecimalPoint, NumberSyntax};
use riverhawk_value::{ArrayRef, HeapStr, Probe, Value, View, new_array};
use std::rc::Rc;

/// The state of a run.
pub struct Runtime {
    /// The program.
    pub program: Rc<Program>,
    /// The unit of characters.
    pub unit: Unit,
    /// Globals, then constants.
    pub statics: Vec<Value>,
    /// `$0` and its fields.
    pub record: Record,
    /// NR, FS and the like.
    pub specials: Specials,
    /// Regular expressions.
    pub patterns: Patterns,
    /// Where the literals among the constant regexes stand next, number for number.
    pub ahead: Vec<Ahead>,
    /// Constant formats.
    pub formats: Vec<Format>,
    /// What RS says.
    pub rule: RecordRule,
    /// What input and output are, if tables.
    pub tables: Tables,
    /// Files that are replaced by what is printed, if any are.
    pub in_place: Option<InPlace>,
    /// Files that are written backwards, for programs that have them.
    pub backwards: Option<Box<ReversingOutputs>>,
    /// The columns that the program names, and those of the file being read.
    pub columns: Columns,
    /// What stands around the JSON values of the file that is read.
    pub(crate) frames: Frames,
    /// What was wrong with rows of the file being read.
    pub(crate) flaws: Flaws,
    /// FS and RS have been told of as without effect.
    pub warned_of_separators: [bool; 2],
    /// What ended the last record.
    pub rt: Terminator,
    /// Its text, when it is more than a byte.
    pub rt_text: Vec<u8>,
    /// The files of the command line.
    pub main: MainInput,
    /// Everything else that is read and written.
    pub io: Io,
    /// ENVIRON, when the program uses it.
    pub environ: Option<ArrayRef>,
    /// Entries of ENVIRON that commands do not see as long as they are so.
    pub assumed: Vec<(Vec<u8>, Vec<u8>)>,
    /// SYMTAB and FUNCTAB.
    pub named: crate::named::Named,
    /// PROCINFO.
    pub process: crate::procinfo::ProcessInfo,
    /// `rand`.
    pub random: Random,
    /// Arithmetic of any precision.
    pub precise: PreciseState,
    /// What was formatted last.
    pub formatted: Vec<u8>,
    /// Text of numbers, one for each operand of an operation.
    pub scratch: [Vec<u8>; 3],
    /// What `sub` is putting together.
    pub assembly: Vec<u8>,
    /// The format that was computed last, and what it says.
    pub recent_format: Option<(Vec<u8>, Format)>,
    /// The values of a printf being formatted.
    pub arguments: HeldArguments,
    /// What library functions keep.
    pub library: crate::library::Kept,
    /// Ranges of the pieces of a `split`.
    pub pieces: Vec<(u32, u32)>,
    /// What is noted on the way, in a piece of a parallel run.
    pub notes: Noted,
    /// Globals that were assigned from outside the program's text: machine code that keeps globals
    /// in registers asks whether it was more of them.
    pub assignments: u64,
    /// The order of texts, where a locale says it.
    pub(crate) collation: Option<riverhawk_builtins::collation::Collation>,
    /// Warnings on standard error name the program by this.
    pub program_name: String,
    /// Those warnings.
    pub(crate) warnings: crate::warning::Warnings,
    /// What lint has to know.
    pub(crate) lint: crate::lint::Lint,
    /// What input text may be a number.
    pub numbers: NumberSyntax,
    /// What stands before a number's fraction.
    pub decimal_point: DecimalPoint,
}

impl Runtime {
    /// From now on this thread reads and writes numbers as the run was told.
    pub(crate) fn set_number_forms(&self) {
        self.numbers.set();
        self.decimal_point.set();
        self.precise.context.set_current();
    }

    /// A run that has not begun.
    pub fn new(program: Rc<Program>, patterns: Patterns, io: Io) -> Runtime {
        let mut statics: Vec<Value> = Vec::with_capacity(program.statics());
        // Arrays too: until its first use a variable is nothing yet, as `typeof` can tell.
        statics.resize(program.globals.len(), Value::Uninit);
        statics.extend(program.constants.iter().cloned());
        for constant in &statics {
            // Looked up once, here; what is made of known ASCII is then known to be ASCII.
            if let Value::Str(heap) = constant {
                heap.is_ascii();
            }
        }
        let rules = format_rules(program.dialect);
        let formats =
            program.formats.iter().map(|format| Format::parse_by(rules, format)).collect();
        let rule = RecordRule {
            separator: b"\n".to_vec(),
            generation: 0,
            options: *patterns.options(),
            rows: None,
            checked: false,
        };
        let mut record = Record::new(Splitter::Blanks);
        record.expect_fields(program.fields_named());
        Runtime {
            unit: patterns.unit(),
            statics,
            record,
            specials: Specials::default(),
            ahead: vec![Ahead::default(); program.regexes.len()],
            patterns,
            formats,
            rule,
            tables: Tables::default(),
            columns: Columns::default(),
            frames: Frames::default(),
            in_place: None,
            backwards: None,
            flaws: Flaws::default(),
            warned_of_separators: [false; 2],
            rt: Terminator::None,
            rt_text: Vec::new(),
            main: MainInput::default(),
            io,
            environ: None,
            assumed: Vec::new(),
            named: crate::named::Named::default(),
            process: crate::procinfo::ProcessInfo::default(),
            random: Random::default(),
            precise: PreciseState::default(),
            formatted: Vec::new(),
            scratch: Default::default(),
            assembly: Vec::new(),
            recent_format: None,
            arguments: HeldArguments::default(),
            library: crate::library::Kept::default(),
            pieces: Vec::new(),
            notes: Noted::default(),
            assignments: 0,
            collation: None,
            program_name: "rhawk".to_string(),
            warnings: crate::warning::Warnings::default(),
            lint: crate::lint::Lint::default(),
            numbers: NumberSyntax::Decimal,
            decimal_point: DecimalPoint::Period,
            program,
        }
    }

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
    pub fn field_number(&self, value: &Value) -> Fallible<usize> {
        let number = self.number(value);
        field_at(number).ok_or_else(|| self.bad_field_number(number.trunc()))
    }

    #[cold]
    fn bad_field_number(&self, number: f64) -> Fault {
        if let Some(fault) =
            self.columns.missing(number, self.tables.input, &self.program.columns.changed)
        {
            fault
        } else if number < 0.0 {
            Fault::new(format!("attempt to access field {number}: field numbers start at 0"))
        } else {
            too_many_fields(number)
        }
    }

    /// Assigns a field, 0 being the record.
    pub fn set_field(&mut self, n: usize, value: &Value) -> Fallible<()> {
        if n == 0 {
            let mut text = std::mem::take(&mut self.scratch[0]);
            text.clear();
            value.append_to(self.record.text(), &self.specials.convfmt, &mut text);
            let too_long = u32::try_from(text.len()).is_err();
            match value {
                _ if too_long => {}
                Value::Num(number) => self.record.set_whole(Value::Num(*number), &text),
                Value::Precise(_) | Value::Regex { .. } => {
                    self.record.set_whole(value.clone(), &text)
                }
                Value::Uninit | Value::Unassigned | Value::Untyped(_) => {
                    self.record.set_whole(Value::Unassigned, &text)
                }
                Value::Small(_) | Value::Str(_) => self.record.set_text(&text, TextKind::Text),
                _ => self.record.set_text(&text, TextKind::Input),
            }
            self.scratch[0] = text;
            return if too_long { Err(record_too_long()) } else { Ok(()) };
        }
        if self.tables.is_json() {
            return self.record.set_json_member(n, value);
        }
        if n >= FIELD_LIMIT {
            return Err(too_many_fields(n as f64));
        }
        if self.tables.keep_header {
            self.check_column(n)?;
        }
        let value = self.owned(value);
        self.record.set_field(n, value);
        Ok(())
    }

    /// `delete @"name"`: the field has no value any more; what a path leads to in JSON is gone.
    ///
    /// # Errors
    /// As [`Runtime::set_field`].
    pub(crate) fn delete_field(&mut self, n: usize) -> Fallible<()> {
        if !self.tables.is_json() {
            return self.set_field(n, &Value::Uninit);
        }
        self.record.delete_json_member(n);
        Ok(())
    }

    // Arrays.

    /// The array that a slot holds, made when the slot holds nothing yet.
    ///
    /// # Errors
    /// The slot holds a scalar.
    #[inline(always)]
    pub fn array(slot: &mut Value) -> Fallible<&ArrayRef> {
        if !matches!(slot, Value::Array(_)) {
            become_array(slot)?;
        }
        match slot {
            Value::Array(array) => Ok(array),
            _ => Err(Fault::new("not an array")),
        }
    }

    /// The key that a value is, handed to `f`.
    #[inline(always)]
    pub fn with_key<R>(&mut self, key: &Value, f: impl FnOnce(Probe<'_>) -> R) -> R {
        f(Probe::from_value(key, self.record.text(), &self.specials.convfmt, &mut self.scratch[0]))
    }
}

/// The field that a number stands for, its fraction cut off; none where there can be no field.
/// Comparisons and one conversion instead of `trunc`, which is a call: a column by its name takes
/// this way for each record.
#[inline(always)]
pub fn field_at(number: f64) -> Option<usize> {
    (number > -1.0 && number < FIELD_LIMIT as f64).then_some(number as i64 as usize)
}

#[cold]
#[inline(never)]
fn become_array(slot: &mut Value) -> Fallible<()> {
    let array = match slot {
        Value::Uninit => new_array(),
        Value::Untyped(cell) => cell.get_or_init(new_array).clone(),
        _ => return Err(Fault::new("a scalar is used as an array")),
    };
    *slot = Value::Array(array);
    Ok(())
}

/// The error for a record past what ranges can say.
#[cold]
pub fn record_too_long() -> Fault {
    Fault::new("a record is longer than the limit of 4294967295 bytes")
}
