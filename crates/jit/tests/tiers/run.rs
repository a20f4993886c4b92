//! Runs a program in this process, with or without machine code.

use riverhawk_awkio::{BrokenPipe, Io, Outputs, RecordReader};
use riverhawk_bytecode::VerifiedUnit;
use riverhawk_jit::{CallNote, Candidate, CompilerOptions, Eager};
use riverhawk_record::patterns::{CompiledPatterns, Patterns};
use riverhawk_spesh::ir::FrameName;
use riverhawk_stream::MemorySource;
use riverhawk_vm::config::{CommandLine, MachineConfig};
use riverhawk_vm::error::RuntimeError;
use riverhawk_vm::machine::Machine;
use riverhawk_vm::tier::PacedTier;
use std::io::Read;

#[derive(Debug, PartialEq)]
pub struct Result {
    pub output: String,
    pub status: u8,
    pub errors: Vec<RuntimeError>,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    pub entries: u64,
    pub failures: u64,
}

pub fn unit(program: &str) -> VerifiedUnit {
    let mut sources = riverhawk_syntax::source::SourceMap::new();
    sources.add("test.awk", program.as_bytes().to_vec()).unwrap();
    let parsed = riverhawk_syntax::parse(&sources);
    let program = parsed.program.unwrap_or_else(|| panic!("{program}"));
    let mut unit = riverhawk_compile::compile(&program).unwrap();
    unit.edges = CompiledPatterns::new(&unit, riverhawk_text::Unit::default()).unwrap().edges();
    VerifiedUnit::new(unit).unwrap()
}

fn machine(
    unit: &VerifiedUnit,
    input: &str,
    operands: &[&str],
) -> (Machine, std::thread::JoinHandle<String>) {
    let operands = operands.iter().map(|operand| operand.as_bytes().to_vec()).collect();
    let command_line = CommandLine { operands, ..CommandLine::default() };
    let config = MachineConfig { command_line, ..MachineConfig::default() };
    machine_of(unit, input, riverhawk_text::Unit::default(), config)
}

fn machine_of(
    unit: &VerifiedUnit,
    input: &str,
    characters: riverhawk_text::Unit,
    config: MachineConfig,
) -> (Machine, std::thread::JoinHandle<String>) {
    let (mut printed, stdout) = std::io::pipe().unwrap();
    let outputs = Outputs::with_writers(Box::new(stdout), Box::new(std::io::sink()));
    let mut io = Io::with_outputs(outputs, BrokenPipe::Report, config.input.window_size);
    io.inputs
        .set_stdin(RecordReader::of_source(MemorySource::new(input), config.input.window_size));
    let patterns = Patterns::new(unit, characters).unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        printed.read_to_end(&mut text).unwrap();
        String::from_utf8_lossy(&text).into_owned()
    });
    (Machine::over(io, unit.clone(), patterns, config).unwrap(), reader)
}

pub fn inline_log(program: &str) -> Vec<String> {
    let unit = unit(program);
    let (machine, output) = machine(&unit, "", &[]);
    let mut watch = PacedTier::by(Eager::new(&unit, CompilerOptions::default()).unwrap());
    machine.run_watched(&mut watch);
    drop(output);
    let function = |number: u32| unit.functions[number as usize].name.clone();
    let line = |candidate: &Candidate, note: &CallNote| {
        let into = match candidate.frame() {
            FrameName::Function(number) => function(number),
            phase => phase.to_string(),
        };
        let callee = note.function.map_or_else(|| String::from("?"), function);
        match &note.refused {
            None => format!("Can inline {callee} into {into}"),
            Some(why) => format!("Can NOT inline {callee} into {into}: {why}"),
        }
    };
    watch
        .tier
        .candidates()
        .flat_map(|candidate| candidate.calls().iter().map(|note| line(candidate, note)))
        .collect()
}

pub fn interpreted(program: &str, input: &str, operands: &[&str]) -> Result {
    let (machine, output) = machine(&unit(program), input, operands);
    let ended = machine.run();
    Result { output: output.join().unwrap(), status: ended.status, errors: ended.errors }
}

pub fn compiled(
    program: &str,
    input: &str,
    operands: &[&str],
    options: CompilerOptions,
) -> (Result, Counts) {
    let unit = unit(program);
    let (machine, output) = machine(&unit, input, operands);
    let mut watch = PacedTier::by(Eager::new(&unit, options).unwrap());
    let ended = machine.run_watched(&mut watch);
    assert!(watch.tier.refusals().is_empty(), "{program}: {:?}", watch.tier.refusals());
    let counts = Counts { entries: watch.tier.entries(), failures: watch.tier.failures() };
    (Result { output: output.join().unwrap(), status: ended.status, errors: ended.errors }, counts)
}

/// Runs both ways where a character is not a code point.
pub fn compare_counting(program: &str, characters: riverhawk_text::Unit) {
    let unit = unit(program);
    let (machine, expected) = machine_of(&unit, "", characters, MachineConfig::default());
    machine.run();
    let expected = expected.join().unwrap();
    let (machine, output) = machine_of(&unit, "", characters, MachineConfig::default());
    let mut watch = PacedTier::by(Eager::new(&unit, CompilerOptions::default()).unwrap());
    machine.run_watched(&mut watch);
    assert_eq!(output.join().unwrap(), expected, "by {characters:?}: {program}");
    assert!(watch.tier.entries() > 0, "nothing was entered: {program}");
}

/// Runs both ways, and without each pass.
pub fn compare(program: &str, input: &str) -> Counts {
    compare_with(program, input, &[])
}

pub fn compare_with(program: &str, input: &str, operands: &[&str]) -> Counts {
    use riverhawk_spesh::ir::passes::Pass;
    let expected = interpreted(program, input, operands);
    let singly = Pass::ALL.map(|pass| vec![pass]);
    for left_out in [Vec::new(), Pass::ORDER.to_vec()].into_iter().chain(singly) {
        let options =
            CompilerOptions { skipped_passes: left_out.clone(), ..CompilerOptions::default() };
        let (result, _) = compiled(program, input, operands, options);
        assert_eq!(result, expected, "without {left_out:?}: {program}");
    }
    let (result, _) = compiled(
        program,
        input,
        operands,
        CompilerOptions { no_inlining: true, ..CompilerOptions::default() },
    );
    assert_eq!(result, expected, "without inlining: {program}");
    let (_, counts) = compiled(program, input, operands, CompilerOptions::default());
    assert!(counts.entries > 0, "nothing was entered: {program}");
    counts
}
