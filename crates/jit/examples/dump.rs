//! Runs an awk program with everything compiled at once, and shows the result:
//!
//! `cargo run -p riverhawk-jit --example dump -- 'BEGIN { for (i = 0; i < 9; i++) s += i }'`

use riverhawk_bytecode::VerifiedUnit;
use riverhawk_jit::{CompilerOptions, Eager};
use riverhawk_record::patterns::Patterns;
use riverhawk_vm::config::MachineConfig;
use riverhawk_vm::machine::Machine;
use riverhawk_vm::tier::PacedTier;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let program = std::env::args().nth(1).ok_or("a program, please")?;
    let mut sources = riverhawk_syntax::source::SourceMap::new();
    sources.add("program", program.into_bytes()).map_err(|error| format!("{error:?}"))?;
    let program = riverhawk_syntax::parse(&sources).program.ok_or("the program has errors")?;
    let unit = riverhawk_compile::compile(&program).map_err(|error| format!("{error:?}"))?;
    let unit = VerifiedUnit::new(unit)?;
    print!("{}", riverhawk_bytecode::dump::dump(&unit));

    let config = MachineConfig::default();
    let patterns = Patterns::new(&unit, riverhawk_text::Unit::default())
        .map_err(|invalid| invalid.error.message)?;
    let options =
        CompilerOptions { keep_ir: true, keep_assembly: true, ..CompilerOptions::default() };
    let mut watch =
        PacedTier::by(Eager::new(&unit, options).map_err(|refusal| refusal.to_string())?);
    let machine = Machine::new(unit, patterns, config).map_err(|error| error.message)?;
    let ended = machine.run_watched(&mut watch);
    println!(
        "status {}, entered {} times, {} guards failed",
        ended.status,
        watch.tier.entries(),
        watch.tier.failures()
    );
    for candidate in watch.tier.candidates() {
        println!(
            "\n{} as of {:?}\n{}{}",
            candidate.frame(),
            candidate.entry_point(),
            candidate.ir(),
            candidate.assembly()
        );
    }
    Ok(())
}
