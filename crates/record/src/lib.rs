//! From a window of bytes to records, and from a record to its fields.
//!
//! **What it is.** [`Record`] is `$0`: text in a window or of its own, its fields found when they
//! are asked for, and put together again when a field was assigned. Around it what decides the two
//! cuts: [`RecordRule`](record_rule::RecordRule) is what RS says, [`Splitter`](splitter::Splitter)
//! and [`Widths`](widths::Widths) what FS, FPAT and FIELDWIDTHS say, [`table`] what CSV, TSV and
//! JSON are. [`Patterns`](patterns::Patterns) keeps a run's regular expressions, and
//! [`Ahead`](ahead::Ahead) where in the window the next match is.
//!
//! **What it is not.** It reads nothing: `riverhawk-awkio` does. It knows no variables: the run hands
//! it the values of RS, FS and OFS.
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
