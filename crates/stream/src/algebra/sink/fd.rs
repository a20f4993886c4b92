//! File descriptors and writers as sinks.

use super::Sink;
use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use std::io::{self, Write};

/// An owned descriptor. Each block is one `write`; put a [`BlockSink`](super::BlockSink) before it
/// for small ones.
#[derive(Debug)]
pub struct FdSink {
    fd: OwnedFd,
}

impl FdSink {
    /// Writes to `fd`.
    pub fn new(fd: impl Into<OwnedFd>) -> Self {
        Self { fd: fd.into() }
    }
}

impl AsFd for FdSink {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Sink for FdSink {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        Ok(riverhawk_system::io::write(&self.fd, block)?)
    }
}

/// Any [`Write`] as a sink.
#[derive(Debug)]
pub struct WriteSink<W>(W);

impl<W: Write> WriteSink<W> {
    /// Writes to `writer`.
    pub fn new(writer: W) -> Self {
        Self(writer)
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.0
    }
}

impl<W: Write> Sink for WriteSink<W> {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        self.0.write(block)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
