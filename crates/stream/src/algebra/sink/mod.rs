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

/// Something that a block of bytes can be put into.
pub trait Sink {
    /// The third primitive: puts the beginning of `block`, as much as goes at once; how much, 0
    /// only for an empty block. The caller puts the rest again.
    ///
    /// # Errors
    /// Whatever the sink meets; then it has taken nothing of `block`.
    fn put(&mut self, block: &[u8]) -> io::Result<usize>;

    /// Asked when [`put`](Self::put) has failed: `Ok` to put again, after waiting if need be. By
    /// default only an interrupted call is made again; "not yet"
    /// ([`WouldBlock`](io::ErrorKind::WouldBlock)) is the caller's.
    ///
    /// # Errors
    /// What to report instead of trying again, in general `error`.
    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        if error.kind() == io::ErrorKind::Interrupted { Ok(()) } else { Err(error) }
    }

    /// Puts all of `block`, cut from the front as it goes: after an error it is what has not been
    /// taken.
    ///
    /// # Errors
    /// The sink's, if [`retry`](Self::retry) says so; [`io::ErrorKind::WriteZero`] if it takes
    /// nothing and does not say why.
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

    /// Puts all of `block`; see [`put_rest`](Self::put_rest) for what an error leaves.
    ///
    /// # Errors
    /// As for [`put_rest`](Self::put_rest).
    fn put_all(&mut self, mut block: &[u8]) -> io::Result<()> {
        self.put_rest(&mut block)
    }

    /// Hands on what the sink has gathered.
    ///
    /// # Errors
    /// Those of the sink behind; what was gathered and not taken stays.
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

/// A sink failed after bytes had been taken from a stream that cannot take them back. Inside an
/// [`io::Error`] of the sink's kind.
#[derive(Debug)]
pub struct Undelivered {
    /// The bytes that the sink has not taken.
    pub bytes: Vec<u8>,
    /// What the sink said.
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
