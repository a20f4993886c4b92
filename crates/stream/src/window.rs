//! The window: a reused block that a source is read into.
//!
//! ```text
//!  block:  | consumed, still readable | pending (unfinished record) | room |
//!          0                          start                         len    capacity
//! ```
//!
//! Reading advances `start`. Pending bytes move when a refill needs room. The block grows when one
//! record fills it, and is freed after a time of small records.

use crate::source::{Room, Source};
use riverhawk_memory as memory;
use std::io;

/// Default bytes: larger reads are no faster, and it fits the second-level cache.
pub const DEFAULT_WINDOW: usize = 256 * 1024;

/// Bytes of the first read. The kernel must touch new pages, and many programs need only the first
/// lines.
const FIRST_READ: usize = 16 * 1024;

/// Growth of further reads, up to the window's size.
const READ_GROWTH: usize = 4;

/// Refills with a small rest before a grown block is freed; otherwise a file of 1 MiB lines would
/// grow and shrink it for every line.
const CALM_REFILLS: u32 = 8;

/// Totals of a window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WindowCounters {
    /// Bytes from the source.
    pub bytes_read: u64,
    /// Successful reads, with that of the end.
    pub refills: u64,
    /// Bytes copied to make room, grow or detach.
    pub bytes_moved: u64,
    /// Blocks allocated or reallocated.
    pub allocations: u64,
}

/// A block with what was read last, and how far it was consumed.
///
/// Indexes below `bytes().len()` stay valid until the next [`refill`](Self::refill) or
/// [`detach`](Self::detach), which may shrink them by the growth of `offset(0)`.
#[derive(Debug)]
pub struct Window {
    block: Vec<u8>,
    /// The first pending byte.
    start: usize,
    /// Default capacity, and maximum of a read.
    size: usize,
    ask: usize,
    /// The block's stream offset.
    block_offset: u64,
    calm_refills: u32,
    counters: WindowCounters,
}

impl Window {
    /// An empty window of `size` bytes (at least 1), allocated by the first refill.
    pub fn new(size: usize) -> Self {
        let size = size.max(1);
        Self {
            block: Vec::new(),
            start: 0,
            size,
            ask: first_read(size),
            block_offset: 0,
            calm_refills: 0,
            counters: WindowCounters::default(),
        }
    }

