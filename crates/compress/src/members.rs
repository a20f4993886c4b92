//! Decoding, member after member; whole texts.

use crate::codecs::member;
use crate::{Codec, Compressor, Limit, TooMuch};
use std::cell::Cell;
use std::io::{self, BufRead, Read, Write};

/// Bytes decoded at once: they stay in the second-level cache until they have been copied on.
pub(crate) const BLOCK: usize = 128 * 1024;

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
        _ if error.raw_os_error().is_some() || error.kind() == io::ErrorKind::Unsupported => error,
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

/// A text, compressed.
///
/// # Errors
/// No memory, or the build has no codecs.
pub fn compress(codec: Codec, text: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressor = Compressor::new(codec, Vec::new())?;
    compressor.write_all(text)?;
    compressor.finish()
}
