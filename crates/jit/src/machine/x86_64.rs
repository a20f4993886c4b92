//! x86-64, with the calling convention of System V.

use super::StubResult;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::isa::TargetIsa;

/// The relocation of a call within the code.
pub(crate) const CALL: Reloc = Reloc::X86CallPCRel4;

/// The processor's number in ELF files.
pub(crate) const ELF_MACHINE: u32 = 62;

/// What machine code needs and this machine has not.
pub(crate) fn feature_missing(isa: &dyn TargetIsa) -> Option<&'static str> {
    let has_sse41 =
        isa.isa_flags().iter().any(|flag| flag.name == "has_sse41" && flag.as_bool() == Some(true));
    (!has_sse41).then_some("the processor is older than SSE 4.1")
}

/// Sets how far a call goes, in its last four bytes.
pub(crate) fn set_call_distance(place: &mut [u8], distance: i64) {
    place[..4].copy_from_slice(&(distance as i32).to_le_bytes());
}

/// Caches see what is written.
pub(crate) fn code_was_written(_: &[u8]) {}

/// For the vector registers, plus alignment to 16 bytes after nine pushes.
const ROOM: [u8; 4] = (16u32 * 16 + 8).to_le_bytes();

/// Code that calls an address with all registers preserved.
pub(crate) fn preserving_call(address: u64, result: StubResult) -> Vec<u8> {
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
    let store: Option<(&[u8], u32)> = match result {
        StubResult::None => None,
        StubResult::Long(at) => Some((&[0x48, 0x89, 0x81], at)), // movq %rax, at(%rcx)
        StubResult::Word(at) => Some((&[0x89, 0x81], at)),       // movl %eax, at(%rcx)
        StubResult::Number(at) => Some((&[0xf2, 0x0f, 0x11, 0x81], at)), // movsd %xmm0, at(%rcx)
    };
    if let Some((store, at)) = store {
        code.extend([0x48, 0x8b, 0x4d, 0xd8]); // movq -40(%rbp), %rcx: the first argument
        code.extend_from_slice(store);
        code.extend(at.to_le_bytes());
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

#[cfg(test)]
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
                "mov rcx, -1",
                "mov rdx, -1",
                "mov rsi, -1",
                "mov r8, -1",
                "mov r9, -1",
                "mov r10, -1",
                "mov r11, -1",
                "pcmpeqd xmm0, xmm0",
                "pcmpeqd xmm1, xmm1",
                "pcmpeqd xmm2, xmm2",
                "pcmpeqd xmm3, xmm3",
                "pcmpeqd xmm4, xmm4",
                "pcmpeqd xmm5, xmm5",
                "pcmpeqd xmm6, xmm6",
                "pcmpeqd xmm7, xmm7",
                "pcmpeqd xmm8, xmm8",
                "pcmpeqd xmm9, xmm9",
                "pcmpeqd xmm10, xmm10",
                "pcmpeqd xmm11, xmm11",
                "pcmpeqd xmm12, xmm12",
                "pcmpeqd xmm13, xmm13",
                "pcmpeqd xmm14, xmm14",
                "pcmpeqd xmm15, xmm15",
                clobber_abi("C"),
            );
        }
        number + 1
    }

    #[test]
    fn a_stub_changes_no_register_and_leaves_the_result_behind_the_first_argument() {
        let code = preserving_call(forgetful as *const () as usize as u64, StubResult::Long(24));
        let memory = CodeMemory::install(&code, |_, _| ()).unwrap();
        let mut context = [0u8; 64];
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
        assert_eq!(context[24..32], 42u64.to_le_bytes());
    }
}