    /// The whole block, consumed or not.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        &self.block
    }

    /// The index of the first pending byte.
    pub fn start(&self) -> usize {
        self.start
    }

    /// Bytes read but not consumed.
    pub fn pending(&self) -> &[u8] {
        &self.block[self.start..]
    }

    /// Consumes everything before `at`; going back is allowed.
    pub fn consume_to(&mut self, at: usize) {
        self.start = at.min(self.block.len());
    }

    /// The stream offset of index `at`.
    pub fn offset(&self, at: usize) -> u64 {
        self.block_offset + at as u64
    }

    /// Totals so far.
    pub fn counters(&self) -> WindowCounters {
        self.counters
    }

    /// Empties the window for another source from offset 0; keeps memory and counters.
    pub fn clear(&mut self) {
        self.block.clear();
        self.start = 0;
        self.block_offset = 0;
        self.ask = first_read(self.size);
    }

    /// As new, with its block unless it has grown.
    pub fn reset(&mut self) {
        self.clear();
        if self.block.capacity() > self.size.saturating_mul(2).max(64) {
            self.block = Vec::new();
        }
        self.calm_refills = 0;
        self.counters = WindowCounters::default();
    }

    /// Reads once after the pending bytes; returns the bytes read, 0 at the end. Bytes may move,
    /// also on failure, by the growth of `offset(0)`.
    ///
    /// # Errors
    /// The source's, or [`io::ErrorKind::OutOfMemory`]. Pending bytes are kept.
    pub fn refill(&mut self, source: &mut (impl Source + ?Sized)) -> io::Result<usize> {
        self.make_room(source.remaining())?;
        loop {
            match source.read(&mut Room::new(&mut self.block, self.ask)) {
                Ok(count) => {
                    self.ask = self.size.min(self.ask.saturating_mul(READ_GROWTH));
                    self.counters.refills += 1;
                    self.counters.bytes_read += count as u64;
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Gives away the block, with valid indexes; a new one gets a copy of the pending bytes.
    ///
    /// # Errors
    /// [`io::ErrorKind::OutOfMemory`]; then nothing changes.
    pub fn detach(&mut self) -> io::Result<Vec<u8>> {
        let pending = self.block.len() - self.start;
        let fresh = allocate(self.size.max(pending))?;
        let old = std::mem::replace(&mut self.block, fresh);
        self.counters.allocations += 1;
        self.block.extend_from_slice(&old[self.start..]);
        self.counters.bytes_moved += pending as u64;
        self.moved_to_front();
        Ok(old)
    }

    /// Makes `block.len() < block.capacity()`.
    fn make_room(&mut self, remaining: Option<usize>) -> io::Result<()> {
        let pending = self.block.len() - self.start;
        let capacity = self.block.capacity();
        if 0 < capacity && capacity < self.size && self.block.len() == capacity {
            // There was more than the source said, or this is another source.
            self.detach()?;
            return Ok(());
        }
        if pending == 0 {
            self.block.clear();
            self.moved_to_front();
        }
        self.calm_refills =
            if pending <= self.size / 2 { self.calm_refills.saturating_add(1) } else { 0 };
        // `with_capacity` may round up.
        if capacity > self.size.saturating_mul(2).max(64) && self.calm_refills >= CALM_REFILLS {
            self.detach()?;
            return Ok(());
        }
        if capacity == 0 {
            // One byte more, for the read that finds the end.
            let needed = remaining.map_or(self.size, |bytes| bytes.saturating_add(1));
            self.block = allocate(self.size.min(needed))?;
            self.counters.allocations += 1;
            return Ok(());
        }
        let room = capacity - self.block.len();
        // Moves a small rest early: small reads cost as much as large ones.
        let is_cheap = room < capacity / 4 && pending <= capacity / 16 && remaining != Some(0);
        if self.start > 0 && (room == 0 || is_cheap) {
            self.block.copy_within(self.start.., 0);
            self.block.truncate(pending);
            self.counters.bytes_moved += pending as u64;
            self.moved_to_front();
        }
        // A record of more than half the block would move repeatedly.
        if room == 0 && pending > capacity / 2 {
            let more = capacity.max(self.size);
            reserve(&mut self.block, more + (capacity - pending))?;
            self.counters.allocations += 1;
            self.counters.bytes_moved += pending as u64;
        }
        Ok(())
    }

    fn moved_to_front(&mut self) {
        self.block_offset += self.start as u64;
        self.start = 0;
    }
}

fn first_read(size: usize) -> usize {
    size.min(FIRST_READ)
}

fn allocate(size: usize) -> io::Result<Vec<u8>> {
    let mut block = Vec::new();
    reserve(&mut block, size)?;
    Ok(block)
}

fn reserve(block: &mut Vec<u8>, more: usize) -> io::Result<()> {
    if memory::grow_exactly(block, more) { Ok(()) } else { Err(io::ErrorKind::OutOfMemory.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{MemorySource, ScriptedSource};

    #[test]
    fn memory_is_allocated_by_the_first_refill_and_not_before() {
        let mut window = Window::new(100);
        assert_eq!(window.counters().allocations, 0);
        window.refill(&mut MemorySource::new("x")).unwrap();
        assert_eq!(window.counters().allocations, 1);
    }

    #[test]
    fn a_short_text_gets_a_short_block_and_a_longer_one_a_whole_block_when_it_is_full() {
        let mut window = Window::new(DEFAULT_WINDOW);
        let mut short = MemorySource::new("short");
        assert_eq!(window.refill(&mut short).unwrap(), 5);
        assert_eq!(window.refill(&mut short).unwrap(), 0);
        assert!(window.block.capacity() < 100 && window.counters().allocations == 1);
        window.clear();
        let mut source = ScriptedSource::chunked(&[b'x'; 200], 200);
        while window.refill(&mut source).unwrap() > 0 {}
        assert_eq!(window.pending(), [b'x'; 200]);
        assert!(window.block.capacity() >= DEFAULT_WINDOW);
    }

    #[test]
    fn the_first_reads_of_each_source_are_small() {
        let mut source = MemorySource::new(vec![b'x'; 3 * DEFAULT_WINDOW]);
        let mut window = Window::new(DEFAULT_WINDOW);
        for _ in 0..2 {
            let mut reads = Vec::new();
            for _ in 0..4 {
                reads.push(window.refill(&mut source).unwrap());
                window.consume_to(usize::MAX);
            }
            assert_eq!(reads, [16 << 10, 64 << 10, 256 << 10, 256 << 10]);
            window.clear();
            source = MemorySource::new(vec![b'x'; 3 * DEFAULT_WINDOW]);
        }
    }

    #[test]
    fn only_pending_bytes_move_and_offsets_stay_true() {
        let mut source = MemorySource::new("0123456789abcdef");
        let mut window = Window::new(10);
        window.refill(&mut source).unwrap();
        window.consume_to(window.bytes().len() - 2);
        let expected = window.pending().to_vec();
        let offset = window.offset(window.start());
        window.refill(&mut source).unwrap();
        assert_eq!(window.counters().bytes_moved, 2);
        assert_eq!(&window.pending()[..2], expected);
        assert_eq!(window.offset(window.start()), offset);
    }

    #[test]
    fn room_is_made_when_little_is_left_and_little_has_to_move() {
        for (first, pending, then) in
            [(769, 64, 769), (769, 65, 255), (768, 64, 256), (1024, 64, 960), (1000, 0, 1000)]
        {
            let mut window = Window::new(1024);
            let mut source = ScriptedSource::chunked(&[b'x'; 3000], first);
            window.refill(&mut source).unwrap();
            window.consume_to(first - pending);
            assert_eq!(window.refill(&mut source).unwrap(), then, "{first} {pending}");
        }
    }

    #[test]
    fn a_block_that_grew_for_one_record_is_given_back() {
        let mut source = MemorySource::new(vec![b'x'; 200_000]);
        let mut window = Window::new(1000);
        while window.pending().len() < 100_000 {
            window.refill(&mut source).unwrap();
        }
        assert!(window.block.capacity() >= 100_000);
        assert!(window.counters().allocations <= 9, "{:?}", window.counters());
        for _ in 0..=CALM_REFILLS {
            window.consume_to(usize::MAX);
            window.refill(&mut source).unwrap();
        }
        assert!(window.block.capacity() < 3000);
    }

    #[test]
    fn a_detached_block_keeps_its_indexes_and_the_window_goes_on() {
        let mut source = MemorySource::new("first second");
        let mut window = Window::new(8);
        window.refill(&mut source).unwrap();
        window.consume_to(6);
        let block = window.detach().unwrap();
        assert_eq!(&block[..5], b"first");
        assert_eq!(window.pending(), &block[6..]);
        assert_eq!(window.offset(0), 6);
        while window.refill(&mut source).unwrap() > 0 {}
        assert_eq!(window.pending(), b"second");
    }
}
