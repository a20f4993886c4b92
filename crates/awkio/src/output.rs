//! Outputs: standard output and error, and what `print >`, `>>` and `|` opened.
//!
//! As in gawk, `> "f"` and `>> "f"` share a stream. A command and a file of the same name are two.

use riverhawk_system::fd::OwnedFd;
use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io;
use std::sync::Arc;

use riverhawk_system::fs::OFlags;

use crate::coding::Coding;
use crate::command::{Command, Launcher};
use crate::descriptor;
use crate::error::{Action, LacksDescriptor, OutputError, Target};
use crate::filesystem::{FileSystem, OutputStream, WriteMode};
use crate::name::{FileName, Standard, os_string};
use crate::opening;
use crate::process::{ChildEnvironment, CloseStatus};
use crate::quota::Quota;
use crate::relay::Shared;
use crate::sink::Sink;
use crate::status_line::{Held, StatusLine};
use riverhawk_compress::Codec;

/// The redirection of a `print`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// `> name`: the file is truncated when it is opened.
    File,
    /// `>> name`
    Append,
    /// `| command`
    Pipe,
}

struct Stream {
    name: Box<[u8]>,
    is_pipe: bool,
    route: Route,
    /// `close` and the program's end take the youngest first.
    opened: u64,
    /// The least recently used stream lends its descriptor.
    used: u64,
}

enum Route {
    /// One standard output under all names, so bytes come in print order.
    Stdout,
    /// `/dev/stderr` and its other names.
    Stderr,
    /// Only a regular file can be reopened at its end.
    File {
        sink: Sink,
        regular: bool,
        begun_empty: bool,
    },
    /// An inherited descriptor, by number.
    Inherited {
        sink: Sink,
        number: i32,
    },
    Pipe {
        sink: Sink,
        command: Command,
        _held: Option<Held>,
    },
}

/// Everything that is written: the standard outputs, files, commands and coprocesses, by name.
pub struct Outputs {
    stdout: Sink,
    stderr: Sink,
    streams: Vec<Option<Stream>>,
    files: HashMap<Box<[u8]>, usize>,
    pipes: HashMap<Box<[u8]>, usize>,
    /// The next `print` usually writes to the same.
    recent: Option<usize>,
    uses: u64,
    /// Of streams that lent their descriptor: reported later under their own names.
    deferred: Vec<OutputError>,
    /// Whether there were effects other than the standard output.
    works_elsewhere: bool,
    /// Commands and messages get UTF-8.
    coding: Option<Coding>,
    /// Treats no name as special.
    pub plain_names: bool,
    compresses: bool,
    status_line: Option<Arc<StatusLine>>,
    quota: Option<Quota>,
    launcher: Launcher,
}

impl Default for Outputs {
    fn default() -> Self {
        Self::new()
    }
}

impl Outputs {
    /// Outputs over the process's own standard output and error.
    pub fn new() -> Self {
        Self::over(Sink::stdout(), Sink::stderr())
    }

    /// Uses the given writers as standard output and error.
    pub fn with_writers(
        stdout: Box<dyn io::Write + Send>,
        stderr: Box<dyn io::Write + Send>,
    ) -> Self {
        let (stdout, stderr) = (Shared::new(stdout), Shared::new(stderr));
        let mut outputs = Self::over(
            Sink::into_writer(Box::new(stdout.clone()), Target::Stdout),
            Sink::into_writer(Box::new(stderr.clone()), Target::Stderr),
        );
        outputs.launcher.captured = [Some(stdout), Some(stderr)];
        outputs
    }

    pub(crate) fn launcher(&self) -> Launcher {
        self.launcher.clone()
    }

    fn over(stdout: Sink, stderr: Sink) -> Self {
        let (files, pipes) = (HashMap::new(), HashMap::new());
        Self {
            stdout,
            stderr,
            streams: Vec::new(),
            files,
            pipes,
            recent: None,
            uses: 0,
            deferred: Vec::new(),
            works_elsewhere: false,
            coding: None,
            plain_names: false,
            compresses: false,
            status_line: None,
            quota: None,
            launcher: Launcher::default(),
        }
    }

    /// Names lead there from now on, not to the operating system. Call this before the first is
    /// opened.
    pub fn set_file_system(&mut self, file_system: Arc<dyn FileSystem>) {
        self.launcher.file_system = Some(file_system);
    }

