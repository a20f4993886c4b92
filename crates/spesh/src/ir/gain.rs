//! Whether a loop is worth code of its own: one that spends its time in functions which code calls as the interpreter does saves less
//! than the compiler takes, some 2 ms.

use super::effects::{Flow, reads_records, visit};
use super::function::Performer;
use super::operations::performer;
use super::request::FrameName;
use super::snapshot::{Frame, Snapshot};
use riverhawk_bytecode::Op;
use std::ops::{Range, RangeInclusive};

/// What code saves with each operation that it has itself: instructions.
const SAVED: u32 = 25;

/// The least part of the instructions that must be saved, as one of so many: with a tenth a loop of `sprintf` took 39 ms and, compiled, 43.
const LEAST_PART: u32 = 5;

impl Snapshot {
    /// Whether the loop at this head gains by code of its own, by the bytecode alone: then it is worth watching, too. Loops with calls within
    /// do, and so do those of functions, whose code is made for their callers as well; loops around others gain where one of those does.
    pub fn loop_gains(&self, name: FrameName, head: u32) -> bool {
        if !self.gains(name) {
            return false;
        }
        if !matches!(name, FrameName::Begin | FrameName::Main | FrameName::End) {
            return true;
        }
        let Some(last) = self.frame(name).and_then(|frame| self.last_jump(head, frame.code.end)) else { return true };
        if self.gains_within(head + 1..last) {
            return true;
        }
        self.innermost_gains(head, last)
    }

    /// Whether code for these operations gains by the calls among them, or by a loop: one around others spends its time in the innermost.
    pub(super) fn gains_within(&self, code: Range<u32>) -> bool {
        let mut loops = code.clone().filter_map(|last| Some((self.jumps_back(last)?, last)));
        code.clone().any(|at| self.is_call(at))
            || loops.any(|(head, last)| code.contains(&head) && self.innermost_gains(head, last))
    }

    /// Whether a loop has none within, and its turns save enough.
    fn innermost_gains(&self, head: u32, last: u32) -> bool {
        let has_loops = (head..last).any(|at| self.jumps_back(at).is_some_and(|to| to > head));
        !has_loops && self.turn_gains(head..=last)
    }

    /// Whether a frame has loops or calls.
    pub(super) fn has_loop_or_call(&self, frame: &Frame) -> bool {
        frame.code.clone().any(|at| self.is_call(at) || self.jumps_back(at).is_some())
    }

    /// Whether a function has loops.
    pub fn has_loop(&self, function: u32) -> bool {
        let frame = self.frame(FrameName::Function(function));
        frame.is_some_and(|frame| frame.code.clone().any(|at| self.jumps_back(at).is_some()))
    }

    fn is_call(&self, at: u32) -> bool {
        self.flow(at) == Flow::Call
    }

    fn flow(&self, at: u32) -> Flow {
        visit(&self.code()[at as usize], &self.lists, |_, _| {})
    }

    /// The head to which an operation goes back, if it does.
    fn jumps_back(&self, at: u32) -> Option<u32> {
        match self.flow(at) {
            Flow::Jump(to) | Flow::Branch(to) if to <= at && !reads_records(&self.code()[at as usize]) => Some(to),
            _ => None,
        }
    }

    /// The last operation that goes back to this head.
    fn last_jump(&self, head: u32, end: u32) -> Option<u32> {
        (head..end).rev().find(|&at| self.jumps_back(at) == Some(head))
    }

    /// Whether a turn without loops and calls within saves enough.
    fn turn_gains(&self, body: RangeInclusive<u32>) -> bool {
        let (mut saved, mut spent) = (0u32, 0u32);
        for at in body {
            match cost(&self.code()[at as usize]) {
                0 => saved += SAVED,
                cost => spent += cost,
            }
        }
        saved * LEAST_PART >= spent
    }
}

/// What an operation takes whoever performs it, where that is much: instructions, measured with short operands.
fn cost(op: &Op) -> u32 {
    match performer(op) {
        // Two groups of nine characters.
        _ if matches!(op, Op::MatchGroups { .. }) => 10_000,
        Performer::Print | Performer::PrintTo => 300,
        // Of five parts, two of them numbers: 750.
        Performer::PrintJoined | Performer::PrintJoinedTo => 600,
        Performer::GetlineFrom | Performer::GetlineFromVar | Performer::Matches | Performer::MatchAt => 400,
        Performer::Format => 700,
        Performer::Substitute | Performer::Library => 900,
        Performer::Split => 1_500,
        _ => 0,
    }
}
