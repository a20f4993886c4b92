//! The case of ASCII letters.

/// Bytes whose case is changed at once.
pub const LANES: usize = 16;

/// The bytes with ASCII letters in upper case.
#[inline(always)]
pub fn upper_lanes(bytes: &[u8; LANES]) -> [u8; LANES] {
    flip::<b'a'>(bytes)
}

/// The bytes with ASCII letters in lower case.
#[inline(always)]
pub fn lower_lanes(bytes: &[u8; LANES]) -> [u8; LANES] {
    flip::<b'A'>(bytes)
}

/// Eight bytes in one word at once: whether a loop over bytes becomes vectors depends on what it is
/// inlined into.
#[inline(always)]
fn flip<const FIRST: u8>(bytes: &[u8; LANES]) -> [u8; LANES] {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let word = |at: usize| {
        let word = bytes[at..at + 8].try_into().map_or(0, u64::from_le_bytes);
        // Without their highest bits, no sum of bytes reaches the next.
        let low = word & (ONES * 0x7f);
        let from = |byte: u8| low + ONES * u64::from(0x80 - byte);
        let letters = from(FIRST) & !from(FIRST + 26) & !word & (ONES * 0x80);
        u128::from(word ^ letters >> 2)
    };
    (word(0) | word(8) << 64).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_at_every_place_changes_as_in_the_standard_library() {
        for byte in 0..=u8::MAX {
            for at in 0..LANES {
                let mut bytes = *b"[@Zz`{\0\x7faA\xc3\xa9mM09";
                bytes[at] = byte;
                assert_eq!(&upper_lanes(&bytes)[..], bytes.to_ascii_uppercase());
                assert_eq!(&lower_lanes(&bytes)[..], bytes.to_ascii_lowercase());
            }
        }
    }
}
