//! IGNORECASE: regular expressions, comparisons, `index` and sorting that take upper and lower case
//! for the same.
//!
//! Each regular expression of the program exists twice when the program ever turns it on; the two
//! sets change places when it is turned on or off. Comparisons fold code point by code point as
//! `tolower` does. Not affected, as in gawk: array subscripts, separators of one character, and an
//! FPAT that was assigned before.

use crate::ahead::Ahead;
use crate::fault::Fallible;
use crate::runtime::Runtime;
use crate::specials::Specials;
use riverhawk_text::{Unit, to_lower};
use std::borrow::Cow;
use std::cmp::Ordering;

impl Runtime {
    /// Case counts or does not from now on.
    pub(crate) fn set_ignore_case(&mut self, ignore: bool) -> Fallible<()> {
        if ignore == self.specials.ignore_case {
            return Ok(());
        }
        self.specials.ignore_case = ignore;
        self.note_how_to_compare();
        let program = self.program.clone();
        self.patterns.ignore_case(&program, ignore);
        self.rule.options = *self.patterns.options();
        // What was looked ahead for were matches of the other set.
        self.ahead.fill(Ahead::default());
        self.rule.generation += 1;
        self.follow_separator()?;
        self.follow_field_mode()
    }

    /// Where `wanted` first stands in `text` when case does not count, from 1; 0 when nowhere.
    #[cold]
    pub(crate) fn index_of_folded(&self, text: &[u8], wanted: &[u8]) -> usize {
        let unit = self.unit;
        riverhawk_text::index(&folded(text, unit), &folded(wanted, unit), unit)
    }
}

impl Specials {
    /// Two texts in the order of sorting: where case does not count it decides only what nothing
    /// else does. Unlike gawk's, which compares `b`, `Bz` and `ba` in a circle, this is one
    /// order of all texts.
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

/// A text without the difference of case.
pub(crate) fn folded(text: &[u8], unit: Unit) -> Cow<'_, [u8]> {
    if riverhawk_simd::is_ascii(text) && !text.iter().any(u8::is_ascii_uppercase) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    // One code point for one, in clusters too: places must stay the same.
    to_lower(text, if unit == Unit::Byte { Unit::Byte } else { Unit::CodePoint }, &mut out);
    Cow::Owned(out)
}
