//! What the planner looks at.

use crate::frame::{FrameFacts, Produced};
use crate::statistics::FrameStatistics;
use crate::tuple::SpecialisationKey;
use std::collections::BTreeMap;

/// A frame as the planner sees it.
#[derive(Clone, Copy, Debug)]
pub struct ObservedFrame<'a> {
    /// What never changes about it.
    pub facts: &'a FrameFacts,
    /// What was seen.
    pub statistics: &'a FrameStatistics,
    /// What has been produced for it.
    pub produced: &'a BTreeMap<SpecialisationKey, Produced>,
}
