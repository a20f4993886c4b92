//! When observations at one place count as one thing.
//!
//! A guard is cheap when it holds 99 times of 100, and expensive when it fails one time in ten.

use super::tree::{CalleeTuple, OffsetStatistics, OutcomeCounts, TypeCounts};
use crate::frame_id::FrameId;
use crate::outcome::Outcome;
use crate::thresholds::{RARE_FACTOR, STABLE_PERCENT};
use crate::types::Type;

/// The only type, or a hundred times more frequent than all others.
pub fn dominant_type(counts: &TypeCounts) -> Option<Type> {
    let (ty, count) = largest(counts.seen())?;
    let others: u64 = total(counts.seen()) - u64::from(count);
    (others == 0 || u64::from(count) > RARE_FACTOR * others).then_some(ty)
}

/// The outcome in 99 % of cases.
pub fn stable_outcome(counts: &OutcomeCounts) -> Option<Outcome> {
    let (outcome, count) = largest(counts.seen())?;
    is_stable(count, total(counts.seen())).then_some(outcome)
}

/// The callee of 99 % of the calls.
pub fn stable_callee(place: &OffsetStatistics) -> Option<FrameId> {
    let invoked = || place.invoked.iter().map(|(callee, count)| (*callee, *count));
    let (callee, count) = largest(invoked())?;
    is_stable(count, total(invoked()) + u64::from(place.further_calls)).then_some(callee)
}

/// The types of 99 % of all calls.
pub fn stable_callee_tuple(place: &OffsetStatistics) -> Option<&CalleeTuple> {
    let (tuple, count) = largest(place.callee_tuples.iter().map(|(tuple, count)| (tuple, *count)))?;
    let calls = total(place.invoked.iter().map(|(callee, count)| (callee, *count)))
        + u64::from(place.further_calls);
    is_stable(count, calls).then_some(tuple)
}

fn is_stable(count: u32, total: u64) -> bool {
    u64::from(count) * 100 >= total * u64::from(STABLE_PERCENT)
}

fn total<T>(counts: impl Iterator<Item = (T, u32)>) -> u64 {
    counts.map(|(_, count)| u64::from(count)).sum()
}

/// The first maximum.
fn largest<T>(counts: impl Iterator<Item = (T, u32)>) -> Option<(T, u32)> {
    counts.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(counts: &[(Type, u32)]) -> TypeCounts {
        let mut all = TypeCounts::default();
        for (ty, count) in counts {
            all.0[*ty as usize] = *count;
        }
        all
    }

    #[test]
    fn a_type_is_dominant_when_the_others_are_more_than_a_hundred_times_rarer() {
        let rows = [
            (&[(Type::Num, 7)][..], Some(Type::Num)),
            (&[(Type::Num, 100), (Type::Str, 1)], None),
            (&[(Type::Num, 101), (Type::Str, 1)], Some(Type::Num)),
            (&[(Type::Num, 201), (Type::Str, 1), (Type::Uninit, 1)], Some(Type::Num)),
            (&[(Type::Num, 200), (Type::Str, 1), (Type::Uninit, 1)], None),
            (&[], None),
        ];
        for (counts, expected) in rows {
            assert_eq!(dominant_type(&types(counts)), expected, "{counts:?}");
        }
    }

    #[test]
    fn an_operator_is_stable_at_ninety_nine_percent() {
        let mut counts = OutcomeCounts::default();
        assert_eq!(stable_outcome(&counts), None);
        counts.0[Outcome::NumNum as usize] = 99;
        counts.0[Outcome::StrStr as usize] = 1;
        assert_eq!(stable_outcome(&counts), Some(Outcome::NumNum));
        counts.0[Outcome::StrStr as usize] = 2;
        assert_eq!(stable_outcome(&counts), None);
    }

    #[test]
    fn a_callee_and_its_types_are_stable_at_ninety_nine_percent_of_all_calls() {
        let mut place = OffsetStatistics::default();
        let tuple = CalleeTuple {
            callee: FrameId(1),
            callsite: crate::Callsite::EMPTY,
            tuple: crate::TypeTuple(Box::default()),
        };
        place.invoked.insert(FrameId(1), 99);
        place.invoked.insert(FrameId(2), 1);
        place.callee_tuples.insert(tuple.clone(), 98);
        assert_eq!(stable_callee(&place), Some(FrameId(1)));
        assert_eq!(stable_callee_tuple(&place), None, "98 of 100 calls");
        place.callee_tuples.insert(tuple.clone(), 99);
        assert_eq!(stable_callee_tuple(&place), Some(&tuple));
        place.further_calls = 1;
        assert_eq!(stable_callee(&place), None, "99 of 101 calls");
    }
}
