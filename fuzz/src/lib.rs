//! Shared by the fuzz targets: programs made harmless and finite, and captured output.
//!
//! - [`confine`] decides whether a program may run inside the fuzzer, and bounds its loops and
//!   calls;
//! - [`naive_csv`] and [`naive_tsv`] read tables byte by byte;
//! - [`Streams`] replaces standard input and output of the process by files in memory;
//! - [`Trial`] is a harmless program with its input;
//! - [`CUT`] separates the parts of an input;
//! - [`target!`] makes a program of a target.
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

/// The program of a fuzz target: libFuzzer's under cargo-fuzz, else one that tries the files it is
/// given, so that a found input can be looked at with any compiler and debugger.
#[macro_export]
macro_rules! target {
    (|$input:ident: &[u8]| $body:block) => {
        #[cfg(fuzzing)]
        libfuzzer_sys::fuzz_target!(|$input: &[u8]| $body);

        #[cfg(not(fuzzing))]
        fn main() -> std::io::Result<()> {
            $crate::try_files(|$input: &[u8]| $body)
        }
    };
}

/// Calls `target` with the content of each file that the command line names.
///
/// # Errors
/// A file that cannot be read; those after it are not tried.
pub fn try_files(target: impl Fn(&[u8])) -> std::io::Result<()> {
    for path in std::env::args_os().skip(1) {
        let text = std::fs::read(&path).map_err(|error| {
            std::io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        })?;
        target(&text);
        eprintln!("{}: holds", path.display());
    }
    Ok(())
}