    /// What names lead to, if not to the operating system.
    pub fn file_system(&self) -> Option<&Arc<dyn FileSystem>> {
        self.launcher.file_system.as_ref()
    }

    /// The coding of the standard output, if not UTF-8.
    pub fn coding(&self) -> Option<&Coding> {
        self.coding.as_ref()
    }

    /// For the standard output and files opened from now on.
    pub fn set_coding(&mut self, coding: Coding) {
        self.stdout.set_coding(&coding);
        self.coding = Some(coding);
    }

    /// Limits all outputs together. Call this before the first is opened.
    pub fn set_quota(&mut self, bytes: u64) {
        let quota = Quota::new(bytes);
        self.stdout.set_quota(quota.clone());
        self.stderr.set_quota(quota.clone());
        self.quota = Some(quota);
    }

    pub(super) fn quota(&self) -> Option<Quota> {
        self.quota.clone()
    }

    /// Counts a file written past the sinks; an error above the quota.
    pub fn count_file(&self, bytes: usize) -> std::io::Result<()> {
        match &self.quota {
            Some(quota) if !quota.take_all(bytes) => Err(quota.error()),
            _ => Ok(()),
        }
    }

    /// Undoes [`count_file`](Self::count_file) for a file that was not written.
    pub fn give_back(&self, bytes: usize) {
        if let Some(quota) = &self.quota {
            quota.give_back(bytes);
        }
    }

    fn within_quota(&self, mut sink: Sink) -> Sink {
        if let Some(quota) = &self.quota {
            sink.set_quota(quota.clone());
        }
        sink
    }

    /// Whether files are compressed according to their names.
    pub fn set_compressing(&mut self, compresses: bool) {
        self.compresses = compresses;
    }

    /// Removes this line from the terminal before other output.
    pub fn write_beside(&mut self, line: &Arc<StatusLine>) {
        self.stdout.write_beside(line);
        self.stderr.write_beside(line);
        self.status_line = Some(line.clone());
    }

    /// While a command may write to the terminal.
    pub(crate) fn hold_status_line(&self) -> Option<Held> {
        self.status_line.as_ref().map(StatusLine::hold)
    }

    /// Flushes the standard output.
    pub fn flush_stdout(&mut self) -> Result<(), Box<OutputError>> {
        self.stdout.write_pending(Action::Flush)
    }

    /// Keeps the pending end of a last line.
    pub fn write_stdout(&mut self) -> Result<(), Box<OutputError>> {
        self.stdout.write_pending(Action::Write)
    }

    /// Replaces the standard output; returns the old sink.
    pub fn replace_stdout(&mut self, sink: Sink) -> Sink {
        std::mem::replace(&mut self.stdout, sink)
    }

    /// A sink for a file, in the coding of files.
    ///
    /// # Errors
    /// Out of memory.
    pub fn sink_for(&self, fd: OwnedFd, name: &[u8], codec: Option<Codec>) -> io::Result<Sink> {
        let mut sink = self.file_sink(fd, name);
        if let Some(codec) = codec {
            sink.set_codec(codec)?;
        }
        Ok(sink)
    }

    /// The standard output.
    #[inline]
    pub fn stdout(&mut self) -> &mut Sink {
        &mut self.stdout
    }

    /// The standard error.
    pub fn stderr(&mut self) -> &mut Sink {
        &mut self.stderr
    }

    /// `opened` is the time on the shared clock.
    ///
    /// Everything is flushed before a command starts, to keep the order. Without a free descriptor
    /// the least recently used file lends its own.
    pub(super) fn open(
        &mut self,
        kind: OutputKind,
        name: &[u8],
        opened: u64,
        environment: &ChildEnvironment,
    ) -> Result<&mut Sink, Box<OutputError>> {
        let is_pipe = kind == OutputKind::Pipe;
        let at = match self.recent.filter(|&at| self.is_stream(at, is_pipe, name)) {
            Some(at) => at,
            None => match self.names(is_pipe).get(name) {
                Some(&at) => at,
                None => self.open_new(kind, name, opened, environment)?,
            },
        };
        self.recent = Some(at);
        self.uses += 1;
        let uses = self.uses;
        if let Some(stream) = &mut self.streams[at] {
            stream.used = uses;
            if matches!(&stream.route, Route::File { sink, .. } if sink.is_parked()) {
                self.resume(at)?;
            }
        }
        self.deferred_failure()?;
        Ok(self.sink_at(at))
    }

