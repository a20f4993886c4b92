//! A hash that is the same in every run and version.

/// FNV-1a, in 64 bits (Fowler, Noll, Vo: <https://datatracker.ietf.org/doc/html/rfc9923>).
pub(crate) fn fnv_1a(text: &[u8]) -> u64 {
    text.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
