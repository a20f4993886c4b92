//! Copies of values between slots and elements: numbers and short texts inline, others by a helper.
//! A quicksort spent a quarter of its time in the helpers.

use super::{FLAGS, Lowering};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use riverhawk_spesh::ir::TagSet;
use riverhawk_value::layout::{self, tag};
use riverhawk_vm::native::Helper;

impl Lowering<'_> {
    /// Copies a value that is not counted to a place that holds none that is.
    pub(super) fn copy_halves(&mut self, to: (clif::Value, i32), from: (clif::Value, i32)) {
        for half in [0, layout::SIZE as i32 / 2] {
            let bytes = self.builder.ins().load(types::I64, FLAGS, from.0, from.1 + half);
            self.builder.ins().store(FLAGS, bytes, to.0, to.1 + half);
        }
    }

    /// Calls `helper` for other values, or when the overwritten value is counted.
    pub(super) fn copy_value(&mut self, helper: Helper, to: clif::Value, from: clif::Value) {
        let [free, number, other, plain, counted, on] =
            [(); 6].map(|()| self.builder.create_block());
        let [old, new] = [to, from].map(|address| self.tag_at((address, 0)));
        let is_counted = self.builder.ins().icmp_imm_u(
            IntCC::UnsignedGreaterThanOrEqual,
            old,
            i64::from(tag::FIRST_COUNTED),
        );
        self.builder.ins().brif(is_counted, counted, &[], free, &[]);

        self.builder.switch_to_block(free);
        let is_number = self.builder.ins().icmp_imm_u(IntCC::Equal, new, i64::from(tag::NUM));
        self.builder.ins().brif(is_number, number, &[], other, &[]);

        // By the tag and eight bytes: the tag may just have been stored alone, and a longer load
        // would wait for that.
        self.builder.switch_to_block(number);
        let value = self.number_at((from, 0));
        self.store_at((to, 0), value, TagSet::PLAIN);
        self.builder.ins().jump(on, &[]);

        self.builder.switch_to_block(other);
        // Short texts are the last tags; before them are views and values that copying changes.
        let from_small = self.builder.ins().iadd_imm_s(new, -i64::from(tag::SMALL));
        let kinds = i64::from(tag::FIRST_COUNTED - tag::SMALL);
        let is_short = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, from_small, kinds);
        self.builder.ins().brif(is_short, plain, &[], counted, &[]);

        self.builder.switch_to_block(plain);
        self.copy_halves((to, 0), (from, 0));
        self.builder.ins().jump(on, &[]);

        self.builder.switch_to_block(counted);
        self.call(helper, &[to, from]);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
    }
}
