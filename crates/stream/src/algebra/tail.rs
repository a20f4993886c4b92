//! The last lines or bytes: read backwards from a seekable file, else kept while reading.

use super::Sink;
use std::io::{self, Read, Seek, SeekFrom};
use std::{error, fmt};

const BLOCK: usize = 64 * 1024;

/// Copies the last `count` bytes of `file`, or all, to `sink`; returns how many.
///
/// # Errors
/// Those of the file and of the sink.
pub fn copy_last_bytes(
    file: &mut (impl Read + Seek),
    count: u64,
    sink: &mut dyn Sink,
) -> io::Result<u64> {
    let length = file.seek(SeekFrom::End(0))?;
    copy_from(file, length.saturating_sub(count), sink)
}

/// Copies the last `count` lines of `file`, or all, to `sink`; returns the bytes. Searches from the
/// end, in constant memory.
///
/// # Errors
/// Those of the file and of the sink.
pub fn copy_last_lines(
    file: &mut (impl Read + Seek),
    count: u64,
    delimiter: u8,
    sink: &mut dyn Sink,
) -> io::Result<u64> {
    let mut block = vec![0; BLOCK];
    let length = file.seek(SeekFrom::End(0))?;
    let (mut before, mut missing) = (length, count);
    let start = 'found: loop {
        if missing == 0 {
            break length;
        }
        let size = before.min(BLOCK as u64) as usize;
        if size == 0 {
            break 0;
        }
        before -= size as u64;
        file.seek(SeekFrom::Start(before))?;
        file.read_exact(&mut block[..size])?;
        // A final delimiter begins no line.
        let is_last = before + size as u64 == length && block[size - 1] == delimiter;
        for at in memchr::memrchr_iter(delimiter, &block[..size - usize::from(is_last)]) {
            missing -= 1;
            if missing == 0 {
                break 'found before + at as u64 + 1;
            }
        }
    };
    copy_from(file, start, sink)
}

fn copy_from(file: &mut (impl Read + Seek), start: u64, sink: &mut dyn Sink) -> io::Result<u64> {
    file.seek(SeekFrom::Start(start))?;
    let (mut block, mut total) = (vec![0; BLOCK], 0);
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(total),
            Ok(count) => {
                sink.put_all(&block[..count])?;
                total += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// A sink for the last `count` bytes, in at most twice their memory and 64 KiB.
#[derive(Debug)]
pub struct LastBytes {
    kept: Vec<u8>,
    count: usize,
}

impl LastBytes {
    /// Keeps `count` bytes.
    pub fn new(count: usize) -> Self {
        Self { kept: Vec::new(), count }
    }

    /// The last bytes so far.
    pub fn bytes(&self) -> &[u8] {
        &self.kept[self.kept.len().saturating_sub(self.count)..]
    }
}

impl Sink for LastBytes {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        let block = &block[..block.len().min(BLOCK)];
        // Moves only when as many new bytes have come.
        if self.kept.len() >= self.count.saturating_mul(2).max(BLOCK) {
            self.kept.drain(..self.kept.len() - self.count);
        }
        self.kept.put(block)
    }
}

/// A sink for the last lines in bounded memory: `stream.copy_all(&mut last_lines)` is `tail` for a
/// pipe.
///
/// ```
/// use riverhawk_stream::{LastLines, MemoryStream, Stream};
///
/// let mut last = LastLines::new(2, b'\n', 1 << 20);
/// MemoryStream::new(b"one\ntwo\nthree\n").copy_all(&mut last)?;
/// assert_eq!(last.bytes(), Ok(&b"two\nthree\n"[..]));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct LastLines {
    kept: Vec<u8>,
    count: usize,
    delimiter: u8,
    limit: usize,
    /// The length at which lines are dropped.
    next_trim: usize,
}

/// The last lines exceed the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TailTooLong {
    /// In bytes.
    pub limit: usize,
}

impl fmt::Display for TailTooLong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the last lines are longer than the limit of {} bytes", self.limit)
    }
}

impl error::Error for TailTooLong {}

impl LastLines {
    /// Keeps the last `count` lines of at most `limit` bytes together, in at most twice that and
    /// 192 KiB.
    pub fn new(count: usize, delimiter: u8, limit: usize) -> Self {
        Self { kept: Vec::new(), count, delimiter, limit, next_trim: 2 * BLOCK }
    }

    /// The last lines so far, with an unterminated one.
    ///
    /// # Errors
    /// [`TailTooLong`].
    pub fn bytes(&self) -> Result<&[u8], TailTooLong> {
        let lines = &self.kept[self.start().unwrap_or(0)..];
        if lines.len() > self.limit { Err(TailTooLong { limit: self.limit }) } else { Ok(lines) }
    }

    /// After the delimiter before the last lines, if kept.
    fn start(&self) -> Option<usize> {
        let length = self.kept.len();
        let searched = length - usize::from(self.kept.last() == Some(&self.delimiter));
        match self.count.checked_sub(1) {
            None => Some(length),
            Some(skipped) => memchr::memrchr_iter(self.delimiter, &self.kept[..searched])
                .nth(skipped)
                .map(|at| at + 1),
        }
    }

    fn trim(&mut self) {
        if let Some(start) = self.start() {
            self.kept.drain(..start);
        }
        // One byte over the limit shows a cut.
        if let Some(excess) = self.kept.len().checked_sub(self.limit.saturating_add(1)) {
            self.kept.drain(..excess);
        }
        self.next_trim = (2 * self.kept.len()).max(2 * BLOCK);
    }
}

impl Sink for LastLines {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        if self.kept.len() >= self.next_trim {
            self.trim();
        }
        self.kept.put(&block[..block.len().min(BLOCK)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_stays_bounded_whatever_comes() {
        let piece = |length: usize| [vec![b'x'; length], b"\n".to_vec()].concat();
        for length in [0, 10, 1000, 70_000, 1_000_000] {
            let mut lines = LastLines::new(3, b'\n', 10_000);
            let mut bytes = LastBytes::new(10_000);
            for _ in 0..(8_000_000 / (length + 1)).clamp(8, 20_000) {
                lines.put_all(&piece(length)).unwrap();
                bytes.put_all(&piece(length)).unwrap();
            }
            assert!(lines.kept.len() <= 2 * 10_000 + 3 * BLOCK, "{length}: {}", lines.kept.len());
            assert!(bytes.kept.len() <= 2 * 10_000 + 2 * BLOCK, "{length}: {}", bytes.kept.len());
        }
    }
}
