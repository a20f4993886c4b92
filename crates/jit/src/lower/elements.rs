//! Elements under numeric keys. The dense part of an array and its end are reached inline, the rest
//! by a helper: a sieve executes less than half as many instructions.

use super::{FLAGS, Lowering};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, MemFlagsData, types};
use riverhawk_spesh::ir::{Inst, Slot, Value, ValueType};
use riverhawk_value::layout::{self, tag};
use riverhawk_value::{DenseLayout, VectorLayout};
use riverhawk_vm::native::Helper;

/// 2^52: from there to 2^53 doubles are the integers, and their lowest bits the distance from it.
const INTEGERS_FROM: f64 = (1u64 << 52) as f64;

struct Place {
    /// The base of the layout's offsets.
    array: clif::Value,
    start: clif::Value,
    /// 0 if the dense part holds values.
    length: clif::Value,
    /// Arbitrary unless the key is in the dense part.
    index: clif::Value,
    /// Whether the key is a whole number, not negative; `None` for an integer, out of bounds if
    /// negative.
    is_index: Option<clif::Value>,
    layout: &'static DenseLayout,
}

/// Which kind of dense part grows inline on assignment: the expected one. The other is rare enough
/// for a helper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Growth {
    Numbers,
    Values,
}

impl Lowering<'_> {
    /// Finds or makes an element. Continues in `packed` with its address and content (perhaps a
    /// hole), or in `other` with its address. Gives the layout's base.
    pub(super) fn find_element(
        &mut self,
        layout: &'static DenseLayout,
        inst: &Inst,
        growth: Option<Growth>,
        packed: clif::Block,
        other: clif::Block,
    ) -> Option<clif::Value> {
        match *inst {
            Inst::Element { array, key } => {
                let place = self.dense_place(layout, array, key);
                let long = self.builder.create_block();
                self.builder.set_cold_block(long);
                self.find_under_number(&place, growth, [packed, other, long]);
                self.builder.switch_to_block(long);
                let (slot, key) = (self.address(array), self.take_number(key));
                let address = self.call_rarely_for(Helper::ElementPlace, &[slot, key]);
                self.go_to_place(address, packed, other);
                Some(place.array)
            }
            Inst::ElementUnder { array, key } => {
                let key = self.address(key);
                Some(self.find_by(Helper::ElementPlaceUnder, array, key, packed, other))
            }
            Inst::ElementUnderField { array, n } => {
                let n = self.take_number(n);
                Some(self.find_by(Helper::ElementPlaceUnderField, array, n, packed, other))
            }
            _ => None,
        }
    }

    fn find_by(
        &mut self,
        helper: Helper,
        slot: Slot,
        key: clif::Value,
        packed: clif::Block,
        other: clif::Block,
    ) -> clif::Value {
        let (array, slot) = (self.array(slot), self.address(slot));
        let address = self.call_for(helper, &[slot, key]);
        self.go_to_place(address, packed, other);
        array
    }

    fn find_under_number(
        &mut self,
        place: &Place,
        growth: Option<Growth>,
        [packed, other, long]: [clif::Block; 3],
    ) {
        let layout = place.layout;
        let [number, no_number, value] = [(); 3].map(|()| self.builder.create_block());
        let is_within = self.is_within(place);
        self.builder.ins().brif(is_within, number, &[], no_number, &[]);

        self.builder.switch_to_block(number);
        let address = self.number_in(place);
        let word = self.builder.ins().load(types::I64, FLAGS, address, 0);
        self.builder.ins().jump(packed, &[BlockArg::Value(address), BlockArg::Value(word)]);

        self.builder.switch_to_block(no_number);
        let values = self.builder.ins().load(types::I64, FLAGS, place.array, layout.values.length);
        let is_below = self.builder.ins().icmp(IntCC::UnsignedLessThan, place.index, values);
        let is_within = self.if_index(place, is_below);
        let beyond = if growth.is_some() { self.builder.create_block() } else { long };
        self.builder.ins().brif(is_within, value, &[], beyond, &[]);

        self.builder.switch_to_block(value);
        let address = self.value_in(place);
        let tag = self.tag_at((address, 0));
        let is_hole = self.builder.ins().icmp_imm_u(IntCC::Equal, tag, i64::from(layout.hole));
        self.builder.ins().brif(is_hole, long, &[], other, &[BlockArg::Value(address)]);

        let Some(growth) = growth else { return };
        self.builder.switch_to_block(beyond);
        match growth {
            Growth::Numbers => {
                let grown = self.grow_or_not(place, layout.numbers, place.length, long);
                let address = self.number_in(place);
                let hole = self.builder.ins().iconst(types::I64, DenseLayout::HOLE as i64);
                let nothing = self.builder.ins().iconst(types::I64, DenseLayout::UNINIT as i64);
                self.lengthen(
                    place,
                    grown,
                    address,
                    [hole, nothing],
                    (layout.numbers.length, DenseLayout::NUMBER),
                );
                self.builder
                    .ins()
                    .jump(packed, &[BlockArg::Value(address), BlockArg::Value(nothing)]);
            }
            Growth::Values => {
                let grown = self.grow_or_not(place, layout.values, values, long);
                let address = self.value_in(place);
                let [hole, nothing] = [layout.hole, tag::UNINIT]
                    .map(|tag| self.builder.ins().iconst(types::I8, i64::from(tag)));
                self.lengthen(
                    place,
                    grown,
                    address,
                    [hole, nothing],
                    (layout.values.length, layout::SIZE),
                );
                self.builder.ins().jump(other, &[BlockArg::Value(address)]);
            }
        }
    }

    /// Appends an element, after a hole if there is a gap.
    fn lengthen(
        &mut self,
        place: &Place,
        (gap, holes): (clif::Value, clif::Value),
        address: clif::Value,
        [hole, nothing]: [clif::Value; 2],
        (length_at, size): (i32, usize),
    ) {
        let (skips, last) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(gap, skips, &[], last, &[]);
        self.builder.switch_to_block(skips);
        self.builder.ins().store(FLAGS, hole, address, -(size as i32));
        // Stored only for a gap: otherwise the next read would wait for the store.
        self.builder.ins().store(FLAGS, holes, place.array, place.layout.holes);
        self.builder.ins().jump(last, &[]);
        self.builder.switch_to_block(last);
        self.builder.ins().store(FLAGS, nothing, address, 0);
        let length = self.builder.ins().iadd_imm_s(place.index, 1);
        self.builder.ins().store(FLAGS, length, place.array, length_at);
    }

    fn go_to_place(&mut self, address: clif::Value, packed: clif::Block, other: clif::Block) {
        let is_packed = self.builder.ins().band_imm_u(address, 1);
        let number = self.builder.create_block();
        self.builder.set_cold_block(number);
        self.builder.ins().brif(is_packed, number, &[], other, &[BlockArg::Value(address)]);
        self.builder.switch_to_block(number);
        let address = self.builder.ins().iadd_imm_s(address, -1);
        let word = self.builder.ins().load(types::I64, FLAGS, address, 0);
        self.builder.ins().jump(packed, &[BlockArg::Value(address), BlockArg::Value(word)]);
    }

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
                let address = this.number_in(&place);
                let word = this.builder.ins().load(types::I64, FLAGS, address, 0);
                this.builder.ins().icmp_imm_s(IntCC::NotEqual, word, DenseLayout::HOLE as i64)
            },
            |this| {
                let (array, key) = (this.address(array), this.take_number(key));
                let has = this.call_rarely_for(Helper::HasElement, &[array, key]);
                this.builder.ins().icmp_imm_u(IntCC::NotEqual, has, 0)
            },
        )
    }

    /// Inside the dense part the element becomes a hole.
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
        let address = self.number_in(&place);
        let word = self.builder.ins().load(types::I64, FLAGS, address, 0);
        let is_there =
            self.builder.ins().icmp_imm_s(IntCC::NotEqual, word, DenseLayout::HOLE as i64);
        self.builder.ins().brif(is_there, hole, &[], long, &[]);

        self.builder.switch_to_block(hole);
        let none = self.builder.ins().iconst(types::I64, DenseLayout::HOLE as i64);
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

    fn array(&mut self, slot: Slot) -> clif::Value {
        let (base, offset) = self.place(slot);
        self.builder.ins().load(types::I64, FLAGS, base, offset + layout::NUMBER_AT as i32)
    }

    fn dense_place(&mut self, layout: &'static DenseLayout, array: Slot, key: Value) -> Place {
        let array = self.array(array);
        let start = self.builder.ins().load(types::I64, FLAGS, array, layout.numbers.start);
        let length = self.builder.ins().load(types::I64, FLAGS, array, layout.numbers.length);
        let origin = self.builder.ins().load(types::I64, FLAGS, array, layout.origin);
        if self.function.type_of(key) == ValueType::Integer {
            let key = self.take(key);
            let bits = self.builder.ins().iconst(types::I64, INTEGERS_FROM.to_bits() as i64);
            let bits = self.builder.ins().iadd(key, bits);
            let index = self.builder.ins().isub(bits, origin);
            return Place { array, start, length, index, is_index: None, layout };
        }
        let key = self.take(key);
        // Shorter than a conversion to an integer and back. Negative, infinite and greater than
        // 2^52 become an index past every array; NaN equals nothing.
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

    fn if_index(&mut self, place: &Place, holds: clif::Value) -> clif::Value {
        match place.is_index {
            Some(is_index) => self.builder.ins().band(is_index, holds),
            None => holds,
        }
    }

    fn number_in(&mut self, place: &Place) -> clif::Value {
        let offset = self
            .builder
            .ins()
            .ishl_imm_u(place.index, i64::from(DenseLayout::NUMBER.trailing_zeros()));
        self.builder.ins().iadd(place.start, offset)
    }

    fn value_in(&mut self, place: &Place) -> clif::Value {
        let start =
            self.builder.ins().load(types::I64, FLAGS, place.array, place.layout.values.start);
        let offset =
            self.builder.ins().ishl_imm_u(place.index, i64::from(layout::SIZE.trailing_zeros()));
        self.builder.ins().iadd(start, offset)
    }

    /// Continues if the key is one of the next two of the dense part and the vector may grow
    /// ([`DenseLayout`]), otherwise in `long`. Gives the sizes of the gap and of the holes.
    ///
    /// One condition after the other: together they took too many registers in a sieve's loop.
    fn grow_or_not(
        &mut self,
        place: &Place,
        vector: VectorLayout,
        length: clif::Value,
        long: clif::Block,
    ) -> (clif::Value, clif::Value) {
        let layout = place.layout;
        let gap = self.builder.ins().isub(place.index, length);
        let is_near = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThanOrEqual, gap, 1);
        let is_near = self.if_index(place, is_near);
        self.continue_if(is_near, long);
        let capacity = self.builder.ins().load(types::I64, FLAGS, place.array, vector.capacity);
        let has_room = self.builder.ins().icmp(IntCC::UnsignedLessThan, place.index, capacity);
        self.continue_if(has_room, long);
        let integers = self.builder.ins().load(types::I64, FLAGS, place.array, layout.integers);
        let by_arrival = self.builder.ins().load(types::I8, FLAGS, place.array, layout.by_arrival);
        let by_arrival = self.builder.ins().uextend(types::I64, by_arrival);
        let others = self.builder.ins().bor(integers, by_arrival);
        let is_alone = self.builder.ins().icmp_imm_u(IntCC::Equal, others, 0);
        self.continue_if(is_alone, long);
        let holes = self.builder.ins().load(types::I64, FLAGS, place.array, layout.holes);
        let holes = self.builder.ins().iadd(holes, gap);
        // The gap is 0 or 1, so each condition on it is one multiplication.
        let far = self.builder.ins().imul_imm_s(gap, DenseLayout::MAX_HOLES as i64 + 1);
        let never_many = self.builder.ins().iadd(holes, far);
        let are_few = self.builder.ins().icmp_imm_u(
            IntCC::UnsignedLessThanOrEqual,
            never_many,
            DenseLayout::MAX_HOLES as i64,
        );
        let [more, grows] = [(); 2].map(|()| self.builder.create_block());
        self.builder.ins().brif(are_few, grows, &[], more, &[]);
        self.builder.switch_to_block(more);
        let least = self.builder.ins().imul_imm_s(gap, DenseLayout::MIN_DENSE as i64);
        let is_long = self.builder.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, length, least);
        self.continue_if(is_long, long);
        let five_times = self.builder.ins().imul_imm_s(holes, 5);
        let four_times = self.builder.ins().ishl_imm_u(place.index, 2);
        let four_fifths =
            self.builder.ins().icmp(IntCC::UnsignedLessThanOrEqual, five_times, four_times);
        self.builder.ins().brif(four_fifths, grows, &[], long, &[]);
        self.builder.switch_to_block(grows);
        (gap, holes)
    }
}
