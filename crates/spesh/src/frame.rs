//! Static frames: BEGIN, END, the record loop, a function.
//!
//! Threads share a frame; its statistics are freed with it. The log names frames by number, so it
//! keeps no program alive.

use crate::frame_id::FrameId;
use crate::statistics::FrameStatistics;
use crate::thresholds::{ENTRY_BUDGET, MAX_BYTECODE, ROUNDS};
use crate::tuple::SpecialisationKey;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// A frame's constant facts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameFacts {
    /// `BEGIN`, `main`, `END`, the function's name.
    pub name: String,
    /// Its place in dumps: `prog.awk:3`.
    pub place: String,
    /// Size of its bytecode in bytes.
    pub bytecode_bytes: u32,
    /// Names of its parameters.
    pub parameters: Vec<String>,
    /// Whether other frames call it. If not, entering it means that all earlier frames have ended.
    pub is_called: bool,
    /// Whether its operations gain from types; otherwise it gets certain specialisations only.
    pub gains_from_types: bool,
}

/// What became of a specialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Produced {
    /// How often it was produced.
    pub rounds: u32,
    /// Whether it is in use; otherwise it was withdrawn.
    pub standing: bool,
}

impl Produced {
    pub(crate) fn is_exhausted(self) -> bool {
        !self.standing && self.rounds >= ROUNDS
    }
}

/// A registered static frame.
pub struct RegisteredFrame {
    id: FrameId,
    facts: FrameFacts,
    /// Entries logged in this round of observation.
    logged: AtomicU32,
    is_watched_enough: AtomicBool,
    candidates: AtomicU32,
    known: Mutex<Known>,
    registry: Weak<Registry>,
}

#[derive(Default)]
pub(crate) struct Known {
    /// None while the worker has them.
    pub(crate) statistics: Option<Box<FrameStatistics>>,
    /// Observation has restarted: the worker's statistics are out of date.
    pub(crate) anew: bool,
    pub(crate) produced: BTreeMap<SpecialisationKey, Produced>,
}

impl RegisteredFrame {
    /// Its number.
    pub fn id(&self) -> FrameId {
        self.id
    }

    /// The facts it was registered with.
    pub fn facts(&self) -> &FrameFacts {
        &self.facts
    }

    /// Whether an entry may still be logged; never for a frame that is too large.
    #[inline(always)]
    pub(crate) fn has_budget(&self) -> bool {
        self.logged.load(Ordering::Relaxed) < ENTRY_BUDGET
    }

    /// Takes one entry out of the budget; false when another thread was faster. Call it only if
    /// [`RegisteredFrame::has_budget`], or the count overflows.
    pub(crate) fn take_entry(&self) -> bool {
        self.logged.fetch_add(1, Ordering::Relaxed) < ENTRY_BUDGET
    }

    /// Entries logged since observation began.
    pub fn logged_entries(&self) -> u32 {
        if self.is_too_large() { 0 } else { self.logged.load(Ordering::Relaxed).min(ENTRY_BUDGET) }
    }

    /// Whether its loops need no more watching.
    #[inline(always)]
    pub fn is_watched_enough(&self) -> bool {
        self.is_watched_enough.load(Ordering::Relaxed)
    }

    pub(crate) fn stop_watching(&self) {
        self.logged.store(ENTRY_BUDGET, Ordering::Relaxed);
        self.is_watched_enough.store(true, Ordering::Relaxed);
    }

    fn restart_watching(&self) {
        if !self.is_too_large() {
            self.logged.store(0, Ordering::Relaxed);
            self.is_watched_enough.store(false, Ordering::Relaxed);
        }
    }

    fn is_too_large(&self) -> bool {
        self.facts.bytecode_bytes >= MAX_BYTECODE
    }

    /// Counts a candidate. It and its guards must be complete: loops poll the count and enter the
    /// candidate at once.
    pub fn publish_candidate(&self) {
        self.candidates.fetch_add(1, Ordering::Release);
    }

    /// Candidates published so far.
    #[inline]
    pub fn published_candidates(&self) -> u32 {
        self.candidates.load(Ordering::Acquire)
    }

    /// Withdraws a specialisation that failed too often. Observation restarts from zero, so that
    /// the types of the failures are not outnumbered by earlier ones. Returns whether it may be
    /// planned again, [`ROUNDS`] times in all.
    pub fn withdraw(&self, key: &SpecialisationKey) -> bool {
        let mut known = self.known();
        let Some(produced) = known.produced.get_mut(key).filter(|produced| produced.standing)
        else {
            return false;
        };
        produced.standing = false;
        let again = !produced.is_exhausted();
        known.statistics = None;
        known.anew = true;
        drop(known);
        self.restart_watching();
        again
    }

    /// Drops old statistics. If they led to no plan, the budget restarts; otherwise a frame that is
    /// rarely entered would never be planned.
    pub(crate) fn forget_statistics(&self) {
        let mut known = self.known();
        known.statistics = None;
        let is_idle = known.produced.is_empty();
        drop(known);
        if is_idle {
            self.restart_watching();
        }
    }

    /// What became of a specialisation, if it was ever produced.
    pub fn produced(&self, key: &SpecialisationKey) -> Option<Produced> {
        self.known().produced.get(key).copied()
    }

    /// A copy of its statistics, unless the worker has them.
    pub fn statistics(&self) -> Option<FrameStatistics> {
        self.known().statistics.as_deref().cloned()
    }

    pub(crate) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for RegisteredFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticFrame")
            .field("id", &self.id)
            .field("facts", &self.facts)
            .finish_non_exhaustive()
    }
}

impl Drop for RegisteredFrame {
    fn drop(&mut self) {
        if let Some(registry) = self.registry.upgrade() {
            registry.frames().living.remove(&self.id);
        }
    }
}

#[derive(Default)]
pub(crate) struct Registry {
    frames: Mutex<Frames>,
}

#[derive(Default)]
struct Frames {
    next: u64,
    living: BTreeMap<FrameId, Weak<RegisteredFrame>>,
}

impl Registry {
    pub(crate) fn register(self: &Arc<Registry>, facts: FrameFacts) -> Arc<RegisteredFrame> {
        let mut frames = self.frames();
        frames.next += 1;
        let id = FrameId(frames.next);
        // A frame that is too large has no budget.
        let logged = if facts.bytecode_bytes >= MAX_BYTECODE { ENTRY_BUDGET } else { 0 };
        let frame = Arc::new(RegisteredFrame {
            id,
            facts,
            logged: AtomicU32::new(logged),
            is_watched_enough: AtomicBool::new(false),
            candidates: AtomicU32::new(0),
            known: Mutex::default(),
            registry: Arc::downgrade(self),
        });
        frames.living.insert(id, Arc::downgrade(&frame));
        frame
    }

    pub(crate) fn find(&self, id: FrameId) -> Option<Arc<RegisteredFrame>> {
        let weak = self.frames().living.get(&id).cloned();
        weak?.upgrade()
    }

    pub(crate) fn len(&self) -> usize {
        self.frames().living.len()
    }

    fn frames(&self) -> MutexGuard<'_, Frames> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
