//! When observations at one place count as stable.
//!
//! A guard is cheap if it holds 99 times in 100, and expensive if it fails one time in ten.

use super::tree::OffsetStatistics;
use crate::frame_id::FrameId;
use crate::thresholds::STABLE_PERCENT;

/// The callee of 99 % of the calls, if there is one.
pub fn stable_callee(place: &OffsetStatistics) -> Option<FrameId> {
    let invoked = || place.invoked.iter().map(|(callee, count)| (*callee, *count));
    let (callee, count) = largest(invoked())?;
    is_stable(count, total(invoked()) + u64::from(place.further_calls)).then_some(callee)
}

fn is_stable(count: u32, total: u64) -> bool {
    u64::from(count) * 100 >= total * u64::from(STABLE_PERCENT)
}

fn total<T>(counts: impl Iterator<Item = (T, u32)>) -> u64 {
    counts.map(|(_, count)| u64::from(count)).sum()
}

fn largest<T>(counts: impl Iterator<Item = (T, u32)>) -> Option<(T, u32)> {
    counts.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_callee_is_stable_at_ninety_nine_percent_of_all_calls() {
        let mut place = OffsetStatistics::default();
        assert_eq!(stable_callee(&place), None);
        place.invoked.insert(FrameId(1), 99);
        place.invoked.insert(FrameId(2), 1);
        assert_eq!(stable_callee(&place), Some(FrameId(1)));
        place.further_calls = 1;
        assert_eq!(stable_callee(&place), None, "99 of 101 calls");
    }
}
