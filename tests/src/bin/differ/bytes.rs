//! Bytes that are not a character, in generated texts.

/// U+F780 to U+F7FF represent the bytes 80 to FF.
const FIRST: u32 = 0xf780;
const LAST: u32 = 0xf7ff;

pub fn stands_for(byte: u8) -> char {
    char::from_u32(FIRST - 0x80 + u32::from(byte)).unwrap_or('?')
}

pub fn written(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c) {
            code @ FIRST..=LAST => out.push((code - FIRST + 0x80) as u8),
            _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    out
}

/// The text with these bytes as `\xHH`.
pub fn readable(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match u32::from(c) {
            code @ FIRST..=LAST => out.push_str(&format!("\\x{:02X}", code - FIRST + 0x80)),
            _ => out.push(c),
        }
    }
    out
}
