//! Finds the values of a loop that can be integers, and their ranges.
//!
//! Optimistic: every number is an integer from 0 to 2^53 until contradicted. A contradiction
//! shrinks the ranges of parameters, which means more checks on edges, or leaves the value a
//! double.

use super::closing::made_in;
use crate::ir::function::*;
use crate::ir::integer::{IntegerLimit, IntegerRange};
use crate::ir::text::Text;
use std::collections::{BTreeMap, BTreeSet};

/// Minimum bits of a range.
const MIN_BITS: u8 = 32;

/// Includes both ends.
pub(super) type Interval = (i64, i64);

/// Maximum of a result, so that nothing overflows: 2^61.
const FAR: i128 = 1 << 61;

/// Maximum of exact doubles: 2^53.
const EXACT: i64 = 1 << IntegerRange::MAX_BITS;

pub(super) struct LimitedInteger {
    pub integer: Value,
    pub number: Value,
    /// How the number is converted before the loop.
    pub limit: IntegerLimit,
    pub integer_first: bool,
}

/// Facts about a loop whose blocks use only values that they make.
pub(super) struct Kinds {
    constants: BTreeMap<Value, f64>,
    made_by: BTreeMap<Value, Inst>,
    of_loop: BTreeSet<Value>,
    integers: BTreeSet<Value>,
    /// Values that stay doubles.
    refused: BTreeSet<Value>,
    /// Ranges of integer parameters, and of values from outside that are used as integers.
    pub ranges: BTreeMap<Value, IntegerRange>,
    intervals: BTreeMap<Value, Interval>,
}

impl Kinds {
    /// None when the loop gains nothing.
    pub(super) fn of(
        function: &IrFunction,
        header: usize,
        blocks: &BTreeSet<usize>,
    ) -> Option<Kinds> {
        let mut kinds = Kinds {
            constants: BTreeMap::new(),
            made_by: BTreeMap::new(),
            of_loop: BTreeSet::new(),
            integers: BTreeSet::new(),
            refused: BTreeSet::new(),
            ranges: BTreeMap::new(),
            intervals: BTreeMap::new(),
        };
        for step in function.blocks.iter().flat_map(|block| &block.steps) {
            if let (Inst::Number(number), Some(result)) = (&step.inst, step.result) {
                kinds.constants.insert(result, *number);
            }
        }
        for &at in blocks {
            let block = &function.blocks[at];
            kinds.of_loop.extend(made_in(block));
            let made =
                block.steps.iter().filter_map(|step| Some((step.result?, step.inst.clone())));
            kinds.made_by.extend(made);
        }
        loop {
            kinds.hope(function, blocks);
            if !kinds.gains(function, blocks) {
                return None;
            }
            if kinds.bound(function, header, blocks) {
                return Some(kinds);
            }
        }
    }

    fn gains(&self, function: &IrFunction, blocks: &BTreeSet<usize>) -> bool {
        let steps = || blocks.iter().flat_map(|&at| &function.blocks[at].steps);
        let is_faster = steps().any(|step| match step.inst {
            Inst::Binary(Binary::Rem | Binary::Div, ..) => {
                step.result.is_some_and(|result| self.is_integer(result))
            }
            Inst::Element { key, .. } | Inst::HasElement { key, .. } => self.is_integer(key),
            Inst::Text(ref text) => !self.whole_piece(text).is_empty(),
            _ => false,
        });
        let numbers = || {
            let parameters = blocks.iter().flat_map(|&at| &function.blocks[at].parameters);
            parameters.filter(|parameter| function.type_of(**parameter) == ValueType::Number)
        };
        is_faster
            || steps().all(|step| step.inst.is_pure())
                && numbers().all(|parameter| self.is_integer(*parameter))
                && steps().any(|step| step.result.is_some_and(|result| self.is_integer(result)))
    }

    pub(super) fn is_integer(&self, value: Value) -> bool {
        self.integers.contains(&value)
    }

    /// Whether it can be an integer operand: an integer, a constant, or a number from outside.
    pub(super) fn can_be(&self, function: &IrFunction, value: Value) -> bool {
        match self.constants.get(&value) {
            Some(&number) => whole(number).is_some(),
            None if self.of_loop.contains(&value) => self.is_integer(value),
            None => function.type_of(value) == ValueType::Number,
        }
    }

    /// The same in the block that makes the value, where a quotient is not yet checked.
    pub(super) fn is_operand(&self, function: &IrFunction, value: Value) -> bool {
        self.can_be(function, value) && self.quotient(value).is_none()
    }

