//! A source that a task of the process's pool fills: the program works while the next blocks are
//! decoded.

use crate::members::{BLOCK, decode};
use crate::{Codec, Limit};
use riverhawk_pool::{Receiver, Sender, blocking, channel, process};
use riverhawk_stream::{Room, Source};
use std::io::{self, BufReader, Read};

/// Blocks that may wait to be read: enough that neither side waits for the other at every block,
/// and 512 KiB.
const AHEAD: usize = 4;

/// Bytes of the compressed input that are read at once.
const READ_AT_ONCE: usize = 64 * 1024;

/// What a compressed source stands for, decoded beside the caller's thread.
pub struct Decompressed {
    blocks: Receiver<io::Result<Vec<u8>>>,
    /// Blocks that have been read go back, for their memory.
    emptied: Sender<Vec<u8>>,
    block: Vec<u8>,
    block_at: usize,
}

impl Decompressed {
    /// Begins to decode `source`, of which `beginning` has been read already.
    ///
    /// # Errors
    /// The pool has no thread, and the system refuses it one.
    pub fn begin(
        codec: Codec,
        beginning: Vec<u8>,
        source: impl Source + 'static,
        limit: Limit,
    ) -> io::Result<Self> {
        let pool = process::handle();
        if !pool.ensure_worker() {
            return Err(io::Error::other("the system refuses another thread"));
        }
        let (full, blocks) = channel(Some(AHEAD));
        let (emptied, empty) = channel(None);
        let input = BufReader::with_capacity(
            READ_AT_ONCE,
            io::Cursor::new(beginning).chain(SourceReader { source, spare: Vec::new() }),
        );
        let work = move || fill(codec, input, limit, &full, &empty);
        pool.spawner().name(codec.name()).run(work);
        Ok(Decompressed { blocks, emptied, block: Vec::new(), block_at: 0 })
    }
}

fn fill(
    codec: Codec,
    input: impl io::BufRead,
    limit: Limit,
    full: &Sender<io::Result<Vec<u8>>>,
    empty: &Receiver<Vec<u8>>,
) {
    let result = decode(codec, input, limit, |block| {
        let next = empty.try_receive().unwrap_or_else(|| Vec::with_capacity(BLOCK));
        // Fails when the reader was dropped.
        full.send(Ok(std::mem::replace(block, next))).wait().is_ok()
    });
    if let Err(error) = result {
        let _ = full.send(Err(error)).wait();
    }
}

impl Source for Decompressed {
    fn read(&mut self, room: &mut Room<'_>) -> io::Result<usize> {
        while self.block_at == self.block.len() {
            match self.blocks.receive().wait() {
                Some(Ok(block)) => {
                    let read = std::mem::replace(&mut self.block, block);
                    self.block_at = 0;
                    if read.capacity() > 0 {
                        let _ = self.emptied.send(read).wait();
                    }
                }
                Some(Err(error)) => return Err(error),
                None => return Ok(0),
            }
        }
        let taken = room.append(&self.block[self.block_at..]);
        self.block_at += taken;
        Ok(taken)
    }
}

/// A source as a reader. Reading may wait, for a pipe for instance, which the pool is told.
struct SourceReader<S> {
    source: S,
    spare: Vec<u8>,
}

impl<S: Source> Read for SourceReader<S> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.spare.clear();
        self.spare.reserve(out.len());
        let count = blocking(|| self.source.read(&mut Room::new(&mut self.spare, out.len())))?;
        out[..count].copy_from_slice(&self.spare[..count]);
        Ok(count)
    }
}
