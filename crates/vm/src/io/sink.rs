//! One output stream: an append buffer of 64 KiB before a descriptor, and the loop around write(2).
//!
//! `print` costs a copy into the buffer and nothing else until it is full. Measured for a million
//! 61-byte lines: unbuffered 394 ms to a file, 64 KiB 63-84 ms, larger no better; a `writev` of
//! slices three times slower on a pipe than the copy.

use std::io::{self, IsTerminal};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use super::coding::{Coding, Recoder};
use super::compressing::Compressing;
use super::error::{Action, OutputError, Target};
use super::name::Standard;
use super::quota::Quota;
use super::status_line::StatusLine;
use crate::table::{Cells, Display, Shown};
use crate::time_limit;
use riverhawk_compress::Codec;
use riverhawk_value::NumberFormat;
use riverhawk_value::number::number_to_text;

/// Bytes that a sink holds back at most.
pub const CAPACITY: usize = 64 * 1024;

/// Bytes of numbers as they mostly are.
const USUAL_NUMBER: usize = 32;

/// The most that one write(2) is asked to take: some systems refuse or cut larger ones.
const MAX_WRITE: usize = 1 << 30;

/// How many bytes a pipe to a command is given print by print, before it is buffered like a file.
///
/// gawk writes to a command after every `print`, which is visible: a command that ends early
/// (`print | "head -1"`) is noticed while it is written to, or never, and what it prints comes out
/// while the awk still runs. Exactly that happens here up to the 64 KiB that a pipe holds by
/// itself; whoever writes more pays for blocks, not lines.
const PIPE_PROMPT_BYTES: usize = 64 * 1024;

/// Where a sink's bytes go.
pub(super) enum Device {
    Descriptor(OwnedFd),
    Standard(Standard),
    /// Memory, a test's script, or whatever else the embedding program wants output to go to.
    Writer(Box<dyn io::Write + Send>),
    /// Closed for the time being to free its descriptor; reopened by `Outputs` before it is used
    /// again.
    Parked,
}

