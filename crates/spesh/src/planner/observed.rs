//! The planner's input.

use crate::frame::{FrameFacts, Produced};
use crate::statistics::FrameStatistics;
use crate::tuple::SpecialisationKey;
use std::collections::BTreeMap;

/// A frame as the planner sees it.
#[derive(Clone, Copy, Debug)]
pub struct ObservedFrame<'a> {
    /// Its constant facts.
    pub facts: &'a FrameFacts,
    /// What was seen.
    pub statistics: &'a FrameStatistics,
    /// Its specialisations so far.
    pub produced: &'a BTreeMap<SpecialisationKey, Produced>,
}
