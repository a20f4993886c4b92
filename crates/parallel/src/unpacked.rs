//! The text of a compressed file, read forwards and at times from the beginning again.

use riverhawk_awkio::filesystem::ReadAt;
use riverhawk_awkio::{Limit, Reading};
use riverhawk_stream::{ReadSource, Room, Source};
use std::fmt;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes decompressed at once.
const BLOCK: usize = 256 * 1024;

/// A compressed file as its text. Reading before the last place begins anew.
pub struct Unpacked {
    file: Arc<dyn ReadAt>,
    limit: Limit,
    reader: Mutex<Option<Reader>>,
}

struct Reader {
    source: Box<dyn Source>,
    /// The last bytes.
    block: Vec<u8>,
    /// The place of the block in the text.
    at: u64,
}

/// The compressed bytes in order.
struct Stored {
    file: Arc<dyn ReadAt>,
    at: u64,
}

impl Read for Stored {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read_at(block, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Unpacked {
    pub(crate) fn new(file: Arc<dyn ReadAt>, limit: Limit) -> Unpacked {
        Unpacked { file, limit, reader: Mutex::new(None) }
    }

    fn begin(&self) -> Reader {
        let reading = Reading { decompress: Some(self.limit), ..Reading::default() };
        let source = ReadSource::new(Stored { file: self.file.clone(), at: 0 });
        Reader { source: reading.source(source), block: Vec::with_capacity(BLOCK), at: 0 }
    }

    pub(crate) fn read_at(&self, block: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        if reader.as_ref().is_some_and(|reader| offset < reader.at) {
            *reader = None;
        }
        let reader = reader.get_or_insert_with(|| self.begin());
        loop {
            let passed = usize::try_from(offset - reader.at).unwrap_or(usize::MAX);
            if let Some(left) = reader.block.get(passed..).filter(|left| !left.is_empty()) {
                let count = left.len().min(block.len());
                block[..count].copy_from_slice(&left[..count]);
                return Ok(count);
            }
            reader.at += reader.block.len() as u64;
            reader.block.clear();
            match reader.source.read(&mut Room::new(&mut reader.block, BLOCK)) {
                Ok(0) => return Ok(0),
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl fmt::Debug for Unpacked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacked").field("limit", &self.limit).finish_non_exhaustive()
    }
}
