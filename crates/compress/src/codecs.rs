//! The formats: encoders, and decoders of one member at a time.

use crate::Codec;
use std::io::{self, BufRead, Read, Write};

/// Effort: the default of the tools; for xz a little less, which is twice as fast for a few
/// percent.
const GZIP_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;
const XZ_LEVEL: u32 = 4;

/// Maximum memory for which the header of an `.xz` file may ask; `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 512 << 20;

/// One member.
pub(crate) fn member<'r>(
    codec: Codec,
    input: &'r mut dyn BufRead,
) -> io::Result<Box<dyn Read + 'r>> {
    Ok(match codec {
        Codec::Gzip => Box::new(flate2::bufread::GzDecoder::new(input)),
        Codec::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(input)?.single_frame()),
        Codec::Bzip2 => Box::new(Salvaged::new(bzip2::bufread::BzDecoder::new(input))),
        Codec::Xz => {
            let stream = liblzma::stream::Stream::new_stream_decoder(XZ_MEMORY, 0)
                .map_err(io::Error::from)?;
            Box::new(Salvaged::new(liblzma::bufread::XzDecoder::new_stream(input, stream)))
        }
        Codec::Lz4 => Box::new(Lz4(lz4_flex::frame::FrameDecoder::new(EndNoted {
            inner: input,
            ended: false,
        }))),
    })
}

/// A reader that notes that it had nothing more to give.
struct EndNoted<R> {
    inner: R,
    ended: bool,
}

impl<R: Read> Read for EndNoted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(out)?;
        self.ended |= count == 0 && !out.is_empty();
        Ok(count)
    }
}

/// The decoder of lz4. It takes the end of the input between blocks for the end of the frame; but
/// it reads no further after the frame's end mark, so input that was read to its end lacks the
/// mark.
struct Lz4<R: Read>(lz4_flex::frame::FrameDecoder<EndNoted<R>>);

impl<R: Read> Read for Lz4<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out)? {
            0 if self.0.get_ref().ended => Err(io::ErrorKind::UnexpectedEof.into()),
            count => Ok(count),
        }
    }
}

/// A decoder that knows how much it has written in all.
trait Writes: Read {
    fn written(&self) -> u64;
}

impl<R: BufRead> Writes for bzip2::bufread::BzDecoder<R> {
    fn written(&self) -> u64 {
        self.total_out()
    }
}

impl<R: BufRead> Writes for liblzma::bufread::XzDecoder<R> {
    fn written(&self) -> u64 {
        self.total_out()
    }
}

/// A decoder that finds damage in the middle of a call does not return what it has written in that
/// call. Here that is delivered, and the error after it.
struct Salvaged<D> {
    decoder: D,
    delivered: u64,
    failure: Option<io::Error>,
}

impl<D: Writes> Salvaged<D> {
    fn new(decoder: D) -> Salvaged<D> {
        Salvaged { decoder, delivered: 0, failure: None }
    }
}

impl<D: Writes> Read for Salvaged<D> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let result = self.decoder.read(out);
        let written = self.decoder.written().saturating_sub(self.delivered);
        self.delivered += written;
        match result {
            Err(failure) if written > 0 => {
                self.failure = Some(failure);
                Ok((written as usize).min(out.len()))
            }
            result => result,
        }
    }
}

/// A writer of one format.
pub(crate) enum Encoder<W: Write> {
    Gzip(flate2::write::GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
    Bzip2(bzip2::write::BzEncoder<W>),
    Xz(liblzma::write::XzEncoder<W>),
    Lz4(Box<lz4_flex::frame::FrameEncoder<W>>),
}

/// Does the same with each kind of writer.
macro_rules! each {
    ($compressor:expr, $writer:ident => $work:expr) => {
        match $compressor {
            Encoder::Gzip($writer) => $work,
            Encoder::Zstd($writer) => $work,
            Encoder::Bzip2($writer) => $work,
            Encoder::Xz($writer) => $work,
            Encoder::Lz4($writer) => $work,
        }
    };
}

impl<W: Write> Encoder<W> {
    pub(crate) fn new(codec: Codec, out: W) -> io::Result<Self> {
        Ok(match codec {
            Codec::Gzip => Encoder::Gzip(flate2::write::GzEncoder::new(
                out,
                flate2::Compression::new(GZIP_LEVEL),
            )),
            Codec::Zstd => {
                let mut encoder = zstd::stream::write::Encoder::new(out, ZSTD_LEVEL)?;
                // As the tool does, so that damage is noticed.
                encoder.include_checksum(true)?;
                Encoder::Zstd(encoder)
            }
            Codec::Bzip2 => {
                Encoder::Bzip2(bzip2::write::BzEncoder::new(out, bzip2::Compression::best()))
            }
            Codec::Xz => Encoder::Xz(liblzma::write::XzEncoder::new(out, XZ_LEVEL)),
            Codec::Lz4 => {
                let checked = lz4_flex::frame::FrameInfo::new().content_checksum(true);
                Encoder::Lz4(Box::new(lz4_flex::frame::FrameEncoder::with_frame_info(checked, out)))
            }
        })
    }

    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
            Encoder::Bzip2(encoder) => encoder.finish(),
            Encoder::Xz(encoder) => encoder.finish(),
            Encoder::Lz4(encoder) => encoder.finish().map_err(io::Error::other),
        }
    }
}

impl<W: Write> Write for Encoder<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        each!(self, writer => writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        each!(self, writer => writer.flush())
    }
}
