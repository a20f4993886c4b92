//! Warnings while a program runs: what they say, where they were met, and how they reach the
//! standard error.
//!
//! The machine knows operations and their spans, and no program text. Who has the text lends a
//! [`Drawing`], which makes of a warning what a person reads; without one a warning is one line
//! that names the program.
//!
//! A warning has no backtrace: whether calls were made by the interpreter or by machine code must
//! not show.

mod emit;

use crate::error::InputPosition;
use riverhawk_bytecode::Unit as Program;
use riverhawk_syntax::ast::Span;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

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
pub struct Drawing(Arc<dyn Fn(&Warning) -> String + Send + Sync>);

impl Drawing {
    /// A drawing by this function.
    pub fn new(draw: impl Fn(&Warning) -> String + Send + Sync + 'static) -> Drawing {
        Drawing(Arc::new(draw))
    }
}

impl fmt::Debug for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Drawing")
    }
}

/// What is known of warnings in a run.
pub(crate) struct Warnings {
    /// Has the spans of operations.
    program: Arc<Program>,
    /// The name that a warning begins with.
    pub(crate) program_name: String,
    /// The operation that is being performed, set by those that may warn; `u32::MAX` outside
    /// operations.
    pub at: u32,
    /// How they are drawn.
    pub drawing: Option<Drawing>,
    /// The places that were warned of.
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
