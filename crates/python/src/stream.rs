//! What a program prints, line by line as it is asked for: `riverhawk.Stream`.
//!
//! The program runs on a thread of its own, so that it can wait until the blocks that it has printed are
//! taken. It is not the facade's thread, since exceptions of functions are kept by thread.

use crate::convert::str_of;
use crate::errors::failure;
use crate::function::with_raised;
use crate::options::Prepared;
use crate::raised::Raised;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyString;
use riverhawk::{Cancel, Outcome, RunError};
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Blocks that the program may be ahead.
const BLOCKS_AHEAD: usize = 2;

/// How often Python's signals are looked at while the program prints nothing.
const SIGNALS_EVERY: Duration = Duration::from_millis(20);

/// The lines that a program prints, without their newlines; see `Program.stream`.
#[pyclass(frozen, module = "riverhawk")]
pub(crate) struct Stream(Mutex<Pull>, Cancel);

struct Pull {
    blocks: Option<Receiver<Vec<u8>>>,
    block: Vec<u8>,
    /// How much of `block` is used.
    at: usize,
    run: Option<JoinHandle<Result<Outcome, RunError>>>,
    raised: Raised,
}

impl Stream {
    pub(crate) fn begin(program: riverhawk::Program, prepared: Prepared) -> PyResult<Stream> {
        let cancel = prepared.cancel.clone();
        Ok(Stream(Mutex::new(Pull::begin(program, prepared)?), cancel))
    }
}

#[pymethods]
impl Stream {
    fn __iter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let pull = self.0.lock_py_attached(py);
        pull.unwrap_or_else(PoisonError::into_inner).next(py)
    }

    /// End the run, and wait for its end. What it raises meanwhile is dropped.
    fn close(&self, py: Python<'_>) {
        self.1.cancel();
        let pull = self.0.lock_py_attached(py);
        pull.unwrap_or_else(PoisonError::into_inner).end(py);
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, pyo3::types::PyTuple>) {
        self.close(py);
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // It ends by itself then; waiting for it could be for ever, if it waits for the GIL.
        self.1.cancel();
    }
}

impl Pull {
    fn begin(program: riverhawk::Program, prepared: Prepared) -> PyResult<Pull> {
        let Prepared { run, raised, cancel } = prepared;
        let (sender, blocks) = sync_channel(BLOCKS_AHEAD);
        let (run, kept) = (run.cancel(&cancel).stdout(Blocks(sender)), raised.clone());
        let run = thread::Builder::new()
            .name("program".into())
            .spawn(move || with_raised(&kept, || program.run(run)))
            .map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok(Pull { blocks: Some(blocks), block: Vec::new(), at: 0, run: Some(run), raised })
    }

    fn next<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let mut begun: Vec<u8> = Vec::new();
        loop {
            let rest = &self.block[self.at..];
            if let Some(end) = memchr::memchr(b'\n', rest) {
                self.at += end + 1;
                if begun.is_empty() {
                    return str_of(py, &rest[..end]).map(Some);
                }
                begun.extend_from_slice(&rest[..end]);
                return str_of(py, &begun).map(Some);
            }
            begun.extend_from_slice(rest);
            (self.block, self.at) = (Vec::new(), 0);
            match self.receive(py) {
                Ok(Some(block)) => self.block = block,
                Ok(None) => {
                    if !begun.is_empty() {
                        return str_of(py, &begun).map(Some);
                    }
                    return self.ended(py).map(|()| None);
                }
                Err(signal) => {
                    self.block = begun;
                    return Err(signal);
                }
            }
        }
    }

    /// The next block; `None` when there are no more.
    fn receive(&mut self, py: Python<'_>) -> PyResult<Option<Vec<u8>>> {
        let Some(blocks) = &mut self.blocks else { return Ok(None) };
        loop {
            let blocks = &mut *blocks;
            match py.detach(move || blocks.recv_timeout(SIGNALS_EVERY)) {
                Ok(block) => return Ok(Some(block)),
                Err(RecvTimeoutError::Timeout) => py.check_signals()?,
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
            }
        }
    }

    /// What the run raises at its end, once.
    fn ended(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(run) = self.end(py) else { return Ok(()) };
        match (run, self.raised.take()) {
            (Ok(_), None) => Ok(()),
            (Ok(_), Some(exception)) => Err(exception),
            (Err(error), raised) => Err(failure(py, error, raised)),
        }
    }

    fn end(&mut self, py: Python<'_>) -> Option<Result<Outcome, RunError>> {
        (self.blocks, self.block, self.at) = (None, Vec::new(), 0);
        let run = self.run.take()?;
        match py.detach(|| run.join()) {
            Ok(ended) => Some(ended),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// The same as a reader, which attaches to the interpreter while it waits. What the run raises is kept as
/// what the run's options raise.
pub(crate) struct Printed {
    pull: Pull,
    cancel: Cancel,
}

impl Printed {
    pub(crate) fn begin(program: riverhawk::Program, prepared: Prepared) -> PyResult<Printed> {
        let cancel = prepared.cancel.clone();
        Ok(Printed { pull: Pull::begin(program, prepared)?, cancel })
    }
}

impl Read for Printed {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let pull = &mut self.pull;
        if pull.at == pull.block.len() {
            let received = Python::try_attach(|py| match pull.receive(py)? {
                Some(block) => Ok(block),
                None => pull.ended(py).map(|()| Vec::new()),
            });
            let Some(received) = received else {
                return Err(io::Error::other("Python has ended"));
            };
            pull.block = received.map_err(|error| pull.raised.keep(error))?;
            pull.at = 0;
        }
        let taken = room.len().min(pull.block.len() - pull.at);
        room[..taken].copy_from_slice(&pull.block[pull.at..pull.at + taken]);
        pull.at += taken;
        Ok(taken)
    }
}

impl Drop for Printed {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

struct Blocks(SyncSender<Vec<u8>>);

impl Write for Blocks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(bytes.to_vec()).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
