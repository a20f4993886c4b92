//! Each instruction of the intermediate representation.

use super::arithmetic::float_order;
use super::texts::helper_of;
use super::{Lowering, TruthUse};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use riverhawk_spesh::ir::{ExitId, FrameName, FrameScope, Inst, Performer, Slot, TagSet, Value};
use riverhawk_value::layout::tag;
use riverhawk_vm::native::Helper;

impl Lowering<'_> {
    pub(super) fn take(&self, value: Value) -> clif::Value {
        self.values[&value]
    }

    pub(super) fn inst(&mut self, inst: &Inst, truth: TruthUse) -> Option<clif::Value> {
        let value = match *inst {
            Inst::Number(number) => self.builder.ins().f64const(number),
            Inst::LoadNumber(slot) => {
                let place = self.place(slot);
                self.number_at(place)
            }
            Inst::ReadNumber(slot) => {
                let place = self.place(slot);
                self.read_at(place)
            }
            Inst::Is(slot, tags) => self.is(slot, tags),
            Inst::StoreNumber { slot, value, memory } => {
                let (place, value) = (self.place(slot), self.take(value));
                self.store_at(place, value, memory);
                return None;
            }
            Inst::HasTime => self.has_time(),
            Inst::HasSteps => self.has_steps(),
            Inst::Mark(mark) => {
                self.mark(mark);
                return None;
            }
            Inst::StoreNothing { slot, memory } => {
                self.store_nothing(slot, memory);
                return None;
            }
            Inst::LetGo(slot) => {
                let place = self.place(slot);
                self.let_go(place);
                return None;
            }
            Inst::Binary(op, a, b) => self.binary(op, a, b),
            Inst::Unary(op, a) => self.unary(op, a),
            Inst::Compare(order, a, b) => {
                let (a, b) = (self.take(a), self.limit(b));
                self.builder.ins().fcmp(float_order(order), a, b)
            }
            Inst::CompareSlots(order, a, b) => self.compare_slots(order, a, b),
            Inst::CompareTexts(order, a, b) => self.compare_texts(order, a, b),
            Inst::EqualsText { slot, constant, text } => self.equals_text(slot, constant, text),
            Inst::Text(text) => return self.text(text, truth),
            Inst::Integer(integer) => self.integer(integer),
            Inst::TruthOf(slot) => self.truth_of(slot),
            Inst::NotZero(a) => {
                let a = self.take(a);
                self.not_zero(a)
            }
            Inst::IsSmall(a) => {
                let number = self.take(a);
                self.is_small(number)
            }
            Inst::Not(a) => self.not(a),
            Inst::FromTruth(a) => self.number_of_truth(a),
            Inst::Guard { holds, exit } => {
                self.guard(holds, exit);
                return None;
            }
            Inst::Perform { at, count, by, assigned, scope } => {
                let status = match by {
                    // Its slots are of the frame it comes from.
                    Performer::CutEdge(cut) if scope == FrameScope::OWN => {
                        self.cut_edge(cut, |this| this.perform(at, count, by, scope))
                    }
                    _ => self.perform(at, count, by, scope),
                };
                self.performed(status, assigned, scope)
            }
            Inst::NextRecord { at, assigned } => {
                let at = self.word(at);
                let status = self.call_for(Helper::NextRecord, &[at]);
                self.performed(status, Some(assigned), FrameScope::OWN)
            }
            Inst::RecordMatches { at, regex, scope } => {
                let (at, regex) = (self.word(at), self.word(regex));
                let status = self.call_for(Helper::RecordMatches, &[regex, at]);
                self.performed(status, None, scope)
            }
            Inst::Field { d, n: 0 } => {
                self.record(d);
                return None;
            }
            Inst::Field { d, n } => {
                let (d, n) = (self.address(d), self.word(n));
                self.call(Helper::Field, &[d, n]);
                return None;
            }
            Inst::FieldAt { d, n } => return self.field_at(Helper::FieldAt, d, n),
            Inst::OwnFieldAt { d, n } => return self.field_at(Helper::OwnFieldAt, d, n),
            Inst::FieldNumberAt(n) => {
                let n = self.take(n);
                self.call_for(Helper::FieldNumberAt, &[n])
            }
            Inst::CompareField { order, n, value, field_first } => {
                let (n, value) = (self.word(n), self.take(value));
                let found = self.call_for(Helper::CompareField, &[n, value]);
                if field_first {
                    self.ordered(order, found)
                } else {
                    self.ordered_exchanged(order, found)
                }
            }
            Inst::Special(special) => self.numbered(Helper::SpecialNumber, special),
            Inst::FieldLength(n) => self.numbered(Helper::FieldLength, n),
            Inst::Length { s, known: None } => self.length(s),
            Inst::Length { s, known: Some(known) } => self.known_length(s, known),
            Inst::FieldNumber(n) => self.numbered(Helper::FieldNumber, n),
            Inst::Rand => self.call_for(Helper::Rand, &[]),
            Inst::Element { .. } | Inst::ElementUnder { .. } | Inst::ElementUnderField { .. } => {
                return self.element_as_value(inst);
            }
            Inst::HasElement { array, key } => self.has_element(array, key),
            Inst::DeleteElement { array, key } => {
                self.delete_element(array, key);
                return None;
            }
            Inst::IsNumber(a) => {
                let a = self.take(a);
                self.tag_is((a, 0), tag::NUM)
            }
            Inst::IsArray(a) => self.is_array(a),
            Inst::LoadElement(a) => {
                let a = self.take(a);
                self.number_at((a, 0))
            }
            Inst::ReadElement(a) => {
                let a = self.take(a);
                self.read_at((a, 0))
            }
            Inst::StoreElement { element, value } => {
                let (element, value) = (self.take(element), self.take(value));
                self.store_at((element, 0), value, TagSet::ANY);
                return None;
            }
            Inst::CopyToElement { element, slot } => {
                let (element, slot) = (self.take(element), self.address(slot));
                self.copy_value(Helper::Copy, element, slot);
                return None;
            }
            Inst::CopyFromElement { slot, element } => {
                let (slot, element) = (self.address(slot), self.take(element));
                self.copy_value(Helper::CloneValue, slot, element);
                return None;
            }
            Inst::Copy { d, s } => {
                let (d, s) = (self.address(d), self.address(s));
                self.copy_value(Helper::Copy, d, s);
                return None;
            }
            Inst::CopyShort { d, s, memory } => {
                self.copy_short(d, s, memory);
                return None;
            }
            Inst::Call { callee, ref arguments, first, d, exit } => {
                return self.call_function(callee, arguments, first, d, exit);
            }
            Inst::Take { d, first } => {
                let (d, s) = (self.address(d), self.address(Slot::Register(first)));
                self.call(Helper::Take, &[d, s]);
                return None;
            }
            Inst::ReturnSlot { d, slot, first, count } => {
                let [d, slot, first] =
                    [d, slot, Slot::Register(first)].map(|slot| self.address(slot));
                let count = self.word(u32::from(count));
                self.call(Helper::GiveBack, &[d, slot, first, count]);
                return None;
            }
            Inst::ReturnUnassigned { d, first, count } => {
                let [d, first] = [d, Slot::Register(first)].map(|slot| self.address(slot));
                let count = self.word(u32::from(count));
                self.call(Helper::GiveNothing, &[d, first, count]);
                return None;
            }
        };
        Some(value)
    }

    /// What a helper gives for an index known in advance.
    fn numbered(&mut self, helper: Helper, index: u32) -> clif::Value {
        let index = self.word(index);
        self.call_for(helper, &[index])
    }

    fn field_at(&mut self, helper: Helper, d: Slot, n: Value) -> Option<clif::Value> {
        let (d, n) = (self.address(d), self.take(n));
        self.call(helper, &[d, n])
    }

    fn not(&mut self, a: Value) -> clif::Value {
        let truth = self.take(a);
        let not = self.builder.ins().bxor_imm_u(truth, 1);
        self.negated.insert(not, truth);
        not
    }

    fn number_of_truth(&mut self, a: Value) -> clif::Value {
        let a = self.take(a);
        let wide = self.builder.ins().uextend(types::I32, a);
        self.builder.ins().fcvt_from_sint(types::F64, wide)
    }

    fn is_array(&mut self, a: Value) -> clif::Value {
        let a = self.take(a);
        let tag = self.tag_at((a, 0));
        let from_array = self.builder.ins().iadd_imm_s(tag, -i64::from(tag::ARRAY));
        // Arrays and untyped ones have adjacent tags.
        self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, from_array, 2)
    }

    fn guard(&mut self, holds: Value, exit: ExitId) {
        let (holds, out, on) = (self.take(holds), self.exit(exit), self.builder.create_block());
        // The code generator fuses a comparison with its branch, but not a negated one.
        match self.negated.get(&holds) {
            Some(&fails) => self.builder.ins().brif(fails, out, &[], on, &[]),
            None => self.builder.ins().brif(holds, on, &[], out, &[]),
        };
        self.builder.switch_to_block(on);
    }

    /// Has `count` operations from `at` on done by a helper; gives its status.
    fn perform(&mut self, at: u32, count: u32, by: Performer, scope: FrameScope) -> clif::Value {
        let inlined = self.function.frames(scope).next();
        let frame =
            inlined.map_or(self.function.frame, |inlined| FrameName::Function(inlined.function));
        let (frame, from, count) = (self.word(frame.number()), self.word(at), self.word(count));
        let base = self.base_of(scope);
        self.call_for(helper_of(by), &[base, frame, from, count])
    }
}
