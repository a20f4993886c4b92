//! One output: an [`OutputBuffer`], optional encoder and compressor, a descriptor.

use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::termios::isatty;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use crate::cancel;
use crate::coding::{Coding, Recoder};
use crate::compressing::Compressing;
use crate::display::{Cells, Display, Shown};
use crate::error::{Action, OutputError, Target};
use crate::name::Standard;
use crate::quota::Quota;
use crate::status_line::StatusLine;
use riverhawk_compress::Codec;
use riverhawk_stream::{FlushRule, OUTPUT_BLOCK, OutputBuffer, Sink as _};
use riverhawk_value::NumberFormat;
use riverhawk_value::number::number_to_text;

const USUAL_NUMBER: usize = 32;

/// Some systems refuse or truncate larger writes.
const MAX_WRITE: usize = 1 << 30;

/// Bytes flushed after each print to a pipe, before it is buffered.
///
/// gawk flushes pipes after every `print`, so a command that ends early is noticed and its output
/// appears at once. So do we up to the 64 KiB that a pipe holds; then blocks are faster.
const PIPE_PROMPT_BYTES: usize = 64 * 1024;

pub(super) enum Device {
    Descriptor(OwnedFd),
    Standard(Standard),
    Writer(Box<dyn io::Write + Send>),
    /// Reopened by `Outputs` before its next use.
    Parked,
}

