//! Decides which strings stay unmaterialised, while it is known what still reads them.

use super::super::build::Builder;
use super::super::function::*;
use super::super::slot::Slot;
use super::super::tags::TagSet;
use super::super::text::Text;
use super::super::view::{Unmade, View, Viewed, Want};
use super::fields::FieldOperand;
use super::texts::list;
use riverhawk_bytecode::{Dst, Op, Src, Successors};

impl Builder<'_> {
    /// Whether only the next operation reads this one's text. If so, the next does the work of
    /// both.
    pub(super) fn is_viewed_by_next(&mut self, at: u32, op: &Op) -> bool {
        if self.viewed.is_some_and(|viewed| viewed.at < at) {
            self.viewed = None;
        }
        let (Op::Substr { d, .. }
        | Op::SubstrFrom { d, .. }
        | Op::ToLower { d, .. }
        | Op::ToUpper { d, .. }
        | Op::Concat { d, .. }
        | Op::ConcatAll { d, .. }
        | Op::JoinKey { d, .. }) = *op
        else {
            return false;
        };
        if !self.views || self.viewed.is_some() {
            return false;
        }
        let is_number = self.is_read_as_number(at, d);
        if !is_number && !self.can_be_view(at + 1, d) {
            return false;
        }
        let view = match *op {
            Op::Substr { s, m, n, .. } => {
                let (from, length) = (self.number(m.into()), Some(self.number(n.into())));
                View::Piece { s: s.into(), from, length, known: None }
            }
            Op::SubstrFrom { s, m, .. } => {
                View::Piece { s: s.into(), from: self.number(m.into()), length: None, known: None }
            }
            Op::ToLower { s, .. } => View::Case { s: s.into(), upper: false },
            Op::ToUpper { s, .. } => View::Case { s: s.into(), upper: true },
            Op::Concat { a, b, .. } => View::Joined { a: a.into(), b: b.into() },
            Op::ConcatAll { parts, .. } => View::JoinedAll(list(parts)),
            Op::JoinKey { parts, .. } => View::Key(list(parts)),
            _ => return false,
        };
        match view {
            View::Piece { s, .. } => self.settle(s),
            _ => self.settle_operands(at),
        }
        if is_number {
            self.settle_before_clobber(at, at + 1);
            let number = self.value(Inst::Text(Text::View { view, want: Want::Number }));
            self.set_number(d.into(), number);
        } else {
            // The register may be an operand that the interpreter needs.
            self.settle(d.into());
            self.set_memory(d.into(), TagSet::ANY);
            self.viewed = Some(Viewed { at: at + 1, slot: d.into(), text: Unmade::View(view) });
        }
        true
    }

    /// Whether the operation is the last reader of `d` and can read it unmaterialised.
    fn can_be_view(&self, at: u32, d: Dst) -> bool {
        let op = &self.snapshot.code()[at as usize];
        let looks = match *op {
            Op::Equal { .. }
            | Op::NotEqual { .. }
            | Op::JumpEqual { .. }
            | Op::JumpNotEqual { .. } => true,
            Op::Less { .. } | Op::LessEqual { .. } => true,
            Op::JumpLess { .. } | Op::JumpNotLess { .. } => true,
            Op::JumpLessEqual { .. } | Op::JumpNotLessEqual { .. } => true,
            Op::Length { s, .. } | Op::Index { s, .. } => s == d.src(),
            Op::HasElement { array, key, .. } => key == d.src() && self.may_have_array(array),
            _ => self.is_key_of_element(op, d),
        };
        looks && self.is_last_reader(at, op, d)
    }

    /// Whether the operation uses the element under `d`.
    fn is_key_of_element(&self, op: &Op, d: Dst) -> bool {
        match *op {
            Op::GetElement { array, key, .. }
            | Op::SetElement { array, key, .. }
            | Op::UpdateElement { array, key, .. }
            | Op::StepElement { array, key, .. }
            | Op::CountElement { array, key } => key == d.src() && self.may_have_array(array),
            _ => false,
        }
    }

    fn is_last_reader(&self, at: u32, op: &Op, d: Dst) -> bool {
        let slot @ Slot::Register(register) = Slot::from(d) else { return false };
        if self.tracked.leaders.contains(&at) || !self.frame.code.contains(&(at + 1)) {
            return false;
        }
        let (mut reads, mut writes) = (0, false);
        op.visit_slots(&self.snapshot.lists, |other, access| {
            if Slot::from(other) == slot {
                reads += u32::from(access.reads());
                writes |= access.writes().is_some();
            }
        });
        let is_dead = (writes || !self.live.is_live(at + 1, register))
            && match op.successors() {
                Successors::Next => true,
                Successors::Branch(to) => !self.live.is_live(to, register),
                _ => false,
            };
        reads == 1 && is_dead
    }

    fn view_of(&self, slot: Slot) -> Option<View> {
        match self.viewed.filter(|viewed| viewed.slot == slot)?.text {
            Unmade::View(view) => Some(view),
            Unmade::Field(_) => None,
        }
    }

    /// Leaves a field that is only the next operation's subscript where it is.
    pub(super) fn is_field_viewed_by_next(&mut self, at: u32, d: Dst, n: FieldOperand) -> bool {
        let next = at + 1;
        let is_key = self.views
            && self.viewed.is_none()
            && self.frame.code.contains(&next)
            && self.is_key_of_element(&self.snapshot.code()[next as usize], d)
            && self.is_last_reader(next, &self.snapshot.code()[next as usize], d);
        if !is_key {
            return false;
        }
        let number = match n {
            FieldOperand::Constant(n) => self.value(Inst::Number(f64::from(n))),
            FieldOperand::Number(i) => self.demanded_field_number(at, i),
        };
        if matches!(n, FieldOperand::Number(i) if i == d.src()) {
            // The interpreter needs it where it takes the field.
            self.settle(d.into());
        }
        self.set_memory(d.into(), TagSet::ANY);
        self.viewed = Some(Viewed { at: next, slot: d.into(), text: Unmade::Field(number) });
        true
    }

    pub(super) fn of_view(&mut self, at: u32, s: Src, want: Want) -> Option<Value> {
        let view = self.view_of(s.into())?;
        if let Want::Index { t: slot } = want {
            self.settle(slot);
        }
        // Machine code measures a piece itself.
        if !matches!((view, want), (View::Piece { .. }, Want::Length)) {
            self.settle_before_clobber(at, at + 1);
        }
        Some(self.value(Inst::Text(Text::View { view, want })))
    }

    pub(super) fn element_of_view(&mut self, array: Dst, key: Src) -> Option<Value> {
        let array = array.into();
        let viewed = self.viewed.filter(|viewed| viewed.slot == Slot::from(key))?;
        Some(self.value(match viewed.text {
            Unmade::View(view) => Inst::Text(Text::View { view, want: Want::Element { array } }),
            Unmade::Field(n) => Inst::ElementUnderField { array, n },
        }))
    }

    pub(super) fn compared_view(
        &mut self,
        at: u32,
        order: Order,
        a: Slot,
        b: Slot,
    ) -> Option<Value> {
        let (view, other, view_first) = match self.view_of(a) {
            Some(view) => (view, b, true),
            None => (self.view_of(b)?, a, false),
        };
        self.settle(other);
        let text = self.constant(other).and_then(|constant| constant.text);
        if let Order::Less | Order::LessEqual = order {
            let byte = text.and_then(|text| match text.as_bytes() {
                &[byte] => Some(byte),
                _ => None,
            });
            // Machine code compares a piece with one byte itself.
            if byte.is_none() || !matches!(view, View::Piece { .. }) {
                self.settle_before_clobber(at, at + 1);
            }
            let want = Want::Order { order, other, byte, view_first };
            return Some(self.truth(Inst::Text(Text::View { view, want })));
        }
        if !matches!(view, View::Piece { .. }) {
            self.settle_before_clobber(at, at + 1);
        }
        let equal = self.truth(Inst::Text(Text::View { view, want: Want::Equals { other, text } }));
        Some(if order == Order::Equal { equal } else { self.truth(Inst::Not(equal)) })
    }

    /// Where the interpreter continues for `at`. It must first materialise a string that `at`
    /// reads.
    pub(in crate::ir) fn made_from(&self, at: u32) -> u32 {
        if self.viewed.is_some_and(|viewed| viewed.at == at) { at - 1 } else { at }
    }
}
