//! IGNORECASE: regular expressions, comparisons, `index` and sorting that take upper and lower case
//! for the same.
//!
//! Each regular expression of the program exists twice when the program ever turns it on; the two
//! sets change places when it is turned on or off. Comparisons fold code point by code point as
//! `tolower` does. Not affected, as in gawk: array subscripts, separators of one character, and an
//! FPAT that was assigned before.

mod assign;

use crate::specials::Specials;
use riverhawk_text::{Unit, to_lower};
use std::borrow::Cow;
use std::cmp::Ordering;

impl Specials {
    /// Case decides only what nothing else does. This is one order of all texts; gawk's has a
    /// circle of `b`, `Bz` and `ba`.
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
    // One code point for one, in clusters too, so that places stay the same.
    to_lower(text, if unit == Unit::Byte { Unit::Byte } else { Unit::CodePoint }, &mut out);
    Cow::Owned(out)
}
