//! Assigning IGNORECASE.

use super::folded;
use crate::locale::Locale;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_record::ahead::Ahead;

impl Runtime {
    pub(crate) fn set_ignore_case(&mut self, ignore: bool) -> Fallible<()> {
        if ignore == self.current.specials.ignore_case {
            return Ok(());
        }
        self.current.specials.ignore_case = ignore;
        self.locale.update_comparison(&self.program, &mut self.current);
        self.searches.patterns.switch_case();
        self.current.rule.options = *self.searches.patterns.options();
        // The matches found ahead were those of the other set.
        self.searches.ahead.fill(Ahead::default());
        self.current.rule.generation += 1;
        self.main.follow_separator(&self.current)?;
        self.follow_field_mode()
    }
}

impl Locale {
    #[cold]
    pub(crate) fn index_of_folded(&self, text: &[u8], wanted: &[u8]) -> usize {
        let unit = self.unit;
        riverhawk_text::index(&folded(text, unit), &folded(wanted, unit), unit)
    }
}
