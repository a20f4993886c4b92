//! Inputs of `getline`: files (`getline < "f"`) and commands (`"c" | getline`), open until `close`.
//!
//! The standard input has one reader under all its names, as in onetrue-awk. In gawk and mawk each
//! name has its own buffer, so which records a name gets depends on buffer sizes and timing.

use std::collections::HashMap;

use riverhawk_stream::{MemorySource, ReadSource, Record, Source};

use crate::coding::Coding;
use crate::command::{Command, CommandOutput};
use crate::descriptor;
use crate::error::OpenError;
use crate::filesystem::FromBeginning;
use crate::name::FileName;
use crate::operand::{self, Operand};
use crate::output::Outputs;
use crate::process::{ChildEnvironment, CloseStatus};
use crate::reader::{ReadError, RecordReader};
use crate::reading::{Directories, Reading, Room};

/// The two redirected forms of `getline`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputKind {
    /// `getline < name`
    File,
    /// `command | getline`
    Command,
}

/// An open input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputId(usize);

struct Input {
    name: Box<[u8]>,
    kind: InputKind,
    state: State,
    command: Option<Command>,
    opened: u64,
}

enum State {
    Open(Box<RecordReader>),
    Stdin,
    /// Even if the file grows, until it is closed.
    Ended,
}

/// All inputs except the files of the main input.
pub struct Inputs {
    window: usize,
    stdin: Option<Box<RecordReader>>,
    /// What the standard input is read from when it is first asked for, if not the process's.
    stdin_source: Option<Box<dyn Source>>,
    /// Its end is for good.
    is_embedded: bool,
    inputs: Vec<Option<Input>>,
    files: HashMap<Box<[u8]>, usize>,
    commands: HashMap<Box<[u8]>, usize>,
    /// The next `getline` usually reads the same.
    recent: Option<usize>,
    reading: Reading,
}

impl Inputs {
    /// No inputs yet. `window` is in bytes, and grows with the record.
    pub fn new(window: usize) -> Self {
        let (files, commands) = (HashMap::new(), HashMap::new());
        Self {
            window,
            stdin: None,
            stdin_source: None,
            is_embedded: false,
            inputs: Vec::new(),
            files,
            commands,
            recent: None,
            reading: Reading::default(),
        }
    }

    /// Initial window size in bytes, for the main input.
    pub fn window(&self) -> usize {
        self.window
    }

    /// For files opened from now on, and an unread standard input.
    pub fn set_coding(&mut self, coding: Option<Coding>) {
        self.reading.coding = coding;
    }

    /// Sets how files opened from now on are read.
    pub fn set_reading(&mut self, reading: Reading) {
        self.reading = reading;
    }

    /// Sets how directories opened from now on are read.
    pub fn set_directories(&mut self, directories: Directories) {
        self.reading.directories = directories;
    }

    /// How files are read.
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// The only reader of the standard input.
    pub fn stdin(&mut self) -> &mut RecordReader {
        let reader = self.take_stdin();
        self.stdin.insert(reader)
    }

    fn new_stdin(&mut self) -> Box<RecordReader> {
        let room = Room::new(self.window);
        Box::new(match self.stdin_source.take() {
            Some(source) => RecordReader::of_embedded(source, room, &self.reading),
            None if self.is_embedded => {
                RecordReader::of_source(MemorySource::new(Vec::new()), self.window)
            }
            None => RecordReader::of_stdin(self.window, &self.reading),
        })
    }

    /// The standard input is read from there, as files are, and not from the process's.
    pub fn set_stdin_source(&mut self, source: Box<dyn Source>) {
        self.stdin_source = Some(source);
        self.is_embedded = true;
    }

    /// What an embedder has given to be read, if it has not been read yet; it has no reader then.
    pub fn take_embedded_stdin(&mut self) -> Option<Box<dyn Source>> {
        self.stdin_source.take()
    }

    /// Whether the standard input is not the process's.
    pub fn stdin_is_embedded(&self) -> bool {
        self.is_embedded
    }

    /// Whether the standard input has not been read yet.
    pub fn stdin_is_untouched(&self) -> bool {
        self.stdin.is_none()
    }

    /// Takes the reader for the main input.
    pub fn take_stdin(&mut self) -> Box<RecordReader> {
        self.stdin.take().unwrap_or_else(|| self.new_stdin())
    }

