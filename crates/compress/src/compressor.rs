//! Writing compressed.

use crate::Codec;
use crate::codecs::Encoder;
use std::io::{self, Write};

/// Compresses what is written to it into another writer. [`finish`](Compressor::finish) must be
/// called, or the end is missing.
pub struct Compressor<W: Write>(Encoder<W>);

impl<W: Write> Compressor<W> {
    /// Begins a member.
    ///
    /// # Errors
    /// No memory, or the build has no codecs.
    pub fn new(codec: Codec, out: W) -> io::Result<Self> {
        Encoder::new(codec, out).map(Compressor)
    }

    /// Writes the end and gives the writer back.
    ///
    /// # Errors
    /// What the writer says.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
