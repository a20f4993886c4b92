//! Operations of buffered streams: search the buffer, then move a block.
//!
//! As [`Stream`]'s defaults of the same names; `buffer_overrides!` puts them into an `impl Stream`.

use super::stream::too_short;
use super::{Buffered, ByteSet, Ended, Pattern, Sink};
use std::io;

#[cfg(doc)]
use super::Stream;

/// All but `up_to_end`.
macro_rules! buffer_overrides {
    () => {
        fn read_into(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            crate::algebra::through::read_into(self, buffer)
        }

        fn copy_to(
            &mut self,
            limit: usize,
            sink: &mut dyn crate::algebra::Sink,
        ) -> std::io::Result<usize> {
            crate::algebra::through::copy_to(self, limit, sink)
        }

        #[inline]
        fn next_byte(&mut self) -> std::io::Result<Option<u8>> {
            crate::algebra::through::next_byte(self)
        }

        fn read_exact(&mut self, count: usize, out: &mut Vec<u8>) -> std::io::Result<()> {
            crate::algebra::through::read_exact(self, count, out)
        }

        #[inline]
        fn up_to(&mut self, byte: u8, out: &mut Vec<u8>) -> std::io::Result<crate::algebra::Ended> {
            crate::algebra::through::up_to(self, byte, out)
        }

        fn up_to_any(
            &mut self,
            set: &crate::algebra::ByteSet,
            out: &mut Vec<u8>,
        ) -> std::io::Result<Option<u8>> {
            crate::algebra::through::up_to_any(self, set, out)
        }

        fn up_to_all(
            &mut self,
            pattern: &mut crate::algebra::Pattern,
            out: &mut Vec<u8>,
        ) -> std::io::Result<crate::algebra::Ended> {
            crate::algebra::through::up_to_all(self, pattern, out)
        }

        fn skip(&mut self, count: u64) -> std::io::Result<u64> {
            crate::algebra::through::skip(self, count)
        }

        fn skip_to(&mut self, byte: u8) -> std::io::Result<bool> {
            crate::algebra::through::skip_to(self, byte)
        }

        fn skip_to_all(&mut self, pattern: &mut crate::algebra::Pattern) -> std::io::Result<bool> {
            crate::algebra::through::skip_to_all(self, pattern)
        }
    };
}
pub(super) use buffer_overrides;

pub(super) fn read_into<B: Buffered + ?Sized>(
    stream: &mut B,
    buffer: &mut [u8],
) -> io::Result<usize> {
    if buffer.is_empty() {
        return Ok(0);
    }
    let count = stream.look()?.len().min(buffer.len());
    buffer[..count].copy_from_slice(stream.consume(count));
    Ok(count)
}

pub(super) fn copy_to<B: Buffered + ?Sized>(
    stream: &mut B,
    limit: usize,
    sink: &mut dyn Sink,
) -> io::Result<usize> {
    if limit == 0 {
        return Ok(0);
    }
    let text = stream.look()?;
    let mut rest = &text[..text.len().min(limit)];
    let offered = rest.len();
    let result = sink.put_rest(&mut rest);
    let taken = offered - rest.len();
    stream.consume(taken);
    // Partial success; the sink will report again.
    if taken > 0 { Ok(taken) } else { result.map(|()| 0) }
}

#[inline]
pub(super) fn next_byte<B: Buffered + ?Sized>(stream: &mut B) -> io::Result<Option<u8>> {
    if stream.look()?.is_empty() {
        return Ok(None);
    }
    Ok(stream.consume(1).first().copied())
}

pub(super) fn read_exact<B: Buffered + ?Sized>(
    stream: &mut B,
    count: usize,
    out: &mut Vec<u8>,
) -> io::Result<()> {
    let mut missing = count;
    while missing > 0 {
        let got = stream.look()?.len().min(missing);
        if got == 0 {
            return Err(too_short(count, missing));
        }
        out.extend_from_slice(stream.consume(got));
        missing -= got;
    }
    Ok(())
}

