//! Calls of helpers that preserve all registers. With an ordinary call on a rare path the code
//! generator keeps every number in memory around it, on the common path too: a factor of three in a
//! loop of two additions.
//!
//! A stub has the `preserve_all` convention, which has no result: that goes to the context. Stubs
//! are emitted byte by byte: with the code generator they would take a fifth of the time until a
//! program's first loop runs as machine code.

use crate::machine::{StubResult, preserving_call};
use cranelift_codegen::ir::{self as clif, AbiParam, types};
use cranelift_codegen::isa::CallConv;
use riverhawk_vm::native::{Context, Helper, Kind};

/// Helpers for rare paths; only profiled programs call the last.
pub(crate) const RARE: [Helper; 20] = [
    Helper::Number,
    Helper::Truth,
    Helper::Compare,
    Helper::LetGo,
    Helper::Remainder,
    Helper::Element,
    Helper::ElementPlace,
    Helper::HasElement,
    Helper::DeleteElement,
    Helper::ViewPiece,
    Helper::EqualsView,
    Helper::OrderOfView,
    Helper::LengthOfView,
    Helper::Substr,
    Helper::Part,
    Helper::Index,
    Helper::Field,
    Helper::Length,
    Helper::KnownSize,
    Helper::Sample,
];

pub(crate) fn type_of(kind: Kind) -> clif::Type {
    match kind {
        Kind::Address | Kind::Size => types::I64,
        Kind::Word => types::I32,
        Kind::Number => types::F64,
    }
}

pub(crate) fn helper_signature(helper: Helper, convention: CallConv) -> clif::Signature {
    let mut signature = clif::Signature::new(convention);
    signature.params.push(AbiParam::new(types::I64));
    signature.params.extend(helper.arguments().iter().map(|&kind| AbiParam::new(type_of(kind))));
    if convention != CallConv::PreserveAll {
        signature.returns.extend(helper.result().map(|kind| AbiParam::new(type_of(kind))));
    }
    signature
}

pub(crate) fn code(helper: Helper) -> Vec<u8> {
    let at = Context::NUMBER_AT as u32;
    let result = match helper.result() {
        None => StubResult::None,
        Some(Kind::Address | Kind::Size) => StubResult::Long(at),
        Some(Kind::Word) => StubResult::Word(at),
        Some(Kind::Number) => StubResult::Number(at),
    };
    preserving_call(helper.address() as u64, result)
}
