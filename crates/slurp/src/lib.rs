//! Whole files: read, written, appended to, prepended to and edited, without losing a byte or a
//! failure.
//!
//! **What it is.** Functions that do one thing with the whole file at a path, and builders with
//! locks, encodings, permissions, atomic replacement and syncing. Reading takes any file: regular,
//! growing, of `/proc`, FIFO, device, or open already.
//!
//! **What it is not.** No streams (use `riverhawk-stream` for 20 GB), no patterns, no walking of
//! trees, no memory maps (a file that shrinks under one kills the process). Unix only.
//!
//! **Main nouns.** [`Slurp`] is how to read, [`Spew`] how to write, [`ReadDir`] how to list.
//! [`TextForm`] says how bytes are text. [`Lines`] cuts a text at a literal [`Separator`];
//! [`FileLines`] owns the text. [`Error`] names operation, step, path and kind; [`ErrorMode`] says
//! who is told.
//!
//! ```
//! # let directory = std::env::temp_dir().join(format!("riverhawk-slurp-doc-{}", std::process::id()));
//! # std::fs::create_dir(&directory).unwrap();
//! # let path = directory.join("hosts");
//! use riverhawk_slurp::{append, edit_lines, lines, prepend, read, write};
//!
//! write(&path, "alpha 1\nbeta 2\n")?;
//! append(&path, "gamma 3\n")?;
//! prepend(&path, "# hosts\n")?;
//! edit_lines(&path, |line| if line.starts_with(b"beta") { line.clear() })?;
//! assert_eq!(read(&path)?, b"# hosts\nalpha 1\ngamma 3\n");
//! assert_eq!(lines(&path)?.iter().count(), 3);
//!
//! // A counter that any number of processes may advance, that no crash leaves half written, and that survives a power cut.
//! use riverhawk_slurp::{Durability, Lock, Spew};
//! let careful = Spew::new().lock(Lock::Exclusive).sync(Durability::FileAndDirectory).create();
//! careful.edit(directory.join("counter"), |text| {
//!     let number: u64 = std::str::from_utf8(text).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0);
//!     *text = format!("{}\n", number + 1).into_bytes();
//! })?;
//!
//! // One buffer for many files: after the first few nothing is allocated.
//! use riverhawk_slurp::{ReadDir, Slurp};
//! let mut buffer = Vec::new();
//! for path in ReadDir::new().prefix().sorted().read(&directory)? {
//!     Slurp::new().read_into(&path, &mut buffer)?;
//! }
//! assert_eq!(buffer, b"# hosts\nalpha 1\ngamma 3\n");
//! # std::fs::remove_dir_all(&directory).unwrap();
//! # Ok::<(), riverhawk_slurp::Error>(())
//! ```
//!
//! # Guarantees
//!
//! - **Failures.** An unreadable file is never an empty one. A failed write, flush, cut, sync,
//!   close or rename is an error. After a failed read the caller's buffer is empty. Nothing panics,
//!   also not for lack of memory.
//! - **Allocation and copying.** [`Slurp::read`] allocates once, [`Slurp::read_into`] only to grow
//!   the buffer; the kernel copies the bytes once. [`Lines`] and [`FileLines`] borrow. UTF-8 is
//!   validated, not copied. [`Spew::write`] copies nothing; edits hold the old and the new text.
//! - **In place** ([`Spew::write`], [`Spew::append`]): the file is overwritten and then cut, never
//!   emptied first. Inode, hard links, owner, mode and attributes stay. Readers, and everybody
//!   after a failure, may see the beginning of the new content before the rest of the old. On a
//!   journalling file system much the fastest.
//! - **Atomically** ([`Spew::atomic`]; the default of [`Spew::prepend`], [`Spew::edit`],
//!   [`Spew::edit_lines`]): any reader at any moment, also after `kill -9`, finds the old content
//!   or the new. The new file is made under an unpredictable name in the same directory (`O_EXCL`),
//!   gets mode, owner, group, extended attributes and access list of the old one ([`Keep`]), then
//!   its name. Symbolic links are followed and stay. On failure the new file is removed; a killed
//!   process leaves one that begins with [`TEMPORARY_PREFIX`]. Other hard links keep the old
//!   content. Capabilities and hashes do not pass to the new file. A file that may not be written
//!   is not replaced.
//! - **Durability.** [`Durability::File`] syncs the content before the rename,
//!   [`Durability::FileAndDirectory`] also the name after it. If only that last sync fails, the
//!   error comes with the new content in place.
//! - **Locks** are advisory (`flock`), from before the first byte is read until the last is
//!   written. Whoever waited for a file that was replaced locks the new one.
//! - **Interruptions** by signals are invisible.
//! - **Invalid input.** Bytes come and go as they are. With a [`TextForm`], what cannot be decoded
//!   follows its policy; byte order, byte order mark and CRLF of the file are kept.
//!
//! # Compared with the usual choice
//!
//! | | this | `fs::read_to_string`, `fs::write` | `tempfile::persist` | perl's `File::Slurp` |
//! |---|---|---|---|---|
//! | errors name the path and the step | yes | no | path | path |
//! | failed close is an error | yes | no | no | no; nor a failed write |
//! | write that keeps the inode | default | empties first | no | yes |
//! | atomic write | option, default for edits | no | yes | option; replaces links, leaves its file behind |
//! | owner, attributes, access list kept | yes | n/a | no | mode only |
//! | sync of file and directory | option | no | by hand | no |
//! | locks with timeout | option | no | no | no |
//! | reused buffer | yes | `File::read_to_end` by hand | n/a | yes |
//! | encodings | all of `riverhawk-text` | UTF-8 | n/a | layers, in part |
//! | lines by any literal | yes | n/a | n/a | as a pattern |
//! | prepend, edit, edit lines | yes, all options | no | no | yes, few options |
//!
//! # Speed
//!
//! `examples/slurp_speed.rs` measures against `std::fs`, `bench/slurp/run.sh` also against perl,
//! python, ruby and raku.

// Denied, not forbidden: only `close` needs it.
#![deny(unsafe_code)]

mod atomic;
mod attributes;
mod close;
mod directory;
mod edit;
mod error;
mod file_lines;
mod functions;
mod lines;
mod lock;
mod open;
mod reading;
mod replacement;
mod reporting;
mod slurp;
mod spew;
mod store;
mod target;
mod temporary;
mod text_form;
mod writing;

pub use attributes::Keep;
pub use directory::ReadDir;
pub use error::{Error, ErrorKind, ErrorMode, Operation, Result, Step};
pub use file_lines::FileLines;
pub use functions::{
    append, edit, edit_lines, lines, prepend, read, read_dir, read_into, read_text, write,
};
pub use lines::{Lines, Separator};
pub use lock::Lock;
pub use reading::Memory;
pub use replacement::Replacement;
pub use reporting::Settle;
pub use slurp::Slurp;
pub use spew::Spew;
pub use temporary::TEMPORARY_PREFIX;
pub use text_form::TextForm;
pub use writing::Durability;

/// The example of the README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
