//! Whole runs: any harmless program on any input ends without a panic, and what it prints does not depend on the window.
//!
//! Input: one byte of options, the program up to the first 0xFE byte, what it reads.

#![no_main]

use libfuzzer_sys::fuzz_target;
use riverhawk_engine::{Assignment, CompileOptions, Compiled, RunOptions, Source, compile};
use riverhawk_fuzz::{FUEL, Streams, confine, cut};
use std::cell::RefCell;

thread_local! {
    static STREAMS: RefCell<Streams> = RefCell::new(Streams::take_over().expect("files in memory"));
}

/// Exit status, messages, output.
type Seen = (u8, Vec<String>, Vec<u8>);

fn run(compiled: &Compiled, text: &[u8], bytes: bool, window_size: usize) -> Seen {
    let fuel = Assignment::parse(format!("{FUEL}=200").as_bytes()).expect("an assignment");
    let options = RunOptions { assignments: vec![fuel], bytes, window_size, ..RunOptions::default() };
    let (outcome, output) =
        STREAMS.with_borrow_mut(|streams| streams.around(text, || compiled.run(options))).expect("files in memory");
    let messages = outcome.errors.into_iter().map(|error| error.message).collect();
    (outcome.status, messages, output)
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
    let whole = run(&compiled, text, bytes, RunOptions::WINDOW_SIZE);
    let pieces = run(&compiled, text, bytes, usize::from(flags >> 1) + 1);
    assert_eq!(whole, pieces);
});
