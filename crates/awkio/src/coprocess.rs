//! Coprocesses (`print |& command`, `command |& getline`) and connections
//! (`/inet/tcp/0/host/port`).
//!
//! Prints are flushed at once: the program may wait for the answer.

use crate::handle_writer::{Unbuffered, system_error};
use riverhawk_system::io::Errno;

use std::io::{self};
use std::time::Duration;

use riverhawk_handle::{ErrorKind, Handle, InetName, Retry};

use crate::cancel;
use crate::command::Wait;
use crate::error::{Action, OutputError, Target};
use crate::filesystem::{Pipes, Started};
use crate::name::is_inet;
use crate::output::Outputs;
use crate::process::{ChildEnvironment, CloseStatus};
use crate::reader::RecordReader;
use crate::sink::Sink;

/// Retries of a refused connection, as in gawk 5.2.1.
const RETRY: Retry = Retry { attempts: 1, pause: Duration::from_secs(1) };

/// The second argument of `close`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its input: `"to"`.
    To,
    /// Its output: `"from"`.
    From,
}

struct Coprocess {
    name: Box<[u8]>,
    peer: Peer,
    /// None once this end is closed.
    to: Option<Sink>,
    from: Option<Box<RecordReader>>,
    opened: u64,
}

enum Peer {
    Handle(Handle),
    /// Of an embedder.
    Started(Option<Wait>),
}

pub(super) struct Coprocesses {
    open: Vec<Coprocess>,
    pub(super) retry: Retry,
}

impl Default for Coprocesses {
    fn default() -> Coprocesses {
        Coprocesses { open: Vec::new(), retry: RETRY }
    }
}

/// How a command's standard input and output are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Connection {
    /// Two pipes.
    Pipes,
    /// A pseudo-terminal.
    Terminal,
}

impl Coprocesses {
    /// The index of `name`, opened if necessary.
    pub(super) fn open(
        &mut self,
        name: &[u8],
        opened: u64,
        window: usize,
        connection: Connection,
        outputs: &mut Outputs,
        environment: &ChildEnvironment,
    ) -> Result<usize, Box<OutputError>> {
        if let Some(at) = self.find(name) {
            return Ok(at);
        }
        let failed = |source| {
            Box::new(OutputError {
                target: Target::Coprocess(name.into()),
                action: Action::Open,
                source,
            })
        };
        outputs.flush_all()?;
        outputs.note_other_work();
        if let Some(files) = outputs.file_system().cloned() {
            let started = match is_inet(name) {
                true => files.connect(name),
                false => files.start(name, Pipes::Both),
            };
            let Started { input, output, wait } = started.map_err(failed)?;
            let reader = |output| Box::new(RecordReader::of_reader(output, window));
            self.open.push(Coprocess {
                name: name.into(),
                to: input.map(|input| Sink::coprocess(input, name)),
                from: output.map(reader),
                peer: Peer::Started(wait),
                opened,
            });
            return Ok(self.open.len() - 1);
        }
        let retry = self.retry;
        let handle = match InetName::parse(name) {
            Some(Err(error)) => {
                return Err(failed(io::Error::new(io::ErrorKind::InvalidInput, error)));
            }
            Some(Ok(inet)) => {
                outputs.with_spare_descriptor(|| inet.open(retry).map_err(system_error))
            }
            None => outputs.with_spare_descriptor(|| {
                let command = environment.shell(name);
                let command = match connection {
                    Connection::Pipes => command,
                    Connection::Terminal => command.on_pty(),
                };
                cancel::interrupted()?;
                let handle = command.coprocess().map_err(system_error)?;
                handle.child().iter().for_each(cancel::started);
                Ok(handle)
            }),
        };
        let handle = handle.map_err(failed)?;
        self.open.push(Coprocess {
            name: name.into(),
            to: Some(Sink::coprocess(Box::new(Unbuffered::new(handle.clone())), name)),
            from: Some(Box::new(RecordReader::of_handle(handle.clone(), window))),
            peer: Peer::Handle(handle),
            opened,
        });
        Ok(self.open.len() - 1)
    }

    fn find(&self, name: &[u8]) -> Option<usize> {
        self.open.iter().position(|coprocess| *coprocess.name == *name)
    }

    pub(super) fn sink(&mut self, at: usize) -> Option<&mut Sink> {
        self.open[at].to.as_mut()
    }

    pub(super) fn reader(&mut self, at: usize) -> Option<&mut RecordReader> {
        self.open[at].from.as_deref_mut()
    }

    pub(super) fn reader_of(&mut self, name: &[u8]) -> Option<&mut RecordReader> {
        let at = self.find(name)?;
        self.reader(at)
    }

    /// For `fflush`.
    pub(super) fn sink_of(&mut self, name: &[u8]) -> Option<&mut Sink> {
        let at = self.find(name)?;
        self.sink(at)
    }

    pub(super) fn opened(&self, name: &[u8]) -> Option<u64> {
        self.find(name).map(|at| self.open[at].opened)
    }

    pub(super) fn last_opened(&self) -> Option<(u64, Box<[u8]>)> {
        let youngest = self.open.iter().max_by_key(|coprocess| coprocess.opened);
        youngest.map(|coprocess| (coprocess.opened, coprocess.name.clone()))
    }

    pub(super) fn open_names(&self) -> impl Iterator<Item = (u64, &[u8])> {
        self.open.iter().map(|coprocess| (coprocess.opened, &*coprocess.name))
    }

    /// Closes one end, or both if none. The command is waited for when both are closed; until then
    /// the status is 0.
    pub(super) fn close(
        &mut self,
        name: &[u8],
        end: Option<End>,
    ) -> Result<CloseStatus, Box<OutputError>> {
        let Some(at) = self.find(name) else { return Ok(CloseStatus::NOT_OPEN) };
        let coprocess = &mut self.open[at];
        let mut flushed = Ok(());
        if end != Some(End::From)
            && let Some(mut sink) = coprocess.to.take()
        {
            flushed = sink.write_pending(Action::Close);
        }
        if end != Some(End::To) {
            coprocess.from = None;
        }
        let closed = match &mut coprocess.peer {
            Peer::Started(wait) => {
                let both = coprocess.to.is_none() && coprocess.from.is_none();
                let wait = wait.take_if(|_| both);
                if both {
                    self.open.remove(at);
                }
                flushed?;
                return wait.map_or(Ok(0), |wait| wait()).map(CloseStatus).map_err(|source| {
                    let target = Target::Coprocess(name.into());
                    Box::new(OutputError { target, action: Action::Close, source })
                });
            }
            Peer::Handle(handle) => match end {
                Some(End::To) if coprocess.from.is_some() => handle.close_writing(),
                Some(End::From) if coprocess.to.is_some() => handle.close_reading(),
                _ => handle.close_with(cancel::wait_for),
            },
        };
        if coprocess.to.is_none() && coprocess.from.is_none() {
            self.open.remove(at);
        }
        flushed?;
        match closed {
            Ok(ended) => Ok(ended.map_or(CloseStatus::CLOSED, CloseStatus::from)),
            // The peer has already closed it.
            Err(error) if error.kind() == ErrorKind::ReaderGone => Ok(CloseStatus::CLOSED),
            Err(error) if error.raw_os_error() == Some(Errno::CHILD.raw_os_error()) => {
                Ok(CloseStatus::NOT_OPEN)
            }
            Err(error) => {
                let (target, source) = (Target::Coprocess(name.into()), system_error(error));
                Err(Box::new(OutputError { target, action: Action::Close, source }))
            }
        }
    }
}
