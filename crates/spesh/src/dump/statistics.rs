//! How the statistics of a frame are shown.

use super::{Listed, Names, Shape};
use crate::statistics::tree::{CalleeTuple, OffsetStatistics, TypeCounts};
use crate::statistics::{CallsiteStatistics, FrameStatistics, TupleStatistics};
use std::fmt::{self, Write};

pub(crate) fn show_statistics(
    out: &mut impl Write,
    name: &str,
    statistics: &FrameStatistics,
    names: Names<'_>,
) -> fmt::Result {
    writeln!(out, "Statistics of {name}")?;
    writeln!(out, "    Total hits: {}", statistics.hits)?;
    if statistics.osr_hits > 0 {
        writeln!(out, "    OSR hits: {}", statistics.osr_hits)?;
    }
    for (callsite, at) in &statistics.by_callsite {
        writeln!(out, "    {}", Shape(*callsite))?;
        show_callsite(out, at, names)?;
    }
    writeln!(out)
}

fn show_callsite(out: &mut impl Write, at: &CallsiteStatistics, names: Names<'_>) -> fmt::Result {
    show_hits(out, 8, at.hits, at.osr_hits, at.max_depth)?;
    if at.discarded > 0 {
        writeln!(out, "        Without types: {}", at.discarded)?;
    }
    for (tuple, statistics) in &at.by_tuple {
        writeln!(out, "        Types: ({})", Listed(tuple.0.iter()))?;
        show_tuple(out, statistics, names)?;
    }
    Ok(())
}

fn show_tuple(out: &mut impl Write, statistics: &TupleStatistics, names: Names<'_>) -> fmt::Result {
    show_hits(out, 12, statistics.hits, statistics.osr_hits, statistics.max_depth)?;
    for (index, counts) in &statistics.elements {
        writeln!(out, "            Elements of argument {}: {}", index + 1, Listed(types(counts)))?;
    }
    if !statistics.by_offset.is_empty() {
        writeln!(out, "            Logged at offset:")?;
    }
    for (offset, place) in &statistics.by_offset {
        writeln!(out, "                {offset}:")?;
        show_place(out, place, names)?;
    }
    Ok(())
}

fn show_place(out: &mut impl Write, place: &OffsetStatistics, names: Names<'_>) -> fmt::Result {
    for (ty, count) in place.types.seen() {
        writeln!(out, "                    {count} x type {ty}")?;
    }
    for (outcome, count) in place.outcomes.seen() {
        writeln!(out, "                    {count} x {outcome}")?;
    }
    for (callee, count) in &place.invoked {
        writeln!(out, "                    {count} x call of {}", names(*callee))?;
    }
    for (CalleeTuple { callee, tuple, .. }, count) in &place.callee_tuples {
        writeln!(
            out,
            "                    {count} x types ({}) to {}",
            Listed(tuple.0.iter()),
            names(*callee)
        )?;
    }
    if place.further_calls > 0 {
        writeln!(out, "                    {} x call of others", place.further_calls)?;
    }
    Ok(())
}

fn show_hits(
    out: &mut impl Write,
    indent: usize,
    hits: u32,
    osr_hits: u32,
    max_depth: u32,
) -> fmt::Result {
    write!(out, "{:indent$}Hits: {hits}", "")?;
    if osr_hits > 0 {
        write!(out, ", OSR hits: {osr_hits}")?;
    }
    writeln!(out, ", maximum depth: {max_depth}")
}

fn types(counts: &TypeCounts) -> impl Iterator<Item = String> + Clone + '_ {
    let seen: Vec<String> = counts.seen().map(|(ty, count)| format!("{count} x {ty}")).collect();
    seen.into_iter()
}
