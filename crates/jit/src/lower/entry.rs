//! The entry that the interpreter uses.

use super::{FLAGS, Lowering, Names, body_signature, own_name};
use cranelift_codegen::ir::{self as clif, ExtFuncData, InstBuilder, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use riverhawk_spesh::ir::{FrameScope, InstClass, IrFunction, ReturnForm, Slot};
use riverhawk_vm::native::{Context, Status};

/// Checks the arguments, and passes the numbers on.
pub(crate) fn lower_entry(
    function: &IrFunction,
    names: &Names<'_>,
    convention: CallConv,
    config: TargetFrontendConfig,
    into: &mut clif::Function,
    scratch: &mut FunctionBuilderContext,
) {
    into.signature = body_signature(0, ReturnForm::Value, convention);
    let own = own_name(into);
    let builder = FunctionBuilder::new(into, scratch);
    // One block: the body's are not needed.
    let mut lowering = Lowering::new(function, names, convention, builder, own, 1);
    lowering.entry();
    lowering.builder.finalize(config);
}

impl Lowering<'_> {
    fn entry(&mut self) {
        let Some(signature) = &self.function.signature else { return };
        let block = self.blocks[0];
        self.builder.append_block_params_for_function_params(block);
        self.builder.switch_to_block(block);
        let parameters = self.builder.block_params(block).to_vec();
        (self.context, self.base) = (parameters[0], parameters[1]);
        let mut arguments = vec![self.context, self.base];
        for (number, &class) in signature.parameters.iter().enumerate() {
            let place = self.place(Slot::Register(number as u16));
            let Some(wanted) = class.tags().single() else { continue };
            let holds = self.tag_is(place, wanted);
            let (out, on) = (self.builder.create_block(), self.builder.create_block());
            self.builder.set_cold_block(out);
            self.builder.ins().brif(holds, on, &[], out, &[]);
            self.builder.switch_to_block(out);
            let candidate = self.builder.ins().iconst(types::I64, self.names.candidate as i64);
            self.builder.ins().store(FLAGS, candidate, self.context, Context::CANDIDATE_AT as i32);
            let guard = self.word(self.function.guards + number as u32);
            self.builder.ins().store(FLAGS, guard, self.context, Context::GUARD_AT as i32);
            self.name_operation(self.function.blocks[0].at);
            self.name_frame(FrameScope::OWN);
            self.give(Status::Left as u32);
            self.builder.switch_to_block(on);
            if class == InstClass::Number {
                arguments.push(self.number_at(place));
            }
        }
        let body = body_signature(arguments.len() - 2, self.names.returns, self.convention);
        let signature = self.builder.import_signature(body);
        let name = self.own.clone();
        let reference = self.builder.import_function(ExtFuncData {
            name,
            signature,
            colocated: true,
            patchable: false,
        });
        let call = self.builder.ins().call(reference, &arguments);
        let results = self.builder.inst_results(call).to_vec();
        let (out, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(out);
        self.builder.ins().brif(results[0], out, &[], on, &[]);
        self.builder.switch_to_block(out);
        self.builder.ins().return_(&[results[0]]);
        self.builder.switch_to_block(on);
        if let Some(&number) = results.get(1) {
            self.builder.ins().store(FLAGS, number, self.context, Context::NUMBER_AT as i32);
            self.give(Status::ReturnedNumber as u32);
        } else {
            self.give(Status::ReturnedValue as u32);
        }
        self.builder.seal_all_blocks();
    }
}
