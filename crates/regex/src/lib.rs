//! POSIX extended regular expressions as in gawk: leftmost-longest, on bytes that may be invalid
//! UTF-8, in linear time and bounded memory.
//!
//! The grammar and the longest-match rule are this crate's; the automata are `regex-automata`'s,
//! preceded by kernels and tables. There are no back-references, no look-around beyond word
//! boundaries, no multi-line mode and no replacement.
//!
//! - [`Regex`]: a pattern to search with; [`Regex::find`], [`Regex::is_match`], [`Regex::captures`].
//! - [`CompiledRegex`]: the part of it that all threads may share.
//! - [`Options`]: bytes or UTF-8, case.
//! - [`Matches`]: all matches in a text by gsub's rule.
//! - [`Partial`], [`MatchProgress`]: answer and state of [`Regex::find_in_stream`], for text that is
//!   still arriving.
//!
//! ```
//! use riverhawk_regex::{Match, Options, Regex};
//!
//! let regex = Regex::new(b"a|ab|abc", &Options::default())?;
//! assert_eq!(regex.find(b"xabcd"), Some(Match { start: 1, end: 4 }));
//!
//! // An invalid byte is no character, but it can be asked for.
//! let any = Regex::new(b".", &Options::default())?;
//! assert!(!any.is_match(b"\xff"));
//! assert!(Regex::new(br"\377", &Options::default())?.is_match(b"\xff"));
//! # Ok::<(), riverhawk_regex::Error>(())
//! ```

#![forbid(unsafe_code)]
#![warn(unreachable_pub)]

mod anything;
mod automata;
mod between;
mod bracket;
mod byte_set;
mod caches;
mod captures;
mod chain;
mod char_set;
mod classes;
mod compiled;
mod cursor;
mod cut_bytes;
mod error;
mod every_start;
mod lazy;
mod limits;
mod lines;
mod longest;
mod matches;
mod memory;
mod one_pass;
mod parse;
mod pieces;
mod regex;
mod runs;
mod search;
mod shape;
mod simulate;
mod span;
mod stream;
mod table;
mod twin;
mod unescape;

pub use byte_set::ByteSet;
pub use compiled::{CompiledRegex, Options};
pub use error::Error;
pub use lines::Lines;
pub use longest::Arrival;
pub use matches::{AllMatches, Matches};
pub use regex::Regex;
pub use runs::ClassMatches;
pub use shape::{Edge, EdgeBytes, Left};
pub use span::Match;
pub use stream::{MatchProgress, Partial};

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
