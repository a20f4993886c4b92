//! A program without its values, for a compiler on another thread: values never cross threads, so
//! it gets the operations and what is known of constants.

use super::request::FrameName;
use super::slot::Slot;
use super::tags::TagSet;
use riverhawk_bytecode::operand::PatternKind;
use riverhawk_bytecode::{
    EdgeBytes, Op, PatternRef, SlotAccess, Src, StaticFrame, Successors, Unit,
};
use riverhawk_value::layout::tag;
use riverhawk_value::{SmallStr, Value};
use std::collections::BTreeSet;
use std::ops::Range;

/// A program, copied on the thread that runs it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) code: Vec<Op>,
    pub(super) lists: Vec<Src>,
    pub(super) globals: usize,
    constants: Vec<ConstantFacts>,
    edges: Vec<Option<EdgeBytes>>,
    begin: Option<SnapshotFrame>,
    main: Option<SnapshotFrame>,
    end: Option<SnapshotFrame>,
    functions: Vec<SnapshotFrame>,
    is_profiled: bool,
    /// With exact integers, the interpreter computes whatever a double may round.
    pub(super) exact: bool,
    /// Rules for files run within operations that read records.
    pub(super) has_file_rules: bool,
}

/// What is known of a constant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstantFacts {
    /// Its value's tag.
    pub tags: TagSet,
    /// Its value, if it is a number.
    pub number: Option<f64>,
    /// Its value, if it is short text.
    pub text: Option<SmallStr>,
}

/// A frame of the program.
#[derive(Clone, Debug)]
pub struct SnapshotFrame {
    /// Its name in the program.
    pub name: String,
    /// Its operations.
    pub code: Range<u32>,
    /// The number of registers, parameters first.
    pub registers: u16,
    /// The number of parameters.
    pub parameters: u16,
    /// Globals used by it and its callees.
    pub touched: UsedGlobals,
    /// Parameters that only arithmetic reads, so that callers may pass numbers.
    pub arithmetic: Vec<bool>,
}

/// The globals used by a frame and its callees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UsedGlobals {
    /// Read.
    pub reads: BTreeSet<u16>,
    /// Written, or made arrays.
    pub writes: BTreeSet<u16>,
    /// Any may be read or written.
    pub everything: bool,
}

impl UsedGlobals {
    fn absorb(&mut self, other: &UsedGlobals) -> bool {
        let before = (self.reads.len(), self.writes.len(), self.everything);
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.everything |= other.everything;
        before != (self.reads.len(), self.writes.len(), self.everything)
    }

    /// Whether a global may be read or written.
    pub fn touches(&self, global: u16) -> bool {
        self.everything || self.reads.contains(&global) || self.writes.contains(&global)
    }

    /// Whether a global may be written.
    pub fn may_write(&self, global: u16) -> bool {
        self.everything || self.writes.contains(&global)
    }
}

impl Snapshot {
    /// Makes it from a verified unit.
    pub fn of(unit: &Unit) -> Snapshot {
        let constant = |constant: &riverhawk_bytecode::Constant| {
            let value = constant.to_value();
            ConstantFacts {
                tags: TagSet::only(tag::of(&value)),
                number: if let Value::Num(number) = value { Some(number) } else { None },
                text: if let Value::Small(text) = value { Some(text) } else { None },
            }
        };
        let mut snapshot = Snapshot {
            code: unit.code.clone(),
            lists: unit.lists.clone(),
            globals: unit.globals.len(),
            constants: unit.constants.iter().map(constant).collect(),
            edges: unit.edges.clone(),
            begin: unit.begin.as_ref().map(SnapshotFrame::of),
            main: unit.main.as_ref().map(SnapshotFrame::of),
            end: unit.end.as_ref().map(SnapshotFrame::of),
            functions: unit.functions.iter().map(SnapshotFrame::of).collect(),
            is_profiled: !unit.rules.is_empty(),
            exact: unit.exact,
            has_file_rules: unit.begin_file.is_some() || unit.end_file.is_some(),
        };
        snapshot.find_touched();
        for frame in &mut snapshot.functions {
            frame.find_arithmetic(&snapshot.code, &snapshot.lists);
        }
        snapshot
    }

    /// A frame.
    pub fn frame(&self, name: FrameName) -> Option<&SnapshotFrame> {
        match name {
            FrameName::Begin => self.begin.as_ref(),
            FrameName::Main => self.main.as_ref(),
            FrameName::End => self.end.as_ref(),
            FrameName::Function(number) => self.functions.get(number as usize),
        }
    }

    /// Whether entering a function's code from the interpreter pays. Entering costs some 450
    /// instructions, as much as a dozen interpreted operations.
    pub fn is_worth_entering(&self, function: u32) -> bool {
        let frame = self.frame(FrameName::Function(function));
        frame.is_some_and(|frame| self.bytecode().is_worth_entering(frame.code.clone()))
    }

    /// Whether a frame may gain by machine code. A record loop without loops or calls does not,
    /// unless it cuts records: its code would perform most operations as the interpreter does.
    pub fn gains(&self, name: FrameName) -> bool {
        let (record_loop, code) = (self.frame(name), self.bytecode());
        record_loop.filter(|_| name == FrameName::Main).is_none_or(|frame| {
            code.gains_within(frame.code.clone()) || code.cuts_records(frame.code.clone())
        })
    }

