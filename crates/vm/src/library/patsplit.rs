//! `patsplit`: the matches of a regex are the pieces.

use crate::current::CurrentRecord;
use crate::memory;
use crate::runtime::Runtime;
use crate::searches::Searches;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_record::field_mode::FieldMode;
use riverhawk_regex::{Match, Regex};
use riverhawk_syntax::ast::Special;
use riverhawk_value::{ArrayRef, Probe, Value};
use std::rc::Rc;

impl Runtime {
    /// Empty matches count as in gsub.
    pub(super) fn patsplit(
        &mut self,
        s: &Value,
        array: &ArrayRef,
        re: Option<&Value>,
        between: Option<&ArrayRef>,
    ) -> Fallible<Value> {
        self.globals.check_pieces("patsplit", array, between)?;
        let regex = match re {
            Some(re) => self.regex_of(re)?,
            None => self.searches.field_pattern(&self.current)?,
        };
        if regex.pattern().is_empty() {
            return Err(Fault::new("patsplit: third argument must be non-null"));
        }
        let mut scratch = std::mem::take(&mut self.workspace.scratch[0]);
        let text = s.text(self.current.record.text(), &self.current.specials.convfmt, &mut scratch);
        // An empty text has no pieces, even if the regex matches it.
        let found: Vec<Match> = match text.is_empty() {
            true => Vec::new(),
            false => memory::while_memory_lasts(regex.matches(text)).collect(),
        };
        array
            .borrow_mut()
            .fill(found.iter().map(|found| Value::from_input(&text[found.start..found.end])));
        if let Some(between) = between {
            let mut between = between.borrow_mut();
            between.clear();
            let starts = std::iter::once(0).chain(found.iter().map(|found| found.end));
            let ends = found.iter().map(|found| found.start).chain(std::iter::once(text.len()));
            for (at, (start, end)) in memory::while_memory_lasts((0..).zip(starts.zip(ends))) {
                if !text.is_empty() {
                    between.set(Probe::Int(at), Value::from_input(&text[start..end]));
                }
            }
        }
        self.workspace.scratch[0] = scratch;
        Ok(Value::Num(found.len() as f64))
    }

    pub(super) fn regex_of(&mut self, re: &Value) -> Fallible<Rc<Regex>> {
        if let Value::Regex { number, text } = re {
            return Ok(self.searches.patterns.of_value(*number, text.as_bytes())?);
        }
        let mut scratch = std::mem::take(&mut self.workspace.scratch[2]);
        let regex = self.searches.patterns.dynamic(re.text(
            self.current.record.text(),
            &self.current.specials.convfmt,
            &mut scratch,
        ));
        self.workspace.scratch[2] = scratch;
        self.searches.warn_of_unknown_escapes(&self.current, &mut self.outside)?;
        Ok(regex?)
    }
}

impl Searches {
    /// FPAT, with the IGNORECASE of its assignment, if it splits records.
    fn field_pattern(&mut self, current: &CurrentRecord) -> Fallible<Rc<Regex>> {
        if let FieldMode::Pattern { regex, .. } = &current.specials.mode {
            return Ok(regex.clone());
        }
        let text = current.text_of(current.specials.value(Special::Fpat));
        Ok(self.patterns.dynamic(&text)?)
    }
}
