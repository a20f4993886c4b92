//! Names: what each stands for, found while parsing ([`Names`]), and what the whole program proves about them, found at its end
//! ([`resolve`]).

mod functions;
mod indirect;
mod names;
mod usage;

pub(crate) use names::Names;

use crate::ast::Program;
use crate::diagnostic::{Diagnostic, Severity};
use crate::words::Words;

/// Finishes a program that parsed without errors: puts its functions in place, checks calls and names, and works out how every
/// variable is used.
pub(crate) fn resolve(program: &mut Program, names: &mut Names, words: &Words, diagnostics: &mut Vec<Diagnostic>) {
    let ranges = functions::place(program, names, words, diagnostics);
    if !diagnostics.iter().any(|found| found.severity == Severity::Error) {
        usage::infer(program, &ranges, &names.passed);
        let in_text = program.exprs.len();
        indirect::add_builtins(program);
        program.made_up = program.exprs.len() - in_text;
    }
}