impl Device {
    /// The descriptor, if there is one.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Descriptor(fd) => Some(fd.as_fd()),
            Self::Standard(Standard::Error) => Some(rustix::stdio::stderr()),
            Self::Standard(Standard::Output) => Some(rustix::stdio::stdout()),
            Self::Standard(Standard::Input) => Some(rustix::stdio::stdin()),
            Self::Writer(_) | Self::Parked => None,
        }
    }

    /// Whether what is written comes behind text of a file: it was opened to append, or somebody
    /// has written there before us.
    fn is_behind_text(&self) -> bool {
        use rustix::fs::{OFlags, SeekFrom, fcntl_getfl, fstat, seek};
        let Some(fd) = self.fd() else { return false };
        let appends = fcntl_getfl(fd).is_ok_and(|flags| flags.contains(OFlags::APPEND));
        if appends {
            fstat(fd).is_ok_and(|stat| stat.st_size > 0)
        } else {
            seek(fd, SeekFrom::Current(0)).is_ok_and(|at| at > 0)
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = &bytes[..bytes.len().min(MAX_WRITE)];
        if let Self::Writer(writer) = self {
            return writer.write(bytes);
        }
        match self.fd() {
            Some(fd) => Ok(rustix::io::write(fd, bytes)?),
            None => Err(io::Error::from_raw_os_error(libc::EBADF)),
        }
    }

    /// Writes all of `bytes`: goes on after short and interrupted writes, and waits for a
    /// descriptor that somebody who shares it has made non-blocking.
    fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(written) => bytes = &bytes[written..],
                Err(error)
                    if error.kind() == io::ErrorKind::Interrupted
                        && !time_limit::is_impatient() => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.wait_until_writable(error)?
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn wait_until_writable(&self, would_block: io::Error) -> io::Result<()> {
        use rustix::event::{PollFd, PollFlags, poll};
        let Some(fd) = self.fd() else { return Err(would_block) };
        match poll(&mut [PollFd::from_borrowed_fd(fd, PollFlags::OUT)], None) {
            Err(rustix::io::Errno::INTR) if time_limit::is_impatient() => Err(would_block),
            Ok(_) | Err(rustix::io::Errno::INTR) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

/// When a sink writes what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flushing {
    /// When its buffer is full, or when told to.
    WhenFull,
    /// After every `print`: terminals and the standard error.
    EachPrint,
    /// After every `print` until so many more bytes have gone out: commands.
    EachPrintFor(usize),
}

/// An output stream with its buffer. Between calls `pending` is shorter than [`CAPACITY`], and
/// empty after every `print` while `prompt` is set.
pub struct Sink {
    pending: Vec<u8>,
    /// Whether [`Sink::end_print`] flushes: `flushing` is not [`Flushing::WhenFull`].
    prompt: bool,
    flushing: Flushing,
    /// How long `pending` is, and how many bytes at its end are dropped if nothing follows them.
    spare_end: Option<(usize, usize)>,
    /// A table for readers that has begun.
    shown: Option<Box<Shown>>,
    /// Whether any byte was ever appended.
    used: bool,
    device: Device,
    target: Target,
    /// Between the buffer and the device, for text that is not to be written in UTF-8.
    recoder: Option<Box<Recoder>>,
    /// After that, for files that are compressed.
    compressing: Option<Box<Compressing>>,
    /// Bytes of text that have left the buffer.
    delivered: u64,
    failures: Failures,
    /// What else is on the terminal that this is.
    status_line: Option<Arc<StatusLine>>,
    /// What may still be printed, and how many of the pending bytes have been counted.
    quota: Option<Quota>,
    counted: usize,
}

/// What becomes of a write that fails.
enum Failures {
    /// The print that it was part of fails.
    Told,
    /// It is kept for who owns the sink, and nothing is written any more.
    Kept(Option<Box<OutputError>>),
}

impl Sink {
    fn new(device: Device, target: Target, flushing: Flushing) -> Self {
        let terminal = device.fd().is_some_and(|fd| fd.is_terminal());
        let flushing = if terminal { Flushing::EachPrint } else { flushing };
        // Grown as needed: a program with a thousand files open does not hold 64 MB for them.
        let prompt = flushing != Flushing::WhenFull;
        Self {
            pending: Vec::new(),
            prompt,
            flushing,
            spare_end: None,
            shown: None,
            used: false,
            device,
            target,
            recoder: None,
            compressing: None,
            delivered: 0,
            failures: Failures::Told,
            quota: None,
            counted: 0,
            status_line: None,
        }
    }

    /// From now on this line is wiped out before anything is written, if this is a terminal.
    pub(super) fn write_beside(&mut self, line: &Arc<StatusLine>) {
        if self.device.fd().is_some_and(|fd| fd.is_terminal()) {
            self.status_line = Some(line.clone());
        }
    }

    /// From now on text is written in this encoding.
    pub(super) fn set_coding(&mut self, coding: &Coding) {
        self.recoder = Some(Box::new(coding.encode(self.device.is_behind_text())));
    }

    /// From now on what is written is compressed.
    ///
    /// # Errors
    /// No memory.
    pub(super) fn set_codec(&mut self, codec: Codec) -> io::Result<()> {
        self.compressing = Some(Box::new(Compressing::new(codec)?));
        Ok(())
    }

    /// The standard output; on a terminal it is written after every `print`.
    pub(super) fn stdout() -> Self {
        let mut sink =
            Self::new(Device::Standard(Standard::Output), Target::Stdout, Flushing::WhenFull);
        sink.pending.reserve_exact(CAPACITY);
        sink
    }

    /// The standard error, written after every `print`.
    pub(super) fn stderr() -> Self {
        Self::new(Device::Standard(Standard::Error), Target::Stderr, Flushing::EachPrint)
    }

    /// A stand-in for the standard output or error that writes into `writer`.
    pub(super) fn into_writer(writer: Box<dyn io::Write + Send>, target: Target) -> Self {
        let flushing =
            if target == Target::Stderr { Flushing::EachPrint } else { Flushing::WhenFull };
        Self::new(Device::Writer(writer), target, flushing)
    }

    pub(super) fn file(fd: OwnedFd, name: &[u8]) -> Self {
        Self::new(Device::Descriptor(fd), Target::File(name.into()), Flushing::WhenFull)
    }

    /// What a command reads.
    pub(super) fn pipe(writer: Box<dyn io::Write + Send>, command: &[u8]) -> Self {
        Self::new(
            Device::Writer(writer),
            Target::Pipe(command.into()),
            Flushing::EachPrintFor(PIPE_PROMPT_BYTES),
        )
    }

    /// What a coprocess reads, or the other side of a connection: written after every `print`, for
    /// good.
    pub(super) fn coprocess(writer: Box<dyn io::Write + Send>, name: &[u8]) -> Self {
        Self::new(Device::Writer(writer), Target::Coprocess(name.into()), Flushing::EachPrint)
    }

    /// Appends `bytes`. They reach the system when the buffer is full, at [`Sink::end_print`] if
    /// this sink is prompt, and at the next flush.
    ///
    /// # Errors
    /// If the buffer had to be written and that failed.
    #[inline]
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Box<OutputError>> {
        if bytes.len() < CAPACITY - self.pending.len() {
            self.pending.extend_from_slice(bytes);
            Ok(())
        } else {
            self.write_past_the_end(bytes)
        }
    }

    /// Appends two pieces, a record and its terminator for instance, with one check for room.
    ///
    /// # Errors
    /// As [`Sink::write`].
    #[inline]
    pub fn write_pair(&mut self, first: &[u8], second: &[u8]) -> Result<(), Box<OutputError>> {
        if first.len().saturating_add(second.len()) < CAPACITY - self.pending.len() {
            self.pending.extend_from_slice(first);
            self.pending.extend_from_slice(second);
            Ok(())
        } else {
            self.write(first)?;
            self.write(second)
        }
    }

    /// Appends a number as text, written where it goes.
    ///
    /// # Errors
    /// As [`Sink::write`].
    #[inline]
    pub fn write_number(
        &mut self,
        number: f64,
        format: &NumberFormat,
    ) -> Result<(), Box<OutputError>> {
        if CAPACITY - self.pending.len() <= USUAL_NUMBER {
            self.make_room()?;
        }
        number_to_text(number, format, &mut self.pending);
        // A format may ask for any number of digits.
        if self.pending.len() >= CAPACITY { self.make_room() } else { Ok(()) }
    }

    /// Appends the end of a row that had none where it was read: it is dropped if nothing follows,
    /// so that a last line without a newline stays one.
    ///
    /// # Errors
    /// As [`Sink::write`].
    pub(crate) fn write_spare_end(&mut self, end: Vec<u8>) -> Result<(), Box<OutputError>> {
        self.write(&end)?;
        self.spare_end = Some((self.pending.len(), end.len()));
        Ok(())
    }

    /// Begins a table for readers, with these names over its columns.
    ///
    /// # Errors
    /// As [`Sink::write`].
    pub(crate) fn show_head(
        &mut self,
        display: Display,
        head: &[String],
    ) -> Result<(), Box<OutputError>> {
        let mut out = Vec::new();
        self.shown = Some(Box::new(Shown::begin(display, head, &mut out)));
        self.write(&out)
    }

    /// Adds a row to a table for readers; `head` stands over its columns if it has to be begun.
    ///
    /// # Errors
    /// As [`Sink::write`].
    pub(crate) fn show(
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

    /// What is written are the elements of a JSON array, also if there is none.
    pub(crate) fn begin_list(&mut self) {
        self.shown = Some(Box::new(Shown::List { count: 0 }));
    }

    /// Adds an element to a JSON array, which it begins.
    ///
    /// # Errors
    /// As [`Sink::write`].
    pub(crate) fn add_to_list(&mut self, element: &[u8]) -> Result<(), Box<OutputError>> {
        let shown = self.shown.get_or_insert_with(|| Box::new(Shown::List { count: 0 }));
        let before = shown.before_element();
        self.write(before)?;
        self.write(element)
    }

    /// Ends a table for readers, for something else follows.
    ///
    /// # Errors
    /// As [`Sink::write`].
    #[inline]
    pub(crate) fn end_table(&mut self) -> Result<(), Box<OutputError>> {
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

    /// Says that a `print` or `printf` is complete. A prompt sink (terminal, standard error, young
    /// pipe) is flushed now.
    ///
    /// # Errors
    /// If the sink was flushed and that failed.
    #[inline]
    pub fn end_print(&mut self) -> Result<(), Box<OutputError>> {
        if self.prompt { self.flush_print() } else { Ok(()) }
    }

    /// A write that does not fit flushes first; one that would fill the buffer by itself goes
    /// straight out.
    #[cold]
    #[inline(never)]
    fn write_past_the_end(&mut self, bytes: &[u8]) -> Result<(), Box<OutputError>> {
        self.make_room()?;
        if bytes.len() < CAPACITY {
            self.pending.extend_from_slice(bytes);
            return Ok(());
        }
        self.used = true;
        let allowed = self.quota.as_ref().map_or(bytes.len(), |quota| quota.take(bytes.len()));
        self.deliver(&bytes[..allowed], Action::Write)?;
        if allowed < bytes.len() { self.end_quota() } else { Ok(()) }
    }

    /// From now on what is printed is counted; each print says whether it was too much.
    pub(super) fn set_quota(&mut self, quota: Quota) {
        (self.quota, self.prompt) = (Some(quota), true);
    }

    /// Counts what is pending and was not counted; what is too much is dropped.
    fn count(&mut self) -> Result<(), Box<OutputError>> {
        let Some(quota) = &self.quota else { return Ok(()) };
        let fresh = self.pending.len().saturating_sub(self.counted);
        let allowed = quota.take(fresh);
        self.counted += allowed;
        if allowed == fresh {
            return Ok(());
        }
        self.pending.truncate(self.counted);
        self.end_quota()
    }

    fn end_quota(&self) -> Result<(), Box<OutputError>> {
        self.quota.as_ref().map_or(Ok(()), |quota| Err(self.failed(Action::Write, quota.error())))
    }

    /// Writes all that is pending, for something follows.
    fn make_room(&mut self) -> Result<(), Box<OutputError>> {
        self.spare_end = None;
        self.write_pending(Action::Write)
    }

    /// Takes an end off that nothing has followed; how much of it is still to be kept.
    fn take_spare_end(&mut self, action: Action) -> Vec<u8> {
        match self.spare_end.take() {
            Some((length, end))
                if length == self.pending.len()
                    && matches!(action, Action::Write | Action::Close) =>
            {
                let end = self.pending.split_off(length - end);
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
            if self.flushing == Flushing::WhenFull {
                return Ok(());
            }
        }
        if let Flushing::EachPrintFor(left) = self.flushing {
            let left = left.saturating_sub(self.pending.len());
            self.prompt = left > 0 || self.quota.is_some();
            self.flushing =
                if left > 0 { Flushing::EachPrintFor(left) } else { Flushing::WhenFull };
        }
        self.write_pending(Action::Write)
    }

    /// Writes whatever is pending.
    pub(super) fn write_pending(&mut self, action: Action) -> Result<(), Box<OutputError>> {
        if action == Action::Close && self.shown.is_some() {
            self.end_shown()?;
        }
        let kept = self.take_spare_end(action);
        // Nothing written is nothing, without a byte order mark.
        let owes_end = action == Action::Close
            && (self.compressing.is_some() || self.recoder.is_some() && self.is_used());
        if self.pending.is_empty() && !owes_end {
            self.keep_spare_end(kept);
            return Ok(());
        }
        let counted = self.count();
        self.used |= !self.pending.is_empty();
        let mut pending = std::mem::take(&mut self.pending);
        let result = self.deliver(&pending, action);
        // Also after a failure: what could not be written once is reported once, not again at exit.
        pending.clear();
        self.pending = pending;
        self.counted = 0;
        self.keep_spare_end(kept);
        if owes_end {
            (self.recoder, self.compressing) = (None, None);
        }
        counted.and(result)
    }

    fn keep_spare_end(&mut self, end: Vec<u8>) {
        if !end.is_empty() {
            self.pending.extend_from_slice(&end);
            self.counted = end.len();
            self.spare_end = Some((end.len(), end.len()));
        }
    }

    /// Writes whatever is pending, and the end of what is written.
    pub(crate) fn close_contents(&mut self) -> Result<(), Box<OutputError>> {
        self.write_pending(Action::Close)
    }

    /// Writes `text` to the device, in the encoding that is asked for.
    fn deliver(&mut self, text: &[u8], action: Action) -> Result<(), Box<OutputError>> {
        if matches!(self.failures, Failures::Kept(Some(_))) {
            return Ok(());
        }
        self.delivered += text.len() as u64;
        let last = action == Action::Close;
        let (bytes, encoded) = match &mut self.recoder {
            None => (text, Ok(())),
            Some(recoder) => recoder.recode(text, last),
        };
        let result = match &mut self.compressing {
            None => match &self.status_line {
                None => self.device.write_all(bytes),
                Some(line) => line.beside(bytes, || self.device.write_all(bytes)),
            },
            Some(compressing) => compressing
                .compress(bytes, last)
                .and_then(|compressed| self.device.write_all(&compressed)),
        };
        let result = result.and(encoded).map_err(|error| self.failed(action, error));
        match (&mut self.failures, result) {
            (Failures::Kept(kept), Err(error)) => {
                *kept = Some(error);
                Ok(())
            }
            (_, result) => result,
        }
    }

    /// From now on a write that fails is kept for [`Sink::take_failure`]: the print that it is part
    /// of has done what it could.
    pub(crate) fn keep_failure(&mut self) {
        self.failures = Failures::Kept(None);
    }

    /// What has been kept.
    ///
    /// # Errors
    /// The first write that failed.
    pub(crate) fn take_failure(&mut self) -> Result<(), Box<OutputError>> {
        match &mut self.failures {
            Failures::Kept(failure) => failure.take().map_or(Ok(()), Err),
            Failures::Told => Ok(()),
        }
    }

    /// Bytes of text that have left the buffer.
    pub(crate) fn text_written(&self) -> u64 {
        self.delivered
    }

    fn failed(&self, action: Action, source: io::Error) -> Box<OutputError> {
        Box::new(OutputError { target: self.target.clone(), action, source })
    }

    /// Whether bytes wait in the buffer.
    pub fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Whether anything was ever written to this sink.
    pub(super) fn is_used(&self) -> bool {
        self.used || self.has_pending()
    }

    /// Whether the device is a descriptor at all, and which.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        self.device.fd()
    }

    /// Gives the descriptor up until [`Sink::resume`]. The caller has flushed.
    pub(super) fn park(&mut self) {
        debug_assert!(self.pending.is_empty());
        self.device = Device::Parked;
    }

    pub(super) fn is_parked(&self) -> bool {
        matches!(self.device, Device::Parked)
    }

    pub(super) fn resume(&mut self, fd: OwnedFd) {
        self.device = Device::Descriptor(fd);
    }
}

#[cfg(test)]
#[path = "sink_tests.rs"]
mod tests;
