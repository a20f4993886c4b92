//! The encodings of one byte per character that need no table.

use super::single_byte::SingleByte;
use super::{Decode, Decoded, Encode, Encoded, Encoding, Verbatim};
use encoding_rs::mem::is_str_latin1;
use riverhawk_simd::ByteTable;
use std::sync::{Arc, LazyLock};

/// `ascii`: bytes from 0x80 on are undecodable.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ascii;

impl Encoding for Ascii {
    fn name(&self) -> &str {
        "ascii"
    }

    fn aliases(&self) -> &[&str] {
        &["us-ascii", "ansi_x3.4-1968", "iso646-us", "iso-ir-6", "646", "csascii"]
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(Ascii)
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(Ascii)
    }
}

impl Decode for Ascii {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        let consumed = encoding_rs::Encoding::ascii_valid_up_to(input);
        text.push_str(simdutf8::basic::from_utf8(&input[..consumed]).unwrap_or_default());
        Decoded { consumed, undecodable: usize::from(consumed < input.len()) }
    }

    fn decode_bytes(&mut self, input: &[u8], text: &mut Vec<u8>) -> Option<Decoded> {
        let consumed = encoding_rs::Encoding::ascii_valid_up_to(input);
        text.extend_from_slice(&input[..consumed]);
        Some(Decoded { consumed, undecodable: usize::from(consumed < input.len()) })
    }

    fn fork(&self) -> Box<dyn Decode> {
        Box::new(Ascii)
    }

    fn verbatim(&self) -> Verbatim {
        Verbatim::Ascii
    }
}

impl Encode for Ascii {
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
        let at = encoding_rs::Encoding::ascii_valid_up_to(text.as_bytes());
        bytes.extend_from_slice(&text.as_bytes()[..at]);
        text[at..]
            .chars()
            .next()
            .map_or(Encoded::All, |character| Encoded::Unmappable { at, character })
    }

    fn verbatim(&self) -> Verbatim {
        Verbatim::Ascii
    }
}

/// `iso-8859-1`: byte and code point are equal. Not windows-1252, which the web calls by this name.
#[derive(Clone, Copy, Debug, Default)]
pub struct Latin1;

impl Encoding for Latin1 {
    fn name(&self) -> &str {
        "iso-8859-1"
    }

    fn aliases(&self) -> &[&str] {
        &[
            "iso_8859-1:1987",
            "iso_8859-1",
            "iso-ir-100",
            "latin1",
            "latin-1",
            "csisolatin1",
            "l1",
            "ibm819",
            "cp819",
            "iso8859-1",
            "iso88591",
        ]
    }

    fn decoder(&self) -> Box<dyn Decode> {
        static TABLE: LazyLock<Arc<ByteTable>> =
            LazyLock::new(|| Arc::new(ByteTable::new(|byte| Some(char::from(byte)))));
        Box::new(SingleByte::new(Arc::clone(&TABLE)))
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(Latin1)
    }
}

impl Encode for Latin1 {
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
        let at = encoding_rs::mem::str_latin1_up_to(text);
        debug_assert!(is_str_latin1(&text[..at]));
        bytes.extend_from_slice(&encoding_rs::mem::encode_latin1_lossy(&text[..at]));
        text[at..]
            .chars()
            .next()
            .map_or(Encoded::All, |character| Encoded::Unmappable { at, character })
    }

    fn verbatim(&self) -> Verbatim {
        Verbatim::Ascii
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_of_latin_1_is_the_code_point_of_its_number_and_comes_back() {
        let all: Vec<u8> = (0..=255).cycle().take(10_005).collect();
        let mut text = String::new();
        assert_eq!(
            Latin1.decoder().decode(&all, &mut text),
            Decoded { consumed: all.len(), undecodable: 0 }
        );
        assert!(text.chars().eq(all.iter().map(|byte| char::from(*byte))));
        let mut bytes = Vec::new();
        assert_eq!(Latin1.encoder().encode(&text, &mut bytes), Encoded::All);
        assert_eq!(bytes, all);
    }

    #[test]
    fn what_ascii_and_latin_1_lack_stops_them_there() {
        let mut bytes = Vec::new();
        assert_eq!(Ascii.encode("aé", &mut bytes), Encoded::Unmappable { at: 1, character: 'é' });
        assert_eq!(Latin1.encode("é€", &mut bytes), Encoded::Unmappable { at: 2, character: '€' });
        assert_eq!(bytes, b"a\xE9");
        let mut text = String::new();
        assert_eq!(Ascii.decode(b"ab\x80", &mut text), Decoded { consumed: 2, undecodable: 1 });
        let mut bytes = Vec::new();
        assert_eq!(
            Ascii.decode_bytes(b"ab\x80", &mut bytes),
            Some(Decoded { consumed: 2, undecodable: 1 })
        );
        assert_eq!(
            Ascii.decode_bytes(b"ab", &mut bytes),
            Some(Decoded { consumed: 2, undecodable: 0 })
        );
        assert_eq!(bytes, b"abab");
    }
}
