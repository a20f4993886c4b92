//! From the resolved tree of an awk program to register bytecode, in one walk.
//!
//! - **Operands, not loads.** An operation reads variables and constants in place; only computed
//!   values need registers, and variables that a later evaluation could change (`facts`).
//! - **Views.** A field consumed before the record can change is a range of it, not a copy.
//!
//! Evaluation goes left to right as in gawk, but the value of an assignment comes before the
//! subscripts of its target.
//!
//! It does no other optimisation, knows no types, and fails on a resolved tree only when a frame
//! needs more registers than an operand can name. `tests/dumps.txt` shows the code of small
//! programs.
//!
//! ```
//! let mut sources = riverhawk_syntax::source::SourceMap::new();
//! sources.add("count.awk", b"{ count[$1]++ }".to_vec()).unwrap();
//! let program = riverhawk_syntax::parse(&sources).program.expect("no syntax errors");
//! let unit = riverhawk_compile::compile(&program).unwrap();
//! riverhawk_bytecode::verify(&unit).unwrap();
//! let dump = riverhawk_bytecode::dump::dump(&unit);
//! assert!(dump.contains("Field                d=r0 n=$1 reach=$1\n     2  CountElement         array=count key=r0"));
//! ```

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod assign;
mod call;
mod condition;
mod delete;
mod emit;
mod expression;
mod facts;
mod inline;
mod lint;
mod locals;
mod normal;
mod notes;
mod rules;
mod statement;

pub use normal::normalised;
pub use notes::Notes;

use locals::Locals;
use riverhawk_bytecode::{RETURN_VALUE, Unit};
use riverhawk_syntax::ast::{FunctionId, Global, Program, Usage};
use riverhawk_syntax::diagnostic::Diagnostic;
use std::borrow::Cow;

/// Compiles a program.
pub fn compile(program: &Program) -> Result<Unit, Box<Diagnostic>> {
    compile_as(program, Mode::default())
}

/// Rewrites of the program before it becomes code, each of which may be left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Small functions in the place of their calls.
    pub inlining: bool,
    /// [One form for each meaning](normalised).
    pub normal_forms: bool,
    /// Registers for variables that each record assigns before it reads them.
    pub locals: bool,
}

/// What the code does besides running the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Reports each statement.
    pub observed: bool,
    /// With `observed`: reports the outcome of each condition inside an expression, too.
    pub outcomes: bool,
    /// Records each rule and function it enters, for a profile of its time.
    pub profiled: bool,
    /// Warns of what lint finds at run time.
    pub warns: bool,
    /// Arithmetic of any precision.
    pub precise: bool,
    /// Checks limits of time, steps and records.
    pub limited: bool,
    /// Exact integers; no effect with `precise`.
    pub exact: bool,
    /// Somebody asks for variables after the run.
    pub keeps_variables: bool,
    /// Calls this function after `END`.
    pub test: Option<FunctionId>,
    /// Rewrites that are not made.
    pub left_out: LeftOut,
}

/// As [`compile`], in a mode.
pub fn compile_as(program: &Program, mode: Mode) -> Result<Unit, Box<Diagnostic>> {
    compile_with_notes(program, mode, &Notes::default())
}

/// As [`compile_as`], for a piece of a parallel run, which notes what `notes` names.
pub fn compile_with_notes(
    program: &Program,
    mode: Mode,
    notes: &Notes,
) -> Result<Unit, Box<Diagnostic>> {
    // Warnings name what is written, and a debugger shows it.
    let as_written = mode.warns || mode.observed || mode.precise;
    // A profile lists functions, and a call is a step.
    let calls_count = as_written || mode.profiled || mode.limited || mode.left_out.inlining;
    let program = if calls_count { Cow::Borrowed(program) } else { inline::inlined(program) };
    // Before expressions take other forms, which leaves parts of the old ones behind.
    let locals = match as_written || mode.keeps_variables || mode.left_out.locals {
        true => Locals::default(),
        false => locals::locals(&program),
    };
    let program = match program {
        program if as_written || mode.left_out.normal_forms => program,
        Cow::Borrowed(program) => normalised(program),
        Cow::Owned(program) => Cow::Owned(normalised(&program).into_owned()),
    };
    let mut compiler = emit::Compiler::new(&program, notes);
    compiler.locals = locals;
    compiler.mode = mode;
    compiler.unit.precise = mode.precise;
    compiler.unit.exact = mode.exact && !mode.precise;
    if mode.observed {
        let usage = Usage { scalar: true, array: false };
        compiler.unit.globals.push(Global { name: RETURN_VALUE.to_string(), usage });
    }
    compiler.program();
    compiler.finish()
}
