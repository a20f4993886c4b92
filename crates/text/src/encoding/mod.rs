//! Encodings: names, bytes to text, text to bytes.
//!
//! A trait [`Encoding`] for encodings of your own, the registry [`Encodings`], the built-in set
//! (UTF-8, clean UTF-8, UTF-16, ASCII, ISO-8859-1, and the WHATWG standard's through
//! `encoding_rs`), a [`Policy`] for what has no counterpart, and the [`Encoder`]. For lines and
//! streams, see the [`Decoder`](crate::decoder::Decoder).
//!
//! Encodings are not guessed, and text is not normalised.
//!
//! ```
//! use riverhawk_text::decoder::Decoder;
//! use riverhawk_text::encoding::Encodings;
//!
//! let encodings = Encodings::new();
//! let cyrillic = encodings.get("CP1251").expect("built in");
//! let mut decoder = Decoder::new(cyrillic);
//! decoder.add_slice(b"\xCC\xE8\xF0");
//! assert_eq!(decoder.take_all()?, "Мир");
//!
//! // Strict unless asked otherwise, and exact about where and what.
//! let mut strict = Decoder::new(encodings.get("ascii").expect("built in"));
//! strict.add_slice(b"one\ntw\xF6");
//! assert_eq!(strict.take_available()?, "one\ntw");
//! let error = strict.take_available().unwrap_err();
//! assert_eq!(error.to_string(), "ascii: undecodable bytes F6 at line 2, column 3 (byte 6, after 0A 74 77)");
//! # Ok::<(), riverhawk_text::encoding::DecodeError>(())
//! ```
//!
//! # An encoding of your own
//!
//! Three small impls are enough for decoder, encoder and registry. The one rule: leave the bytes of
//! an incomplete character unconsumed; they come again.
//!
//! ```
//! use riverhawk_text::encoding::{Decode, Decoded, Encode, Encoded, Encoding, Encodings};
//!
//! #[derive(Clone)]
//! struct Rot13;
//!
//! fn turned(c: char) -> char {
//!     match c {
//!         'a'..='m' | 'A'..='M' => (c as u8 + 13).into(),
//!         'n'..='z' | 'N'..='Z' => (c as u8 - 13).into(),
//!         _ => c,
//!     }
//! }
//!
//! impl Encoding for Rot13 {
//!     fn name(&self) -> &str { "rot13" }
//!     fn decoder(&self) -> Box<dyn Decode> { Box::new(Rot13) }
//!     fn encoder(&self) -> Box<dyn Encode> { Box::new(Rot13) }
//! }
//!
//! impl Decode for Rot13 {
//!     fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
//!         let ascii = input.iter().take_while(|byte| byte.is_ascii()).count();
//!         text.extend(input[..ascii].iter().map(|byte| turned((*byte).into())));
//!         Decoded { consumed: ascii, undecodable: (ascii < input.len()).into() }
//!     }
//!     fn fork(&self) -> Box<dyn Decode> { Box::new(self.clone()) }
//! }
//!
//! impl Encode for Rot13 {
//!     fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
//!         for (at, character) in text.char_indices() {
//!             if !character.is_ascii() {
//!                 return Encoded::Unmappable { at, character };
//!             }
//!             bytes.push(turned(character) as u8);
//!         }
//!         Encoded::All
//!     }
//! }
//!
//! let mut encodings = Encodings::new();
//! encodings.add(Rot13)?;
//! assert!(encodings.add(Rot13).is_err()); // the name is taken
//! # Ok::<(), riverhawk_text::encoding::NameError>(())
//! ```
//!
//! # Guarantees
//!
//! - **Round trip.** `utf-8-c8` restores every sequence of bytes exactly (see [`Utf8Clean8`]).
//! - **Cuts.** The result does not depend on how the input was cut. Only an incomplete character,
//!   and a CR if CRLF is folded, waits at the end of a piece.
//! - **Copying.** Verbatim input is validated and copied as a block; single-byte encodings and
//!   UTF-16 are widened in place by [`riverhawk_simd`]. No allocation per call.
//! - **Invalid input** never loses the text before it; the error has offset, line, column and
//!   neighbours.
//!
//! # Compared with other crates
//!
//! | | this | `encoding_rs` | `encoding_rs_io` |
//! |---|---|---|---|
//! | encodings of your own | a trait | no | no |
//! | true ISO-8859-1, ASCII; lossless UTF-8 | yes | no (they are windows-1252) | raw UTF-8 by an option |
//! | strict errors | offset, line, column, neighbours | length of the sequence | replacement only |
//! | works without a reader | yes | yes | a `Read` only |
//! | undecoded bytes can be taken back | yes | no | no |
//!
//! `cargo run --release -p riverhawk-text --example decode_speed` prints the speeds.

mod adopt;
mod ascii;
mod clean8;
pub(crate) mod convert;
mod encoder;
mod error;
pub(crate) mod place;
mod policy;
mod registry;
mod single_byte;
pub(crate) mod text;
mod traits;
mod utf16;
mod utf8;
mod whatwg;

pub use ascii::{Ascii, Latin1};
pub use clean8::{Utf8Clean8, escape_byte, escaped_byte};
pub use encoder::Encoder;
pub use error::{DecodeError, DecodeErrorKind, EncodeError};
pub use policy::Policy;
pub use registry::{Encodings, NameError};
pub use text::Text;
pub use traits::{Decode, Decoded, Encode, Encoded, Encoding, Verbatim};
pub use utf8::{Utf8, incomplete_tail};
pub use utf16::{Utf16, Utf16Be, Utf16Le};
pub use whatwg::Whatwg;
