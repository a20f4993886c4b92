//! The kernels of the processor that is compiled for.

#[cfg(target_arch = "aarch64")]
pub(crate) use crate::neon::*;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use crate::portable::*;
#[cfg(target_arch = "x86_64")]
pub(crate) use crate::x86::*;
