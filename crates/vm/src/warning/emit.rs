//! Warnings of a run.

use super::{Drawing, Warning};
use crate::error::InputPosition;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_syntax::ast::Special;

impl Runtime {
    /// Writes a warning about the running operation to standard error.
    ///
    /// # Errors
    /// None today; what warns can fail, since lint may be told to end the run.
    #[cold]
    #[inline(never)]
    pub(crate) fn warn_here(&mut self, message: &str) -> Fallible<()> {
        let span = self.program.spans.get(self.outside.warnings.at as usize).copied();
        let again = span.is_some_and(|span| !self.outside.warnings.reported.insert(span));
        self.tell(Warning {
            message: message.to_owned(),
            span,
            input: self.input_position(),
            again,
            help: None,
        })
    }

    /// As [`Runtime::warn_here`], once for each place, with what to do about it.
    ///
    /// # Errors
    /// As there.
    #[cold]
    pub(crate) fn warn_once_here(&mut self, message: &str, help: &str) -> Fallible<()> {
        let span = self.program.spans.get(self.outside.warnings.at as usize).copied();
        if span.is_some_and(|span| !self.outside.warnings.reported.insert(span)) {
            return Ok(());
        }
        let (message, help) = (message.to_owned(), Some(help.to_owned()));
        self.tell(Warning { message, span, input: self.input_position(), again: false, help })
    }

    /// Writes a warning to standard error that is about no place in the program: an operand, for
    /// one.
    ///
    /// # Errors
    /// As [`Runtime::warn_here`].
    #[cold]
    pub(crate) fn warn(&mut self, message: &str) -> Fallible<()> {
        self.tell(Warning {
            message: message.to_owned(),
            span: None,
            input: None,
            again: false,
            help: None,
        })
    }

    /// What was printed before comes before it.
    fn tell(&mut self, warning: Warning) -> Fallible<()> {
        self.outside.io.outputs.write_stdout()?;
        let text = match &self.outside.warnings.drawing {
            Some(Drawing(draw)) => draw(&warning),
            None => format!("{}: warning: {}\n", self.outside.warnings.program_name, warning.message),
        };
        // A standard error that nobody can write to must not end the program.
        let _ = self.outside.io.outputs.stderr().write(text.as_bytes());
        let _ = self.outside.io.outputs.stderr().end_print();
        Ok(())
    }

    /// The record that is being worked on, from the first one on.
    pub(crate) fn input_position(&self) -> Option<InputPosition> {
        (self.current.specials.nr > 0.0).then(|| self.position())
    }

    /// Where the main input is.
    pub(crate) fn position(&self) -> InputPosition {
        let file = self.text_of(self.current.specials.value(Special::Filename));
        InputPosition { file, record: self.current.specials.fnr as u64 }
    }
}
