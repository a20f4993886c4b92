//! Whole files: read, written, appended to, prepended to and edited, without losing a byte or a
//! failure.
//!
//! Functions with default options, and builders with locks, encodings, permissions, atomic
//! replacement and syncing. Any file can be read: regular, growing, of `/proc`, FIFO, device.
//!
//! There are no streams (use `riverhawk-stream` for 20 GB), no patterns, no directory walks, and no
//! memory maps (a mapped file that shrinks kills the process). Unix only.
//!
//! [`Slurp`] is how to read, [`Spew`] how to write, [`ReadDir`] how to list. [`TextForm`] says how
//! bytes are text. [`Lines`] cuts a text at a literal [`Separator`]; [`FileLines`] owns the text.
//! [`Error`] names operation, step, path and kind; [`ErrorMode`] says how it is reported.
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
//! - **Failures.** An unreadable file is never an empty one. A failed write, flush, truncation,
//!   sync, close or rename is an error. After a failed read the caller's buffer is empty. Nothing
//!   panics, even when memory runs out.
//! - **Allocation and copying.** [`Slurp::read`] allocates once, [`Slurp::read_into`] only to grow
//!   the buffer; the kernel copies the bytes once. [`Lines`] and [`FileLines`] borrow. UTF-8 is
//!   validated, not copied. [`Spew::write`] copies nothing; edits hold the old and the new text.
//! - **In place** ([`Spew::write`], [`Spew::append`]): the file is overwritten and then truncated,
//!   never emptied first. Inode, hard links, owner, mode and attributes stay. During a write, and
//!   after a failure, the file may hold the beginning of the new content and the rest of the old.
//!   By far the fastest on a journalling file system.
//! - **Atomically** ([`Spew::atomic`]; the default of [`Spew::prepend`], [`Spew::edit`],
//!   [`Spew::edit_lines`]): readers find the old content or the new, even after `kill -9`. A new
//!   file with an unpredictable name in the same directory (`O_EXCL`) gets the old file's mode,
//!   owner, group, extended attributes and access list ([`Keep`]), then its name. Symbolic links
//!   are followed and stay. On failure the new file is removed; a killed process leaves one that
//!   begins with [`TEMPORARY_PREFIX`]. Other hard links keep the old content. Capabilities and
//!   hashes are not kept. A file that may not be written is not replaced.
//! - **Durability.** [`Durability::File`] syncs the content before the rename,
//!   [`Durability::FileAndDirectory`] also the name after it. If only that last sync fails, the new
//!   content is in place despite the error.
//! - **Locks** are advisory (`flock`), from before the first read until after the last write. A
//!   waiter for a file that was replaced locks the new one.
//! - **Interruptions** by signals are invisible.
//! - **Invalid input.** Bytes are unchanged. With a [`TextForm`], its policy applies to undecodable
//!   bytes; byte order, byte order mark and CRLF of the file are kept.
//!
//! # Compared with other libraries
//!
//! | | this | `fs::read_to_string`, `fs::write` | `tempfile::persist` | perl's `File::Slurp` |
//! |---|---|---|---|---|
//! | errors name the path and the step | yes | no | path | path |
//! | failed close is an error | yes | no | no | no; nor a failed write |
//! | write that keeps the inode | default | empties first | no | yes |
//! | atomic write | option, default for edits | no | yes | option; replaces links, leaves its file behind |
//! | owner, attributes, access list kept | yes | n/a | no | mode only |
//! | sync of file and directory | option | no | by hand | no |
//!
//! For speed see `examples/slurp_speed.rs` and `bench/slurp/run.sh`.

// Not `forbid`: `close` needs it.
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

/// Runs the README's example as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
