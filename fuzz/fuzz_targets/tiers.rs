//! A harmless program prints, complains and ends the same interpreted, watched, in machine code,
//! and without parts of that. Compilation is forced at the first iteration, so inputs of a kilobyte
//! are enough.
//!
//! Input: one byte of options, the program up to the first 0xFE byte, its input.

#![cfg_attr(fuzzing, no_main)]

use riverhawk_engine::{Config, Optimiser};
use riverhawk_fuzz::{Seen, Trial};

fn run(trial: &Trial<'_>, optimiser: Optimiser) -> Seen {
    trial.run(300, Config { optimiser, ..Config::default() })
}

/// All except the interpreter alone, which is the reference.
fn tiers() -> [Optimiser; 5] {
    let forced = Optimiser { spesh_nodelay: true, spesh_blocking: true, ..Optimiser::default() };
    [
        Optimiser { no_jit: true, ..forced.clone() },
        Optimiser { no_inline: true, ..forced.clone() },
        Optimiser { no_osr: true, ..forced.clone() },
        forced,
        Optimiser::default(),
    ]
}

riverhawk_fuzz::target!(|input: &[u8]| {
    let Some(trial) = Trial::new(input) else { return };
    let interpreted = run(&trial, Optimiser { no_jit: true, ..Optimiser::default() });
    for tier in tiers() {
        assert_eq!(interpreted, run(&trial, tier.clone()), "{tier:?}");
    }
});