    /// Dividend and divisor of a quotient, which is an integer if there is no remainder.
    pub(super) fn quotient(&self, value: Value) -> Option<(Value, i64)> {
        match self.made_by.get(&value) {
            Some(&Inst::Binary(Binary::Div, a, b)) if self.is_integer(value) => {
                Some((a, self.constant(b)?))
            }
            _ => None,
        }
    }

    pub(super) fn constant(&self, value: Value) -> Option<i64> {
        whole(*self.constants.get(&value)?)
    }

    pub(super) fn made_by(&self, value: Value) -> Option<&Inst> {
        self.made_by.get(&value)
    }

    pub(super) fn is_from_outside(&self, value: Value) -> bool {
        !self.of_loop.contains(&value) && !self.constants.contains_key(&value)
    }

    pub(super) fn interval(&self, value: Value) -> Interval {
        if let Some(constant) = self.constant(value) {
            return (constant, constant);
        }
        match self.intervals.get(&value) {
            Some(&interval) => interval,
            None => self.ranges.get(&value).map_or((-EXACT, EXACT), |range| range.ends()),
        }
    }

    fn hope(&mut self, function: &IrFunction, blocks: &BTreeSet<usize>) {
        let is_number = |value: &Value| function.type_of(*value) == ValueType::Number;
        let has_form = |value: &Value| match self.made_by.get(value) {
            Some(Inst::Binary(op, ..)) => op.has_integers(),
            Some(inst) => matches!(inst, Inst::Unary(Unary::Int, _)),
            None => true,
        };
        self.integers = self
            .of_loop
            .iter()
            .filter(|value| is_number(value) && has_form(value) && !self.refused.contains(value))
            .copied()
            .collect();
        loop {
            let mut gone = BTreeSet::new();
            for (from, block) in function.blocks.iter().enumerate() {
                for target in block
                    .end
                    .targets()
                    .into_iter()
                    .filter(|to| blocks.contains(&(to.block.0 as usize)))
                {
                    let parameters = &function.blocks[target.block.0 as usize].parameters;
                    for (&parameter, &argument) in parameters.iter().zip(&target.arguments) {
                        if self.is_integer(parameter) && !self.can_be(function, argument) {
                            // Before the loop a check is cheap.
                            let is_constant = self.constants.contains_key(&argument);
                            if is_constant || blocks.contains(&from) {
                                gone.insert(parameter);
                            }
                        }
                    }
                }
            }
            for &value in &self.integers {
                let is_one = match self.made_by.get(&value) {
                    None => true,
                    Some(&Inst::Binary(Binary::Div, a, b)) => self.is_divided(function, a, b, 2),
                    Some(&Inst::Binary(Binary::Rem, a, b)) => self.is_divided(function, a, b, 1),
                    Some(&Inst::Binary(op, a, b)) => {
                        self.is_operand(function, a)
                            && self.is_operand(function, b)
                            && (op != Binary::Mul || self.is_little(a) || self.is_little(b))
                    }
                    Some(&Inst::Unary(_, a)) => self.is_integer(a),
                    Some(_) => false,
                };
                if !is_one {
                    gone.insert(value);
                }
            }
            if gone.is_empty() {
                break;
            }
            self.integers.retain(|value| !gone.contains(value));
        }
    }

    /// Whether a product with it may be small enough to stay exact.
    fn is_little(&self, value: Value) -> bool {
        self.constants.contains_key(&value)
            || matches!(self.made_by.get(&value), Some(Inst::Binary(Binary::Rem, ..)) if self.is_integer(value))
    }

    fn is_divided(&self, function: &IrFunction, a: Value, b: Value, least: i64) -> bool {
        self.is_operand(function, a) && self.constant(b).is_some_and(|b| b >= least)
    }

    /// Finds ranges and intervals; false when it refuses a value and must start again.
    fn bound(&mut self, function: &IrFunction, header: usize, blocks: &BTreeSet<usize>) -> bool {
        self.ranges.clear();
        let widest = IntegerRange { bits: IntegerRange::MAX_BITS, is_signed: false };
        let parameters = self.integers.iter().filter(|value| !self.made_by.contains_key(value));
        let outside =
            self.used(function, blocks).into_iter().filter(|value| self.is_from_outside(*value));
        let all: Vec<Value> = parameters.copied().chain(outside).collect();
        self.ranges.extend(all.into_iter().map(|value| (value, widest)));
        // Parameters that start below zero are signed.
        for (_, block) in
            function.blocks.iter().enumerate().filter(|(from, _)| !blocks.contains(from))
        {
            for target in
                block.end.targets().into_iter().filter(|target| target.block.0 as usize == header)
            {
                for (parameter, argument) in
                    function.blocks[header].parameters.iter().zip(&target.arguments)
                {
                    if self.constant(*argument).is_some_and(|constant| constant < 0)
                        && let Some(range) = self.ranges.get_mut(parameter)
                    {
                        range.is_signed = true;
                    }
                }
            }
        }
        loop {
            let before = self.ranges.clone();
            self.intervals.clear();
            for &at in blocks {
                for step in &function.blocks[at].steps {
                    if !self.step(function, step) {
                        return false;
                    }
                }
            }
            for &at in blocks {
                for target in function.blocks[at].end.targets() {
                    if blocks.contains(&(target.block.0 as usize)) {
                        self.edge(
                            &function.blocks[target.block.0 as usize].parameters,
                            &target.arguments,
                        );
                    }
                }
            }
            if self.ranges == before {
                return true;
            }
        }
    }

