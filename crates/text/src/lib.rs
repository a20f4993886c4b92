//! Text as an awk sees it: bytes that are mostly UTF-8, measured and cut in characters.
//!
//! **What it is.** Functions over `&[u8]`: how long is it, where does character `n` begin, cut out characters `a` to `b`,
//! find a needle, take it apart, change its case, resolve its escape sequences. Nothing is ever converted or rejected: each
//! byte that is not part of valid UTF-8 is one character, and comes out as it went in. ASCII pays for none of it.
//!
//! **What it is not.** No string type, no locale tables, no decoding of other encodings, no regular expressions. UTF-8 ends
//! at U+10FFFF and has no surrogates (FACTS D9).
//!
//! **Main nouns.** A [`Unit`] is what counts as one character: a code point (the default of the language, FACTS N8) or a
//! byte (`-b`, or the C locale). A *character* is one unit. Positions in characters count from 1 in awk's own functions
//! ([`index`], [`substr_range`]), positions in bytes from 0.
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
//! ```

#![forbid(unsafe_code)]

mod case;
mod chars;
mod code_point;
mod escape;
mod length;
mod search;
mod substr;

pub use case::{to_lower, to_upper};
pub use chars::{Chars, chars};
pub use code_point::{char_len, encode_code_point, first_code_point};
pub use escape::{EscapeWarning, process_escapes};
pub use length::{byte_to_char, char_to_byte, length};
pub use search::index;
pub use substr::substr_range;

/// What counts as one character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A byte: option `-b`, or the C locale.
    Byte,
    /// A Unicode code point, in UTF-8; a byte that is not part of a valid one counts as one too.
    #[default]
    CodePoint,
}
