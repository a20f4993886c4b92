//! Keys and values: for counting, summing and joining.

use crate::prng::Prng;
use std::io::{self, Write};

fn pairs(out: &mut dyn Write, prng: &mut Prng, lines: u64, keys: u64) -> io::Result<()> {
    for _ in 0..lines {
        writeln!(out, "user{:06} {}", prng.below(keys), prng.below(10_000))?;
    }
    Ok(())
}

/// A thousand keys: the table fits the first-level cache.
pub fn thousand(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    pairs(out, prng, lines, 1_000)
}

/// Each key about twice (2 M lines have 865,000 keys): nearly every look-up misses the cache.
pub fn million(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    // The number of keys follows the scale, so that each key still occurs about twice.
    pairs(out, prng, lines, (lines / 2).max(1))
}

const CITIES: &[&str] = &["Oslo", "Bonn", "Accra", "Lima", "Quito", "Hanoi", "Turin", "Leeds"];

/// id, name, city.
pub fn users(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    for id in 0..lines {
        writeln!(out, "{id} name{} {}", prng.below(50_000), prng.pick(CITIES))?;
    }
    Ok(())
}

/// id, amount. A tenth of the ids are not in `users`.
pub fn events(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    let known = (lines / 10).max(1);
    for _ in 0..lines {
        writeln!(
            out,
            "{} {}.{:02}",
            prng.below(known + known / 9),
            prng.below(1_000),
            prng.below(100)
        )?;
    }
    Ok(())
}
