//! Memory as a sink.

use super::Sink;
use std::io;

impl Sink for Vec<u8> {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        self.try_reserve(block.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
        self.extend_from_slice(block);
        Ok(block.len())
    }
}
