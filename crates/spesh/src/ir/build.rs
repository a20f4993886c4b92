//! From bytecode to the intermediate representation.
//!
//! Each basic block is translated once for each combination of types that reaches it, within
//! limits. These *versions* differ in the [`InstClass`] of the live slots. So a loop whose sum
//! starts uninitialised becomes one iteration and a loop over a number, without a guard.
//!
//! A number is stored to its slot only before something else reads the slot: the interpreter, a
//! function that reads the global, a side exit.

use super::function::*;
use super::liveness::Liveness;
use super::performer::{EdgeCut, Performer};
use super::request::{CodeRequest, EntryPoint, FrameName};
use super::slot::Slot;
use super::snapshot::{ConstantFacts, Snapshot, SnapshotFrame};
use super::state::{Cell, Tracked};
use super::tags::TagSet;
use super::text::Text;
use super::view::{Viewed, Want};
use crate::types::Type;
use riverhawk_bytecode::{Op, SlotAccess, Successors};
use std::collections::BTreeMap;

/// Why something is not compiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The frame or the operation does not exist.
    NotThere,
    /// Rules for files run while a record is read.
    FileRules,
    /// The frame is too large to be worth compiling.
    TooLarge,
    /// No code generator for this machine, or no memory.
    NoCode(String),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::NotThere => f.write_str("there is no such frame"),
            Refusal::FileRules => {
                f.write_str("BEGINFILE and ENDFILE run in the middle of operations")
            }
            Refusal::TooLarge => f.write_str("the frame is too large"),
            Refusal::NoCode(why) => write!(f, "no machine code: {why}"),
        }
    }
}

/// Knows which functions can be called from machine code.
pub trait SlotResolver {
    /// The callee for this signature at the operation `at`; none if the interpreter must call.
    fn resolve(&mut self, signature: &Signature, at: u32) -> Option<Callee>;

    /// Whether the pass `views` is on.
    fn views(&self) -> bool {
        true
    }

    /// Announces what the function being built returns, for its calls of itself.
    fn attempt(&mut self, signature: &Signature, returns: ReturnForm);
}

/// Resolves no function.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoCallees;

impl SlotResolver for NoCallees {
    fn resolve(&mut self, _: &Signature, _: u32) -> Option<Callee> {
        None
    }

    fn attempt(&mut self, _: &Signature, _: ReturnForm) {}
}

/// Versions of a block. One more is for the types that all share, and a last one for any types.
const VERSIONS: usize = 5;

/// Versions of all blocks; further ones are for any types.
const MAX_VERSIONS: usize = 2_000;

/// Maximum instructions: the code generator takes a tenth of a second for them.
const MAX_INSTRUCTIONS: usize = 60_000;

const MAX_REGISTERS: u16 = 1_000;

type State = Vec<Cell>;

struct Version {
    block: Block,
    classes: Vec<InstClass>,
    state: State,
}

pub(super) struct Builder<'a> {
    pub(super) snapshot: &'a Snapshot,
    pub(super) frame: &'a SnapshotFrame,
    pub(super) request: &'a CodeRequest,
    pub(super) resolver: &'a mut (dyn SlotResolver + 'a),
    pub(super) live: &'a Liveness,
    pub(super) tracked: Tracked,
    pub(super) function: IrFunction,
    pub(super) returns: ReturnForm,
    pub(super) has_other_return: bool,
    versions: BTreeMap<u32, Vec<Version>>,
    version_count: usize,
    waiting: Vec<(Block, u32, State)>,
    pub(super) state: State,
    pub(super) viewed: Option<Viewed>,
    pub(super) views: bool,
    steps: Vec<BlockInst>,
    instructions: usize,
    at: u32,
}

