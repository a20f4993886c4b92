//! Compressed files that just open: what a file is compressed with is seen in its first bytes, and
//! a task of the process's pool decodes it.
//!
//! **What it is.** [`Codec`] names the five formats and knows them by content or by a file's name.
//! [`Sniffed`] is a [`Source`](riverhawk_stream::Source) over a source: compressed input comes out
//! as it was before, other input as it is. [`Decompressed`] is the same when the codec is known.
//! [`decompress`] and [`compress`] work on whole buffers, [`Compressor`] writes.
//!
//! **What it is not.** No compression of its own: that is `flate2` (zlib-rs), `zstd`, `bzip2`,
//! `liblzma` and `lz4_flex`. No archives: a `.tar.gz` comes out as a tar file. Nothing is opened
//! here.
//!
//! ```
//! use riverhawk_compress::{Codec, Limit, compress, decompress};
//!
//! let small = compress(Codec::Gzip, b"tea and milk\n")?;
//! assert_eq!(Codec::of_content(&small), Some(Codec::Gzip));
//! assert_eq!(decompress(Codec::Gzip, &small, Limit::default())?, b"tea and milk\n");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Guarantees
//! - **Several members** one after the other, as `cat a.gz b.gz` makes them, are one text. Zeros
//!   behind the last are padding; anything else is an error.
//! - **Nothing is lost and nothing is made up.** Input that ends too soon or does not add up is an
//!   error of kind `UnexpectedEof` or `InvalidData`, once, and after everything before it was
//!   delivered.
//! - **Bombs.** What comes out is bounded by a [`Limit`], and so is the memory that a header may
//!   ask for.
//! - **Threads.** Each compressed input is a task of the process's pool
//!   ([`riverhawk_pool::process`]); it ends with the input, or when the source is dropped and it
//!   has something to say. A task that waits for a pipe is not waited for, and holds no worker.
//! - **Without the feature `codecs`** the formats are known, and reading or writing one is an error.
#![forbid(unsafe_code)]

mod blocks;
mod codec;
#[cfg(feature = "codecs")]
mod codecs;
mod compressor;
mod decompressed;
mod limit;
mod members;
#[cfg(not(feature = "codecs"))]
mod no_codecs;
mod sniffed;

#[cfg(not(feature = "codecs"))]
use no_codecs as codecs;

pub use blocks::{Blocks, ReadPlace};
pub use codec::{Codec, Guess};
pub use compressor::Compressor;
pub use decompressed::Decompressed;
pub use limit::{Limit, TooMuch};
pub use members::{compress, decompress};
pub use sniffed::Sniffed;
