//! Decides whether a loop is worth compiling, which takes some 2 ms. It is not if most time is
//! spent in operations, such as `sprintf`, that machine code performs as the interpreter does.

use super::performer::Performer;
use super::request::FrameName;
use super::snapshot::Snapshot;
use riverhawk_bytecode::{FrameId, Op, Successors, Unit};
use std::ops::{Range, RangeInclusive};

/// Minimum operations of a leaf function worth entering.
const MIN_ENTERED: usize = 24;

/// Instructions saved by compiling one operation.
const SAVED: u32 = 25;

/// At least one instruction in this many must be saved. With one in ten, a loop of `sprintf` became
/// slower than interpreted.
const MIN_PART: u32 = 5;

/// Whether a program may gain, and so is watched. Runs before there is a [`Snapshot`].
pub fn program_may_gain(unit: &Unit) -> bool {
    // Programs with rules for files are not compiled.
    if unit.begin_file.is_some() || unit.end_file.is_some() {
        return false;
    }
    let bytecode = Bytecode { code: &unit.code };
    let mut frames = [&unit.begin, &unit.main, &unit.end].into_iter().flatten();
    frames.any(|frame| bytecode.gains_within(frame.code.clone()))
        || unit.main.as_ref().is_some_and(|frame| bytecode.cuts_records(frame.code.clone()))
        || unit.functions.iter().any(|function| bytecode.is_worth_entering(function.code.clone()))
}

/// See [`Snapshot::is_worth_entering`]; for functions called by built-in functions.
pub fn may_gain_called_back(unit: &Unit, function: FrameId) -> bool {
    let function = unit.functions.get(function.index());
    let bytecode = Bytecode { code: &unit.code };
    function.is_some_and(|function| bytecode.is_worth_entering(function.code.clone()))
}

impl Snapshot {
    /// Whether the loop at this header gains by machine code and is worth watching. Loops with
    /// calls do, and so do loops of functions, which are also compiled for their callers.
    pub fn loop_gains(&self, name: FrameName, header: u32) -> bool {
        if !self.gains(name) {
            return false;
        }
        if !matches!(name, FrameName::Begin | FrameName::Main | FrameName::End) {
            return true;
        }
        let bytecode = self.bytecode();
        let Some(last) =
            self.frame(name).and_then(|frame| bytecode.last_jump(header, frame.code.end))
        else {
            return true;
        };
        bytecode.gains_within(header + 1..last) || bytecode.innermost_gains(header, last)
    }

    /// Whether a function has loops.
    pub fn has_loop(&self, function: u32) -> bool {
        let frame = self.frame(FrameName::Function(function));
        frame.is_some_and(|frame| {
            frame.code.clone().any(|at| self.bytecode().jumps_back(at).is_some())
        })
    }

    pub(super) fn bytecode(&self) -> Bytecode<'_> {
        Bytecode { code: &self.code }
    }
}

#[derive(Clone, Copy)]
pub(super) struct Bytecode<'u> {
    code: &'u [Op],
}

impl Bytecode<'_> {
    /// Whether these operations gain by calls or an innermost loop.
    pub(super) fn gains_within(self, code: Range<u32>) -> bool {
        let mut loops = code.clone().filter_map(|last| Some((self.jumps_back(last)?, last)));
        code.clone().any(|at| self.is_call(at))
            || loops
                .any(|(header, last)| code.contains(&header) && self.innermost_gains(header, last))
    }

    /// Whether these operations cut records into pieces that are never made: each saves some 100
    /// instructions, and compiling pays from two in a record on.
    pub(super) fn cuts_records(self, code: Range<u32>) -> bool {
        let is_cut = |at: &u32| {
            matches!(
                self.code[*at as usize],
                Op::Substr { view: true, .. } | Op::SubstrFrom { view: true, .. }
            )
        };
        code.filter(is_cut).count() > 1
    }

    pub(super) fn is_worth_entering(self, mut function: Range<u32>) -> bool {
        function.len() >= MIN_ENTERED
            || function.any(|at| self.is_call(at) || self.jumps_back(at).is_some())
    }

    fn innermost_gains(self, header: u32, last: u32) -> bool {
        let has_loops = (header..last).any(|at| self.jumps_back(at).is_some_and(|to| to > header));
        !has_loops && self.turn_gains(header..=last)
    }

    fn is_call(self, at: u32) -> bool {
        self.code[at as usize].successors() == Successors::Call
    }

    fn jumps_back(self, at: u32) -> Option<u32> {
        let op = &self.code[at as usize];
        match op.successors() {
            Successors::Jump(to) | Successors::Branch(to) if to <= at && !op.reads_input() => {
                Some(to)
            }
            _ => None,
        }
    }

    fn last_jump(self, header: u32, end: u32) -> Option<u32> {
        (header..end).rev().find(|&at| self.jumps_back(at) == Some(header))
    }

    fn turn_gains(self, body: RangeInclusive<u32>) -> bool {
        let (mut saved, mut spent) = (0u32, 0u32);
        for at in body {
            match self.cost(&self.code[at as usize]) {
                0 => saved += SAVED,
                cost => spent += cost,
            }
        }
        saved * MIN_PART >= spent
    }

    /// The instructions of an expensive operation, measured with short operands.
    fn cost(self, op: &Op) -> u32 {
        match (Performer::of(op), op) {
            // With two groups of nine characters.
            (_, Op::MatchGroups { .. }) => 10_000,
            // A constant takes 150, a number 230, two numbers 450, each further text 50.
            (
                Performer::Print | Performer::PrintTo,
                Op::Print { parts } | Op::PrintTo { parts, .. },
            ) => 150 + 150 * parts.count,
            // Of five parts, two of them numbers: 750.
            (Performer::PrintJoined | Performer::PrintJoinedTo, _) => 600,
            (
                Performer::GetlineFrom
                | Performer::GetlineFromVar
                | Performer::Matches
                | Performer::MatchAt,
                _,
            ) => 400,
            (Performer::Format, _) => 700,
            (Performer::Substitute | Performer::Library, _) => 900,
            (Performer::Split, _) => 1_500,
            _ => 0,
        }
    }
}
