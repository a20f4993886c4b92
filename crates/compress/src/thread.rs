//! A source that another thread fills: the program works while the next pieces are decoded.

use crate::members::{PIECE, decode};
use crate::{Codec, Limit};
use riverhawk_stream::{Room, Source};
use std::io::{self, BufReader, Read};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

/// Pieces that may wait to be read: enough that neither side waits for the other at every piece,
/// and 512 KiB.
const AHEAD: usize = 4;

/// What is read of the compressed input at once.
const READ_AT_ONCE: usize = 64 * 1024;

/// What a compressed source stands for, decoded by a thread of its own.
pub struct Decompressed {
    pieces: Receiver<io::Result<Vec<u8>>>,
    /// Pieces that have been read go back, for their memory.
    empty: Sender<Vec<u8>>,
    piece: Vec<u8>,
    piece_at: usize,
}

impl Decompressed {
    /// Begins to decode `source`, of which `beginning` has been read already.
    ///
    /// # Errors
    /// There is no thread to be had.
    pub fn begin(
        codec: Codec,
        beginning: Vec<u8>,
        source: impl Source + 'static,
        limit: Limit,
    ) -> io::Result<Self> {
        let (full, pieces) = sync_channel(AHEAD);
        let (empty, emptied) = channel();
        let work = move || {
            let input = BufReader::with_capacity(
                READ_AT_ONCE,
                io::Cursor::new(beginning).chain(SourceReader { source, spare: Vec::new() }),
            );
            work(codec, input, limit, &full, &emptied);
        };
        std::thread::Builder::new().name(format!("rhawk {codec}")).spawn(work)?;
        Ok(Decompressed { pieces, empty, piece: Vec::new(), piece_at: 0 })
    }
}

fn work(
    codec: Codec,
    input: impl io::BufRead,
    limit: Limit,
    full: &SyncSender<io::Result<Vec<u8>>>,
    emptied: &Receiver<Vec<u8>>,
) {
    let result = decode(codec, input, limit, |piece| {
        let next = emptied.try_recv().unwrap_or_else(|_| Vec::with_capacity(PIECE));
        // Nobody listens any more: the reader was dropped.
        full.send(Ok(std::mem::replace(piece, next))).is_ok()
    });
    if let Err(error) = result {
        let _ = full.send(Err(error));
    }
}

impl Source for Decompressed {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        while self.piece_at == self.piece.len() {
            match self.pieces.recv() {
                Ok(Ok(piece)) => {
                    let read = std::mem::replace(&mut self.piece, piece);
                    self.piece_at = 0;
                    if read.capacity() > 0 {
                        let _ = self.empty.send(read);
                    }
                }
                Ok(Err(error)) => return Err(error),
                // The thread is done: that is the end.
                Err(_) => return Ok(0),
            }
        }
        let taken = room.append(&self.piece[self.piece_at..]);
        self.piece_at += taken;
        Ok(taken)
    }
}

/// A source as a reader.
struct SourceReader<S> {
    source: S,
    spare: Vec<u8>,
}

impl<S: Source> Read for SourceReader<S> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.spare.clear();
        self.spare.reserve(out.len());
        let count = self.source.read(&mut Room::new(&mut self.spare, out.len()))?;
        out[..count].copy_from_slice(&self.spare[..count]);
        Ok(count)
    }
}
