//! Records of one input, and what must happen before more of it is read.

use riverhawk_system::fd::{AsFd, BorrowedFd, OwnedFd};
use riverhawk_system::io::Errno;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use riverhawk_compress::Guess;
use riverhawk_handle::{Awaited, Handle};
use riverhawk_stream::{
    FdSource, Memory, ReadSource, Record, RecordSeparator, Records, Source, StdinSource, Step,
};
use riverhawk_system::fs::{FileType, fstat};

use crate::cancel;
use crate::directory::{self, Entries};
use crate::error::OutputError;
use crate::handle_writer::system_error;
use crate::operand::Opened;
use crate::output::Outputs;
use crate::reading::{Directories, Reading, Room, guess, guess_at};
use crate::wait;

/// The records of one input.
pub struct RecordReader {
    /// Set the separator here; refill through [`RecordReader::refill`].
    pub records: Records,
    /// The separator last set, in the caller's numbering; 0 is the newline. A changed RS applies at
    /// the next read.
    pub separator_version: u64,
    waits_on: WaitsOn,
    ended: bool,
    timeout: Option<Duration>,
    /// Unless refused, records are directory entries.
    entries: Directories,
}

enum WaitsOn {
    /// A regular file or memory.
    Nothing,
    /// Not flushed before, as in gawk; applies timeouts itself.
    Handle(Handle),
    Stdin,
    /// A FIFO, terminal or socket, shared with its source.
    Descriptor(Arc<OwnedFd>),
    /// Waits at most the given time; returns whether it is ready.
    Thread(Box<dyn Fn(Duration) -> bool + Send>),
}

impl WaitsOn {
    fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self {
            WaitsOn::Nothing | WaitsOn::Handle(_) | WaitsOn::Thread(_) => None,
            WaitsOn::Stdin => Some(riverhawk_system::stdio::stdin()),
            WaitsOn::Descriptor(fd) => Some(fd.as_fd()),
        }
    }
}

/// Why an input could not be read further.
#[derive(Debug)]
pub enum ReadError {
    /// `getline` returns -1, the main input is lost.
    Input(io::Error),
    /// A flush before waiting failed; fatal.
    Output(Box<OutputError>),
}

impl RecordReader {
    pub(super) fn of_file(opened: Opened, room: Room, reading: &Reading) -> Self {
        let Opened { file, is_regular } = opened;
        if is_regular {
            let guess = guess_at(&file, 0);
            return Self::new(
                reading.records(FdSource::of_regular(file), room, guess),
                WaitsOn::Nothing,
            );
        }
        if !may_block(&file) {
            let guess = guess(&file);
            return Self::new(reading.records(FdSource::new(file), room, guess), WaitsOn::Nothing);
        }
        let source = FdSource::new(file);
        let fd = source.shared();
        Self::new(reading.records(source, room, Guess::Unknown), WaitsOn::Descriptor(fd))
    }

    /// Never waited for: the embedder's source waits by itself.
    pub(super) fn of_embedded(
        source: impl Source + 'static,
        room: Room,
        reading: &Reading,
    ) -> Self {
        Self::new(reading.records(source, room, Guess::Unknown), WaitsOn::Nothing)
    }

    /// As it is: what a command prints is not decoded.
    pub(super) fn of_reader(reader: Box<dyn Read + Send>, window: usize) -> Self {
        Self::of_source(ReadSource::new(reader), window)
    }

    /// Its memory, for the next file; the source is dropped.
    pub fn into_memory(self) -> Memory {
        self.records.into_memory()
    }

    pub(super) fn of_directory(entries: Entries, window: usize, as_what: Directories) -> Self {
        let mut reader = Self::of_source(entries, window);
        reader.records.set_separator(RecordSeparator::Byte(directory::END));
        // Every record passes through `as_found` first.
        reader.records.mark_only_empty();
        (reader.separator_version, reader.entries) = (u64::MAX, as_what);
        reader
    }

    /// Whether records are directory entries.
    pub fn is_directory(&self) -> bool {
        self.entries != Directories::Refused
    }

    /// Whether records are entries with three fields, regardless of FS.
    pub fn cuts_entries(&self) -> bool {
        self.entries == Directories::Fields
    }

    /// Removes the terminator of a directory entry.
    #[inline]
    pub fn as_found(&self, record: Record) -> Record {
        if self.is_directory() { Record { terminator_end: record.end, ..record } } else { record }
    }

