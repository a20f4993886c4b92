//! UTF-8 that loses nothing: every sequence of bytes decodes, and encodes to itself.
//!
//! In a `Decoder<Vec<u8>>` bytes and text are the same. In a `String` an undecodable byte 0x80 to
//! 0xFF becomes a private character, U+10FF80 to U+10FFFF ([`escape_byte`]). If the input has these
//! characters, they are escaped byte by byte, so different inputs have different texts.

use super::utf8::valid_prefix;
use super::{Decode, Decoded, Encode, Encoded, Encoding, Verbatim};

/// `utf-8-c8` ("clean 8"): decodes anything, and back to the same bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf8Clean8;

/// A byte plus this is its character.
const ESCAPES: u32 = 0x10_FF00;

/// The bytes that the UTF-8 of U+10FF80 to U+10FFFF begins with.
const ESCAPE_LEAD: [u8; 2] = [0xF4, 0x8F];

/// The character for an undecodable byte in `utf-8-c8` text; `None` for ASCII.
pub fn escape_byte(byte: u8) -> Option<char> {
    if byte < 0x80 { None } else { char::from_u32(ESCAPES + u32::from(byte)) }
}

/// The byte that `character` stands for in `utf-8-c8` text, if it is one of the 128.
pub fn escaped_byte(character: char) -> Option<u8> {
    u8::try_from(u32::from(character).wrapping_sub(ESCAPES)).ok().filter(|byte| *byte >= 0x80)
}

impl Encoding for Utf8Clean8 {
    fn name(&self) -> &str {
        "utf-8-c8"
    }

    fn aliases(&self) -> &[&str] {
        &["utf8-c8"]
    }

    // No byte order mark, since decoding would lose it.

    fn replacement(&self) -> &str {
        "\u{FFFD}"
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(Utf8Clean8)
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(Utf8Clean8)
    }
}

impl Decode for Utf8Clean8 {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        let mut consumed = 0;
        loop {
            let (valid, undecodable) = valid_prefix(&input[consumed..]);
            push_without_escapes(valid, text);
            consumed += valid.len();
            if undecodable == 0 {
                return Decoded { consumed, undecodable: 0 };
            }
            text.extend(
                input[consumed..consumed + undecodable]
                    .iter()
                    .filter_map(|byte| escape_byte(*byte)),
            );
            consumed += undecodable;
        }
    }

    fn fork(&self) -> Box<dyn Decode> {
        Box::new(Utf8Clean8)
    }

    fn verbatim(&self) -> Verbatim {
        Verbatim::Bytes
    }

    fn finish(&mut self, tail: &[u8], text: &mut String) -> Decoded {
        text.extend(tail.iter().filter_map(|byte| escape_byte(*byte)));
        Decoded { consumed: tail.len(), undecodable: 0 }
    }
}

/// Appends valid text, escaping the characters that look like an escape.
fn push_without_escapes(valid: &str, text: &mut String) {
    let mut from = 0;
    for at in memchr::memchr_iter(ESCAPE_LEAD[0], valid.as_bytes()) {
        if valid[at..].chars().next().and_then(escaped_byte).is_some() {
            text.push_str(&valid[from..at]);
            text.extend(valid.as_bytes()[at..at + 4].iter().filter_map(|byte| escape_byte(*byte)));
            from = at + 4;
        }
    }
    text.push_str(&valid[from..]);
}

impl Encode for Utf8Clean8 {
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
        let mut from = 0;
        for at in memchr::memmem::find_iter(text.as_bytes(), &ESCAPE_LEAD) {
            if let Some(byte) = text[at..].chars().next().and_then(escaped_byte) {
                bytes.extend_from_slice(&text.as_bytes()[from..at]);
                bytes.push(byte);
                from = at + 4;
            }
        }
        bytes.extend_from_slice(&text.as_bytes()[from..]);
        Encoded::All
    }

    fn verbatim(&self) -> Verbatim {
        Verbatim::Bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_high_byte_has_one_character_and_comes_back() {
        for byte in 0x80..=0xFF {
            let character = escape_byte(byte).expect("high bytes have one");
            assert_eq!(escaped_byte(character), Some(byte));
        }
        assert_eq!(escape_byte(0x7F), None);
        assert_eq!((escaped_byte('\u{10FF7F}'), escaped_byte('a')), (None, None));
    }

    #[test]
    fn a_private_character_of_the_input_is_not_taken_for_a_byte() {
        let mut text = String::new();
        let input = "x\u{10FFE9}y\u{10FF7F}".as_bytes();
        assert_eq!(Utf8Clean8.decode(input, &mut text).consumed, input.len());
        assert_eq!(text, "x\u{10FFF4}\u{10FF8F}\u{10FFBF}\u{10FFA9}y\u{10FF7F}");
        let mut bytes = Vec::new();
        Utf8Clean8.encode(&text, &mut bytes);
        assert_eq!(bytes, input);
    }
}
