//! Borrowed and boxed streams, and streams as standard readers.

use crate::algebra::{Buffered, ByteSet, Ended, Pattern, Sink, Stream};
use std::io::{self, BufRead, Read};

/// Keeps the stream's own versions of the operations.
macro_rules! pass_on {
    () => {
        fn read_into(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            (**self).read_into(buffer)
        }

        fn copy_to(&mut self, limit: usize, sink: &mut dyn Sink) -> io::Result<usize> {
            (**self).copy_to(limit, sink)
        }

        fn next_byte(&mut self) -> io::Result<Option<u8>> {
            (**self).next_byte()
        }

        fn read_exact(&mut self, count: usize, out: &mut Vec<u8>) -> io::Result<()> {
            (**self).read_exact(count, out)
        }

        fn up_to(&mut self, byte: u8, out: &mut Vec<u8>) -> io::Result<Ended> {
            (**self).up_to(byte, out)
        }

        fn up_to_any(&mut self, set: &ByteSet, out: &mut Vec<u8>) -> io::Result<Option<u8>> {
            (**self).up_to_any(set, out)
        }

        fn up_to_all(&mut self, pattern: &mut Pattern, out: &mut Vec<u8>) -> io::Result<Ended> {
            (**self).up_to_all(pattern, out)
        }

        fn up_to_end(&mut self, out: &mut Vec<u8>) -> io::Result<usize> {
            (**self).up_to_end(out)
        }

        fn skip(&mut self, count: u64) -> io::Result<u64> {
            (**self).skip(count)
        }

        fn skip_to(&mut self, byte: u8) -> io::Result<bool> {
            (**self).skip_to(byte)
        }

        fn skip_to_all(&mut self, pattern: &mut Pattern) -> io::Result<bool> {
            (**self).skip_to_all(pattern)
        }

        fn copy_all(&mut self, sink: &mut dyn Sink) -> io::Result<u64> {
            (**self).copy_all(sink)
        }
    };
}

macro_rules! pass_on_buffer {
    () => {
        fn buffered(&self) -> &[u8] {
            (**self).buffered()
        }

        fn fill(&mut self) -> io::Result<usize> {
            (**self).fill()
        }

        fn consume(&mut self, count: usize) -> &[u8] {
            (**self).consume(count)
        }

        fn offset(&self) -> u64 {
            (**self).offset()
        }

        fn find_buffered(&mut self, byte: u8) -> Option<usize> {
            (**self).find_buffered(byte)
        }

        fn join_lf(&mut self) {
            (**self).join_lf();
        }

        fn awaits_lf(&self) -> bool {
            (**self).awaits_lf()
        }
    };
}

impl<S: Stream + ?Sized> Stream for &mut S {
    pass_on!();
}

impl<S: Stream + ?Sized> Stream for Box<S> {
    pass_on!();
}

impl<S: Buffered + ?Sized> Buffered for &mut S {
    pass_on_buffer!();
}

impl<S: Buffered + ?Sized> Buffered for Box<S> {
    pass_on_buffer!();
}

/// A stream as a [`Read`], and with a buffer a [`BufRead`].
#[derive(Debug)]
pub struct StreamReader<S>(S);

impl<S: Stream> StreamReader<S> {
    /// Reads `stream`.
    pub fn new(stream: S) -> Self {
        Self(stream)
    }

    /// The stream.
    pub fn into_inner(self) -> S {
        self.0
    }
}

impl<S: Stream> Read for StreamReader<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_into(buffer)
    }
}

impl<S: Buffered> BufRead for StreamReader<S> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.0.look()
    }

    fn consume(&mut self, count: usize) {
        self.0.consume(count);
    }
}
