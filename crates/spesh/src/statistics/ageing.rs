//! Finds old statistics.
//!
//! Updates are listed by buffer, so that a new buffer costs only a look at the frames of the one
//! that is now too old.

use super::Version;
use crate::frame_id::FrameId;
use crate::thresholds::MAX_AGE;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Default)]
pub(crate) struct Ages {
    last_update: BTreeMap<FrameId, Version>,
    updated_with: BTreeMap<Version, Vec<FrameId>>,
}

impl Ages {
    pub(crate) fn update(&mut self, frame: FrameId, now: Version) {
        if self.last_update.insert(frame, now) != Some(now) {
            self.updated_with.entry(now).or_default().push(frame);
        }
    }

    /// Removes frames last updated more than [`MAX_AGE`] buffers ago, if they are on no simulated
    /// stack.
    pub(crate) fn take_aged(
        &mut self,
        now: Version,
        on_a_stack: impl FnOnce() -> BTreeSet<FrameId>,
    ) -> Vec<FrameId> {
        let oldest_kept = Version(now.0.saturating_sub(MAX_AGE));
        let kept = self.updated_with.split_off(&oldest_kept);
        let old = std::mem::replace(&mut self.updated_with, kept);
        if old.is_empty() {
            return Vec::new();
        }
        let on_a_stack = on_a_stack();
        let mut aged = Vec::new();
        for frame in old.into_values().flatten() {
            if self.last_update.get(&frame).is_none_or(|version| *version >= oldest_kept) {
                continue;
            }
            if on_a_stack.contains(&frame) {
                self.update(frame, now);
            } else {
                self.last_update.remove(&frame);
                aged.push(frame);
            }
        }
        aged
    }

    pub(crate) fn len(&self) -> usize {
        self.last_update.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_ages_after_five_buffers_without_an_update() {
        let mut ages = Ages::default();
        let no_frames = BTreeSet::new;
        ages.update(FrameId(1), Version(1));
        ages.update(FrameId(2), Version(1));
        ages.update(FrameId(2), Version(3));
        for now in 2..=6 {
            assert!(ages.take_aged(Version(now), no_frames).is_empty(), "buffer {now}");
        }
        assert_eq!(ages.take_aged(Version(7), no_frames), [FrameId(1)]);
        assert!(ages.take_aged(Version(8), no_frames).is_empty());
        assert_eq!(ages.take_aged(Version(9), no_frames), [FrameId(2)]);
        assert_eq!(ages.len(), 0);
        assert!(ages.updated_with.is_empty());
    }

    #[test]
    fn a_frame_on_a_simulated_stack_does_not_age() {
        let mut ages = Ages::default();
        let stack = || BTreeSet::from([FrameId(1)]);
        ages.update(FrameId(1), Version(1));
        assert!(ages.take_aged(Version(40), stack).is_empty());
        assert_eq!(ages.take_aged(Version(80), BTreeSet::new), [FrameId(1)]);
    }
}
