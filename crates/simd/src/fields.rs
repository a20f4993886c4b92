//! Field kernels: where the fields of one record are.
//!
//! A record is classified 64 bytes at a time into a mask of its separators; edges of the mask are
//! the ends of fields. Blocks behind the last field wanted are not looked at. Measured on records
//! of 43 bytes with 8 fields, AVX2: 6 ns for the first field and about 1 ns for each further one,
//! where a byte loop takes 3 and 2.4 and `memchr` per field 4 and 4; from the third field on the
//! masks win, and they do not depend on the fields' lengths being predictable.
//!
//! Positions are `u32`: a record of 4 GiB or more is refused by the reader long before it gets
//! here.

/// What [`split_byte`] returns when the last field has been pushed: there is nothing to resume
/// from.
pub const FINISHED: usize = usize::MAX;

/// awk's default splitting: fields are runs of bytes that are no space, tab or newline.
///
/// Pushes `(start, end)` of each field that begins at `from_at` or later, stops after `max_fields`,
/// and returns the position to resume from; `text.len()` when nothing can follow. A field cut by
/// `from_at` counts from there, so resume only from what an earlier call returned.
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
    #[cfg(target_arch = "x86_64")]
    return crate::x86::split_blanks(text, from_at, max_fields, out);
    #[cfg(not(target_arch = "x86_64"))]
    crate::naive::split_blanks(text, from_at, max_fields, out)
}

/// Splitting at a byte: every separator ends a field, so `a::b` has three and `a:` has two, the
/// last one empty.
///
/// Pushes `(start, end)` of the fields from `from_at` on, stops after `max_fields`, and returns the
/// position at which the next field begins, or [`FINISHED`] once the last field is pushed. The
/// returned position may be `text.len()`: an empty last field is still to come. An empty `text` has
/// no field.
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
    #[cfg(target_arch = "x86_64")]
    return crate::x86::split_byte(text, separator, from_at, max_fields, out);
    #[cfg(not(target_arch = "x86_64"))]
    crate::naive::split_byte(text, separator, from_at, max_fields, out)
}

/// Splitting at two bytes in a row, like `": "`; otherwise as [`split_byte`]. For a name and a
/// value of 20 bytes it takes half of the time of a string search for each.
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
    // Occurrences of two different bytes do not overlap, which is what the masks cannot tell.
    #[cfg(target_arch = "x86_64")]
    if pair[0] != pair[1] {
        return crate::x86::split_pair(text, pair, from_at, max_fields, out);
    }
    crate::naive::split_pair(text, pair, from_at, max_fields, out)
}

/// Where field `n` is, counted from 1, of those that [`split_blanks`] would find: `(start, end)`.
/// The fields before it are only counted. awk programs that ask for one field of each record take
/// 0.8 to 0.9 of the time so.
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
    check_length(text);
    let before = n.checked_sub(1)?;
    #[cfg(target_arch = "x86_64")]
    return body::found(crate::x86::find_blank_field(text, before));
    #[cfg(not(target_arch = "x86_64"))]
    crate::naive::find_blank_field(text, before)
}

/// Where field `n` is, counted from 1, of those that [`split_byte`] would find.
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
    #[cfg(target_arch = "x86_64")]
    return body::found(crate::x86::find_byte_field(text, separator, before));
    #[cfg(not(target_arch = "x86_64"))]
    crate::naive::find_byte_field(text, separator, before)
}

/// How many fields [`split_blanks`] would find, without finding where.
#[inline]
pub fn count_blank_fields(text: &[u8]) -> usize {
    #[cfg(target_arch = "x86_64")]
    return crate::x86::count_blank_fields(text);
    #[cfg(not(target_arch = "x86_64"))]
    crate::naive::count_blank_fields(text)
}

#[inline]
fn check_length(text: &[u8]) {
    assert!(u32::try_from(text.len()).is_ok(), "a record of 4 GiB or more has no u32 positions");
}

/// The kernels without their masks: `mask` says which of the up to 64 bytes at a position separate
/// fields (0 bits beyond the end). Inlined into one function per processor level.
#[cfg(target_arch = "x86_64")]
pub(crate) mod body {
    use super::FINISHED;

    /// The bytes of the block at `at` that belong to fields; beyond the end of the text there are
    /// none.
    #[inline(always)]
    fn inside(text: &[u8], at: usize, blank: u64) -> u64 {
        let length = text.len() - at;
        let beyond = if length < 64 { !0 << length } else { 0 };
        !(blank | beyond)
    }

    #[inline(always)]
    pub(crate) fn split_blanks(
        text: &[u8],
        from_at: usize,
        max_fields: usize,
        out: &mut Vec<(u32, u32)>,
        mask: impl Fn(&[u8], usize) -> u64,
    ) -> usize {
        let mut at = from_at.min(text.len());
        let mut left = max_fields;
        if left == 0 {
            return at;
        }
        // The field that the previous block ended in, if it did; `carry` is the same fact as a bit.
        let (mut open_at, mut carry) = (0, 0);
        while at < text.len() {
            let inside = inside(text, at, mask(text, at));
            let before = inside << 1 | carry;
            let mut starts = inside & !before;
            let mut ends = !inside & before;
            if carry != 0 && ends != 0 {
                let end = at + ends.trailing_zeros() as usize;
                ends &= ends - 1;
                out.push((open_at as u32, end as u32));
                left -= 1;
                if left == 0 {
                    return end;
                }
            }
            // Ends and starts now pair up, and one start more may be left. The length of the loop
            // is known before it starts, so the vector is asked for room once and not
            // once a field.
            let count = (ends.count_ones() as usize).min(left);
            let mut last_end = at;
            out.extend((0..count).map(|_| {
                let start = at + starts.trailing_zeros() as usize;
                last_end = at + ends.trailing_zeros() as usize;
                starts &= starts.wrapping_sub(1);
                ends &= ends.wrapping_sub(1);
                (start as u32, last_end as u32)
            }));
            left -= count;
            if left == 0 {
                return last_end;
            }
            if starts != 0 {
                open_at = at + starts.trailing_zeros() as usize;
            }
            carry = inside >> 63;
            at += 64;
        }
        if carry != 0 {
            out.push((open_at as u32, text.len() as u32));
        }
        text.len()
    }

