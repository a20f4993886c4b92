//! Whether a text is all ASCII.

/// Whether every byte is below 0x80.
#[inline]
pub fn is_ascii(text: &[u8]) -> bool {
    // Up to 16 bytes, two overlapping words suffice.
    let length = text.len();
    if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>())
        && length <= 16
    {
        return (u64::from_ne_bytes(*first) | u64::from_ne_bytes(*last)) & 0x8080_8080_8080_8080
            == 0;
    }
    crate::kernels::is_ascii(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_high_byte_anywhere_is_seen() {
        for length in 0..300 {
            let mut text = vec![0x7F; length];
            assert!(is_ascii(&text), "{length}");
            for at in 0..length {
                text[at] = 0x80;
                assert!(!is_ascii(&text), "{length} {at}");
                text[at] = 0;
            }
        }
    }
}
