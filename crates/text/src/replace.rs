//! Literal replacement.

use crate::search::find;
use memchr::memmem;
use riverhawk_memory::Growing;
use std::borrow::Cow;

/// Length from which a searcher pays.
const LONG: usize = 256;

/// `text` with the first `limit` occurrences of `old`, from the left and not overlapping, changed
/// to `new`; borrowed if there are none. An empty `old` does not occur.
///
/// ```
/// use riverhawk_text::replace;
/// assert_eq!(&*replace(b"a.b.c", b".", b"::", usize::MAX), b"a::b::c");
/// assert_eq!(&*replace(b"a.b.c", b".", b"", 1), b"ab.c");
/// assert_eq!(&*replace(b"aaa", b"", b"x", usize::MAX), b"aaa");
/// ```
pub fn replace<'a>(text: &'a [u8], old: &[u8], new: &[u8], limit: usize) -> Cow<'a, [u8]> {
    if old.is_empty() || limit == 0 {
        return Cow::Borrowed(text);
    }
    let Some(first) = find(text, old) else { return Cow::Borrowed(text) };
    let mut out = Vec::with_capacity(text.len() + new.len());
    out.extend_by(&text[..first]);
    out.extend_by(new);
    let rest = &text[first + old.len()..];
    if rest.len() < LONG {
        replace_with(rest, old.len(), new, limit - 1, &mut out, |rest| find(rest, old));
    } else {
        let finder = memmem::Finder::new(old);
        replace_with(rest, old.len(), new, limit - 1, &mut out, |rest| finder.find(rest));
    }
    Cow::Owned(out)
}

fn replace_with(
    mut text: &[u8],
    old_len: usize,
    new: &[u8],
    limit: usize,
    out: &mut Vec<u8>,
    find: impl Fn(&[u8]) -> Option<usize>,
) -> usize {
    let mut count = 0;
    while count < limit
        && let Some(at) = find(text)
    {
        out.extend_by(&text[..at]);
        out.extend_by(new);
        text = &text[at + old_len..];
        count += 1;
    }
    out.extend_by(text);
    count
}

/// A replacement prepared for many texts.
///
/// ```
/// use riverhawk_text::Replacer;
/// let replacer = Replacer::new(b"colour", b"color");
/// let mut out = Vec::new();
/// assert_eq!(replacer.replace_into(b"colours of colour", usize::MAX, &mut out), 2);
/// assert_eq!(out, b"colors of color");
/// ```
#[derive(Clone, Debug)]
pub struct Replacer {
    finder: memmem::Finder<'static>,
    new: Vec<u8>,
}

impl Replacer {
    /// Replaces `old` by `new`.
    pub fn new(old: &[u8], new: &[u8]) -> Self {
        Replacer { finder: memmem::Finder::new(old).into_owned(), new: new.to_owned() }
    }

    /// The text that is replaced.
    pub fn old(&self) -> &[u8] {
        self.finder.needle()
    }

    /// The text that replaces it.
    pub fn replacement(&self) -> &[u8] {
        &self.new
    }

    /// Appends `text` to `out` with the first `limit` matches changed, as [`replace`]; returns
    /// their number.
    pub fn replace_into(&self, text: &[u8], limit: usize, out: &mut Vec<u8>) -> usize {
        let old = self.finder.needle();
        match old {
            [] => {
                out.extend_by(text);
                0
            }
            [byte] => {
                replace_with(text, 1, &self.new, limit, out, |rest| memchr::memchr(*byte, rest))
            }
            _ => {
                replace_with(text, old.len(), &self.new, limit, out, |rest| self.finder.find(rest))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Replacer, replace};
    use proptest::prelude::*;
    use std::borrow::Cow;

    proptest! {
        #[test]
        fn replaces_what_the_standard_library_replaces(
            text in "[abé]{0,600}", old in "[abé]{1,3}", new in "[bxé]{0,4}", limit in prop_oneof![0usize..4, Just(usize::MAX)],
        ) {
            let expected = text.replacen(&old, &new, limit);
            let (text, old, new) = (text.as_bytes(), old.as_bytes(), new.as_bytes());
            prop_assert_eq!(&*replace(text, old, new, limit), expected.as_bytes());
            let mut out = b"kept ".to_vec();
            Replacer::new(old, new).replace_into(text, limit, &mut out);
            prop_assert_eq!(&out[5..], expected.as_bytes());
        }
    }

    #[test]
    fn nothing_to_change_is_borrowed() {
        for (old, limit) in [(&b"z"[..], usize::MAX), (b"", usize::MAX), (b"a", 0)] {
            assert!(matches!(replace(b"aaa", old, b"x", limit), Cow::Borrowed(b"aaa")));
            let mut out = Vec::new();
            assert_eq!(Replacer::new(old, b"x").replace_into(b"aaa", limit, &mut out), 0);
            assert_eq!(out, b"aaa");
        }
    }

    #[test]
    fn matches_do_not_overlap_and_bytes_need_not_be_text() {
        assert_eq!(&*replace(b"aaaaa", b"aa", b"b", usize::MAX), b"bba");
        assert_eq!(&*replace(b"\xFF\0\xFF", b"\0", b"\xC3", usize::MAX), b"\xFF\xC3\xFF");
    }
}
