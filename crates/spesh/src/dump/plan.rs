//! How an item of a plan is shown.

use super::{Listed, Names, Shape};
use crate::frame::FrameFacts;
use crate::planner::Planned;
use std::fmt::{self, Write};

pub(crate) fn show_planned(
    out: &mut impl Write,
    planned: &Planned,
    facts: Option<&FrameFacts>,
    names: Names<'_>,
) -> fmt::Result {
    writeln!(out, "{} specialisation of {}", planned.kind.name(), names(planned.frame))?;
    writeln!(out, "    {}", Shape(planned.key.callsite))?;
    if let Some(types) = &planned.key.types {
        let types = types.0.iter().map(|ty| ty.map_or("*", |ty| ty.name()));
        writeln!(out, "    Types: ({})", Listed(types))?;
    }
    let omitted =
        facts.and_then(|facts| facts.parameters.get(planned.omitted.clone())).unwrap_or_default();
    if !omitted.is_empty() {
        writeln!(out, "    Omitted: {}", Listed(omitted.iter()))?;
    }
    if planned.callsite_hits > 0 {
        let (hits, all) = (planned.hits, planned.callsite_hits);
        writeln!(
            out,
            "    Received {hits} hits ({} % of the {all} callsite hits)",
            percent(hits, all)
        )?;
    }
    if planned.callsite_osr_hits > 0 {
        let (hits, all) = (planned.osr_hits, planned.callsite_osr_hits);
        writeln!(
            out,
            "    Received {hits} OSR hits ({} % of the {all} callsite OSR hits)",
            percent(hits, all)
        )?;
    }
    writeln!(out, "    Maximum depth: {}", planned.max_depth)
}

/// Rounded down, as when the planner compares.
fn percent(part: u32, whole: u32) -> u64 {
    u64::from(part) * 100 / u64::from(whole).max(1)
}