/// Builds what a request asks for.
///
/// # Errors
/// Why there is no code.
pub fn build(
    snapshot: &Snapshot,
    request: &CodeRequest,
    resolver: &mut dyn SlotResolver,
) -> Result<(IrFunction, ReturnForm), Refusal> {
    if snapshot.has_file_rules {
        return Err(Refusal::FileRules);
    }
    let frame = snapshot.frame(request.frame).ok_or(Refusal::NotThere)?;
    if frame.registers > MAX_REGISTERS {
        return Err(Refusal::TooLarge);
    }
    let live = Liveness::of(snapshot, frame);
    // Most functions that return numbers return nothing else.
    for returns in [ReturnForm::Number, ReturnForm::Value] {
        let mut builder = Builder::new(snapshot, frame, request, &live, &mut *resolver, returns)?;
        builder.run()?;
        if !builder.has_other_return {
            return Ok((builder.function, returns));
        }
    }
    Err(Refusal::NotThere)
}

impl<'a> Builder<'a> {
    fn new(
        snapshot: &'a Snapshot,
        frame: &'a SnapshotFrame,
        request: &'a CodeRequest,
        live: &'a Liveness,
        resolver: &'a mut (dyn SlotResolver + 'a),
        returns: ReturnForm,
    ) -> Result<Builder<'a>, Refusal> {
        let at = match request.entry {
            EntryPoint::Call { .. } => frame.code.start,
            EntryPoint::Loop { header, .. } => header,
        };
        if !frame.code.contains(&at) {
            return Err(Refusal::NotThere);
        }
        let resolver_views = resolver.views();
        let tracked = Tracked::from(snapshot, frame, at, request.frame);
        let function = IrFunction {
            frame: request.frame,
            registers: frame.registers,
            types: Vec::new(),
            blocks: Vec::new(),
            exits: Vec::new(),
            guards: 0,
            inlined: Vec::new(),
            signature: None,
            begin: None,
        };
        Ok(Builder {
            snapshot,
            frame,
            request,
            resolver,
            live,
            state: vec![Cell::of_earlier_frame(); tracked.len()],
            tracked,
            function,
            returns,
            has_other_return: false,
            versions: BTreeMap::new(),
            version_count: 0,
            waiting: Vec::new(),
            viewed: None,
            views: resolver_views,
            steps: Vec::new(),
            instructions: 0,
            at,
        })
    }

    fn run(&mut self) -> Result<(), Refusal> {
        let start = self.new_block(0);
        let at = self.enter(start)?;
        self.function.blocks[start.0 as usize].at = at;
        let target = self.edge(at);
        self.finish(start, BlockEnd::Jump(target));
        while let Some((block, at, state)) = self.waiting.pop() {
            if self.instructions > MAX_INSTRUCTIONS {
                return Err(Refusal::TooLarge);
            }
            self.state = state;
            self.translate(block, at);
        }
        Ok(())
    }

    /// Makes the entry block: guards, and arguments in registers. Returns the first operation.
    fn enter(&mut self, start: Block) -> Result<u32, Refusal> {
        let request = self.request;
        match &request.entry {
            EntryPoint::Call { arguments } => {
                let FrameName::Function(function) = request.frame else {
                    return Err(Refusal::NotThere);
                };
                let at = self.frame.code.start;
                let mut parameters = Vec::new();
                for number in 0..self.frame.parameters {
                    let class = match arguments.get(usize::from(number)) {
                        Some(known) => class_of(*known),
                        None => InstClass::Nothing,
                    };
                    parameters.push(class);
                    let cell = match class {
                        InstClass::Number => {
                            let value = self.new_value(ValueType::Number);
                            self.function.blocks[start.0 as usize].parameters.push(value);
                            Cell::fresh(value, TagSet::ANY)
                        }
                        other => Cell::settled(other.tags()),
                    };
                    if class == InstClass::Nothing {
                        self.push(Inst::StoreNothing {
                            slot: Slot::Register(number),
                            memory: TagSet::ANY,
                        });
                    }
                    self.state[usize::from(number)] = cell;
                }
                self.function.begin = Some(self.exit(at, ExitReason::Depth));
                let signature = Signature { function, parameters };
                self.resolver.attempt(&signature, self.returns);
                self.function.signature = Some(signature);
                Ok(at)
            }
            EntryPoint::Loop { header, registers, globals } => {
                for number in 0..self.tracked.len() {
                    let slot = self.tracked.slots()[number];
                    let known = match slot {
                        Slot::Register(register) if self.live.is_live(*header, register) => {
                            registers.get(usize::from(register))
                        }
                        Slot::Register(_) => None,
                        Slot::Static(global) => globals.get(usize::from(global)),
                    };
                    let class = class_of(known.copied().flatten());
                    if class == InstClass::Any {
                        continue;
                    }
                    let holds = self.truth(Inst::Is(slot, class.tags()));
                    let exit = self.exit(*header, ExitReason::Variable(slot));
                    self.push(Inst::Guard { holds, exit });
                    self.state[number] = Cell::settled(class.tags());
                }
                Ok(*header)
            }
        }
    }

    fn new_block(&mut self, at: u32) -> Block {
        self.function.blocks.push(BlockData::at(at));
        Block(self.function.blocks.len() as u32 - 1)
    }

    fn finish(&mut self, block: Block, end: BlockEnd) {
        let data = &mut self.function.blocks[block.0 as usize];
        data.steps = std::mem::take(&mut self.steps);
        data.end = end;
    }

    fn translate(&mut self, block: Block, mut at: u32) {
        self.viewed = None;
        let end = loop {
            self.at = at;
            if let Some(end) = self.operation(at) {
                break end;
            }
            at += 1;
            if self.tracked.leaders.contains(&at) {
                break BlockEnd::Jump(self.edge(at));
            }
        };
        self.finish(block, end);
    }

    fn matters(&self, at: u32, number: usize) -> bool {
        match self.tracked.slots()[number] {
            Slot::Register(register) => self.live.is_live(at, register),
            Slot::Static(_) => true,
        }
    }

    /// The edge to an operation; conversions go to the current block.
    pub(super) fn edge(&mut self, to: u32) -> BlockTarget {
        let version = self.version(to);
        let mut arguments = Vec::new();
        for number in 0..self.tracked.len() {
            let slot = self.tracked.slots()[number];
            let wanted = self.versions[&to][version].state[number];
            if !self.matters(to, number) {
                let has = self.state[number];
                if has.is_own && !has.memory.is_plain() && !wanted.is_own {
                    self.push(Inst::LetGo(slot));
                }
                continue;
            }
            let class = self.versions[&to][version].classes[number];
            if class == InstClass::Number {
                arguments.push(self.number(slot));
                let has = self.state[number];
                if !wanted.stale && has.stale {
                    self.settle(slot);
                } else if (wanted.memory.is_plain() && !has.memory.is_plain())
                    || (has.is_own && !has.memory.is_plain() && !wanted.is_own)
                {
                    self.push(Inst::LetGo(slot));
                    self.state[number].memory = TagSet::PLAIN;
                    self.state[number].is_own = false;
                }
            } else {
                self.settle(slot);
            }
        }
        BlockTarget { block: self.versions[&to][version].block, arguments }
    }

    /// As [`Builder::edge`], but conversions go to a block of their own.
    pub(super) fn side(&mut self, to: u32) -> BlockTarget {
        let steps = std::mem::take(&mut self.steps);
        let state = self.state.clone();
        let target = self.edge(to);
        self.state = state;
        if self.steps.is_empty() {
            self.steps = steps;
            return target;
        }
        let block = self.new_block(to);
        self.finish(block, BlockEnd::Jump(target));
        self.steps = steps;
        BlockTarget { block, arguments: Vec::new() }
    }

    fn version(&mut self, to: u32) -> usize {
        let classes: Vec<InstClass> =
            (0..self.tracked.len())
                .map(|number| {
                    if self.matters(to, number) {
                        self.state[number].class()
                    } else {
                        InstClass::Any
                    }
                })
                .collect();
        let known = self.versions.entry(to).or_default();
        if let Some(found) = known.iter().position(|version| version.classes == classes) {
            return found;
        }
        let covers = |version: &Version| {
            version
                .classes
                .iter()
                .zip(&classes)
                .all(|(has, wanted)| *has == InstClass::Any || has == wanted)
        };
        let classes = if known.len() < VERSIONS && self.version_count < MAX_VERSIONS {
            classes
        } else if let Some(found) = known.iter().position(covers) {
            return found;
        } else if known.len() <= VERSIONS && self.version_count < MAX_VERSIONS {
            let common = |number: usize| {
                known.iter().all(|version| version.classes[number] == classes[number])
            };
            (0..classes.len())
                .map(|number| if common(number) { classes[number] } else { InstClass::Any })
                .collect()
        } else {
            vec![InstClass::Any; classes.len()]
        };
        let block = self.new_block(to);
        let state = self.entry_state(to, block, &classes);
        self.version_count += 1;
        self.waiting.push((block, to, state.clone()));
        let known = self.versions.entry(to).or_default();
        known.push(Version { block, classes, state });
        known.len() - 1
    }

    fn entry_state(&mut self, to: u32, block: Block, classes: &[InstClass]) -> State {
        let mut state = Vec::with_capacity(classes.len());
        for (number, &class) in classes.iter().enumerate() {
            let has = self.state[number];
            let slot = self.tracked.slots()[number];
            state.push(match class {
                _ if !self.matters(to, number) => {
                    // The next iteration overwrites the result and reuses its memory. Dropping it
                    // each time made `toupper` slower than in the interpreter.
                    let is_rewritten =
                        self.tracked.headers.contains(&to) && self.tracked.written.contains(&slot);
                    Cell {
                        is_own: is_rewritten || has.is_own && !has.memory.is_plain(),
                        ..Cell::of_earlier_frame()
                    }
                }
                InstClass::Number => {
                    let value = self.new_value(ValueType::Number);
                    self.function.blocks[block.0 as usize].parameters.push(value);
                    let stale = has.stale || self.tracked.written.contains(&slot);
                    let memory = match (stale, has.memory.is_plain()) {
                        (false, _) => TagSet::NUM,
                        (true, true) => TagSet::PLAIN,
                        (true, false) => TagSet::ANY,
                    };
                    Cell {
                        tags: TagSet::NUM,
                        value: Some(value),
                        stale,
                        memory,
                        is_own: has.is_own && !memory.is_plain(),
                    }
                }
                other => Cell::settled(other.tags()),
            });
        }
        state
    }

    pub(super) fn new_value(&mut self, ty: ValueType) -> Value {
        self.function.types.push(ty);
        Value(self.function.types.len() as u32 - 1)
    }

    pub(super) fn push(&mut self, inst: Inst) -> Option<Value> {
        self.instructions += 1;
        let result = inst.result().map(|ty| self.new_value(ty));
        self.steps.push(BlockInst { inst, result });
        result
    }

    pub(super) fn value(&mut self, inst: Inst) -> Value {
        debug_assert!(inst.result().is_some(), "{inst:?}");
        let may_be_rounded = self.snapshot.exact && may_round_integers(&inst);
        let value = self.push(inst).unwrap_or(Value(0));
        if may_be_rounded {
            let holds = self.push(Inst::IsSmall(value)).unwrap_or(Value(0));
            let exit = self.exit(self.at, ExitReason::Result);
            self.push(Inst::Guard { holds, exit });
        }
        value
    }

    pub(super) fn truth(&mut self, inst: Inst) -> Value {
        self.value(inst)
    }

    pub(super) fn exit(&mut self, at: u32, reason: ExitReason) -> ExitId {
        // The interpreter materialises the string first.
        let at = self.made_from(at);
        let is_guard = reason.is_guard();
        let mut stores = Vec::new();
        for (number, cell) in self.state.iter().enumerate() {
            if let (true, Some(value)) = (cell.stale && self.matters(at, number), cell.value) {
                stores.push(Store {
                    slot: self.tracked.slots()[number],
                    value,
                    memory: cell.memory,
                });
            }
        }
        let guard = is_guard.then_some(self.function.guards);
        self.function.guards += u32::from(is_guard);
        self.function.exits.push(Exit { at, guard, reason, stores, scope: FrameScope::OWN });
        ExitId(self.function.exits.len() as u32 - 1)
    }

    pub(super) fn tags(&self, slot: Slot) -> TagSet {
        if let Some(constant) = self.constant(slot) {
            return constant.tags;
        }
        self.tracked.number(slot).map_or(TagSet::ANY, |number| self.state[number].tags)
    }

    pub(super) fn memory(&self, slot: Slot) -> TagSet {
        self.tracked.number(slot).map_or(TagSet::ANY, |number| self.state[number].memory)
    }

    pub(super) fn constant(&self, slot: Slot) -> Option<ConstantFacts> {
        match slot {
            Slot::Static(number) => self.snapshot.constant(number),
            Slot::Register(_) => None,
        }
    }

    pub(super) fn number(&mut self, slot: Slot) -> Value {
        if let Some(number) = self.constant(slot).and_then(|constant| constant.number) {
            return self.value(Inst::Number(number));
        }
        let Some(number) = self.tracked.number(slot) else {
            return self.value(Inst::ReadNumber(slot));
        };
        let cell = self.state[number];
        match cell.value {
            Some(value) => value,
            None if cell.tags.is_number() => {
                let value = self.value(Inst::LoadNumber(slot));
                self.state[number].value = Some(value);
                value
            }
            None if cell.tags == TagSet::UNINIT => self.value(Inst::Number(0.0)),
            None => self.value(Inst::ReadNumber(slot)),
        }
    }

    /// Makes the slot a number, to be stored later.
    pub(super) fn set_number(&mut self, slot: Slot, value: Value) {
        if let Some(number) = self.tracked.number(slot) {
            let Cell { memory, is_own, .. } = self.state[number];
            self.state[number] = Cell { is_own, ..Cell::fresh(value, memory) };
        }
    }

    pub(super) fn set_memory(&mut self, slot: Slot, tags: TagSet) {
        if let Some(number) = self.tracked.number(slot) {
            self.state[number] = Cell::settled(tags);
        }
    }

    pub(super) fn settle(&mut self, slot: Slot) {
        let Some(number) = self.tracked.number(slot) else { return };
        let cell = self.state[number];
        if let (true, Some(value)) = (cell.stale, cell.value) {
            self.push(Inst::StoreNumber { slot, value, memory: cell.memory });
            self.state[number] = Cell { stale: false, memory: TagSet::NUM, is_own: false, ..cell };
        }
    }

    pub(super) fn settle_globals(&mut self, of_interest: impl Fn(u16) -> bool) {
        for number in 0..self.tracked.len() {
            if let slot @ Slot::Static(global) = self.tracked.slots()[number]
                && of_interest(global)
            {
                self.settle(slot);
            }
        }
    }

    /// Stores numbers before something that clobbers every processor register. Otherwise they would
    /// be spilled, in loops even earlier.
    fn settle_all(&mut self, next: u32, successors: Successors) {
        for number in 0..self.tracked.len() {
            let is_live = self.matters(next, number)
                || matches!(successors, Successors::Branch(to) if self.matters(to, number));
            if is_live {
                self.settle(self.tracked.slots()[number]);
            }
            if !self.state[number].stale {
                self.state[number].value = None;
            }
        }
    }

    pub(super) fn expect_number(&mut self, slot: Slot, at: u32) {
        if self.tags(slot).is_number() {
            return;
        }
        let holds = self.truth(Inst::Is(slot, TagSet::NUM));
        let exit = self.exit(at, ExitReason::Result);
        self.push(Inst::Guard { holds, exit });
        self.set_memory(slot, TagSet::NUM);
    }

    /// Lets the interpreter perform the operation; the result is whether it jumped.
    pub(super) fn perform(&mut self, at: u32) -> Value {
        let op = &self.snapshot.code()[at as usize];
        let mut accesses = Vec::new();
        op.visit_slots(&self.snapshot.lists, |slot, access| {
            accesses.push((Slot::from(slot), access));
        });
        let successors = op.successors();
        for &(slot, access) in &accesses {
            if access.reads() {
                self.settle(slot);
            }
        }
        let reads_input = op.reads_input();
        if reads_input {
            self.settle_globals(|_| true);
        }
        self.settle_all(at + 1, successors);
        for (slot, access) in accesses {
            match access {
                SlotAccess::Read => {}
                SlotAccess::Array => self.set_memory(slot, TagSet::ARRAY),
                SlotAccess::Change(result) | SlotAccess::Set(result) => {
                    self.set_memory(slot, result.into());
                }
            }
        }
        let assigned = reads_input.then(|| {
            let jumped = if let Successors::Branch(to) = successors { to } else { at + 1 };
            (self.exit(at + 1, ExitReason::Assigned), self.exit(jumped, ExitReason::Assigned))
        });
        let by = self.performer(at, op);
        if let (
            Performer::CutEdge(EdgeCut { d: None, .. }),
            Op::Substitute { d, .. } | Op::SubstituteRecord { d, .. },
        ) = (by, op)
        {
            self.set_memory((*d).into(), TagSet::ANY);
        }
        // Consecutive operations share one call.
        if let Some(BlockInst {
            inst:
                Inst::Perform {
                    at: from,
                    count,
                    by: Performer::Interpreter,
                    assigned: before @ None,
                    ..
                },
            result: Some(result),
        }) = self.steps.last_mut()
            && by == Performer::Interpreter
            && *from + *count == at
        {
            *count += 1;
            *before = assigned;
            return *result;
        }
        self.truth(Inst::Perform { at, count: 1, by, assigned, scope: FrameScope::OWN })
    }

    fn performer(&self, at: u32, op: &Op) -> Performer {
        let (d, v, pattern, by) = match *op {
            Op::Substitute { d, v, pattern, by, .. } => (d, Some(v.into()), pattern, by),
            Op::SubstituteRecord { d, pattern, by, .. } => (d, None, pattern, by),
            _ => return Performer::of(op),
        };
        let is_taken_away = self
            .constant(by.into())
            .and_then(|constant| constant.text)
            .is_some_and(|text| text.is_empty());
        match self.snapshot.edge(pattern).filter(|_| is_taken_away) {
            Some(bytes) => {
                let d = Some(Slot::from(d)).filter(|&slot| match slot {
                    Slot::Register(register) => self.live.is_live(at + 1, register),
                    Slot::Static(_) => true,
                });
                Performer::CutEdge(EdgeCut { d, v, bytes })
            }
            None => Performer::of(op),
        }
    }

    pub(super) fn has_just_performed(&self, at: u32) -> bool {
        matches!(self.steps.last(), Some(BlockInst { inst: Inst::Perform { at: from, count, by: Performer::Interpreter, assigned: None, .. }, .. }) if from + count == at)
    }

    /// For something that clobbers every processor register: see [`Builder::settle_all`].
    pub(super) fn settle_before_clobber(&mut self, at: u32, to: u32) {
        self.settle_all(at + 1, Successors::Branch(to));
    }
}

/// Whether the result may be a rounded integer: it was read, or computed from integers.
fn may_round_integers(inst: &Inst) -> bool {
    match inst {
        Inst::ReadNumber(_)
        | Inst::FieldNumber(_)
        | Inst::FieldNumberAt(_)
        | Inst::ReadElement(_) => true,
        Inst::Text(Text::View { want: Want::Number, .. }) => true,
        Inst::Binary(op, ..) => matches!(op, Binary::Add | Binary::Sub | Binary::Mul | Binary::Pow),
        _ => false,
    }
}

fn class_of(ty: Option<Type>) -> InstClass {
    match ty {
        Some(Type::Num) => InstClass::Number,
        Some(Type::Array) => InstClass::Array,
        Some(Type::Uninit) => InstClass::Nothing,
        _ => InstClass::Any,
    }
}
