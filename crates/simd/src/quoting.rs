//! The terms of quoted rows, and the loops of their kernels, inlined into one function per
//! processor level.

use crate::block::BLOCK;
use crate::field_loops::FINISHED;
use memchr::memchr as find_byte;

/// What separates fields and what quotes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quoting {
    /// Between two fields.
    pub separator: u8,
    /// Around a field; doubled inside it.
    pub quote: u8,
}

impl Quoting {
    /// Commas and double quotes.
    pub const CSV: Self = Self { separator: b',', quote: b'"' };
}

/// The state before a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuoteState {
    /// The next byte is inside quotes.
    pub in_quotes: bool,
    /// A quote here opens or closes a field, or is the second of a pair.
    pub may_open: bool,
}

impl QuoteState {
    /// Where a field begins.
    pub const START: Self = Self { in_quotes: false, may_open: true };
}

/// What [`split_quoted`](crate::split_quoted) found besides the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotedSplit {
    /// Where the next field begins, or [`FINISHED`].
    pub resume_at: usize,
    /// Every quoted field is certainly its own text: closed, without quotes and carriage returns
    /// inside.
    pub is_literal: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Masks {
    pub(crate) quote: u64,
    pub(crate) separator: u64,
    /// Newlines for rows, carriage returns for fields.
    pub(crate) other: u64,
}

/// The bytes of a block inside quotes, the opening one included, and the state after it. `None`: a
/// quote where none can open.
#[inline(always)]
fn inside(
    quote: u64,
    boundary: u64,
    length: usize,
    state: QuoteState,
    parity: impl Fn(u64) -> u64,
) -> Option<(u64, QuoteState)> {
    let inside = parity(quote) ^ 0u64.wrapping_sub(u64::from(state.in_quotes));
    let boundary = boundary | quote;
    let may_open = boundary << 1 | u64::from(state.may_open);
    if quote & inside & !may_open != 0 {
        return None;
    }
    let last = length - 1;
    let in_quotes = inside >> last & 1 == 1;
    Some((inside, QuoteState { in_quotes, may_open: in_quotes || boundary >> last & 1 == 1 }))
}

#[inline(always)]
pub(crate) fn mark_block(
    block: &[u8],
    masks: Masks,
    state: &mut QuoteState,
    parity: impl Fn(u64) -> u64,
) -> u64 {
    let inside = parity(masks.quote) ^ 0u64.wrapping_sub(u64::from(state.in_quotes));
    state.in_quotes = inside >> (block.len() - 1) & 1 == 1;
    masks.other & !inside
}

#[inline(always)]
pub(crate) fn split_quoted(
    text: &[u8],
    quoting: Quoting,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
    masks: impl Fn(&[u8], usize) -> Masks,
    parity: impl Fn(u64) -> u64,
) -> QuotedSplit {
    let mut split = QuotedSplit { resume_at: FINISHED, is_literal: true };
    if text.is_empty() || from_at > text.len() {
        return split;
    }
    let (mut at, mut start, mut left) = (from_at, from_at, max_fields);
    if left == 0 {
        split.resume_at = start;
        return split;
    }
    let found = out.len();
    let irregular = |out: &mut Vec<(u32, u32)>| {
        out.truncate(found);
        split_irregular(text, quoting, from_at, max_fields, out)
    };
    let mut state = QuoteState::START;
    let (mut odd, mut after_closing) = (0, 0);
    while at < text.len() {
        let Masks { quote, separator, other: returns } = masks(text, at);
        let length = (text.len() - at).min(BLOCK);
        let mut ends = separator;
        if quote != 0 || state.in_quotes {
            let Some((inside, after)) = inside(quote, separator, length, state, &parity) else {
                return irregular(out);
            };
            let closing = quote & !inside;
            let behind = closing << 1 | after_closing;
            let within = !0 >> (BLOCK - length);
            if behind & !(separator | quote) & within != 0 {
                return irregular(out);
            }
            odd |= behind & quote & within | returns & inside;
            after_closing = closing >> 63;
            state = after;
            ends &= !inside;
        } else {
            if after_closing & !separator != 0 {
                return irregular(out);
            }
            after_closing = 0;
            state.may_open = separator >> (length - 1) & 1 == 1;
        }
        let count = (ends.count_ones() as usize).min(left);
        // `extend` with a closure was compiled without the bit instructions.
        out.reserve(count);
        for _ in 0..count {
            let end = at + ends.trailing_zeros() as usize;
            ends &= ends.wrapping_sub(1);
            let quoted = usize::from(text[start] == quoting.quote);
            out.push(((start + quoted) as u32, (end - quoted) as u32));
            start = end + 1;
        }
        left -= count;
        if left == 0 {
            return QuotedSplit { resume_at: start, is_literal: odd == 0 };
        }
        at += BLOCK;
    }
    let quoted = text.get(start) == Some(&quoting.quote);
    let closed = quoted && !state.in_quotes && text.last() == Some(&quoting.quote);
    out.push(((start + usize::from(quoted)) as u32, (text.len() - usize::from(closed)) as u32));
    split.is_literal = odd == 0 && !state.in_quotes && quoted == closed;
    split
}

/// [`split_quoted`] byte by byte, for quotes in any place.
#[cold]
#[inline(never)]
pub(crate) fn split_irregular(
    text: &[u8],
    quoting: Quoting,
    from_at: usize,
    max_fields: usize,
    out: &mut Vec<(u32, u32)>,
) -> QuotedSplit {
    let mut split = QuotedSplit { resume_at: FINISHED, is_literal: true };
    if text.is_empty() || from_at > text.len() {
        return split;
    }
    let mut start = from_at;
    for _ in 0..max_fields {
        let quoted = text.get(start) == Some(&quoting.quote);
        let (end, closed) = match quoted {
            true => end_of_quoted(text, quoting, start),
            false => (
                find_byte(quoting.separator, &text[start..]).map_or(text.len(), |at| start + at),
                false,
            ),
        };
        let range = (start + usize::from(quoted), end - usize::from(closed));
        let inner = &text[range.0..range.1];
        split.is_literal &=
            !quoted || closed && !inner.contains(&quoting.quote) && !inner.contains(&b'\r');
        out.push((range.0 as u32, range.1 as u32));
        if end == text.len() {
            return split;
        }
        start = end + 1;
    }
    split.resume_at = start;
    split
}

/// End of a quoted field, and whether a quote closes it.
fn end_of_quoted(text: &[u8], quoting: Quoting, start: usize) -> (usize, bool) {
    let mut at = start + 1;
    while let Some(quote) = text.get(at..).and_then(|rest| find_byte(quoting.quote, rest)) {
        at += quote;
        match text.get(at + 1) {
            None => return (text.len(), true),
            Some(&next) if next == quoting.separator => return (at + 1, true),
            Some(&next) if next == quoting.quote => at += 2,
            Some(_) => at += 1,
        }
    }
    (text.len(), false)
}

/// The parity of the bits up to and including each.
#[inline(always)]
pub(crate) fn parity_by_shifts(bits: u64) -> u64 {
    let bits = bits ^ bits << 1;
    let bits = bits ^ bits << 2;
    let bits = bits ^ bits << 4;
    let bits = bits ^ bits << 8;
    let bits = bits ^ bits << 16;
    bits ^ bits << 32
}
