//! AArch64, with the calling convention of its procedure call standard.

use super::StubResult;
use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::isa::TargetIsa;

/// The relocation of a call within the code.
pub(crate) const CALL: Reloc = Reloc::Arm64Call;

/// The processor's number in ELF files.
pub(crate) const ELF_MACHINE: u32 = 183;

/// What machine code needs and this machine has not.
pub(crate) fn feature_missing(_: &dyn TargetIsa) -> Option<&'static str> {
    None
}

/// Sets how far a call goes: in words, the last 26 bits of `bl`.
pub(crate) fn set_call_distance(place: &mut [u8], distance: i64) {
    let words = (distance >> 2) as u32 & 0x03ff_ffff;
    place[..4].copy_from_slice(&(0x9400_0000 | words).to_le_bytes());
}

/// Makes every thread fetch code as it was written: data and instruction caches are not kept equal,
/// and threads fetch ahead.
pub(crate) fn code_was_written(code: &[u8]) {
    clear_caches(code);
    synchronise_threads();
}

#[cfg(not(target_vendor = "apple"))]
fn clear_caches(code: &[u8]) {
    use std::arch::asm;
    let lines: u64;
    // SAFETY: a register that any program may read.
    unsafe { asm!("mrs {}, ctr_el0", out(reg) lines, options(nomem, nostack, preserves_flags)) };
    // The smallest lines of all caches, in words as powers of two.
    let [data, instructions] = [lines >> 16, lines].map(|field| 4usize << (field & 15));
    let each = |size: usize, act: fn(usize)| {
        let range = code.as_ptr_range();
        (range.start.addr() / size * size..range.end.addr()).step_by(size).for_each(act);
    };
    // SAFETY: the lines lie in memory that can be read.
    each(data, |at| unsafe { asm!("dc cvau, {}", in(reg) at, options(nostack, preserves_flags)) });
    // SAFETY: a barrier.
    unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
    // SAFETY: the lines lie in memory that can be read.
    each(instructions, |at| unsafe {
        asm!("ic ivau, {}", in(reg) at, options(nostack, preserves_flags));
    });
    // SAFETY: barriers.
    unsafe { asm!("dsb ish", "isb", options(nostack, preserves_flags)) };
}

#[cfg(target_vendor = "apple")]
fn clear_caches(code: &[u8]) {
    unsafe extern "C" {
        fn sys_icache_invalidate(start: *mut libc::c_void, size: libc::size_t);
    }
    // SAFETY: the code's memory.
    unsafe { sys_icache_invalidate(code.as_ptr().cast_mut().cast(), code.len()) };
}

/// Lets all threads of the process drop what they have fetched ahead, which at an address that held
/// code before may be that code. A system that refuses is an emulator or older than Linux 4.16.
#[cfg(target_os = "linux")]
fn synchronise_threads() {
    use std::sync::Once;
    const SYNC_CORE: libc::c_int = 1 << 5;
    const REGISTER_SYNC_CORE: libc::c_int = 1 << 6;
    // SAFETY: no memory is passed.
    let command = |command: libc::c_int| unsafe { libc::syscall(libc::SYS_membarrier, command, 0) };
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        command(REGISTER_SYNC_CORE);
    });
    command(SYNC_CORE);
}

#[cfg(not(target_os = "linux"))]
fn synchronise_threads() {}

/// For x0 to x15 and all vector registers.
const ROOM: u32 = 16 * 8 + 32 * 16;

/// The stack's register as a base.
const SP: u32 = 31 << 5;

