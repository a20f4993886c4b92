//! Loops without vector instructions, also compiled with the bit instructions of newer processors.

use crate::block::BLOCK;
use crate::byte_table::ByteTable;
use crate::naive;

/// Elements after the last place that [`gather_places`](crate::gather_places) may overwrite.
pub const PLACES_SLACK: usize = 2;

/// See [`crate::gather_places`].
#[inline(always)]
pub(crate) fn gather_places(marks: &[u64], places: &mut [u16]) -> usize {
    let mut count = 0;
    for (k, &word) in marks.iter().enumerate() {
        let first = (BLOCK * k) as u16;
        let mut word = word;
        let bits = word.count_ones() as usize;
        let mut at = count;
        // Two at a time, so that most words need no loop; spare ones are overwritten.
        loop {
            let two: &mut [u16; PLACES_SLACK] =
                places[at..].first_chunk_mut().expect("room for the places and PLACES_SLACK");
            for place in two {
                *place = first.wrapping_add(word.trailing_zeros() as u16);
                word &= word.wrapping_sub(1);
            }
            at += PLACES_SLACK;
            if at >= count + bits {
                break;
            }
        }
        count += bits;
    }
    count
}

/// Sums before each word reduce a place to a load, a mask and a count.
#[inline(always)]
pub(crate) fn rank_places(marks: &[u64], places: &[u16], ranks: &mut [u16]) -> usize {
    let mut sums = [(0, 0); BLOCK];
    let mut total = 0;
    for (entry, &word) in sums.iter_mut().zip(marks) {
        *entry = (total, word);
        total += word.count_ones() as u16;
    }
    for (&place, rank) in places.iter().zip(ranks) {
        let (sum, word) = sums[usize::from(place) / BLOCK % BLOCK];
        *rank = sum + (word & ((1 << (place % BLOCK as u16)) - 1)).count_ones() as u16;
    }
    usize::from(total)
}

/// See [`crate::widen_bytes`]: eight bytes of ASCII at a time.
pub(crate) fn widen_bytes(input: &[u8], table: &ByteTable, out: &mut Vec<u8>) -> usize {
    let (words, tail) = input.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        if u64::from_ne_bytes(*word) & 0x8080_8080_8080_8080 == 0 {
            out.extend_from_slice(word);
            continue;
        }
        let consumed = naive::widen_bytes(word, table, out);
        if consumed < 8 {
            return 8 * index + consumed;
        }
    }
    input.len() - tail.len() + naive::widen_bytes(tail, table, out)
}
