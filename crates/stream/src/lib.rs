//! Byte streams cut into records in place, and an algebra for other uses.
//!
//! **What it is.** Two ways to read a [`Source`] (file, standard input, pipe, socket, memory, any
//! reader) through one reused [`Window`]:
//!
//! - [`Records`] are pairs of indexes into the window, ended by a byte, strings, blank lines, rows
//!   with quotes, JSON values, or any [`Separator`]. The fastest way to read lines.
//! - [`Stream`] is for protocols and formats: up to a byte, a set, a string, the end; exact
//!   lengths; skip, peek, lines; bounded sub-streams, concatenation, tee, filters; and [`Sink`]s
//!   for output.
//!
//! [`Scanner`] cuts tokens in the caller's buffer. [`Backwards`], [`copy_last_lines`] and
//! [`LastLines`] read from the end.
//!
//! **What it is not.** No regular expressions (write a [`Separator`]), encodings, threads or
//! `async`; it opens nothing except by [`FdSource::open`] and [`SourceStream::open`].
//!
//! # Records: the two phases
//! [`Records::next_buffered`] reads and moves nothing. At [`Step::NeedMore`] the caller copies what
//! it keeps and calls [`Records::refill`], which reads once and invalidates indexes.
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
//!
//! If nothing must outlive a refill, use [`RecordCursor`], with select, reject and collect from
//! [`RecordStream`]:
//!
//! ```
//! use riverhawk_stream::{MemorySource, RecordCursor, RecordStream, Records};
//!
//! let records = Records::new(MemorySource::new("one\n# two\nthree\n"));
//! let mut lines = RecordCursor::new(records).reject(|line| line.starts_with(b"#"));
//! while let Some(line) = lines.next_record()? {
//!     assert!(line == b"one" || line == b"three");
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Streams: the algebra
//! A message with its length in the head:
//!
//! ```
//! use riverhawk_stream::{Buffered, ByteSet, Ended, MemoryStream, Pattern, Stream};
//!
//! let mut stream = MemoryStream::new(b"put 11;hello\nworld--end--get 0;");
//! let mut word = Vec::new();
//! assert_eq!(stream.up_to_any(&ByteSet::new(" ;"), &mut word)?, Some(b' '));
//! let length = std::str::from_utf8(stream.take_up_to(b';')?.bytes).unwrap().parse().unwrap();
//!
//! // The body as a stream of its own. A delimiter behind its end is not seen.
//! let mut body = stream.limited(length);
//! assert_eq!(body.take_line()?.bytes, b"hello");
//! let last = body.take_line()?;
//! assert_eq!((last.bytes, last.ended), (&b"world"[..], Ended::AtEnd));
//!
//! assert!(stream.skip_to_all(&mut Pattern::new("--end--"))?);
//! assert_eq!(stream.peek()?, Some(b'g'));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! A new kind of stream needs one method; a buffer makes it as fast as a file:
//!
//! ```
//! use riverhawk_stream::{Buffered, Stream};
//!
//! /// 0, 1, 2 ... as text.
//! struct Numbers(u32);
//!
//! impl Stream for Numbers {
//!     fn read_into(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
//!         let Some(first) = buffer.first_mut() else { return Ok(0) };
//!         *first = b'0' + (self.0 % 10) as u8;
//!         self.0 += 1;
//!         Ok(1)
//!     }
//! }
//!
//! let mut numbers = Numbers(3).reject(|digit| digit == b'5').buffered_by(4096).tee(Vec::new());
//! assert_eq!(numbers.take_up_to(b'9')?.bytes, b"34678");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! See `examples/http_headers.rs` for a parser and `examples/http_bench.rs` for what each operation
//! gains.
//!
//! # Guarantees
//! - **Allocation.** One window, which grows with the longest record or lent piece. [`Scanner`] and
//!   [`MemoryStream`] never allocate; [`LastLines`] at most twice its limit and 192 KiB;
//!   [`copy_last_lines`] one block.
//! - **Copying.** Reads go into the window, which is not cleared; records and `take_` pieces are
//!   lent from it. [`WindowCounters::bytes_moved`] counts moves. Appending copies each byte once;
//!   [`Stream::up_to_end`] reads into the caller's vector.
//! - **Latency.** No operation reads while it can answer from its buffer, or waits for the byte
//!   after a delimiter (not even the LF after a CR).
//! - **Nothing is lost.** An error keeps its [`kind`](std::io::Error::kind); what came before it is
//!   in the caller's vector or the stream, and the call can be repeated. "Not yet"
//!   ([`WouldBlock`](std::io::ErrorKind::WouldBlock)) is an error, the end of input a value.
//!   Interrupted calls are retried.
//! - **Limits.** [`Records::set_limit`], [`Buffered::limited`], [`LastLines::new`], the buffer of a
//!   [`Scanner`].
//! - **Unsafe code.** One line, in [`Room::read_fd`].
//!
//! # Beside the usual choices
//! `examples/line_speed.rs` and `examples/up_to_speed.rs` print times for your machine.
//!
//! - **`BufRead::lines`, `read_line`, `read_until`** copy each line; the first two fail if it is
//!   not UTF-8.
//! - **linereader** lends lines, but cuts those longer than its buffer; the delimiter is one byte.
//! - **bstr's `for_byte_line`** lends lines to a closure, without changes of delimiter or a limit.

#![deny(unsafe_code)]

mod algebra;
mod chunk;
mod code_points;
mod ends;
mod json;
mod marks;
mod paragraph;
mod places;
mod record;
mod record_separator;
mod records;
mod scanner;
mod separator;
mod source;
mod strings;
mod window;

pub use algebra::{
    Backwards, BlockSink, Buffered, ByteSet, Collect, CollectRecords, Concat, Cut, Ended, FdSink,
    FlushRule, LastBytes, LastLines, Limited, MemoryStream, OUTPUT_BLOCK, OutputBuffer, Pattern,
    RecordCursor, RecordStream, Reject, Select, SelectRecords, Sink, SourceStream, Stream,
    StreamReader, StreamSource, TailTooLong, Taken, Tee, TeeSink, Undelivered, WriteSink,
    copy_last_bytes, copy_last_lines,
};
pub use ends::Ends;
pub use json::JsonValues;
pub use paragraph::Paragraph;
pub use record::Record;
pub use record_separator::RecordSeparator;
pub use records::{EndOfInput, Memory, RecordTooLong, Records, Skipped, Step};
pub use riverhawk_simd::Quoting;
pub use scanner::{ScanError, Scanner};
pub use separator::{Found, Input, RecordPlace, Separator};
pub use source::{
    FdSource, MemorySource, Piece, ReadSource, Room, ScriptedSource, Source, StdinSource,
};
pub use strings::{MAX_STRING_LENGTH, MAX_STRINGS, StringSet, StringSetError};
pub use window::{DEFAULT_WINDOW, Window, WindowCounters};

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
