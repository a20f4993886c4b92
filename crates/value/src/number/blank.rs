//! What may stand around a number.

/// Is this a blank that numbers may have around them: space, tab, newline, vertical tab, form feed,
/// carriage return?
#[inline]
pub fn is_blank(byte: u8) -> bool {
    byte == b' ' || (b'\t'..=b'\r').contains(&byte)
}
