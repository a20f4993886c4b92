//! Files in memory.

use super::{FileSystem, InputStream, OutputStream, WriteMode};
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Contents = Arc<Mutex<Vec<u8>>>;

/// Files in memory, by name. Copies are the same files.
///
/// As on disk, a file that is open goes on when its name is removed, and a reader sees what is
/// written while it reads.
///
/// ```
/// use riverhawk_awkio::filesystem::MemoryFiles;
///
/// let files = MemoryFiles::new();
/// files.insert("rules.txt", "allow tea\n");
/// assert_eq!(files.get("rules.txt"), Some(b"allow tea\n".to_vec()));
/// assert_eq!(files.names(), [b"rules.txt".to_vec()]);
/// ```
#[derive(Clone, Default)]
pub struct MemoryFiles(Arc<Mutex<BTreeMap<Vec<u8>, Contents>>>);

impl MemoryFiles {
    /// No files.
    pub fn new() -> MemoryFiles {
        MemoryFiles::default()
    }

    /// Puts a file there, in place of one of the same name.
    pub fn insert(&self, name: impl Into<Vec<u8>>, text: impl Into<Vec<u8>>) {
        self.files().insert(name.into(), Arc::new(Mutex::new(text.into())));
    }

    /// A copy of what a file holds.
    pub fn get(&self, name: impl AsRef<[u8]>) -> Option<Vec<u8>> {
        let contents = self.files().get(name.as_ref()).cloned()?;
        let text = locked(&contents).clone();
        Some(text)
    }

    /// Removes a file and returns what it held.
    pub fn remove(&self, name: impl AsRef<[u8]>) -> Option<Vec<u8>> {
        let contents = self.files().remove(name.as_ref())?;
        Some(Arc::try_unwrap(contents).map_or_else(
            |shared| locked(&shared).clone(),
            |alone| alone.into_inner().unwrap_or_else(PoisonError::into_inner),
        ))
    }

    /// The names, in the order of their bytes.
    pub fn names(&self) -> Vec<Vec<u8>> {
        self.files().keys().cloned().collect()
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<Vec<u8>, Contents>> {
        locked(&self.0)
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for MemoryFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names();
        f.debug_set().entries(names.iter().map(|name| String::from_utf8_lossy(name))).finish()
    }
}

impl FileSystem for MemoryFiles {
    fn open(&self, name: &[u8]) -> io::Result<InputStream> {
        let contents = self.files().get(name).cloned().ok_or(io::ErrorKind::NotFound)?;
        Ok(InputStream::new(Reader { contents, at: 0 }))
    }

    fn create(&self, name: &[u8], mode: WriteMode) -> io::Result<OutputStream> {
        let contents = self.files().entry(name.to_vec()).or_default().clone();
        if mode == WriteMode::Truncate {
            locked(&contents).clear();
        }
        Ok(OutputStream::new(Writer(contents)))
    }
}

struct Reader {
    contents: Contents,
    at: usize,
}

impl Read for Reader {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let text = locked(&self.contents);
        let rest = text.get(self.at..).unwrap_or_default();
        let count = rest.len().min(block.len());
        block[..count].copy_from_slice(&rest[..count]);
        self.at += count;
        Ok(count)
    }
}

struct Writer(Contents);

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut text = locked(&self.0);
        text.try_reserve(bytes.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        text.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(files: &MemoryFiles, name: &str, mode: WriteMode, text: &str) {
        let Ok(OutputStream::Writer(mut writer)) = files.create(name.as_bytes(), mode) else {
            panic!("no writer")
        };
        writer.write_all(text.as_bytes()).unwrap();
    }

    fn read(files: &MemoryFiles, name: &str) -> io::Result<Vec<u8>> {
        let InputStream::Reader(mut reader) = files.open(name.as_bytes())? else {
            panic!("no reader")
        };
        let mut text = Vec::new();
        reader.read_to_end(&mut text).map(|_| text)
    }

    #[test]
    fn files_are_written_appended_and_read() {
        let files = MemoryFiles::new();
        assert_eq!(read(&files, "a").unwrap_err().kind(), io::ErrorKind::NotFound);
        write(&files, "a", WriteMode::Append, "one\n");
        write(&files, "a", WriteMode::Append, "two\n");
        assert_eq!(read(&files, "a").unwrap(), b"one\ntwo\n");
        write(&files, "a", WriteMode::Truncate, "3");
        assert_eq!(files.clone().get("a"), Some(b"3".to_vec()));
        assert_eq!(files.remove("a"), Some(b"3".to_vec()));
        assert!(files.names().is_empty());
    }

    #[test]
    fn a_reader_sees_what_is_written_meanwhile() {
        let files = MemoryFiles::new();
        files.insert("log", "1");
        let Ok(InputStream::Reader(mut reader)) = files.open(b"log") else { panic!("no reader") };
        let mut block = [0; 8];
        assert_eq!(reader.read(&mut block).unwrap(), 1);
        assert_eq!(reader.read(&mut block).unwrap(), 0);
        write(&files, "log", WriteMode::Append, "23");
        assert_eq!(reader.read(&mut block).unwrap(), 2);
        write(&files, "log", WriteMode::Truncate, "");
        assert_eq!(reader.read(&mut block).unwrap(), 0);
    }
}
