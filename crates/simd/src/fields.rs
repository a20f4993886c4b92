//! Field kernels: where the fields of one record are.
//!
//! A record is classified 64 bytes at a time into a mask of its separators.
//! `examples/field_costs.rs` compares with byte loops.
//!
//! Positions are `u32`; readers reject records of 4 GiB.

use crate::block::BLOCK;
use crate::byte_class::ByteClass;
use crate::field_loops;
use std::num::NonZero;

/// awk's default splitting: fields are runs of bytes other than space, tab and newline.
///
/// Pushes `(start, end)` of at most `max_fields` fields from `from_at` on, and returns the position
/// to resume from, `text.len()` at the end. A field cut by `from_at` counts from there.
///
/// ```
/// let mut fields = Vec::new();
/// let resume_at = riverhawk_simd::split_blanks(b"a bc\td", 0, 2, &mut fields);
/// assert_eq!((resume_at, &fields[..]), (4, &[(0, 1), (2, 4)][..]));
/// assert_eq!(riverhawk_simd::split_blanks(b"a bc\td", resume_at, 9, &mut fields), 6);
/// assert_eq!(fields[2], (5, 6));
/// ```
///
/// # Panics
/// If `text` has more than `u32::MAX` bytes.
#[inline]
pub fn split_blanks(
    text: &[u8],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    check_length(text);
    crate::kernels::split_blanks(text, from_at, max_fields, out)
}

/// Splits at a byte: `a::b` has three fields and `a:` two, the last one empty.
///
/// Pushes `(start, end)` of at most `max_fields` fields from `from_at` on, and returns where the
/// next one begins, or [`FINISHED`](crate::FINISHED). If that is `text.len()`, an empty last field
/// follows. An empty `text` has no field.
///
/// ```
/// use riverhawk_simd::{FINISHED, split_byte};
/// let mut fields = Vec::new();
/// let resume_at = split_byte(b"a:", b':', 0, 1, &mut fields);
/// assert_eq!((resume_at, fields[0]), (2, (0, 1)));
/// assert_eq!(split_byte(b"a:", b':', resume_at, 1, &mut fields), FINISHED);
/// assert_eq!(fields[1], (2, 2));
/// ```
///
/// # Panics
/// If `text` has more than `u32::MAX` bytes.
#[inline]
pub fn split_byte(
    text: &[u8],
    separator: u8,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    check_length(text);
    crate::kernels::split_byte(text, separator, from_at, max_fields, out)
}

/// Splits at a pair of bytes, like `": "`; otherwise as [`split_byte`].
///
/// ```
/// let mut fields = Vec::new();
/// riverhawk_simd::split_pair(b"Host: a:b", *b": ", 0, usize::MAX, &mut fields);
/// assert_eq!(fields, [(0, 4), (6, 9)]);
/// ```
///
/// # Panics
/// If `text` has more than `u32::MAX` bytes.
#[inline]
pub fn split_pair(
    text: &[u8],
    pair: [u8; 2],
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    check_length(text);
    // The masks assume that occurrences do not overlap.
    if pair[0] == pair[1] {
        return crate::naive::split_pair(text, pair, from_at, max_fields, out);
    }
    crate::kernels::split_pair(text, pair, from_at, max_fields, out)
}

/// Splits at each byte of a set; otherwise as [`split_byte`].
///
/// ```
/// use riverhawk_simd::{ByteClass, split_members};
/// let marks = ByteClass::new(|byte| b",;".contains(&byte));
/// let mut fields = Vec::new();
/// split_members(b"a,;b", &marks, 0, usize::MAX, &mut fields);
/// assert_eq!(fields, [(0, 1), (2, 2), (3, 4)]);
/// ```
///
/// # Panics
/// If `text` has more than `u32::MAX` bytes.
#[inline]
pub fn split_members(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    check_length(text);
    crate::kernels::split_members(text, class, from_at, max_fields, out)
}