    /// The frame of an operation.
    pub fn frame_at(&self, at: u32) -> Option<FrameName> {
        let phases = [FrameName::Begin, FrameName::Main, FrameName::End];
        let functions = (0..self.functions.len() as u32).map(FrameName::Function);
        phases
            .into_iter()
            .chain(functions)
            .find(|&name| self.frame(name).is_some_and(|frame| frame.code.contains(&at)))
    }

    /// Whether the program is compiled for profiling.
    pub fn is_profiled(&self) -> bool {
        self.is_profiled
    }

    /// The operations of all frames.
    pub fn code(&self) -> &[Op] {
        &self.code
    }

    /// The constant in a static slot; none for a global.
    pub fn constant(&self, number: u16) -> Option<ConstantFacts> {
        self.constants.get((number as usize).checked_sub(self.globals)?).copied()
    }

    /// The bytes at an edge that a pattern is.
    pub(super) fn edge(&self, pattern: PatternRef) -> Option<EdgeBytes> {
        match pattern.kind() {
            PatternKind::Constant(regex) => *self.edges.get(regex.index())?,
            PatternKind::Slot(_) | PatternKind::FieldSeparator => None,
        }
    }

    pub(crate) fn constant_numbered(&self, number: usize) -> Option<ConstantFacts> {
        self.constants.get(number).copied()
    }

    pub(crate) fn constant_slot(&self, number: usize) -> Option<Slot> {
        u16::try_from(self.globals + number).ok().map(Slot::Static)
    }

    /// Whether a slot is a constant.
    pub fn is_constant(&self, slot: Slot) -> bool {
        matches!(slot, Slot::Static(number) if number as usize >= self.globals)
    }

    /// Adds what callees touch, until nothing changes.
    fn find_touched(&mut self) {
        let own: Vec<(UsedGlobals, Vec<usize>)> =
            self.functions.iter().map(|frame| self.touched_by(frame)).collect();
        let mut touched: Vec<UsedGlobals> =
            own.iter().map(|(touched, _)| touched.clone()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (at, (_, callees)) in own.iter().enumerate() {
                for &callee in callees {
                    let of_callee = touched[callee].clone();
                    changed |= touched[at].absorb(&of_callee);
                }
            }
        }
        for (frame, touched) in self.functions.iter_mut().zip(touched) {
            frame.touched = touched;
        }
    }

    fn touched_by(&self, frame: &SnapshotFrame) -> (UsedGlobals, Vec<usize>) {
        let (mut touched, mut callees) = (UsedGlobals::default(), Vec::new());
        for op in &self.code[frame.code.start as usize..frame.code.end as usize] {
            op.visit_slots(&self.lists, |slot, access| {
                let Slot::Static(number) = slot.into() else { return };
                if number as usize >= self.globals {
                    return;
                }
                if matches!(access, SlotAccess::Read | SlotAccess::Change(_)) {
                    touched.reads.insert(number);
                }
                if access != SlotAccess::Read {
                    touched.writes.insert(number);
                }
            });
            match *op {
                Op::Call { function, .. } => callees.push(function.index()),
                Op::CallIndirect { .. }
                | Op::BeginOrderedKeys { .. }
                | Op::GetNamed { .. }
                | Op::SetNamed { .. }
                | Op::RefreshNamed { .. } => touched.everything = true,
                // Callbacks and indirect access reach any variable.
                Op::Library { .. } if op.successors() == Successors::Interpreter => {
                    touched.everything = true
                }
                _ if op.reads_input() => touched.everything = true,
                _ => {}
            }
        }
        (touched, callees)
    }
}

impl SnapshotFrame {
    fn of(frame: &StaticFrame) -> SnapshotFrame {
        SnapshotFrame {
            name: frame.name.clone(),
            code: frame.code.clone(),
            registers: frame.registers,
            parameters: frame.params.len() as u16,
            touched: UsedGlobals::default(),
            arithmetic: Vec::new(),
        }
    }

    fn find_arithmetic(&mut self, code: &[Op], lists: &[Src]) {
        let (mut read, mut only) =
            (vec![false; self.parameters.into()], vec![true; self.parameters.into()]);
        for op in &code[self.code.start as usize..self.code.end as usize] {
            op.visit_slots(lists, |slot, access| {
                if let Slot::Register(register) = slot.into()
                    && register < self.parameters
                    && access.reads()
                {
                    read[usize::from(register)] = true;
                    only[usize::from(register)] &= reads_as_number(op, register);
                }
            });
        }
        self.arithmetic = read.into_iter().zip(only).map(|(read, only)| read && only).collect();
    }
}

fn reads_as_number(op: &Op, register: u16) -> bool {
    match *op {
        Op::Add { .. }
        | Op::Sub { .. }
        | Op::Mul { .. }
        | Op::Div { .. }
        | Op::Mod { .. }
        | Op::Pow { .. }
        | Op::Atan2 { .. }
        | Op::Bits { .. }
        | Op::Neg { .. }
        | Op::ToNumber { .. }
        | Op::Math { .. }
        | Op::Increment { .. }
        | Op::Decrement { .. }
        | Op::PostIncrement { .. }
        | Op::PostDecrement { .. } => true,
        Op::UpdateElement { key, .. } => Slot::from(key) != Slot::Register(register),
        _ => false,
    }
}

const _: () = {
    const fn is_send<T: Send + Sync>() {}
    is_send::<Snapshot>();
};
