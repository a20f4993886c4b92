//! The text of a compressed file, read forwards and at times from the beginning again.

use riverhawk_awkio::filesystem::ReadAt;
use riverhawk_awkio::{Limit, Reading};
use riverhawk_stream::{ReadSource, Room, Source};
use std::fmt;
use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes decompressed at once.
const BLOCK: usize = 256 * 1024;

/// A part of a compressed file: places are those of the text that begins with it. By default all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// The stored byte at which it begins, with a block.
    pub from: u64,
    /// Its end, if not the file's.
    pub until: Option<SectionEnd>,
}

/// Where a section ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionEnd {
    /// The stored byte at which a block begins.
    pub block: u64,
    /// Bytes of the text of that block, and of those after it, that still belong to the section.
    pub extra: u64,
}

/// A compressed file as its text. Reading before the last place begins anew.
pub struct Unpacked {
    file: Arc<dyn ReadAt>,
    limit: Limit,
    section: Section,
    reader: Mutex<Option<Reader>>,
}

struct Reader {
    source: Box<dyn Source>,
    /// How much of the text may still come, after which the `next` is read.
    left: u64,
    next: Option<SectionEnd>,
    /// The last bytes.
    block: Vec<u8>,
    /// The place of the block in the text.
    at: u64,
}

/// The compressed bytes in order.
struct Stored {
    file: Arc<dyn ReadAt>,
    at: u64,
    end: u64,
}

impl Read for Stored {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let wanted = block.len().min(left);
        let count = self.file.read_at(&mut block[..wanted], self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

impl Unpacked {
    pub(crate) fn new(file: Arc<dyn ReadAt>, limit: Limit) -> Unpacked {
        Unpacked { file, limit, section: Section::default(), reader: Mutex::new(None) }
    }

    pub(crate) fn of_section(&self, section: Section) -> Unpacked {
        Unpacked { section, ..Unpacked::new(self.file.clone(), self.limit) }
    }

    pub(crate) fn section(&self) -> Section {
        self.section
    }

    pub(crate) fn file(&self) -> &dyn ReadAt {
        &*self.file
    }

    /// What is stored from one place to another. If no block begins at the other, the last one is cut
    /// off, which is an error when it is decoded.
    fn source(&self, at: u64, end: u64) -> Box<dyn Source> {
        let reading = Reading { decompress: Some(self.limit), ..Reading::default() };
        reading.source(ReadSource::new(Stored { file: self.file.clone(), at, end }))
    }

    fn begin(&self) -> Reader {
        let Section { from, until } = self.section;
        let source = self.source(from, until.map_or(u64::MAX, |end| end.block));
        let block = Vec::with_capacity(BLOCK);
        Reader { source, left: u64::MAX, next: until, block, at: 0 }
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
            let most = usize::try_from(reader.left).unwrap_or(usize::MAX).min(BLOCK);
            if most == 0 {
                return Ok(0);
            }
            match reader.source.read(&mut Room::new(&mut reader.block, most)) {
                Ok(0) => match reader.next.take() {
                    Some(end) => {
                        reader.source = self.source(end.block, u64::MAX);
                        reader.left = end.extra;
                    }
                    None => return Ok(0),
                },
                Ok(count) => reader.left -= count as u64,
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
