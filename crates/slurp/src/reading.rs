//! The read loop: everything that a descriptor or reader gives, into the end of a buffer.
//!
//! One read of the file's size beats every loop over lines (U1). The size is only a hint, though: files in `/proc` say 0,
//! files grow while they are read (U24), pipes know no size at all. So reading goes on until a read returns nothing.

use crate::error::{ErrorKind, Failure, Step, during};
use crate::open::{is_regular, stat_open};
use rustix::buffer::spare_capacity;
use rustix::fd::BorrowedFd;
use rustix::io::{read, retry_on_intr};
use std::io::Read;
use std::num::NonZeroUsize;

/// Room made for a source that does not say how long it is: two pages, as most files of `/proc` are smaller.
const FIRST_ROOM: usize = 8 * 1024;

/// The options of reading that bound it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bounds {
    /// At most so many bytes are asked for in one system call; None asks for all there is room for.
    pub(crate) block_size: Option<NonZeroUsize>,
    /// More bytes than this are an error.
    pub(crate) limit: Option<u64>,
}

/// Appends all that `file` still has to `buffer`.
///
/// A buffer with room is read into at once, so a reused buffer costs no question for the size: two reads (the second
/// says "end") are all.
#[inline]
pub(crate) fn read_file(file: BorrowedFd<'_>, buffer: &mut Vec<u8>, bounds: Bounds) -> Result<(), Failure> {
    let begin = buffer.len();
    let mut size_known = false;
    loop {
        if buffer.len() == buffer.capacity() {
            let expected = if size_known { 0 } else { expected_size(file, bounds)? };
            size_known = true;
            let have = buffer.len() - begin;
            // One byte more than expected: the read that says "end" needs room, too.
            let missing = if expected > have { expected - have + 1 } else { FIRST_ROOM.max(have) };
            reserve(buffer, missing)?;
        }
        let count = match bounds.block_size {
            None => retry_on_intr(|| read(file, spare_capacity(buffer))).map_err(during(Step::Read))?,
            Some(block_size) => read_block(file, buffer, block_size.get())?,
        };
        if count == 0 {
            return Ok(());
        }
        check_limit(buffer.len() - begin, bounds)?;
    }
}

/// Appends all that `reader` still has to `buffer`.
pub(crate) fn read_reader(reader: impl Read, buffer: &mut Vec<u8>, bounds: Bounds) -> Result<(), Failure> {
    let begin = buffer.len();
    let most = bounds.limit.map_or(u64::MAX, |limit| limit.saturating_add(1));
    // `read_to_end` goes on after interruptions and grows the buffer without aborting when memory is short.
    reader.take(most).read_to_end(buffer).map_err(during(Step::Read))?;
    check_limit(buffer.len() - begin, bounds)
}

/// Reads at most `block_size` bytes. Room is filled with zeros first, which is the price of this rarely used option.
fn read_block(file: BorrowedFd<'_>, buffer: &mut Vec<u8>, block_size: usize) -> Result<usize, Failure> {
    let filled = buffer.len();
    buffer.resize(buffer.capacity().min(filled + block_size), 0);
    let result = retry_on_intr(|| read(file, &mut buffer[filled..])).map_err(during(Step::Read));
    buffer.truncate(filled + *result.as_ref().unwrap_or(&0));
    result
}

/// How many bytes a regular file claims to have from its beginning; 0 where the answer means nothing.
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

fn reserve(buffer: &mut Vec<u8>, missing: usize) -> Result<(), Failure> {
    // An empty buffer gets exactly what the file needs; one that grows, grows geometrically.
    let result = if buffer.is_empty() { buffer.try_reserve_exact(missing) } else { buffer.try_reserve(missing) };
    result.map_err(|_| out_of_memory())
}

#[cold]
fn too_large(limit: u64) -> Failure {
    Failure::new(Step::Read, ErrorKind::TooLarge, format!("more than the limit of {limit} bytes"))
}

#[cold]
fn out_of_memory() -> Failure {
    Failure::new(Step::Read, ErrorKind::OutOfMemory, "the file does not fit into memory")
}