    /// Splitting at separators of `WIDTH` bytes, of which the mask shows the first.
    #[inline(always)]
    pub(crate) fn split_at<const WIDTH: usize>(
        text: &[u8],
        from_at: usize,
        max_fields: usize,
        out: &mut Vec<(u32, u32)>,
        mask: impl Fn(&[u8], usize) -> u64,
    ) -> usize {
        if text.is_empty() || from_at > text.len() {
            return FINISHED;
        }
        let (mut at, mut start, mut left) = (from_at, from_at, max_fields);
        if left == 0 {
            return start;
        }
        while at < text.len() {
            let mut mask = mask(text, at);
            let count = (mask.count_ones() as usize).min(left);
            out.extend((0..count).map(|_| {
                let end = at + mask.trailing_zeros() as usize;
                mask &= mask.wrapping_sub(1);
                let field = (start as u32, end as u32);
                start = end + WIDTH;
                field
            }));
            left -= count;
            if left == 0 {
                return start;
            }
            at += 64;
        }
        out.push((start as u32, text.len() as u32));
        FINISHED
    }

    /// Start and end of a field, or [`NOWHERE`]: two registers, where an option is memory, written
    /// in pieces and read as a whole.
    pub(crate) type Place = (usize, usize);

    /// There is no such field.
    const NOWHERE: Place = (usize::MAX, 0);

    #[inline(always)]
    pub(crate) fn found((start, end): Place) -> Option<(u32, u32)> {
        (start <= end).then_some((start as u32, end as u32))
    }

    /// `mask` without its `count` lowest bits.
    #[inline(always)]
    fn without_lowest(mut mask: u64, count: usize) -> u64 {
        for _ in 0..count {
            mask &= mask.wrapping_sub(1);
        }
        mask
    }

    /// The field that `before` others come before.
    #[inline(always)]
    pub(crate) fn find_blank_field(
        text: &[u8],
        before: usize,
        mask: impl Fn(&[u8], usize) -> u64,
    ) -> Place {
        // Where a field starts or ends there is an edge: those of the others come first.
        let mut left = before.saturating_mul(2);
        let (mut at, mut carry) = (0, 0);
        while at < text.len() {
            let inside_block = inside(text, at, mask(text, at));
            let edges = inside_block ^ (inside_block << 1 | carry);
            let count = edges.count_ones() as usize;
            if left < count {
                let edges = without_lowest(edges, left);
                let start = at + edges.trailing_zeros() as usize;
                let mut ends = edges & (edges - 1);
                while ends == 0 {
                    at += 64;
                    if at >= text.len() {
                        return (start, text.len());
                    }
                    ends = !inside(text, at, mask(text, at));
                }
                return (start, at + ends.trailing_zeros() as usize);
            }
            left -= count;
            carry = inside_block >> 63;
            at += 64;
        }
        NOWHERE
    }

    /// As [`find_blank_field`] for a text of fewer than 64 bytes, whose blanks are known: without a
    /// loop, a call or a register to be saved. Bits of `blank` beyond the text say nothing.
    #[inline(always)]
    pub(crate) fn find_blank_field_in_block(blank: u64, length: usize, before: usize) -> Place {
        debug_assert!(length < 64);
        let inside = !blank & !(!0 << length);
        // A field that lasts to the end of the text has its second edge behind that.
        let edges = inside ^ inside << 1;
        let left = before.saturating_mul(2);
        if left >= edges.count_ones() as usize {
            return NOWHERE;
        }
        let edges = without_lowest(edges, left);
        (edges.trailing_zeros() as usize, (edges & (edges - 1)).trailing_zeros() as usize)
    }

    /// The field that `before` separators come before.
    #[inline(always)]
    pub(crate) fn find_byte_field(
        text: &[u8],
        before: usize,
        mask: impl Fn(&[u8], usize) -> u64,
    ) -> Place {
        let (mut at, mut start, mut left) = (0, 0, before);
        while at < text.len() {
            let mut separators = mask(text, at);
            let count = separators.count_ones() as usize;
            if left > count {
                left -= count;
            } else {
                if left > 0 {
                    separators = without_lowest(separators, left - 1);
                    start = at + separators.trailing_zeros() as usize + 1;
                    separators &= separators - 1;
                    left = 0;
                }
                if separators != 0 {
                    return (start, at + separators.trailing_zeros() as usize);
                }
            }
            at += 64;
        }
        if left == 0 && !text.is_empty() { (start, text.len()) } else { NOWHERE }
    }

    #[inline(always)]
    pub(crate) fn count_blank_fields(text: &[u8], mask: impl Fn(&[u8], usize) -> u64) -> usize {
        let (mut at, mut carry, mut count) = (0, 0, 0);
        while at < text.len() {
            let inside = inside(text, at, mask(text, at));
            count += (inside & !(inside << 1 | carry)).count_ones() as usize;
            carry = inside >> 63;
            at += 64;
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use proptest::prelude::*;

    /// All fields by calls of at most `step` fields each.
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
            split_blanks(&text, from_at, max_fields, &mut fast);
            naive::split_blanks(&text, from_at, max_fields, &mut slow);
            prop_assert_eq!(fast, slow);
        }
    }
}
