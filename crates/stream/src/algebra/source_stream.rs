//! A [`Source`] as a buffered stream.

use super::ahead::Ahead;
use super::through::buffer_overrides;
use super::{Buffered, Stream};
use crate::source::{FdSource, ReadSource, Room, Source};
use crate::window::{DEFAULT_WINDOW, Window, WindowCounters};
use riverhawk_system::fd::OwnedFd;
use std::io::{self, Read};
use std::path::Path;

/// Minimum for [`up_to_end`](Stream::up_to_end).
const FIRST_ROOM: usize = 64 * 1024;

/// A stream that reads a source through a [`Window`].
///
/// ```
/// use riverhawk_stream::{Buffered, SourceStream};
/// use std::io::Write;
/// use std::os::unix::net::UnixStream;
///
/// let (near, mut far) = UnixStream::pair()?;
/// far.write_all(b"one\r\ntwo\r")?;
/// let mut stream = SourceStream::from_fd(near);
/// assert_eq!(stream.take_line()?.bytes, b"one");
/// // Delivered although nobody knows yet whether a line feed follows.
/// assert_eq!(stream.take_line()?.bytes, b"two");
/// far.write_all(b"\nthree\n")?;
/// assert_eq!(stream.take_line()?.bytes, b"three");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct SourceStream<S> {
    source: S,
    window: Window,
    /// An LF that arrives first belongs to a delivered line.
    drops_lf: bool,
    /// Bytes read past the window.
    bypassed: u64,
    ahead: Ahead,
}

impl<S: Source> SourceStream<S> {
    /// Reads `source` through the default window.
    pub fn new(source: S) -> Self {
        Self::with_window(source, DEFAULT_WINDOW)
    }

    /// Reads `source` through a window of `size` bytes, at least 1, which grows with the longest
    /// piece.
    pub fn with_window(source: S, size: usize) -> Self {
        Self {
            source,
            window: Window::new(size),
            drops_lf: false,
            bypassed: 0,
            ahead: Ahead::default(),
        }
    }

    /// Totals of reads, moves and allocations.
    pub fn counters(&self) -> WindowCounters {
        let through_window = self.window.counters();
        WindowCounters { bytes_read: through_window.bytes_read + self.bypassed, ..through_window }
    }

    /// The source; bytes already read are in [`Buffered::buffered`].
    pub fn source(&self) -> &S {
        &self.source
    }

    /// The source and the buffered bytes. An awaited LF is forgotten.
    pub fn into_parts(self) -> (S, Vec<u8>) {
        let rest = self.window.pending().to_vec();
        (self.source, rest)
    }
}

impl SourceStream<FdSource> {
    /// Opens a file.
    ///
    /// # Errors
    /// Those of `open`.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self::new(FdSource::open(path)?))
    }

    /// Reads a [`File`](std::fs::File), a pipe, a `TcpStream` or a `UnixStream`.
    pub fn from_fd(fd: impl Into<OwnedFd>) -> Self {
        Self::new(FdSource::new(fd))
    }
}

impl<R: Read + Send> SourceStream<ReadSource<R>> {
    /// Reads any reader.
    pub fn from_reader(reader: R) -> Self {
        Self::new(ReadSource::new(reader))
    }
}

impl<S: Source> Stream for SourceStream<S> {
    buffer_overrides!();

    /// Reads past the buffer into `out`.
    fn up_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        let before = out.len();
        loop {
            let pending = self.window.pending();
            if !pending.is_empty() {
                let length = pending.len();
                out.try_reserve(length.max(FIRST_ROOM)).map_err(|_| io::ErrorKind::OutOfMemory)?;
                out.extend_from_slice(pending);
                self.consume(length);
            }
            // Through the window when the vector is full, so that it does not grow at the end, or
            // when an LF must be dropped.
            let count = if out.len() == out.capacity() || self.drops_lf {
                self.fill()?
            } else {
                self.read_past_window(out)?
            };
            if count == 0 {
                return Ok(out.len() - before);
            }
        }
    }
}

impl<S: Source> SourceStream<S> {
    fn read_past_window(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
        loop {
            match self.source.read(&mut Room::new(out, usize::MAX)) {
                Ok(count) => {
                    self.bypassed += count as u64;
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl<S: Source> Buffered for SourceStream<S> {
    #[inline]
    fn buffered(&self) -> &[u8] {
        self.window.pending()
    }

    fn fill(&mut self) -> io::Result<usize> {
        let count = self.window.refill(&mut self.source)?;
        if self.drops_lf && count > 0 {
            self.drops_lf = false;
            if self.window.pending().first() == Some(&b'\n') {
                self.consume(1);
            }
        }
        Ok(count)
    }

    #[inline]
    fn consume(&mut self, count: usize) -> &[u8] {
        let start = self.window.start();
        let taken = count.min(self.window.bytes().len() - start);
        self.window.consume_to(start + taken);
        &self.window.bytes()[start..start + taken]
    }

    #[inline]
    fn offset(&self) -> u64 {
        self.window.offset(self.window.start()) + self.bypassed
    }

    #[inline]
    fn find_buffered(&mut self, byte: u8) -> Option<usize> {
        let (window, bypassed) = (&self.window, self.bypassed);
        self.ahead.find(byte, window.pending(), || window.offset(window.start()) + bypassed)
    }

    fn join_lf(&mut self) {
        self.drops_lf = true;
    }

    fn awaits_lf(&self) -> bool {
        self.drops_lf
    }
}

/// A stream as a source, for buffering.
#[derive(Debug)]
pub struct StreamSource<S>(S);

impl<S: Stream> StreamSource<S> {
    /// Reads `stream`.
    pub fn new(stream: S) -> Self {
        Self(stream)
    }

    /// The stream.
    pub fn into_inner(self) -> S {
        self.0
    }
}

impl<S: Stream + Send> Source for StreamSource<S> {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        room.read_from(&mut super::StreamReader::new(&mut self.0))
    }
}
