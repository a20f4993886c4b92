//! The writing direction of a handle: its output buffer, and the loop around write(2).
//!
//! | a piece that is written | happens |
//! |---|---|
//! | the first of all | goes out at once: whether the handle can be written at all shows here and not at its close |
//! | fits behind what is held back | is held back |
//! | does not fit | what is held back goes out, then as below |
//! | is as large as the buffer, or larger | goes out at once, never through the buffer |
//!
//! With a buffer of 0 (terminals, packets) everything goes out at once. Changing the size flushes
//! first.

use crate::device::{Device, Slot};
use crate::error::{Action, Error, ErrorKind, Name};
use crate::gate::{Gate, Interest, Waited};
use riverhawk_text::encoding::{Encoder, Encoding, Policy};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What can be asked of the writing direction without its lock.
#[derive(Default)]
pub(crate) struct WriteShared {
    /// Empty: never writable, or closed.
    pub(crate) device: Slot,
    pub(crate) gate: Gate,
    /// Bytes accepted so far, written or held back.
    pub(crate) accepted: AtomicU64,
}

impl WriteShared {
    pub(crate) fn new(device: Option<Arc<dyn Device>>) -> Self {
        Self { device: Slot::new(device), ..Self::default() }
    }
}

/// The writing direction, under its lock. Between calls `pending` is no longer than `capacity`.
pub(crate) struct WriteSide {
    pending: Vec<u8>,
    capacity: usize,
    /// Something has been written, so that the handle is known to be writable.
    proven: bool,
    /// Text to bytes, in the handle's encoding; None for UTF-8, which text is already.
    pub(crate) encoder: Option<Encoder>,
    policy: Policy,
}

/// Who writes, for errors and waits.
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
        Self { pending: Vec::new(), capacity, proven: false, encoder: None, policy: Policy::Strict }
    }

    /// Nothing is ever held back, from the start.
    pub(crate) fn start_unbuffered(&mut self) {
        self.capacity = 0;
    }

    pub(crate) fn set_encoding(&mut self, encoding: Arc<dyn Encoding>) {
        self.encoder = Some(Encoder::new(encoding).with_policy(self.policy.clone()));
    }

    pub(crate) fn set_policy(&mut self, policy: Policy) {
        self.encoder = self.encoder.take().map(|encoder| encoder.with_policy(policy.clone()));
        self.policy = policy;
    }

    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    /// Bytes held back.
    pub(crate) fn pending(&self) -> usize {
        self.pending.len()
    }

    /// What is held back is dropped; says how much that was.
    pub(crate) fn discard(&mut self) -> usize {
        let count = self.pending.len();
        self.pending.clear();
        count
    }

    /// Writes `pieces` one behind the other, as one piece.
    #[inline]
    pub(crate) fn write(&mut self, who: Writing<'_>, pieces: &[&[u8]]) -> Result<(), Error> {
        if who.shared.gate.is_shut() {
            return Err(who.fail(ErrorKind::Closed));
        }
        let length = pieces.iter().map(|piece| piece.len()).sum::<usize>();
        if length == 0 {
            return Ok(()); // of a packet socket, an empty write would be a packet
        }
        if self.proven && length < self.capacity {
            if self.pending.len() + length > self.capacity {
                self.flush(who)?;
            }
            for piece in pieces {
                self.pending.extend_from_slice(piece);
            }
        } else {
            self.flush(who)?;
            let Some(device) = who.shared.device.get() else {
                return Err(who.fail(ErrorKind::NotWritable));
            };
            match pieces {
                [piece] => write_all(&*device, who, piece)?,
                // One call for the lot: what a peer sees of an unbuffered print is the print.
                pieces => write_all(&*device, who, &pieces.concat())?,
            }
            self.proven = true;
        }
        // Only under the lock, so nobody else counts; the atomic is for those who ask without it.
        let accepted = who.shared.accepted.load(Ordering::Relaxed);
        who.shared.accepted.store(accepted + length as u64, Ordering::Relaxed);
        Ok(())
    }

    /// Writes what is held back. After a failure it is dropped, so that one failure is reported
    /// once.
    pub(crate) fn flush(&mut self, who: Writing<'_>) -> Result<(), Error> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let written = match who.shared.device.get() {
            Some(device) => write_all(&*device, who, &self.pending),
            None => Err(who.fail(ErrorKind::NotWritable)),
        };
        self.pending.clear();
        written
    }

    /// Holds back up to `capacity` bytes from now on; what is held back now goes out.
    pub(crate) fn set_capacity(&mut self, who: Writing<'_>, capacity: usize) -> Result<(), Error> {
        let flushed = self.flush(who);
        self.capacity = capacity;
        self.pending.shrink_to(capacity);
        flushed
    }
}

/// Goes on after short and interrupted writes, and waits where a write would block.
fn write_all(device: &dyn Device, who: Writing<'_>, bytes: &[u8]) -> Result<(), Error> {
    let mut left = bytes;
    loop {
        let error = match device.write(left) {
            Ok(count) if count >= left.len() => return Ok(()),
            Ok(0) => io::ErrorKind::WriteZero.into(),
            Ok(count) => {
                left = &left[count..];
                continue;
            }
            Err(error) => error,
        };
        match (error.kind(), device.fd()) {
            (io::ErrorKind::Interrupted, _) => {}
            (io::ErrorKind::WouldBlock, Some(fd)) => {
                match who.shared.gate.wait(fd, Interest::Write, None) {
                    Ok(Waited::Ready | Waited::TimedOut) => {}
                    Ok(Waited::Shut) => return Err(who.fail(ErrorKind::Closed)),
                    Err(error) => return Err(Error::system(who.name, who.action, error)),
                }
            }
            _ => return Err(Error::system(who.name, who.action, error)),
        }
    }
}
