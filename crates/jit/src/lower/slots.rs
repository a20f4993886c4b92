//! Slots and elements in memory: tags, numbers, and drops before overwriting.

use super::{FLAGS, Lowering};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, types};
use riverhawk_spesh::ir::{Slot, TagSet};
use riverhawk_value::layout::{self, tag};
use riverhawk_vm::native::Helper;

impl Lowering<'_> {
    pub(super) fn place(&self, slot: Slot) -> (clif::Value, i32) {
        match slot {
            Slot::Register(number) => (self.base, i32::from(number) * layout::SIZE as i32),
            Slot::Static(number) => (self.statics, i32::from(number) * layout::SIZE as i32),
        }
    }

    pub(super) fn address(&mut self, slot: Slot) -> clif::Value {
        let (base, offset) = self.place(slot);
        self.builder.ins().iadd_imm_s(base, i64::from(offset))
    }

    pub(super) fn tag_at(&mut self, (base, offset): (clif::Value, i32)) -> clif::Value {
        self.builder.ins().load(types::I8, FLAGS, base, offset)
    }

    pub(super) fn number_at(&mut self, (base, offset): (clif::Value, i32)) -> clif::Value {
        self.builder.ins().load(types::F64, FLAGS, base, offset + layout::NUMBER_AT as i32)
    }

    /// Drops a place's value if needed. The place is then unassigned, or unchanged.
    pub(super) fn let_go(&mut self, place: (clif::Value, i32)) {
        let tag = self.tag_at(place);
        let is_counted = self.builder.ins().icmp_imm_u(
            IntCC::UnsignedGreaterThanOrEqual,
            tag,
            i64::from(tag::FIRST_COUNTED),
        );
        let (cold, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(cold);
        self.builder.ins().brif(is_counted, cold, &[], on, &[]);
        self.builder.switch_to_block(cold);
        let address = self.builder.ins().iadd_imm_s(place.0, i64::from(place.1));
        self.call_rarely(Helper::LetGo, &[address]);
        self.builder.ins().jump(on, &[]);
        self.continue_in(on);
    }

    /// Continues in a new block, as cold as the current one.
    pub(super) fn continue_in(&mut self, block: clif::Block) {
        if self.is_leaving {
            self.builder.set_cold_block(block);
        }
        self.builder.switch_to_block(block);
    }

    pub(super) fn store_at(
        &mut self,
        place: (clif::Value, i32),
        value: clif::Value,
        memory: TagSet,
    ) {
        if !memory.is_plain() {
            self.let_go(place);
        }
        if !memory.is_number() {
            let tag = self.builder.ins().iconst(types::I8, i64::from(tag::NUM));
            self.builder.ins().store(FLAGS, tag, place.0, place.1);
        }
        self.builder.ins().store(FLAGS, value, place.0, place.1 + layout::NUMBER_AT as i32);
    }

    pub(super) fn store_nothing(&mut self, slot: Slot, memory: TagSet) {
        let place = self.place(slot);
        if !memory.is_plain() {
            self.let_go(place);
        }
        let tag = self.builder.ins().iconst(types::I8, i64::from(tag::UNINIT));
        self.builder.ins().store(FLAGS, tag, place.0, place.1);
    }

    /// Copies a constant's short text inline. With a helper, mandelbrot took three times as long:
    /// the numbers of the loops around went to memory.
    pub(super) fn copy_short(&mut self, d: Slot, s: Slot, memory: TagSet) {
        let (to, from) = (self.place(d), self.place(s));
        if !memory.is_plain() {
            self.let_go(to);
        }
        self.copy_halves(to, from);
    }

    pub(super) fn tag_is(&mut self, place: (clif::Value, i32), wanted: u8) -> clif::Value {
        let tag = self.tag_at(place);
        self.builder.ins().icmp_imm_u(IntCC::Equal, tag, i64::from(wanted))
    }

    pub(super) fn continue_if(&mut self, holds: clif::Value, otherwise: clif::Block) {
        let on = self.builder.create_block();
        self.builder.ins().brif(holds, on, &[], otherwise, &[]);
        self.builder.switch_to_block(on);
    }

    /// One of two paths to a value: the common one inline, the other in a cold block.
    pub(super) fn either(
        &mut self,
        usual: clif::Value,
        ty: clif::Type,
        here: impl FnOnce(&mut Self) -> clif::Value,
        there: impl FnOnce(&mut Self) -> clif::Value,
    ) -> clif::Value {
        let (hot, cold, on) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(cold);
        let result = self.builder.append_block_param(on, ty);
        self.builder.ins().brif(usual, hot, &[], cold, &[]);
        self.builder.switch_to_block(hot);
        let value = here(self);
        self.builder.ins().jump(on, &[BlockArg::Value(value)]);
        self.builder.switch_to_block(cold);
        let value = there(self);
        self.builder.ins().jump(on, &[BlockArg::Value(value)]);
        self.builder.switch_to_block(on);
        result
    }

    pub(super) fn read_at(&mut self, place: (clif::Value, i32)) -> clif::Value {
        let is_number = self.tag_is(place, tag::NUM);
        self.either(
            is_number,
            types::F64,
            |this| this.number_at(place),
            |this| {
                let address = this.builder.ins().iadd_imm_s(place.0, i64::from(place.1));
                this.call_rarely_for(Helper::Number, &[address])
            },
        )
    }

    pub(super) fn is(&mut self, slot: Slot, tags: TagSet) -> clif::Value {
        let place = self.place(slot);
        if let Some(single) = tags.single() {
            return self.tag_is(place, single);
        }
        let tag = self.tag_at(place);
        if tags == TagSet::PLAIN {
            let first = i64::from(tag::FIRST_COUNTED);
            return self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, tag, first);
        }
        let tag = self.builder.ins().uextend(types::I32, tag);
        let mask = self.word(u32::from(tags.bits()));
        let bit = self.builder.ins().ushr(mask, tag);
        let bit = self.builder.ins().band_imm_u(bit, 1);
        self.builder.ins().icmp_imm_u(IntCC::NotEqual, bit, 0)
    }
}
