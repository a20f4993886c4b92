//! Warnings while a program runs.
//!
//! The machine has no program text, so a [`Drawing`] makes a warning's text; without one it is a
//! line that begins with the program's name. There is no backtrace, since it must not show whether
//! machine code made a call.

mod emit;

use crate::error::InputPosition;
use riverhawk_bytecode::Unit as Program;
use riverhawk_syntax::ast::Span;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// Something that does not end the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// One line, without position.
    pub message: String,
    /// The expression or statement; `None`, for example, for an operand.
    pub span: Option<Span>,
    /// The current record; `None` before the first.
    pub input: Option<InputPosition>,
    /// Whether this place was reported before, so that its text need not be shown.
    pub again: bool,
    /// What to do about it.
    pub help: Option<String>,
}

/// Makes a warning's text, with the newline; `None` if a comment of the program allows it.
#[derive(Clone)]
pub struct Drawing(Arc<Draw>);

type Draw = dyn Fn(&Warning) -> Option<String> + Send + Sync;

impl Drawing {
    /// A drawing by this function.
    pub fn new(draw: impl Fn(&Warning) -> Option<String> + Send + Sync + 'static) -> Drawing {
        Drawing(Arc::new(draw))
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Drawing")
    }
}

pub(crate) struct Warnings {
    program: Arc<Program>,
    pub(crate) program_name: String,
    /// The running operation if it may warn, otherwise `u32::MAX`.
    pub at: u32,
    pub drawing: Option<Drawing>,
    reported: HashSet<Span>,
}

impl Warnings {
    pub(crate) fn new(program: Arc<Program>) -> Warnings {
        Warnings {
            program,
            program_name: "rhawk".to_owned(),
            at: u32::MAX,
            drawing: None,
            reported: HashSet::new(),
        }
    }
}
