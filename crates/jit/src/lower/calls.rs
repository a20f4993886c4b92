//! Calls of helpers and candidates.

use super::{FLAGS, Lowering, body_signature};
use crate::stubs::{RARE, helper_signature, type_of as type_of_kind};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, ExtFuncData, InstBuilder, SigRef, types};
use cranelift_codegen::isa::CallConv;
use riverhawk_spesh::ir::{Callee, Exit, ExitId, FrameScope, Slot, Value};
use riverhawk_vm::native::{Context, Helper, Performed, Status};

impl Lowering<'_> {
    pub(super) fn helper(&mut self, helper: Helper) -> (clif::Value, SigRef) {
        let reference = match self.helpers.get(&(helper as u32)) {
            Some(&reference) => reference,
            None => {
                let signature = helper_signature(helper, self.convention);
                let reference = self.builder.import_signature(signature);
                self.helpers.insert(helper as u32, reference);
                reference
            }
        };
        let address = self.builder.ins().iconst(types::I64, helper.address() as i64);
        (address, reference)
    }

    pub(super) fn call(
        &mut self,
        helper: Helper,
        arguments: &[clif::Value],
    ) -> Option<clif::Value> {
        let (address, signature) = self.helper(helper);
        let mut all = vec![self.context];
        all.extend(arguments);
        let call = self.builder.ins().call_indirect(signature, address, &all);
        let result = self.builder.inst_results(call).first().copied();
        match result.filter(|_| helper.gives_null()) {
            Some(address) => {
                let out = self.out_of_memory();
                let (at, on) = (self.word(self.at), self.builder.create_block());
                self.builder.ins().brif(address, on, &[], out, &[BlockArg::Value(at)]);
                self.builder.switch_to_block(on);
            }
            None => self.leave_without_memory(helper),
        }
        result
    }

    /// After a helper that may allocate: ends the run if memory has run out.
    fn leave_without_memory(&mut self, helper: Helper) {
        if !helper.grows() || self.is_leaving {
            return;
        }
        let ran_out_at = self.fixed(Context::RAN_OUT_AT);
        let ran_out = self.builder.ins().load(types::I8, FLAGS, ran_out_at, 0);
        let out = self.out_of_memory();
        let at = self.word(self.at);
        let on = self.builder.create_block();
        self.builder.ins().brif(ran_out, out, &[BlockArg::Value(at)], on, &[]);
        self.builder.switch_to_block(on);
    }

    /// The block that ends the run.
    fn out_of_memory(&mut self) -> clif::Block {
        match self.no_memory {
            Some(out) => out,
            None => {
                let out = self.builder.create_block();
                self.builder.set_cold_block(out);
                self.builder.append_block_param(out, types::I32);
                *self.no_memory.insert(out)
            }
        }
    }

    pub(super) fn end_without_memory(&mut self) {
        let Some(out) = self.no_memory else { return };
        self.builder.switch_to_block(out);
        let at = self.builder.block_params(out)[0];
        self.builder.ins().store(FLAGS, at, self.context, Context::AT_AT as i32);
        self.builder.ins().store(FLAGS, self.base, self.context, Context::BASE_AT as i32);
        self.give(Status::Failed as u32);
    }

    pub(super) fn call_for(&mut self, helper: Helper, arguments: &[clif::Value]) -> clif::Value {
        debug_assert!(helper.result().is_some(), "{helper:?}");
        self.call(helper, arguments).unwrap_or(self.context)
    }

    /// From a rare path.
    pub(super) fn call_rarely(&mut self, helper: Helper, arguments: &[clif::Value]) {
        let signature = match self.rare.get(&(helper as u32)) {
            Some(&reference) => reference,
            None => {
                let reference =
                    self.builder.import_signature(helper_signature(helper, CallConv::PreserveAll));
                self.rare.insert(helper as u32, reference);
                reference
            }
        };
        let at =
            RARE.iter().position(|&rare| rare == helper).and_then(|at| self.names.stubs.get(at));
        debug_assert!(at.is_some(), "{helper:?} has no stub");
        let address = at.copied().unwrap_or_default();
        let address = self.builder.ins().iconst(types::I64, address as i64);
        let mut all = vec![self.context];
        all.extend(arguments);
        self.builder.ins().call_indirect(signature, address, &all);
        self.leave_without_memory(helper);
    }

    pub(super) fn call_rarely_for(
        &mut self,
        helper: Helper,
        arguments: &[clif::Value],
    ) -> clif::Value {
        self.call_rarely(helper, arguments);
        let ty = helper.result().map_or(types::I32, type_of_kind);
        self.builder.ins().load(ty, FLAGS, self.context, Context::NUMBER_AT as i32)
    }

    pub(super) fn word(&mut self, word: u32) -> clif::Value {
        self.builder.ins().iconst(types::I32, i64::from(word))
    }

    /// Whether the operation performed by a helper jumped.
    pub(super) fn performed(
        &mut self,
        status: clif::Value,
        assigned: Option<(ExitId, ExitId)>,
        scope: FrameScope,
    ) -> clif::Value {
        let is_rare = self.builder.ins().icmp_imm_u(
            IntCC::UnsignedGreaterThan,
            status,
            i64::from(Performed::Jumped as u32),
        );
        let (rare, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(rare);
        self.builder.ins().brif(is_rare, rare, &[], on, &[]);
        self.builder.switch_to_block(rare);
        if let Some((next, jumped)) = assigned {
            for (which, exit) in
                [(Performed::NextAssigned, next), (Performed::JumpedAssigned, jumped)]
            {
                let is_this =
                    self.builder.ins().icmp_imm_u(IntCC::Equal, status, i64::from(which as u32));
                let (out, other) = (self.exit(exit), self.builder.create_block());
                self.builder.set_cold_block(other);
                self.builder.ins().brif(is_this, out, &[], other, &[]);
                self.builder.switch_to_block(other);
            }
        }
        // The helper has set which operation failed.
        self.name_frame(scope);
        self.give(Status::Failed as u32);
        self.builder.switch_to_block(on);
        self.builder.ins().icmp_imm_u(IntCC::NotEqual, status, 0)
    }

    pub(super) fn call_function(
        &mut self,
        callee: Callee,
        arguments: &[Value],
        first: u16,
        d: Slot,
        exit: ExitId,
    ) -> Option<clif::Value> {
        let base = self.address(Slot::Register(first));
        let mut all = vec![self.context, base];
        all.extend(arguments.iter().map(|&argument| self.take(argument)));
        let signature = body_signature(arguments.len(), callee.returns, self.convention);
        let call = if self.names.own_link == Some(callee.link) {
            let reference = match self.own_function {
                Some(reference) => reference,
                None => {
                    let signature = self.builder.import_signature(signature);
                    let name = self.own.clone();
                    let data = ExtFuncData { name, signature, colocated: true, patchable: false };
                    let reference = self.builder.import_function(data);
                    self.own_function = Some(reference);
                    reference
                }
            };
            self.builder.ins().call(reference, &all)
        } else {
            let signature = self.builder.import_signature(signature);
            let word =
                self.builder.ins().iconst(types::I64, self.names.links.word(callee.link) as i64);
            let address = self.builder.ins().load(types::I64, FLAGS, word, 0);
            self.builder.ins().call_indirect(signature, address, &all)
        };
        let results = self.builder.inst_results(call).to_vec();
        let status = results[0];
        let (out, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(out);
        self.builder.ins().brif(status, out, &[], on, &[]);
        self.builder.switch_to_block(out);
        self.put_back(exit);
        let Exit { at, scope, .. } = self.function.exits[exit.0 as usize];
        let base = self.base_of(scope);
        self.push_call(base, at, callee.function, d);
        self.push_calls(scope);
        self.give_value(status);
        self.builder.switch_to_block(on);
        results.get(1).copied()
    }

    fn push_call(&mut self, base: clif::Value, return_to: u32, function: u32, d: Slot) {
        let (return_to, function) = (self.word(return_to), self.word(function));
        let d = self.word(match d {
            Slot::Register(number) => u32::from(number),
            Slot::Static(number) => u32::from(number) | 0x8000,
        });
        self.call(Helper::PushCall, &[base, return_to, function, d]);
    }

    /// Of inlined functions, from the frame of `scope` outwards.
    pub(super) fn push_calls(&mut self, scope: FrameScope) {
        let function = self.function;
        for inlined in function.frames(scope) {
            let base = self.base_of(inlined.caller);
            self.push_call(base, inlined.return_to, inlined.function, inlined.d);
        }
    }

    pub(super) fn base_of(&mut self, scope: FrameScope) -> clif::Value {
        match self.function.base(scope) {
            0 => self.base,
            first => self.address(Slot::Register(first)),
        }
    }
}
