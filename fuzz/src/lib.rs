//! What the fuzz targets share: keeping programs harmless and finite, and catching what they print.
//!
//! Not here: the targets themselves (`fuzz_targets/`) and the program that makes their first inputs (`examples/seed.rs`).
//!
//! - [`confine`] decides whether a program may run inside the fuzzer, and bounds its loops and calls;
//! - [`naive_csv`] and [`naive_tsv`] read tables byte by byte, as the rules are written;
//! - [`Streams`] replaces standard input and output of the process by files in memory;
//! - [`Trial`] is a harmless program and its input, to be run in several ways;
//! - [`CUT`] is the byte that separates the parts of an input.
#![forbid(unsafe_code)]

mod confine;
mod naive_table;
mod streams;
mod trial;

pub use confine::{FUEL, confine};
pub use naive_table::{naive_csv, naive_tsv};
pub use streams::Streams;
pub use trial::{Seen, Trial};

/// Separates the parts of an input: in no UTF-8 text, so seeds need no escapes.
pub const CUT: u8 = 0xfe;

/// What comes before the first [`CUT`], and what comes after it.
pub fn cut(input: &[u8]) -> (&[u8], &[u8]) {
    let at = input.iter().position(|&byte| byte == CUT).unwrap_or(input.len());
    (&input[..at], input.get(at + 1..).unwrap_or_default())
}
