//! A program's streams. `close("x")` closes the youngest stream called `x`; at exit all close
//! youngest first, then the standard output is flushed. Flushing follows gawk 5.2.1:
//!
//! | before | is flushed |
//! |---|---|
//! | `system(c)` | everything |
//! | `print \| c`, when `c` is started | everything |
//! | `c \| getline`, when `c` is started | pipes to commands, *not* the standard output |
//! | `close` of anything that is open | the standard output |
//! | writing to the standard error | nothing |
//! | a read (not from a command) that has had nothing to give for 20 ms | the standard output, files and pipes (gawk: nothing) |

mod open_streams;

pub use open_streams::StreamKind;

use crate::coprocess::{Connection, Coprocesses, End};
use crate::error::{Action, InputError, OpenError, OutputError, Target};
use crate::handle_writer;
use crate::input::{InputId, InputKind, Inputs};
use crate::name::is_inet;
use crate::operand::Operand;
use crate::output::{OutputKind, Outputs};
use crate::process::{ChildEnvironment, CloseStatus};
use crate::reader::{ReadError, RecordReader};
use crate::reading::Room;
use crate::signals::{BrokenPipe, InterruptsIgnored, die_by_sigpipe};
use crate::sink::Sink;
use crate::tail::Tail;
use riverhawk_handle::InetName;
use riverhawk_stream::{Memory, ReadSource, Record};

/// The result of `fflush(name)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flushed {
    /// Flushed.
    Done,
    /// Open for reading only: gawk warns and returns -1.
    OpenForReading,
    /// Not open: gawk warns and returns -1.
    NotOpen,
}

/// All streams of a program except the files of the main input.
pub struct Io {
    /// The outputs; `outputs.stdout()` is the hot path of `print`.
    pub outputs: Outputs,
    /// The standard input and the inputs of `getline`.
    pub inputs: Inputs,
    coprocesses: Coprocesses,
    /// Environment of commands started from now on (`ENVIRON[...] = ...`).
    pub environment: ChildEnvironment,
    broken_stdout: BrokenPipe,
    /// Counts opened streams.
    clock: u64,
}

impl Io {
    /// The process's own standard streams. `window` is in bytes.
    pub fn new(broken_stdout: BrokenPipe, window: usize) -> Self {
        Self::with_outputs(Outputs::new(), broken_stdout, window)
    }

    /// The same with other outputs, for example memory.
    pub fn with_outputs(outputs: Outputs, broken_stdout: BrokenPipe, window: usize) -> Self {
        let environment = ChildEnvironment::default();
        Self {
            outputs,
            inputs: Inputs::new(window),
            coprocesses: Coprocesses::default(),
            environment,
            broken_stdout,
            clock: 0,
        }
    }

    /// The stream of a redirected `print`, opened if necessary.
    ///
    /// # Errors
    /// It cannot be opened, or a flush before starting a command fails. `name` must not be empty.
    pub fn output(&mut self, kind: OutputKind, name: &[u8]) -> Result<&mut Sink, Box<OutputError>> {
        self.clock += 1;
        if kind != OutputKind::Pipe && !self.outputs.plain_names && is_inet(name) {
            return self.coprocess_sink(name, Connection::Pipes);
        }
        self.outputs.open(kind, name, self.clock, &self.environment)
    }

    /// The sink of `print |& name`, started if necessary.
    ///
    /// # Errors
    /// It cannot be opened, or that end has been closed.
    pub fn coprocess_sink(
        &mut self,
        name: &[u8],
        connection: Connection,
    ) -> Result<&mut Sink, Box<OutputError>> {
        let at = self.coprocess(name, connection)?;
        if let (Some(sink), Some(quota)) = (self.coprocesses.sink(at), self.outputs.quota()) {
            sink.set_quota(quota);
        }
        self.coprocesses.sink(at).ok_or_else(|| closed_end(name, Action::Write))
    }

    /// The reader of `name |& getline`, started if necessary.
    ///
    /// # Errors
    /// It cannot be opened, or that end has been closed.
    pub fn coprocess_reader(
        &mut self,
        name: &[u8],
        connection: Connection,
    ) -> Result<&mut RecordReader, Box<OutputError>> {
        let at = self.coprocess(name, connection)?;
        let max_record = self.inputs.reading().max_record;
        if let (Some(reader), Some(bytes)) = (self.coprocesses.reader(at), max_record) {
            reader.records.set_limit(bytes);
        }
        self.coprocesses.reader(at).ok_or_else(|| closed_end(name, Action::Read))
    }

    /// Whether a coprocess or connection of that name is open.
    pub fn is_open_coprocess(&self, name: &[u8]) -> bool {
        self.coprocesses.opened(name).is_some()
    }

