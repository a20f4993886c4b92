//! Any harmless program on any input ends without a panic, and its output does not depend on the
//! window.
//!
//! Input: one byte of options, the program up to the first 0xFE byte, its input.

#![cfg_attr(fuzzing, no_main)]

use riverhawk_engine::{Config, InputConfig};
use riverhawk_fuzz::{Seen, Trial};

fn run(trial: &Trial<'_>, window_size: usize) -> Seen {
    let mut config = Config::default();
    config.machine.input.window_size = window_size;
    trial.run(200, config)
}

riverhawk_fuzz::target!(|input: &[u8]| {
    let Some(trial) = Trial::new(input) else { return };
    assert_eq!(
        run(&trial, InputConfig::WINDOW_SIZE),
        run(&trial, usize::from(trial.flags >> 1) + 1)
    );
});
