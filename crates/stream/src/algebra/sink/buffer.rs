//! Bytes held back on their way to a sink, until there is a block of them.

use super::Sink;
use std::io;

/// The usual block, in bytes: larger ones gained nothing, and it fits in the first-level cache.
pub const OUTPUT_BLOCK: usize = 64 * 1024;

/// When an [`OutputBuffer`] is written although it is not full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlushRule {
    /// Never: only when it is full.
    WhenFull,
    /// After every piece: a person or a peer waits for it.
    EachPiece,
    /// After every piece until so many bytes have gone out; then when it is full.
    EachPieceFor(usize),
}

/// Bytes held back until there is a block of them. The sink is handed in with each call;
/// [`BlockSink`](super::BlockSink) is the two together.
///
/// | what is written | happens |
/// |---|---|
/// | fits behind what is held back | is held back |
/// | does not fit | what is held back goes out first |
/// | is as large as a block, or larger | goes out at once, without a copy |
///
/// What a failed flush has not written stays for the next one; [`discard`](Self::discard) drops it.
#[derive(Debug)]
pub struct OutputBuffer {
    pending: Vec<u8>,
    size: usize,
    rule: FlushRule,
}

impl OutputBuffer {
    /// An empty buffer for blocks of `size` bytes; with 0 everything goes out at once.
    pub fn new(size: usize, rule: FlushRule) -> Self {
        Self { pending: Vec::new(), size, rule }
    }

    /// Allocates the whole block now. Otherwise it grows with what is written.
    pub fn reserve_block(&mut self) {
        self.pending.reserve_exact(self.size.saturating_sub(self.pending.len()));
    }

    /// What is held back.
    pub fn pending(&self) -> &[u8] {
        &self.pending
    }

    /// How many bytes fit behind what is held back.
    #[inline]
    pub fn room(&self) -> usize {
        self.size.saturating_sub(self.pending.len())
    }

    /// The size of a block.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Sets the size of a block. The caller has flushed.
    pub fn set_size(&mut self, size: usize) {
        self.size = size;
        self.pending.shrink_to(size);
    }

    /// Whether the end of a piece writes what is held back.
    #[inline]
    pub fn writes_each_piece(&self) -> bool {
        self.rule != FlushRule::WhenFull
    }

    /// Holds `bytes` back if they fit; false if they do not.
    #[inline]
    #[must_use]
    pub fn hold(&mut self, bytes: &[u8]) -> bool {
        let fits = self.pending.len() + bytes.len() <= self.size;
        if fits {
            self.pending.extend_from_slice(bytes);
        }
        fits
    }

    /// Holds two pieces back if both fit; false if they do not.
    #[inline]
    #[must_use]
    pub fn hold_pair(&mut self, first: &[u8], second: &[u8]) -> bool {
        // Lengths of slices: two of them do not overflow.
        let fits = first.len() + second.len() <= self.room();
        if fits {
            self.pending.extend_from_slice(first);
            self.pending.extend_from_slice(second);
        }
        fits
    }

    /// What is held back, to format text behind it. If it is longer than a block then, the caller
    /// flushes.
    #[inline]
    pub fn pending_mut(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    /// Writes `bytes` as the table says.
    ///
    /// # Errors
    /// The sink's. Bytes that were to go out at once are then lost as far as they were not put.
    #[inline]
    pub fn write(&mut self, bytes: &[u8], sink: &mut impl Sink) -> io::Result<()> {
        if bytes.len() < self.size && self.hold(bytes) {
            return Ok(());
        }
        self.write_past_the_end(bytes, sink)
    }

    #[cold]
    #[inline(never)]
    fn write_past_the_end(&mut self, bytes: &[u8], sink: &mut impl Sink) -> io::Result<()> {
        self.flush(sink)?;
        if bytes.len() < self.size {
            self.pending.extend_from_slice(bytes);
            return Ok(());
        }
        sink.put_all(bytes)?;
        self.note_written(bytes.len());
        Ok(())
    }

    /// Writes `parts` as one piece, which ends with them: the sink never sees a part alone.
    ///
    /// # Errors
    /// As [`write`](Self::write).
    pub fn write_piece(&mut self, parts: &[&[u8]], sink: &mut impl Sink) -> io::Result<()> {
        let length = parts.iter().map(|part| part.len()).sum::<usize>();
        match parts {
            [part] => self.write(part, sink)?,
            _ if length >= self.size => self.write(&parts.concat(), sink)?,
            _ => {
                if length > self.room() {
                    self.flush(sink)?;
                }
                parts.iter().for_each(|part| self.pending.extend_from_slice(part));
            }
        }
        if self.writes_each_piece() { self.flush(sink) } else { Ok(()) }
    }

    /// Writes what is held back.
    ///
    /// # Errors
    /// The sink's; what it has not taken stays.
    pub fn flush(&mut self, sink: &mut impl Sink) -> io::Result<()> {
        let mut rest = &self.pending[..];
        let result = sink.put_rest(&mut rest);
        let written = self.pending.len() - rest.len();
        self.pending.drain(..written);
        self.note_written(written);
        result
    }

    fn note_written(&mut self, count: usize) {
        if let FlushRule::EachPieceFor(left) = self.rule {
            self.rule = match left.saturating_sub(count) {
                0 => FlushRule::WhenFull,
                left => FlushRule::EachPieceFor(left),
            };
        }
    }

    /// Drops what is held back; how many bytes that were.
    pub fn discard(&mut self) -> usize {
        let count = self.pending.len();
        self.pending.clear();
        count
    }
}