/// Code that calls an address with all registers preserved, but for those that are never live across
/// an instruction (x16, x17) and the system's (x18).
pub(crate) fn preserving_call(address: u64, result: StubResult) -> Vec<u8> {
    const STORE: u32 = 0;
    const LOAD: u32 = 0x0040_0000;
    let mut code: Vec<u32> = vec![
        0xa9bf_7bfd,                        // stp x29, x30, [sp, #-16]!
        0x9100_03fd,                        // mov x29, sp
        0xd100_0000 | ROOM << 10 | SP | 31, // sub sp, sp, #ROOM
    ];
    let registers = |direction: u32| {
        // Pairs; offsets are counted in registers.
        let general = (0..16).step_by(2).map(move |first| {
            0xa900_0000 | direction | first << 15 | (first + 1) << 10 | SP | first
        });
        let vectors = (0..32).step_by(2).map(move |first| {
            0xad00_0000 | direction | (first + 8) << 15 | (first + 1) << 10 | SP | first
        });
        general.chain(vectors)
    };
    code.extend(registers(STORE));
    code.push(0xd280_0000 | half(address, 0) << 5 | 16); // movz x16, #half
    code.extend((1..4).map(|at| 0xf280_0000 | at << 21 | half(address, at) << 5 | 16)); // movk
    code.push(0xd63f_0000 | 16 << 5); // blr x16
    let store = match result {
        StubResult::None => None,
        StubResult::Long(at) => Some(0xf900_0000 | at / 8 << 10), // str x0, [x16, #at]
        StubResult::Word(at) => Some(0xb900_0000 | at / 4 << 10), // str w0
        StubResult::Number(at) => Some(0xfd00_0000 | at / 8 << 10), // str d0
    };
    if let Some(store) = store {
        code.push(0xf940_0000 | SP | 16); // ldr x16, [sp]: the first argument
        code.push(store | 16 << 5);
    }
    code.extend(registers(LOAD));
    code.extend([
        0x9100_0000 | ROOM << 10 | SP | 31, // add sp, sp, #ROOM
        0xa8c1_7bfd,                        // ldp x29, x30, [sp], #16
        0xd65f_03c0,                        // ret
    ]);
    code.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// 16 of the bits.
fn half(address: u64, number: u32) -> u32 {
    (address >> (16 * number)) as u32 & 0xffff
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
                ".irp r, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17",
                "mov x\\r, #-1",
                ".endr",
                ".irp r, 0,1,2,3,4,5,6,7,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31",
                "movi v\\r\\().16b, #255",
                ".endr",
                clobber_abi("C"),
            );
        }
        number + 1
    }

    #[test]
    fn a_stub_changes_no_register_and_leaves_the_result_behind_the_first_argument() {
        let address = forgetful as *const () as usize as u64;
        let code = preserving_call(address, StubResult::Long(24));
        let memory = CodeMemory::install(&code, |_, _| ()).unwrap();
        let mut context = [0u8; 64];
        let mut whole: [u64; 14] = std::array::from_fn(|at| at as u64 + 1);
        let mut numbers: [f64; 24] = std::array::from_fn(|at| at as f64 + 0.5);
        // SAFETY: the code above has these clobbers; the context is large enough.
        unsafe {
            asm!(
                "blr {stub}",
                stub = in(reg) memory.start(),
                inout("x0") context.as_mut_ptr() => _, inout("x1") 41u64 => _,
                inout("x2") whole[0], inout("x3") whole[1], inout("x4") whole[2], inout("x5") whole[3],
                inout("x6") whole[4], inout("x7") whole[5], inout("x8") whole[6], inout("x9") whole[7],
                inout("x10") whole[8], inout("x11") whole[9], inout("x12") whole[10], inout("x13") whole[11],
                inout("x14") whole[12], inout("x15") whole[13],
                inout("v0") numbers[0], inout("v1") numbers[1], inout("v2") numbers[2], inout("v3") numbers[3],
                inout("v4") numbers[4], inout("v5") numbers[5], inout("v6") numbers[6], inout("v7") numbers[7],
                inout("v16") numbers[8], inout("v17") numbers[9], inout("v18") numbers[10],
                inout("v19") numbers[11], inout("v20") numbers[12], inout("v21") numbers[13],
                inout("v22") numbers[14], inout("v23") numbers[15], inout("v24") numbers[16],
                inout("v25") numbers[17], inout("v26") numbers[18], inout("v27") numbers[19],
                inout("v28") numbers[20], inout("v29") numbers[21], inout("v30") numbers[22],
                inout("v31") numbers[23],
                clobber_abi("C"),
            );
        }
        assert_eq!(whole, std::array::from_fn(|at| at as u64 + 1));
        assert_eq!(numbers, std::array::from_fn(|at| at as f64 + 0.5));
        assert_eq!(context[24..32], 42u64.to_le_bytes());
    }

    #[test]
    fn a_call_goes_back_as_well_as_on() {
        for distance in [-8i64, 64, -(1 << 27), (1 << 27) - 4] {
            let mut place = 0x9400_0000u32.to_le_bytes();
            set_call_distance(&mut place, distance);
            let word = u32::from_le_bytes(place);
            assert_eq!((word >> 26, i64::from((word << 6) as i32 >> 4)), (0x25, distance));
        }
    }
}
