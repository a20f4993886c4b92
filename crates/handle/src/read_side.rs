//! The reading direction of a handle: unread input, and how more is read.
//!
//! The input is in one block or, once text has been read, in a decoder of `riverhawk-text`. Both
//! serve byte reads.

use crate::ahead::{Ahead, BLOCK};
use crate::device::{Device, Slot};
use crate::error::{Action, Error, ErrorKind, Name};
use crate::gate::{Gate, Interest, Waited};
use riverhawk_stream::Room;
use riverhawk_text::decoder::{Decoder, Separators};
use riverhawk_text::encoding::{Encoding, Policy};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

#[derive(Default)]
pub(crate) struct ReadShared {
    /// Empty: never readable, or closed.
    pub(crate) device: Slot,
    pub(crate) gate: Gate,
    /// Limit of a read's wait in nanoseconds; 0 for none.
    timeout: AtomicU64,
    /// Position of the next byte, plus one, while a reader waits; 0 otherwise.
    waiting_offset: AtomicU64,
}

impl ReadShared {
    pub(crate) fn new(device: Option<Arc<dyn Device>>) -> Self {
        Self { device: Slot::new(device), ..Self::default() }
    }

    pub(crate) fn set_timeout(&self, limit: Option<Duration>) {
        let nanoseconds =
            limit.map_or(0, |limit| u64::try_from(limit.as_nanos()).unwrap_or(u64::MAX).max(1));
        self.timeout.store(nanoseconds, Ordering::Relaxed);
    }

    pub(crate) fn timeout(&self) -> Option<Duration> {
        let nanoseconds = self.timeout.load(Ordering::Relaxed);
        (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds))
    }

    pub(crate) fn waiting_offset(&self) -> Option<u64> {
        self.waiting_offset.load(Ordering::Acquire).checked_sub(1)
    }
}

#[derive(Clone)]
pub(crate) struct TextSettings {
    pub(crate) encoding: Arc<dyn Encoding>,
    pub(crate) policy: Policy,
    pub(crate) separators: Separators,
}

impl TextSettings {
    /// At the start, a byte order mark may come.
    fn decoder(&self, is_start: bool) -> Decoder {
        let decoder = Decoder::of(Arc::clone(&self.encoding))
            .with_policy(self.policy.clone())
            .with_separators(self.separators.clone());
        if is_start { decoder } else { decoder.with_bom_kept() }
    }
}

pub(crate) enum Buffered {
    Bytes(Ahead),
    Text(Box<Decoder>),
}

pub(crate) struct ReadSide {
    pub(crate) buffered: Buffered,
    pub(crate) settings: TextSettings,
    /// Bytes read from the device, from the last seek's position on.
    pub(crate) read_offset: u64,
    /// A read has returned 0 since the last seek.
    pub(crate) saw_end: bool,
    /// The last line, without its separator, has been given, but not the end. It is given without
    /// another read, so that a terminal's input need not be ended twice.
    end_is_due: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) name: &'a Name,
    pub(crate) shared: &'a ReadShared,
    /// Otherwise gives [`ErrorKind::NotReady`].
    pub(crate) waits: bool,
}

impl Reading<'_> {
    pub(crate) fn fail(&self, kind: ErrorKind) -> Error {
        Error::of_kind(self.name, Action::Read, kind)
    }

    pub(crate) fn system(&self, source: io::Error) -> Error {
        Error::system(self.name, Action::Read, source)
    }
}

impl ReadSide {
    pub(crate) fn new() -> Self {
        let settings = TextSettings {
            encoding: Arc::new(riverhawk_text::encoding::Utf8),
            policy: Policy::Strict,
            separators: Separators::default(),
        };
        Self {
            buffered: Buffered::Bytes(Ahead::default()),
            settings,
            read_offset: 0,
            saw_end: false,
            end_is_due: false,
        }
    }

    pub(crate) fn available(&self) -> usize {
        match &self.buffered {
            Buffered::Bytes(ahead) => ahead.len(),
            Buffered::Text(decoder) => decoder.bytes_available(),
        }
    }

    pub(crate) fn taken_offset(&self) -> u64 {
        self.read_offset.saturating_sub(self.available() as u64)
    }

    pub(crate) fn discard(&mut self) -> usize {
        let count = self.available();
        match &mut self.buffered {
            Buffered::Bytes(ahead) => ahead.consume(count),
            Buffered::Text(decoder) => **decoder = self.settings.decoder(false),
        }
        self.saw_end = false;
        self.end_is_due = false;
        count
    }

    pub(crate) fn moved_to(&mut self, offset: u64) {
        match &mut self.buffered {
            Buffered::Bytes(ahead) => ahead.consume(ahead.len()),
            Buffered::Text(decoder) => **decoder = self.settings.decoder(offset == 0),
        }
        self.read_offset = offset;
        self.saw_end = false;
        self.end_is_due = false;
    }

    /// The decoder; a new one takes the unread bytes.
    pub(crate) fn decoder(&mut self) -> &mut Decoder {
        if let Buffered::Bytes(ahead) = &mut self.buffered {
            let bytes = ahead.take_all();
            let is_start = self.read_offset == bytes.len() as u64;
            let mut decoder = self.settings.decoder(is_start);
            decoder.add(bytes);
            if self.saw_end {
                decoder.finish();
            }
            self.buffered = Buffered::Text(Box::new(decoder));
        }
        match &mut self.buffered {
            Buffered::Text(decoder) => decoder,
            Buffered::Bytes(_) => unreachable!("replaced just above"),
        }
    }

