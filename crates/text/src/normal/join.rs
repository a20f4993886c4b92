//! Joining normalised texts.

use super::{NormalForm, normalize};
use crate::grapheme::may_join_before;
use crate::{char_len, code_point::first_code_point};

/// `left` followed by `right`, in the normal form that both are in.
///
/// A mark at the start of `right` may compose with the end of `left`, or belong before its marks.
/// Only the text from the last code point of `left` to the first of `right` that never joins to the
/// left is normalised again.
///
/// Halves of a code point stay broken bytes.
///
/// ```
/// use riverhawk_text::{NormalForm, concat_normalized};
/// let joined = concat_normalized("D\u{307}".as_bytes(), "\u{323}!".as_bytes(), NormalForm::Nfc);
/// assert_eq!(joined, "\u{1E0C}\u{307}!".as_bytes());
/// ```
pub fn concat_normalized(left: &[u8], right: &[u8], form: NormalForm) -> Vec<u8> {
    let mut out = Vec::with_capacity(left.len() + right.len());
    out.extend_from_slice(left);
    append_normalized(&mut out, right, form);
    out
}

/// Appends `right` to `left` as [`concat_normalized`] does.
pub fn append_normalized(left: &mut Vec<u8>, right: &[u8], form: NormalForm) {
    let from_right = joining_prefix(right);
    if left.is_empty() || from_right == 0 {
        left.extend_from_slice(right);
        return;
    }
    let start = last_boundary(left);
    let (join, rest) = right.split_at(from_right);
    let mut section = left.split_off(start);
    section.extend_from_slice(join);
    left.extend_from_slice(&normalize(&section, form));
    left.extend_from_slice(rest);
}

fn joining_prefix(text: &[u8]) -> usize {
    let mut len = 0;
    while let Some((c, c_len)) = first_code_point(&text[len..]) {
        if !may_join_before(c) {
            break;
        }
        len += c_len;
    }
    len
}

/// Start of the last code point that never joins to the left, or of a broken byte; otherwise 0.
fn last_boundary(text: &[u8]) -> usize {
    let mut end = text.len();
    while end > 0 {
        let start = (end.saturating_sub(4)..end)
            .find(|&at| char_len(&text[at..end]) == end - at)
            .unwrap_or(end - 1);
        match first_code_point(&text[start..end]) {
            Some((c, _)) if may_join_before(c) => end = start,
            _ => return start,
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::char::{canonical_combining_class, decompose_canonical};

    #[test]
    fn what_composes_or_reorders_backwards_may_join() {
        // The classes of the grapheme rules must cover normalisation too.
        for c in '\0'..=char::MAX {
            assert!(
                canonical_combining_class(c) == 0 || may_join_before(c),
                "{c:?} has a combining class"
            );
            let mut parts = Vec::new();
            decompose_canonical(c, |part| parts.push(part));
            assert!(parts.iter().skip(1).all(|part| may_join_before(*part)), "{c:?} is {parts:?}");
            assert!(
                parts[0] == c || may_join_before(c) == may_join_before(parts[0]),
                "{c:?} is {parts:?}"
            );
        }
    }
}
