//! The case of ASCII letters.
//!
//! The standard library changes the last bytes of a short text one by one. Here the last 16 bytes
//! are one more vector, which overlaps the vector before.

const LANES: usize = 16;

/// Writes `text` to `out` with ASCII letters in upper case.
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn copy_ascii_upper(text: &[u8], out: &mut [u8]) {
    copy::<b'a'>(text, out);
}

/// Writes `text` to `out` with ASCII letters in lower case.
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn copy_ascii_lower(text: &[u8], out: &mut [u8]) {
    copy::<b'A'>(text, out);
}

#[inline]
fn copy<const FIRST: u8>(text: &[u8], out: &mut [u8]) {
    assert_eq!(text.len(), out.len());
    let (chunks, tail) = text.as_chunks::<LANES>();
    for (chunk, out) in chunks.iter().zip(out.as_chunks_mut::<LANES>().0) {
        *out = flip::<FIRST>(chunk);
    }
    if tail.is_empty() {
        return;
    }
    match (text.last_chunk::<LANES>(), out.last_chunk_mut::<LANES>()) {
        (Some(last), Some(out)) => *out = flip::<FIRST>(last),
        _ => tail.iter().zip(out).for_each(|(&byte, out)| *out = other_case::<FIRST>(byte)),
    }
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
    fn every_byte_at_every_place_of_every_length_changes_as_in_the_standard_library() {
        for length in 0..70 {
            for shift in 0..=255u8 {
                let text: Vec<u8> =
                    (0..length).map(|i: u8| i.wrapping_mul(37).wrapping_add(shift)).collect();
                let mut out = vec![0; text.len()];
                copy_ascii_upper(&text, &mut out);
                assert_eq!(out, text.to_ascii_uppercase());
                copy_ascii_lower(&text, &mut out);
                assert_eq!(out, text.to_ascii_lowercase());
            }
        }
    }
}
