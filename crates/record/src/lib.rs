//! From a window of bytes to records, and from a record to its fields.
//!
//! **What it is.** [`Record`] is `$0`: text in a window or its own, its fields found on demand, and
//! joined again after a field was assigned. [`RecordRule`](record_rule::RecordRule) implements RS,
//! [`Splitter`](splitter::Splitter) and [`Widths`](widths::Widths) FS, FPAT and FIELDWIDTHS,
//! [`table`] CSV, TSV and JSON. [`Patterns`](patterns::Patterns) holds a run's regular expressions,
//! [`Ahead`](ahead::Ahead) the next match in the window.
//!
//! **What it is not.** It does no reading (`riverhawk-awkio` does) and knows no variables: the run
//! passes the values of RS, FS and OFS.
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