    fn is_stream(&self, at: usize, is_pipe: bool, name: &[u8]) -> bool {
        self.streams[at]
            .as_ref()
            .is_some_and(|stream| stream.is_pipe == is_pipe && *stream.name == *name)
    }

    fn names(&mut self, is_pipe: bool) -> &mut HashMap<Box<[u8]>, usize> {
        if is_pipe { &mut self.pipes } else { &mut self.files }
    }

    fn sink_at(&mut self, at: usize) -> &mut Sink {
        match self.streams[at].as_mut().map(|stream| &mut stream.route) {
            Some(
                Route::File { sink, .. } | Route::Inherited { sink, .. } | Route::Pipe { sink, .. },
            ) => sink,
            Some(Route::Stderr) => &mut self.stderr,
            Some(Route::Stdout) | None => &mut self.stdout,
        }
    }

    fn open_new(
        &mut self,
        kind: OutputKind,
        name: &[u8],
        opened: u64,
        environment: &ChildEnvironment,
    ) -> Result<usize, Box<OutputError>> {
        let route = if kind == OutputKind::Pipe {
            self.start_command(name, environment)?
        } else {
            self.open_file(kind, name)
                .map_err(|source| open_error(Target::File(name.into()), source))?
        };
        let is_pipe = kind == OutputKind::Pipe;
        let stream = Some(Stream { name: name.into(), is_pipe, route, opened, used: 0 });
        self.works_elsewhere |=
            !matches!(stream.as_ref().map(|stream| &stream.route), Some(Route::Stdout));
        let all_taken = self.files.len() + self.pipes.len() == self.streams.len();
        let free_at = if all_taken { None } else { self.streams.iter().position(Option::is_none) };
        let at = free_at.unwrap_or(self.streams.len());
        match free_at {
            Some(at) => self.streams[at] = stream,
            None => self.streams.push(stream),
        }
        self.names(is_pipe).insert(name.into(), at);
        Ok(at)
    }

    fn start_command(
        &mut self,
        command: &[u8],
        environment: &ChildEnvironment,
    ) -> Result<Route, Box<OutputError>> {
        self.flush_all()?;
        let launcher = self.launcher.clone();
        let started = self.with_spare_descriptor(|| launcher.start_reading(command, environment));
        let (running, input) =
            started.map_err(|source| open_error(Target::Pipe(command.into()), source))?;
        let sink = self.within_quota(Sink::pipe(input, command));
        Ok(Route::Pipe { sink, command: running, _held: self.hold_status_line() })
    }

    fn open_file(&mut self, kind: OutputKind, name: &[u8]) -> io::Result<Route> {
        let meaning =
            if self.plain_names { FileName::plain(name) } else { FileName::for_writing(name) };
        let path = match meaning {
            FileName::Standard(Standard::Output) => return Ok(Route::Stdout),
            FileName::Standard(Standard::Error) => return Ok(Route::Stderr),
            _ if self.file_system().is_some() => return self.open_embedded(kind, name),
            FileName::Standard(Standard::Input) => return self.open_inherited(0, name),
            FileName::Descriptor(number) => return self.open_inherited(number, name),
            FileName::Path(path) => os_string(path),
        };
        let how = match kind {
            OutputKind::Append => OFlags::APPEND,
            OutputKind::File | OutputKind::Pipe => OFlags::TRUNC,
        };
        let flags = OFlags::WRONLY | OFlags::CREATE | how;
        let file = self.with_spare_descriptor(|| opening::open(&path, flags))?;
        let codec = Codec::of_name(name).filter(|_| self.compresses);
        // A partly compressed file cannot be closed and reopened.
        let metadata = file.metadata().ok();
        let regular =
            codec.is_none() && metadata.as_ref().is_some_and(|metadata| metadata.is_file());
        let begun_empty = metadata.is_none_or(|metadata| metadata.len() == 0);
        Ok(Route::File { sink: self.sink_for(file.into(), name, codec)?, regular, begun_empty })
    }

    fn open_embedded(&mut self, kind: OutputKind, name: &[u8]) -> io::Result<Route> {
        let files = self.file_system().cloned().ok_or(io::ErrorKind::Unsupported)?;
        let mode = match kind {
            OutputKind::Append => WriteMode::Append,
            OutputKind::File | OutputKind::Pipe => WriteMode::Truncate,
        };
        let stream = self.with_spare_descriptor(|| files.create(name, mode))?;
        let sink = match stream {
            OutputStream::File(file) => Sink::file(file.into(), name),
            OutputStream::Writer(writer) => Sink::into_writer(writer, Target::File(name.into())),
        };
        let mut sink = self.configured(sink);
        if let Some(codec) = Codec::of_name(name).filter(|_| self.compresses) {
            sink.set_codec(codec)?;
        }
        // It cannot be reopened by its name.
        Ok(Route::File { sink, regular: false, begun_empty: mode == WriteMode::Truncate })
    }