    fn used(&self, function: &IrFunction, blocks: &BTreeSet<usize>) -> BTreeSet<Value> {
        let mut used = BTreeSet::new();
        for &at in blocks {
            for step in &function.blocks[at].steps {
                used.extend(self.strict_operands(function, step));
            }
            for target in function.blocks[at].end.targets() {
                let Some(block) = blocks.get(&(target.block.0 as usize)) else { continue };
                for (parameter, argument) in
                    function.blocks[*block].parameters.iter().zip(&target.arguments)
                {
                    if self.is_integer(*parameter) {
                        used.insert(*argument);
                    }
                }
            }
        }
        used
    }

    /// The integer operands that must be exact.
    pub(super) fn strict_operands(&self, function: &IrFunction, step: &BlockInst) -> Vec<Value> {
        let is_integer = step.result.is_some_and(|result| self.is_integer(result));
        match step.inst {
            Inst::Binary(_, a, b) if is_integer => vec![a, b],
            Inst::Unary(_, a) if is_integer => match self.quotient(a) {
                Some((dividend, _)) => vec![dividend],
                None => vec![a],
            },
            Inst::Compare(_, a, b) if self.is_compared(function, a, b) => vec![a, b],
            Inst::Compare(order, a, b) => self
                .limited(function, order, a, b)
                .map(|limited| limited.integer)
                .into_iter()
                .collect(),
            Inst::NotZero(a) if self.is_integer(a) && self.quotient(a).is_none() => vec![a],
            Inst::Element { key, .. } | Inst::HasElement { key, .. }
                if self.is_integer(key) && self.quotient(key).is_none() =>
            {
                vec![key]
            }
            Inst::Text(ref text) => self.whole_piece(text),
            _ => Vec::new(),
        }
    }

    fn whole_piece(&self, text: &Text) -> Vec<Value> {
        let Some((from, length, Some(_))) = text.piece() else { return Vec::new() };
        let is_whole = |value: &Value| self.is_integer(*value) && self.quotient(*value).is_none();
        [Some(from), length].into_iter().flatten().filter(is_whole).collect()
    }

    /// An integer compared with a number from outside. The number need not be whole: its
    /// [`IntegerLimit`] is.
    pub(super) fn limited(
        &self,
        function: &IrFunction,
        order: Order,
        a: Value,
        b: Value,
    ) -> Option<LimitedInteger> {
        let is_limit = |value: Value| {
            self.is_from_outside(value) && function.type_of(value) == ValueType::Number
        };
        let is_integer = |value: Value| self.is_integer(value) && self.quotient(value).is_none();
        match (is_integer(a), is_integer(b)) {
            (true, false) if is_limit(b) => {
                let limit = IntegerLimit::of_right(order)?;
                Some(LimitedInteger { integer: a, number: b, limit, integer_first: true })
            }
            (false, true) if is_limit(a) => {
                let limit = IntegerLimit::of_left(order)?;
                Some(LimitedInteger { integer: b, number: a, limit, integer_first: false })
            }
            _ => None,
        }
    }

    pub(super) fn is_compared(&self, function: &IrFunction, a: Value, b: Value) -> bool {
        let fits = |value: Value| self.is_operand(function, value) && !self.is_from_outside(value);
        fits(a) && fits(b) && (self.is_integer(a) || self.is_integer(b))
    }

