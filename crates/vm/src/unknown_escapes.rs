//! Warning of escapes that regular expressions do not have.

use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_syntax::lint::unknown_escape_message;

impl Runtime {
    /// Warns of those that patterns were seen to have.
    #[inline]
    pub(crate) fn warn_of_unknown_escapes(&mut self) -> Fallible<()> {
        if self.searches.patterns.escapes.has_unreported() { self.warn_of_escapes() } else { Ok(()) }
    }

    #[cold]
    fn warn_of_escapes(&mut self) -> Fallible<()> {
        for letter in self.searches.patterns.escapes.take_unreported() {
            self.warn_here(&unknown_escape_message(letter))?;
        }
        Ok(())
    }
}
