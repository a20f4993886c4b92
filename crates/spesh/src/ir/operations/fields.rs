//! Fields used directly as numbers and in comparisons.

use super::super::build::Builder;
use super::super::function::*;
use super::super::request::FrameName;
use super::super::slot::Slot;
use super::super::tags::TagSet;
use super::super::view::Want;
use riverhawk_bytecode::{Dst, Op, Src, Successors};

/// Which field an operation reads.
#[derive(Clone, Copy)]
pub(super) enum FieldOperand {
    Constant(u32),
    Number(Src),
}

impl Builder<'_> {
    pub(super) fn field_operation(&mut self, at: u32, op: &Op) -> Option<Option<BlockEnd>> {
        match *op {
            Op::Field { d, n, .. } if self.is_read_as_number(at, d) => {
                self.set_to(d, Inst::FieldNumber(n.0))
            }
            Op::Field { d, n, .. }
                if self.is_field_viewed_by_next(at, d, FieldOperand::Constant(n.0)) => {}
            Op::Field { d, n, .. } => {
                if let Some(end) = self.compared_field(at, d, n.0) {
                    return Some(Some(end));
                }
                if self.is_followed_by_performed(at) {
                    self.have_performed(at);
                    return Some(None);
                }
                self.push(Inst::Field { d: d.into(), n: n.0 });
                self.set_memory(d.into(), TagSet::ANY);
            }
            Op::FieldAt { d, i } | Op::Column { d, i, .. }
                if self.is_read_as_number(at, d) && self.tags(i.into()).is_number() =>
            {
                let n = self.demanded_field_number(at, i);
                self.set_to(d, Inst::FieldNumberAt(n));
            }
            Op::FieldAt { d, i }
                if self.tags(i.into()).is_number()
                    && self.is_field_viewed_by_next(at, d, FieldOperand::Number(i)) => {}
            Op::FieldAt { d, i } | Op::OwnFieldAt { d, i } => {
                let (n, slot) = (self.demanded_field_number(at, i), Slot::from(d));
                self.settle_before_clobber(at, at + 1);
                self.push(match op {
                    Op::FieldAt { .. } => Inst::FieldAt { d: slot, n },
                    _ => Inst::OwnFieldAt { d: slot, n },
                });
                self.set_memory(slot, TagSet::ANY);
                self.expect_observed_number(at, op);
            }
            Op::OwnField { d, n } if self.is_number_argument(at, d) => {
                self.set_to(d, Inst::FieldNumber(n.0))
            }
            Op::LengthField { d, n } => self.set_to(d, Inst::FieldLength(n.0)),
            Op::AddRecordLength { v } => {
                let length = self.value(Inst::FieldLength(0));
                let sum = self.number(v.into());
                self.set_to(v, Inst::Binary(Binary::Add, sum, length));
            }
            Op::Length { d, s } => {
                if let Some(length) = self.of_view(at, s, Want::Length) {
                    self.set_number(d.into(), length);
                    return Some(None);
                }
                self.settle(s.into());
                self.set_to(d, Inst::Length { s: s.into(), known: None });
            }
            _ => return None,
        }
        Some(None)
    }

    /// The number of a field, which is one: the interpreter complains of others.
    pub(super) fn demanded_field_number(&mut self, at: u32, i: Src) -> Value {
        let n = self.number(i.into());
        let (none, limit) = (self.value(Inst::Number(0.0)), self.value(Inst::Number(FIELD_LIMIT)));
        let from = self.truth(Inst::Compare(Order::LessEqual, none, n));
        self.demand(at, from, ExitReason::Operand);
        let below = self.truth(Inst::Compare(Order::Less, n, limit));
        self.demand(at, below, ExitReason::Operand);
        n
    }

    /// Whether the interpreter performs the next operation, so that one call can perform both.
    pub(super) fn is_followed_by_performed(&self, at: u32) -> bool {
        let following =
            (at + 1..self.frame.code.end).take_while(|next| !self.tracked.leaders.contains(next));
        let mut following = following.map(|next| &self.snapshot.code()[next as usize]);
        following
            .find(|op| !matches!(op, Op::Field { .. }))
            .is_some_and(|op| matches!(op, Op::Format { .. }))
    }

    pub(super) fn is_read_as_number(&self, at: u32, d: Dst) -> bool {
        let next = at + 1;
        if self.tracked.leaders.contains(&next) || !self.frame.code.contains(&(next + 1)) {
            return false;
        }
        let (slot, source) = (Slot::from(d), d.src());
        let Slot::Register(register) = slot else { return false };
        let (takes, writes) = match self.snapshot.code()[next as usize] {
            Op::Add { d, a, b }
            | Op::Sub { d, a, b }
            | Op::Mul { d, a, b }
            | Op::Div { d, a, b }
            | Op::Mod { d, a, b }
            | Op::Pow { d, a, b }
            | Op::Atan2 { d, a, b }
            | Op::Bits { d, a, b, .. } => (a == source || b == source, d),
            Op::Neg { d, a } | Op::ToNumber { d, a } | Op::Math { d, a, .. } => (a == source, d),
            Op::UpdateElement { d, v, key, .. } => (v == source && key != source, d),
            _ => return false,
        };
        takes && (Slot::from(writes) == slot || !self.live.is_live(next + 1, register))
    }

    /// Whether `d` is passed to a function that uses only its number.
    pub(super) fn is_number_argument(&self, at: u32, d: Dst) -> bool {
        let slot @ Slot::Register(register) = Slot::from(d) else { return false };
        for next in at + 1..self.frame.code.end {
            if self.tracked.leaders.contains(&next) {
                return false;
            }
            let op = &self.snapshot.code()[next as usize];
            if let Op::Call { function, arguments, .. } = *op
                && (arguments.first..arguments.first + arguments.count).contains(&register)
            {
                let callee = self.snapshot.frame(FrameName::Function(function.0));
                let number = usize::from(register - arguments.first);
                return callee.is_some_and(|callee| callee.arithmetic.get(number) == Some(&true));
            }
            let mut is_touched = false;
            op.visit_slots(&self.snapshot.lists, |other, _| {
                is_touched |= Slot::from(other) == slot
            });
            if is_touched || !matches!(op.successors(), Successors::Next | Successors::Call) {
                return false;
            }
        }
        false
    }

    /// The block's end, if the next operation compares this field with a number.
    pub(super) fn compared_field(&mut self, at: u32, d: Dst, n: u32) -> Option<BlockEnd> {
        use Op::*;
        let next = at + 1;
        let Slot::Register(register) = Slot::from(d) else { return None };
        if self.tracked.leaders.contains(&next) {
            return None;
        }
        let (order, a, b, to, when) = match self.snapshot.code()[next as usize] {
            JumpLess { a, b, to } => (Order::Less, a, b, to, true),
            JumpNotLess { a, b, to } => (Order::Less, a, b, to, false),
            JumpLessEqual { a, b, to } => (Order::LessEqual, a, b, to, true),
            JumpNotLessEqual { a, b, to } => (Order::LessEqual, a, b, to, false),
            JumpEqual { a, b, to } => (Order::Equal, a, b, to, true),
            JumpNotEqual { a, b, to } => (Order::Equal, a, b, to, false),
            _ => return None,
        };
        let field_first = a == d.src();
        let other = if field_first { b } else { a };
        let is_dead = !self.live.is_live(next + 1, register) && !self.live.is_live(to.0, register);
        if !is_dead || (a == d.src()) == (b == d.src()) || !self.tags(other.into()).is_number() {
            return None;
        }
        let value = self.number(other.into());
        let holds = self.truth(Inst::CompareField { order, n, value, field_first });
        Some(self.branch(holds, to, next, when))
    }
}
