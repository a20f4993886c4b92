//! Emits warnings.

use super::{Drawing, Warning};
use crate::current::CurrentRecord;
use crate::error::InputPosition;
use crate::outside::Outside;
use riverhawk_awkio::fault::Fallible;
use riverhawk_syntax::ast::Special;

impl Outside {
    #[cold]
    #[inline(never)]
    pub(crate) fn warn_here(&mut self, current: &CurrentRecord, message: &str) -> Fallible<()> {
        let span = self.warnings.program.spans.get(self.warnings.at as usize).copied();
        let again = span.is_some_and(|span| !self.warnings.reported.insert(span));
        self.print_warning(Warning {
            message: message.to_owned(),
            span,
            input: current.input_position(),
            again,
            help: None,
        })
    }

    #[cold]
    pub(crate) fn warn_once_here(
        &mut self,
        current: &CurrentRecord,
        message: &str,
        help: &str,
    ) -> Fallible<()> {
        let span = self.warnings.program.spans.get(self.warnings.at as usize).copied();
        if span.is_some_and(|span| !self.warnings.reported.insert(span)) {
            return Ok(());
        }
        let (message, help) = (message.to_owned(), Some(help.to_owned()));
        self.print_warning(Warning {
            message,
            span,
            input: current.input_position(),
            again: false,
            help,
        })
    }

    /// Whether a comment of the program allows this warning here.
    #[cold]
    pub(crate) fn is_allowed(&self, message: &str) -> bool {
        let span = self.warnings.program.spans.get(self.warnings.at as usize).copied();
        let warning =
            Warning { message: message.to_owned(), span, input: None, again: true, help: None };
        self.warnings.drawing.as_ref().is_some_and(|Drawing(draw)| draw(&warning).is_none())
    }

    #[cold]
    pub(crate) fn warn(&mut self, message: &str) -> Fallible<()> {
        self.print_warning(Warning {
            message: message.to_owned(),
            span: None,
            input: None,
            again: false,
            help: None,
        })
    }

    fn print_warning(&mut self, warning: Warning) -> Fallible<()> {
        let text = match &self.warnings.drawing {
            Some(Drawing(draw)) => draw(&warning),
            None => Some(format!("{}: warning: {}\n", self.warnings.program_name, warning.message)),
        };
        let Some(text) = text else { return Ok(()) };
        self.io.outputs.write_stdout()?;
        // A standard error that cannot be written must not end the program.
        let _ = self.io.outputs.stderr().write(text.as_bytes());
        let _ = self.io.outputs.stderr().end_print();
        Ok(())
    }
}

impl CurrentRecord {
    pub(crate) fn input_position(&self) -> Option<InputPosition> {
        (self.specials.nr > 0.0).then(|| self.position())
    }

    pub(crate) fn position(&self) -> InputPosition {
        let file = self.text_of(self.specials.value(Special::Filename));
        InputPosition { file, record: self.specials.fnr as u64 }
    }
}
