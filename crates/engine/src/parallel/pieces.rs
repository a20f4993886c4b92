//! The files of the command line, cut into pieces.

use riverhawk_vm::parallel::{Boundaries, PieceInput, PieceSource};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// A file of the command line.
#[derive(Clone, Debug)]
pub(super) struct Operand {
    /// Its number; none for the standard input that is read for want of operands.
    pub number: Option<f64>,
    /// Its name; `-` for that standard input.
    pub name: Arc<[u8]>,
    /// Bytes in it.
    pub length: u64,
    /// It is the standard input, from this offset on.
    pub stdin_at: Option<u64>,
}

/// Whole records of one input.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// The place of its operand in the batch.
    pub operand: usize,
    /// Where they are.
    pub input: PieceInput,
    /// First byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// Nothing of its file came before it.
    pub begins_file: bool,
}

impl Piece {
    /// Whole records that came through a pipe.
    pub fn of_memory(bytes: Arc<[u8]>) -> Piece {
        let end = bytes.len() as u64;
        Piece { operand: 0, input: PieceInput::Memory(bytes), start: 0, end, begins_file: false }
    }

    /// To read it, until somebody says that nobody wants it any more; what is read is counted.
    pub fn source(&self, cancelled: Arc<AtomicBool>, progress: Arc<AtomicU64>) -> PieceSource {
        PieceSource { input: self.input.clone(), start: self.start, end: self.end, cancelled, progress }
    }
}

/// Regular files that come one after the other, with no assignment between them; all have something in them, or there is one.
#[derive(Debug)]
pub(super) struct Batch {
    /// The files.
    pub operands: Vec<Operand>,
}

impl Batch {
    /// Those of the named files that can be cut together: regular ones, up to one that seems empty. Some that are made by the
    /// system seem empty and are not, so such a file is a batch of its own.
    pub fn of_files(files: Vec<(f64, Vec<u8>)>) -> Batch {
        let mut operands = Vec::new();
        for (number, name) in files {
            let path = name.split(|&byte| byte == 0).next().unwrap_or_default();
            let Some(metadata) = std::fs::metadata(OsStr::from_bytes(path)).ok().filter(|file| file.is_file()) else {
                break;
            };
            let length = metadata.len();
            if length == 0 && !operands.is_empty() {
                break;
            }
            operands.push(Operand { number: Some(number), name: name.into(), length, stdin_at: None });
            if length == 0 {
                break;
            }
        }
        Batch { operands }
    }

    /// The standard input, when it is a regular file with something left in it.
    pub fn of_stdin(operand: Option<(f64, Vec<u8>)>) -> Batch {
        let (number, name) = operand.map_or((None, b"-".to_vec()), |(number, name)| (Some(number), name));
        let at = || -> io::Result<Option<(u64, u64)>> {
            let mut file = stdin()?;
            let metadata = file.metadata()?;
            let at = io::Seek::stream_position(&mut file)?;
            Ok((metadata.is_file() && metadata.len() > at).then_some((at, metadata.len())))
        };
        // A pipe cannot be asked where it stands: no batch.
        let Some((at, length)) = at().ok().flatten() else { return Batch { operands: Vec::new() } };
        Batch { operands: vec![Operand { number, name: name.into(), length, stdin_at: Some(at) }] }
    }

    /// Bytes in all of them.
    pub fn length(&self) -> u64 {
        self.operands.iter().map(|operand| operand.length - operand.stdin_at.unwrap_or(0)).sum()
    }
}

impl Operand {
    /// Opens it.
    pub fn open(&self) -> io::Result<Arc<File>> {
        if self.stdin_at.is_some() {
            return stdin().map(Arc::new);
        }
        let path = self.name.split(|&byte| byte == 0).next().unwrap_or_default();
        File::open(OsStr::from_bytes(path)).map(Arc::new)
    }
}