/// Splits at runs of bytes of a set: a run at the beginning has an empty field before it, and one at
/// the end an empty field after it. Otherwise as [`split_byte`].
///
/// ```
/// use riverhawk_simd::{ByteClass, split_runs};
/// let others = ByteClass::new(|byte| !byte.is_ascii_lowercase());
/// let mut fields = Vec::new();
/// split_runs(b"to be, or", &others, 0, usize::MAX, &mut fields);
/// assert_eq!(fields, [(0, 2), (3, 5), (7, 9)]);
/// ```
///
/// # Panics
/// If `text` has more than `u32::MAX` bytes.
#[inline]
pub fn split_runs(
    text: &[u8],
    class: &ByteClass,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> usize {
    check_length(text);
    crate::kernels::split_runs(text, class, from_at, max_fields, out)
}

/// `(start, end)` of field `n`, from 1, of [`split_blanks`].
///
/// ```
/// assert_eq!(riverhawk_simd::find_blank_field(b" a bc\td", 2), Some((3, 5)));
/// assert_eq!(riverhawk_simd::find_blank_field(b" a bc\td", 4), None);
/// ```
///
/// # Panics
/// If `text` has more than `u32::MAX` bytes.
#[inline]
pub fn find_blank_field(text: &[u8], n: usize) -> Option<(u32, u32)> {
    if text.len() < BLOCK {
        return find_marked_field(mark_fields(text, text.len()), n);
    }
    check_length(text);
    let before = n.checked_sub(1)?;
    field_loops::found(crate::kernels::find_blank_field(text, before))
}

/// How many bytes [`mark_fields`] marks.
pub const MARKED_BYTES: usize = BLOCK;

/// Which of the first [`MARKED_BYTES`] are in fields, a bit for each, for [`find_marked_field`]: of the text
/// that is `length` bytes long, and may have others behind it.
#[inline]
pub fn mark_fields(text: &[u8], length: usize) -> u64 {
    let beyond = if length < BLOCK { !0 << length } else { 0 };
    !(crate::kernels::mark_blanks(text) | beyond)
}

/// As [`find_blank_field`], if the field ends among the [marked](mark_fields) bytes, or with a
/// shorter text.
///
/// ```
/// use riverhawk_simd::{find_marked_field, mark_fields};
/// let inside = mark_fields(b" a bc\td", 7);
/// assert_eq!(find_marked_field(inside, 2), Some((3, 5)));
/// ```
#[inline]
pub fn find_marked_field(inside: u64, n: usize) -> Option<(u32, u32)> {
    let mut edges = inside ^ inside << 1;
    for _ in 0..n.checked_sub(1)? {
        if edges == 0 {
            return None;
        }
        edges &= edges - 1;
        edges &= edges.wrapping_sub(1);
    }
    let start = NonZero::new(edges)?;
    let end = NonZero::new(edges & (edges - 1))?;
    Some((start.trailing_zeros(), end.trailing_zeros()))
}

/// `(start, end)` of field `n`, from 1, of [`split_byte`].
///
/// ```
/// assert_eq!(riverhawk_simd::find_byte_field(b"a::b", b':', 2), Some((2, 2)));
/// assert_eq!(riverhawk_simd::find_byte_field(b"a::b", b':', 4), None);
/// ```
///
/// # Panics
/// If `text` has more than `u32::MAX` bytes.
#[inline]
pub fn find_byte_field(text: &[u8], separator: u8, n: usize) -> Option<(u32, u32)> {
    check_length(text);
    let before = n.checked_sub(1)?;
    field_loops::found(crate::kernels::find_byte_field(text, separator, before))
}

/// How many fields [`split_blanks`] would find.
#[inline]
pub fn count_blank_fields(text: &[u8]) -> usize {
    crate::kernels::count_blank_fields(text)
}

#[inline]
fn check_length(text: &[u8]) {
    assert!(u32::try_from(text.len()).is_ok(), "a record of 4 GiB or more has no u32 positions");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FINISHED;
    use crate::naive;
    use proptest::prelude::*;

    fn resumed(
        step: usize,
        mut split: impl FnMut(usize, usize, &mut Vec<(u32, u32)>) -> usize,
    ) -> Vec<(u32, u32)> {
        let (mut at, mut out) = (0, Vec::new());
        loop {
            let before = out.len();
            at = split(at, step, &mut out);
            assert!(out.len() - before <= step);
            if at == FINISHED || out.len() == before {
                return out;
            }
        }
    }

    fn check(text: &[u8], step: usize) {
        let (mut fast, mut slow) = (Vec::new(), Vec::new());
        assert_eq!(split_blanks(text, 0, usize::MAX, &mut fast), text.len());
        naive::split_blanks(text, 0, usize::MAX, &mut slow);
        assert_eq!(fast, slow);
        assert_eq!(count_blank_fields(text), slow.len());
        assert_eq!(resumed(step, |at, max, out| split_blanks(text, at, max, out)), slow);
        for n in 0..slow.len() + 3 {
            let expected = n.checked_sub(1).and_then(|at| slow.get(at).copied());
            assert_eq!(find_blank_field(text, n), expected, "{n}");
        }
        for separator in [b' ', 0, b':'] {
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            assert_eq!(split_byte(text, separator, 0, usize::MAX, &mut fast), FINISHED);
            naive::split_byte(text, separator, 0, usize::MAX, &mut slow);
            assert_eq!(fast, slow);
            assert_eq!(
                resumed(step, |at, max, out| split_byte(text, separator, at, max, out)),
                slow
            );
            for n in 0..slow.len() + 3 {
                let expected = n.checked_sub(1).and_then(|at| slow.get(at).copied());
                assert_eq!(find_byte_field(text, separator, n), expected, "{n}");
            }
        }
        for pair in [*b": ", *b" :", *b"  ", *b"x\0"] {
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            assert_eq!(split_pair(text, pair, 0, usize::MAX, &mut fast), FINISHED);
            naive::split_pair(text, pair, 0, usize::MAX, &mut slow);
            assert_eq!(fast, slow);
            assert_eq!(resumed(step, |at, max, out| split_pair(text, pair, at, max, out)), slow);
        }
        for members in [&b" "[..], b" \t:", b"xyz\xC3", b"\0"] {
            let class = ByteClass::new(|byte| members.contains(&byte));
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            assert_eq!(split_members(text, &class, 0, usize::MAX, &mut fast), FINISHED);
            naive::split_members(text, &class, 0, usize::MAX, &mut slow);
            assert_eq!(fast, slow);
            assert_eq!(
                resumed(step, |at, max, out| split_members(text, &class, at, max, out)),
                slow
            );
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            assert_eq!(split_runs(text, &class, 0, usize::MAX, &mut fast), FINISHED);
            naive::split_runs(text, &class, 0, usize::MAX, &mut slow);
            assert_eq!(fast, slow);
            assert_eq!(resumed(step, |at, max, out| split_runs(text, &class, at, max, out)), slow);
        }
    }

    #[test]
    fn one_field_or_one_blank_of_every_length_at_every_place() {
        for length in 0..140 {
            check(&vec![b' '; length], 1);
            check(&vec![b'x'; length], 1);
            for at in 0..length {
                let mut text = vec![b'x'; length];
                text[at] = b' ';
                check(&text, 1);
                let mut text = vec![b' '; length];
                text[at] = b'x';
                check(&text, 1);
            }
        }
    }

    #[test]
    fn a_separator_at_the_end_leaves_an_empty_last_field() {
        let mut out = Vec::new();
        assert_eq!(split_byte(b":", b':', 0, 9, &mut out), FINISHED);
        assert_eq!(out, [(0, 0), (1, 1)]);
        assert_eq!(split_byte(b"", b':', 0, 9, &mut out), FINISHED);
        assert_eq!(out.len(), 2);
    }

    #[test]
    fn a_pair_at_every_place_splits_and_half_a_pair_does_not() {
        for length in 1..140 {
            for at in 0..length {
                let mut text = vec![b'x'; length];
                text[at] = b':';
                check(&text, 1);
                if at + 1 < length {
                    text[at + 1] = b' ';
                    check(&text, 1);
                }
            }
        }
    }

    #[test]
    fn only_space_tab_and_newline_are_blank() {
        let mut out = Vec::new();
        split_blanks(b"a\rb\x0Bc\x0Cd\xA0e\0f", 0, 9, &mut out);
        assert_eq!(out, [(0, 11)]);
    }

    #[test]
    fn no_fields_wanted_is_no_progress() {
        let mut out = Vec::new();
        assert_eq!(split_blanks(b"a b", 1, 0, &mut out), 1);
        assert_eq!(split_byte(b"a b", b' ', 1, 0, &mut out), 1);
        assert!(out.is_empty());
    }

    proptest! {
        #[test]
        fn fields_equal_the_twins_however_often_resumed(
            text in proptest::collection::vec(proptest::sample::select(&b"  \t\n:xyz\0\xC3\xA9"[..]), 0..700),
            step in 1usize..20,
        ) {
            check(&text, step);
        }

        #[test]
        fn marked_fields_equal_the_twin_whatever_lies_behind(
            text in proptest::collection::vec(proptest::sample::select(&b"  \t\nxyz\0\xC3"[..]), 0..130),
            length in 0usize..130,
            n in 0usize..9,
        ) {
            let length = length.min(text.len());
            let found = find_marked_field(mark_fields(&text, length), n);
            let expected = n.checked_sub(1).and_then(|n| naive::find_blank_field(&text[..length], n));
            let is_marked = |&(_, end): &(u32, u32)| length < 64 || end < 64;
            prop_assert_eq!(found, expected.filter(is_marked));
        }

        #[test]
        fn resuming_from_anywhere_equals_the_twins(
            text in proptest::collection::vec(proptest::sample::select(&b" :ab"[..]), 0..200),
            from_at in 0usize..220,
            max_fields in 0usize..12,
        ) {
            let (mut fast, mut slow) = (Vec::new(), Vec::new());
            prop_assert_eq!(
                split_byte(&text, b':', from_at, max_fields, &mut fast),
                naive::split_byte(&text, b':', from_at, max_fields, &mut slow)
            );
            prop_assert_eq!(
                split_pair(&text, *b": ", from_at, max_fields, &mut fast),
                naive::split_pair(&text, *b": ", from_at, max_fields, &mut slow)
            );
            let class = ByteClass::new(|byte| b" :".contains(&byte));
            prop_assert_eq!(
                split_members(&text, &class, from_at, max_fields, &mut fast),
                naive::split_members(&text, &class, from_at, max_fields, &mut slow)
            );
            prop_assert_eq!(
                split_runs(&text, &class, from_at, max_fields, &mut fast),
                naive::split_runs(&text, &class, from_at, max_fields, &mut slow)
            );
            split_blanks(&text, from_at, max_fields, &mut fast);
            naive::split_blanks(&text, from_at, max_fields, &mut slow);
            prop_assert_eq!(fast, slow);
        }
    }
}
