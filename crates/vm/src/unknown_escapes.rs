//! Warns of escapes that regular expressions do not have.

use crate::current::CurrentRecord;
use crate::outside::Outside;
use crate::searches::Searches;
use riverhawk_awkio::fault::Fallible;
use riverhawk_syntax::lint::unknown_escape_message;

impl Searches {
    #[inline]
    pub(crate) fn warn_of_unknown_escapes(
        &mut self,
        current: &CurrentRecord,
        outside: &mut Outside,
    ) -> Fallible<()> {
        if self.patterns.escapes.has_unreported() {
            self.warn_of_escapes(current, outside)
        } else {
            Ok(())
        }
    }

    #[cold]
    fn warn_of_escapes(&mut self, current: &CurrentRecord, outside: &mut Outside) -> Fallible<()> {
        for letter in self.patterns.escapes.take_unreported() {
            outside.warn_here(current, &unknown_escape_message(letter))?;
        }
        Ok(())
    }
}
