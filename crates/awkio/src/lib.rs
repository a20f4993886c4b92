//! The outer world of an awk program: bytes in, bytes out, typed errors.
//!
//! **What it is.** Everything that a program opens by name, held by [`Io`]: files, commands,
//! coprocesses, connections; or what an embedder's [`FileSystem`](filesystem::FileSystem) makes of
//! those names. Also the [`sandbox`], [editing in place](in_place), followed files,
//! tables for people ([`display`]) and the end of a run
//! [from outside](cancel).
//!
//! **What it is not.** It knows no values, fields or programs.
//!
//! **Main nouns.**
//!
//! | | |
//! |---|---|
//! | [`Io`] | both directions: streams by name, in the order in which they were opened |
//! | [`Outputs`], [`Sink`] | what is written: a block that is flushed by awk's rules |
//! | [`Inputs`], [`RecordReader`] | what is read: a window, and where it comes from |
//! | [`Reading`], [`Coding`] | how bytes of a file become text, and text bytes |
//! | [`Fault`](fault::Fault) | why an operation of a program failed |
//!
//! ```
//! use riverhawk_awkio::{BrokenPipe, InputKind, Io, OutputKind};
//! let mut io = Io::new(BrokenPipe::Report, 256 * 1024);
//! let cat = io.output(OutputKind::Pipe, b"cat >/dev/null; exit 3").unwrap();
//! cat.write(b"to the command\n").unwrap();
//! cat.end_print().unwrap();
//! assert_eq!(io.close(b"cat >/dev/null; exit 3").unwrap().0, 3);
//! let echo = io.input(InputKind::Command, b"echo a record").unwrap();
//! let (reader, record) = io.next_record(echo).unwrap().expect("echo writes one line");
//! assert_eq!(reader.records.text(&record), b"a record");
//! assert!(io.finish().is_empty());
//! ```

#![deny(unsafe_code)]

pub mod cancel;
mod coding;
mod command;
mod compressing;
mod coprocess;
mod descriptor;
mod directory;
pub mod display;
mod error;
pub mod fault;
pub mod filesystem;
mod handle_writer;
pub mod in_place;
mod input;
mod io;
mod name;
mod opening;
mod operand;
mod output;
mod process;
mod quota;
mod reader;
mod reading;
mod relay;
pub mod sandbox;
mod signals;
mod sink;
mod status_line;
mod system;
mod tail;
mod timers;
mod wait;
mod watch;

#[cfg(test)]
mod filesystem_tests;
#[cfg(test)]
mod tests;

pub use coding::{Coding, Decoding};
pub use coprocess::{Connection, End};
pub use descriptor::fill_standard_descriptors;
pub use error::{Action, InputError, OpenError, OpenErrorKind, OutputError, Reason, Target};
pub use input::{InputId, InputKind, Inputs};
pub use io::{Flushed, Io, StreamKind};
pub use name::{FileName, Standard, is_inet};

pub use output::{OutputKind, Outputs};
pub use process::{ChildEnvironment, CloseStatus};
pub use reader::{ReadError, RecordReader};
pub use reading::{Directories, Reading, blocks_of, fill_at, find_block, is_compressed};
pub use riverhawk_compress::{Blocks, Limit};
pub use signals::{BrokenPipe, die_by_sigpipe, interrupted, note_interrupts, take_over_sigpipe};
pub use sink::Sink;
pub use status_line::StatusLine;
pub use tail::{Holder, News, Tail};
pub use wait::{before_others, until_readable};
pub use watch::Watch;
