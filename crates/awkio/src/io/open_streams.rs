//! Open streams, for reports at the end of a run.

use super::Io;
use crate::input::InputKind;
use crate::name::is_inet;
use crate::output::OutputKind;

/// The kind of an open stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// A file, read or written.
    File,
    /// A command, read or written.
    Pipe,
    /// A command, read and written.
    Coprocess,
    /// A connection.
    Socket,
}

impl StreamKind {
    /// gawk's name for it.
    pub fn words(self) -> &'static str {
        match self {
            StreamKind::File => "file",
            StreamKind::Pipe => "pipe",
            StreamKind::Coprocess => "co-process",
            StreamKind::Socket => "socket",
        }
    }
}

impl Io {
    /// Whether a stream of that name is open.
    pub fn is_open(&self, name: &[u8]) -> bool {
        self.youngest(name).is_some()
    }

    /// All open streams, the youngest first.
    pub fn open_streams(&self) -> Vec<(StreamKind, Box<[u8]>)> {
        let kind = |is_pipe| if is_pipe { StreamKind::Pipe } else { StreamKind::File };
        let two_way = |name: &[u8]| {
            if is_inet(name) { StreamKind::Socket } else { StreamKind::Coprocess }
        };
        let outputs =
            self.outputs.open_names().map(|(opened, is_pipe, name)| (opened, kind(is_pipe), name));
        let inputs =
            self.inputs.open_names().map(|(opened, is_pipe, name)| (opened, kind(is_pipe), name));
        let coprocesses =
            self.coprocesses.open_names().map(|(opened, name)| (opened, two_way(name), name));
        let mut streams: Vec<_> = outputs.chain(inputs).chain(coprocesses).collect();
        streams.sort_by_key(|(opened, ..)| std::cmp::Reverse(*opened));
        streams.into_iter().map(|(_, kind, name)| (kind, name.into())).collect()
    }

    /// Whether that name belongs to a command.
    pub fn is_command(&self, name: &[u8]) -> bool {
        self.outputs.is_open(OutputKind::Pipe, name)
            || self.inputs.is_open(InputKind::Command, name)
            || self.is_open_coprocess(name)
    }
}
