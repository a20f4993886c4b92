//! The input and output of a run inside another program.

use riverhawk_awkio::filesystem::FileSystem;
use riverhawk_awkio::{BrokenPipe, Io, Outputs};
use riverhawk_stream::Source;
use std::io::{self, Write};
use std::sync::Arc;

/// The standard streams and files of a run whose process is the caller's.
///
/// By default the input is empty, output is dropped, and files are the system's.
pub struct Streams {
    /// The standard input; the process's if `None`.
    pub stdin: Option<Box<dyn Source>>,
    /// The standard output, of commands too. It gets blocks of up to 64 KiB.
    pub stdout: Box<dyn Write + Send>,
    /// The standard error, of commands too.
    pub stderr: Box<dyn Write + Send>,
    /// Where files are opened; in the operating system if `None`.
    pub file_system: Option<Arc<dyn FileSystem>>,
}

impl Default for Streams {
    fn default() -> Streams {
        Streams {
            stdin: Some(Box::new(riverhawk_stream::MemorySource::new(Vec::new()))),
            stdout: Box::new(io::sink()),
            stderr: Box::new(io::sink()),
            file_system: None,
        }
    }
}

impl Streams {
    /// The standard input is this text.
    pub fn read_from(&mut self, text: Vec<u8>) {
        self.stdin = Some(Box::new(riverhawk_stream::MemorySource::new(text)));
    }

    pub(crate) fn into_io(self, window: usize) -> Io {
        let outputs = Outputs::with_writers(self.stdout, self.stderr);
        let mut io = Io::with_outputs(outputs, BrokenPipe::Report, window);
        if let Some(source) = self.stdin {
            io.inputs.set_stdin_source(source);
        }
        if let Some(file_system) = self.file_system {
            io.outputs.set_file_system(file_system);
        }
        io
    }
}