    fn open_inherited(&mut self, number: i32, name: &[u8]) -> io::Result<Route> {
        let copy = self.with_spare_descriptor(|| descriptor::duplicate(number))?;
        Ok(Route::Inherited { sink: self.file_sink(copy, name), number })
    }

    fn file_sink(&self, fd: OwnedFd, name: &[u8]) -> Sink {
        self.configured(Sink::file(fd, name))
    }

    fn configured(&self, sink: Sink) -> Sink {
        let mut sink = self.within_quota(sink);
        if let Some(coding) = &self.coding {
            sink.set_coding(coding);
        }
        if let Some(line) = &self.status_line {
            sink.write_beside(line);
        }
        sink
    }

    /// Retries `open` as long as it lacks a descriptor.
    pub(super) fn with_spare_descriptor<T, E: LacksDescriptor>(
        &mut self,
        mut open: impl FnMut() -> Result<T, E>,
    ) -> Result<T, E> {
        loop {
            match open() {
                Err(error) if error.lacks_descriptor() && self.park_one() => {}
                result => return result,
            }
        }
    }

    /// False if no regular file has a descriptor.
    fn park_one(&mut self) -> bool {
        let parkable =
            self.streams.iter_mut().flatten().filter_map(|stream| match &mut stream.route {
                Route::File { sink, regular: true, .. } if !sink.is_parked() => {
                    Some((stream.used, sink))
                }
                _ => None,
            });
        let Some((_, sink)) = parkable.min_by_key(|(used, _)| *used) else { return false };
        self.deferred.extend(sink.write_pending(Action::Write).err().map(|failure| *failure));
        sink.park();
        true
    }

    /// To report after the current failure.
    pub(super) fn defer(&mut self, failure: OutputError) {
        self.deferred.push(failure);
    }

    fn deferred_failure(&mut self) -> Result<(), Box<OutputError>> {
        self.deferred.pop().map_or(Ok(()), |failure| Err(Box::new(failure)))
    }

    fn resume(&mut self, at: usize) -> Result<(), Box<OutputError>> {
        let Some(name) = self.streams[at].as_ref().map(|stream| stream.name.clone()) else {
            return Ok(());
        };
        let path = os_string(&name);
        let reopened =
            self.with_spare_descriptor(|| OpenOptions::new().append(true).create(true).open(&path));
        let file = reopened.map_err(|source| open_error(Target::File(name), source))?;
        self.sink_at(at).resume(OwnedFd::from(file));
        Ok(())
    }

    /// Flushes all, oldest first, up to the first failure; the rest stays buffered.
    pub fn flush_all(&mut self) -> Result<(), Box<OutputError>> {
        self.deferred_failure()?;
        self.stdout.write_pending(Action::Flush)?;
        self.stderr.write_pending(Action::Flush)?;
        self.flush_idle()
    }

    /// Before the program waits.
    pub(super) fn flush_idle(&mut self) -> Result<(), Box<OutputError>> {
        self.stdout.write_pending(Action::Flush)?;
        for at in self.oldest_first() {
            self.sink_at(at).write_pending(Action::Flush)?;
        }
        Ok(())
    }

    /// As in gawk, not the standard output, before a command's output is read.
    pub(crate) fn flush_pipes(&mut self) -> Result<(), Box<OutputError>> {
        if self.pipes.is_empty() {
            return Ok(());
        }
        for at in self.oldest_first() {
            if matches!(
                self.streams[at].as_ref().map(|stream| &stream.route),
                Some(Route::Pipe { .. })
            ) {
                self.sink_at(at).write_pending(Action::Flush)?;
            }
        }
        Ok(())
    }

    /// Before dying of a broken pipe: a stalled command could block for ever.
    pub(super) fn flush_files(&mut self) {
        for stream in self.streams.iter_mut().flatten() {
            if let Route::File { sink, regular: true, .. } = &mut stream.route {
                let _ = sink.write_pending(Action::Close);
            }
        }
    }

