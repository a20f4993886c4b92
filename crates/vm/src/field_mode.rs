//! Assigning FS, FIELDWIDTHS and FPAT.

use crate::current::CurrentRecord;
use crate::locale::Locale;
use crate::runtime::Runtime;
use crate::searches::Searches;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::field_mode::FieldMode;
use riverhawk_record::splitter::Splitter;
use riverhawk_record::widths::Widths;
use riverhawk_syntax::ast::Special;
use riverhawk_value::Value;
use std::rc::Rc;

impl Runtime {
    /// Takes effect at the next record.
    pub(crate) fn set_field_mode(&mut self, special: Special, value: Value) -> Fallible<()> {
        let text = self.current.text_of(&value);
        if self.current.tables.input.is_some() {
            return self.outside.store_beside_tables(&mut self.current, special, value, &text);
        }
        self.current.specials.store(special, value);
        self.current.specials.mode = match special {
            Special::Fieldwidths => {
                FieldMode::Widths(Rc::new(Widths::parse(&text, self.locale.unit)?))
            }
            _ => FieldMode::Pattern {
                regex: self.searches.patterns.dynamic(&text)?,
                ignores_case: self.current.specials.ignore_case,
            },
        };
        self.searches.warn_of_unknown_escapes(&self.current, &mut self.outside)?;
        self.follow_field_mode()
    }

    pub(crate) fn set_field_separator(&mut self, value: Value) -> Fallible<()> {
        let text = self.current.text_of(&value);
        self.searches.patterns.escapes.look_at_separator(&text);
        self.searches.warn_of_unknown_escapes(&self.current, &mut self.outside)?;
        if self.current.tables.input.is_some() {
            return self.outside.store_beside_tables(&mut self.current, Special::Fs, value, &text);
        }
        self.current.specials.store(Special::Fs, value);
        self.current.specials.mode = FieldMode::Separator;
        self.follow_field_mode()
    }

    pub(crate) fn follow_field_mode(&mut self) -> Fallible<()> {
        let splitter = self.searches.field_splitter(&self.program, &self.current, &self.locale)?;
        self.current.record.set_splitter(splitter);
        self.globals.set_field_mode_element(self.current.specials.mode.variable().name());
        Ok(())
    }
}

impl Searches {
    pub fn field_splitter(
        &self,
        program: &Program,
        current: &CurrentRecord,
        locale: &Locale,
    ) -> Fallible<Splitter> {
        if let Some(format) = current.tables.input {
            return Ok(Splitter::Row(format));
        }
        match &current.specials.mode {
            FieldMode::Separator => {
                let fs = current.text_of(current.specials.value(Special::Fs));
                let newlines = current.rule.newlines();
                if fs.is_empty() && !program.dialect.has_extensions() {
                    return Ok(Splitter::whole(newlines, self.patterns.options())?);
                }
                Ok(Splitter::new(&fs, newlines, self.patterns.options(), locale.unit)?)
            }
            FieldMode::Widths(widths) => Ok(Splitter::Widths(widths.clone())),
            FieldMode::Pattern { regex, .. } => Ok(Splitter::Fields(regex.clone())),
        }
    }

    /// `split` uses FS, even if FPAT or FIELDWIDTHS splits records.
    pub(crate) fn default_splitter(&mut self, current: &CurrentRecord) -> Fallible<Splitter> {
        match current.specials.mode {
            // In paragraph mode a newline separates fields, but not the pieces of `split`.
            FieldMode::Separator
                if !current.rule.separator.is_empty() || current.tables.input.is_some() =>
            {
                Ok(current.record.splitter().clone())
            }
            _ => {
                let fs = current.text_of(current.specials.value(Special::Fs));
                Ok(self.patterns.splitter(&fs)?)
            }
        }
    }
}
