//! Tiers: a harmless program prints, complains and ends the same interpreted, watched, in machine code, and with parts of that left
//! out. What is forced is forced from the first turn of the first loop, so that inputs of a kilobyte are enough.
//!
//! Input: one byte of options, the program up to the first 0xFE byte, what it reads.

#![no_main]

use libfuzzer_sys::fuzz_target;
use riverhawk_engine::{Config, Optimiser};
use riverhawk_fuzz::{Seen, Trial};

fn run(trial: &Trial<'_>, optimiser: Optimiser) -> Seen {
    trial.run(300, Config { optimiser, ..Config::default() })
}

/// Everything but the interpreter alone, which says what is right.
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

fuzz_target!(|input: &[u8]| {
    let Some(trial) = Trial::new(input) else { return };
    let interpreted = run(&trial, Optimiser { no_jit: true, ..Optimiser::default() });
    for tier in tiers() {
        assert_eq!(interpreted, run(&trial, tier.clone()), "{tier:?}");
    }
});
