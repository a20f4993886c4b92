//! Operands that are not the system's files, and can be read at any place.

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes that are read at any place, by several threads.
pub trait ReadAt: Send + Sync {
    /// Reads from `offset` on; 0 only at the end.
    ///
    /// # Errors
    /// The bytes cannot be read.
    fn read_at(&self, block: &mut [u8], offset: u64) -> io::Result<usize>;
}

/// A file of [`OperandFiles`], open.
#[derive(Clone)]
pub struct OperandFile {
    /// What it holds.
    pub bytes: Arc<dyn ReadAt>,
    /// In bytes.
    pub length: u64,
    /// Another number if it has changed.
    pub version: i64,
}

/// Files that the system cannot open by their names: an object store's, a database's. Runs cut them
/// into pieces as they do with files, and read only what they need.
///
/// ```
/// use riverhawk_awkio::filesystem::{OperandFile, OperandFiles, ReadAt};
/// use std::io;
/// use std::sync::Arc;
///
/// struct Text(&'static [u8]);
///
/// impl ReadAt for Text {
///     fn read_at(&self, block: &mut [u8], offset: u64) -> io::Result<usize> {
///         let rest = self.0.get(offset as usize..).unwrap_or_default();
///         let count = rest.len().min(block.len());
///         block[..count].copy_from_slice(&rest[..count]);
///         Ok(count)
///     }
/// }
///
/// struct Store;
///
/// impl OperandFiles for Store {
///     fn open(&self, name: &[u8]) -> Option<io::Result<OperandFile>> {
///         let text: &'static [u8] = b"tea\n";
///         name.starts_with(b"store://").then(|| {
///             Ok(OperandFile { bytes: Arc::new(Text(text)), length: 4, version: 1 })
///         })
///     }
/// }
/// assert!(Store.open(b"/etc/passwd").is_none());
/// ```
pub trait OperandFiles: Send + Sync {
    /// `None` for names that are the system's.
    fn open(&self, name: &[u8]) -> Option<io::Result<OperandFile>>;
}

impl fmt::Debug for OperandFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OperandFile")
            .field("length", &self.length)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for dyn OperandFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperandFiles")
    }
}

/// From the beginning to the end.
pub(crate) struct FromBeginning {
    file: OperandFile,
    at: u64,
}

impl FromBeginning {
    pub(crate) fn new(file: OperandFile) -> FromBeginning {
        FromBeginning { file, at: 0 }
    }
}

impl Read for FromBeginning {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let count = self.file.bytes.read_at(block, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}
