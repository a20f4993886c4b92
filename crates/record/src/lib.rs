//! From a window of bytes to records, and from a record to its fields.
//!
//! **What it is.** [`Record`] is `$0`, with fields found on demand and joined after assignments. RS
//! is in [`RecordRule`](record_rule::RecordRule), FS, FPAT and FIELDWIDTHS in
//! [`Splitter`](splitter::Splitter) and [`Widths`](widths::Widths), CSV, TSV and JSON in [`table`],
//! regular expressions in [`Patterns`](patterns::Patterns), searching ahead in
//! [`Ahead`](ahead::Ahead).
//!
//! **What it is not.** It does not read (`riverhawk-awkio` does), and the run passes RS, FS and
//! OFS.
//!
//! ```
//! use riverhawk_record::splitter::Splitter;
//! use riverhawk_record::{Record, TextKind};
//!
//! let mut record = Record::new(Splitter::Blanks);
//! record.set_text(b"tea and milk", TextKind::Input);
//! assert_eq!(record.count(), 3);
//! let view = record.field_view(2, 2).expect("text of the record");
//! assert_eq!(&record.text()[view.start as usize..view.end as usize], b"and");
//! ```

#![deny(unsafe_code)]
#![warn(unreachable_pub)]

pub mod ahead;
pub mod field_mode;
pub mod patterns;
mod record;
pub mod record_rule;
pub mod splitter;
pub mod table;
pub mod terminator;
pub mod unknown_escapes;
pub mod widths;

pub use record::{Joining, Record, TextKind};
