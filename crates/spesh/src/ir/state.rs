//! What is known about each slot at one point of a frame.

use super::function::{InstClass, Value};
use super::request::FrameName;
use super::slot::Slot;
use super::snapshot::{Snapshot, SnapshotFrame};
use super::tags::TagSet;
use riverhawk_bytecode::{Op, SlotAccess, Successors};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    pub tags: TagSet,
    /// The number, if it is in a processor register.
    pub value: Option<Value>,
    /// Whether the value is not yet stored to the slot.
    pub stale: bool,
    /// What the slot holds; differs from `tags` while stale.
    pub memory: TagSet,
    /// Whether this frame wrote the slot's content and must drop it; otherwise an earlier frame
    /// must.
    pub is_own: bool,
}

impl Cell {
    /// A slot that holds its current value.
    pub(super) fn settled(tags: TagSet) -> Cell {
        Cell { tags, value: None, stale: false, memory: tags, is_own: !tags.is_plain() }
    }

    /// An unknown value left by an earlier frame.
    pub(super) fn of_earlier_frame() -> Cell {
        Cell { is_own: false, ..Cell::settled(TagSet::ANY) }
    }

    /// A number not yet stored.
    pub(super) fn fresh(value: Value, memory: TagSet) -> Cell {
        Cell { tags: TagSet::NUM, value: Some(value), stale: true, memory, is_own: false }
    }

    pub(super) fn class(&self) -> InstClass {
        InstClass::of(self.tags)
    }
}

/// The slots that the code uses, numbered.
#[derive(Debug)]
pub(super) struct Tracked {
    slots: Vec<Slot>,
    numbers: BTreeMap<Slot, usize>,
    pub written: BTreeSet<Slot>,
    /// Where basic blocks begin.
    pub leaders: BTreeSet<u32>,
    /// Targets of jumps back.
    pub headers: BTreeSet<u32>,
}

impl Tracked {
    pub(super) fn from(
        snapshot: &Snapshot,
        frame: &SnapshotFrame,
        entry: u32,
        name: FrameName,
    ) -> Tracked {
        let mut tracked = Tracked {
            slots: (0..frame.registers).map(Slot::Register).collect(),
            numbers: BTreeMap::new(),
            written: BTreeSet::new(),
            leaders: BTreeSet::from([entry]),
            headers: BTreeSet::new(),
        };
        let mut globals = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut waiting = vec![entry];
        while let Some(at) = waiting.pop() {
            if !frame.code.contains(&at) || !seen.insert(at) {
                continue;
            }
            let op = &snapshot.code[at as usize];
            op.visit_slots(&snapshot.lists, |slot, access| {
                let slot = Slot::from(slot);
                if snapshot.is_constant(slot) {
                    return;
                }
                if matches!(slot, Slot::Static(_)) {
                    globals.insert(slot);
                }
                if access != SlotAccess::Read {
                    tracked.written.insert(slot);
                }
            });
            let successors = op.successors();
            if let Successors::Jump(to) | Successors::Branch(to) = successors
                && to <= at
            {
                tracked.headers.insert(to);
            }
            match successors {
                Successors::Next | Successors::Call => waiting.push(at + 1),
                Successors::Jump(to) => {
                    tracked.leaders.insert(to);
                    waiting.push(to);
                }
                Successors::Branch(to) => {
                    tracked.leaders.extend([to, at + 1]);
                    waiting.extend([to, at + 1]);
                }
                Successors::End if name == FrameName::Main && matches!(op, Op::Next {}) => {
                    tracked.leaders.insert(frame.code.start);
                    waiting.push(frame.code.start);
                }
                Successors::Interpreter | Successors::End => {}
            }
        }
        tracked.slots.extend(globals);
        tracked.numbers = tracked.slots.iter().enumerate().map(|(at, &slot)| (slot, at)).collect();
        tracked
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// None for constants and unused slots.
    pub(super) fn number(&self, slot: Slot) -> Option<usize> {
        match slot {
            Slot::Register(number) => Some(usize::from(number)),
            Slot::Static(_) => self.numbers.get(&slot).copied(),
        }
    }

    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }
}
