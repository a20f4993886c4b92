//! Limits of time and steps, and profiling in machine code: entry counts and the stack of sites are updated inline, in a dozen
//! instructions for a call and its return; a helper takes samples.

use super::{FLAGS, Lowering};
use crate::stubs::RARE;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use riverhawk_spesh::ir::Mark;
use riverhawk_vm::native::{Context, Helper};

impl Lowering<'_> {
    pub(super) fn mark(&mut self, mark: Mark) {
        match mark {
            Mark::Rule(at) => {
                self.sample_if_due();
                let (site, one) = (self.word(at), self.word(1));
                let stack = self.fixed(Context::PROFILE_STACK_AT);
                self.builder.ins().store(FLAGS, site, stack, 0);
                self.set_depth(one);
                self.count(Context::PROFILE_CALLED_AT, site);
            }
            Mark::Call(at) => {
                let site = self.word(at);
                self.builder.ins().store(
                    FLAGS,
                    site,
                    self.context,
                    Context::PROFILE_SITE_AT as i32,
                );
            }
            Mark::Enter => {
                self.sample_if_due();
                let at = Context::PROFILE_SITE_AT as i32;
                let site = self.builder.ins().load(types::I32, FLAGS, self.context, at);
                self.push(site);
                self.count(Context::PROFILE_CALLED_AT, site);
            }
            Mark::EnterInlined(at) => {
                self.sample_if_due();
                let site = self.word(at);
                self.push(site);
                self.count(Context::PROFILE_INLINED_AT, site);
            }
            Mark::Leave => {
                self.sample_if_due();
                let depth = self.depth();
                let below = self.builder.ins().iadd_imm_s(depth, -1);
                self.set_depth(below);
            }
            Mark::Step => {
                let steps = self.fixed(Context::STEPS_AT);
                let left = self.builder.ins().load(types::I64, FLAGS, steps, 0);
                let fewer = self.builder.ins().iadd_imm_s(left, -1);
                self.builder.ins().store(FLAGS, fewer, steps, 0);
            }
        }
    }

    pub(super) fn has_steps(&mut self) -> clif::Value {
        let steps = self.fixed(Context::STEPS_AT);
        let left = self.builder.ins().load(types::I64, FLAGS, steps, 0);
        self.builder.ins().icmp_imm_u(IntCC::NotEqual, left, 0)
    }

    /// Reads a byte that another thread sets when the run is to end.
    pub(super) fn has_time(&mut self) -> clif::Value {
        let address = self.fixed(Context::RAN_OUT_AT);
        let is_over = self.builder.ins().load(types::I8, FLAGS, address, 0);
        self.builder.ins().icmp_imm_u(IntCC::Equal, is_over, 0)
    }

    fn sample_if_due(&mut self) {
        debug_assert!(RARE.contains(&Helper::Sample), "samples are rare");
        let due = self.fixed(Context::PROFILE_DUE_AT);
        let is_due = self.builder.ins().load(types::I8, FLAGS, due, 0);
        let (sample, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(sample);
        self.builder.ins().brif(is_due, sample, &[], on, &[]);
        self.builder.switch_to_block(sample);
        self.call_rarely(Helper::Sample, &[]);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
    }

    /// An address in the context, fixed while the code runs.
    pub(super) fn fixed(&mut self, at: usize) -> clif::Value {
        self.builder.ins().load(types::I64, FLAGS.with_readonly(), self.context, at as i32)
    }

    fn depth(&mut self) -> clif::Value {
        self.builder.ins().load(types::I32, FLAGS, self.context, Context::PROFILE_DEPTH_AT as i32)
    }

    fn set_depth(&mut self, depth: clif::Value) {
        self.builder.ins().store(FLAGS, depth, self.context, Context::PROFILE_DEPTH_AT as i32);
    }

    fn push(&mut self, site: clif::Value) {
        let depth = self.depth();
        let index = self.builder.ins().band_imm_u(depth, u64::from(Context::PROFILE_MASK) as i64);
        let index = self.builder.ins().uextend(types::I64, index);
        let offset = self.builder.ins().ishl_imm_u(index, 2);
        let stack = self.fixed(Context::PROFILE_STACK_AT);
        let place = self.builder.ins().iadd(stack, offset);
        self.builder.ins().store(FLAGS, site, place, 0);
        let above = self.builder.ins().iadd_imm_s(depth, 1);
        self.set_depth(above);
    }

    fn count(&mut self, counts_at: usize, site: clif::Value) {
        let counts = self.fixed(counts_at);
        let site = self.builder.ins().uextend(types::I64, site);
        let offset = self.builder.ins().ishl_imm_u(site, 3);
        let place = self.builder.ins().iadd(counts, offset);
        let count = self.builder.ins().load(types::I64, FLAGS, place, 0);
        let more = self.builder.ins().iadd_imm_s(count, 1);
        self.builder.ins().store(FLAGS, more, place, 0);
    }
}
