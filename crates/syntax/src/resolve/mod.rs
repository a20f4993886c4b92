//! Resolving: [`Names`] are found while parsing; [`resolve`] checks and types them when the program
//! is complete.

mod conditions;
mod functions;
mod indirect;
mod names;
mod reached;
mod usage;

pub(crate) use names::Names;

use crate::ast::{ExprKind, Extension, Global, GlobalId, LibraryFn, Program, Usage};
use crate::diagnostic::{Diagnostic, Severity};
use crate::lexer::Lexer;

/// Completes a program without errors: places its functions, checks calls and names, infers how
/// each variable is used.
pub(crate) fn resolve(
    program: &mut Program,
    names: &mut Names,
    lexer: &Lexer<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    conditions::check(program, diagnostics);
    let ranges = functions::place(program, names, lexer, diagnostics);
    program.extensions = names.extensions.clone();
    let has_symbols = program.dialect.has_variable("SYMTAB");
    if has_symbols && program.globals.iter().any(|global| global.name == "SYMTAB")
        || calls_for_all(program)
    {
        reach_all_by_name(program);
    }
    // The extension reads it, even if the text does not mention it.
    if program.extensions.contains(&Extension::Revoutput)
        && !program.globals.iter().any(|global| global.name == "REVOUT")
    {
        program.globals.push(Global {
            name: "REVOUT".to_string(),
            usage: Usage { scalar: true, array: false },
        });
    }
    if !diagnostics.iter().any(|found| found.severity == Severity::Error) {
        usage::infer(program, &ranges, &names.passed);
        let in_text = program.exprs.len();
        indirect::add_builtins(program, &names.extensions);
        program.synthesized = program.exprs.len() - in_text;
    }
}

/// Places the functions of a program with errors and infers how variables are used. What else
/// could be found mostly follows from the errors.
pub(crate) fn resolve_partly(program: &mut Program, names: &mut Names, lexer: &Lexer<'_>) {
    let ranges = functions::place(program, names, lexer, &mut Vec::new());
    program.extensions = names.extensions.clone();
    usage::infer(program, &ranges, &names.passed);
}

fn calls_for_all(program: &Program) -> bool {
    let is_such = |function: LibraryFn| function.reaches_variables();
    program.exprs.iter().any(|expr| match expr.kind {
        ExprKind::Library { function, .. } => is_such(function),
        ExprKind::IndirectCall { .. } => {
            program.extensions.iter().any(|of| of.functions().iter().copied().any(is_such))
        }
        _ => false,
    })
}

/// SYMTAB, and writing all variables, may read every special by name.
fn reach_all_by_name(program: &mut Program) {
    program.globals[GlobalId::ENVIRON.index()].usage.array = true;
    if !program.globals.iter().any(|global| global.name == "PROCINFO") {
        program.globals.push(Global {
            name: "PROCINFO".to_string(),
            usage: Usage { scalar: false, array: true },
        });
    }
}
