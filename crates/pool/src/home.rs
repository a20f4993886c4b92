//! The queue a task belongs to.

use crate::Kind;
use crate::affinity::AffinityQueue;
use std::sync::Arc;

/// The queue a task goes back to when it is woken: the same it came from.
#[derive(Clone)]
pub(crate) enum Home {
    General,
    Timer,
    Affinity(Arc<AffinityQueue>),
}

impl Home {
    pub(crate) fn kind(&self) -> Kind {
        match self {
            Self::General => Kind::General,
            Self::Timer => Kind::Timer,
            Self::Affinity(_) => Kind::Affinity,
        }
    }
}
