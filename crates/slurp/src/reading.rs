//! The read loop.
//!
//! One read of the file's size is fastest, but the size is only a hint: `/proc` says 0, files grow,
//! pipes have none. So reading continues until a read gives nothing.

use crate::error::{ErrorKind, Failure, Step, during};
use crate::open::{is_regular, stat_open};
use riverhawk_system::buffer::spare_capacity;
use riverhawk_system::fd::BorrowedFd;
use riverhawk_system::io::read;
use std::io::{self, Read};
use std::num::NonZeroUsize;

/// For a source of unknown length: two pages.
const FIRST_ROOM: usize = 8 * 1024;

#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bounds {
    /// The limit of a system call.
    pub(crate) block_size: Option<NonZeroUsize>,
    pub(crate) limit: Option<u64>,
    /// Limits what is read past a file's size; checked when the buffer grows.
    pub(crate) stream_limit: Option<u64>,
}

/// Memory to read a file into: content before free room, `len() <= capacity()`.
#[expect(clippy::len_without_is_empty, reason = "implemented, not called, outside of this crate")]
pub trait Memory {
    /// Bytes in it.
    fn len(&self) -> usize;

    /// Bytes that fit, including those in it.
    fn capacity(&self) -> usize;

    /// Makes room for at least `more` bytes after the content, exactly as many if it is empty;
    /// false without memory.
    fn reserve(&mut self, more: usize) -> bool;

    /// One `read` of at most `most` bytes into the free room. The caller handles interruptions.
    ///
    /// # Errors
    /// Those of the system call; then nothing was added.
    fn read_once(&mut self, file: BorrowedFd<'_>, most: usize) -> io::Result<usize>;
}

impl Memory for Vec<u8> {
    #[inline]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline]
    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn reserve(&mut self, more: usize) -> bool {
        // An empty buffer gets exactly the file's size; others grow geometrically.
        let result =
            if self.is_empty() { self.try_reserve_exact(more) } else { self.try_reserve(more) };
        result.is_ok()
    }

    #[inline]
    fn read_once(&mut self, file: BorrowedFd<'_>, most: usize) -> io::Result<usize> {
        let filled = self.len();
        if self.capacity() - filled <= most {
            return Ok(read(file, spare_capacity(self))?);
        }
        // Filled with zeros first; a rarely used option.
        self.resize(filled + most, 0);
        let result = read(file, &mut self[filled..]);
        self.truncate(filled + *result.as_ref().unwrap_or(&0));
        Ok(result?)
    }
}

/// Reads into a buffer with room at once: two reads, without a query for the size.
#[inline]
pub(crate) fn read_file(
    file: BorrowedFd<'_>,
    buffer: &mut impl Memory,
    bounds: Bounds,
) -> Result<(), Failure> {
    let begin = buffer.len();
    let mut announced = None;
    loop {
        if buffer.len() == buffer.capacity() {
            let have = buffer.len() - begin;
            let expected = match announced {
                None => expected_size(file, bounds)?,
                Some(_) => 0,
            };
            let size = *announced.get_or_insert(expected);
            if let Some(limit) = bounds.stream_limit
                && have > size
                && have as u64 > limit
            {
                return Err(too_large(limit));
            }
            // The read that finds the end needs room.
            let missing = if expected > have { expected - have + 1 } else { FIRST_ROOM.max(have) };
            if !buffer.reserve(missing) {
                return Err(out_of_memory());
            }
        }
        let most = bounds.block_size.map_or(usize::MAX, NonZeroUsize::get);
        let count = loop {
            match buffer.read_once(file, most) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                result => break result.map_err(during(Step::Read))?,
            }
        };
        if count == 0 {
            return Ok(());
        }
        check_limit(buffer.len() - begin, bounds)?;
    }
}

pub(crate) fn read_reader(
    reader: impl Read,
    buffer: &mut Vec<u8>,
    bounds: Bounds,
) -> Result<(), Failure> {
    let begin = buffer.len();
    let most = bounds.limit.map_or(u64::MAX, |limit| limit.saturating_add(1));
    // `read_to_end` continues after interruptions and does not abort without memory.
    reader.take(most).read_to_end(buffer).map_err(during(Step::Read))?;
    check_limit(buffer.len() - begin, bounds)
}

/// The size of a regular file, else 0.
fn expected_size(file: BorrowedFd<'_>, bounds: Bounds) -> Result<usize, Failure> {
    let stat = stat_open(file)?;
    if !is_regular(&stat) {
        return Ok(0);
    }
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    if let Some(limit) = bounds.limit
        && size > limit
    {
        return Err(too_large(limit));
    }
    usize::try_from(size).map_err(|_| out_of_memory())
}

fn check_limit(count: usize, bounds: Bounds) -> Result<(), Failure> {
    match bounds.limit {
        Some(limit) if count as u64 > limit => Err(too_large(limit)),
        _ => Ok(()),
    }
}

#[cold]
fn too_large(limit: u64) -> Failure {
    Failure::new(Step::Read, ErrorKind::TooLarge, format!("more than the limit of {limit} bytes"))
}

#[cold]
fn out_of_memory() -> Failure {
    Failure::new(Step::Read, ErrorKind::OutOfMemory, "the file does not fit into memory")
}
