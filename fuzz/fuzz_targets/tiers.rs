//! Tiers: a harmless program prints, complains and ends the same interpreted, watched, in machine code, and with parts of that left
//! out. What is forced is forced from the first turn of the first loop, so that inputs of a kilobyte are enough.
//!
//! Input: one byte of options, the program up to the first 0xFE byte, what it reads.

#![no_main]

use libfuzzer_sys::fuzz_target;
use riverhawk_engine::{Assignment, CompileOptions, Compiled, Optimising, RunOptions, Source, compile};
use riverhawk_fuzz::{FUEL, Streams, confine, cut};
use std::cell::RefCell;

thread_local! {
    static STREAMS: RefCell<Streams> = RefCell::new(Streams::take_over().expect("files in memory"));
}

/// Exit status, messages, output.
type Seen = (u8, Vec<String>, Vec<u8>);

fn run(compiled: &Compiled, text: &[u8], bytes: bool, optimising: Optimising) -> Seen {
    let fuel = Assignment::parse(format!("{FUEL}=300").as_bytes()).expect("an assignment");
    let options = RunOptions { assignments: vec![fuel], bytes, optimising, ..RunOptions::default() };
    let (outcome, output) =
        STREAMS.with_borrow_mut(|streams| streams.around(text, || compiled.run(options))).expect("files in memory");
    let messages = outcome.errors.into_iter().map(|error| error.message).collect();
    (outcome.status, messages, output)
}

/// Everything but the interpreter alone, which says what is right.
fn tiers() -> [Optimising; 5] {
    let forced = Optimising { spesh_nodelay: true, spesh_blocking: true, ..Optimising::default() };
    [
        Optimising { no_jit: true, ..forced.clone() },
        Optimising { no_inline: true, ..forced.clone() },
        Optimising { no_osr: true, ..forced.clone() },
        forced,
        Optimising::default(),
    ]
}

fuzz_target!(|input: &[u8]| {
    let Some((&flags, rest)) = input.split_first() else { return };
    let (program, text) = cut(rest);
    if program.len() > 1_000 || text.len() > 1_000 {
        return;
    }
    let Some(confined) = confine(program) else { return };
    let bytes = flags & 1 != 0;
    let Ok(compiled) =
        compile(vec![Source::new("program", confined)], &CompileOptions { bytes, ..CompileOptions::default() })
    else {
        return;
    };
    let interpreted = run(&compiled, text, bytes, Optimising { no_jit: true, ..Optimising::default() });
    for tier in tiers() {
        let seen = run(&compiled, text, bytes, tier.clone());
        assert_eq!(interpreted, seen, "{tier:?}");
    }
});
