//! Where bytes go.

mod block;
mod buffer;
mod fd;
mod fork;
mod memory;

pub use block::BlockSink;
pub use buffer::{FlushRule, OUTPUT_BLOCK, OutputBuffer};
pub use fd::{FdSink, WriteSink};
pub use fork::TeeSink;

use std::{fmt, io};

/// Something that takes blocks of bytes.
pub trait Sink {
    /// The third primitive: puts the beginning of `block`; returns how much, 0 only for an empty
    /// block. The caller puts the rest again.
    ///
    /// # Errors
    /// Any; then nothing of `block` is taken.
    fn put(&mut self, block: &[u8]) -> io::Result<usize>;

    /// After a failed [`put`](Self::put): `Ok` to try again, after waiting if necessary. By default
    /// only for interrupted calls, not for [`WouldBlock`](io::ErrorKind::WouldBlock).
    ///
    /// # Errors
    /// The error to report, usually `error`.
    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        if error.kind() == io::ErrorKind::Interrupted { Ok(()) } else { Err(error) }
    }

    /// Puts all of `block`; after an error it is the rest.
    ///
    /// # Errors
    /// The sink's, after [`retry`](Self::retry); [`io::ErrorKind::WriteZero`] if it takes nothing.
    fn put_rest(&mut self, block: &mut &[u8]) -> io::Result<()> {
        while !block.is_empty() {
            match self.put(block) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => *block = block.get(count..).unwrap_or_default(),
                Err(error) => self.retry(error)?,
            }
        }
        Ok(())
    }

    /// Puts all of `block`; see [`put_rest`](Self::put_rest).
    ///
    /// # Errors
    /// As for [`put_rest`](Self::put_rest).
    fn put_all(&mut self, mut block: &[u8]) -> io::Result<()> {
        self.put_rest(&mut block)
    }

    /// Writes gathered bytes.
    ///
    /// # Errors
    /// Those of the next sink; the rest stays.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<K: Sink + ?Sized> Sink for &mut K {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        (**self).put(block)
    }

    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        (**self).retry(error)
    }

    fn flush(&mut self) -> io::Result<()> {
        (**self).flush()
    }
}

impl<K: Sink + ?Sized> Sink for Box<K> {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        (**self).put(block)
    }

    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        (**self).retry(error)
    }

    fn flush(&mut self) -> io::Result<()> {
        (**self).flush()
    }
}

/// A sink failed with bytes of a stream without a buffer. Inside an [`io::Error`] of the sink's
/// kind.
#[derive(Debug)]
pub struct Undelivered {
    /// The bytes not taken.
    pub bytes: Vec<u8>,
    /// The sink's error.
    pub error: io::Error,
}

impl Undelivered {
    pub(in crate::algebra) fn wrap(bytes: &[u8], error: io::Error) -> io::Error {
        io::Error::new(error.kind(), Self { bytes: bytes.to_vec(), error })
    }
}

impl fmt::Display for Undelivered {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} bytes could not be delivered: {}", self.bytes.len(), self.error)
    }
}

impl std::error::Error for Undelivered {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}