#[inline]
pub(super) fn up_to<B: Buffered + ?Sized>(
    stream: &mut B,
    byte: u8,
    out: &mut Vec<u8>,
) -> io::Result<Ended> {
    match stream.find_buffered(byte) {
        Some(at) => {
            out.extend_from_slice(&stream.buffered()[..at]);
            stream.consume(at + 1);
            Ok(Ended::AtDelimiter)
        }
        None => up_to_behind(stream, byte, out),
    }
}

/// Not inlined, to keep the usual case small.
#[inline(never)]
fn up_to_behind<B: Buffered + ?Sized>(
    stream: &mut B,
    byte: u8,
    out: &mut Vec<u8>,
) -> io::Result<Ended> {
    loop {
        let length = stream.buffered().len();
        out.extend_from_slice(stream.consume(length));
        if stream.fill()? == 0 {
            return Ok(Ended::AtEnd);
        }
        if let Some(at) = stream.find_buffered(byte) {
            out.extend_from_slice(&stream.consume(at + 1)[..at]);
            return Ok(Ended::AtDelimiter);
        }
    }
}

pub(super) fn up_to_any<B: Buffered + ?Sized>(
    stream: &mut B,
    set: &ByteSet,
    out: &mut Vec<u8>,
) -> io::Result<Option<u8>> {
    loop {
        let text = stream.look()?;
        if let Some(at) = set.find(text) {
            let piece = stream.consume(at + 1);
            out.extend_from_slice(&piece[..at]);
            return Ok(Some(piece[at]));
        }
        let length = text.len();
        if length == 0 {
            return Ok(None);
        }
        out.extend_from_slice(stream.consume(length));
    }
}

pub(super) fn up_to_all<B: Buffered + ?Sized>(
    stream: &mut B,
    pattern: &mut Pattern,
    out: &mut Vec<u8>,
) -> io::Result<Ended> {
    if scan_to_all(stream, pattern, &mut |passed| out.extend_from_slice(passed))? {
        return Ok(Ended::AtDelimiter);
    }
    out.extend_from_slice(pattern.held());
    pattern.reset();
    Ok(Ended::AtEnd)
}

/// For streams that cannot read into `out` directly.
pub(super) fn up_to_end<B: Buffered + ?Sized>(
    stream: &mut B,
    out: &mut Vec<u8>,
) -> io::Result<usize> {
    let before = out.len();
    loop {
        let length = stream.look()?.len();
        if length == 0 {
            return Ok(out.len() - before);
        }
        out.extend_from_slice(stream.consume(length));
    }
}

pub(super) fn skip<B: Buffered + ?Sized>(stream: &mut B, count: u64) -> io::Result<u64> {
    let mut left = count;
    while left > 0 {
        let got = (stream.look()?.len() as u64).min(left);
        if got == 0 {
            break;
        }
        stream.consume(got as usize);
        left -= got;
    }
    Ok(count - left)
}

pub(super) fn skip_to<B: Buffered + ?Sized>(stream: &mut B, byte: u8) -> io::Result<bool> {
    loop {
        let text = stream.look()?;
        let (length, found) =
            memchr::memchr(byte, text).map_or((text.len(), false), |at| (at + 1, true));
        stream.consume(length);
        if found || length == 0 {
            return Ok(found);
        }
    }
}

pub(super) fn skip_to_all<B: Buffered + ?Sized>(
    stream: &mut B,
    pattern: &mut Pattern,
) -> io::Result<bool> {
    let found = scan_to_all(stream, pattern, &mut |_| ())?;
    if !found {
        pattern.reset();
    }
    Ok(found)
}

/// `pass` gets the bytes before the pattern.
fn scan_to_all<B: Buffered + ?Sized>(
    stream: &mut B,
    pattern: &mut Pattern,
    pass: &mut impl FnMut(&[u8]),
) -> io::Result<bool> {
    if pattern.is_empty() {
        return Ok(true);
    }
    loop {
        let text = stream.look()?;
        if text.is_empty() {
            return Ok(false);
        }
        let found = pattern.scan(text, pass);
        let length = found.unwrap_or(text.len());
        stream.consume(length);
        if found.is_some() {
            return Ok(true);
        }
    }
}
