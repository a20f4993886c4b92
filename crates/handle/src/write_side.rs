//! The writing direction of a handle: an [`OutputBuffer`] before the device.
//!
//! The first piece is written at once, so that an unwritable handle fails there and not at its
//! close.

use crate::device::{Device, Slot};
use crate::error::{Action, Error, ErrorKind, Name};
use crate::gate::{Gate, Interest, Waited};
use riverhawk_stream::{FlushRule, OutputBuffer, Sink};
use riverhawk_text::encoding::{Encoder, Encoding, Policy};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub(crate) struct WriteShared {
    /// Empty: never writable, or closed.
    pub(crate) device: Slot,
    pub(crate) gate: Gate,
    /// Bytes accepted, written or buffered.
    pub(crate) accepted: AtomicU64,
}

impl WriteShared {
    pub(crate) fn new(device: Option<Arc<dyn Device>>) -> Self {
        Self { device: Slot::new(device), ..Self::default() }
    }
}

pub(crate) struct WriteSide {
    buffer: OutputBuffer,
    /// `None` for UTF-8.
    pub(crate) encoder: Option<Encoder>,
    policy: Policy,
}

#[derive(Clone, Copy)]
pub(crate) struct Writing<'a> {
    pub(crate) name: &'a Name,
    pub(crate) shared: &'a WriteShared,
    pub(crate) action: Action,
}

impl Writing<'_> {
    fn fail(&self, kind: ErrorKind) -> Error {
        Error::of_kind(self.name, self.action, kind)
    }
}

impl WriteSide {
    pub(crate) fn new(capacity: usize) -> Self {
        // One written byte proves the handle writable.
        let buffer = OutputBuffer::new(capacity, FlushRule::EachPieceFor(1));
        Self { buffer, encoder: None, policy: Policy::Strict }
    }

    pub(crate) fn start_unbuffered(&mut self) {
        self.buffer.set_size(0);
    }

    pub(crate) fn set_encoding(&mut self, encoding: Arc<dyn Encoding>) {
        self.encoder = Some(Encoder::new(encoding).with_policy(self.policy.clone()));
    }

    pub(crate) fn set_policy(&mut self, policy: Policy) {
        self.encoder = self.encoder.take().map(|encoder| encoder.with_policy(policy.clone()));
        self.policy = policy;
    }

    pub(crate) fn capacity(&self) -> usize {
        self.buffer.size()
    }

    pub(crate) fn pending(&self) -> usize {
        self.buffer.pending().len()
    }

    pub(crate) fn discard(&mut self) -> usize {
        self.buffer.discard()
    }

    #[inline]
    pub(crate) fn write(&mut self, who: Writing<'_>, pieces: &[&[u8]]) -> Result<(), Error> {
        if who.shared.gate.is_shut() {
            return Err(who.fail(ErrorKind::Closed));
        }
        let length = pieces.iter().map(|piece| piece.len()).sum::<usize>();
        if length == 0 {
            return Ok(()); // of a packet socket, an empty write would be a packet
        }
        self.with_device(who, |buffer, device| buffer.write_piece(pieces, device))?;
        // Written under the lock only; read without it.
        let accepted = who.shared.accepted.load(Ordering::Relaxed);
        who.shared.accepted.store(accepted + length as u64, Ordering::Relaxed);
        Ok(())
    }

    pub(crate) fn flush(&mut self, who: Writing<'_>) -> Result<(), Error> {
        self.with_device(who, |buffer, device| buffer.flush(device))
    }

    pub(crate) fn set_capacity(&mut self, who: Writing<'_>, capacity: usize) -> Result<(), Error> {
        let flushed = self.flush(who);
        self.buffer.set_size(capacity);
        flushed
    }

    /// After a failure the buffer is dropped, so that it is reported once.
    #[inline]
    fn with_device(
        &mut self,
        who: Writing<'_>,
        write: impl FnOnce(&mut OutputBuffer, &mut DeviceSink<'_>) -> io::Result<()>,
    ) -> Result<(), Error> {
        let mut device = DeviceSink { who, refusal: None };
        write(&mut self.buffer, &mut device).map_err(|error| {
            self.buffer.discard();
            match device.refusal {
                Some(kind) => who.fail(kind),
                None => Error::system(who.name, who.action, error),
            }
        })
    }
}

/// Waits where a write would block.
struct DeviceSink<'a> {
    who: Writing<'a>,
    /// The cause, if not the system's.
    refusal: Option<ErrorKind>,
}

impl Sink for DeviceSink<'_> {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        let Some(device) = self.who.shared.device.get() else {
            self.refusal = Some(ErrorKind::NotWritable);
            return Err(io::ErrorKind::Unsupported.into());
        };
        device.write(block)
    }

    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        match error.kind() {
            io::ErrorKind::Interrupted => Ok(()),
            io::ErrorKind::WouldBlock => {
                let device = self.who.shared.device.get();
                let Some(fd) = device.as_ref().and_then(|device| device.fd()) else {
                    return Err(error);
                };
                match self.who.shared.gate.wait(fd, Interest::Write, None)? {
                    Waited::Ready | Waited::TimedOut => Ok(()),
                    Waited::Shut => {
                        self.refusal = Some(ErrorKind::Closed);
                        Err(error)
                    }
                }
            }
            _ => Err(error),
        }
    }
}
