//! Tiers: a harmless program prints, complains and ends the same interpreted, watched, in machine code, and with parts of that left
//! out. What is forced is forced from the first turn of the first loop, so that inputs of a kilobyte are enough.
//!
//! Input: one byte of options, the program up to the first 0xFE byte, what it reads.

#![no_main]

use libfuzzer_sys::fuzz_target;
use riverhawk_engine::{Optimising, RunOptions};
use riverhawk_fuzz::{Seen, Trial};

fn run(trial: &Trial<'_>, optimising: Optimising) -> Seen {
    trial.run(300, RunOptions { optimising, ..RunOptions::default() })
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
    let Some(trial) = Trial::new(input) else { return };
    let interpreted = run(&trial, Optimising { no_jit: true, ..Optimising::default() });
    for tier in tiers() {
        assert_eq!(interpreted, run(&trial, tier.clone()), "{tier:?}");
    }
});
