//! Unread bytes: one block, consumed at the front, appended to at the end.

/// Size of a refill in bytes: a pipe's capacity.
pub(crate) const BLOCK: usize = 64 * 1024;

/// The bytes `block[at..]`.
#[derive(Debug, Default)]
pub(crate) struct Ahead {
    block: Vec<u8>,
    at: usize,
}

impl Ahead {
    pub(crate) fn of(bytes: Vec<u8>) -> Self {
        Self { block: bytes, at: 0 }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.block[self.at..]
    }

    pub(crate) fn len(&self) -> usize {
        self.block.len() - self.at
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn consume(&mut self, count: usize) {
        self.at = (self.at + count).min(self.block.len());
        if self.at == self.block.len() {
            self.block.clear();
            self.at = 0;
            // Releases a block that grew for a huge record.
            if self.block.capacity() > 4 * BLOCK {
                self.block.shrink_to(BLOCK);
            }
        }
    }

    pub(crate) fn take_into(&mut self, buffer: &mut [u8]) -> usize {
        let count = buffer.len().min(self.len());
        buffer[..count].copy_from_slice(&self.bytes()[..count]);
        self.consume(count);
        count
    }

    pub(crate) fn append_to(&mut self, out: &mut Vec<u8>, limit: usize) -> usize {
        let count = limit.min(self.len());
        out.extend_from_slice(&self.bytes()[..count]);
        self.consume(count);
        count
    }

    pub(crate) fn with_room(&mut self) -> &mut Vec<u8> {
        if self.block.capacity() - self.block.len() < BLOCK {
            if self.at > 0 {
                self.block.drain(..self.at);
                self.at = 0;
            }
            // Doubled, so that a long record is moved rarely.
            self.block.reserve(BLOCK);
        }
        &mut self.block
    }

    pub(crate) fn take_all(&mut self) -> Vec<u8> {
        let mut all = std::mem::take(&mut self.block);
        all.drain(..self.at);
        self.at = 0;
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_out_in_the_order_they_went_in_whatever_the_pieces() {
        let text: Vec<u8> = (0..300_000_u32).map(|n| (n % 251) as u8).collect();
        let (mut ahead, mut out, mut fed) = (Ahead::default(), Vec::new(), 0);
        for turn in 0.. {
            let more = (turn * 7919 % BLOCK).min(text.len() - fed);
            ahead.with_room().extend_from_slice(&text[fed..fed + more]);
            fed += more;
            ahead.append_to(&mut out, turn * 104_729 % (2 * BLOCK));
            if fed == text.len() && ahead.is_empty() {
                break;
            }
        }
        assert!(out == text);
    }
}
