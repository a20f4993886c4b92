//! Reads and assigns specials. An assignment also changes what the special controls, such as the
//! compiled separators.

use super::too_many_fields;
use crate::arithmetic::Arithmetic;
use crate::current::CurrentRecord;
use crate::outside::Outside;
use crate::printing::arguments::format_rules;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::table::TableFormat;
use riverhawk_record::terminator::Terminator;
use riverhawk_syntax::ast::Special;
use riverhawk_value::format::Format;
use riverhawk_value::{NumberFormat, Value};

impl Runtime {
    pub fn set_special(&mut self, special: Special, value: Value) -> Fallible<()> {
        let Runtime { program, current, arithmetic, outside, library, .. } = self;
        current.specials.counters_assigned |= matches!(special, Special::Nr | Special::Fnr);
        match special {
            Special::Nr if program.precise => {
                current.specials.nr = arithmetic.set_counter(current, special, &value)
            }
            Special::Fnr if program.precise => {
                current.specials.fnr = arithmetic.set_counter(current, special, &value)
            }
            Special::Nr => current.specials.nr = current.number(&value).trunc(),
            Special::Fnr => current.specials.fnr = current.number(&value).trunc(),
            Special::Nf => return self.set_field_count(&value),
            Special::Fs => return self.set_field_separator(value),
            Special::Rs => return self.set_record_separator(value),
            Special::Fieldwidths | Special::Fpat => return self.set_field_mode(special, value),
            Special::Ignorecase => {
                let ignore = value.truth(current.record.text());
                self.set_ignore_case(ignore)?
            }
            Special::Ofs => {
                // A stale `$0` is joined by the OFS of its last assignment.
                current.settle_record();
                current.specials.ofs = current.text_of(&value);
            }
            Special::Ors => current.specials.ors = current.text_of(&value),
            Special::Subsep => current.specials.subsep = current.text_of(&value),
            Special::Convfmt => {
                current.specials.convfmt = current.number_format(program, special, &value)?
            }
            Special::Ofmt => {
                current.specials.ofmt = current.number_format(program, special, &value)?
            }
            Special::Rt => {
                if current.tables.edits {
                    current.columns.keep_end(current.specials.fnr, current.rt);
                }
                current.rt_text = current.text_of(&value);
                current.rt = Terminator::Text;
            }
            Special::Encoding => {
                // Programs use this name for variables of their own (`ENCODING = "BASE64"`), so an
                // unknown encoding is an error only on the command line.
                let name = current.text_of(&value);
                if let Ok(coding) = library.coding("ENCODING", &name) {
                    outside.io.inputs.set_coding(coding);
                }
            }
            Special::Rstart
            | Special::Rlength
            | Special::Filename
            | Special::Argind
            | Special::Errno => {}
            Special::Lint => outside.set_lint(current, &value)?,
            Special::Prec => arithmetic.set_precision(program, current, outside, &value)?,
            Special::Roundmode => arithmetic.set_rounding(program, current, outside, &value)?,
            // These have no effect: files are binary, and there are no catalogues.
            Special::Binmode | Special::Textdomain => {}
        }
        self.current.specials.store(special, value);
        Ok(())
    }

    fn set_field_count(&mut self, value: &Value) -> Fallible<()> {
        let count = self.current.number(value).trunc();
        if count < 0.0 {
            return Err(Fault::new(format!("NF set to a negative value ({count})")));
        }
        if count >= riverhawk_record::terminator::FIELD_LIMIT as f64 || count.is_nan() {
            return Err(too_many_fields(count));
        }
        if self.current.tables.is_json() {
            return self.current.record.set_json_count(count as usize);
        }
        if self.current.tables.keep_header {
            self.outside.check_column(&self.program, &mut self.current, count as usize)?;
        }
        let kept = match value {
            Value::Uninit | Value::Unassigned | Value::Untyped(_) => Value::EMPTY,
            value => self.current.owned(value),
        };
        self.current.record.set_count(count as usize, kept);
        Ok(())
    }

    fn set_record_separator(&mut self, value: Value) -> Fallible<()> {
        let mut text = self.current.text_of(&value);
        if !self.program.dialect.has_extensions() {
            text.truncate(1);
        }
        self.searches.patterns.escapes.look_at_separator(&text);
        self.searches.warn_of_unknown_escapes(&self.current, &mut self.outside)?;
        if self.current.tables.input.is_some() {
            return self.outside.store_beside_tables(&mut self.current, Special::Rs, value, &text);
        }
        self.current.specials.store(Special::Rs, value);
        let paragraphs_before = self.current.rule.separator.is_empty();
        self.current.rule.separator = text;
        self.current.rule.generation += 1;
        // Reports an invalid regex now, not at the next record.
        self.current.rule.separator()?;
        self.main.follow_separator(&self.current)?;
        if self.current.rule.separator.is_empty() == paragraphs_before {
            Ok(())
        } else {
            self.follow_field_mode()
        }
    }
}

impl CurrentRecord {
    pub fn special(
        &mut self,
        program: &Program,
        arithmetic: &Arithmetic,
        special: Special,
    ) -> Value {
        match special {
            Special::Nr => self.counter(program, arithmetic, special, self.specials.nr),
            Special::Fnr => self.counter(program, arithmetic, special, self.specials.fnr),
            Special::Nf => match self.record.assigned_count() {
                Some(value) => value.clone(),
                None => Value::Num(self.record.count() as f64),
            },
            Special::Rt => self.terminator(),
            other => self.specials.value(other).clone(),
        }
    }

    fn counter(
        &self,
        program: &Program,
        arithmetic: &Arithmetic,
        special: Special,
        count: f64,
    ) -> Value {
        if program.precise
            && let Some(large) = arithmetic.large_counter(special, count)
        {
            return large;
        }
        match self.specials.value(special) {
            Value::Uninit | Value::Unassigned | Value::Num(_) => Value::Num(count),
            assigned if self.number(assigned).trunc() == count => assigned.clone(),
            _ => Value::Num(count),
        }
    }

    /// gawk reports this when it converts a number; here conversions cannot fail.
    fn number_format(
        &self,
        program: &Program,
        special: Special,
        value: &Value,
    ) -> Fallible<NumberFormat> {
        let text = self.text_of(value);
        Format::for_numbers(format_rules(program.dialect), &text).map_err(|error| {
            Fault::new(format!(
                "{} \"{}\" cannot format one number: {}",
                special.name(),
                String::from_utf8_lossy(&text),
                error.explain(&text)
            ))
        })
    }

    fn is_separator(&self, special: Special, text: &[u8]) -> bool {
        let separator =
            self.tables.input.filter(|_| !self.tables.is_json()).map(TableFormat::separator);
        special == Special::Fs && matches!(text, &[byte] if Some(byte) == separator)
    }
}

impl Outside {
    pub(crate) fn store_beside_tables(
        &mut self,
        current: &mut CurrentRecord,
        special: Special,
        value: Value,
        text: &[u8],
    ) -> Fallible<()> {
        let is_new = text != current.text_of(current.specials.value(special))
            && !current.is_separator(special, text);
        current.specials.store(special, value);
        let warned = &mut current.warned_of_separators[usize::from(special == Special::Rs)];
        if !is_new || std::mem::replace(warned, true) {
            return Ok(());
        }
        let option = current.tables.input.map_or("", |format| format.option());
        let separators = if special == Special::Rs { "RS" } else { "FS/FIELDWIDTHS/FPAT" };
        self.warn_here(
            current,
            &format!("assignment to {separators} has no effect when using {option}"),
        )
    }
}
