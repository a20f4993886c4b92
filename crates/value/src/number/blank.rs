//! Bytes that may surround a number.

/// Whether numbers may have this byte around them.
#[inline]
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}
