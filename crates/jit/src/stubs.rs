//! Calls of helpers that preserve all registers. With an ordinary call on a rare path the code
//! generator keeps every number in memory around it, on the common path too: a factor of three in a
//! loop of two additions.
//!
//! A stub has the `preserve_all` convention, which has no result: that goes to the context. Stubs
//! are emitted byte by byte: with the code generator they would take a fifth of the time until a
//! program's first loop runs as machine code.

use cranelift_codegen::ir::{self as clif, AbiParam, types};
use cranelift_codegen::isa::CallConv;
use riverhawk_vm::native::{Context, Helper, Kind};

/// Helpers for rare paths; only profiled programs call the last.
pub(crate) const RARE: [Helper; 17] = [
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
    stub(helper.address() as u64, helper.result())
}

/// For the vector registers, plus alignment to 16 bytes after nine pushes.
const ROOM: [u8; 4] = (16u32 * 16 + 8).to_le_bytes();

/// Calls an address with all registers preserved.
fn stub(address: u64, result: Option<Kind>) -> Vec<u8> {
    let mut code = vec![
        0x55, // pushq %rbp
        0x48, 0x89, 0xe5, // movq %rsp, %rbp
        0x50, 0x51, 0x52, 0x56, 0x57, // pushq %rax, %rcx, %rdx, %rsi, %rdi
        0x41, 0x50, 0x41, 0x51, 0x41, 0x52, 0x41, 0x53, // pushq %r8, %r9, %r10, %r11
        0x48, 0x81, 0xec, // subq $ROOM, %rsp
    ];
    code.extend(ROOM);
    (0..16).for_each(|number| vector(&mut code, 0x29, number));
    code.extend([0x48, 0xb8]); // movabsq $address, %rax
    code.extend(address.to_le_bytes());
    code.extend([0xff, 0xd0]); // callq *%rax
    if let Some(kind) = result {
        code.extend([0x48, 0x8b, 0x4d, 0xd8]); // movq -40(%rbp), %rcx: the first argument, the context
        code.extend_from_slice(match kind {
            Kind::Address | Kind::Size => &[0x48, 0x89, 0x81], // movq %rax, NUMBER_AT(%rcx)
            Kind::Word => &[0x89, 0x81],                       // movl %eax, NUMBER_AT(%rcx)
            Kind::Number => &[0xf2, 0x0f, 0x11, 0x81],         // movsd %xmm0, NUMBER_AT(%rcx)
        });
        code.extend((Context::NUMBER_AT as u32).to_le_bytes());
    }
    (0..16).for_each(|number| vector(&mut code, 0x28, number));
    code.extend([0x48, 0x81, 0xc4]); // addq $ROOM, %rsp
    code.extend(ROOM);
    code.extend([
        0x41, 0x5b, 0x41, 0x5a, 0x41, 0x59, 0x41, 0x58, // popq %r11, %r10, %r9, %r8
        0x5f, 0x5e, 0x5a, 0x59, 0x58, // popq %rdi, %rsi, %rdx, %rcx, %rax
        0x5d, 0xc3, // popq %rbp; retq
    ]);
    code
}

/// Saves a vector register on the stack (`movaps`, 0x29) or restores it (0x28).
fn vector(code: &mut Vec<u8>, operation: u8, number: u8) {
    if number >= 8 {
        code.push(0x44);
    }
    code.extend([0x0f, operation, 0x84 | (number % 8) << 3, 0x24]);
    code.extend((u32::from(number) * 16).to_le_bytes());
}

#[cfg(all(test, target_arch = "x86_64", unix))]
#[allow(unsafe_code)]
mod tests {
    use super::*;
    use crate::memory::CodeMemory;
    use std::arch::asm;

    /// Overwrites every caller-saved register.
    extern "C" fn forgetful(context: *mut u8, number: u64) -> u64 {
        assert!(!context.is_null());
        // SAFETY: every clobber is declared.
        unsafe {
            asm!(
                "mov rcx, -1", "mov rdx, -1", "mov rsi, -1", "mov r8, -1", "mov r9, -1", "mov r10, -1", "mov r11, -1",
                "pcmpeqd xmm0, xmm0", "pcmpeqd xmm1, xmm1", "pcmpeqd xmm2, xmm2", "pcmpeqd xmm3, xmm3",
                "pcmpeqd xmm4, xmm4", "pcmpeqd xmm5, xmm5", "pcmpeqd xmm6, xmm6", "pcmpeqd xmm7, xmm7",
                "pcmpeqd xmm8, xmm8", "pcmpeqd xmm9, xmm9", "pcmpeqd xmm10, xmm10", "pcmpeqd xmm11, xmm11",
                "pcmpeqd xmm12, xmm12", "pcmpeqd xmm13, xmm13", "pcmpeqd xmm14, xmm14", "pcmpeqd xmm15, xmm15",
                out("rcx") _, out("rdx") _, out("rsi") _, out("r8") _, out("r9") _, out("r10") _, out("r11") _,
                out("xmm0") _, out("xmm1") _, out("xmm2") _, out("xmm3") _, out("xmm4") _, out("xmm5") _,
                out("xmm6") _, out("xmm7") _, out("xmm8") _, out("xmm9") _, out("xmm10") _, out("xmm11") _,
                out("xmm12") _, out("xmm13") _, out("xmm14") _, out("xmm15") _,
            );
        }
        number + 1
    }

    #[test]
    fn a_stub_changes_no_register_and_leaves_the_result_in_the_context() {
        let code = stub(forgetful as *const () as usize as u64, Some(Kind::Address));
        let memory = CodeMemory::install(&code, |_, _| ()).unwrap();
        let mut context = [0u8; 4096];
        let mut whole = [1u64, 2, 3, 4, 5, 6, 7];
        let mut numbers: [f64; 16] = std::array::from_fn(|at| at as f64 + 0.5);
        // SAFETY: the code above has these clobbers; the context is large enough.
        unsafe {
            asm!(
                "call {stub}",
                stub = in(reg) memory.start(),
                in("rdi") context.as_mut_ptr(), in("rsi") 41u64,
                inout("rax") whole[0], inout("rcx") whole[1], inout("rdx") whole[2],
                inout("r8") whole[3], inout("r9") whole[4], inout("r10") whole[5], inout("r11") whole[6],
                inout("xmm0") numbers[0], inout("xmm1") numbers[1], inout("xmm2") numbers[2], inout("xmm3") numbers[3],
                inout("xmm4") numbers[4], inout("xmm5") numbers[5], inout("xmm6") numbers[6], inout("xmm7") numbers[7],
                inout("xmm8") numbers[8], inout("xmm9") numbers[9], inout("xmm10") numbers[10],
                inout("xmm11") numbers[11], inout("xmm12") numbers[12], inout("xmm13") numbers[13],
                inout("xmm14") numbers[14], inout("xmm15") numbers[15],
            );
        }
        assert_eq!(whole, [1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(numbers, std::array::from_fn(|at| at as f64 + 0.5));
        let at = Context::NUMBER_AT;
        assert_eq!(u64::from_le_bytes(context[at..at + 8].try_into().unwrap()), 42);
    }
}
