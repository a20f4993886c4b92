//! Bytes gathered in memory.

use super::Sink;
use std::io;

/// The smallest block, in bytes.
const SMALLEST: usize = 8;

/// Gathers everything in one block that grows by doubling.
///
/// At least 8 bytes, doubled, or exactly what is needed where doubling is not enough: `n` bytes in
/// small pieces cost at most `log2(n)` moves, a large piece no more than itself.
#[derive(Debug, Default)]
pub struct MemorySink {
    block: Vec<u8>,
}

impl MemorySink {
    /// An empty sink. Memory is allocated by the first block.
    pub fn new() -> Self {
        Self::default()
    }

    /// What has been put.
    pub fn bytes(&self) -> &[u8] {
        &self.block
    }

    /// How much fits without growing.
    pub fn capacity(&self) -> usize {
        self.block.capacity()
    }

    /// The bytes, as a vector.
    pub fn into_bytes(self) -> Vec<u8> {
        self.block
    }

    /// Forgets the bytes and keeps the memory.
    pub fn clear(&mut self) {
        self.block.clear();
    }
}

impl Sink for MemorySink {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        let (length, capacity) = (self.block.len(), self.block.capacity());
        let needed = length.checked_add(block.len()).ok_or(io::ErrorKind::OutOfMemory)?;
        if needed > capacity {
            let target = needed.max(capacity.saturating_mul(2)).max(SMALLEST);
            self.block
                .try_reserve_exact(target - length)
                .map_err(|_| io::ErrorKind::OutOfMemory)?;
        }
        self.block.extend_from_slice(block);
        Ok(block.len())
    }
}

impl Sink for Vec<u8> {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        self.try_reserve(block.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.extend_from_slice(block);
        Ok(block.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_doubles_from_eight_and_takes_exactly_what_doubling_does_not_give() {
        let mut sink = MemorySink::new();
        assert_eq!(sink.capacity(), 0);
        let mut capacities = vec![];
        for _ in 0..33 {
            sink.put_all(b"x").unwrap();
            if capacities.last() != Some(&sink.capacity()) {
                capacities.push(sink.capacity());
            }
        }
        assert_eq!(capacities, [8, 16, 32, 64]);
        sink.put_all(&[b'y'; 1000]).unwrap();
        assert_eq!(sink.capacity(), 1033);
        assert_eq!(sink.bytes().len(), 1033);
        sink.clear();
        assert_eq!((sink.bytes().len(), sink.capacity()), (0, 1033));
    }
}
