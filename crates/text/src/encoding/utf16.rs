//! UTF-16 in a given byte order, or in that of its byte order mark.

use super::adopt::append_widened_units;
use super::text::character_begin;
use super::{Decode, Decoded, Encode, Encoded, Encoding};
use encoding_rs::mem::convert_str_to_utf16;
use riverhawk_simd::{ByteOrder, widen_utf16};

const BLOCK: usize = 1024;

/// `utf-16`: the byte order mark decides the order and is not text; without one it is
/// little-endian. Output is little-endian with a mark.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf16;

/// `utf-16le`: little-endian. Its mark at the start is skipped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf16Le;

/// `utf-16be`: big-endian. Its mark at the start is skipped.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf16Be;

impl Encoding for Utf16 {
    fn name(&self) -> &str {
        "utf-16"
    }

    fn aliases(&self) -> &[&str] {
        &["utf16", "csunicode", "iso-10646-ucs-2", "ucs-2", "unicode"]
    }

    // `bom` stays empty: decoder and encoder handle the mark.

    fn replacement(&self) -> &str {
        "\u{FFFD}"
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(Units { order: None })
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(Utf16Encode { order: ByteOrder::Little, owes_mark: true })
    }
}

impl Encoding for Utf16Le {
    fn name(&self) -> &str {
        "utf-16le"
    }

    fn aliases(&self) -> &[&str] {
        &["utf16le", "utf-16-le", "unicodefeff"]
    }

    fn bom(&self) -> &[u8] {
        b"\xFF\xFE"
    }

    fn replacement(&self) -> &str {
        "\u{FFFD}"
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(Units { order: Some(ByteOrder::Little) })
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(Utf16Encode { order: ByteOrder::Little, owes_mark: false })
    }
}

impl Encoding for Utf16Be {
    fn name(&self) -> &str {
        "utf-16be"
    }

    fn aliases(&self) -> &[&str] {
        &["utf16be", "utf-16-be", "unicodefffe"]
    }

    fn bom(&self) -> &[u8] {
        b"\xFE\xFF"
    }

    fn replacement(&self) -> &str {
        "\u{FFFD}"
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(Units { order: Some(ByteOrder::Big) })
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(Utf16Encode { order: ByteOrder::Big, owes_mark: false })
    }
}

#[derive(Clone, Copy, Debug)]
struct Units {
    order: Option<ByteOrder>,
}

impl Decode for Units {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        self.decode_by(input, |input, order| append_widened_units(text, input, order))
    }

    fn decode_bytes(&mut self, input: &[u8], text: &mut Vec<u8>) -> Option<Decoded> {
        Some(self.decode_by(input, |input, order| widen_utf16(input, order, text)))
    }

    fn fork(&self) -> Box<dyn Decode> {
        Box::new(*self)
    }

    fn permit(&self, _: &[u8], text: &mut String) {
        // No character has the number of a surrogate.
        text.push('\u{FFFD}');
    }
}

impl Units {
    /// Decodes with `widen`, which appends and returns how much input it consumed.
    fn decode_by(
        &mut self,
        input: &[u8],
        widen: impl FnOnce(&[u8], ByteOrder) -> usize,
    ) -> Decoded {
        let mut consumed = 0;
        let order = match (self.order, input) {
            (Some(order), _) => order,
            (None, [first, second, ..]) => {
                let (order, mark) = match (first, second) {
                    (0xFF, 0xFE) => (ByteOrder::Little, 2),
                    (0xFE, 0xFF) => (ByteOrder::Big, 2),
                    _ => (ByteOrder::Little, 0),
                };
                consumed = mark;
                *self.order.insert(order)
            }
            (None, _) => return Decoded::default(),
        };
        consumed += widen(&input[consumed..], order);
        let undecodable = match input[consumed..] {
            // A high surrogate at the end waits for its partner.
            [] | [_] => 0,
            [a, b] | [a, b, _] if is_high_surrogate(order, [a, b]) => 0,
            _ => 2,
        };
        Decoded { consumed, undecodable }
    }
}

fn is_high_surrogate(order: ByteOrder, pair: [u8; 2]) -> bool {
    let unit = match order {
        ByteOrder::Little => u16::from_le_bytes(pair),
        ByteOrder::Big => u16::from_be_bytes(pair),
    };
    unit & 0xFC00 == 0xD800
}

struct Utf16Encode {
    order: ByteOrder,
    owes_mark: bool,
}

impl Encode for Utf16Encode {
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
        self.finish(bytes);
        bytes.reserve(2 * text.len());
        let mut units = [0u16; BLOCK];
        let mut rest = text;
        while !rest.is_empty() {
            let (block, after) = rest.split_at(character_begin(rest, BLOCK));
            rest = after;
            let count = convert_str_to_utf16(block, &mut units);
            let from = bytes.len();
            bytes.resize(from + 2 * count, 0);
            let pairs = bytes[from..].as_chunks_mut::<2>().0.iter_mut().zip(&units);
            match self.order {
                ByteOrder::Little => pairs.for_each(|(pair, unit)| *pair = unit.to_le_bytes()),
                ByteOrder::Big => pairs.for_each(|(pair, unit)| *pair = unit.to_be_bytes()),
            }
        }
        Encoded::All
    }

    fn finish(&mut self, bytes: &mut Vec<u8>) {
        // Even an empty file has the mark.
        if std::mem::take(&mut self.owes_mark) {
            bytes.extend_from_slice(b"\xFF\xFE");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(encoding: &dyn Encoding, input: &[u8]) -> (String, Decoded) {
        let mut text = String::new();
        let result = encoding.decoder().decode(input, &mut text);
        (text, result)
    }

    #[test]
    fn the_mark_decides_the_order_and_is_not_text() {
        assert_eq!(decoded(&Utf16, b"\xFE\xFF\0a").0, "a");
        assert_eq!(decoded(&Utf16, b"\xFF\xFEa\0").0, "a");
        assert_eq!(decoded(&Utf16, b"a\0").0, "a");
        assert_eq!(decoded(&Utf16, b"\xFF\xFEa\0\xFF\xFE").0, "a\u{FEFF}");
    }

    #[test]
    fn surrogates_come_in_pairs_or_are_undecodable() {
        assert_eq!(
            decoded(&Utf16Be, b"\xD8\x3D\xDE\x00"),
            ("😀".into(), Decoded { consumed: 4, undecodable: 0 })
        );
        assert_eq!(
            decoded(&Utf16Be, b"\0a\xD8\x3D"),
            ("a".into(), Decoded { consumed: 2, undecodable: 0 })
        );
        assert_eq!(
            decoded(&Utf16Be, b"\0a\xD8\x3D\0b"),
            ("a".into(), Decoded { consumed: 2, undecodable: 2 })
        );
        assert_eq!(
            decoded(&Utf16Be, b"\xDE\x00\0b"),
            (String::new(), Decoded { consumed: 0, undecodable: 2 })
        );
        assert_eq!(
            decoded(&Utf16Le, b"a\0b"),
            ("a".into(), Decoded { consumed: 2, undecodable: 0 })
        );
    }

    #[test]
    fn long_text_with_pairs_across_every_block_edge_survives() {
        for shift in 0..2 {
            let text = "x".repeat(shift) + &"😀é€a".repeat(2000);
            let mut bytes = Vec::new();
            Utf16Le.encoder().encode(&text, &mut bytes);
            assert_eq!(
                decoded(&Utf16Le, &bytes),
                (text, Decoded { consumed: bytes.len(), undecodable: 0 })
            );
        }
    }
}
