//! The stream algebra: three primitives and what is derived from them.
//!
//! [`Stream::read_into`], [`Stream::copy_to`] and [`Sink::put`] suffice for defaults of all
//! operations, byte by byte, so a generator or decompressor is a stream when it can fill a buffer.
//! [`Buffered`] streams search their memory and move or lend blocks. Tests compare the two.
//!
//! | file | holds |
//! |---|---|
//! | `stream` | the trait and its byte-at-a-time defaults |
//! | `buffered` | the trait of streams with a buffer: borrowed pieces, peek, lines |
//! | `through` | what such streams put in place of the defaults |
//! | `memory`, `source_stream` | the streams: memory, and everything that is a [`Source`](crate::Source) |
//! | `adapt` | limited, concatenation, tee, select, reject, collect, bridges to the standard library |
//! | `byte_set`, `pattern`, `ahead` | what is searched for, and marks of where it is |
//! | `cut` | records of a stream, and select, reject, collect over them |
//! | `sink` | memory, descriptors, writers, tee, blocks |
//! | `backwards`, `tail` | the reverse: lines from the end, the last lines or bytes |

mod adapt;
mod ahead;
mod backwards;
mod buffered;
mod byte_set;
mod cut;
mod memory;
mod pattern;
mod sink;
mod source_stream;
mod stream;
mod tail;
mod through;

pub use adapt::{Collect, Concat, Limited, Reject, Select, StreamReader, Tee};
pub use backwards::Backwards;
pub use buffered::{Buffered, Ended, Taken};
pub use byte_set::ByteSet;
pub use cut::{CollectRecords, Cut, RecordCursor, RecordStream, SelectRecords};
pub use memory::MemoryStream;
pub use pattern::Pattern;
pub use sink::{
    BlockSink, FdSink, FlushRule, OUTPUT_BLOCK, OutputBuffer, Sink, TeeSink, Undelivered, WriteSink,
};
pub use source_stream::{SourceStream, StreamSource};
pub use stream::Stream;
pub use tail::{LastBytes, LastLines, TailTooLong, copy_last_bytes, copy_last_lines};
