//! Copies a loop over integers. Values from outside are checked first; where a check fails, an edge
//! leads to the loop over doubles.

use super::kinds::{Interval, Kinds, LimitedInteger};
use crate::ir::function::*;
use crate::ir::integer::{Integer, IntegerLimit, IntegerRange};
use std::collections::{BTreeMap, BTreeSet};

/// The loop's blocks must use only values that they make.
pub(super) fn add(
    function: &mut IrFunction,
    header: usize,
    blocks: &BTreeSet<usize>,
    kinds: &Kinds,
) {
    let mut version = Version {
        function,
        kinds,
        blocks: BTreeMap::new(),
        outside: BTreeMap::new(),
        limits: BTreeMap::new(),
        inside: Block(0),
    };
    let entries: Vec<usize> =
        (0..version.function.blocks.len()).filter(|at| !blocks.contains(at)).collect();
    for &at in blocks {
        let copy = version.new_block(at);
        let over_doubles = &mut version.function.blocks[at];
        // Emitted apart from the others, since it is rarely reached.
        (over_doubles.has_integers, over_doubles.is_rare) = (true, true);
        version.blocks.insert(at, copy);
    }
    version.enter(header, &entries);
    for &at in blocks {
        version.copy(at);
    }
}

struct Version<'a> {
    function: &'a mut IrFunction,
    kinds: &'a Kinds,
    blocks: BTreeMap<usize, Block>,
    outside: BTreeMap<Value, Value>,
    limits: BTreeMap<(Value, IntegerLimit), Value>,
    /// Where the entry's checks have passed.
    inside: Block,
}

struct Copying {
    names: BTreeMap<Value, Value>,
    twins: BTreeMap<Value, Value>,
    constants: BTreeMap<i64, Value>,
    steps: Vec<BlockInst>,
}

#[derive(Clone, Copy, PartialEq)]
enum Check {
    Within(Value, IntegerRange),
    Multiple(Value, i64),
}

