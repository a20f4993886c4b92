//! The wiring to the compiler and the virtual machine: the only file of this crate that names them.

use std::os::unix::ffi::OsStringExt;
use std::rc::Rc;

use riverhawk_bytecode::Unit as Bytecode;
use riverhawk_syntax::ast::Program;
use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_text::Unit;
use riverhawk_vm::io::{BrokenPipe, take_over_sigpipe};
use riverhawk_vm::machine::{Counts, Machine, Setup};

use crate::{CompileOptions, Outcome, RunOptions, Stats};

/// What the virtual machine runs.
#[derive(Debug)]
pub(crate) struct Code(Rc<Bytecode>);

/// Translates the tree.
pub(crate) fn generate(program: &Program, _options: &CompileOptions) -> Result<Code, Vec<Diagnostic>> {
    match riverhawk_compile::compile(program) {
        Ok(unit) => Ok(Code(Rc::new(unit))),
        Err(diagnostic) => Err(vec![diagnostic]),
    }
}

/// Lists the instructions.
pub(crate) fn dump(code: &Code) -> String {
    riverhawk_bytecode::dump::dump(&code.0)
}

/// Runs the code; every error, also one of the last flush, is in the outcome.
pub(crate) fn run(code: &Code, options: RunOptions) -> Outcome {
    let broken_pipe = if options.owns_process { take_over_sigpipe() } else { BrokenPipe::Report };
    let setup = Setup {
        program_name: options.program_name.into_vec(),
        operands: options.operands.into_iter().map(OsStringExt::into_vec).collect(),
        assignments: options
            .assignments
            .iter()
            .map(|assignment| (assignment.name().to_owned(), assignment.value().to_vec()))
            .collect(),
        environment: options.environment.into_iter().map(|(name, value)| (name.into_vec(), value.into_vec())).collect(),
        unit: if options.bytes { Unit::Byte } else { Unit::CodePoint },
        window: options.window_size,
        broken_pipe,
    };
    match Machine::new(code.0.clone(), setup) {
        Ok(machine) => {
            let ended = machine.run();
            let stats = options.stats.then(|| stats(&ended.counts));
            Outcome { status: ended.status, errors: ended.errors, stats }
        }
        Err(error) => Outcome::failed(*error),
    }
}

fn stats(counts: &Counts) -> Stats {
    Stats {
        counters: vec![
            ("records of the main input", counts.records),
            ("bytes read from the last file", counts.bytes_read),
            ("bytes moved in its window", counts.bytes_moved),
            ("reads", counts.refills),
            ("registers at the deepest call", counts.registers),
        ],
    }
}
