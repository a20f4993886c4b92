//! Warnings while a program runs: what they say, where they were met, and how they reach the
//! standard error.
//!
//! The machine knows operations and their spans, and no program text. Who has the text lends a
//! [`Drawing`], which makes of a warning what a person reads; without one a warning is one line
//! that names the program.
//!
//! A warning has no backtrace: whether calls were made by the interpreter or by machine code must
//! not show.

use crate::error::InputPosition;
use crate::fault::Fallible;
use crate::runtime::Runtime;
use riverhawk_syntax::ast::{Span, Special};
use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;

/// Something that a run goes on after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// One line without position.
    pub message: String,
    /// The expression or statement that it is about; `None` for what is about no place in the
    /// text: an operand, for one.
    pub span: Option<Span>,
    /// The record that was being worked on; `None` before the first.
    pub input: Option<InputPosition>,
    /// There was a warning of this place before: to show the text again would bury what is new.
    pub again: bool,
    /// What to do about it.
    pub help: Option<String>,
}

/// Makes of a warning what a person reads, with the newline.
#[derive(Clone)]
pub struct Drawing(Rc<dyn Fn(&Warning) -> String>);

impl Drawing {
    /// A drawing by this function.
    pub fn new(draw: impl Fn(&Warning) -> String + 'static) -> Drawing {
        Drawing(Rc::new(draw))
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Drawing")
    }
}

/// What is known of warnings in a run.
pub(crate) struct Warnings {
    /// The operation that is being performed, set by those that may warn; one that there is not,
    /// where none is.
    pub at: u32,
    /// How they are drawn.
    pub drawing: Option<Drawing>,
    /// The places that were warned of.
    told: HashSet<Span>,
}

impl Default for Warnings {
    fn default() -> Warnings {
        Warnings { at: u32::MAX, drawing: None, told: HashSet::new() }
    }
}

impl Runtime {
    /// Writes a warning about the running operation to standard error.
    ///
    /// # Errors
    /// None today; what warns can fail, since lint may be told to end the run.
    #[cold]
    #[inline(never)]
    pub(crate) fn warn_here(&mut self, message: &str) -> Fallible<()> {
        let span = self.program.spans.get(self.warnings.at as usize).copied();
        let again = span.is_some_and(|span| !self.warnings.told.insert(span));
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
        let span = self.program.spans.get(self.warnings.at as usize).copied();
        if span.is_some_and(|span| !self.warnings.told.insert(span)) {
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
        self.io.outputs.write_stdout()?;
        let text = match &self.warnings.drawing {
            Some(Drawing(draw)) => draw(&warning),
            None => format!("{}: warning: {}\n", self.program_name, warning.message),
        };
        // A standard error that nobody can write to must not end the program.
        let _ = self.io.outputs.stderr().write(text.as_bytes());
        let _ = self.io.outputs.stderr().end_print();
        Ok(())
    }

    /// The record that is being worked on, from the first one on.
    pub(crate) fn input_position(&self) -> Option<InputPosition> {
        (self.specials.nr > 0.0).then(|| self.position())
    }

    /// Where the main input is.
    pub(crate) fn position(&self) -> InputPosition {
        let file = self.text_of(self.specials.value(Special::Filename));
        InputPosition { file, record: self.specials.fnr as u64 }
    }
}
