//! Static frames: BEGIN, END, the record loop, a function. One is registered with the specialiser
//! once and shared by every thread that runs it; what is known about it is freed with it. The log
//! names it by number, so a log that waits keeps no program alive.

use crate::frame_id::FrameId;
use crate::statistics::FrameStatistics;
use crate::thresholds::{ENTRY_BUDGET, MAX_BYTECODE, ROUNDS};
use crate::tuple::SpecialisationKey;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// What the specialiser must know about a frame, and never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameFacts {
    /// `BEGIN`, `main`, `END`, the function's name.
    pub name: String,
    /// Where it stands, as dumps show it: `prog.awk:3`.
    pub place: String,
    /// Size of its bytecode in bytes; offsets in the log lie below it.
    pub bytecode_bytes: u32,
    /// Names of its parameters.
    pub parameters: Vec<String>,
    /// Whether other frames call it. When one that is never called is entered, what ran before has
    /// been left.
    pub is_called: bool,
    /// Whether any of its operations gains from types. Without that, a frame gets certain
    /// specialisations only.
    pub gains_from_types: bool,
}

/// What became of a specialisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Produced {
    /// How often it was produced.
    pub rounds: u32,
    /// Whether it stands; otherwise it was withdrawn.
    pub standing: bool,
}

impl Produced {
    /// Whether it may not be produced again.
    pub fn is_exhausted(self) -> bool {
        !self.standing && self.rounds >= ROUNDS
    }
}

/// A registered static frame.
pub struct StaticFrame {
    id: FrameId,
    facts: FrameFacts,
    /// Entries logged in this round of observation.
    logged: AtomicU32,
    /// Its loops have been watched for long enough in this round.
    is_watched_enough: AtomicBool,
    /// Candidates that can be entered.
    candidates: AtomicU32,
    known: Mutex<Known>,
    registry: Weak<Registry>,
}

/// What is known about a frame.
#[derive(Default)]
pub(crate) struct Known {
    /// Its statistics, except while the worker has them in hand.
    pub(crate) statistics: Option<Box<FrameStatistics>>,
    /// Observation has begun anew: statistics that the worker still holds are out of date.
    pub(crate) anew: bool,
    pub(crate) produced: BTreeMap<SpecialisationKey, Produced>,
}

impl StaticFrame {
    /// Its number.
    pub fn id(&self) -> FrameId {
        self.id
    }

    /// What never changes about it.
    pub fn facts(&self) -> &FrameFacts {
        &self.facts
    }

    /// Whether an entry may still be logged; never for a frame that is too large.
    #[inline(always)]
    pub(crate) fn has_budget(&self) -> bool {
        self.logged.load(Ordering::Relaxed) < ENTRY_BUDGET
    }

    /// Takes one entry out of the budget; false when another thread was faster. Only called while
    /// there [is a budget](StaticFrame::has_budget), so the count cannot run over.
    pub(crate) fn take_entry(&self) -> bool {
        self.logged.fetch_add(1, Ordering::Relaxed) < ENTRY_BUDGET
    }

    /// Entries that were logged since observation began.
    pub fn logged_entries(&self) -> u32 {
        if self.is_too_large() { 0 } else { self.logged.load(Ordering::Relaxed).min(ENTRY_BUDGET) }
    }

    /// Whether its loops need not be watched any more.
    #[inline(always)]
    pub fn is_watched_enough(&self) -> bool {
        self.is_watched_enough.load(Ordering::Relaxed)
    }

    /// Ends this round of observation: neither entries nor what happens in loops is logged.
    pub(crate) fn stop_watching(&self) {
        self.logged.store(ENTRY_BUDGET, Ordering::Relaxed);
        self.is_watched_enough.store(true, Ordering::Relaxed);
    }

    /// Begins a new round.
    fn watch_anew(&self) {
        if !self.is_too_large() {
            self.logged.store(0, Ordering::Relaxed);
            self.is_watched_enough.store(false, Ordering::Relaxed);
        }
    }

    fn is_too_large(&self) -> bool {
        self.facts.bytecode_bytes >= MAX_BYTECODE
    }

    /// One more candidate can be entered: called after it and its guards are in place, since a loop
    /// polls the count and enters what it finds.
    pub fn publish_candidate(&self) {
        self.candidates.fetch_add(1, Ordering::Release);
    }

    /// How many candidates have been published. An unchanged number means that there is nothing
    /// new.
    #[inline]
    pub fn published_candidates(&self) -> u32 {
        self.candidates.load(Ordering::Acquire)
    }

    /// A specialisation failed too often and is no longer entered: the frame is observed again from
    /// nothing, so that what made it fail has its weight, and the specialisation may be planned
    /// [`ROUNDS`] times in all. Returns whether it may be planned again.
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
        self.watch_anew();
        again
    }

    /// Its statistics were not updated for too long and are dropped. If nothing came of them, the
    /// budget begins anew: a frame that is entered now and then would use it up and never be
    /// planned.
    pub(crate) fn forget_statistics(&self) {
        let mut known = self.known();
        known.statistics = None;
        let is_idle = known.produced.is_empty();
        drop(known);
        if is_idle {
            self.watch_anew();
        }
    }

    /// What became of a specialisation, if it was ever produced.
    pub fn produced(&self, key: &SpecialisationKey) -> Option<Produced> {
        self.known().produced.get(key).copied()
    }

    /// A copy of its statistics; none when none are kept, or the worker is just adding to them.
    pub fn statistics(&self) -> Option<FrameStatistics> {
        self.known().statistics.as_deref().cloned()
    }

    pub(crate) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for StaticFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaticFrame")
            .field("id", &self.id)
            .field("facts", &self.facts)
            .finish_non_exhaustive()
    }
}

impl Drop for StaticFrame {
    fn drop(&mut self) {
        if let Some(registry) = self.registry.upgrade() {
            registry.frames().living.remove(&self.id);
        }
    }
}

/// The frames that live, by number.
#[derive(Default)]
pub(crate) struct Registry {
    frames: Mutex<Frames>,
}

#[derive(Default)]
struct Frames {
    next: u64,
    living: BTreeMap<FrameId, Weak<StaticFrame>>,
}

impl Registry {
    pub(crate) fn register(self: &Arc<Registry>, facts: FrameFacts) -> Arc<StaticFrame> {
        let mut frames = self.frames();
        frames.next += 1;
        let id = FrameId(frames.next);
        // A frame that is too large has no budget.
        let logged = if facts.bytecode_bytes >= MAX_BYTECODE { ENTRY_BUDGET } else { 0 };
        let frame = Arc::new(StaticFrame {
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

    pub(crate) fn find(&self, id: FrameId) -> Option<Arc<StaticFrame>> {
        let weak = self.frames().living.get(&id).cloned();
        weak?.upgrade()
    }

    /// How many frames live.
    pub(crate) fn len(&self) -> usize {
        self.frames().living.len()
    }

    fn frames(&self) -> MutexGuard<'_, Frames> {
        self.frames.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
