//! Assigning FS, FIELDWIDTHS and FPAT.

use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_record::field_mode::FieldMode;
use riverhawk_record::splitter::Splitter;
use riverhawk_record::widths::Widths;
use riverhawk_syntax::ast::Special;
use riverhawk_value::Value;
use std::rc::Rc;

impl Runtime {
    /// FIELDWIDTHS or FPAT is assigned, and says from the next record on what fields are.
    pub(crate) fn set_field_mode(&mut self, special: Special, value: Value) -> Fallible<()> {
        let text = self.text_of(&value);
        if self.current.tables.input.is_some() {
            return self.store_beside_tables(special, value, &text);
        }
        self.current.specials.store(special, value);
        self.current.specials.mode = match special {
            Special::Fieldwidths => FieldMode::Widths(Rc::new(Widths::parse(&text, self.locale.unit)?)),
            _ => FieldMode::Pattern(self.searches.patterns.dynamic(&text)?),
        };
        self.warn_of_unknown_escapes()?;
        self.follow_field_mode()
    }

    /// FS is assigned.
    pub(crate) fn set_field_separator(&mut self, value: Value) -> Fallible<()> {
        let text = self.text_of(&value);
        self.searches.patterns.escapes.look_at_separator(&text);
        self.warn_of_unknown_escapes()?;
        if self.current.tables.input.is_some() {
            return self.store_beside_tables(Special::Fs, value, &text);
        }
        self.current.specials.store(Special::Fs, value);
        self.current.specials.mode = FieldMode::Separator;
        self.follow_field_mode()
    }

    /// From the next record on fields are what the variables say now.
    pub(crate) fn follow_field_mode(&mut self) -> Fallible<()> {
        let splitter = self.field_splitter()?;
        self.current.record.set_splitter(splitter);
        self.tell_field_mode(self.current.specials.mode.variable().name());
        Ok(())
    }

    /// What fields are, as a splitter.
    pub fn field_splitter(&self) -> Fallible<Splitter> {
        if let Some(format) = self.current.tables.input {
            return Ok(Splitter::Row(format));
        }
        match &self.current.specials.mode {
            FieldMode::Separator => {
                let fs = self.text_of(self.current.specials.value(Special::Fs));
                let paragraphs = self.current.rule.separator.is_empty();
                if fs.is_empty() && !self.program.dialect.has_extensions() {
                    return Ok(Splitter::whole(paragraphs, self.searches.patterns.options())?);
                }
                Ok(Splitter::new(&fs, paragraphs, self.searches.patterns.options(), self.locale.unit)?)
            }
            FieldMode::Widths(widths) => Ok(Splitter::Widths(widths.clone())),
            FieldMode::Pattern(regex) => Ok(Splitter::Fields(regex.clone())),
        }
    }

    /// What `split` without a separator goes by: FS, whatever fields are.
    pub(crate) fn default_splitter(&mut self) -> Fallible<Splitter> {
        match self.current.specials.mode {
            // In paragraph mode a newline separates the record's fields besides FS, but not what is
            // split.
            FieldMode::Separator
                if !self.current.rule.separator.is_empty() || self.current.tables.input.is_some() =>
            {
                Ok(self.current.record.splitter().clone())
            }
            _ => {
                let fs = self.text_of(self.current.specials.value(Special::Fs));
                Ok(self.searches.patterns.splitter(&fs)?)
            }
        }
    }
}