    /// Lets the next read under another name report the error again.
    pub fn retry_stdin(&mut self) {
        self.stdin.take_if(|reader| reader.has_failed());
    }

    /// Returns the reader of the standard input.
    pub fn put_stdin(&mut self, reader: Option<Box<RecordReader>>) {
        self.stdin = reader;
    }

    /// Replaces the standard input, for example by memory.
    pub fn set_stdin(&mut self, reader: RecordReader) {
        self.stdin = Some(Box::new(reader));
    }

    /// `None` when `id` has ended or is closed.
    pub fn reader(&mut self, id: InputId) -> Option<&mut RecordReader> {
        if matches!(self.inputs.get(id.0)?.as_ref()?.state, State::Stdin) {
            return Some(self.stdin());
        }
        match &mut self.inputs.get_mut(id.0)?.as_mut()?.state {
            State::Open(reader) => Some(reader),
            State::Stdin | State::Ended => None,
        }
    }

    /// The last `getline`'s reader, if it is the same input and open.
    #[inline]
    pub fn recent(&mut self, kind: InputKind, name: &[u8]) -> Option<&mut RecordReader> {
        let input = self.inputs.get_mut(self.recent?)?.as_mut()?;
        match &mut input.state {
            State::Open(reader) if input.kind == kind && *input.name == *name => Some(reader),
            _ => None,
        }
    }

    /// The next record, in the returned reader's window; `None` at the end, where the descriptor is
    /// closed, as in gawk, so that programs without `close` do not run out. The name stays open.
    ///
    /// # Errors
    /// As [`RecordReader::refill`].
    pub fn next(
        &mut self,
        id: InputId,
        outputs: &mut Outputs,
    ) -> Result<Option<(&mut RecordReader, Record)>, ReadError> {
        let Some(reader) = self.reader(id) else { return Ok(None) };
        match reader.next(outputs)? {
            // A borrow returned here would last through the other arm.
            Some(record) => Ok(self.reader(id).map(|reader| (reader, record))),
            None => {
                if let Some(input) = self.inputs.get_mut(id.0).and_then(Option::as_mut) {
                    input.state = if matches!(input.state, State::Stdin) {
                        State::Stdin
                    } else {
                        State::Ended
                    };
                }
                Ok(None)
            }
        }
    }

    pub(super) fn open(
        &mut self,
        kind: InputKind,
        name: &[u8],
        opened: u64,
        outputs: &mut Outputs,
        environment: &ChildEnvironment,
    ) -> Result<InputId, OpenError> {
        if let Some(at) = self.recent.filter(|&at| self.is_input(at, kind, name)) {
            return Ok(InputId(at));
        }
        let at = match self.names(kind).get(name) {
            Some(&at) => at,
            None => {
                let (state, command) = self.start(kind, name, outputs, environment)?;
                self.insert(Input { name: name.into(), kind, state, command, opened })
            }
        };
        self.recent = Some(at);
        Ok(InputId(at))
    }

    fn start(
        &mut self,
        kind: InputKind,
        name: &[u8],
        outputs: &mut Outputs,
        environment: &ChildEnvironment,
    ) -> Result<(State, Option<Command>), OpenError> {
        if name.is_empty() {
            return Err(OpenError::empty_name());
        }
        match kind {
            InputKind::Command => {
                outputs.note_other_work();
                let launcher = outputs.launcher();
                let started =
                    outputs.with_spare_descriptor(|| launcher.start_writing(name, environment));
                let (command, output) = started.map_err(|source| OpenError::new(name, source))?;
                let reader = match output {
                    CommandOutput::Handle(handle) => RecordReader::of_handle(handle, self.window),
                    CommandOutput::Reader(reader) => RecordReader::of_reader(reader, self.window),
                };
                let reader = reader.limited(self.reading.max_record);
                Ok((State::Open(Box::new(reader)), Some(command)))
            }
            InputKind::File => match self.open_operand(name, outputs)? {
                Operand::Stdin => {
                    self.retry_stdin();
                    Ok((State::Stdin, None))
                }
                Operand::Directory(entries) => Ok((
                    State::Open(Box::new(RecordReader::of_directory(
                        entries,
                        self.window,
                        self.reading.directories,
                    ))),
                    None,
                )),
                Operand::File(file) => {
                    let room = Room::new(self.window);
                    let reader = RecordReader::of_file(file, room, &self.reading);
                    Ok((State::Open(Box::new(reader)), None))
                }
                Operand::Reader(reader) => {
                    let (reader, room) = (ReadSource::new(reader), Room::new(self.window));
                    let reader = RecordReader::of_embedded(reader, room, &self.reading);
                    Ok((State::Open(Box::new(reader)), None))
                }
            },
        }
    }

