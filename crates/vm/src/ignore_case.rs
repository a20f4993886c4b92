//! IGNORECASE: regular expressions, comparisons, `index` and sorting that ignore case.
//!
//! If a program can turn it on, each of its regular expressions exists twice, and the two sets are
//! swapped when it changes. Comparisons fold each code point as `tolower` does. As in gawk, it does
//! not affect array subscripts, separators of one character, or an FPAT assigned before.

mod assign;

use crate::specials::Specials;
use riverhawk_text::{Unit, to_lower};
use std::borrow::Cow;
use std::cmp::Ordering;

impl Specials {
    /// Case decides only between texts that are otherwise equal. So this is a total order of all
    /// texts, while gawk's has a cycle of `b`, `Bz` and `ba`.
    #[inline]
    pub(crate) fn order(&self, a: &[u8], b: &[u8], unit: Unit) -> Ordering {
        if !self.ignore_case {
            return a.cmp(b);
        }
        if riverhawk_simd::is_ascii(a) && riverhawk_simd::is_ascii(b) {
            let folded =
                a.iter().map(u8::to_ascii_lowercase).cmp(b.iter().map(u8::to_ascii_lowercase));
            return folded.then_with(|| a.cmp(b));
        }
        folded(a, unit).cmp(&folded(b, unit)).then_with(|| a.cmp(b))
    }
}

pub(crate) fn folded(text: &[u8], unit: Unit) -> Cow<'_, [u8]> {
    if riverhawk_simd::is_ascii(text) && !text.iter().any(u8::is_ascii_uppercase) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    // Each code point becomes one, in clusters too, so that positions stay the same.
    to_lower(text, if unit == Unit::Byte { Unit::Byte } else { Unit::CodePoint }, &mut out);
    Cow::Owned(out)
}