    pub(super) fn of_handle(handle: Handle, window: usize) -> Self {
        Self::new(
            Records::with_window(handle.source().waiting_in_calls(), window),
            WaitsOn::Handle(handle),
        )
    }

    pub(super) fn of_stdin(window: usize, reading: &Reading) -> Self {
        if reading.directories != Directories::Refused
            && is_directory(riverhawk_system::stdio::stdin())
            && let Ok(entries) = Entries::of(riverhawk_system::stdio::stdin())
        {
            return Self::of_directory(entries, window, reading.directories);
        }
        let (waits_on, guess) = match may_block(riverhawk_system::stdio::stdin()) {
            true => (WaitsOn::Stdin, Guess::Unknown),
            false => (WaitsOn::Nothing, guess(riverhawk_system::stdio::stdin())),
        };
        Self::new(reading.records(StdinSource::new(), Room::new(window), guess), waits_on)
    }

    /// Reads any other source: memory, a decompressor.
    pub fn of_source(source: impl Source + 'static, window: usize) -> Self {
        Self::new(Records::with_window(source, window), WaitsOn::Nothing)
    }

    /// Reads any source that may wait for a descriptor.
    pub fn of_stream(
        source: impl Source + 'static,
        waits_on: Option<Arc<OwnedFd>>,
        window: usize,
    ) -> Self {
        Self::new(
            Records::with_window(source, window),
            waits_on.map_or(WaitsOn::Nothing, WaitsOn::Descriptor),
        )
    }

    /// `ready` waits at most the given time and returns whether there is input.
    pub fn of_thread(
        source: impl Source + 'static,
        ready: Box<dyn Fn(Duration) -> bool + Send>,
        window: usize,
    ) -> Self {
        Self::new(Records::with_window(source, window), WaitsOn::Thread(ready))
    }

    /// Continues with another source that never waits, and the same separator.
    pub fn restart(&mut self, source: impl Source + 'static) {
        self.records.restart(source);
        (self.waits_on, self.ended) = (WaitsOn::Nothing, false);
    }

    /// Plain, and never waiting.
    pub(super) fn of_growing(source: impl Source + 'static, room: Room, reading: &Reading) -> Self {
        Self::new(reading.records(source, room, Guess::Plain), WaitsOn::Nothing)
    }

    fn new(records: Records, waits_on: WaitsOn) -> Self {
        Self {
            records,
            separator_version: 0,
            waits_on,
            ended: false,
            timeout: None,
            entries: Directories::Refused,
        }
    }

    /// As [`Records::refill`]. If it waits longer than 20 ms, output is flushed first.
    ///
    /// # Errors
    /// The input's, or that of the flush.
    pub fn refill(&mut self, outputs: &mut Outputs) -> Result<usize, ReadError> {
        if let (Some(limit), Some(fd)) = (self.timeout, self.waits_on.fd())
            && !wait::until_readable(fd, limit).map_err(ReadError::Input)?
        {
            return Err(ReadError::Input(Errno::TIMEDOUT.into()));
        }
        match &self.waits_on {
            WaitsOn::Nothing | WaitsOn::Handle(_) => Ok(()),
            WaitsOn::Stdin => wait::before_read(outputs, riverhawk_system::stdio::stdin()),
            WaitsOn::Descriptor(fd) => wait::before_read(outputs, fd.as_fd()),
            WaitsOn::Thread(ready) => wait::before_others(outputs, ready),
        }
        .map_err(ReadError::Output)?;
        self.wait_within_run().map_err(ReadError::Input)?;
        self.records.refill().map_err(|error| ReadError::Input(in_the_systems_words(error)))
    }

    /// In a run that can be stopped a read must not wait, since nothing would end that.
    fn wait_within_run(&self) -> io::Result<()> {
        let Some(wake) = cancel::wake() else { return Ok(()) };
        if let Some(fd) = self.waits_on.fd() {
            wait::wait_until_readable(fd, None)?;
        }
        if let WaitsOn::Handle(handle) = &self.waits_on {
            let awaited = handle.wait_unless(wake.fd(), self.timeout).map_err(system_error)?;
            if awaited == Awaited::TimedOut {
                return Err(Errno::TIMEDOUT.into());
            }
        }
        cancel::interrupted()
    }