    /// The next record of an open coprocess, as [`Io::next_record`].
    ///
    /// # Errors
    /// As [`Io::next_record`].
    pub fn next_from_coprocess(
        &mut self,
        name: &[u8],
    ) -> Result<Option<(&mut RecordReader, Record)>, ReadError> {
        let Some(reader) = self.coprocesses.reader_of(name) else { return Ok(None) };
        Ok(reader.next(&mut self.outputs)?.map(|record| (reader, record)))
    }

    /// Retries of a refused connection; `None` changes nothing.
    pub fn set_retry(&mut self, attempts: Option<u32>, pause: Option<std::time::Duration>) {
        let retry = &mut self.coprocesses.retry;
        retry.attempts = attempts.unwrap_or(retry.attempts);
        retry.pause = pause.unwrap_or(retry.pause);
    }

    fn coprocess(
        &mut self,
        name: &[u8],
        connection: Connection,
    ) -> Result<usize, Box<OutputError>> {
        self.clock += 1;
        let window = self.inputs.window();
        self.coprocesses.open(
            name,
            self.clock,
            window,
            connection,
            &mut self.outputs,
            &self.environment,
        )
    }

    /// The input of a redirected `getline`, opened if necessary.
    ///
    /// # Errors
    /// [`InputError::Open`] makes `getline` return -1, and is fatal for a command.
    /// [`InputError::Flush`]: earlier output could not be flushed.
    pub fn input(&mut self, kind: InputKind, name: &[u8]) -> Result<InputId, InputError> {
        if kind == InputKind::Command && self.inputs.opened(name).is_none() {
            self.outputs.flush_pipes().map_err(InputError::Flush)?;
        }
        self.clock += 1;
        let opened = self.inputs.open(kind, name, self.clock, &mut self.outputs, &self.environment);
        opened.map_err(InputError::Open)
    }

    /// Opens an operand; `None` for the standard input, see [`Inputs::stdin`].
    ///
    /// # Errors
    /// The system's, or that it is a directory.
    pub fn open_main(
        &mut self,
        name: &[u8],
        memory: Option<Memory>,
    ) -> Result<Option<RecordReader>, OpenError> {
        let is_systems = self.outputs.file_system().is_none();
        if let Some(inet) = InetName::parse(name).filter(|_| is_systems) {
            let failed = |source| OpenError::new(name, source);
            let inet = inet.map_err(|error| {
                failed(std::io::Error::new(std::io::ErrorKind::InvalidInput, error))
            })?;
            let handle = inet
                .open(self.coprocesses.retry)
                .map_err(|error| failed(handle_writer::system_error(error)))?;
            return Ok(Some(
                RecordReader::of_handle(handle, self.inputs.window())
                    .limited(self.inputs.reading().max_record),
            ));
        }
        let directories = self.inputs.reading().directories;
        Ok(match self.inputs.open_operand(name, &mut self.outputs)? {
            Operand::Stdin => None,
            Operand::Directory(entries) => {
                Some(RecordReader::of_directory(entries, self.inputs.window(), directories))
            }
            Operand::File(file) => {
                let room = Room::of(memory, self.inputs.window());
                Some(RecordReader::of_file(file, room, self.inputs.reading()))
            }
            Operand::Reader(reader) => {
                let room = Room::of(memory, self.inputs.window());
                Some(RecordReader::of_embedded(
                    ReadSource::new(reader),
                    room,
                    self.inputs.reading(),
                ))
            }
        })
    }

    /// Opens an operand to follow.
    ///
    /// # Errors
    /// As [`Io::open_main`].
    pub fn open_tail(&mut self, name: &[u8]) -> Result<(RecordReader, Tail), OpenError> {
        let (window, reading) = (self.inputs.window(), self.inputs.reading());
        self.outputs.with_spare_descriptor(|| Tail::open(name, reading, Room::new(window)))
    }

    /// Opens the same file again, from its beginning.
    ///
    /// # Errors
    /// No free descriptor, or the file is not seekable.
    pub fn rewind(&mut self, tail: &Tail) -> std::io::Result<(RecordReader, Tail)> {
        tail.rewound(self.inputs.reading(), Room::new(self.inputs.window()))
    }

    /// The next record, and the reader whose window holds it; `None` at the end. Set the separator
    /// first, through [`Inputs::reader`].
    ///
    /// # Errors
    /// [`ReadError::Input`] makes `getline` return -1; [`ReadError::Output`] is fatal.
    pub fn next_record(
        &mut self,
        id: InputId,
    ) -> Result<Option<(&mut RecordReader, Record)>, ReadError> {
        self.inputs.next(id, &mut self.outputs)
    }

