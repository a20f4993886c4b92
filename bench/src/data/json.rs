//! JSON Lines, as in logs and APIs.

use crate::prng::Prng;
use std::io::{self, Write};

const NAMES: &[&str] = &["alpha", "bravo", "charlie", "Zoë", "echo", "foxtrot", "golf", "hotel"];
const CITIES: &[&str] = &["Oslo", "New York", "Bonn", "Hong Kong", "Accra", "Lima"];

/// An id, a user (object), tags (array), an amount in quarters, a remark (one in 20 with quotes)
/// and a count, in the form of `jq -c`.
pub fn lines(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    for id in 1..=lines {
        writeln!(
            out,
            "{{\"id\":{id},\"user\":{{\"name\":\"{}\",\"city\":\"{}\"}},\"tags\":[\"{}\",\"{}\"],\"amount\":{}.{},\"remark\":\"{}\",\"count\":{}}}",
            prng.pick(NAMES),
            prng.pick(CITIES),
            prng.pick(NAMES),
            prng.pick(NAMES),
            prng.below(10_000),
            prng.pick(&["25", "5", "75"]),
            if prng.below(20) == 0 { "said \\\"no\\\"" } else { "plain" },
            prng.below(1_000_000),
        )?;
    }
    Ok(())
}
