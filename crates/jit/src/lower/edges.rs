//! Bytes taken away at an edge of a record or of a view: `sub(/\r$/, "")`, `sub(/^[ \t]+/, "", v)`.
//! None of them is a letter, so IGNORECASE does not matter.

use super::{FLAGS, Lowering};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, types};
use riverhawk_bytecode::{Edge, EdgeBytes};
use riverhawk_spesh::ir::{EdgeCut, TagSet};
use riverhawk_value::TextKind;
use riverhawk_value::layout::tag;
use riverhawk_vm::native::{Helper, Performed, record_at};

/// Longer runs are left to the helper, which looks now and then whether the run is to end.
const LONGEST: i64 = 64;

impl Lowering<'_> {
    /// `sub` of such bytes; else what `perform` does. Gives the status.
    pub(super) fn cut_edge(
        &mut self,
        cut: EdgeCut,
        perform: impl FnOnce(&mut Self) -> clif::Value,
    ) -> clif::Value {
        let [slow, on] = [(); 2].map(|()| self.builder.create_block());
        self.builder.set_cold_block(slow);
        let status = self.builder.append_block_param(on, types::I32);
        if let Some(d) = cut.d {
            let is_plain = self.is(d, TagSet::PLAIN);
            self.continue_if(is_plain, slow);
        }
        let range = match cut.v {
            Some(v) => {
                let is_view = self.tag_is(self.place(v), tag::VIEW);
                self.continue_if(is_view, slow);
                self.view_at(self.place(v))
            }
            None => {
                let is_stale = self.of_record(types::I8, record_at::STALE);
                let is_text = self.builder.ins().icmp_imm_u(IntCC::Equal, is_stale, 0);
                self.continue_if(is_text, slow);
                [
                    self.builder.ins().iconst(types::I64, 0),
                    self.of_record(types::I64, record_at::SIZE),
                ]
            }
        };
        let left = self.without_edge(range, cut.bytes, slow);
        let is_cut = match cut.bytes.edge {
            Edge::Start => self.builder.ins().icmp(IntCC::NotEqual, left[0], range[0]),
            Edge::End => self.builder.ins().icmp(IntCC::NotEqual, left[1], range[1]),
        };
        let [shorter, counted] = [(); 2].map(|()| self.builder.create_block());
        self.builder.ins().brif(is_cut, shorter, &[], counted, &[]);
        self.builder.switch_to_block(shorter);
        match cut.v {
            Some(v) => {
                let kind = self.builder.ins().iconst(types::I64, TextKind::Text as i64);
                self.put_view(v, left[0], left[1], kind);
            }
            None => {
                self.call(Helper::CutRecord, &left);
            }
        }
        self.builder.ins().jump(counted, &[]);
        self.builder.switch_to_block(counted);
        if let Some(d) = cut.d {
            let is_cut = self.builder.ins().uextend(types::I32, is_cut);
            let count = self.builder.ins().fcvt_from_sint(types::F64, is_cut);
            self.store_at(self.place(d), count, TagSet::PLAIN);
        }
        let next = self.word(Performed::Next as u32);
        self.builder.ins().jump(on, &[BlockArg::Value(next)]);

        self.builder.switch_to_block(slow);
        let performed = perform(self);
        self.builder.ins().jump(on, &[BlockArg::Value(performed)]);
        self.builder.switch_to_block(on);
        status
    }

    /// What is left of a range of the record.
    fn without_edge(
        &mut self,
        [start, end]: [clif::Value; 2],
        EdgeBytes { edge, bytes, most }: EdgeBytes,
        slow: clif::Block,
    ) -> [clif::Value; 2] {
        let text = self.of_record(types::I64, record_at::TEXT);
        let [look, member, done] = [(); 3].map(|()| self.builder.create_block());
        let at = self.builder.append_block_param(look, types::I64);
        let left = self.builder.append_block_param(done, types::I64);
        let (from, limit, step) = match edge {
            Edge::Start => (start, end, 1),
            Edge::End => (end, start, -1),
        };
        let longest = self.builder.ins().iadd_imm_s(from, step * LONGEST);
        self.builder.ins().jump(look, &[BlockArg::Value(from)]);

        self.builder.switch_to_block(look);
        let inside = self.builder.create_block();
        let is_inside = self.builder.ins().icmp(IntCC::NotEqual, at, limit);
        let here = [BlockArg::Value(at)];
        self.builder.ins().brif(is_inside, inside, &[], done, &here);
        self.builder.switch_to_block(inside);
        let address = self.builder.ins().iadd(text, at);
        let byte = self.builder.ins().load(types::I8, FLAGS, address, step.min(0) as i32);
        let byte = self.builder.ins().uextend(types::I64, byte);
        let is_low = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, byte, 64);
        let low = self.builder.create_block();
        self.builder.ins().brif(is_low, low, &[], done, &here);
        self.builder.switch_to_block(low);
        let bytes = self.builder.ins().iconst(types::I64, bytes.cast_signed());
        let bit = self.builder.ins().ushr(bytes, byte);
        let bit = self.builder.ins().band_imm_u(bit, 1);
        self.builder.ins().brif(bit, member, &[], done, &here);
        self.builder.switch_to_block(member);
        let next = self.builder.ins().iadd_imm_s(at, step);
        if most == 1 {
            self.builder.ins().jump(done, &[BlockArg::Value(next)]);
        } else {
            let is_short = self.builder.ins().icmp(IntCC::NotEqual, next, longest);
            self.builder.ins().brif(is_short, look, &[BlockArg::Value(next)], slow, &[]);
        }
        self.builder.switch_to_block(done);
        match edge {
            Edge::Start => [left, end],
            Edge::End => [start, left],
        }
    }
}
