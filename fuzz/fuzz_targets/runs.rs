//! Whole runs: any harmless program on any input ends without a panic, and what it prints does not depend on the window.
//!
//! Input: one byte of options, the program up to the first 0xFE byte, what it reads.

#![no_main]

use libfuzzer_sys::fuzz_target;
use riverhawk_engine::{Config, RunOptions};
use riverhawk_fuzz::{Seen, Trial};

fn run(trial: &Trial<'_>, window_size: usize) -> Seen {
    trial.run(200, RunOptions { config: Config::with_window(window_size), ..RunOptions::default() })
}

fuzz_target!(|input: &[u8]| {
    let Some(trial) = Trial::new(input) else { return };
    assert_eq!(
        run(&trial, RunOptions::WINDOW_SIZE),
        run(&trial, usize::from(trial.flags >> 1) + 1)
    );
});