    pub(super) fn open_operand(
        &self,
        name: &[u8],
        outputs: &mut Outputs,
    ) -> Result<Operand, OpenError> {
        if let Some(found) = self.reading.operand_files.as_ref().and_then(|files| files.open(name))
        {
            let file = found.map_err(|source| OpenError::new(name, source))?;
            return Ok(Operand::Reader(Box::new(FromBeginning::new(file))));
        }
        let files = outputs.file_system().cloned();
        outputs.with_spare_descriptor(|| match &files {
            Some(files) => operand::open_embedded(name, files.as_ref()),
            None => operand::open(name, self.reading.directories),
        })
    }

    fn insert(&mut self, input: Input) -> usize {
        let all_taken = self.files.len() + self.commands.len() == self.inputs.len();
        let free_at = if all_taken { None } else { self.inputs.iter().position(Option::is_none) };
        let at = free_at.unwrap_or(self.inputs.len());
        self.names(input.kind).insert(input.name.clone(), at);
        match free_at {
            Some(at) => self.inputs[at] = Some(input),
            None => self.inputs.push(Some(input)),
        }
        at
    }

    fn is_input(&self, at: usize, kind: InputKind, name: &[u8]) -> bool {
        self.inputs[at].as_ref().is_some_and(|input| input.kind == kind && *input.name == *name)
    }

    fn names(&mut self, kind: InputKind) -> &mut HashMap<Box<[u8]>, usize> {
        match kind {
            InputKind::File => &mut self.files,
            InputKind::Command => &mut self.commands,
        }
    }

    fn youngest(&self, name: &[u8]) -> Option<usize> {
        let candidates = [self.files.get(name), self.commands.get(name)];
        let opened = |at: &usize| self.inputs[*at].as_ref().map(|input| input.opened);
        candidates.into_iter().flatten().copied().max_by_key(opened)
    }

    /// Whether the input is open, even if it has ended.
    pub fn is_open(&self, kind: InputKind, name: &[u8]) -> bool {
        match kind {
            InputKind::File => self.files.contains_key(name),
            InputKind::Command => self.commands.contains_key(name),
        }
    }

    pub(super) fn opened(&self, name: &[u8]) -> Option<u64> {
        self.youngest(name).and_then(|at| self.inputs[at].as_ref()).map(|input| input.opened)
    }

    pub(super) fn open_names(&self) -> impl Iterator<Item = (u64, bool, &[u8])> {
        self.inputs
            .iter()
            .flatten()
            .map(|input| (input.opened, input.kind == InputKind::Command, &*input.name))
    }

    pub(super) fn last_opened(&self) -> Option<(u64, Box<[u8]>)> {
        let youngest = self.inputs.iter().flatten().max_by_key(|input| input.opened);
        youngest.map(|input| (input.opened, input.name.clone()))
    }

    /// Waits for a command; one that still writes gets a broken pipe.
    pub(super) fn close(&mut self, name: &[u8]) -> CloseStatus {
        let Some(input) = self.youngest(name).and_then(|at| self.inputs[at].take()) else {
            return CloseStatus::NOT_OPEN;
        };
        self.names(input.kind).remove(name);
        self.recent = None;
        if matches!(input.state, State::Stdin)
            && self.stdin.as_ref().is_some_and(|stdin| stdin.has_ended())
        {
            self.stdin = None; // a terminal has more after its end of file, for whoever asks again
        }
        drop(input.state);
        if let (InputKind::File, FileName::Descriptor(number)) =
            (input.kind, FileName::for_reading(name))
        {
            descriptor::close_inherited(number);
        }
        match input.command {
            Some(command) => command.wait().unwrap_or(CloseStatus::NOT_OPEN),
            None => CloseStatus::CLOSED,
        }
    }
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
