//! Elements of arrays under numbers. What lies in the dense part of an array, or comes to lie at its end, is reached here; everything else
//! is for a helper.
//!
//! A sieve up to a million spent two thirds of its instructions in the helper and what it called; with this it executes less than half as many.

use super::{FLAGS, Lowering};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, MemFlagsData, types};
use riverhawk_spesh::ir::{Slot, Value, ValueType};
use riverhawk_value::DenseLayout;
use riverhawk_value::layout::{self, tag};
use riverhawk_vm::native::Helper;

/// 2^52. From there to 2^53 doubles are the integers, with the distance from it in their lowest bits.
const INTEGERS_FROM: f64 = (1u64 << 52) as f64;

/// The dense part of an array, and an index into it.
struct Place {
    /// What the offsets of the layout are counted from.
    array: clif::Value,
    /// Where element 0 is.
    start: clif::Value,
    length: clif::Value,
    /// The key, if it is one of the dense part; otherwise anything.
    index: clif::Value,
    /// Whether the key is a whole number, not negative; nothing if it is an integer, which as an index is none when it is negative.
    is_index: Option<clif::Value>,
    layout: &'static DenseLayout,
}

impl Lowering<'_> {
    /// The address of the element under a number, made when there is none.
    pub(super) fn element(&mut self, array: Slot, key: Value) -> clif::Value {
        let Some(layout) = DenseLayout::get() else {
            let (array, key) = (self.address(array), self.take_number(key));
            return self.call_for(Helper::Element, &[array, key]);
        };
        let place = self.dense_place(layout, array, key);
        let [within, beyond, grows, long, on] = [(); 5].map(|()| self.builder.create_block());
        let result = self.builder.append_block_param(on, types::I64);
        self.builder.set_cold_block(long);
        let is_within = self.is_within(&place);
        self.builder.ins().brif(is_within, within, &[], beyond, &[]);

        self.builder.switch_to_block(within);
        let address = self.element_at(&place);
        self.fill_hole(&place, address);
        self.builder.ins().jump(on, &[BlockArg::Value(address)]);

        self.builder.switch_to_block(beyond);
        let gap = self.builder.ins().isub(place.index, place.length);
        let holes = self.builder.ins().load(types::I64, FLAGS, place.array, layout.holes);
        let holes = self.builder.ins().iadd(holes, gap);
        let may_grow = self.may_grow(&place, gap, holes);
        self.builder.ins().brif(may_grow, grows, &[], long, &[]);

        self.builder.switch_to_block(grows);
        let address = self.element_at(&place);
        let (skips, last) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(gap, skips, &[], last, &[]);
        self.builder.switch_to_block(skips);
        let hole = self.builder.ins().iconst(types::I8, i64::from(layout.hole));
        self.builder.ins().store(FLAGS, hole, address, -(layout::SIZE as i32));
        self.builder.ins().store(FLAGS, holes, place.array, layout.holes);
        self.builder.ins().jump(last, &[]);
        self.builder.switch_to_block(last);
        let nothing = self.builder.ins().iconst(types::I8, i64::from(tag::UNINIT));
        self.builder.ins().store(FLAGS, nothing, address, 0);
        let length = self.builder.ins().iadd_imm_s(place.index, 1);
        self.builder.ins().store(FLAGS, length, place.array, layout.length);
        self.builder.ins().jump(on, &[BlockArg::Value(address)]);

        self.builder.switch_to_block(long);
        let (array, key) = (self.address(array), self.take_number(key));
        let address = self.call_rarely_for(Helper::Element, &[array, key]);
        self.builder.ins().jump(on, &[BlockArg::Value(address)]);

        self.builder.switch_to_block(on);
        result
    }

    /// Whether there is an element under a number.
    pub(super) fn has_element(&mut self, array: Slot, key: Value) -> clif::Value {
        let Some(layout) = DenseLayout::get() else {
            let (array, key) = (self.address(array), self.take_number(key));
            let has = self.call_for(Helper::HasElement, &[array, key]);
            return self.builder.ins().icmp_imm_u(IntCC::NotEqual, has, 0);
        };
        let place = self.dense_place(layout, array, key);
        let is_within = self.is_within(&place);
        self.either(
            is_within,
            types::I8,
            |this| {
                let address = this.element_at(&place);
                let tag = this.tag_at((address, 0));
                this.builder.ins().icmp_imm_u(IntCC::NotEqual, tag, i64::from(layout.hole))
            },
            |this| {
                let (array, key) = (this.address(array), this.take_number(key));
                let has = this.call_rarely_for(Helper::HasElement, &[array, key]);
                this.builder.ins().icmp_imm_u(IntCC::NotEqual, has, 0)
            },
        )
    }

    /// An array loses the element under a number. What needs no clean-up and is not the last of the dense part becomes a hole here.
    pub(super) fn delete_element(&mut self, array: Slot, key: Value) {
        let Some(layout) = DenseLayout::get() else {
            let (array, key) = (self.address(array), self.take_number(key));
            self.call(Helper::DeleteElement, &[array, key]);
            return;
        };
        let place = self.dense_place(layout, array, key);
        let [within, hole, long, on] = [(); 4].map(|()| self.builder.create_block());
        self.builder.set_cold_block(long);
        let next = self.builder.ins().iadd_imm_s(place.index, 1);
        let before_last = self.builder.ins().icmp(IntCC::UnsignedLessThan, next, place.length);
        let is_within = self.is_within(&place);
        let is_within = self.builder.ins().band(is_within, before_last);
        self.builder.ins().brif(is_within, within, &[], long, &[]);

        self.builder.switch_to_block(within);
        let address = self.element_at(&place);
        let tag = self.tag_at((address, 0));
        let is_plain = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, tag, i64::from(tag::FIRST_COUNTED));
        self.builder.ins().brif(is_plain, hole, &[], long, &[]);

        self.builder.switch_to_block(hole);
        let none = self.builder.ins().iconst(types::I8, i64::from(layout.hole));
        self.builder.ins().store(FLAGS, none, address, 0);
        let holes = self.builder.ins().load(types::I64, FLAGS, place.array, layout.holes);
        let holes = self.builder.ins().iadd_imm_s(holes, 1);
        self.builder.ins().store(FLAGS, holes, place.array, layout.holes);
        self.builder.ins().jump(on, &[]);

        self.builder.switch_to_block(long);
        let (array, key) = (self.address(array), self.take_number(key));
        self.call_rarely(Helper::DeleteElement, &[array, key]);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
    }

    fn dense_place(&mut self, layout: &'static DenseLayout, array: Slot, key: Value) -> Place {
        let (base, offset) = self.place(array);
        let array = self.builder.ins().load(types::I64, FLAGS, base, offset + layout::NUMBER_AT as i32);
        let start = self.builder.ins().load(types::I64, FLAGS, array, layout.start);
        let length = self.builder.ins().load(types::I64, FLAGS, array, layout.length);
        let origin = self.builder.ins().load(types::I64, FLAGS, array, layout.origin);
        if self.function.type_of(key) == ValueType::Integer {
            let key = self.take(key);
            let bits = self.builder.ins().iconst(types::I64, INTEGERS_FROM.to_bits() as i64);
            let bits = self.builder.ins().iadd(key, bits);
            let index = self.builder.ins().isub(bits, origin);
            return Place { array, start, length, index, is_index: None, layout };
        }
        let key = self.take(key);
        // Shorter than a conversion to an integer and back. What is negative, infinite or greater than 2^52 becomes an index that no
        // array has; with a NaN nothing is equal.
        let from = self.builder.ins().f64const(INTEGERS_FROM);
        let moved = self.builder.ins().fadd(key, from);
        let back = self.builder.ins().fsub(moved, from);
        let is_index = self.builder.ins().fcmp(FloatCC::Equal, back, key);
        let bits = self.builder.ins().bitcast(types::I64, MemFlagsData::new(), moved);
        let index = self.builder.ins().isub(bits, origin);
        Place { array, start, length, index, is_index: Some(is_index), layout }
    }

    fn is_within(&mut self, place: &Place) -> clif::Value {
        let is_below = self.builder.ins().icmp(IntCC::UnsignedLessThan, place.index, place.length);
        self.if_index(place, is_below)
    }

    /// A truth, and that the key is an index.
    fn if_index(&mut self, place: &Place, holds: clif::Value) -> clif::Value {
        match place.is_index {
            Some(is_index) => self.builder.ins().band(is_index, holds),
            None => holds,
        }
    }

    fn element_at(&mut self, place: &Place) -> clif::Value {
        let offset = self.builder.ins().ishl_imm_u(place.index, i64::from(layout::SIZE.trailing_zeros()));
        self.builder.ins().iadd(place.start, offset)
    }

    /// A hole becomes an element that was never assigned.
    fn fill_hole(&mut self, place: &Place, address: clif::Value) {
        let tag = self.tag_at((address, 0));
        let is_hole = self.builder.ins().icmp_imm_u(IntCC::Equal, tag, i64::from(place.layout.hole));
        let (hole, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(is_hole, hole, &[], on, &[]);
        self.builder.switch_to_block(hole);
        let nothing = self.builder.ins().iconst(types::I8, i64::from(tag::UNINIT));
        self.builder.ins().store(FLAGS, nothing, address, 0);
        let holes = self.builder.ins().load(types::I64, FLAGS, place.array, place.layout.holes);
        let fewer = self.builder.ins().iadd_imm_s(holes, -1);
        self.builder.ins().store(FLAGS, fewer, place.array, place.layout.holes);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
    }

    /// Whether the key is the next of the dense part or the next but one, and may become part of it: see [`DenseLayout`]. `gap` is how
    /// many places are skipped, and `holes` how many holes there are with them.
    fn may_grow(&mut self, place: &Place, gap: clif::Value, holes: clif::Value) -> clif::Value {
        let layout = place.layout;
        let capacity = self.builder.ins().load(types::I64, FLAGS, place.array, layout.capacity);
        let integers = self.builder.ins().load(types::I64, FLAGS, place.array, layout.integers);
        let by_arrival = self.builder.ins().load(types::I8, FLAGS, place.array, layout.by_arrival);
        let by_arrival = self.builder.ins().uextend(types::I64, by_arrival);
        let others = self.builder.ins().bor(integers, by_arrival);
        // The gap is 0 or 1, so each condition on a gap is one multiplication of it.
        let least = self.builder.ins().imul_imm_s(gap, DenseLayout::LEAST_DENSE as i64);
        let far = self.builder.ins().imul_imm_s(gap, DenseLayout::MOST_HOLES as i64 + 1);
        let never_many = self.builder.ins().iadd(holes, far);
        let thrice = self.builder.ins().imul_imm_s(holes, 3);
        let twice = self.builder.ins().ishl_imm_u(place.index, 1);
        let few =
            self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, never_many, DenseLayout::MOST_HOLES as i64);
        let two_thirds = self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, thrice, twice);
        let mut holds = self.builder.ins().bor(few, two_thirds);
        let conditions = [
            self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, gap, 1),
            self.builder.ins().icmp(IntCC::UnsignedLessThan, place.index, capacity),
            self.builder.ins().icmp_imm_u(IntCC::Equal, others, 0),
            self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, place.length, least),
        ];
        for condition in conditions {
            holds = self.builder.ins().band(holds, condition);
        }
        self.if_index(place, holds)
    }
}
