//! Byte kernels: the loops that every record, field and string of Riverhawk goes through.
//!
//! **What it is.** Functions over `&[u8]` that find, classify, count, validate, split and widen,
//! written with AVX2 where the processor has it, with SSE2 on every other x86-64, and in plain Rust
//! elsewhere. The interface is safe, nothing is ever read outside the slice (no padding is asked of
//! the caller), and each kernel has a twin in [`naive`], a few lines that say what the kernel
//! means; the tests hold the two against each other.
//!
//! **What it is not.** No buffers, no records, no regular expressions; of encodings, the way from
//! bytes and 16-bit units to UTF-8 and nothing else. AVX-512 is used for one kernel
//! ([`widen_bytes`] of ISO-8859-1), where it halves the time; measured, it gained nothing over AVX2
//! on any of the other loops.
//!
//! **Dispatch.** The processor is asked once and the answer is a cached flag; testing it costs
//! about 1 ns. The block kernels ([`mark_byte`], [`count_byte`]) are meant to be called with
//! kilobytes, the field kernels with one record.
//!
//! **Main nouns.** A *mark* is a bit that says "the byte here is the one you look for": bit `i` of
//! `marks[k]` stands for byte `64 * k + i`. A *block* is 64 bytes, the span of one mark word. A
//! *field* is a pair of `u32` positions.
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

mod ceiling;
mod code_points;
mod count;
mod fields;
mod mark;
pub mod naive;
mod occurrences;
mod places;
mod quoted;
mod shape;
mod widen;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use ceiling::first_not_below;
pub use code_points::{mark_code_points, rank_places};
pub use count::{count_byte, count_code_points};
pub use fields::{
    FINISHED, count_blank_fields, find_blank_field, find_byte_field, split_blanks, split_byte,
    split_pair,
};
pub use mark::{BLOCK, mark_byte};
pub use memchr::{
    memchr as find_byte, memchr2 as find_byte2, memchr3 as find_byte3, memrchr as find_last_byte,
};
pub use occurrences::{Occurrences, mark_pair};
pub use places::{PLACES_SLACK, gather_places};
pub use quoted::{QuoteState, QuotedSplit, Quoting, mark_rows, split_quoted};
pub use shape::{InvalidUtf8, is_ascii, validate_utf8};
pub use widen::{ByteOrder, ByteTable, widen_bytes, widen_utf16};
