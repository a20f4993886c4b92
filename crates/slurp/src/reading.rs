//! The read loop: everything that a descriptor or reader gives, into the end of a buffer.
//!
//! One read of the file's size beats every loop over lines. The size is only a hint, though:
//! files in `/proc` say 0, files grow while they are read, pipes know no size at all. So
//! reading goes on until a read returns nothing.

use crate::error::{ErrorKind, Failure, Step, during};
use crate::open::{is_regular, stat_open};
use rustix::buffer::spare_capacity;
use rustix::fd::BorrowedFd;
use rustix::io::read;
use std::io::{self, Read};
use std::num::NonZeroUsize;

/// Room made for a source that does not say how long it is: two pages, as most files of `/proc` are
/// smaller.
const FIRST_ROOM: usize = 8 * 1024;

/// The options of reading that bound it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bounds {
    /// At most so many bytes are asked for in one system call; None asks for all there is room
    /// for.
    pub(crate) block_size: Option<NonZeroUsize>,
    /// More bytes than this are an error.
    pub(crate) limit: Option<u64>,
    /// How much more than a file says it has is read at most; checked when the buffer grows.
    pub(crate) stream_limit: Option<u64>,
}

/// Memory that a file is read into: a `Vec<u8>`, or a string of the caller's own, which then needs
/// no copy of it.
///
/// What is in it lies in front of its free room, and `len() <= capacity()`.
#[expect(clippy::len_without_is_empty, reason = "implemented, not called, outside of this crate")]
pub trait Memory {
    /// How many bytes are in it.
    fn len(&self) -> usize;

    /// How many it has room for, those included.
    fn capacity(&self) -> usize;

    /// Makes room for at least `more` bytes behind those that are in it, for exactly as many if
    /// there are none; false if the memory cannot be had.
    fn reserve(&mut self, more: usize) -> bool;

    /// One `read` of at most `most` bytes into the free room, as the system says it went.
    /// Interruptions are seen to by the caller.
    ///
    /// # Errors
    /// Those of the system call; nothing has been added then.
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
        // An empty buffer gets exactly what the file needs; one that grows, grows geometrically.
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
        // Room is filled with zeros first, which is the price of an option that is rarely used.
        self.resize(filled + most, 0);
        let result = read(file, &mut self[filled..]);
        self.truncate(filled + *result.as_ref().unwrap_or(&0));
        Ok(result?)
    }
}

/// Appends all that `file` still has to `buffer`.
///
/// A buffer with room is read into at once, so a reused buffer costs no question for the size: two
/// reads (the second says "end") are all.
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
            // One byte more than expected: the read that says "end" needs room, too.
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

/// Appends all that `reader` still has to `buffer`.
pub(crate) fn read_reader(
    reader: impl Read,
    buffer: &mut Vec<u8>,
    bounds: Bounds,
) -> Result<(), Failure> {
    let begin = buffer.len();
    let most = bounds.limit.map_or(u64::MAX, |limit| limit.saturating_add(1));
    // `read_to_end` goes on after interruptions and grows the buffer without aborting when memory
    // is short.
    reader.take(most).read_to_end(buffer).map_err(during(Step::Read))?;
    check_limit(buffer.len() - begin, bounds)
}

/// How many bytes a regular file claims to have from its beginning; 0 where the answer means
/// nothing.
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
