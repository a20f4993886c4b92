//! Long texts are searched in pieces: between two it is asked whether the search is still wanted.

use crate::limits::STEPS_AT_ONCE;
use riverhawk_memory as memory;
use std::ops::Range;

/// Bytes searched at once: a tenth of a millisecond for kernels, one or two for tables.
pub(crate) const AT_ONCE: usize = 1 << 20;

/// As [`AT_ONCE`], for an automaton whose step may go through so many states.
pub(crate) fn bytes_at_once(states: usize) -> usize {
    (STEPS_AT_ONCE / states.max(1)).clamp(1, AT_ONCE)
}

/// Finds the first start in `from_at..end`, where a match has at most `longest` bytes. `None` also
/// if memory has run out, which ends what asks.
#[inline]
pub(crate) fn find_in_pieces(
    from_at: usize,
    end: usize,
    longest: usize,
    find: impl Fn(Range<usize>) -> Option<usize>,
) -> Option<usize> {
    if end - from_at <= AT_ONCE {
        find(from_at..end)
    } else {
        find_in_many(from_at, end, longest, find)
    }
}

#[cold]
#[inline(never)]
fn find_in_many(
    from_at: usize,
    end: usize,
    longest: usize,
    find: impl Fn(Range<usize>) -> Option<usize>,
) -> Option<usize> {
    let mut at = from_at;
    while !memory::ran_out() {
        let next_at = at + AT_ONCE;
        let piece_end = end.min(next_at + longest);
        // One that begins behind the piece may not be the first there.
        match find(at..piece_end).filter(|&found| found < next_at || piece_end == end) {
            None if piece_end < end => at = next_at,
            found => return found,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::AT_ONCE;
    use crate::{Match, Options, Regex};

    #[test]
    fn a_match_is_found_wherever_it_lies_in_a_long_text() {
        // A literal, a byte, a class, literals, and patterns with and without a prefix.
        let patterns =
            ["needle", "n", "[nd]+", "needle|nee", "need(le)+", "[m-o]e*d", "é*n", "no|e+d"];
        for pattern in patterns {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            let short = regex.find(b"needle.").unwrap();
            for before in [-7isize, -6, -3, -1, 0, 1] {
                for pieces in [1, 2] {
                    let at = AT_ONCE.wrapping_mul(pieces).wrapping_add_signed(before);
                    let mut text = vec![b'.'; at];
                    text.extend(b"needle.");
                    text.resize(3 * AT_ONCE, b'.');
                    let expected = Match { start: at + short.start, end: at + short.end };
                    assert_eq!(regex.find(&text), Some(expected), "{pattern} at {at}");
                    assert!(regex.is_match(&text), "{pattern} at {at}");
                    assert_eq!(regex.find(&text[..at]), None, "{pattern}");
                }
            }
        }
    }

    #[test]
    fn a_long_match_has_its_end() {
        for pattern in ["a.*b", "[a.]*b", "a[.é]*b", "(a|é).*b", "[^b]*b"] {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            for length in [AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 2 * AT_ONCE + 5] {
                let mut text = vec![b'.'; length];
                (text[0], text[length - 1]) = (b'a', b'b');
                assert_eq!(regex.find(&text), Some(Match { start: 0, end: length }), "{pattern}");
            }
        }
    }
}
