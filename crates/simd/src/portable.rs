//! Kernels without vector instructions, for other processors. The loops over marks are also
//! compiled with the bit instructions of newer x86 processors.

use crate::block::BLOCK;
use crate::byte_table::ByteTable;
use crate::naive;

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(crate) use all::*;

/// What processors with vector kernels have in rooms of their own.
#[cfg(any(test, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod all {
    use crate::block::{BLOCK, each_block};
    use crate::naive::is_blank;
    pub(crate) use crate::naive::mask_of_members;
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    pub(crate) use crate::naive::{
        count_byte, count_code_points, first_not_below, mark_byte, mark_code_points, widen_utf16,
    };
    use crate::quoting::{self, Masks, QuoteState, QuotedSplit, Quoting, parity_by_shifts};

    pub(crate) fn is_ascii(text: &[u8]) -> bool {
        text.is_ascii()
    }

    /// Marks nothing; see [`crate::Occurrences`].
    pub(crate) fn mark_pair(_: &[u8], _: u8, _: u8, _: usize, _: &mut [u64]) -> usize {
        0
    }

    crate::field_loops::field_kernels!(mask_of_byte, mask_of_blanks, mask_of_members);

    pub(crate) fn mark_rows(
        text: &[u8],
        quoting: Quoting,
        state: &mut QuoteState,
        marks: &mut [u64],
        non_ascii: &mut [u64],
    ) {
        each_block(text, marks, non_ascii, |block, length, word| {
            let of = |wanted| mask_of_byte(block, 0, wanted);
            let masks = Masks { quote: of(quoting.quote), separator: 0, other: of(b'\n') };
            *word = quoting::mark_block(&block[..length], masks, state, parity_by_shifts);
            !block.is_ascii()
        });
    }

    pub(crate) fn split_quoted(
        text: &[u8],
        quoting: Quoting,
        from_at: usize,
        max_fields: usize,
        out: &mut Vec<(u32, u32)>,
    ) -> QuotedSplit {
        quoting::split_quoted(
            text,
            quoting,
            from_at,
            max_fields,
            out,
            |text, at| {
                let of = |wanted| mask_of_byte(text, at, wanted);
                Masks {
                    quote: of(quoting.quote),
                    separator: of(quoting.separator),
                    other: of(b'\r'),
                }
            },
            parity_by_shifts,
        )
    }

    fn mask_of_byte(text: &[u8], at: usize, wanted: u8) -> u64 {
        mask(text, at, |byte| byte == wanted)
    }

    fn mask_of_blanks(text: &[u8], at: usize) -> u64 {
        mask(text, at, is_blank)
    }

    /// The members of the 64 bytes from `at` on; 0 beyond the end.
    #[inline(always)]
    fn mask(text: &[u8], at: usize, is_member: impl Fn(u8) -> bool) -> u64 {
        let block = text.get(at..).unwrap_or_default().iter().take(BLOCK).enumerate();
        block.fold(0, |mask, (i, &byte)| mask | u64::from(is_member(byte)) << i)
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use crate::{field_loops, naive};
        use proptest::prelude::*;

        type Fields = Vec<(u32, u32)>;

        proptest! {
            #[test]
            fn fields_equal_the_twins(
                text in proptest::collection::vec(prop_oneof![4 => Just(b'a'), 1 => Just(b' '), 1 => Just(b':')], 0..300),
                from_at in 0usize..310,
                max_fields in 0usize..90,
            ) {
                let split = |split: &dyn Fn(&mut Fields) -> usize| {
                    let mut fields = Fields::new();
                    let resume_at = split(&mut fields);
                    (fields, resume_at)
                };
                prop_assert_eq!(
                    split(&|out| split_blanks(&text, from_at, max_fields, out)),
                    split(&|out| naive::split_blanks(&text, from_at, max_fields, out))
                );
                prop_assert_eq!(
                    split(&|out| split_byte(&text, b':', from_at, max_fields, out)),
                    split(&|out| naive::split_byte(&text, b':', from_at, max_fields, out))
                );
                prop_assert_eq!(
                    split(&|out| split_pair(&text, *b": ", from_at, max_fields, out)),
                    split(&|out| naive::split_pair(&text, *b": ", from_at, max_fields, out))
                );
                let class = crate::ByteClass::new(|byte| byte == b':' || byte == b' ');
                prop_assert_eq!(
                    split(&|out| split_members(&text, &class, from_at, max_fields, out)),
                    split(&|out| naive::split_members(&text, &class, from_at, max_fields, out))
                );
                prop_assert_eq!(
                    split(&|out| split_runs(&text, &class, from_at, max_fields, out)),
                    split(&|out| naive::split_runs(&text, &class, from_at, max_fields, out))
                );
                prop_assert_eq!(count_blank_fields(&text), naive::count_blank_fields(&text));
                let found = field_loops::found(find_blank_field(&text, max_fields));
                prop_assert_eq!(found, naive::find_blank_field(&text, max_fields));
                let blanks = text.iter().take(BLOCK).enumerate();
                let blanks = blanks.fold(0, |mask, (at, &byte)| mask | u64::from(is_blank(byte)) << at);
                prop_assert_eq!(mark_blanks(&text), blanks);
                let found = field_loops::found(find_byte_field(&text, b':', max_fields));
                prop_assert_eq!(found, naive::find_byte_field(&text, b':', max_fields));
                let mut marks = [7; 5];
                prop_assert_eq!(mark_pair(&text, b':', b' ', 1, &mut marks), 0);
                prop_assert_eq!(is_ascii(&text), text.is_ascii());
            }

            #[test]
            fn quoted_rows_equal_the_twins(
                text in proptest::collection::vec(proptest::sample::select(b"a,\"\r\n\xE9"), 0..300),
            ) {
                let mark = |mark: fn(&[u8], Quoting, &mut QuoteState, &mut [u64], &mut [u64])| {
                    let (mut marks, mut high, mut state) = ([7; 6], [7], QuoteState::START);
                    mark(&text, Quoting::CSV, &mut state, &mut marks, &mut high);
                    (marks, high, state)
                };
                prop_assert_eq!(mark(mark_rows), mark(naive::mark_rows));
                let (mut fields, mut expected) = (Fields::new(), Fields::new());
                let split = split_quoted(&text, Quoting::CSV, 0, usize::MAX, &mut fields);
                let twin = naive::split_quoted(&text, Quoting::CSV, 0, usize::MAX, &mut expected);
                prop_assert_eq!((split, fields), (twin, expected));
            }
        }
    }
}

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
