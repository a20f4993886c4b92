//! Warning of unknown escapes.

use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_syntax::lint::unknown_escape_message;

impl Runtime {
    /// Tells of what patterns were seen to have.
    #[inline]
    pub(crate) fn tell_unknown_escapes(&mut self) -> Fallible<()> {
        match self.patterns.escapes.untold.is_empty() {
            true => Ok(()),
            false => self.tell_of_escapes(),
        }
    }

    #[cold]
    fn tell_of_escapes(&mut self) -> Fallible<()> {
        for letter in std::mem::take(&mut self.patterns.escapes.untold) {
            self.warn_here(&unknown_escape_message(letter))?;
        }
        Ok(())
    }
}
