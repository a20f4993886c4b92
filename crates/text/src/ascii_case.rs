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

#[inline(always)]
fn flip<const FIRST: u8>(bytes: &[u8; LANES]) -> [u8; LANES] {
    // A closure for `map` stays a call where code is not optimized across crates.
    let mut out = *bytes;
    for byte in &mut out {
        *byte = other_case::<FIRST>(*byte);
    }
    out
}

#[inline(always)]
fn other_case<const FIRST: u8>(byte: u8) -> u8 {
    byte ^ u8::from(byte.wrapping_sub(FIRST) < 26) << 5
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
