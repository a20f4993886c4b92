//! Translates bytecode operations to instructions. Operations without one are performed by the
//! interpreter.

mod arrays;
mod calls;
mod fields;
mod texts;
mod views;

use super::build::Builder;
use super::function::*;
use super::request::FrameName;
use super::slot::Slot;
use super::tags::TagSet;
use crate::outcome::OperatorOutcome;
use riverhawk_bytecode::{CodeAt, Dst, MathFn, Op, ResultType, Src, Successors};
use riverhawk_syntax::ast::{LibraryFn, Special};
use riverhawk_value::layout::tag;

impl Builder<'_> {
    pub(super) fn operation(&mut self, at: u32) -> Option<BlockEnd> {
        let op = self.snapshot.code()[at as usize];
        if self.is_viewed_by_next(at, &op)
            || self.arithmetic(at, &op)
            || self.element_operation(at, &op)
        {
            return None;
        }
        if let Some(end) = self.jump_operation(at, &op).or_else(|| self.field_operation(at, &op)) {
            return end;
        }
        match op {
            Op::Move { d, s } => self.copy(at, d, s),
            Op::NoteScalar { v } if self.tags(v.into()).is_within(TagSet::TYPED) => {}
            Op::ArgumentByName { d, s } if self.tags(s.into()) == TagSet::ARRAY => {
                self.push(Inst::Copy { d: d.into(), s: s.into() });
                self.set_memory(d.into(), TagSet::ARRAY);
            }
            Op::Argument { d, s } if self.tags(s.into()).is_number() => self.copy(at, d, s),
            Op::LoadConst { d, k } => {
                let number =
                    self.snapshot.constant_numbered(k.index()).and_then(|known| known.number);
                match (number, self.snapshot.constant_slot(k.index())) {
                    (Some(number), _) => {
                        let value = self.value(Inst::Number(number));
                        self.set_number(d.into(), value);
                    }
                    (None, Some(s)) if self.is_short(s) => self.copy_short(d.into(), s),
                    (None, Some(s)) => {
                        self.push(Inst::Copy { d: d.into(), s });
                        self.set_memory(d.into(), TagSet::ANY);
                    }
                    (None, None) => self.have_performed(at),
                }
            }

            Op::RecordLoop { again } | Op::CountedRecordLoop { again }
                if !self.has_just_performed(at) =>
            {
                self.settle_globals(|_| true);
                self.settle_before_clobber(at, again.0);
                let assigned = (
                    self.exit(at + 1, ExitReason::Assigned),
                    self.exit(again.0, ExitReason::Assigned),
                );
                let found = self.truth(Inst::NextRecord { at, assigned });
                return Some(self.branch(found, again, at, true));
            }
            Op::JumpRecordMatches { re, to } | Op::JumpRecordNotMatches { re, to } => {
                let matches =
                    self.truth(Inst::RecordMatches { at, regex: re.0, scope: FrameScope::OWN });
                return Some(self.branch(
                    matches,
                    to,
                    at,
                    matches!(op, Op::JumpRecordMatches { .. }),
                ));
            }
            Op::GetSpecial { d, v } if is_count(v) && !self.saw_others(at) => {
                let place =
                    Special::ALL.iter().position(|&special| special == v).unwrap_or_default();
                let value = self.value(Inst::Special(place as u32));
                let holds = self.truth(Inst::Compare(Order::Equal, value, value));
                let exit = self.exit(at, ExitReason::Special);
                self.push(Inst::Guard { holds, exit });
                self.set_number(d.into(), value);
            }

            Op::NextKey { d, keys, done } => return Some(self.next_key(at, d, keys, done.0)),
            Op::EnterRule { .. } => self.mark(Mark::Rule(at)),
            Op::EnterFunction {} => self.mark(Mark::Enter),
            Op::LeaveFunction {} => self.mark(Mark::Leave),
            Op::CheckTurn {} => {
                for condition in [Inst::HasTime, Inst::HasSteps] {
                    let holds = self.truth(condition);
                    let exit = self.exit(at, ExitReason::Operation);
                    self.push(Inst::Guard { holds, exit });
                }
                self.mark(Mark::Step);
            }

            Op::Call { d, function, arguments } => return self.call(at, d, function.0, arguments),
            Op::Return { s } => return Some(self.return_value(at, Some(s.into()))),
            Op::ReturnNothing {} => return Some(self.return_value(at, None)),
            Op::Next {} if self.request.frame == FrameName::Main => {
                return Some(BlockEnd::Jump(self.edge(self.frame.code.start)));
            }
            _ if self.text(at, &op) => self.expect_observed_number(at, &op),
            _ => return self.others(at, &op),
        }
        None
    }

    fn arithmetic(&mut self, at: u32, op: &Op) -> bool {
        match *op {
            Op::Add { d, a, b } => self.binary(Binary::Add, d, a, b),
            Op::Sub { d, a, b } => self.binary(Binary::Sub, d, a, b),
            Op::Mul { d, a, b } => self.binary(Binary::Mul, d, a, b),
            Op::Pow { d, a, b } => self.binary(Binary::Pow, d, a, b),
            Op::Atan2 { d, a, b } => self.binary(Binary::Atan2, d, a, b),
            Op::Bits { f, d, a, b } => return self.bits(at, f, d, a, b),
            Op::Div { d, a, b } => self.division(at, Binary::Div, d, a, b),
            Op::Mod { d, a, b } => self.division(at, Binary::Rem, d, a, b),
            Op::Neg { d, a } => {
                let a = self.number(a.into());
                self.set_to(d, Inst::Unary(Unary::Neg, a));
            }
            Op::ToNumber { d, a } => {
                let a = self.number(a.into());
                self.set_number(d.into(), a);
            }
            Op::Not { d, a } => {
                let a = self.truth_of(a.into());
                let not = self.truth(Inst::Not(a));
                self.set_to(d, Inst::FromTruth(not));
            }
            Op::ToTruth { d, a } => {
                let a = self.truth_of(a.into());
                self.set_to(d, Inst::FromTruth(a));
            }
            Op::Increment { v } => self.step(None, v, 1.0),
            Op::Decrement { v } => self.step(None, v, -1.0),
            Op::PostIncrement { d, v } => self.step(Some(d), v, 1.0),
            Op::PostDecrement { d, v } => self.step(Some(d), v, -1.0),
            Op::Math { f, d, a } => self.math(at, f, d, a),
            Op::Rand { d } => self.set_to(d, Inst::Rand),

            Op::Less { d, a, b } => self.comparison(at, Order::Less, d, a, b),
            Op::LessEqual { d, a, b } => self.comparison(at, Order::LessEqual, d, a, b),
            Op::Equal { d, a, b } => self.comparison(at, Order::Equal, d, a, b),
            Op::NotEqual { d, a, b } => self.comparison(at, Order::NotEqual, d, a, b),
            _ => return false,
        }
        true
    }

    fn jump_operation(&mut self, at: u32, op: &Op) -> Option<Option<BlockEnd>> {
        let end = match *op {
            Op::Jump { to } | Op::Loop { to } => BlockEnd::Jump(self.edge(to.0)),
            Op::JumpTrue { a, to } => {
                let on = self.truth_of(a.into());
                self.branch(on, to, at, true)
            }
            Op::JumpFalse { a, to } => {
                let on = self.truth_of(a.into());
                self.branch(on, to, at, false)
            }
            Op::JumpLess { a, b, to } => self.jump(Order::Less, a, b, to, at, true),
            Op::JumpNotLess { a, b, to } => self.jump(Order::Less, a, b, to, at, false),
            Op::JumpLessEqual { a, b, to } => self.jump(Order::LessEqual, a, b, to, at, true),
            Op::JumpNotLessEqual { a, b, to } => self.jump(Order::LessEqual, a, b, to, at, false),
            Op::JumpEqual { a, b, to } => self.jump(Order::Equal, a, b, to, at, true),
            Op::JumpNotEqual { a, b, to } => self.jump(Order::Equal, a, b, to, at, false),
            _ => return None,
        };
        Some(Some(end))
    }

    fn mark(&mut self, mark: Mark) {
        self.push(Inst::Mark(mark));
    }

    fn others(&mut self, at: u32, op: &Op) -> Option<BlockEnd> {
        match op.successors() {
            Successors::Interpreter | Successors::End | Successors::Call => {
                return Some(self.leave(at, ExitReason::Operation));
            }
            Successors::Jump(to) => return Some(BlockEnd::Jump(self.edge(to))),
            Successors::Branch(to) => {
                let jumped = self.perform(at);
                return Some(self.branch(jumped, CodeAt(to), at, true));
            }
            Successors::Next => {}
        }
        self.have_performed(at);
        self.expect_observed_number(at, op);
        None
    }

    pub(super) fn expect_observed_number(&mut self, at: u32, op: &Op) {
        if !self.request.feedback.seen.get(&at).is_some_and(|seen| seen.is_number()) {
            return;
        }
        let mut written = None;
        op.visit_slots(&self.snapshot.lists, |slot, access| {
            if access.writes() == Some(ResultType::Any) {
                written = Some(Slot::from(slot));
            }
        });
        if let Some(slot) = written {
            self.expect_number(slot, at + 1);
        }
    }

    fn have_performed(&mut self, at: u32) {
        self.perform(at);
    }

    fn leave(&mut self, at: u32, reason: ExitReason) -> BlockEnd {
        BlockEnd::Leave(self.exit(at, reason))
    }

    fn saw_texts(&self, at: u32) -> bool {
        self.request.feedback.seen.get(&at).is_some_and(|seen| {
            let all: u32 = seen.outcomes.iter().fold(0, |sum, &count| sum.saturating_add(count));
            seen.outcomes[OperatorOutcome::NumNum as usize] < all.div_ceil(2)
        })
    }

    fn saw_others(&self, at: u32) -> bool {
        self.request
            .feedback
            .seen
            .get(&at)
            .is_some_and(|seen| seen.has_types() && !seen.is_number())
    }

    fn set_to(&mut self, d: Dst, inst: Inst) {
        let value = self.value(inst);
        self.set_number(d.into(), value);
    }

    fn copy(&mut self, at: u32, d: Dst, s: Src) {
        let (target, source) = (Slot::from(d), Slot::from(s));
        if self.tags(source).is_number() {
            let value = self.number(source);
            self.set_number(target, value);
        } else if target == source {
            self.have_performed(at);
        } else if self.is_short(source) {
            self.copy_short(target, source);
        } else {
            let tags = if self.is_text(source) { TagSet::TEXT } else { TagSet::ANY };
            self.push(Inst::Copy { d: target, s: source });
            self.set_memory(target, tags);
        }
    }

    fn is_short(&self, slot: Slot) -> bool {
        self.constant(slot).is_some_and(|constant| constant.tags == TagSet::only(tag::SMALL))
    }

    fn copy_short(&mut self, d: Slot, s: Slot) {
        let memory = self.memory(d);
        self.push(Inst::CopyShort { d, s, memory });
        self.set_memory(d, TagSet::only(tag::SMALL));
    }

    fn binary(&mut self, op: Binary, d: Dst, a: Src, b: Src) {
        let (a, b) = (self.number(a.into()), self.number(b.into()));
        self.set_to(d, Inst::Binary(op, a, b));
    }

    fn division(&mut self, at: u32, op: Binary, d: Dst, a: Src, b: Src) {
        let (a, b) = (self.number(a.into()), self.number(b.into()));
        self.demand_divisor(at, b);
        self.set_to(d, Inst::Binary(op, a, b));
    }

    /// Exits for numbers that 64 bits do not hold exactly, and for negative ones, which the
    /// interpreter reports.
    fn bits(&mut self, at: u32, f: LibraryFn, d: Dst, a: Src, b: Src) -> bool {
        const EXACT: f64 = (1u64 << 53) as f64;
        const SIGNED: f64 = (1u64 << 63) as f64;
        // Fewer bits than an operand has are exact, however large it is.
        let (op, a_end, b_end) = match f {
            LibraryFn::And => (Binary::And, SIGNED, SIGNED),
            LibraryFn::Or => (Binary::Or, EXACT, EXACT),
            LibraryFn::Xor => (Binary::Xor, EXACT, EXACT),
            LibraryFn::Lshift => (Binary::ShiftLeft, EXACT, 64.0),
            LibraryFn::Rshift => (Binary::ShiftRight, SIGNED, 64.0),
            _ => return false,
        };
        let (a, b) = (self.number(a.into()), self.number(b.into()));
        let zero = self.value(Inst::Number(0.0));
        for (number, end) in [(a, a_end), (b, b_end)] {
            let end = self.value(Inst::Number(end));
            for (order, low, high) in [(Order::LessEqual, zero, number), (Order::Less, number, end)]
            {
                let holds = self.truth(Inst::Compare(order, low, high));
                self.demand(at, holds, ExitReason::Operand);
            }
        }
        self.set_to(d, Inst::Binary(op, a, b));
        true
    }

    /// Exits for a zero divisor, which the interpreter reports.
    fn demand_divisor(&mut self, at: u32, b: Value) {
        let holds = self.truth(Inst::NotZero(b));
        self.demand(at, holds, ExitReason::Operand);
    }

    fn demand(&mut self, at: u32, holds: Value, reason: ExitReason) {
        let exit = self.exit(at, reason);
        self.push(Inst::Guard { holds, exit });
    }

    fn step(&mut self, d: Option<Dst>, v: Dst, by: f64) {
        let old = self.number(v.into());
        let by = self.value(Inst::Number(by));
        self.set_to(v, Inst::Binary(Binary::Add, old, by));
        if let Some(d) = d {
            self.set_number(d.into(), old);
        }
    }

    fn math(&mut self, at: u32, f: MathFn, d: Dst, a: Src) {
        let a = self.number(a.into());
        let (op, least) = match f {
            MathFn::Int => (Unary::Int, None),
            MathFn::Sin => (Unary::Sin, None),
            MathFn::Cos => (Unary::Cos, None),
            MathFn::Exp => (Unary::Exp, None),
            MathFn::Sqrt => (Unary::Sqrt, Some(0.0)),
            MathFn::Log => (Unary::Log, Some(0.0)),
        };
        if let Some(least) = least {
            let least = self.value(Inst::Number(least));
            let holds = self.truth(Inst::Compare(Order::LessEqual, least, a));
            self.demand(at, holds, ExitReason::Operand);
        }
        let result = self.value(Inst::Unary(op, a));
        if f == MathFn::Exp {
            // Infinite, zero or NaN: the interpreter may warn.
            for (low, high) in [(None, Some(f64::INFINITY)), (Some(0.0), None)] {
                let [low, high] =
                    [low, high].map(|end| end.map_or(result, |end| self.value(Inst::Number(end))));
                let holds = self.truth(Inst::Compare(Order::Less, low, high));
                self.demand(at, holds, ExitReason::Operand);
            }
        }
        self.set_number(d.into(), result);
    }

    fn truth_of(&mut self, slot: Slot) -> Value {
        let tags = self.tags(slot);
        if tags.is_number() || tags == TagSet::UNINIT {
            let number = self.number(slot);
            return self.truth(Inst::NotZero(number));
        }
        self.truth(Inst::TruthOf(slot))
    }

    fn compared(&mut self, at: u32, order: Order, a: Slot, b: Slot) -> Value {
        let counts_as_number = |tags: TagSet| tags.is_number() || tags == TagSet::UNINIT;
        if counts_as_number(self.tags(a)) && counts_as_number(self.tags(b)) {
            let nothing_first = self.tags(a) == TagSet::UNINIT;
            let (a, b) = (self.number(a), self.number(b));
            // An uninitialised value sorts before NaN, though zero does not.
            let not = match order {
                Order::Less if nothing_first => Order::LessEqual,
                Order::LessEqual if nothing_first => Order::Less,
                _ => return self.truth(Inst::Compare(order, a, b)),
            };
            let not = self.truth(Inst::Compare(not, b, a));
            return self.truth(Inst::Not(not));
        }
        if let Some(truth) = self.compared_view(at, order, a, b) {
            return truth;
        }
        self.settle(a);
        self.settle(b);
        if let Order::Equal | Order::NotEqual = order
            && let Some(equal) = self.equals_constant(a, b)
        {
            return if order == Order::Equal { equal } else { self.truth(Inst::Not(equal)) };
        }
        if self.is_text(a) || self.is_text(b) || self.saw_texts(at) {
            return self.truth(Inst::CompareTexts(order, a, b));
        }
        self.truth(Inst::CompareSlots(order, a, b))
    }

    /// Whether the slots are equal, one of which is a short text of the program.
    fn equals_constant(&mut self, a: Slot, b: Slot) -> Option<Value> {
        let of_constant = |constant: Slot| self.constant(constant)?.text;
        let (slot, constant, text) = match (of_constant(a), of_constant(b)) {
            (_, Some(text)) => (a, b, text),
            (Some(text), None) => (b, a, text),
            (None, None) => return None,
        };
        Some(self.truth(Inst::EqualsText { slot, constant, text }))
    }

    fn comparison(&mut self, at: u32, order: Order, d: Dst, a: Src, b: Src) {
        let holds = self.compared(at, order, a.into(), b.into());
        self.set_to(d, Inst::FromTruth(holds));
    }

    fn jump(&mut self, order: Order, a: Src, b: Src, to: CodeAt, at: u32, when: bool) -> BlockEnd {
        let holds = self.compared(at, order, a.into(), b.into());
        self.branch(holds, to, at, when)
    }

    /// Branches to `to` if the truth equals `when`.
    fn branch(&mut self, on: Value, to: CodeAt, at: u32, when: bool) -> BlockEnd {
        let (there, here) = (self.side(to.0), self.side(at + 1));
        let (yes, no) = if when { (there, here) } else { (here, there) };
        BlockEnd::Branch { on, yes, no }
    }
}

/// Whether a special variable is a number unless assigned.
fn is_count(special: Special) -> bool {
    matches!(special, Special::Nf | Special::Nr | Special::Fnr | Special::Rstart | Special::Rlength)
}
