//! Text of one byte or one 16-bit unit per character to UTF-8.
//!
//! Such text is mostly ASCII with some accents: a branch that tests for them is mispredicted once a
//! line, which costs more than the conversion. So the kernels do not branch:
//!
//! - **Bytes**, 64 at a time: the block is written as it is, then, twice, the next longer character
//!   and the rest of the block. Only sums of lengths depend on the block before, so blocks overlap.
//! - **Units**, eight at a time: two bytes for each, then a shuffle removes the spare bytes of
//!   ASCII (as simdutf does); eight of three bytes by a fixed shuffle; mixtures one by one.
//!
//! Nanoseconds for a line of 60 characters (`cargo run --release -p riverhawk-simd --example
//! widen_costs`; AMD EPYC, AVX2):
//!
//! | not ASCII | any single byte | `encoding_rs` | UTF-16LE | `encoding_rs` |
//! |---|---|---|---|---|
//! | 0 | 1.2 | 8.6 | 2.0 | 17 |
//! | 1 | 6.1 | 27 | 11 | 27 |
//! | 10 | 19 | 121 | 11 | 110 |
//! | 40 | 21 | 308 | 11 | 274 |

use crate::byte_table::{ByteOrder, ByteTable};

/// Appends `input` in UTF-8 to `out`, up to the first byte without a character; returns the bytes
/// consumed.
pub fn widen_bytes(input: &[u8], table: &ByteTable, out: &mut Vec<u8>) -> usize {
    crate::kernels::widen_bytes(input, table, out)
}

/// Appends the UTF-16 in `input` to `out` in UTF-8, up to the first unpaired surrogate or
/// incomplete unit or pair; returns the bytes consumed.
///
/// ```
/// use riverhawk_simd::{ByteOrder, widen_utf16};
///
/// let mut text = Vec::new();
/// assert_eq!(widen_utf16(b"\0n\0a\0\xEF\xD8\x3D\xDE\x00\xD8", ByteOrder::Big, &mut text), 10);
/// assert_eq!(text, "naï😀".as_bytes());
/// ```
pub fn widen_utf16(input: &[u8], order: ByteOrder, out: &mut Vec<u8>) -> usize {
    crate::kernels::widen_utf16(input, order, out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn latin1() -> ByteTable {
        ByteTable::new(|byte| Some(char::from(byte)))
    }

    fn mixed() -> ByteTable {
        ByteTable::new(|byte| match byte {
            0x80..0x90 => None,
            0x90..0xC0 => char::from_u32(0x2000 + u32::from(byte)),
            0xC0.. => char::from_u32(0x370 + u32::from(byte)),
            _ => Some('x'),
        })
    }

    fn bytes_as_the_twin(input: &[u8], table: &ByteTable) {
        let (mut fast, mut slow) = (b"before".to_vec(), b"before".to_vec());
        assert_eq!(
            widen_bytes(input, table, &mut fast),
            crate::naive::widen_bytes(input, table, &mut slow)
        );
        assert_eq!(fast, slow);
        let mut by_words = b"before".to_vec();
        crate::portable::widen_bytes(input, table, &mut by_words);
        assert_eq!(by_words, slow);
    }

    fn units_as_the_twin(input: &[u8]) {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let (mut fast, mut slow) = (b"before".to_vec(), b"before".to_vec());
            assert_eq!(
                widen_utf16(input, order, &mut fast),
                crate::naive::widen_utf16(input, order, &mut slow)
            );
            assert_eq!(fast, slow);
        }
    }

    #[test]
    fn every_byte_at_every_place_of_a_block_widens_as_the_twin() {
        for table in [latin1(), mixed()] {
            for byte in 0x80..=0xFF {
                for at in 0..200 {
                    let mut input = [b'a'; 300];
                    input[at] = byte;
                    bytes_as_the_twin(&input, &table);
                    input[at + 40] = 0xF0;
                    bytes_as_the_twin(&input[..at + 60], &table);
                }
            }
        }
    }

    #[test]
    fn every_kind_of_unit_at_every_place_of_a_block_widens_as_the_twin() {
        for units in [
            [0x7F, 0x80],
            [0xE9, 0x7FF],
            [0x800, 0xFFFF],
            [0xD83D, 0xDE00],
            [0xDE00, 0x41],
            [0xD83D, 0x41],
        ] {
            for at in 0..150 {
                let mut input = vec![u16::from(b'a'); 300];
                input[at..at + 2].copy_from_slice(&units);
                for order in [u16::to_le_bytes, u16::to_be_bytes] {
                    let bytes: Vec<u8> = input.iter().flat_map(|unit| order(*unit)).collect();
                    units_as_the_twin(&bytes);
                    units_as_the_twin(&bytes[..2 * at + 3]);
                    units_as_the_twin(&bytes[..2 * at + 2]);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn bytes_widen_as_the_twin(
            input in proptest::collection::vec(any::<u8>(), 0..700), ascii: u8, every in 1usize..40,
        ) {
            let sparse: Vec<u8> =
                input.iter().enumerate().map(|(at, b)| if at % every == 0 { *b } else { ascii & 0x7F }).collect();
            for table in [latin1(), mixed()] {
                bytes_as_the_twin(&input, &table);
                bytes_as_the_twin(&sparse, &table);
            }
        }

        #[test]
        fn units_widen_as_the_twin(
            units in proptest::collection::vec(any::<u16>(), 0..400), every in 1usize..40, cut in 0usize..3,
            mask in prop_oneof![Just(0xFFu16), Just(0x7FF), Just(0xD7FF), Just(0xFFFF)],
        ) {
            let sparse = units.iter().enumerate().map(|(at, u)| if at % every == 0 { u & mask } else { u & 0x7F });
            let bytes: Vec<u8> = sparse.flat_map(u16::to_le_bytes).collect();
            units_as_the_twin(&bytes[..bytes.len().saturating_sub(cut)]);
        }

        #[test]
        fn text_survives_the_way_through_utf_16(text: String) {
            for (order, bytes) in [(ByteOrder::Little, u16::to_le_bytes as fn(u16) -> [u8; 2]), (ByteOrder::Big, u16::to_be_bytes)] {
                let input: Vec<u8> = text.encode_utf16().flat_map(bytes).collect();
                let mut out = Vec::new();
                prop_assert_eq!(widen_utf16(&input, order, &mut out), input.len());
                prop_assert_eq!(out, text.as_bytes());
            }
        }
    }
}
