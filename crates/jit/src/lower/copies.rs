//! Values that move between slots and elements as they are. Numbers and short texts are moved here,
//! everything else by a helper. A quicksort spent a quarter of its time in the helpers.

use super::{FLAGS, Lowering};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use riverhawk_spesh::ir::TagSet;
use riverhawk_value::layout::{self, tag};
use riverhawk_vm::native::Helper;

impl Lowering<'_> {
    /// Copies a value from one address to another; `helper` does it if it is neither a number nor
    /// short text, or if what is overwritten is counted.
    pub(super) fn copy_value(&mut self, helper: Helper, to: clif::Value, from: clif::Value) {
        let [number, other, plain, counted, on] = [(); 5].map(|()| self.builder.create_block());
        let [old, new] = [to, from].map(|address| self.tag_at((address, 0)));
        let is_number = self.builder.ins().icmp_imm_u(IntCC::Equal, new, i64::from(tag::NUM));
        let is_plain = self.builder.ins().icmp_imm_u(
            IntCC::UnsignedLessThan,
            old,
            i64::from(tag::FIRST_COUNTED),
        );
        let both = self.builder.ins().band(is_number, is_plain);
        self.builder.ins().brif(both, number, &[], other, &[]);

        // A number by its tag and its eight bytes: its tag may have been stored alone just before,
        // and a longer read would wait for that.
        self.builder.switch_to_block(number);
        let value = self.number_at((from, 0));
        self.store_at((to, 0), value, TagSet::PLAIN);
        self.builder.ins().jump(on, &[]);

        self.builder.switch_to_block(other);
        // Short texts, from the first tag to the last: before them come views and what copying
        // changes.
        let from_small = self.builder.ins().iadd_imm_s(new, -i64::from(tag::SMALL));
        let kinds = i64::from(tag::FIRST_COUNTED - tag::SMALL);
        let is_short = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, from_small, kinds);
        let moves = self.builder.ins().band(is_short, is_plain);
        self.builder.ins().brif(moves, plain, &[], counted, &[]);

        self.builder.switch_to_block(plain);
        for offset in [0, layout::NUMBER_AT as i32] {
            let half = self.builder.ins().load(types::I64, FLAGS, from, offset);
            self.builder.ins().store(FLAGS, half, to, offset);
        }
        self.builder.ins().jump(on, &[]);

        self.builder.switch_to_block(counted);
        self.call(helper, &[to, from]);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
    }
}
