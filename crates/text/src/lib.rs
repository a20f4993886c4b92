//! Text as awk sees it: bytes that are mostly UTF-8, measured and cut in characters.
//!
//! Functions over `&[u8]`: length, position of character `n`, cutting, finding, splitting, case,
//! escape sequences. Nothing is converted or rejected: each byte that is not part of valid UTF-8 is
//! one character and stays as it is.
//!
//! [`decoder`] turns bytes that arrive in pieces into lines and characters; [`encoding`] has the
//! encodings, their registry, and encoders.
//!
//! There is no string type, no locale and no regular expression. UTF-8 ends at U+10FFFF and has no
//! surrogates.
//!
//! A [`Unit`] is what counts as one *character*: a code point (the default), a byte (`-b`, the C
//! locale) or a grapheme cluster (`--graphemes`). Positions in characters count from 1 in awk's
//! functions ([`index`], [`substr_range`]), positions in bytes from 0.
//!
//! ```
//! use riverhawk_text::{Unit, index, length, substr_range};
//!
//! let text = "Füße\u{20ac}".as_bytes();
//! assert_eq!(length(text, Unit::CodePoint), 5);
//! assert_eq!(length(text, Unit::Byte), 9);
//! assert_eq!(&text[substr_range(text, Unit::CodePoint, 2.0, Some(3.0))], "üße".as_bytes());
//! assert_eq!(index(text, "ße".as_bytes(), Unit::CodePoint), 3);
//! // A byte that belongs to nothing is a character of its own.
//! assert_eq!(length(b"a\xffb", Unit::CodePoint), 3);
//! // What a reader takes for one character.
//! assert_eq!(length("e\u{301}🇫🇷\r\n".as_bytes(), Unit::Grapheme), 3);
//! ```
//!
//! # Graphemes, normal forms, case, width
//!
//! Unicode 18.0 throughout, over bytes, leaving broken bytes alone:
//!
//! - [`graphemes`], [`grapheme_count`], [`grapheme_boundaries`], and [`GraphemeScanner`] for a
//!   stream that is cut anywhere.
//! - [`normalize`] and [`is_normalized`] for the four forms; [`concat_normalized`] for joining
//!   normalised texts.
//! - [`to_upper`] and [`to_lower`] one code point for one, as in awk; [`to_upper_full`],
//!   [`to_lower_full`] and [`fold_case`] as in Unicode.
//! - [`display_width`] in columns of a terminal.
//! - [`replace`], [`url_encode`], [`url_decode`].
//! - [`quoted`] and [`on_one_line`] for people.
//!
//! A returned [`Cow`](std::borrow::Cow) is borrowed if nothing changed. All functions take linear
//! time.
//!
//! A million lines of about 60 bytes, counted line by line, in milliseconds (`cargo run --release
//! -p riverhawk-text --example grapheme_speed`, one core, minimum of many runs):
//!
//! | | ASCII | one mark in 1,000 lines | mixed scripts |
//! |---|---|---|---|
//! | [`length`] in code points | 6.1 | 6.0 | 26 |
//! | [`length`] in graphemes | 6.2 | 6.0 | 58 |
//! | [`graphemes`] one by one | 30 | 38 | 89 |
//! | `icu_segmenter` 2.4 | 234 | 264 | 136 |
//! | `bstr` 1.13 | 257 | 253 | 856 |
//! | `unicode-segmentation` 1.13 | 866 | 941 | 542 |

// Not `forbid`, because of `encoding::adopt`, which turns a validated buffer into a `String` in
// place.
#![deny(unsafe_code)]

mod ascii_case;
mod case;
mod chars;
mod code_point;
pub mod decoder;
pub mod encoding;
mod escape;
mod fold;
mod grapheme;
mod length;
mod normal;
mod quote;
mod replace;
mod search;
mod substr;
mod url;
mod valid;
mod width;

pub use ascii_case::{LANES, lower_lanes, upper_lanes};
pub use case::{to_lower, to_upper};
pub use chars::{Chars, chars};
pub use code_point::{char_len, encode_code_point, first_code_point};
pub use escape::{EscapeWarning, process_escapes};
pub use fold::{fold_case, to_lower_full, to_upper_full};
pub use grapheme::{
    GraphemeBoundaries, GraphemeScanner, Graphemes, StrGraphemes, grapheme_boundaries,
    grapheme_count, grapheme_len, graphemes, str_graphemes,
};
pub use length::{byte_to_char, char_to_byte, length};
pub use normal::{NormalForm, append_normalized, concat_normalized, is_normalized, normalize};
pub use quote::{on_one_line, quoted};
pub use replace::{Replacer, replace};
pub use search::index;
pub use substr::substr_range;
pub use url::{url_decode, url_encode};
pub use width::display_width;

/// What counts as one character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A byte: option `-b`, or the C locale.
    Byte,
    /// A Unicode code point, or a byte that is not part of a valid one.
    #[default]
    CodePoint,
    /// A grapheme cluster: option `--graphemes`. A broken byte is one, and so is CR LF.
    Grapheme,
}

impl Unit {
    /// Whether ASCII text has as many characters as bytes; not in graphemes, where CR LF is one.
    ///
    /// ```
    /// use riverhawk_text::{Unit, length};
    /// assert!(Unit::CodePoint.counts_ascii_by_bytes());
    /// assert!(!Unit::Grapheme.counts_ascii_by_bytes());
    /// assert_eq!(length(b"\r\n", Unit::Grapheme), 1);
    /// ```
    #[inline]
    pub fn counts_ascii_by_bytes(self) -> bool {
        self != Unit::Grapheme
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
