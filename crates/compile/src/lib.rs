//! From the resolved tree of an awk program to register bytecode.
//!
//! One walk, no intermediate form. Two ideas carry it:
//!
//! - **Operands, not loads.** An operation reads variables and constants where they are; a register
//!   is used only for what is computed, or when something evaluated later could change the variable
//!   first (`facts` knows).
//! - **Views.** A field that is consumed before anything can change the record is a range of it,
//!   not a copy.
//!
//! Order of evaluation is gawk's: left to right, except that the value of an assignment comes
//! before the subscripts of its target.
//!
//! What it is not: it does not optimise beyond that, knows no types, and never fails on a tree that
//! the resolver accepted, except when a frame needs more registers than an operand can name.
//! `tests/dumps.txt` shows what it makes of small programs.
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

mod assign;
mod call;
mod condition;
mod delete;
mod emit;
mod expression;
mod facts;
mod lint;
mod notes;
mod rules;
mod statement;

pub use notes::Notes;

use riverhawk_bytecode::{RETURN_VALUE, Unit};
use riverhawk_syntax::ast::{Global, Program, Usage};
use riverhawk_syntax::diagnostic::Diagnostic;

/// Compiles a program.
pub fn compile(program: &Program) -> Result<Unit, Diagnostic> {
    compile_as(program, Mode::default())
}

/// What the code of a program does besides running it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// It says which statements it comes by.
    pub observed: bool,
    /// It says which rules and functions it enters, for a profile of its time.
    pub profiled: bool,
    /// It warns of what lint finds while it runs.
    pub warns: bool,
    /// Its arithmetic is of any precision.
    pub precise: bool,
    /// It asks whether its time is over.
    pub timed: bool,
    /// Its integers are exact; without effect where arithmetic is of any precision anyway.
    pub exact: bool,
}

/// As [`compile`], for a run that does more.
pub fn compile_as(program: &Program, mode: Mode) -> Result<Unit, Diagnostic> {
    compile_with_notes(program, mode, &Notes::default())
}

/// As [`compile_as`], for a chunk of a parallel run, which notes what `notes` names.
pub fn compile_with_notes(
    program: &Program,
    mode: Mode,
    notes: &Notes,
) -> Result<Unit, Diagnostic> {
    let mut compiler = emit::Compiler::new(program, notes);
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
