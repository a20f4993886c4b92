//! Writing compressed.

use crate::Codec;
use std::io::{self, Write};

/// Effort: the default of the tools; for xz a little less, which is twice as fast for a few
/// percent.
const GZIP_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;
const XZ_LEVEL: u32 = 4;

/// Compresses what is written to it into another writer. [`finish`](Compressor::finish) must be
/// called, or the end is missing.
pub struct Compressor<W: Write>(Kind<W>);

enum Kind<W: Write> {
    Gzip(flate2::write::GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
    Bzip2(bzip2::write::BzEncoder<W>),
    Xz(liblzma::write::XzEncoder<W>),
    Lz4(Box<lz4_flex::frame::FrameEncoder<W>>),
}

/// Does the same with each kind of writer.
macro_rules! each {
    ($compressor:expr, $writer:ident => $work:expr) => {
        match &mut $compressor.0 {
            Kind::Gzip($writer) => $work,
            Kind::Zstd($writer) => $work,
            Kind::Bzip2($writer) => $work,
            Kind::Xz($writer) => $work,
            Kind::Lz4($writer) => $work,
        }
    };
}

impl<W: Write> Compressor<W> {
    /// Begins a member.
    ///
    /// # Errors
    /// No memory.
    pub fn new(codec: Codec, out: W) -> io::Result<Self> {
        Ok(Compressor(match codec {
            Codec::Gzip => {
                Kind::Gzip(flate2::write::GzEncoder::new(out, flate2::Compression::new(GZIP_LEVEL)))
            }
            Codec::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(out, ZSTD_LEVEL)?;
                // As the tool does, so that damage is noticed.
                encoder.include_checksum(true)?;
                Kind::Zstd(encoder)
            }
            Codec::Bzip2 => {
                Kind::Bzip2(bzip2::write::BzEncoder::new(out, bzip2::Compression::best()))
            }
            Codec::Xz => Kind::Xz(liblzma::write::XzEncoder::new(out, XZ_LEVEL)),
            Codec::Lz4 => {
                let checked = lz4_flex::frame::FrameInfo::new().content_checksum(true);
                Kind::Lz4(Box::new(lz4_flex::frame::FrameEncoder::with_frame_info(checked, out)))
            }
        }))
    }

    /// Writes the end and gives the writer back.
    ///
    /// # Errors
    /// What the writer says.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Kind::Gzip(encoder) => encoder.finish(),
            Kind::Zstd(encoder) => encoder.finish(),
            Kind::Bzip2(encoder) => encoder.finish(),
            Kind::Xz(encoder) => encoder.finish(),
            Kind::Lz4(encoder) => encoder.finish().map_err(io::Error::other),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        each!(self, writer => writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        each!(self, writer => writer.flush())
    }
}

/// A text, compressed.
///
/// # Errors
/// No memory.
pub fn compress(codec: Codec, text: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = Compressor::new(codec, Vec::new())?;
    compressor.write_all(text)?;
    compressor.finish()
}
