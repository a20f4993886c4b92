//! Shared by the fuzz targets: programs made harmless and finite, and captured output.
//!
//! - [`confine`] decides whether a program may run inside the fuzzer, and bounds its loops and
//!   calls;
//! - [`naive_csv`] and [`naive_tsv`] read tables byte by byte;
//! - [`Streams`] replaces standard input and output of the process by files in memory;
//! - [`Trial`] is a harmless program with its input;
//! - [`CUT`] separates the parts of an input.
//!
//! The targets are in `fuzz_targets/`; `examples/seed.rs` makes their seeds.
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

/// The parts before and after the first [`CUT`].
pub fn cut(input: &[u8]) -> (&[u8], &[u8]) {
    let at = input.iter().position(|&byte| byte == CUT).unwrap_or(input.len());
    (&input[..at], input.get(at + 1..).unwrap_or_default())
}
