//! A piece's input, output and starting state.

use crate::unpacked::{Section, Unpacked};
use riverhawk_awkio::filesystem::{OperandFile, ReadAt};
use riverhawk_awkio::{Blocks, BrokenPipe, Coding, Io, Limit, Outputs, find_block};
use riverhawk_stream::{Room, Source};
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The bytes of a piece.
#[derive(Clone, Debug)]
pub enum PieceInput {
    /// In a file, read at an offset by several threads.
    File(Arc<File>),
    /// In memory: from a pipe.
    Memory(Arc<[u8]>),
    /// Not the system's.
    Elsewhere(OperandFile),
    /// Decompressed on the way.
    Unpacked(Arc<Unpacked>),
}

impl PieceInput {
    /// What comes of it when it is decompressed.
    pub fn unpacked(self, limit: Limit) -> PieceInput {
        PieceInput::Unpacked(Arc::new(Unpacked::new(Arc::new(self), limit)))
    }

    /// A section of the same compressed file; other files are whole.
    pub fn of_section(&self, section: Section) -> PieceInput {
        match self {
            PieceInput::Unpacked(text) => PieceInput::Unpacked(Arc::new(text.of_section(section))),
            other => other.clone(),
        }
    }

    /// Which section of its file it is.
    pub fn section(&self) -> Section {
        match self {
            PieceInput::Unpacked(text) => text.section(),
            _ => Section::default(),
        }
    }

    /// The first block of a compressed file from `from` on, after that at which this section begins.
    ///
    /// # Errors
    /// Reading fails.
    pub fn find_block(&self, blocks: Blocks, from: u64) -> io::Result<Option<u64>> {
        match self {
            PieceInput::Unpacked(text) => {
                find_block(blocks, text.file(), text.section().from, from)
            }
            _ => Ok(None),
        }
    }
}

impl ReadAt for PieceInput {
    fn read_at(&self, block: &mut [u8], offset: u64) -> io::Result<usize> {
        match self {
            PieceInput::File(file) => Ok(riverhawk_system::io::pread(file, block, offset)?),
            PieceInput::Memory(bytes) => {
                let left = usize::try_from(offset).ok().and_then(|at| bytes.get(at..));
                let left = left.unwrap_or_default();
                let count = left.len().min(block.len());
                block[..count].copy_from_slice(&left[..count]);
                Ok(count)
            }
            PieceInput::Elsewhere(file) => file.bytes.read_at(block, offset),
            PieceInput::Unpacked(text) => text.read_at(block, offset),
        }
    }
}

/// A part of the input.
#[derive(Clone, Debug)]
pub struct PieceSource {
    /// Where its bytes are.
    pub input: PieceInput,
    /// The next offset to read.
    pub start: u64,
    /// Its end, at most that of the input.
    pub end: u64,
    /// Ends the piece early.
    pub cancelled: Arc<AtomicBool>,
    /// Bytes read by all pieces.
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
            input => room.read_from(&mut Placed { input, start: self.start, most })?,
        };
        self.start += count as u64;
        self.progress.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// An input from a place on.
struct Placed<'i> {
    input: &'i PieceInput,
    start: u64,
    most: usize,
}

impl Read for Placed<'_> {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let wanted = block.len().min(self.most);
        self.input.read_at(&mut block[..wanted], self.start)
    }
}

/// Collects what a piece prints.
#[derive(Clone, Debug)]
pub struct PieceOutput {
    limit: usize,
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl PieceOutput {
    /// Beyond `limit` bytes writing fails.
    pub fn new(limit: usize) -> PieceOutput {
        PieceOutput { limit, bytes: Arc::default() }
    }

    /// Collects standard output and error, up to a limit.
    pub fn streams(stdout: &PieceOutput, stderr: &PieceOutput, window: usize) -> Io {
        let outputs = Outputs::with_writers(Box::new(stdout.clone()), Box::new(stderr.clone()));
        Io::with_outputs(outputs, BrokenPipe::Report, window)
    }

    /// Takes what has been collected.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.bytes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl io::Write for PieceOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut collected = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        if collected.len() + bytes.len() > self.limit {
            return Err(io::ErrorKind::StorageFull.into());
        }
        collected.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A piece's starting state, besides the variables.
#[derive(Clone, Debug, Default)]
pub struct Before {
    /// FILENAME.
    pub name: Arc<[u8]>,
    /// NR and FNR.
    pub counted: (f64, f64),
    /// Whether each range is open.
    pub ranges: Vec<bool>,
    /// A piece that prints what this cannot represent is left to the leader.
    pub coding: Option<Coding>,
    /// Whether the piece must end with a terminator, since its end is a guess.
    pub must_end: bool,
}