    /// `system(command)`: flushes everything, runs the command, returns gawk's status number.
    ///
    /// # Errors
    /// The flush fails, or the shell cannot be started.
    pub fn system(&mut self, command: &[u8]) -> Result<CloseStatus, Box<OutputError>> {
        self.outputs.flush_all()?;
        self.outputs.note_other_work();
        let _held = self.outputs.hold_status_line();
        let (launcher, environment) = (self.outputs.launcher(), &self.environment);
        let started =
            self.outputs.with_spare_descriptor(|| launcher.start_system(command, environment));
        let ran = started.and_then(|command| {
            // After the start, so that the child inherits our dispositions. A run whose output is
            // not the process's leaves signals alone.
            let _ignored = (!launcher.is_captured()).then(InterruptsIgnored::new);
            command.wait()
        });
        ran.map_err(|source| {
            Box::new(OutputError {
                target: Target::Pipe(command.into()),
                action: Action::Open,
                source,
            })
        })
    }

    /// `fflush(name)`. `fflush()` and `fflush("")` are [`Outputs::flush_all`].
    ///
    /// # Errors
    /// It is open for writing and cannot be flushed.
    pub fn flush(&mut self, name: &[u8]) -> Result<Flushed, Box<OutputError>> {
        if let Some(sink) = self.coprocesses.sink_of(name) {
            return sink.write_pending(Action::Flush).map(|()| Flushed::Done);
        }
        Ok(match self.outputs.flush(name)? {
            true => Flushed::Done,
            false if self.inputs.opened(name).is_some() => Flushed::OpenForReading,
            false => Flushed::NotOpen,
        })
    }

    /// Closes the youngest stream by that name and waits for a command. As in gawk the standard
    /// output is flushed first.
    ///
    /// # Errors
    /// Buffered output cannot be written. The stream is closed nevertheless.
    pub fn close(&mut self, name: &[u8]) -> Result<CloseStatus, Box<OutputError>> {
        if self.youngest(name).is_none() {
            return Ok(CloseStatus::NOT_OPEN);
        }
        let flushed = self.outputs.stdout().write_pending(Action::Flush);
        let closed = self.close_youngest(name);
        match (flushed, closed) {
            (Ok(()), closed) => closed,
            (Err(first), Ok(_)) => Err(first),
            (Err(first), Err(second)) => {
                self.outputs.defer(*second);
                Err(first)
            }
        }
    }

    /// `close(name, "to")` and `close(name, "from")`.
    ///
    /// # Errors
    /// As [`Io::close`].
    pub fn close_end(&mut self, name: &[u8], end: End) -> Result<CloseStatus, Box<OutputError>> {
        match self.coprocesses.opened(name) {
            Some(_) => self.coprocesses.close(name, Some(end)),
            None => self.close(name),
        }
    }

    fn youngest(&self, name: &[u8]) -> Option<u64> {
        self.inputs.opened(name).max(self.outputs.opened(name)).max(self.coprocesses.opened(name))
    }

    fn close_youngest(&mut self, name: &[u8]) -> Result<CloseStatus, Box<OutputError>> {
        let youngest = self.youngest(name);
        if youngest == self.coprocesses.opened(name) {
            self.coprocesses.close(name, None)
        } else if youngest == self.inputs.opened(name) {
            Ok(self.inputs.close(name))
        } else {
            self.outputs.close(name)
        }
    }

    /// Closes every stream, youngest first, waits for commands, and flushes the standard output
    /// last. Does not return if that is broken under [`BrokenPipe::Die`].
    pub fn finish(&mut self) -> Vec<OutputError> {
        let mut failures = Vec::new();
        loop {
            let youngest = self.inputs.last_opened().into_iter().chain(self.outputs.last_opened());
            let Some((_, name)) =
                youngest.chain(self.coprocesses.last_opened()).max_by_key(|(opened, _)| *opened)
            else {
                break;
            };
            failures.extend(self.close_youngest(&name).err().map(|failure| *failure));
        }
        self.outputs.finish_standard(&mut failures);
        if failures.iter().any(|failure| self.is_fatal_by_signal(failure)) {
            die_by_sigpipe();
        }
        failures
    }

    /// Call this before reporting a failed output: under [`BrokenPipe::Die`] it ends the process if
    /// the standard output has no reader. Files are flushed first.
    pub fn die_if_stdout_is_broken(&mut self, failure: &OutputError) {
        if self.is_fatal_by_signal(failure) {
            self.outputs.flush_files();
            die_by_sigpipe();
        }
    }

    fn is_fatal_by_signal(&self, failure: &OutputError) -> bool {
        self.broken_stdout == BrokenPipe::Die
            && failure.target == Target::Stdout
            && failure.is_reader_gone()
    }
}

/// Reopening requires both directions to be closed.
#[cold]
fn closed_end(name: &[u8], action: Action) -> Box<OutputError> {
    let end = if action == Action::Read { "from" } else { "to" };
    let source = std::io::Error::other(format!("its end \"{end}\" was closed"));
    Box::new(OutputError { target: Target::Coprocess(name.into()), action, source })
}
