//! Ways to helpers that change no register. A call on a path that is hardly ever taken would otherwise make the code generator keep
//! every number in memory around it, on the usual path too: in a loop of two additions that was a factor of three.
//!
//! A stub has the `preserve_all` convention, which allows no result; it leaves it where a function leaves its number.

use cranelift_codegen::ir::{self as clif, AbiParam, InstBuilder, MemFlagsData, types};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use riverhawk_bytecode::Op;
use riverhawk_spesh::ir::Snapshot;
use riverhawk_vm::native::{Context, Helper, Kind};

/// The helpers that rare paths call; the last is called by profiled programs only, and those before it, from [`TEXTS_FROM`] on, by programs
/// that cut or measure texts.
pub const RARE: [Helper; 14] = [
    Helper::Number,
    Helper::Truth,
    Helper::Compare,
    Helper::LetGo,
    Helper::Remainder,
    Helper::Element,
    Helper::HasElement,
    Helper::DeleteElement,
    Helper::ViewPiece,
    Helper::EqualsView,
    Helper::LengthOfView,
    Helper::Substr,
    Helper::Length,
    Helper::Sample,
];

/// Where those begin that only programs need that cut or measure texts.
pub const TEXTS_FROM: usize = 8;

/// Those that a program needs: each takes the compiler as long as a small function.
pub fn needed(snapshot: &Snapshot) -> &'static [Helper] {
    let mut operations = snapshot.code().iter();
    if snapshot.is_profiled() {
        &RARE
    } else if operations.any(|op| matches!(op, Op::Substr { .. } | Op::SubstrFrom { .. } | Op::Length { .. })) {
        &RARE[..RARE.len() - 1]
    } else {
        &RARE[..TEXTS_FROM]
    }
}

/// The type of what a helper takes or gives.
pub fn type_of(kind: Kind) -> clif::Type {
    match kind {
        Kind::Address | Kind::Size => types::I64,
        Kind::Word => types::I32,
        Kind::Number => types::F64,
    }
}

/// How a helper is called.
pub fn helper_signature(helper: Helper, convention: CallConv) -> clif::Signature {
    let mut signature = clif::Signature::new(convention);
    signature.params.push(AbiParam::new(types::I64));
    signature.params.extend(helper.arguments().iter().map(|&kind| AbiParam::new(type_of(kind))));
    if convention != CallConv::PreserveAll {
        signature.returns.extend(helper.result().map(|kind| AbiParam::new(type_of(kind))));
    }
    signature
}

/// Fills in a stub.
pub fn lower_stub(
    helper: Helper,
    convention: CallConv,
    config: TargetFrontendConfig,
    into: &mut clif::Function,
    scratch: &mut FunctionBuilderContext,
) {
    into.signature = helper_signature(helper, CallConv::PreserveAll);
    let mut builder = FunctionBuilder::new(into, scratch);
    let block = builder.create_block();
    builder.append_block_params_for_function_params(block);
    builder.switch_to_block(block);
    let arguments = builder.block_params(block).to_vec();
    let signature = builder.import_signature(helper_signature(helper, convention));
    let address = builder.ins().iconst(types::I64, helper.address() as i64);
    let call = builder.ins().call_indirect(signature, address, &arguments);
    if let Some(&result) = builder.inst_results(call).first() {
        builder.ins().store(MemFlagsData::trusted(), result, arguments[0], Context::NUMBER_AT as i32);
    }
    builder.ins().return_(&[]);
    builder.seal_all_blocks();
    builder.finalize(config);
}
