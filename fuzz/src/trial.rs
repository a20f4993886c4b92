//! A harmless program and its input, for several runs that must not differ.

use crate::{FUEL, Streams, confine, cut};
use riverhawk_engine::{Assignment, CompileOptions, Compiled, Config, Source, compile};
use std::cell::RefCell;

thread_local! {
    static STREAMS: RefCell<Streams> = RefCell::new(Streams::take_over().expect("files in memory"));
}

/// Exit status, messages, output.
pub type Seen = (u8, Vec<String>, Vec<u8>);

/// A compiled program, its input, and whether characters are bytes.
#[derive(Debug)]
pub struct Trial<'i> {
    /// The input's first byte: the lowest bit means that characters are bytes, the others are free.
    pub flags: u8,
    compiled: Compiled,
    text: &'i [u8],
}

impl<'i> Trial<'i> {
    /// From one byte of options, the program up to the first [`CUT`](crate::CUT), and its input;
    /// `None` if it is too long, no program, or one with effects outside the process.
    pub fn new(input: &'i [u8]) -> Option<Trial<'i>> {
        let (&flags, rest) = input.split_first()?;
        let (program, text) = cut(rest);
        if program.len() > 1_000 || text.len() > 1_000 {
            return None;
        }
        let options =
            CompileOptions { characters_as_bytes: flags & 1 != 0, ..CompileOptions::default() };
        let compiled = compile(vec![Source::new("program", confine(program)?)], &options).ok()?;
        Some(Trial { flags, compiled, text })
    }

    /// A run with these options and so many iterations and calls.
    pub fn run(&self, fuel: u32, mut config: Config) -> Seen {
        let fuel = Assignment::parse(format!("{FUEL}={fuel}").as_bytes()).expect("an assignment");
        config.machine.command_line.assignments.push(fuel);
        let (outcome, output) = STREAMS
            .with_borrow_mut(|streams| streams.around(self.text, || self.compiled.run(config)))
            .expect("files in memory");
        let messages = outcome.errors.into_iter().map(|error| error.message).collect();
        (outcome.status, messages, output)
    }
}