impl Version<'_> {
    fn new_block(&mut self, like: usize) -> Block {
        let mut block = BlockData::at(self.function.blocks[like].at);
        block.has_integers = true;
        self.function.blocks.push(block);
        Block(self.function.blocks.len() as u32 - 1)
    }

    fn new_rare_block(&mut self, like: usize) -> Block {
        let block = self.new_block(like);
        self.block(block).is_rare = true;
        block
    }

    fn block(&mut self, block: Block) -> &mut BlockData {
        &mut self.function.blocks[block.0 as usize]
    }

    fn new_value(&mut self, ty: ValueType) -> Value {
        self.function.types.push(ty);
        Value(self.function.types.len() as u32 - 1)
    }

    fn push(&mut self, steps: &mut Vec<BlockInst>, inst: Inst) -> Value {
        let result = inst.result().map(|ty| self.new_value(ty));
        steps.push(BlockInst { inst, result });
        result.unwrap_or(Value(0))
    }

    fn type_of(&self, value: Value) -> ValueType {
        match self.kinds.is_integer(value) {
            true => ValueType::Integer,
            false => self.function.type_of(value),
        }
    }

    /// The entry, which continues in the loop over doubles if a value is not an integer.
    fn enter(&mut self, header: usize, entries: &[usize]) {
        let entry = self.new_block(header);
        let old = self.function.blocks[header].parameters.clone();
        let mut given: Vec<Option<Vec<Value>>> = vec![None; old.len()];
        for &at in entries {
            for target in self.function.blocks[at].end.targets_mut() {
                if target.block.0 as usize == header {
                    target.block = entry;
                    for (given, &argument) in given.iter_mut().zip(&target.arguments) {
                        given.get_or_insert_default().push(argument);
                    }
                }
            }
        }
        let parameters: Vec<Value> =
            old.iter().map(|&value| self.new_value(self.function.type_of(value))).collect();
        self.block(entry).parameters = parameters.clone();
        let rejected = BlockTarget { block: Block(header as u32), arguments: parameters.clone() };

        let mut here = entry;
        let mut wholes = Vec::new();
        for ((&value, &parameter), given) in old.iter().zip(&parameters).zip(given) {
            if !self.kinds.is_integer(value) {
                continue;
            }
            let constants: Option<BTreeSet<i64>> = given
                .unwrap_or_default()
                .iter()
                .map(|&argument| self.kinds.constant(argument))
                .collect();
            let range = self.kinds.ranges[&value];
            let constant =
                constants.filter(|all| all.len() == 1).and_then(|all| all.first().copied());
            match constant.filter(|&constant| is_within((constant, constant), range)) {
                Some(constant) => wholes.push((value, Integer::Constant(constant))),
                None => {
                    here = self.look(here, parameter, range, &rejected);
                    wholes.push((value, Integer::Of(parameter)));
                }
            }
        }
        let outside: Vec<(Value, IntegerRange)> = self
            .kinds
            .ranges
            .iter()
            .filter(|(value, _)| self.kinds.is_from_outside(**value))
            .map(|(&value, &range)| (value, range))
            .collect();
        for &(value, range) in &outside {
            here = self.look(here, value, range, &rejected);
        }
        let mut steps = Vec::new();
        let mut converted = BTreeMap::new();
        for (value, integer) in wholes {
            converted.insert(value, self.push(&mut steps, Inst::Integer(integer)));
        }
        for (value, _) in outside {
            let integer = self.push(&mut steps, Inst::Integer(Integer::Of(value)));
            self.outside.insert(value, integer);
        }
        let arguments = old
            .iter()
            .zip(&parameters)
            .map(|(value, parameter)| converted.get(value).unwrap_or(parameter));
        let end = BlockEnd::Jump(BlockTarget {
            block: self.blocks[&header],
            arguments: arguments.copied().collect(),
        });
        self.inside = here;
        let last = self.block(here);
        last.steps.extend(steps);
        last.end = end;
    }

    fn look(
        &mut self,
        here: Block,
        number: Value,
        range: IntegerRange,
        rejected: &BlockTarget,
    ) -> Block {
        let next = self.new_block(here.0 as usize);
        let mut steps = Vec::new();
        let on = self.push(&mut steps, Inst::Integer(Integer::IsWhole(number, range)));
        let yes = BlockTarget { block: next, arguments: Vec::new() };
        let block = self.block(here);
        block.steps.extend(steps);
        block.end = BlockEnd::Branch { on, yes, no: rejected.clone() };
        next
    }

    fn copy(&mut self, at: usize) {
        let copy = self.blocks[&at];
        let BlockData { parameters, steps, end, .. } = self.function.blocks[at].clone();
        let mut into = copy;
        let mut copying = Copying {
            names: BTreeMap::new(),
            twins: BTreeMap::new(),
            constants: BTreeMap::new(),
            steps: Vec::new(),
        };
        let mut renamed = Vec::new();
        for parameter in parameters {
            let name = self.new_value(self.type_of(parameter));
            copying.names.insert(parameter, name);
            renamed.push(name);
        }
        for step in &steps {
            self.step(&mut copying, step);
        }
        let end = match end {
            BlockEnd::Jump(target) => BlockEnd::Jump(self.edge(&mut copying, &target, None)),
            BlockEnd::Branch { on, yes, no } => {
                let decided = self.kinds.made_by(on).cloned();
                let decided = |holds: bool| decided.as_ref().map(|inst| (inst, holds));
                let on = self.number(&mut copying, on);
                let [yes_stays, no_stays] =
                    [&yes, &no].map(|to| self.blocks.contains_key(&(to.block.0 as usize)));
                if yes_stays == no_stays {
                    let yes = self.edge(&mut copying, &yes, decided(true));
                    let no = self.edge(&mut copying, &no, decided(false));
                    BlockEnd::Branch { on, yes, no }
                } else {
                    // The check comes before the branch, so that it does not delay the jump back.
                    let (inner, outer) = if yes_stays { (&yes, &no) } else { (&no, &yes) };
                    let (checks, within) = self.checked(&mut copying, inner, decided(yes_stays));
                    let without = self.edge(&mut copying, outer, None);
                    if !checks.is_empty() {
                        let [rejected, inside, outside] = [(); 3].map(|()| self.new_rare_block(at));
                        self.finish_with_doubles(&mut copying, inside, inner);
                        self.finish_with_doubles(&mut copying, outside, outer);
                        let (yes, no) = in_order(yes_stays, inside, outside);
                        let to = |block| BlockTarget { block, arguments: Vec::new() };
                        self.block(rejected).end =
                            BlockEnd::Branch { on, yes: to(yes), no: to(no) };
                        let first = self.new_block(at);
                        let last = self.insert_checks(first, checks, rejected);
                        let steps = std::mem::take(&mut copying.steps);
                        let block = self.block(copy);
                        (block.steps, block.end) = (steps, BlockEnd::Jump(to(first)));
                        into = last;
                    }
                    let (yes, no) = in_order(yes_stays, within, without);
                    BlockEnd::Branch { on, yes, no }
                }
            }
            // Other ends do not jump back, so they are in no loop.
            other => other,
        };
        self.block(copy).parameters = renamed;
        let block = self.block(into);
        block.steps.extend(copying.steps);
        block.end = end;
    }

    fn step(&mut self, copying: &mut Copying, step: &BlockInst) {
        let strict = self.kinds.strict_operands(self.function, step);
        let is_integer = step.result.is_some_and(|result| self.kinds.is_integer(result));
        let name = match step.inst {
            Inst::Binary(op, a, b) if is_integer => {
                let integer = match (op, self.kinds.constant(b)) {
                    (Binary::Div, Some(divisor)) => Integer::Div(self.integer(copying, a), divisor),
                    (Binary::Rem, Some(divisor)) => Integer::Rem(self.integer(copying, a), divisor),
                    _ => {
                        let (a, b) = (self.integer(copying, a), self.integer(copying, b));
                        match op {
                            Binary::Add => Integer::Add(a, b),
                            Binary::Sub => Integer::Sub(a, b),
                            _ => Integer::Mul(a, b),
                        }
                    }
                };
                Some(self.push(&mut copying.steps, Inst::Integer(integer)))
            }
            // Rounding does nothing to an integer, or to a quotient that is already rounded.
            Inst::Unary(_, a) if is_integer => Some(self.integer(copying, a)),
            Inst::Compare(order, a, b)
                if let Some(limited) = self.kinds.limited(self.function, order, a, b) =>
            {
                let (integer, limit) =
                    (self.integer(copying, limited.integer), self.limit(&limited));
                let (a, b) = in_order(limited.integer_first, integer, limit);
                Some(self.push(&mut copying.steps, Inst::Integer(Integer::Compare(order, a, b))))
            }
            Inst::Compare(order, a, b) if !strict.is_empty() => {
                let (a, b) = (self.integer(copying, a), self.integer(copying, b));
                Some(self.push(&mut copying.steps, Inst::Integer(Integer::Compare(order, a, b))))
            }
            Inst::NotZero(a) if !strict.is_empty() => {
                let (a, zero) = (self.integer(copying, a), self.constant(copying, 0));
                Some(self.push(
                    &mut copying.steps,
                    Inst::Integer(Integer::Compare(Order::NotEqual, a, zero)),
                ))
            }
            // A result that must still be checked is small enough to convert.
            Inst::IsSmall(a) if self.kinds.is_integer(a) && self.kinds.quotient(a).is_none() => {
                let a = self.integer(copying, a);
                let within = IntegerRange { bits: IntegerRange::MAX_BITS, is_signed: true };
                Some(self.push(&mut copying.steps, Inst::Integer(Integer::IsWithin(a, within))))
            }
            ref inst => {
                let mut inst = inst.clone();
                inst.map_operands(|value| match strict.contains(&value) {
                    true => self.integer(copying, value),
                    false => self.number(copying, value),
                });
                inst.map_exits(|exit| self.exit(copying, exit));
                let result =
                    step.result.map(|result| self.new_value(self.function.type_of(result)));
                copying.steps.push(BlockInst { inst, result });
                result
            }
        };
        if let (Some(result), Some(name)) = (step.result, name) {
            copying.names.insert(result, name);
        }
    }

    /// A limit, computed after the last check before the loop.
    fn limit(&mut self, limited: &LimitedInteger) -> Value {
        if let Some(&known) = self.limits.get(&(limited.number, limited.limit)) {
            return known;
        }
        let mut steps = Vec::new();
        let limit =
            self.push(&mut steps, Inst::Integer(Integer::Limit(limited.number, limited.limit)));
        let inside = self.inside;
        self.block(inside).steps.extend(steps);
        self.limits.insert((limited.number, limited.limit), limit);
        limit
    }

    fn exit(&mut self, copying: &mut Copying, exit: ExitId) -> ExitId {
        let mut exit = self.function.exits[exit.0 as usize].clone();
        for store in &mut exit.stores {
            let is_exact =
                self.kinds.is_integer(store.value) && self.kinds.quotient(store.value).is_none();
            store.value = match is_exact {
                // The side exit converts it to a double.
                true => self.integer(copying, store.value),
                false => self.number(copying, store.value),
            };
        }
        self.function.exits.push(exit);
        ExitId(self.function.exits.len() as u32 - 1)
    }

    fn constant(&mut self, copying: &mut Copying, constant: i64) -> Value {
        if let Some(&known) = copying.constants.get(&constant) {
            return known;
        }
        let value = self.push(&mut copying.steps, Inst::Integer(Integer::Constant(constant)));
        copying.constants.insert(constant, value);
        value
    }

    /// A value as an integer; a quotient is rounded down.
    fn integer(&mut self, copying: &mut Copying, value: Value) -> Value {
        if let Some(constant) = self.kinds.constant(value) {
            return self.constant(copying, constant);
        }
        match self.outside.get(&value) {
            Some(&integer) => integer,
            None => copying.names[&value],
        }
    }

    fn number(&mut self, copying: &mut Copying, value: Value) -> Value {
        if !self.kinds.is_integer(value) {
            return copying.names.get(&value).copied().unwrap_or(value);
        }
        if let Some(&twin) = copying.twins.get(&value) {
            return twin;
        }
        let inst = match self.kinds.quotient(value) {
            Some((dividend, divisor)) => {
                let dividend = self.number(copying, dividend);
                let divisor = self.push(&mut copying.steps, Inst::Number(divisor as f64));
                Inst::Binary(Binary::Div, dividend, divisor)
            }
            None => Inst::Integer(Integer::Number(copying.names[&value])),
        };
        let twin = self.push(&mut copying.steps, inst);
        copying.twins.insert(value, twin);
        twin
    }

    /// An edge of a copied block: to another copy through checks, to other blocks with doubles.
    fn edge(
        &mut self,
        copying: &mut Copying,
        target: &BlockTarget,
        decided: Option<(&Inst, bool)>,
    ) -> BlockTarget {
        let to = target.block.0 as usize;
        if !self.blocks.contains_key(&to) {
            if !target.arguments.iter().any(|&argument| self.kinds.is_integer(argument)) {
                return self.with_doubles(copying, target);
            }
            let out = self.new_rare_block(to);
            self.finish_with_doubles(copying, out, target);
            return BlockTarget { block: out, arguments: Vec::new() };
        }
        let (checks, target_within) = self.checked(copying, target, decided);
        if checks.is_empty() {
            return target_within;
        }
        let rejected = self.new_rare_block(to);
        self.finish_with_doubles(copying, rejected, target);
        let first = self.new_block(to);
        let last = self.insert_checks(first, checks, rejected);
        self.block(last).end = BlockEnd::Jump(target_within);
        BlockTarget { block: first, arguments: Vec::new() }
    }

    fn checked(
        &mut self,
        copying: &mut Copying,
        target: &BlockTarget,
        decided: Option<(&Inst, bool)>,
    ) -> (Vec<Check>, BlockTarget) {
        let to = target.block.0 as usize;
        let parameters = self.function.blocks[to].parameters.clone();
        let mut checks: Vec<Check> = Vec::new();
        let mut arguments = Vec::new();
        for (parameter, &argument) in parameters.into_iter().zip(&target.arguments) {
            if !self.kinds.is_integer(parameter) {
                arguments.push(self.number(copying, argument));
                continue;
            }
            let integer = self.integer(copying, argument);
            arguments.push(integer);
            let range = self.kinds.ranges[&parameter];
            if let Some((dividend, divisor)) = self.kinds.quotient(argument) {
                checks.push(Check::Multiple(self.integer(copying, dividend), divisor));
            }
            let interval = decided.map_or_else(
                || self.kinds.interval(argument),
                |(inst, holds)| self.narrowed(argument, inst, holds),
            );
            if !is_within(interval, range) {
                checks.push(Check::Within(integer, range));
            }
        }
        let mut kept: Vec<Check> = Vec::new();
        checks.retain(|check| {
            !kept.contains(check) && {
                kept.push(*check);
                true
            }
        });
        (checks, BlockTarget { block: self.blocks[&to], arguments })
    }

    /// Emits checks; returns the block reached when all have passed.
    fn insert_checks(&mut self, first: Block, checks: Vec<Check>, rejected: Block) -> Block {
        let mut here = first;
        for check in checks {
            let mut steps = Vec::new();
            let on = match check {
                Check::Within(value, range) => {
                    self.push(&mut steps, Inst::Integer(Integer::IsWithin(value, range)))
                }
                Check::Multiple(value, divisor) => {
                    let rest = self.push(&mut steps, Inst::Integer(Integer::Rem(value, divisor)));
                    let zero = self.push(&mut steps, Inst::Integer(Integer::Constant(0)));
                    self.push(&mut steps, Inst::Integer(Integer::Compare(Order::Equal, rest, zero)))
                }
            };
            let next = self.new_block(here.0 as usize);
            let (yes, no) = (
                BlockTarget { block: next, arguments: Vec::new() },
                BlockTarget { block: rejected, arguments: Vec::new() },
            );
            let block = self.block(here);
            (block.steps, block.end) = (steps, BlockEnd::Branch { on, yes, no });
            here = next;
        }
        here
    }

    fn with_doubles(&mut self, copying: &mut Copying, target: &BlockTarget) -> BlockTarget {
        let arguments =
            target.arguments.iter().map(|&argument| self.number(copying, argument)).collect();
        BlockTarget { block: target.block, arguments }
    }

    fn finish_with_doubles(&mut self, copying: &mut Copying, block: Block, target: &BlockTarget) {
        let (before, twins) = (std::mem::take(&mut copying.steps), copying.twins.clone());
        let target = self.with_doubles(copying, target);
        let steps = std::mem::replace(&mut copying.steps, before);
        copying.twins = twins;
        let block = self.block(block);
        (block.steps, block.end) = (steps, BlockEnd::Jump(target));
    }

    fn narrowed(&self, value: Value, decided_by: &Inst, holds: bool) -> Interval {
        let (low, high) = self.kinds.interval(value);
        let Inst::Compare(order, a, b) = *decided_by else { return (low, high) };
        let (limit, value_first) = match (self.kinds.constant(a), self.kinds.constant(b)) {
            (None, Some(limit)) if a == value => (limit, true),
            (Some(limit), None) if b == value => (limit, false),
            _ => return (low, high),
        };
        match (order, value_first, holds) {
            (Order::Less, true, true) => (low, high.min(limit - 1)),
            (Order::Less, true, false) => (low.max(limit), high),
            (Order::Less, false, true) => (low.max(limit + 1), high),
            (Order::Less, false, false) => (low, high.min(limit)),
            (Order::LessEqual, true, true) => (low, high.min(limit)),
            (Order::LessEqual, true, false) => (low.max(limit + 1), high),
            (Order::LessEqual, false, true) => (low.max(limit), high),
            (Order::LessEqual, false, false) => (low, high.min(limit - 1)),
            (Order::Equal, _, true) | (Order::NotEqual, _, false) => (limit, limit),
            _ => (low, high),
        }
    }
}

fn is_within((low, high): Interval, range: IntegerRange) -> bool {
    let (least, greatest) = range.ends();
    least <= low && high <= greatest
}

fn in_order<T>(first_is_yes: bool, first: T, second: T) -> (T, T) {
    if first_is_yes { (first, second) } else { (second, first) }
}
