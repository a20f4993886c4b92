//! The input of a piece, what it prints, and what it starts from.

use riverhawk_awkio::{BrokenPipe, Coding, Io, Outputs};
use riverhawk_stream::{Room, Source};
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Where the bytes of a piece are.
#[derive(Clone, Debug)]
pub enum PieceInput {
    /// In a file, read without touching the descriptor's position, which many may do at once.
    File(Arc<File>),
    /// In memory: a part of what came through a pipe.
    Memory(Arc<[u8]>),
}

/// A part of the input.
#[derive(Clone, Debug)]
pub struct PieceSource {
    /// Where it is.
    pub input: PieceInput,
    /// What is read next.
    pub start: u64,
    /// Where it ends; past the end of the input means as far as that goes.
    pub end: u64,
    /// Nobody wants it any more: it ends.
    pub cancelled: Arc<AtomicBool>,
    /// Bytes read by everybody.
    pub progress: Arc<AtomicU64>,
}

impl Source for PieceSource {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        let most = usize::try_from(self.end.saturating_sub(self.start)).unwrap_or(usize::MAX);
        if most == 0 || self.cancelled.load(Ordering::Relaxed) {
            return Ok(0);
        }
        let count = match &self.input {
            PieceInput::File(file) => room.read_fd_at(&**file, self.start, most)?,
            PieceInput::Memory(bytes) => {
                let left = bytes.get(self.start as usize..).unwrap_or_default();
                room.append(&left[..left.len().min(most)])
            }
        };
        self.start += count as u64;
        self.progress.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// Bytes that a piece may print before it is given up: memory is bounded, and the leader prints as
/// it goes.
const OUTPUT_LIMIT: usize = 64 * 1024 * 1024;

/// Collects what a piece prints.
#[derive(Clone, Debug, Default)]
pub struct PieceOutput {
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl PieceOutput {
    /// Streams for a machine that runs pieces: standard output is collected in `stdout`, what it
    /// writes to standard error (a warning) in `stderr`. Both refuse what is past a limit.
    pub fn streams(stdout: &PieceOutput, stderr: &PieceOutput, window: usize) -> Io {
        let outputs = Outputs::with_writers(Box::new(stdout.clone()), Box::new(stderr.clone()));
        Io::with_outputs(outputs, BrokenPipe::Report, window)
    }

    /// What has been collected; it is empty then.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl io::Write for PieceOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut collected = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        if collected.len() + bytes.len() > OUTPUT_LIMIT {
            return Err(io::ErrorKind::StorageFull.into());
        }
        collected.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a piece starts from, besides the variables.
#[derive(Clone, Debug, Default)]
pub struct Before {
    /// FILENAME.
    pub name: Arc<[u8]>,
    /// NR and FNR.
    pub counted: (f64, f64),
    /// Whether each range is open.
    pub ranges: Vec<bool>,
    /// What the leader will write the output in: a piece that prints what cannot be written so is
    /// the leader's, which says at which record.
    pub coding: Option<Coding>,
    /// That the piece ends with the end of a record is only supposed: without it the piece is not
    /// what it should be.
    pub must_end: bool,
}