    /// False if no stream of that name is open.
    pub(super) fn flush(&mut self, name: &[u8]) -> Result<bool, Box<OutputError>> {
        match name {
            b"/dev/stdout" => return self.stdout.write_pending(Action::Flush).map(|()| true),
            b"/dev/stderr" => return self.stderr.write_pending(Action::Flush).map(|()| true),
            _ => {}
        }
        let Some(at) = self.youngest(name) else { return Ok(false) };
        self.sink_at(at).write_pending(Action::Flush).map(|()| true)
    }

    fn oldest_first(&self) -> Vec<usize> {
        let mut open: Vec<_> = self
            .streams
            .iter()
            .enumerate()
            .filter_map(|(at, s)| Some((s.as_ref()?.opened, at)))
            .collect();
        open.sort_unstable();
        open.into_iter().map(|(_, at)| at).collect()
    }

    fn youngest(&self, name: &[u8]) -> Option<usize> {
        let candidates = [self.files.get(name), self.pipes.get(name)];
        let opened = |at: &usize| self.streams[*at].as_ref().map(|stream| stream.opened);
        candidates.into_iter().flatten().copied().max_by_key(opened)
    }

    /// Whether that file is open and was empty when opened.
    pub fn begins_empty(&self, name: &[u8]) -> bool {
        let stream = self.files.get(name).and_then(|&at| self.streams[at].as_ref());
        matches!(stream, Some(Stream { route: Route::File { begun_empty: true, .. }, .. }))
    }

    /// Whether the stream is open.
    pub fn is_open(&self, kind: OutputKind, name: &[u8]) -> bool {
        match kind {
            OutputKind::File | OutputKind::Append => self.files.contains_key(name),
            OutputKind::Pipe => self.pipes.contains_key(name),
        }
    }

    pub(super) fn opened(&self, name: &[u8]) -> Option<u64> {
        self.youngest(name).and_then(|at| self.streams[at].as_ref()).map(|stream| stream.opened)
    }

    pub(super) fn open_names(&self) -> impl Iterator<Item = (u64, bool, &[u8])> {
        self.streams.iter().flatten().map(|stream| (stream.opened, stream.is_pipe, &*stream.name))
    }

    pub(super) fn last_opened(&self) -> Option<(u64, Box<[u8]>)> {
        let youngest = self.streams.iter().flatten().max_by_key(|stream| stream.opened);
        youngest.map(|stream| (stream.opened, stream.name.clone()))
    }

    /// Waits for a command.
    pub(super) fn close(&mut self, name: &[u8]) -> Result<CloseStatus, Box<OutputError>> {
        let Some(at) = self.youngest(name) else { return Ok(CloseStatus::NOT_OPEN) };
        // Removed in any case: a failed close is not retried.
        let flushed = match self.sink_at(at) {
            sink if sink.is_parked() => Ok(()),
            sink => sink.write_pending(Action::Close),
        };
        let Some(stream) = self.streams[at].take() else { return Ok(CloseStatus::NOT_OPEN) };
        self.names(stream.is_pipe).remove(name);
        self.recent = None;
        let status = match stream.route {
            Route::Pipe { sink, command, .. } => {
                drop(sink); // the command sees the end of its input only now
                let target = || Target::Pipe(stream.name.clone());
                command.wait().map_err(|source| {
                    Box::new(OutputError { target: target(), action: Action::Close, source })
                })
            }
            Route::Inherited { sink, number } => {
                drop(sink);
                descriptor::close_inherited(number);
                Ok(CloseStatus::CLOSED)
            }
            Route::File { .. } | Route::Stdout | Route::Stderr => Ok(CloseStatus::CLOSED),
        };
        flushed.and(status)
    }

    pub(super) fn finish_standard(&mut self, failures: &mut Vec<OutputError>) {
        failures.append(&mut self.deferred);
        for sink in [&mut self.stdout, &mut self.stderr] {
            failures.extend(sink.write_pending(Action::Close).err().map(|failure| *failure));
        }
    }

    pub(super) fn note_other_work(&mut self) {
        self.works_elsewhere = true;
    }

    /// Whether the program may end when the standard output has no reader.
    pub(super) fn lives_for_stdout(&self) -> bool {
        self.stdout.is_used() && !self.works_elsewhere
    }
}

fn open_error(target: Target, source: io::Error) -> Box<OutputError> {
    Box::new(OutputError { target, action: Action::Open, source })
}

#[cfg(test)]
#[path = "output_tests.rs"]
pub(crate) mod tests;
