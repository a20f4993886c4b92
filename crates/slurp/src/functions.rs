//! [`Slurp`], [`Spew`] and [`ReadDir`] with default options.

use crate::{FileLines, ReadDir, Result, Slurp, Spew, TextForm};
use riverhawk_text::encoding::{Encoding, Policy};
use std::path::{Path, PathBuf};

/// The content of the file at `path`: [`Slurp::read`].
///
/// # Errors
/// The file cannot be opened or read.
pub fn read(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    Slurp::new().read(path)
}

/// Replaces `buffer` by the file's content; gives its length: [`Slurp::read_into`].
///
/// # Errors
/// As [`read`].
pub fn read_into(path: impl AsRef<Path>, buffer: &mut Vec<u8>) -> Result<usize> {
    Slurp::new().read_into(path, buffer)
}

/// The decoded content of the file at `path`, without a byte order mark: [`Slurp::read_string`].
///
/// # Errors
/// As [`read`], and under the strict policy for text not in this encoding.
pub fn read_text(
    path: impl AsRef<Path>,
    encoding: impl Encoding + 'static,
    policy: Policy,
) -> Result<String> {
    Slurp::new().form(TextForm::new(encoding).policy(policy)).read_string(path)
}

/// The lines of the file at `path`, without newlines: [`Slurp::read_lines`].
///
/// # Errors
/// As [`read`].
pub fn lines(path: impl AsRef<Path>) -> Result<FileLines> {
    Slurp::new().read_lines(path)
}

/// Replaces the content of the file at `path`, in place: [`Spew::write`].
///
/// # Errors
/// The file cannot be opened, created, written, truncated or closed.
pub fn write(path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Result<()> {
    Spew::new().write(path, contents)
}

/// Appends `contents` to the file at `path`: [`Spew::append`].
///
/// # Errors
/// As [`write`](write()).
pub fn append(path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Result<()> {
    Spew::new().append(path, contents)
}

/// Prepends `contents` to the file at `path`, atomically: [`Spew::prepend`].
///
/// # Errors
/// The file does not exist, or cannot be read or replaced.
pub fn prepend(path: impl AsRef<Path>, contents: impl AsRef<[u8]>) -> Result<()> {
    Spew::new().prepend(path, contents)
}

/// Edits the text of the file at `path`, atomically; gives whether it was written: [`Spew::edit`].
///
/// # Errors
/// As [`prepend`].
pub fn edit(path: impl AsRef<Path>, change: impl FnOnce(&mut Vec<u8>)) -> Result<bool> {
    Spew::new().edit(path, change)
}

/// Edits the lines of the file at `path`, with their newlines, atomically; gives whether they were
/// written: [`Spew::edit_lines`].
///
/// # Errors
/// As [`prepend`].
pub fn edit_lines(path: impl AsRef<Path>, change: impl FnMut(&mut Vec<u8>)) -> Result<bool> {
    Spew::new().edit_lines(path, change)
}

/// The names in the directory at `path`, without `.` and `..`: [`ReadDir::read`].
///
/// # Errors
/// It is not a directory, or cannot be opened or read.
pub fn read_dir(path: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    ReadDir::new().read(path)
}
