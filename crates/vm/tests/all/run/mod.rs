//! Runs a program in memory, through a window of any size.
#![allow(dead_code)] // Each test file uses its own part.

use riverhawk_awkio::{BrokenPipe, Io, Outputs, RecordReader};
use riverhawk_bytecode::VerifiedUnit;
use riverhawk_record::patterns::Patterns;
use riverhawk_stream::MemorySource;
use riverhawk_vm::config::{InputConfig, MachineConfig};
use riverhawk_vm::error::RuntimeError;
use riverhawk_vm::machine::Machine;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// Window sizes in bytes at which results must be the same. Miri is slow and tests one.
pub const WINDOWS: &[usize] = if cfg!(miri) { &[2] } else { &[1, 2, 3, 7, 65_536] };

#[derive(Debug)]
pub struct Ran {
    pub out: String,
    pub status: u8,
    pub errors: Vec<RuntimeError>,
    pub registers: u64,
    pub variables: String,
}

#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panicked").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub fn run_with(program: &str, input: &str, config: MachineConfig) -> Ran {
    let mut sources = riverhawk_syntax::source::SourceMap::new();
    sources.add("test", program.as_bytes().to_vec()).expect("a short program");
    let parsed = riverhawk_syntax::parse(&sources);
    let tree = parsed.program.unwrap_or_else(|| panic!("{program}: {:?}", parsed.diagnostics));
    let unit = riverhawk_compile::compile(&tree).expect("it is small enough");
    let unit = VerifiedUnit::new(unit).expect("valid");
    let patterns =
        Patterns::new(&unit, riverhawk_text::Unit::default()).expect("the patterns are regexes");
    let printed = Shared::default();
    let outputs = Outputs::with_writers(Box::new(printed.clone()), Box::new(io::sink()));
    let mut io = Io::with_outputs(outputs, BrokenPipe::Report, config.input.window_size);
    io.inputs.set_stdin(RecordReader::of_source(
        MemorySource::new(input.as_bytes().to_vec()),
        config.input.window_size,
    ));
    let ended =
        Machine::over(io, unit, patterns, config).expect("the assignments can be made").run();
    let out = String::from_utf8(printed.0.lock().expect("nobody panicked").clone()).expect("UTF-8");
    let variables = String::from_utf8(ended.variables.unwrap_or_default()).expect("ASCII");
    Ran {
        out,
        status: ended.status,
        errors: ended.errors,
        registers: ended.counts.registers,
        variables,
    }
}

pub fn with_window(window_size: usize) -> MachineConfig {
    let input = InputConfig { window_size, ..InputConfig::default() };
    MachineConfig { input, ..MachineConfig::default() }
}

pub fn run(program: &str, input: &str) -> Ran {
    run_with(program, input, MachineConfig::default())
}

#[track_caller]
pub fn prints(program: &str, input: &str, expected: &str) {
    for &window in WINDOWS {
        let ran = run_with(program, input, with_window(window));
        assert!(ran.errors.is_empty(), "{program}, window {window}: {:?}", ran.errors);
        assert_eq!(ran.out, expected, "{program}, window {window}");
    }
}

#[track_caller]
pub fn fails(program: &str, input: &str, words: &str) {
    let ran = run(program, input);
    assert_eq!(ran.status, 2, "{program}: {ran:?}");
    assert!(ran.errors[0].message.contains(words), "{program}: {}", ran.errors[0].message);
}
