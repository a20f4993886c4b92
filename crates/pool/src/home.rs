//! The queue a task belongs to.

use crate::WorkerKind;
use crate::affinity::AffinityQueue;
use std::sync::Arc;

/// The queue that a woken task returns to.
#[derive(Clone)]
pub(crate) enum Home {
    General,
    Timer,
    Affinity(Arc<AffinityQueue>),
}

impl Home {
    pub(crate) fn kind(&self) -> WorkerKind {
        match self {
            Self::General => WorkerKind::General,
            Self::Timer => WorkerKind::Timer,
            Self::Affinity(_) => WorkerKind::Affinity,
        }
    }
}
