//! Iterators over clusters.

use super::{cluster_from, first_class, grapheme_len};
use std::iter::FusedIterator;

/// The clusters of `text` as slices, in order and without gaps.
///
/// ```
/// let pieces: Vec<_> = riverhawk_text::graphemes(b"e\xCC\x81\xFFx").collect();
/// assert_eq!(pieces, [&b"e\xCC\x81"[..], b"\xFF", b"x"]);
/// ```
#[inline]
pub fn graphemes(text: &[u8]) -> Graphemes<'_> {
    Graphemes { rest: text, ahead: None }
}

/// Iterator made by [`graphemes`].
#[derive(Clone, Debug)]
pub struct Graphemes<'a> {
    rest: &'a [u8],
    /// Class and length of the first character of `rest`, if known.
    ahead: Option<(u8, usize)>,
}

impl<'a> Graphemes<'a> {
    /// The text that remains.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }
}

impl<'a> Iterator for Graphemes<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let len = match self.rest {
            // In ASCII only CR LF is a cluster of two.
            [first, second, ..] if (first | second) < 0x80 && *first != b'\r' => {
                self.ahead = None;
                1
            }
            _ => {
                let (len, ahead) =
                    cluster_from(self.rest, self.ahead.or_else(|| first_class(self.rest))?);
                self.ahead = ahead;
                len
            }
        };
        let (first, rest) = self.rest.split_at(len);
        self.rest = rest;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(!self.rest.is_empty()), Some(self.rest.len()))
    }

    fn count(self) -> usize {
        super::grapheme_count(self.rest)
    }
}

impl FusedIterator for Graphemes<'_> {}

/// The clusters of a string, as strings.
///
/// ```
/// assert_eq!(riverhawk_text::str_graphemes("👨‍👩‍👧é").collect::<Vec<_>>(), ["👨‍👩‍👧", "é"]);
/// ```
#[inline]
pub fn str_graphemes(text: &str) -> StrGraphemes<'_> {
    StrGraphemes { rest: text, clusters: graphemes(text.as_bytes()) }
}

/// Iterator made by [`str_graphemes`].
#[derive(Clone, Debug)]
pub struct StrGraphemes<'a> {
    rest: &'a str,
    clusters: Graphemes<'a>,
}

impl<'a> Iterator for StrGraphemes<'a> {
    type Item = &'a str;

    #[inline]
    fn next(&mut self) -> Option<&'a str> {
        let (first, rest) = self.rest.split_at(self.clusters.next()?.len());
        self.rest = rest;
        Some(first)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::from(!self.rest.is_empty()), Some(self.rest.len()))
    }

    fn count(self) -> usize {
        super::grapheme_count(self.rest.as_bytes())
    }
}

impl FusedIterator for StrGraphemes<'_> {}

/// The boundaries of `text`: 0 and the end of each cluster.
pub fn grapheme_boundaries(text: &[u8]) -> GraphemeBoundaries<'_> {
    GraphemeBoundaries { text, next: Some(0) }
}

/// Iterator made by [`grapheme_boundaries`].
#[derive(Clone, Debug)]
pub struct GraphemeBoundaries<'a> {
    text: &'a [u8],
    next: Option<usize>,
}

impl Iterator for GraphemeBoundaries<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        let at = self.next?;
        let len = grapheme_len(&self.text[at..]);
        self.next = (len > 0).then_some(at + len);
        Some(at)
    }
}

impl FusedIterator for GraphemeBoundaries<'_> {}
