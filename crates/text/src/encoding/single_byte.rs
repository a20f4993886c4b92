//! The decoder of all encodings with one byte per character.
//!
//! It uses [`riverhawk_simd::widen_bytes`]: `encoding_rs` is slow where ASCII alternates with other
//! characters.

use super::adopt::append_widened;
use super::{Decode, Decoded, Verbatim};
use riverhawk_simd::{ByteTable, widen_bytes};
use std::sync::Arc;

#[derive(Clone)]
pub(super) struct SingleByte {
    table: Arc<ByteTable>,
    is_total: bool,
}

impl SingleByte {
    pub(super) fn new(table: Arc<ByteTable>) -> SingleByte {
        let is_total = (0x80..=0xFF).all(|byte| table.utf8(byte).1 > 0);
        SingleByte { table, is_total }
    }
}

impl Decode for SingleByte {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        let consumed = append_widened(text, input, &self.table);
        Decoded { consumed, undecodable: usize::from(consumed < input.len()) }
    }

    fn decode_bytes(&mut self, input: &[u8], text: &mut Vec<u8>) -> Option<Decoded> {
        let consumed = widen_bytes(input, &self.table, text);
        Some(Decoded { consumed, undecodable: usize::from(consumed < input.len()) })
    }

    fn fork(&self) -> Box<dyn Decode> {
        Box::new(self.clone())
    }

    fn verbatim(&self) -> Verbatim {
        Verbatim::Ascii
    }

    fn is_total(&self) -> bool {
        self.is_total
    }
}

#[cfg(test)]
mod tests {
    use crate::decoder::Decoder;
    use crate::encoding::{Encodings, Policy};

    #[test]
    fn every_byte_of_every_single_byte_encoding_says_what_the_standard_says() {
        let encodings = Encodings::new();
        let standard = |name: &str| {
            encoding_rs::Encoding::for_label(name.as_bytes()).filter(|own| own.is_single_byte())
        };
        // The web's `iso-8859-1` and `ascii` are windows-1252.
        let names = encodings
            .iter()
            .map(|encoding| encoding.name())
            .filter(|name| !["iso-8859-1", "ascii"].contains(name));
        let mut count = 0;
        for (name, own) in names.filter_map(|name| Some((name, standard(name)?))) {
            count += 1;
            let input: Vec<u8> =
                (0..=255).flat_map(|byte| [byte, b' ', 255 - byte]).cycle().take(5000).collect();
            let encoding = encodings.get(name).expect("listed");
            let mut ours = Vec::new();
            let policy = Policy::ReplaceWith("\u{FFFD}".into());
            let mut decoder = Decoder::bytes(encoding).with_policy(policy);
            for piece in input.chunks(997) {
                decoder.add_slice(piece);
                decoder.take_available_into(&mut ours).expect("replaced");
            }
            assert_eq!(
                String::from_utf8(ours).as_deref(),
                Ok(&*own.decode_without_bom_handling(&input).0),
                "{name}"
            );
        }
        assert!(count >= 27, "only {count} encodings");
    }
}
