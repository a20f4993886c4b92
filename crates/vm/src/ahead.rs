//! Searches the window for a pattern that every record is matched with, so that records without a
//! match cost nothing.

use crate::current::CurrentRecord;
use crate::main_input::MainInput;
use crate::searches::Searches;
use riverhawk_record::ahead::{InWindow, LookAheadScope, TestedRecord};

impl Searches {
    #[inline]
    pub(crate) fn look_ahead(
        &mut self,
        current: &CurrentRecord,
        main: &MainInput,
        re: usize,
    ) -> Option<bool> {
        // In a part of a record, `$` is where no line ends.
        let is_literal = self.patterns.is_literal(re);
        let record = &current.record;
        if !(record.is_in_window() || is_literal && record.is_within_window()) {
            return None;
        }
        let (start, window) = main.place_of(current.record.text())?;
        let (epoch, end) = (main.epoch(), start + current.record.text().len());
        let (patterns, rule) = (&mut self.patterns, &current.rule);
        self.ahead.get_mut(re)?.look(InWindow { window, epoch, start, end }, |worth| {
            if is_literal || worth == LookAheadScope::Pays && rule.is_line() {
                patterns.look_ahead(re)
            } else {
                None
            }
        })
    }

    #[inline]
    pub(crate) fn literal_ahead(
        &mut self,
        current: &CurrentRecord,
        main: &MainInput,
        re: usize,
    ) -> Option<bool> {
        if self.patterns.is_literal(re) { self.look_ahead(current, main, re) } else { None }
    }

    #[inline]
    pub(crate) fn note_tested(&mut self, re: usize, record: TestedRecord) {
        if let Some(ahead) = self.ahead.get_mut(re) {
            ahead.note_tested(record);
        }
    }
}
