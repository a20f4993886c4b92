//! Byte streams cut into records, at memory speed, without moving what has been read.
//!
//! **What it is.** [`Records`] reads a [`Source`] (file, standard input, pipe, memory) through one reused [`Window`] and
//! says where each record is: by one byte, by a set of strings, by paragraphs, or by any [`Separator`] you write. A
//! record is a pair of indexes into the window, not a copy. [`Scanner`] does the same over a buffer of the caller's and
//! never allocates.
//!
//! **What it is not.** It never sees a regular expression (that is a [`Separator`] somebody else writes), knows no
//! encodings (records are bytes) and opens nothing by itself beyond [`FdSource::open`].
//!
//! **The two phases.** [`Records::next_buffered`] only looks at what has been read: no system call, no memory moved, all
//! earlier records stay where they are. When it says [`Step::NeedMore`] the caller takes what it wants to keep, and
//! [`Records::refill`] reads once, after which earlier indexes are void. So whoever uses a record knows exactly how long
//! it lives, a record that has arrived is delivered whatever the rest of the buffer waits for, and nothing is copied for
//! safety.
//!
//! ```
//! use riverhawk_stream::{MemorySource, Records, Step};
//!
//! let mut records = Records::new(MemorySource::new("one\ntwo\nthree"));
//! let mut lengths = Vec::new();
//! loop {
//!     match records.next_buffered() {
//!         Step::Record(record) => lengths.push(records.text(&record).len()),
//!         Step::NeedMore => {
//!             records.refill()?;
//!         }
//!         Step::End => break,
//!     }
//! }
//! assert_eq!(lengths, [3, 3, 5]);
//! # Ok::<(), std::io::Error>(())
//! ```

#![deny(unsafe_code)]

mod marks;
mod paragraph;
mod records;
mod scanner;
mod separator;
mod source;
mod strings;
mod window;

pub use paragraph::Paragraph;
pub use records::{EndOfInput, Record, RecordTooLong, Records, Skipped, Step};
pub use scanner::{ScanError, Scanner};
pub use separator::{Found, RecordSeparator, Separator};
pub use source::{FdSource, MemorySource, Piece, ReadSource, Room, ScriptedSource, Source, StdinSource};
pub use strings::{MAX_STRING_LENGTH, MAX_STRINGS, StringSet, StringSetError};
pub use window::{Counters, DEFAULT_WINDOW, Window};
