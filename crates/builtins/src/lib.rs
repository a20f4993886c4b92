//! Built-in functions of awk over the values they need.
//!
//! **What it is.** Functions that need no run: arithmetic, bits, `rand`, sorting, collation, shell patterns, dates
//! and time zones.
//!
//! **What it is not.** It knows no variables, records or streams: `riverhawk-vm` does.
//!
//! **Main nouns.** [`Random`](random::Random), [`Collation`](collation::Collation),
//! [`Zone`](time::zone::Zone), [`Moment`](time::calendar::Moment).
//!
//! ```
//! use riverhawk_builtins::arithmetic::{power, remainder};
//!
//! assert_eq!(power(3.0, 40.0), 12_157_665_459_056_928_801.0);
//! assert_eq!(remainder(-7.0, 3.0), -1.0);
//! ```

#![deny(unsafe_code)]

pub mod arithmetic;
pub mod bits;
#[allow(unsafe_code)]
pub mod collation;
pub mod merge_sort;
pub mod names;
pub mod random;
pub mod shell_pattern;
pub mod time;
