//! Searching through the window for a record's sake.

use super::LookAhead;
use crate::runtime::Runtime;

impl Runtime {
    /// Whether the record matches a constant regex; `None` when it must be searched in the usual
    /// way.
    #[inline]
    pub(crate) fn look_ahead(&mut self, re: usize) -> Option<bool> {
        if !self.record.is_in_window() {
            return None;
        }
        let (start, window) = self.main.place_of(self.record.text())?;
        let end = start + self.record.text().len();
        let ahead = self.ahead.get_mut(re)?;
        if ahead.epoch == self.main.epoch() && ahead.from <= start && start <= ahead.next {
            if end <= ahead.next {
                ahead.note(false);
                return Some(false);
            }
        } else {
            if !(self.patterns.is_literal(re) || ahead.pays() && self.rule.is_line()) {
                return None;
            }
            let look_ahead = self.patterns.look_ahead(re)?;
            if let (true, LookAhead::Literal(literal)) =
                (ahead.epoch != self.main.epoch() || start < ahead.from, &mut *look_ahead)
            {
                literal.restart();
            }
            let (next, length) = look_ahead.next(window, start);
            (ahead.epoch, ahead.from, ahead.next, ahead.length) =
                (self.main.epoch(), start, next, length);
        }
        // A literal may begin in this record and end in the next: then it is in neither.
        let found = ahead.next + ahead.length <= end;
        ahead.note(found);
        Some(found)
    }

    /// As [`Runtime::look_ahead`], for literals only.
    #[inline]
    pub(crate) fn literal_ahead(&mut self, re: usize) -> Option<bool> {
        if self.patterns.is_literal(re) { self.look_ahead(re) } else { None }
    }

    /// Notes the answer that the usual way gave.
    #[inline]
    pub(crate) fn note_match(&mut self, re: usize, found: bool) {
        if let Some(ahead) = self.ahead.get_mut(re) {
            ahead.note(found);
        }
    }
}
