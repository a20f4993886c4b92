//! Records of a seekable source from the last to the first.

use std::io::{self, Read, Seek, SeekFrom};

const BLOCK: usize = 64 * 1024;

/// Reads a file's records from last to first, block by block.
///
/// No byte is read twice. A delimiter at the end belongs to the last record. Bytes appended
/// meanwhile are not seen.
///
/// ```
/// use riverhawk_stream::Backwards;
///
/// let mut lines = Backwards::new(std::io::Cursor::new("one\ntwo\nthree\n"), b'\n')?;
/// assert_eq!(lines.next_record()?, Some(&b"three"[..]));
/// assert_eq!(lines.next_record()?, Some(&b"two"[..]));
/// assert_eq!(lines.record_offset(), 4);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Backwards<F> {
    file: F,
    delimiter: u8,
    size: usize,
    /// From `block_offset` on; `block[..end]` is not delivered.
    block: Vec<u8>,
    block_offset: u64,
    end: usize,
    record_offset: u64,
    /// A delimiter at the end must be looked for.
    is_fresh: bool,
    is_done: bool,
}

impl<F: Read + Seek> Backwards<F> {
    /// Records of `file`, ended by `delimiter`.
    ///
    /// # Errors
    /// The file is not seekable.
    pub fn new(file: F, delimiter: u8) -> io::Result<Self> {
        Self::with_block(file, delimiter, BLOCK)
    }

    /// The same with reads of `size` bytes (at least 1).
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn with_block(mut file: F, delimiter: u8, size: usize) -> io::Result<Self> {
        let length = file.seek(SeekFrom::End(0))?;
        let (size, block) = (size.max(1), Vec::new());
        let mut this = Self {
            file,
            delimiter,
            size,
            block,
            block_offset: length,
            end: 0,
            record_offset: length,
            is_fresh: true,
            is_done: length == 0,
        };
        this.is_fresh = !this.is_done;
        Ok(this)
    }

    /// The record before the last one, without its delimiter; `None` before the first. Valid until
    /// the next call.
    ///
    /// # Errors
    /// The file's; [`io::ErrorKind::UnexpectedEof`] if it was truncated. The next call retries.
    pub fn next_record(&mut self) -> io::Result<Option<&[u8]>> {
        if self.is_done {
            return Ok(None);
        }
        if self.is_fresh {
            self.read_block()?;
            self.is_fresh = false;
            self.end -= usize::from(self.block[..self.end].last() == Some(&self.delimiter));
        }
        let mut search_end = self.end;
        loop {
            if let Some(at) = memchr::memrchr(self.delimiter, &self.block[..search_end]) {
                let end = std::mem::replace(&mut self.end, at);
                self.record_offset = self.block_offset + at as u64 + 1;
                return Ok(Some(&self.block[at + 1..end]));
            }
            if self.block_offset == 0 {
                let end = std::mem::replace(&mut self.end, 0);
                (self.is_done, self.record_offset) = (true, 0);
                return Ok(Some(&self.block[..end]));
            }
            search_end = self.read_block()?;
        }
    }

    /// The file offset of the last record.
    pub fn record_offset(&self) -> u64 {
        self.record_offset
    }

    /// The file, at any position.
    pub fn into_inner(self) -> F {
        self.file
    }

    /// At least as many bytes as must move for it, so that long records move seldom.
    fn read_block(&mut self) -> io::Result<usize> {
        let wanted = self.size.max(self.end);
        let count = usize::try_from(self.block_offset).map_or(wanted, |before| before.min(wanted));
        let offset = self.block_offset - count as u64;
        self.file.seek(SeekFrom::Start(offset))?;
        let needed = (self.end + count).saturating_sub(self.block.len());
        self.block.try_reserve_exact(needed).map_err(|_| io::ErrorKind::OutOfMemory)?;
        if needed > 0 {
            self.block.resize(self.end + count, 0);
        }
        self.block.copy_within(..self.end, count);
        if let Err(error) = self.file.read_exact(&mut self.block[..count]) {
            self.block.copy_within(count..count + self.end, 0);
            return Err(error);
        }
        self.block_offset = offset;
        self.end += count;
        Ok(count)
    }
}
