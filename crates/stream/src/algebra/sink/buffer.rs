//! Gathers output into blocks.

use super::Sink;
use riverhawk_memory::{append_part, append_within};
use std::io;
use std::ops::Range;

/// Default bytes: fits the first-level cache, and larger ones gained nothing.
pub const OUTPUT_BLOCK: usize = 64 * 1024;

/// When an [`OutputBuffer`] is written before it is full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FlushRule {
    /// Never.
    WhenFull,
    /// After every piece, for an interactive reader.
    EachPiece,
    /// After every piece for so many bytes, then when full.
    EachPieceFor(usize),
}

/// Gathers bytes into blocks. The sink is passed to each call; [`BlockSink`](super::BlockSink)
/// combines both.
///
/// | what is written | happens |
/// |---|---|
/// | fits behind what is held back | is held back |
/// | does not fit | what is held back goes out first |
/// | is as large as a block, or larger | goes out at once, without a copy |
///
/// Bytes of a failed flush stay for the next; [`discard`](Self::discard) drops them.
#[derive(Debug)]
pub struct OutputBuffer {
    pending: Vec<u8>,
    size: usize,
    rule: FlushRule,
}

impl OutputBuffer {
    /// An empty buffer for blocks of `size` bytes; 0 writes everything at once.
    pub fn new(size: usize, rule: FlushRule) -> Self {
        Self { pending: Vec::new(), size, rule }
    }

    /// Allocates the whole block, which otherwise grows.
    pub fn reserve_block(&mut self) {
        self.pending.reserve_exact(self.size.saturating_sub(self.pending.len()));
    }

    /// The pending bytes.
    pub fn pending(&self) -> &[u8] {
        &self.pending
    }

    /// The bytes that still fit.
    #[inline]
    pub fn room(&self) -> usize {
        self.size.saturating_sub(self.pending.len())
    }

    /// The size of a block.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Sets the size of a block, after a flush.
    pub fn set_size(&mut self, size: usize) {
        self.size = size;
        self.pending.shrink_to(size);
    }

    /// Whether the end of a piece flushes.
    #[inline]
    pub fn writes_each_piece(&self) -> bool {
        self.rule != FlushRule::WhenFull
    }

    /// Holds `bytes` back; false if they do not fit.
    #[inline]
    #[must_use]
    pub fn hold(&mut self, bytes: &[u8]) -> bool {
        let fits = self.pending.len() + bytes.len() <= self.size;
        if fits {
            append_within(&mut self.pending, bytes);
        }
        fits
    }

    /// As [`hold`](Self::hold), for a part of `text` that is mostly short.
    ///
    /// # Panics
    /// If the part is not inside it.
    #[inline]
    #[must_use]
    pub fn hold_part(&mut self, text: &[u8], part: Range<usize>) -> bool {
        let fits = self.pending.len() + part.len() <= self.size;
        if fits {
            append_part::<32>(&mut self.pending, text, part);
        }
        fits
    }

    /// Holds two pieces back; false if they do not fit.
    #[inline]
    #[must_use]
    pub fn hold_pair(&mut self, first: &[u8], second: &[u8]) -> bool {
        // Lengths of slices do not overflow.
        let fits = first.len() + second.len() <= self.room();
        if fits {
            append_within(&mut self.pending, first);
            append_within(&mut self.pending, second);
        }
        fits
    }

    /// The pending bytes, for appending. If they exceed a block, the caller flushes.
    #[inline]
    pub fn pending_mut(&mut self) -> &mut Vec<u8> {
        &mut self.pending
    }

    /// Writes `bytes` by the table.
    ///
    /// # Errors
    /// The sink's. Bytes that were to be written at once are lost.
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

    /// Writes `parts` as one piece.
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

    /// Writes the pending bytes.
    ///
    /// # Errors
    /// The sink's; the rest stays.
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

    /// Drops the pending bytes; returns how many.
    pub fn discard(&mut self) -> usize {
        let count = self.pending.len();
        self.pending.clear();
        count
    }
}