fn stdin() -> io::Result<File> {
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

/// Cuts a batch, file after file, each only when its turn comes.
#[derive(Debug)]
pub(super) struct Cutter<'b> {
    batch: &'b Batch,
    boundaries: &'b Boundaries,
    /// Bytes in a piece, about.
    size: u64,
    operand: usize,
    file: Option<Arc<File>>,
    at: u64,
    begins_file: bool,
    /// Where the last file's pieces end: what follows is the leader's.
    rest_at: Option<u64>,
}

impl<'b> Cutter<'b> {
    /// Goes on behind what the leader has read of the first file.
    pub fn new(batch: &'b Batch, boundaries: &'b Boundaries, size: u64) -> Cutter<'b> {
        Cutter { batch, boundaries, size, operand: 0, file: None, at: 0, begins_file: true, rest_at: None }
    }

    /// Goes to another place: behind what somebody else has read, of a file that may be open already.
    pub fn go_to(&mut self, operand: usize, at: u64, file: Option<Arc<File>>) {
        (self.operand, self.at, self.begins_file, self.file) = (operand, at, file.is_none(), file);
    }

    /// The place in the batch of the file that is being cut.
    pub fn operand(&self) -> usize {
        self.operand
    }

    /// What is left of the file that is being cut; `None` when nothing of it has been read.
    pub fn broken_off(&self) -> Option<Piece> {
        let file = self.file.clone().filter(|_| !self.begins_file)?;
        let end = self.batch.operands.get(self.operand)?.length;
        Some(Piece { operand: self.operand, input: PieceInput::File(file), start: self.at, end, begins_file: false })
    }

    /// The next piece; `None` after the last, where the leader goes on: with the last file from [`Cutter::rest`].
    ///
    /// # Errors
    /// A file cannot be opened or read: the leader will find out for itself.
    pub fn next(&mut self) -> io::Result<Option<Piece>> {
        let Some(operand) = self.batch.operands.get(self.operand) else { return Ok(None) };
        let file = match &self.file {
            Some(file) => file.clone(),
            None => self.file.insert(operand.open()?).clone(),
        };
        let is_last = self.operand + 1 == self.batch.operands.len();
        let end = if is_last { self.rest()? } else { operand.length };
        if is_last && self.at >= end {
            return Ok(None);
        }
        let piece = Piece {
            operand: self.operand,
            start: self.at,
            end: self.boundaries.boundary(&file, (self.at + self.size).min(end), end)?,
            input: PieceInput::File(file),
            begins_file: self.begins_file,
        };
        (self.at, self.begins_file) = (piece.end, false);
        if piece.end >= end && !is_last {
            self.go_to(self.operand + 1, 0, None);
        }
        Ok(Some(piece))
    }

    /// The last records of the batch; `None` when the pieces did not come that far, because a file cannot be opened or read.
    pub fn last_piece(&mut self) -> Option<Piece> {
        let last = self.batch.operands.len().checked_sub(1)?;
        let start = self.rest().ok()?;
        if self.operand != last || self.at < start {
            return None;
        }
        let operand = &self.batch.operands[last];
        Some(Piece {
            operand: last,
            input: PieceInput::File(operand.open().ok()?),
            start: self.at,
            end: operand.length,
            begins_file: self.begins_file,
        })
    }

    /// Where in the last file the leader goes on: before its last records, which are about as many as a small piece has.
    pub fn rest(&mut self) -> io::Result<u64> {
        if let Some(at) = self.rest_at {
            return Ok(at);
        }
        let Some(last) = self.batch.operands.last() else { return Ok(0) };
        let file = last.open()?;
        let first = last.stdin_at.unwrap_or(0);
        let mut back = self.size.min(LEADERS_PART);
        let at = loop {
            let from = last.length.saturating_sub(back).max(first);
            let at = if from == first { first } else { self.boundaries.boundary(&file, from, last.length)? };
            if at < last.length || from == first {
                break at;
            }
            // A record longer than that.
            back = back.saturating_mul(8);
        };
        self.rest_at = Some(at);
        Ok(at)
    }
}

/// Bytes that the leader runs itself at both ends: enough for any header, and nothing beside a piece of 4 MiB.
pub(super) const LEADERS_PART: u64 = 64 * 1024;