    /// Finds the operands that must be exact and the result's interval; false when a value was
    /// refused.
    fn step(&mut self, function: &IrFunction, step: &BlockInst) -> bool {
        let mut is_exact = true;
        for operand in self.strict_operands(function, step) {
            let (low, high) = self.interval(operand);
            if low < -EXACT || high > EXACT {
                is_exact = false;
                if !self.shrink(operand) {
                    self.refused.insert(operand);
                    return false;
                }
            }
        }
        let Some(result) = step.result.filter(|result| self.is_integer(*result)) else {
            return true;
        };
        if !is_exact {
            // It is computed again with the smaller ranges.
            self.intervals.insert(result, (0, 0));
            return true;
        }
        let found = match step.inst {
            Inst::Binary(op, a, b) => {
                let (x, y) = (self.interval(a), self.interval(b));
                match op {
                    Binary::Add => Some((x.0 + y.0, x.1 + y.1)),
                    Binary::Sub => Some((x.0 - y.1, x.1 - y.0)),
                    // Zero times a negative number is negative zero.
                    Binary::Mul if (x.0 < 0 && y.0 <= 0) || (y.0 < 0 && x.0 <= 0) => None,
                    Binary::Mul => {
                        let ends = [(x.0, y.0), (x.0, y.1), (x.1, y.0), (x.1, y.1)];
                        let products = ends.map(|(x, y)| i128::from(x) * i128::from(y));
                        let (low, high) = products.iter().fold((0, 0), |(low, high), &product| {
                            (product.min(low), product.max(high))
                        });
                        if low < -FAR || high > FAR {
                            if !self.shrink(result) {
                                self.refused.insert(result);
                                return false;
                            }
                            self.intervals.insert(result, (0, 0));
                            return true;
                        }
                        Some((low as i64, high as i64))
                    }
                    Binary::Div | Binary::Rem if x.0 < 0 => None,
                    Binary::Div => Some((0, x.1 / y.0)),
                    Binary::Rem => Some((0, x.1.min(y.0 - 1))),
                    _ => None,
                }
            }
            Inst::Unary(_, a) => match self.quotient(a) {
                Some((dividend, divisor)) => {
                    let (low, high) = self.interval(dividend);
                    // Up to this half a rounded quotient cannot reach the next integer.
                    if high > EXACT / 2 && !self.shrink(dividend) {
                        None
                    } else {
                        Some((low / divisor, high / divisor))
                    }
                }
                None => Some(self.interval(a)),
            },
            _ => None,
        };
        match found {
            Some(interval) => {
                self.intervals.insert(result, interval);
                true
            }
            None => {
                self.refused.insert(result);
                false
            }
        }
    }

    fn shrink(&mut self, value: Value) -> bool {
        let mut roots = BTreeSet::new();
        let mut waiting = vec![value];
        while let Some(value) = waiting.pop() {
            match self.made_by.get(&value) {
                _ if self.ranges.contains_key(&value) => {
                    roots.insert(value);
                }
                Some(&Inst::Binary(_, a, b)) => waiting.extend([a, b]),
                Some(&Inst::Unary(_, a)) => waiting.push(a),
                _ => {}
            }
        }
        let Some(bits) =
            roots.iter().map(|root| self.ranges[root].bits).max().filter(|&bits| bits > MIN_BITS)
        else {
            return false;
        };
        for root in roots {
            if let Some(range) = self.ranges.get_mut(&root) {
                range.bits = range.bits.min(bits - 1);
            }
        }
        true
    }

    /// Makes an argument's range as small as the parameter's, so that it is checked once.
    fn edge(&mut self, parameters: &[Value], arguments: &[Value]) {
        for (&parameter, &argument) in parameters.iter().zip(arguments) {
            let Some(&range) = self.ranges.get(&parameter) else { continue };
            let is_signed = self.is_below_zero(argument);
            if let Some(source) = self.ranges.get_mut(&argument) {
                source.bits = source.bits.min(range.bits);
            }
            if let Some(range) = self.ranges.get_mut(&parameter) {
                range.is_signed |= is_signed;
            }
        }
    }

    /// Whether the value is expected to become negative. A counter that counts down to zero is not.
    fn is_below_zero(&self, value: Value) -> bool {
        if let Some(constant) = self.constant(value) {
            return constant < 0;
        }
        if let Some(range) = self.ranges.get(&value) {
            return range.is_signed;
        }
        match self.made_by.get(&value) {
            Some(&Inst::Binary(Binary::Add, a, b)) => {
                let below =
                    |value: Value| self.constant(value).is_none() && self.is_below_zero(value);
                below(a) || below(b)
            }
            Some(&Inst::Binary(Binary::Sub, a, b)) => {
                self.constant(b).is_none() || self.is_below_zero(a)
            }
            Some(&Inst::Binary(Binary::Mul, a, b)) => {
                self.is_below_zero(a) || self.is_below_zero(b)
            }
            Some(&Inst::Unary(_, a)) => self.is_below_zero(a),
            _ => false,
        }
    }
}

/// The integer of a double of at most 2^53 that is not negative zero.
fn whole(number: f64) -> Option<i64> {
    let integer = number as i64;
    (integer.unsigned_abs() <= EXACT as u64 && (integer as f64).to_bits() == number.to_bits())
        .then_some(integer)
}
