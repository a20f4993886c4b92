//! Replays a thread's log into a simulated stack, which shows callers and types.
//!
//! Unlogged frames are missing, `exit` and `next` leave no event, and a log may end anywhere. So an
//! event finds its frame by correlation id, and all frames above it count as left. An event without
//! a frame is skipped.
//!
//! The stack is kept between buffers, since the main loop is entered only once.

use super::Version;
use super::ledger::Ledger;
use super::simulated_frame::{ArgumentLog, Places, Seen, SimulatedFrame, Types};
use crate::callsite::Callsite;
use crate::frame_id::FrameId;
use crate::log::{CorrelationId, LogEntry};
use crate::thresholds::SIMULATED_FRAMES;
use std::collections::BTreeSet;

/// A thread's simulated stack; correlation ids rise towards its top.
#[derive(Debug, Default)]
pub(crate) struct Simulation {
    frames: Vec<SimulatedFrame>,
    last_replay: Version,
}

impl Simulation {
    pub(crate) fn replay(&mut self, entries: &[LogEntry], ledger: &mut Ledger<'_>) {
        self.last_replay = ledger.version();
        for entry in entries {
            self.replay_entry(entry, ledger);
            if self.frames.last().is_some_and(SimulatedFrame::is_full)
                && let [rest @ .., top] = &mut self.frames[..]
            {
                top.add_to_statistics(rest.last_mut(), ledger, ArgumentLog::MoreMayCome);
            }
        }
        self.settle(ledger);
    }

    pub(crate) fn last_replay(&self) -> Version {
        self.last_replay
    }

    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    pub(crate) fn collect_frames(&self, into: &mut BTreeSet<FrameId>) {
        into.extend(self.frames.iter().map(|simulated| simulated.frame));
    }

    /// For a thread that ended, or was silent for too long.
    pub(crate) fn end(mut self, ledger: &mut Ledger<'_>) {
        while self.pop(ledger).is_some() {}
    }

    fn replay_entry(&mut self, entry: &LogEntry, ledger: &mut Ledger<'_>) {
        if let LogEntry::Entry { correlation, frame, callsite } = *entry {
            return self.enter(correlation, frame, callsite, ledger);
        }
        let Some(top) = self.unwind_to(entry.correlation(), ledger) else { return };
        match *entry {
            LogEntry::Entry { .. } => {}
            LogEntry::Parameter { index, tag, .. } => {
                if let Some((shown, _)) = top.argument(index) {
                    *shown = Some(tag);
                }
            }
            LogEntry::Resolved { index, class, .. } => {
                if let Some((_, resolved)) = top.argument(index) {
                    *resolved = Some(class);
                }
            }
            LogEntry::Type { offset, ty, .. } => top.see(offset, Seen::Type(ty)),
            LogEntry::Outcome { offset, outcome, .. } => top.see(offset, Seen::Outcome(outcome)),
            LogEntry::Invoke { offset, callee, .. } => {
                top.last_invoke = Some((offset, callee));
                top.see(offset, Seen::Invoked(callee));
                if let Some(open) = ledger.update(top.frame) {
                    open.statistics.add_callee(callee);
                }
            }
            LogEntry::Osr { .. } => {
                top.pending_osr_hits = top.pending_osr_hits.saturating_add(1);
                if let Some(open) = ledger.update(top.frame) {
                    open.statistics.add_osr_hit(top.callsite);
                }
            }
            LogEntry::Return { offset, ty, .. } => {
                // Unlogged frames may be between them.
                if let (Some(left), Some(caller)) = (self.pop(ledger), self.frames.last_mut())
                    && left.called_at == Some(offset)
                    && let Some(ty) = ty
                {
                    caller.see(offset, Seen::Type(ty));
                }
            }
            LogEntry::ReturnToUnlogged { .. } => {
                self.pop(ledger);
            }
        }
    }

    fn enter(
        &mut self,
        correlation: CorrelationId,
        frame: FrameId,
        callsite: Option<Callsite>,
        ledger: &mut Ledger<'_>,
    ) {
        // Only a restarted counter or a damaged log has higher ids.
        while self.frames.last().is_some_and(|top| top.correlation >= correlation) {
            self.pop(ledger);
        }
        if self.frames.len() >= SIMULATED_FRAMES {
            self.give_up_outer_half(ledger);
        }
        if ledger.open(frame).is_some_and(|open| !open.frame.facts().is_called) {
            // Another piece of the input, or END: the log may have lost the end of the previous
            // one.
            while self.pop(ledger).is_some() {}
        }
        let now = ledger.version();
        let Some(open) = ledger.update(frame) else { return };
        let caller = self.frames.last();
        let depth = caller.map_or(0, |caller| caller.depth).saturating_add(1);
        open.statistics.add_entry(callsite, depth);
        let called_at =
            caller.and_then(|caller| caller.last_invoke).filter(|(_, callee)| *callee == frame);
        self.frames.push(SimulatedFrame {
            correlation,
            frame,
            callsite,
            depth,
            entered: now,
            types: Types::of(callsite),
            pending: Vec::new(),
            pending_osr_hits: 0,
            places: Places::default(),
            last_invoke: None,
            called_at: called_at.map(|(offset, _)| offset),
        });
    }

    /// Leaves all frames above; none if the frame is not on the stack.
    fn unwind_to(
        &mut self,
        correlation: CorrelationId,
        ledger: &mut Ledger<'_>,
    ) -> Option<&mut SimulatedFrame> {
        if self.frames.last()?.correlation != correlation {
            let at = self
                .frames
                .binary_search_by_key(&correlation, |simulated| simulated.correlation)
                .ok()?;
            while self.frames.len() > at + 1 {
                self.pop(ledger);
            }
        }
        self.frames.last_mut()
    }

    fn pop(&mut self, ledger: &mut Ledger<'_>) -> Option<SimulatedFrame> {
        let mut left = self.frames.pop()?;
        left.add_to_statistics(self.frames.last_mut(), ledger, ArgumentLog::Logged);
        Some(left)
    }

    /// Counts the events so far, also of frames that are never left.
    fn settle(&mut self, ledger: &mut Ledger<'_>) {
        let now = ledger.version();
        for at in (0..self.frames.len()).rev() {
            let (below, rest) = self.frames.split_at_mut(at);
            let Some(simulated) = rest.first_mut() else { continue };
            // Arguments cut off here are at the start of the next buffer.
            let arguments = match simulated.entered < now {
                true => ArgumentLog::Logged,
                false => ArgumentLog::MoreMayCome,
            };
            simulated.add_to_statistics(below.last_mut(), ledger, arguments);
        }
    }

    fn give_up_outer_half(&mut self, ledger: &mut Ledger<'_>) {
        let inner = self.frames.split_off(self.frames.len() / 2);
        while self.pop(ledger).is_some() {}
        self.frames = inner;
    }
}
