//! A scripted source for tests: short reads, interruptions, errors.

use super::{Room, Source};
use std::collections::VecDeque;
use std::io;

/// The result of a read.
#[derive(Debug, Clone)]
pub enum Piece {
    /// In several reads if necessary. An empty piece is skipped.
    Bytes(Vec<u8>),
    /// `EINTR`.
    Interrupted,
    /// An error of this kind.
    Error(io::ErrorKind),
}

/// One piece per read, then the end.
#[derive(Debug, Clone, Default)]
pub struct ScriptedSource {
    pieces: VecDeque<Piece>,
}

impl ScriptedSource {
    /// A source with this script.
    pub fn new(pieces: impl IntoIterator<Item = Piece>) -> Self {
        Self { pieces: pieces.into_iter().collect() }
    }

    /// `text` in pieces of `size` bytes (at least 1), the last one shorter.
    pub fn chunked(text: &[u8], size: usize) -> Self {
        Self::new(text.chunks(size.max(1)).map(|chunk| Piece::Bytes(chunk.to_vec())))
    }
}

impl Source for ScriptedSource {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        loop {
            match self.pieces.pop_front() {
                None => return Ok(0),
                Some(Piece::Interrupted) => return Err(io::ErrorKind::Interrupted.into()),
                Some(Piece::Error(kind)) => return Err(kind.into()),
                Some(Piece::Bytes(mut bytes)) => {
                    if bytes.is_empty() {
                        continue;
                    }
                    let taken = room.append(&bytes);
                    if taken < bytes.len() {
                        bytes.drain(..taken);
                        self.pieces.push_front(Piece::Bytes(bytes));
                    }
                    return Ok(taken);
                }
            }
        }
    }
}
