//! Finds types that several tuples share.

use crate::statistics::TupleStatistics;
use crate::tuple::{GuardedTypes, TypeTuple};
use crate::types::Type;

pub(super) type SeenTuple<'a> = (&'a TypeTuple, &'a TupleStatistics);

/// Takes each argument's most frequent type, if it has `percent` of the callsite's hits; from then
/// on only tuples with that type count. Other arguments stay open.
///
/// Calls with an array, a number and anything give (array, num, open).
pub(super) fn derive(
    tuples: &[SeenTuple<'_>],
    callsite_total: u64,
    percent: u64,
) -> Option<GuardedTypes> {
    let arity = tuples.first()?.0.0.len();
    let mut matching: Vec<_> = tuples.iter().collect();
    let mut types = vec![None; arity];
    for (index, chosen) in types.iter_mut().enumerate() {
        let mut counts = [0u64; Type::COUNT];
        for (tuple, statistics) in &matching {
            if let Some(ty) = tuple.0.get(index) {
                counts[*ty as usize] += u64::from(statistics.hits) + u64::from(statistics.osr_hits);
            }
        }
        let most = counts.into_iter().max().unwrap_or(0);
        if most == 0 || most * 100 < callsite_total * percent {
            continue;
        }
        // The first of equally frequent types, so that runs are repeatable.
        let best = Type::ALL.into_iter().find(|ty| counts[*ty as usize] == most);
        matching.retain(|(tuple, _)| tuple.0.get(index).copied() == best);
        *chosen = best;
    }
    types.iter().any(Option::is_some).then(|| GuardedTypes(types.into()))
}