    pub(super) fn limited(mut self, max_record: Option<usize>) -> Self {
        if let Some(bytes) = max_record {
            self.records.set_limit(bytes);
        }
        self
    }

    /// After `timeout` a read fails, and may be retried.
    pub fn set_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
        if let WaitsOn::Handle(handle) = &self.waits_on {
            handle.set_read_timeout(timeout);
        }
    }

    /// The next record, read if necessary; `None` at the end.
    ///
    /// # Errors
    /// As [`RecordReader::refill`].
    pub fn next(&mut self, outputs: &mut Outputs) -> Result<Option<Record>, ReadError> {
        loop {
            match self.records.next_buffered() {
                Step::Record(record) => return Ok(Some(self.as_found(record))),
                Step::NeedMore => self.refill(outputs)?,
                Step::End => {
                    self.ended = true;
                    return Ok(None);
                }
            };
        }
    }

    pub(super) fn has_failed(&self) -> bool {
        self.records.has_failed()
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }
}

/// A handle's error has its own text.
fn in_the_systems_words(error: io::Error) -> io::Error {
    error.downcast().map_or_else(|error| error, system_error)
}

fn is_directory(fd: impl AsFd) -> bool {
    fstat(fd).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode).is_dir())
}

/// Regular files never block.
fn may_block(fd: impl AsFd) -> bool {
    fstat(fd).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile)
}

#[cfg(test)]
mod tests {
    use riverhawk_system::fd::OwnedFd;
    use std::io::Write;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::*;

    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns the output seen between two records.
    fn printed_while_waiting(delay: Duration) -> Vec<u8> {
        let (reader, mut writer) = io::pipe().unwrap();
        let printed = Shared::default();
        let mut outputs = Outputs::with_writers(Box::new(printed.clone()), Box::new(io::sink()));
        let opened = Opened { file: OwnedFd::from(reader).into(), is_regular: false };
        let mut input = RecordReader::of_file(opened, Room::new(1), &Reading::default());
        writer.write_all(b"first\n").unwrap();
        assert!(input.next(&mut outputs).unwrap().is_some());
        outputs.stdout().write(b"answer to the first\n").unwrap();
        let later = std::thread::spawn(move || {
            std::thread::sleep(delay);
            let so_far = printed.0.lock().unwrap().clone();
            writer.write_all(b"second\n").unwrap();
            so_far
        });
        let record = input.next(&mut outputs).unwrap().unwrap();
        assert_eq!(input.records.text(&record), b"second");
        assert_eq!(input.next(&mut outputs).unwrap(), None);
        later.join().unwrap()
    }

    #[test]
    fn what_waits_and_what_is_a_directory_is_seen() {
        let open = |name: &str| std::fs::File::open(name).unwrap();
        let this = open(&std::env::current_exe().unwrap().to_string_lossy());
        assert!(
            is_directory(open("/")) && !is_directory(&this) && !is_directory(open("/dev/null"))
        );
        assert!(
            may_block(open("/dev/null")) && may_block(io::pipe().unwrap().0) && !may_block(&this)
        );
    }

    #[test]
    fn an_end_and_a_failure_are_remembered() {
        let mut outputs = Outputs::with_writers(Box::new(io::sink()), Box::new(io::sink()));
        let mut input =
            RecordReader::of_source(riverhawk_stream::MemorySource::new(b"a\n".to_vec()), 1);
        assert!(input.next(&mut outputs).unwrap().is_some() && !input.has_ended());
        assert_eq!(input.next(&mut outputs).unwrap(), None);
        assert!(input.has_ended() && !input.has_failed());
        let directory = Opened {
            file: OwnedFd::from(std::fs::File::open("/").unwrap()).into(),
            is_regular: false,
        };
        let mut input = RecordReader::of_file(directory, Room::new(1), &Reading::default());
        assert!(input.next(&mut outputs).is_err());
        assert!(input.has_failed() && !input.has_ended());
    }

    #[test]
    fn output_does_not_wait_for_an_input_that_has_stalled() {
        assert_eq!(printed_while_waiting(Duration::from_millis(500)), b"answer to the first\n");
    }

    #[test]
    fn output_stays_buffered_while_input_flows() {
        assert_eq!(printed_while_waiting(Duration::ZERO), b"");
    }
}
