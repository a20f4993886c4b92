//! The loops of the field kernels, inlined into one function per processor level. `mask` gives the
//! separators among the 64 bytes at a position, 0 beyond the end.

/// What [`split_byte`](crate::split_byte) returns after the last field.
pub const FINISHED: usize = usize::MAX;

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
    // Start of a field from the previous block, if `carry` says so.
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
        // Ends and starts now pair up; knowing the length allows one reservation.
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

/// Splits at separators of `WIDTH` bytes, of which the mask has the first.
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

/// Splits at runs of separators: an empty first or last field if the text begins or ends with one.
#[inline(always)]
pub(crate) fn split_runs(
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
    // Whether a run goes on from the previous block.
    let mut carry = 0;
    while at < text.len() && left > 0 {
        let separators = mask(text, at);
        let before = separators << 1 | carry;
        let mut runs = separators & !before;
        let mut ends = !separators & before;
        if carry != 0 {
            start = at + ends.trailing_zeros() as usize;
            ends &= ends.wrapping_sub(1);
        }
        let count = (runs.count_ones() as usize).min(left);
        out.extend((0..count).map(|_| {
            let field = (start as u32, (at + runs.trailing_zeros() as usize) as u32);
            runs &= runs.wrapping_sub(1);
            // Of a run that goes on, the next block.
            start = at + ends.trailing_zeros() as usize;
            ends &= ends.wrapping_sub(1);
            field
        }));
        left -= count;
        carry = separators >> 63;
        at += 64;
    }
    if left > 0 {
        out.push((start as u32, text.len() as u32));
        return FINISHED;
    }
    // The last run may be longer than its block.
    while start == at && at < text.len() {
        start = at + (!mask(text, at)).trailing_zeros() as usize;
        at += 64;
    }
    start
}

/// Start and end, or [`NOWHERE`]: unlike an option, fits two registers.
pub(crate) type FieldSpan = (usize, usize);

const NOWHERE: FieldSpan = (usize::MAX, 0);

#[inline(always)]
pub(crate) fn found((start, end): FieldSpan) -> Option<(u32, u32)> {
    (start <= end).then_some((start as u32, end as u32))
}

#[inline(always)]
fn without_lowest(mut mask: u64, count: usize) -> u64 {
    for _ in 0..count {
        mask &= mask.wrapping_sub(1);
    }
    mask
}

#[inline(always)]
pub(crate) fn find_blank_field(
    text: &[u8],
    before: usize,
    mask: impl Fn(&[u8], usize) -> u64,
) -> FieldSpan {
    // A field has two edges.
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

#[inline(always)]
pub(crate) fn find_byte_field(
    text: &[u8],
    before: usize,
    mask: impl Fn(&[u8], usize) -> u64,
) -> FieldSpan {
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

/// The field kernels of a processor whose masks need no query: `mask_of_byte(text, at, byte)`,
/// `mask_of_blanks(text, at)` and `mask_of_members(text, at, class)` are of the 64 bytes from `at` on, 0
/// beyond the end.
#[cfg(any(test, not(target_arch = "x86_64")))]
macro_rules! field_kernels {
    ($mask_of_byte:ident, $mask_of_blanks:ident, $mask_of_members:ident) => {
        #[inline]
        pub(crate) fn split_blanks(
            text: &[u8],
            from_at: usize,
            max_fields: usize,
            out: &mut Vec<(u32, u32)>,
        ) -> usize {
            $crate::field_loops::split_blanks(text, from_at, max_fields, out, $mask_of_blanks)
        }

        #[inline]
        pub(crate) fn split_byte(
            text: &[u8],
            separator: u8,
            from_at: usize,
            max_fields: usize,
            out: &mut Vec<(u32, u32)>,
        ) -> usize {
            let mask = |text: &[u8], at| $mask_of_byte(text, at, separator);
            $crate::field_loops::split_at::<1>(text, from_at, max_fields, out, mask)
        }

        /// See [`crate::split_pair`]; the two bytes differ.
        #[inline]
        pub(crate) fn split_pair(
            text: &[u8],
            pair: [u8; 2],
            from_at: usize,
            max_fields: usize,
            out: &mut Vec<(u32, u32)>,
        ) -> usize {
            $crate::field_loops::split_at::<2>(text, from_at, max_fields, out, |text, at| {
                let first = $mask_of_byte(text, at, pair[0]);
                // Often a block lacks the first byte.
                if first == 0 { 0 } else { first & $mask_of_byte(text, at + 1, pair[1]) }
            })
        }

        #[inline]
        pub(crate) fn split_members(
            text: &[u8],
            class: &$crate::byte_class::ByteClass,
            from_at: usize,
            max_fields: usize,
            out: &mut Vec<(u32, u32)>,
        ) -> usize {
            let mask = |text: &[u8], at| $mask_of_members(text, at, class);
            $crate::field_loops::split_at::<1>(text, from_at, max_fields, out, mask)
        }

        #[inline]
        pub(crate) fn split_runs(
            text: &[u8],
            class: &$crate::byte_class::ByteClass,
            from_at: usize,
            max_fields: usize,
            out: &mut Vec<(u32, u32)>,
        ) -> usize {
            let mask = |text: &[u8], at| $mask_of_members(text, at, class);
            $crate::field_loops::split_runs(text, from_at, max_fields, out, mask)
        }

        #[inline]
        pub(crate) fn count_blank_fields(text: &[u8]) -> usize {
            $crate::field_loops::count_blank_fields(text, $mask_of_blanks)
        }

        #[inline]
        pub(crate) fn mark_blanks(text: &[u8]) -> u64 {
            $mask_of_blanks(text, 0)
        }

        /// `before` is the number of fields before it.
        #[inline]
        pub(crate) fn find_blank_field(
            text: &[u8],
            before: usize,
        ) -> $crate::field_loops::FieldSpan {
            $crate::field_loops::find_blank_field(text, before, $mask_of_blanks)
        }

        /// `before` is the number of fields before it.
        #[inline]
        pub(crate) fn find_byte_field(
            text: &[u8],
            separator: u8,
            before: usize,
        ) -> $crate::field_loops::FieldSpan {
            let mask = |text: &[u8], at| $mask_of_byte(text, at, separator);
            $crate::field_loops::find_byte_field(text, before, mask)
        }
    };
}
#[cfg(any(test, not(target_arch = "x86_64")))]
pub(crate) use field_kernels;
