//! Names: what each stands for, found while parsing ([`Names`]), and what the whole program proves about them, found at its end
//! ([`resolve`]).

mod functions;
mod indirect;
mod names;
mod usage;

pub(crate) use names::Names;

use crate::ast::{Global, GlobalId, Program, Usage};
use crate::diagnostic::{Diagnostic, Severity};
use crate::words::Words;

/// Finishes a program that parsed without errors: puts its functions in place, checks calls and names, and works out how every
/// variable is used.
pub(crate) fn resolve(program: &mut Program, names: &mut Names, words: &Words, diagnostics: &mut Vec<Diagnostic>) {
    let ranges = functions::place(program, names, words, diagnostics);
    if program.globals.iter().any(|global| global.name == "SYMTAB") {
        reach_all_by_name(program);
    }
    if !diagnostics.iter().any(|found| found.severity == Severity::Error) {
        usage::infer(program, &ranges, &names.passed);
        let in_text = program.exprs.len();
        indirect::add_builtins(program, &names.extensions);
        program.made_up = program.exprs.len() - in_text;
    }
}

/// What every program has can be asked for by name in one that mentions SYMTAB, whether its text mentions it or not.
fn reach_all_by_name(program: &mut Program) {
    program.globals[GlobalId::ENVIRON.index()].usage.array = true;
    if !program.globals.iter().any(|global| global.name == "PROCINFO") {
        program.globals.push(Global { name: "PROCINFO".to_string(), usage: Usage { scalar: false, array: true } });
    }
}
