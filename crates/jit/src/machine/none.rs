//! A processor or system without machine code.

use super::StubResult;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::isa::TargetIsa;

pub(crate) const CALL: Reloc = Reloc::Abs8;
pub(crate) const ELF_MACHINE: u32 = 0;

pub(crate) fn feature_missing(_: &dyn TargetIsa) -> Option<&'static str> {
    Some("there is no machine code for this machine")
}

pub(crate) fn set_call_distance(_: &mut [u8], _: i64) {}

pub(crate) fn preserving_call(_: u64, _: StubResult) -> Vec<u8> {
    Vec::new()
}

pub(crate) fn code_was_written(_: &[u8]) {}
