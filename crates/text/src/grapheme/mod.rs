//! Grapheme clusters: what a reader sees as one character.
//!
//! Unicode's extended grapheme clusters (UAX #29, Unicode 18.0) over bytes: count, positions,
//! iteration, and streams cut anywhere. `é` as two code points is one cluster, so are a flag, an
//! emoji family, a Devanagari conjunct and CR LF. A broken byte is one, and nothing joins it.
//!
//! No words, sentences or lines; no locale; no normal forms: two spellings of `é` count alike but
//! differ as bytes ([`normalize`](crate::normalize)).
//!
//! ```
//! use riverhawk_text::{grapheme_boundaries, grapheme_count, graphemes};
//!
//! let text = "e\u{301}🇫🇷\r\n".as_bytes();
//! assert_eq!(grapheme_count(text), 3);
//! assert_eq!(graphemes(text).collect::<Vec<_>>(), ["e\u{301}".as_bytes(), "🇫🇷".as_bytes(), b"\r\n"]);
//! assert_eq!(grapheme_boundaries(text).collect::<Vec<_>>(), [0, 3, 11, 13]);
//! ```
//!
//! # Guarantees
//!
//! - Nothing is allocated or copied; linear time.
//! - ASCII costs a search for a carriage return, text below U+0300 a count of code points; text
//!   after a combining mark is as fast again.
//! - The rules are a state machine of 13 states and 19 classes over a table of 29 KiB, tested
//!   against Unicode's file and, on random text, `icu_segmenter`.
//!
//! # Other crates
//!
//! | | this | `unicode-segmentation` | `bstr` | `icu_segmenter` |
//! |---|---|---|---|---|
//! | input | bytes or `str` | `str` | bytes | bytes or `str` |
//! | a broken byte | a cluster each | - | one U+FFFD per broken sequence | one U+FFFD per broken sequence |
//! | cut anywhere (streams) | [`GraphemeScanner`] | `GraphemeCursor`, which asks for context | no | no |
//! | backwards | no | yes | yes | no |
//! | words, sentences | no | yes | yes | yes |
//!
//! `cargo run --release -p riverhawk-text --example grapheme_speed` prints the speeds.

mod count;
mod iter;
mod rules;
mod scanner;
mod table;

pub use count::grapheme_count;
pub(crate) use count::{is_byte_per_cluster, skip_clusters};
pub use iter::{
    GraphemeBoundaries, Graphemes, StrGraphemes, grapheme_boundaries, graphemes, str_graphemes,
};
pub use scanner::GraphemeScanner;

use crate::code_point::first_code_point;
use rules::{Class, Machine};

#[inline(always)]
fn class_of(c: char) -> u8 {
    let code = c as usize;
    let block = usize::from(table::BLOCK_OF[code >> table::SHIFT]);
    table::CLASS_IN[block << table::SHIFT | code & ((1 << table::SHIFT) - 1)]
}

/// Whether a code point can join the one before it. Others never compose with the text before them,
/// in any normal form.
pub(crate) fn may_join_before(c: char) -> bool {
    const JOINING: [Class; 7] = [
        Class::Extend,
        Class::ExtendOnly,
        Class::ExtendLinker,
        Class::Zwj,
        Class::SpacingMark,
        Class::HangulV,
        Class::HangulT,
    ];
    let class = class_of(c);
    JOINING.iter().any(|joining| *joining as u8 == class)
}

/// Class and length in bytes of the first character of `text`.
#[inline(always)]
fn first_class(text: &[u8]) -> Option<(u8, usize)> {
    let first = *text.first()?;
    if first.is_ascii() {
        return Some((class_of(char::from(first)), 1));
    }
    match first_code_point(text) {
        Some((c, len)) => Some((class_of(c), len)),
        None => Some((Class::Control as u8, 1)),
    }
}

/// Length in bytes of the first cluster of `text`; 0 if there is none.
///
/// `text` must begin at a boundary.
///
/// ```
/// assert_eq!(riverhawk_text::grapheme_len("e\u{301}x".as_bytes()), 3);
/// ```
#[inline]
pub fn grapheme_len(text: &[u8]) -> usize {
    match text {
        [] => 0,
        [byte] if byte.is_ascii() => 1,
        // In ASCII only CR LF is a cluster of two.
        [first, second, ..] if (first | second) < 0x80 && *first != b'\r' => 1,
        _ => cluster_len(text),
    }
}

fn cluster_len(text: &[u8]) -> usize {
    first_class(text).map_or(0, |first| cluster_from(text, first).0)
}

/// Length of the first cluster, given class and length of its first character. Also class and
/// length of the character after it, if known.
#[inline]
fn cluster_from(text: &[u8], first: (u8, usize)) -> (usize, Option<(u8, usize)>) {
    let mut machine = Machine::START;
    machine.step(first.0);
    let mut at = first.1;
    loop {
        let next = first_class(&text[at..]);
        match next {
            Some((class, len)) if !machine.step(class) => at += len,
            _ => return (at, next),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use icu_properties::props::{
        ExtendedPictographic, GraphemeClusterBreak as Cluster, IndicConjunctBreak as Conjunct,
    };
    use icu_properties::{CodePointMapData, CodePointSetData};

    #[test]
    fn the_table_has_the_class_of_every_code_point() {
        let pictographs = CodePointSetData::new::<ExtendedPictographic>();
        for c in '\0'..=char::MAX {
            let expected = match (
                CodePointMapData::<Cluster>::new().get(c),
                CodePointMapData::<Conjunct>::new().get(c),
            ) {
                (Cluster::CR, _) => Class::Cr,
                (Cluster::LF, _) => Class::Lf,
                (Cluster::Control, _) => Class::Control,
                (Cluster::Extend, Conjunct::Extend) => Class::Extend,
                (Cluster::Extend, Conjunct::Linker) => Class::ExtendLinker,
                (Cluster::Extend, _) => Class::ExtendOnly,
                (Cluster::ZWJ, Conjunct::Extend) => Class::Zwj,
                (Cluster::SpacingMark, Conjunct::None) => Class::SpacingMark,
                (Cluster::Prepend, Conjunct::None) => Class::Prepend,
                (Cluster::RegionalIndicator, _) => Class::Regional,
                (Cluster::L, _) => Class::HangulL,
                (Cluster::V, _) => Class::HangulV,
                (Cluster::T, _) => Class::HangulT,
                (Cluster::LV, _) => Class::HangulLv,
                (Cluster::LVT, _) => Class::HangulLvt,
                (Cluster::Other, Conjunct::Consonant) => Class::Consonant,
                (Cluster::Other, Conjunct::Linker) => Class::Linker,
                (Cluster::Other, Conjunct::None) if pictographs.contains(c) => Class::Pictograph,
                (Cluster::Other, Conjunct::None) => Class::Other,
                other => panic!("{c:?} is a combination that the rules do not know: {other:?}"),
            };
            assert_eq!(class_of(c), expected as u8, "{c:?}");
        }
    }

    #[test]
    fn nothing_below_the_ceiling_of_plain_text_joins_except_line_feed() {
        for first in '\0'..'\u{300}' {
            for second in '\0'..'\u{300}' {
                let mut machine = Machine::START;
                machine.step(class_of(first));
                assert_eq!(
                    machine.step(class_of(second)),
                    (first, second) != ('\r', '\n'),
                    "{first:?} {second:?}"
                );
            }
        }
    }
}
