//! Elements of arrays.

use super::super::build::Builder;
use super::super::function::*;
use super::super::slot::Slot;
use super::super::tags::TagSet;
use riverhawk_bytecode::{Dst, Op, Src, Step as Stepping, Update};

impl Builder<'_> {
    pub(super) fn element_operation(&mut self, at: u32, op: &Op) -> bool {
        match *op {
            Op::GetElement { d, array, key } if self.expect_array(at, array) => {
                self.get_element(at, d, array, key)
            }
            Op::SetElement { array, key, s } if self.expect_array(at, array) => {
                let source = Slot::from(s);
                if self.tags(source).is_number() {
                    let value = self.number(source);
                    let element = self.scalar_element(at, array, key);
                    self.push(Inst::StoreElement { element, value });
                } else {
                    let element = self.scalar_element(at, array, key);
                    self.push(Inst::CopyToElement { element, slot: source });
                }
            }
            Op::UpdateElement { op, d, array, key, v } if self.expect_array(at, array) => {
                let operand = self.number(v.into());
                let op = match op {
                    Update::Add => Binary::Add,
                    Update::Sub => Binary::Sub,
                    Update::Mul => Binary::Mul,
                    Update::Div => Binary::Div,
                    Update::Mod => Binary::Rem,
                    Update::Pow => Binary::Pow,
                };
                if matches!(op, Binary::Div | Binary::Rem) {
                    self.demand_divisor(at, operand);
                }
                let element = self.scalar_element(at, array, key);
                let old = self.value(Inst::ReadElement(element));
                let value = self.value(Inst::Binary(op, old, operand));
                self.push(Inst::StoreElement { element, value });
                self.set_number(d.into(), value);
            }
            Op::StepElement { how, d, array, key } if self.expect_array(at, array) => {
                let by = if matches!(how, Stepping::PreUp | Stepping::PostUp) { 1.0 } else { -1.0 };
                let (old, new) = self.step_element(at, array, key, by);
                let is_new = matches!(how, Stepping::PreUp | Stepping::PreDown);
                self.set_number(d.into(), if is_new { new } else { old });
            }
            Op::CountElement { array, key } if self.expect_array(at, array) => {
                self.step_element(at, array, key, 1.0);
            }
            Op::HasElement { d, array, key }
                if self.tags(key.into()).is_number() && self.expect_array(at, array) =>
            {
                let key = self.number(key.into());
                let has = self.truth(Inst::HasElement { array: array.into(), key });
                self.set_to(d, Inst::FromTruth(has));
            }
            Op::DeleteElement { array, key }
                if self.tags(key.into()).is_number() && self.expect_array(at, array) =>
            {
                let key = self.number(key.into());
                self.push(Inst::DeleteElement { array: array.into(), key });
            }
            _ => return false,
        }
        true
    }

    /// Whether it is an array, or a global that [`Builder::expect_array`] makes sure of.
    pub(super) fn may_have_array(&self, array: Dst) -> bool {
        let (slot, tags) = (Slot::from(array), self.tags(array.into()));
        tags == TagSet::ARRAY || matches!(slot, Slot::Static(_)) && TagSet::ARRAY.is_within(tags)
    }

    /// Whether it is an array from here on. A global that is none yet becomes one by this operation,
    /// which the interpreter performs then, and stays one.
    pub(super) fn expect_array(&mut self, at: u32, array: Dst) -> bool {
        if !self.may_have_array(array) {
            return false;
        }
        let slot = Slot::from(array);
        if self.tags(slot) != TagSet::ARRAY {
            let holds = self.truth(Inst::Is(slot, TagSet::ARRAY));
            self.demand(at, holds, ExitReason::Operation);
            self.set_memory(slot, TagSet::ARRAY);
        }
        true
    }

    pub(super) fn element(&mut self, array: Dst, key: Src) -> Value {
        if let Some(element) = self.element_of_view(array, key) {
            return element;
        }
        let (array, key) = (Slot::from(array), Slot::from(key));
        if self.tags(key).is_number() {
            let key = self.number(key);
            return self.value(Inst::Element { array, key });
        }
        self.value(Inst::ElementUnder { array, key })
    }

    /// Exits if the element is an array; the interpreter reports the error.
    pub(super) fn scalar_element(&mut self, at: u32, array: Dst, key: Src) -> Value {
        let element = self.element(array, key);
        let is_array = self.truth(Inst::IsArray(element));
        let holds = self.truth(Inst::Not(is_array));
        self.demand(at, holds, ExitReason::Subarray);
        element
    }

    pub(super) fn step_element(
        &mut self,
        at: u32,
        array: Dst,
        key: Src,
        by: f64,
    ) -> (Value, Value) {
        let by = self.value(Inst::Number(by));
        let element = self.scalar_element(at, array, key);
        let old = self.value(Inst::ReadElement(element));
        let value = self.value(Inst::Binary(Binary::Add, old, by));
        self.push(Inst::StoreElement { element, value });
        (old, value)
    }

    pub(super) fn get_element(&mut self, at: u32, d: Dst, array: Dst, key: Src) {
        if self.is_read_as_number(at, d) || self.is_number_argument(at, d) {
            let element = self.scalar_element(at, array, key);
            self.set_to(d, Inst::ReadElement(element));
            return;
        }
        let seen = self.request.feedback.seen.get(&at);
        let is_number = match seen {
            Some(seen) if seen.has_types() => seen.is_number(),
            _ => self.is_compared(at, d),
        };
        if is_number {
            let element = self.element(array, key);
            let holds = self.truth(Inst::IsNumber(element));
            let exit = self.exit(at, ExitReason::Element);
            self.push(Inst::Guard { holds, exit });
            self.set_to(d, Inst::LoadElement(element));
        } else {
            let element = self.scalar_element(at, array, key);
            self.push(Inst::CopyFromElement { slot: d.into(), element });
            self.set_memory(d.into(), TagSet::ANY);
        }
    }

    pub(super) fn is_compared(&self, at: u32, d: Dst) -> bool {
        use Op::*;
        match self.snapshot.code()[at as usize + 1] {
            JumpLess { a, b, .. }
            | JumpNotLess { a, b, .. }
            | JumpLessEqual { a, b, .. }
            | JumpNotLessEqual { a, b, .. }
            | JumpEqual { a, b, .. }
            | JumpNotEqual { a, b, .. } => {
                let other = if a == d.src() { b } else { a };
                (a == d.src() || b == d.src()) && self.tags(other.into()).is_number()
            }
            _ => false,
        }
    }
}
