//! Text as characters.

use crate::{Unit, char_len, grapheme_len, graphemes};

/// The characters of `text` as slices: what `split(text, a, "")` stores.
///
/// ```
/// use riverhawk_text::{Unit, chars};
/// let pieces: Vec<&[u8]> = chars(b"a\xC3\xA9\xFF", Unit::CodePoint).collect();
/// assert_eq!(pieces, [&b"a"[..], &b"\xC3\xA9"[..], &b"\xFF"[..]]);
/// ```
pub fn chars(text: &[u8], unit: Unit) -> Chars<'_> {
    Chars { rest: text, unit }
}

/// Iterator made by [`chars`].
#[derive(Clone, Debug)]
pub struct Chars<'a> {
    rest: &'a [u8],
    unit: Unit,
}

impl<'a> Iterator for Chars<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let len = match self.unit {
            Unit::Byte => self.rest.len().min(1),
            Unit::CodePoint => char_len(self.rest),
            Unit::Grapheme => grapheme_len(self.rest),
        };
        let (first, rest) = self.rest.split_at(len);
        self.rest = rest;
        (len > 0).then_some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self.unit {
            Unit::Byte => (self.rest.len(), Some(self.rest.len())),
            Unit::CodePoint => (self.rest.len().div_ceil(4), Some(self.rest.len())),
            Unit::Grapheme => graphemes(self.rest).size_hint(),
        }
    }
}

impl std::iter::FusedIterator for Chars<'_> {}

#[cfg(test)]
mod tests {
    use super::chars;
    use crate::Unit;

    #[test]
    fn pieces_put_together_are_the_text() {
        let text = b"a\xFF\xC3\xA9\xE2\x82x\0";
        for (unit, count) in [(Unit::CodePoint, 7), (Unit::Byte, 8), (Unit::Grapheme, 7)] {
            assert_eq!(chars(text, unit).collect::<Vec<_>>().concat(), text);
            assert_eq!(chars(text, unit).count(), count);
        }
        assert_eq!(chars(b"", Unit::CodePoint).next(), None);
    }
}
