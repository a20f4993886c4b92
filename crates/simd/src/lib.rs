//! Byte kernels: functions over `&[u8]` that find, classify, count, validate, split and widen, with
//! AVX2 where the processor has it, SSE2 on every other x86-64, NEON on AArch64, and plain Rust
//! elsewhere.
//!
//! The interface is safe, nothing outside the slice is read, and tests compare each kernel with a
//! short twin in [`naive`]. AVX-512 gained nothing over AVX2.
//!
//! The processor is queried once; testing the cached answer costs about a nanosecond. Call block
//! kernels ([`mark_byte`], [`count_byte`]) with kilobytes, field kernels with one record.
//!
//! A *mark* is a bit for a wanted byte: bit `i` of `marks[k]` is byte `64 * k + i`. A *block* is
//! the 64 bytes of one mark word. A *field* is a pair of `u32` positions.
//!
//! ```
//! // Where are the newlines, and which 64-byte blocks hold something other than ASCII?
//! let text = "naïve\nplain\n".as_bytes();
//! let (mut marks, mut non_ascii) = ([0u64; 1], [0u64; 1]);
//! riverhawk_simd::mark_byte(text, b'\n', &mut marks, &mut non_ascii);
//! assert_eq!(marks[0], 1 << 6 | 1 << 12);
//! assert_eq!(non_ascii[0], 1);
//!
//! // awk's default fields of one record.
//! let mut fields = Vec::new();
//! riverhawk_simd::split_blanks(b"  one two ", 0, usize::MAX, &mut fields);
//! assert_eq!(fields, [(2, 5), (6, 9)]);
//! ```

#![deny(unsafe_code)]

mod ascii;
mod block;
mod byte_class;
mod byte_table;
mod ceiling;
mod code_points;
mod count;
mod field_loops;
mod fields;
mod kernels;
mod mark;
pub mod naive;
#[cfg(target_arch = "aarch64")]
mod neon;
mod occurrences;
mod places;
mod portable;
mod quoted;
mod quoting;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod utf8_tables;
mod valid;
mod widen;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use ascii::is_ascii;
pub use block::BLOCK;
pub use byte_class::ByteClass;
pub use byte_table::{ByteOrder, ByteTable};
pub use ceiling::first_not_below;
pub use code_points::{mark_code_points, rank_places};
pub use count::{count_byte, count_code_points};
pub use field_loops::FINISHED;
pub use fields::{
    MARKED_BYTES, count_blank_fields, find_blank_field, find_byte_field, find_marked_field,
    mark_fields, split_blanks, split_byte, split_members, split_pair, split_runs,
};
pub use mark::{mark_byte, mask_of_members};
pub use memchr::{memchr as find_byte, memrchr as find_last_byte};
pub use occurrences::Occurrences;
pub use places::gather_places;
pub use portable::PLACES_SLACK;
pub use quoted::{mark_rows, split_quoted};
pub use quoting::{QuoteState, QuotedSplit, Quoting};
pub use valid::{InvalidUtf8, validate_utf8};
pub use widen::{widen_bytes, widen_utf16};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
