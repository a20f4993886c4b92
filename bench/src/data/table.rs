//! The same eight columns, separated by blanks, commas or tabs.

use crate::prng::Prng;
use std::io::{self, Write};

const NAMES: &[&str] = &["alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel"];
const PLACES: &[&str] =
    &["Oslo", "New York", "Rio de Janeiro", "Bonn", "Hong Kong", "", "Accra", "Lima"];

/// id, integer, name, decimal, decimal, integer, flag, integer, separated by one or (rarely)
/// several blanks.
pub fn whitespace(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    for id in 1..=lines {
        let gap = if prng.below(16) == 0 { "   " } else { " " };
        writeln!(
            out,
            "{id} {} {}{gap}{}.{:02} {}.{:04} {} {} {}",
            prng.below(100_000),
            prng.pick(NAMES),
            prng.below(1_000),
            prng.below(100),
            prng.below(10),
            prng.below(10_000),
            prng.below(1_000_000),
            prng.pick(&["yes", "no"]),
            prng.between(1, 12),
        )?;
    }
    Ok(())
}

/// id, name, year, decimal, integer, name, integer, flag; no field is quoted or empty.
pub fn csv(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    for id in 1..=lines {
        writeln!(
            out,
            "{id},{},{},{}.{:02},{},{},{},{}",
            prng.pick(NAMES),
            prng.between(1970, 2026),
            prng.below(10_000),
            prng.below(100),
            prng.below(1_000_000),
            prng.pick(NAMES),
            prng.below(64),
            prng.pick(&["true", "false"]),
        )?;
    }
    Ok(())
}

/// id, quoted names with a comma, year, decimal, a quoted remark (one in 20 with quotes), integer,
/// a quoted flag; after a header.
pub fn quoted(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    writeln!(out, "id,names,year,amount,remark,count,flag")?;
    for id in 1..=lines {
        writeln!(
            out,
            "{id},\"{}, {}\",{},{}.{:02},\"{}\",{},\"{}\"",
            prng.pick(NAMES),
            prng.pick(NAMES),
            prng.between(1970, 2026),
            prng.below(10_000),
            prng.below(100),
            if prng.below(20) == 0 { "said \"\"no\"\"" } else { "plain" },
            prng.below(1_000_000),
            prng.pick(&["true", "false"]),
        )?;
    }
    Ok(())
}

/// As `csv`, with places that have blanks or are empty, which need a tab as separator.
pub fn tsv(out: &mut dyn Write, prng: &mut Prng, lines: u64) -> io::Result<()> {
    for id in 1..=lines {
        writeln!(
            out,
            "{id}\t{}\t{}\t{}.{:02}\t{}\t{}\t{}\t{}",
            prng.pick(PLACES),
            prng.between(1970, 2026),
            prng.below(10_000),
            prng.below(100),
            prng.pick(PLACES),
            prng.pick(NAMES),
            prng.below(1_000_000),
            prng.below(64),
        )?;
    }
    Ok(())
}
