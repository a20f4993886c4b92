//! What is known about each slot of a frame at one point of it.

use super::function::{Class, Value};
use super::request::FrameName;
use super::slot::Slot;
use super::snapshot::{Frame, Snapshot};
use super::tags::TagSet;
use riverhawk_bytecode::{Op, SlotAccess, Successors};
use std::collections::{BTreeMap, BTreeSet};

/// What is known about one slot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Cell {
    /// The tags that its value may have.
    pub tags: TagSet,
    /// The value, when it is a number and at hand.
    pub value: Option<Value>,
    /// The slot does not hold the value yet, which is a number at hand.
    pub stale: bool,
    /// The tags of what the slot holds.
    pub memory: TagSet,
    /// This frame has put there what the slot holds, and drops it in the end; otherwise it is left
    /// over from an earlier frame.
    pub is_own: bool,
}

impl Cell {
    /// A slot that holds what it should.
    pub fn settled(tags: TagSet) -> Cell {
        Cell { tags, value: None, stale: false, memory: tags, is_own: !tags.is_plain() }
    }

    /// A slot of which nothing is known, and that an earlier frame has left behind.
    pub fn left_behind() -> Cell {
        Cell { is_own: false, ..Cell::settled(TagSet::ANY) }
    }

    /// A number that the slot does not hold yet.
    pub fn fresh(value: Value, memory: TagSet) -> Cell {
        Cell { tags: TagSet::NUM, value: Some(value), stale: true, memory, is_own: false }
    }

    pub fn class(&self) -> Class {
        Class::of(self.tags)
    }
}

/// The numbered slots that a frame's code, from an entry on, has to do with.
#[derive(Debug)]
pub(super) struct Tracked {
    slots: Vec<Slot>,
    numbers: BTreeMap<Slot, usize>,
    /// Those that some operation writes.
    pub written: BTreeSet<Slot>,
    /// Where blocks of the bytecode begin.
    pub leaders: BTreeSet<u32>,
    /// Those that are come back to.
    pub headers: BTreeSet<u32>,
}

impl Tracked {
    /// Of everything that can be reached from `entry`.
    pub fn from(snapshot: &Snapshot, frame: &Frame, entry: u32, name: FrameName) -> Tracked {
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

    /// How many there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// A slot's number; none for constants, and for slots that the code does not mention.
    pub fn number(&self, slot: Slot) -> Option<usize> {
        match slot {
            Slot::Register(number) => Some(usize::from(number)),
            Slot::Static(_) => self.numbers.get(&slot).copied(),
        }
    }

    /// All of them, in order.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }
}
