//! Looking ahead through the window of the main input for a pattern that every record is asked for.

use crate::runtime::Runtime;
use riverhawk_record::ahead::{InWindow, Worth};

impl Runtime {
    /// Whether the record matches a constant regex; `None` when it must be searched in the usual
    /// way.
    #[inline]
    pub(crate) fn look_ahead(&mut self, re: usize) -> Option<bool> {
        if !self.current.record.is_in_window() {
            return None;
        }
        let (start, window) = self.main.place_of(self.current.record.text())?;
        let (epoch, end) = (self.main.epoch(), start + self.current.record.text().len());
        let (patterns, rule) = (&mut self.searches.patterns, &self.current.rule);
        self.searches.ahead.get_mut(re)?.look(InWindow { window, epoch, start, end }, |worth| {
            if patterns.is_literal(re) || worth == Worth::Pays && rule.is_line() {
                patterns.look_ahead(re)
            } else {
                None
            }
        })
    }

    /// As [`Runtime::look_ahead`], for literals only.
    #[inline]
    pub(crate) fn literal_ahead(&mut self, re: usize) -> Option<bool> {
        if self.searches.patterns.is_literal(re) { self.look_ahead(re) } else { None }
    }

    /// Notes the answer that the usual way gave.
    #[inline]
    pub(crate) fn note_match(&mut self, re: usize, found: bool) {
        if let Some(ahead) = self.searches.ahead.get_mut(re) {
            ahead.note(found);
        }
    }
}
