//! Decoding, member after member.

use crate::{Codec, Limit, TooMuch};
use std::cell::Cell;
use std::io::{self, BufRead, Read};

/// Bytes decoded at once: they stay in the second-level cache until they have been copied on.
pub(crate) const BLOCK: usize = 128 * 1024;

/// Maximum memory for which the header of an `.xz` file may ask; `xz -9` needs 65 MiB.
const XZ_MEMORY: u64 = 512 << 20;

/// A reader that counts what is taken from it.
struct Counted<'c, R> {
    inner: R,
    count: &'c Cell<u64>,
}

impl<R: BufRead> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut available = self.fill_buf()?;
        let count = available.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        loop {
            match self.inner.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // A borrow returned from here would last through the loop.
                Ok(_) => return self.inner.fill_buf(),
                Err(error) => return Err(error),
            }
        }
    }

    fn consume(&mut self, count: usize) {
        self.count.set(self.count.get() + count as u64);
        self.inner.consume(count);
    }
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

/// One member.
fn member<'r>(codec: Codec, input: &'r mut dyn BufRead) -> io::Result<Box<dyn Read + 'r>> {
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

/// Decodes `input` into `sink`, block by block. `sink` takes the buffer it is lent, leaves another
/// in its place, and returns whether it wants more.
///
/// # Errors
/// The input ends too soon, is damaged, passes the limit, or cannot be read; everything before that
/// has been given to `sink`.
pub(crate) fn decode(
    codec: Codec,
    input: impl BufRead,
    limit: Limit,
    mut sink: impl FnMut(&mut Vec<u8>) -> bool,
) -> io::Result<()> {
    let taken = Cell::new(0);
    let mut input = Counted { inner: input, count: &taken };
    let mut output = 0;
    let mut block = Vec::with_capacity(BLOCK);
    loop {
        let mut reader = member(codec, &mut input)?;
        loop {
            block.clear();
            let result = fill(&mut *reader, &mut block);
            output += block.len() as u64;
            if !block.is_empty() && !sink(&mut block) {
                return Ok(());
            }
            match result {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return Err(explained(codec, error)),
            }
            if limit.is_passed(taken.get(), output) {
                let passed = TooMuch { codec, input: taken.get(), output };
                return Err(io::Error::new(io::ErrorKind::InvalidData, passed));
            }
        }
        drop(reader);
        if !another(codec, &mut input)? {
            return Ok(());
        }
    }
}

/// Reads up to a block; whether there may be more.
fn fill(reader: &mut dyn Read, block: &mut Vec<u8>) -> io::Result<bool> {
    block.resize(BLOCK, 0);
    let mut length = 0;
    let result = loop {
        if length == BLOCK {
            break Ok(true);
        }
        match reader.read(&mut block[length..]) {
            Ok(0) => break Ok(false),
            Ok(count) => length += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => break Err(error),
        }
    };
    block.truncate(length);
    result
}

/// Whether another member follows.
fn another(codec: Codec, input: &mut dyn BufRead) -> io::Result<bool> {
    let mut beginning = Vec::new();
    loop {
        let rest = input.fill_buf()?;
        let Some(&first) = rest.first() else { return Ok(false) };
        // Padding to the end of a block of a tape, or to the four bytes of xz.
        if first == 0 {
            let zeros = rest.iter().take_while(|&&byte| byte == 0).count();
            input.consume(zeros);
            beginning.push(0);
            continue;
        }
        let again =
            Codec::of_content(rest).or_else(|| first_byte_of(codec, first).then_some(codec));
        return if again == Some(codec) {
            Ok(true)
        } else {
            let message = format!("the {codec} data is followed by something else");
            Err(io::Error::new(io::ErrorKind::InvalidData, message))
        };
    }
}

/// Whether a member, or a skippable frame of zstd, may begin with this byte. What is none after all
/// is refused by the decoder.
fn first_byte_of(codec: Codec, first: u8) -> bool {
    match codec {
        Codec::Gzip => first == 0x1F,
        Codec::Zstd => first == 0x28 || first & 0xF0 == 0x50,
        Codec::Bzip2 => first == b'B',
        Codec::Xz => first == 0xFD,
        Codec::Lz4 => first == 0x04,
    }
}

/// A decoder's error in words.
fn explained(codec: Codec, error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            io::Error::new(io::ErrorKind::UnexpectedEof, format!("the {codec} data ends too soon"))
        }
        // Reading failed, not decoding.
        _ if error.raw_os_error().is_some() => error,
        _ => io::Error::new(
            io::ErrorKind::InvalidData,
            format!("the {codec} data is damaged: {error}"),
        ),
    }
}

/// Decodes a text that is in memory.
///
/// # Errors
/// It ends too soon, is damaged, or becomes more than `limit` allows.
pub fn decompress(codec: Codec, bytes: &[u8], limit: Limit) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    decode(codec, bytes, limit, |block| {
        text.extend_from_slice(block);
        true
    })?;
    Ok(text)
}
