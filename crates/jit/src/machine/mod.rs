//! What of machine code depends on the processor and the system: calls within a unit of code, stubs
//! that preserve all registers, instruction caches, memory that becomes executable.

#[cfg_attr(all(unix, target_arch = "x86_64"), path = "x86_64.rs")]
#[cfg_attr(all(unix, target_arch = "aarch64"), path = "aarch64.rs")]
#[cfg_attr(not(all(unix, any(target_arch = "x86_64", target_arch = "aarch64"))), path = "none.rs")]
#[allow(unsafe_code)]
mod this;

// On Apple's own processors memory for code is special from the start.
#[cfg_attr(all(target_vendor = "apple", target_arch = "aarch64"), path = "apple_pages.rs")]
#[cfg_attr(not(all(target_vendor = "apple", target_arch = "aarch64")), path = "pages.rs")]
#[allow(unsafe_code)]
mod pages;

pub(crate) use pages::{make_executable, map_writable};
pub(crate) use this::{
    CALL, ELF_MACHINE, code_was_written, feature_missing, preserving_call, set_call_distance,
};

/// What a stub does with the result of the function that it calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StubResult {
    None,
    /// 64 bits at an offset from the first argument.
    Long(u32),
    /// 32 bits there.
    Word(u32),
    /// A floating-point number there.
    Number(u32),
}