    pub(crate) fn apply(&mut self, change: impl FnOnce(&mut Decoder)) {
        if let Buffered::Text(decoder) = &mut self.buffered {
            change(decoder);
        }
    }

    /// Makes unread decoded input bytes again, also on a pipe.
    pub(crate) fn set_binary(&mut self) {
        if let Buffered::Text(decoder) = &mut self.buffered {
            let fresh = self.settings.decoder(false);
            let bytes = std::mem::replace(&mut **decoder, fresh).into_undecoded();
            self.buffered = Buffered::Bytes(Ahead::of(bytes));
        }
    }

    /// Reads once with `read`, after waiting while it would block. 0 is the end.
    pub(crate) fn read_with(
        &mut self,
        who: Reading<'_>,
        mut read: impl FnMut(&dyn Device) -> io::Result<usize>,
    ) -> Result<usize, Error> {
        let Some(device) = who.shared.device.get() else {
            let kind =
                if who.shared.gate.is_shut() { ErrorKind::Closed } else { ErrorKind::NotReadable };
            return Err(who.fail(kind));
        };
        if self.saw_end && (self.end_is_due || device.ends_for_good()) {
            return Ok(0); // the end of a socket or pipe is sticky
        }
        loop {
            if who.shared.gate.is_shut() {
                return Err(who.fail(ErrorKind::Closed));
            }
            match read(&*device) {
                Ok(count) => {
                    self.saw_end = count == 0;
                    self.end_is_due = count == 0;
                    self.read_offset += count as u64;
                    return Ok(count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait(who, &*device, error)?
                }
                Err(error) => return Err(who.system(error)),
            }
        }
    }

    fn wait(
        &self,
        who: Reading<'_>,
        device: &dyn Device,
        would_block: io::Error,
    ) -> Result<(), Error> {
        if !who.waits {
            return Err(who.fail(ErrorKind::NotReady));
        }
        let Some(fd) = device.fd() else { return Err(who.system(would_block)) };
        who.shared.waiting_offset.store(self.taken_offset() + 1, Ordering::Release);
        let waited = who.shared.gate.wait(fd, Interest::Read, who.shared.timeout());
        who.shared.waiting_offset.store(0, Ordering::Release);
        match waited {
            Ok(Waited::Ready) => Ok(()),
            Ok(Waited::Shut) => Err(who.fail(ErrorKind::Closed)),
            Ok(Waited::TimedOut) => Err(who.fail(ErrorKind::TimedOut)),
            Err(error) => Err(who.system(error)),
        }
    }

    pub(crate) fn end_was_reported(&mut self) {
        self.end_is_due = false;
    }

    /// Reads once into the buffer; gives the number of bytes.
    pub(crate) fn fill(&mut self, who: Reading<'_>) -> Result<usize, Error> {
        match std::mem::replace(&mut self.buffered, Buffered::Bytes(Ahead::default())) {
            Buffered::Bytes(mut ahead) => {
                let filled = self.read_with(who, |device| {
                    device.read_room(&mut Room::new(ahead.with_room(), BLOCK))
                });
                self.buffered = Buffered::Bytes(ahead);
                filled
            }
            Buffered::Text(mut decoder) => {
                let filled = decoder.fill_from(&mut Feed { side: self, who });
                self.buffered = Buffered::Text(decoder);
                filled.map_err(|error| who.system(error))
            }
        }
    }

    pub(crate) fn read(&mut self, who: Reading<'_>, buffer: &mut [u8]) -> Result<usize, Error> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.available() == 0 {
            if buffer.len() >= BLOCK && matches!(self.buffered, Buffered::Bytes(_)) {
                let count = self.read_with(who, |device| device.read(buffer))?;
                self.end_is_due &= count > 0;
                return Ok(count);
            }
            if self.fill(who)? == 0 {
                self.end_was_reported();
                return Ok(0);
            }
        }
        match &mut self.buffered {
            Buffered::Bytes(ahead) => Ok(ahead.take_into(buffer)),
            Buffered::Text(decoder) => {
                let count = buffer.len().min(decoder.bytes_available());
                let bytes = decoder.take_bytes(count).unwrap_or_default();
                buffer[..bytes.len()].copy_from_slice(bytes);
                Ok(bytes.len())
            }
        }
    }

    pub(crate) fn append(
        &mut self,
        who: Reading<'_>,
        out: &mut Vec<u8>,
        limit: usize,
    ) -> Result<usize, Error> {
        if limit == 0 {
            return Ok(0);
        }
        if self.available() == 0 && self.fill(who)? == 0 {
            self.end_was_reported();
            return Ok(0);
        }
        match &mut self.buffered {
            Buffered::Bytes(ahead) => Ok(ahead.append_to(out, limit)),
            Buffered::Text(decoder) => {
                let count = limit.min(decoder.bytes_available());
                let bytes = decoder.take_bytes(count).unwrap_or_default();
                out.extend_from_slice(bytes);
                Ok(bytes.len())
            }
        }
    }
}

struct Feed<'a, 'b> {
    side: &'a mut ReadSide,
    who: Reading<'b>,
}

impl io::Read for Feed<'_, '_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(self.side.read_with(self.who, |device| device.read(buffer))?)
    }
}