impl Device {
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Descriptor(fd) => Some(fd.as_fd()),
            Self::Standard(Standard::Error) => Some(riverhawk_system::stdio::stderr()),
            Self::Standard(Standard::Output) => Some(riverhawk_system::stdio::stdout()),
            Self::Standard(Standard::Input) => Some(riverhawk_system::stdio::stdin()),
            Self::Writer(_) | Self::Parked => None,
        }
    }

    /// Opened to append, or written to before.
    fn is_behind_text(&self) -> bool {
        use riverhawk_system::fs::{OFlags, SeekFrom, fcntl_getfl, fstat, seek};
        let Some(fd) = self.fd() else { return false };
        let appends = fcntl_getfl(fd).is_ok_and(|flags| flags.contains(OFlags::APPEND));
        if appends {
            fstat(fd).is_ok_and(|stat| stat.st_size > 0)
        } else {
            seek(fd, SeekFrom::Current(0)).is_ok_and(|at| at > 0)
        }
    }

    /// Only writers hold anything back.
    fn flush(&mut self) -> io::Result<()> {
        if let Self::Writer(writer) = self { writer.flush() } else { Ok(()) }
    }

    fn wait_until_writable(&self, would_block: io::Error) -> io::Result<()> {
        use riverhawk_system::event::{PollFd, PollFlags, poll};
        let Some(fd) = self.fd() else { return Err(would_block) };
        match poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::OUT)], None) {
            Err(riverhawk_system::io::Errno::INTR) if cancel::is_impatient() => Err(would_block),
            Ok(_) | Err(riverhawk_system::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl riverhawk_stream::Sink for Device {
    fn put(&mut self, block: &[u8]) -> io::Result<usize> {
        let block = &block[..block.len().min(MAX_WRITE)];
        if let Self::Writer(writer) = self {
            return writer.write(block);
        }
        match self.fd() {
            Some(fd) => Ok(riverhawk_system::io::write(fd, block)?),
            None => Err(riverhawk_system::io::Errno::BADF.into()),
        }
    }

    /// Also waits when another process has made it non-blocking.
    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        match error.kind() {
            io::ErrorKind::Interrupted if !cancel::is_impatient() => Ok(()),
            io::ErrorKind::WouldBlock => self.wait_until_writable(error),
            _ => Err(error),
        }
    }
}

struct Delivery {
    device: Device,
    recoder: Option<Box<Recoder>>,
    compressing: Option<Box<Compressing>>,
    status_line: Option<Arc<StatusLine>>,
    text_written: u64,
    /// After a kept failure.
    gave_up: bool,
}

impl riverhawk_stream::Sink for Delivery {
    /// After a failure a part may be written, so put no more.
    fn put(&mut self, text: &[u8]) -> io::Result<usize> {
        if !self.gave_up {
            self.text_written += text.len() as u64;
            self.deliver(text, false)?;
        }
        Ok(text.len())
    }

    /// The device has retried already.
    fn retry(&mut self, error: io::Error) -> io::Result<()> {
        Err(error)
    }
}

impl Delivery {
    /// `last` ends the text.
    fn deliver(&mut self, text: &[u8], last: bool) -> io::Result<()> {
        let (bytes, encoded) = match &mut self.recoder {
            None => (text, Ok(())),
            Some(recoder) => recoder.recode(text, last),
        };
        let written = match &mut self.compressing {
            None => match &self.status_line {
                None => self.device.put_all(bytes),
                Some(line) => line.beside(bytes, || self.device.put_all(bytes)),
            },
            Some(compressing) => compressing
                .compress(bytes, last)
                .and_then(|compressed| self.device.put_all(&compressed)),
        };
        written.and(encoded)
    }

    /// For compression and some encodings.
    fn end(&mut self) -> io::Result<()> {
        let ended = if self.gave_up { Ok(()) } else { self.deliver(b"", true) };
        (self.recoder, self.compressing) = (None, None);
        ended
    }
}

/// An output stream with its buffer.
pub struct Sink {
    buffer: OutputBuffer,
    /// Pending bytes, and how many are dropped if nothing follows.
    spare_end: Option<(usize, usize)>,
    shown: Option<Box<Shown>>,
    used: bool,
    delivery: Delivery,
    target: Target,
    failures: Failures,
    /// With the pending bytes counted.
    quota: Option<Quota>,
    counted: usize,
}

enum Failures {
    /// The print fails.
    Returned,
    /// Kept for the owner of the sink; no further writes.
    Kept(Option<Box<OutputError>>),
}

impl Sink {
    fn new(device: Device, target: Target, rule: FlushRule) -> Self {
        let terminal = device.fd().is_some_and(isatty);
        let rule = if terminal { FlushRule::EachPiece } else { rule };
        Self {
            buffer: OutputBuffer::new(OUTPUT_BLOCK, rule),
            spare_end: None,
            shown: None,
            used: false,
            delivery: Delivery {
                device,
                recoder: None,
                compressing: None,
                status_line: None,
                text_written: 0,
                gave_up: false,
            },
            target,
            failures: Failures::Returned,
            quota: None,
            counted: 0,
        }
    }

    pub(super) fn write_beside(&mut self, line: &Arc<StatusLine>) {
        if self.delivery.device.fd().is_some_and(isatty) {
            self.delivery.status_line = Some(line.clone());
        }
    }

    pub(super) fn set_coding(&mut self, coding: &Coding) {
        let continues = self.delivery.device.is_behind_text();
        self.delivery.recoder = Some(Box::new(coding.encode(continues)));
    }

    /// # Errors
    /// Out of memory.
    pub(super) fn set_codec(&mut self, codec: Codec) -> io::Result<()> {
        self.delivery.compressing = Some(Box::new(Compressing::new(codec)?));
        Ok(())
    }

    /// On a terminal flushed after every `print`.
    pub(super) fn stdout() -> Self {
        let mut sink =
            Self::new(Device::Standard(Standard::Output), Target::Stdout, FlushRule::WhenFull);
        sink.buffer.reserve_block();
        sink
    }

    /// Flushed after every `print`.
    pub(super) fn stderr() -> Self {
        Self::new(Device::Standard(Standard::Error), Target::Stderr, FlushRule::EachPiece)
    }

    pub(super) fn into_writer(writer: Box<dyn io::Write + Send>, target: Target) -> Self {
        let rule =
            if target == Target::Stderr { FlushRule::EachPiece } else { FlushRule::WhenFull };
        Self::new(Device::Writer(writer), target, rule)
    }

    pub(super) fn file(fd: OwnedFd, name: &[u8]) -> Self {
        Self::new(Device::Descriptor(fd), Target::File(name.into()), FlushRule::WhenFull)
    }

    pub(super) fn pipe(writer: Box<dyn io::Write + Send>, command: &[u8]) -> Self {
        Self::new(
            Device::Writer(writer),
            Target::Pipe(command.into()),
            FlushRule::EachPieceFor(PIPE_PROMPT_BYTES),
        )
    }

    /// Flushed after every `print`.
    pub(super) fn coprocess(writer: Box<dyn io::Write + Send>, name: &[u8]) -> Self {
        Self::new(Device::Writer(writer), Target::Coprocess(name.into()), FlushRule::EachPiece)
    }

    /// Appends `bytes`, to be written when the buffer is full, at [`Sink::end_print`] of a prompt
    /// sink, or at a flush.
    ///
    /// # Errors
    /// The buffer had to be written and that failed.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Box<OutputError>> {
        if self.buffer.hold(bytes) { Ok(()) } else { self.write_past_the_end(bytes) }
    }

    /// Appends a part of `text`, mostly short. What lies behind it helps.
    ///
    /// # Errors
    /// As [`Sink::write`].
    ///
    /// # Panics
    /// If the part is not inside it.
    #[inline]
    pub fn write_part(&mut self, text: &[u8], part: Range<usize>) -> Result<(), Box<OutputError>> {
        if self.buffer.hold_part(text, part.clone()) {
            Ok(())
        } else {
            self.write_past_the_end(&text[part])
        }
    }

    /// Appends a record and its terminator with one check for room.
    ///
    /// # Errors
    /// As [`Sink::write`].
    #[inline]
    pub fn write_pair(&mut self, first: &[u8], second: &[u8]) -> Result<(), Box<OutputError>> {
        if self.buffer.hold_pair(first, second) {
            Ok(())
        } else {
            self.write(first)?;
            self.write(second)
        }
    }

    /// Formats a number straight into the buffer.
    ///
    /// # Errors
    /// As [`Sink::write`].
    #[inline]
    pub fn write_number(
        &mut self,
        number: f64,
        format: &NumberFormat,
    ) -> Result<(), Box<OutputError>> {
        if self.buffer.room() < USUAL_NUMBER {
            self.make_room()?;
        }
        number_to_text(number, format, self.buffer.pending_mut());
        // A format may ask for any number of digits.
        if self.buffer.room() == 0 { self.make_room() } else { Ok(()) }
    }

    /// Appends a row's end, dropped if nothing follows, so that a last line without a newline stays
    /// one.
    ///
    /// # Errors
    /// As [`Sink::write`].
    pub fn write_spare_end(&mut self, end: Vec<u8>) -> Result<(), Box<OutputError>> {
        self.write(&end)?;
        self.spare_end = Some((self.buffer.pending().len(), end.len()));
        Ok(())
    }

    /// Begins a table with these names over its columns.
    ///
    /// # Errors
    /// As [`Sink::write`].
    pub fn show_head(&mut self, display: Display, head: &[String]) -> Result<(), Box<OutputError>> {
        let mut out = Vec::new();
        self.shown = Some(Box::new(Shown::begin(display, head, &mut out)));
        self.write(&out)
    }

    /// Adds a row; `head` is used if the table begins here.
    ///
    /// # Errors
    /// As [`Sink::write`].
    pub fn show(
        &mut self,
        display: Display,
        head: &[String],
        cells: &Cells,
    ) -> Result<(), Box<OutputError>> {
        let mut out = Vec::new();
        let shown =
            self.shown.get_or_insert_with(|| Box::new(Shown::begin(display, head, &mut out)));
        shown.row(cells, &mut out);
        self.write(&out)
    }

    /// Begins a JSON array, which is written even without elements.
    pub fn begin_list(&mut self) {
        self.shown = Some(Box::new(Shown::List { count: 0 }));
    }

    /// Adds an element to a JSON array, begun if necessary.
    ///
    /// # Errors
    /// As [`Sink::write`].
    pub fn add_to_list(&mut self, element: &[u8]) -> Result<(), Box<OutputError>> {
        let shown = self.shown.get_or_insert_with(|| Box::new(Shown::List { count: 0 }));
        let before = shown.before_element();
        self.write(before)?;
        self.write(element)
    }

    /// Ends a table before other output.
    ///
    /// # Errors
    /// As [`Sink::write`].
    #[inline]
    pub fn end_table(&mut self) -> Result<(), Box<OutputError>> {
        match self.shown.as_deref() {
            None => Ok(()),
            Some(shown) if shown.is_unwritten() => {
                self.shown = None;
                Ok(())
            }
            Some(_) => self.end_shown(),
        }
    }

    #[cold]
    fn end_shown(&mut self) -> Result<(), Box<OutputError>> {
        let Some(shown) = self.shown.take() else { return Ok(()) };
        let mut out = Vec::new();
        shown.end(&mut out);
        self.write(&out)
    }

    /// Ends a print, which flushes a prompt sink (terminal, standard error, young pipe).
    ///
    /// # Errors
    /// The flush failed.
    #[inline]
    pub fn end_print(&mut self) -> Result<(), Box<OutputError>> {
        if self.buffer.writes_each_piece() || self.quota.is_some() {
            self.flush_print()
        } else {
            Ok(())
        }
    }

    #[cold]
    #[inline(never)]
    fn write_past_the_end(&mut self, bytes: &[u8]) -> Result<(), Box<OutputError>> {
        self.spare_end = None;
        self.used = true;
        self.count()?;
        let allowed = self.quota.as_ref().map_or(bytes.len(), |quota| quota.take(bytes.len()));
        let written = self.buffer.write(&bytes[..allowed], &mut self.delivery);
        self.counted = self.buffer.pending().len();
        self.settle(Action::Write, written)?;
        if allowed < bytes.len() { self.end_quota() } else { Ok(()) }
    }

    pub(super) fn set_quota(&mut self, quota: Quota) {
        self.quota = Some(quota);
    }

    /// Drops bytes over the quota.
    fn count(&mut self) -> Result<(), Box<OutputError>> {
        let Some(quota) = &self.quota else { return Ok(()) };
        let fresh = self.buffer.pending().len().saturating_sub(self.counted);
        let allowed = quota.take(fresh);
        self.counted += allowed;
        if allowed == fresh {
            return Ok(());
        }
        self.buffer.pending_mut().truncate(self.counted);
        self.end_quota()
    }

    fn end_quota(&self) -> Result<(), Box<OutputError>> {
        self.quota.as_ref().map_or(Ok(()), |quota| Err(self.failed(Action::Write, quota.error())))
    }

    fn make_room(&mut self) -> Result<(), Box<OutputError>> {
        self.spare_end = None;
        self.write_pending(Action::Write)
    }

    /// Returns the part still to be kept.
    fn take_spare_end(&mut self, action: Action) -> Vec<u8> {
        match self.spare_end.take() {
            Some((length, end))
                if length == self.buffer.pending().len()
                    && matches!(action, Action::Write | Action::Close) =>
            {
                let end = self.buffer.pending_mut().split_off(length - end);
                if action == Action::Close { Vec::new() } else { end }
            }
            _ => Vec::new(),
        }
    }

    #[cold]
    #[inline(never)]
    fn flush_print(&mut self) -> Result<(), Box<OutputError>> {
        if self.quota.is_some() {
            self.count()?;
            if !self.buffer.writes_each_piece() {
                return Ok(());
            }
        }
        self.write_pending(Action::Write)
    }

    pub(super) fn write_pending(&mut self, action: Action) -> Result<(), Box<OutputError>> {
        let written = self.deliver_pending(action);
        if !matches!(action, Action::Flush | Action::Close) {
            return written;
        }
        let flushed = self.delivery.device.flush();
        written.and(self.settle(action, flushed))
    }

    fn deliver_pending(&mut self, action: Action) -> Result<(), Box<OutputError>> {
        if action == Action::Close && self.shown.is_some() {
            self.end_shown()?;
        }
        let kept = self.take_spare_end(action);
        // An output without text gets no byte order mark.
        let owes_end = action == Action::Close
            && (self.delivery.compressing.is_some()
                || self.delivery.recoder.is_some() && self.is_used());
        if self.buffer.pending().is_empty() && !owes_end {
            self.keep_spare_end(kept);
            return Ok(());
        }
        let counted = self.count();
        self.used |= self.has_pending();
        let mut written = self.buffer.flush(&mut self.delivery);
        if owes_end {
            written = written.and(self.delivery.end());
        }
        let result = self.settle(action, written);
        self.counted = 0;
        self.keep_spare_end(kept);
        counted.and(result)
    }

    /// Drops pending bytes after a failure, so that exit does not report it again.
    fn settle(&mut self, action: Action, written: io::Result<()>) -> Result<(), Box<OutputError>> {
        let Err(error) = written else { return Ok(()) };
        self.buffer.discard();
        let error = self.failed(action, error);
        match &mut self.failures {
            Failures::Returned => Err(error),
            Failures::Kept(kept) => {
                *kept = Some(error);
                self.delivery.gave_up = true;
                Ok(())
            }
        }
    }

    fn keep_spare_end(&mut self, end: Vec<u8>) {
        if !end.is_empty() {
            self.buffer.pending_mut().extend_from_slice(&end);
            self.counted = end.len();
            self.spare_end = Some((end.len(), end.len()));
        }
    }

    pub(crate) fn close_contents(&mut self) -> Result<(), Box<OutputError>> {
        self.write_pending(Action::Close)
    }

    /// For [`Sink::take_failure`], instead of failing the print.
    pub(crate) fn keep_failure(&mut self) {
        self.failures = Failures::Kept(None);
    }

    /// # Errors
    /// The first failed write.
    pub(crate) fn take_failure(&mut self) -> Result<(), Box<OutputError>> {
        match &mut self.failures {
            Failures::Kept(failure) => failure.take().map_or(Ok(()), Err),
            Failures::Returned => Ok(()),
        }
    }

    pub(crate) fn text_written(&self) -> u64 {
        self.delivery.text_written
    }

    /// Bytes written so far, with those that are pending.
    pub fn position(&self) -> u64 {
        self.delivery.text_written + self.buffer.pending().len() as u64
    }

    fn failed(&self, action: Action, source: io::Error) -> Box<OutputError> {
        Box::new(OutputError { target: self.target.clone(), action, source })
    }

    pub(crate) fn has_pending(&self) -> bool {
        !self.buffer.pending().is_empty()
    }

    pub(super) fn is_used(&self) -> bool {
        self.used || self.has_pending()
    }

    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.delivery.device.fd()
    }

    /// Until [`Sink::resume`]. The caller has flushed.
    pub(super) fn park(&mut self) {
        debug_assert!(!self.has_pending());
        self.delivery.device = Device::Parked;
    }

    pub(super) fn is_parked(&self) -> bool {
        matches!(self.delivery.device, Device::Parked)
    }

    pub(super) fn resume(&mut self, fd: OwnedFd) {
        self.delivery.device = Device::Descriptor(fd);
    }
}

#[cfg(test)]
#[path = "sink_tests.rs"]
mod tests;
