//! From a file's bytes to text: decompressed, without a byte order mark, decoded.

use riverhawk_system::fd::AsFd;
use std::io;
use std::sync::Arc;

use riverhawk_compress::{Blocks, Codec, Guess, Limit, Sniffed};
use riverhawk_stream::{Memory, Records, Source};

use crate::coding::Coding;
use crate::filesystem::{OperandFiles, ReadAt};

/// How files are read. Output of commands is unchanged.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The coding, if not UTF-8.
    pub coding: Option<Coding>,
    /// Limit of decompression; `None` reads compressed files as they are.
    pub decompress: Option<Limit>,
    /// Maximum length of a record, also for commands.
    pub max_record: Option<usize>,
    /// Whether an initial byte order mark is dropped.
    pub strip_mark: bool,
    /// The treatment of directories.
    pub directories: Directories,
    /// Files that are not the system's.
    pub operand_files: Option<Arc<dyn OperandFiles>>,
}

/// The treatment of directories among the inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directories {
    /// Reading one is an error.
    Refused,
    /// Each entry is a record, split into fields as usual.
    Records,
    /// Each entry is a record of three fields.
    Fields,
}

pub(super) struct Room {
    used: Option<Memory>,
    window: usize,
}

impl Room {
    pub(super) fn new(window: usize) -> Room {
        Room { used: None, window }
    }

    pub(super) fn of(used: Option<Memory>, window: usize) -> Room {
        Room { used, window }
    }

    fn records(self, source: impl Source + 'static) -> Records {
        match self.used {
            Some(memory) => Records::in_memory(source, memory),
            None => Records::with_window(source, self.window),
        }
    }
}

/// UTF-8, decompressed.
impl Default for Reading {
    fn default() -> Self {
        Reading {
            coding: None,
            max_record: None,
            decompress: Some(Limit::default()),
            strip_mark: false,
            directories: Directories::Refused,
            operand_files: None,
        }
    }
}

impl Reading {
    pub(super) fn records(
        &self,
        source: impl Source + 'static,
        room: Room,
        guess: Guess,
    ) -> Records {
        let mut records = match self.decompress {
            Some(limit) if guess != Guess::Plain => self.decoded(Sniffed::new(source, limit), room),
            _ => self.decoded(source, room),
        };
        if let Some(bytes) = self.max_record {
            records.set_limit(bytes);
        }
        records
    }

    /// `source` decompressed and decoded.
    pub fn source(&self, source: impl Source + 'static) -> Box<dyn Source> {
        let mut source: Box<dyn Source> = Box::new(source);
        if let Some(limit) = self.decompress {
            source = Box::new(Sniffed::new(source, limit));
        }
        if let Some(coding) = &self.coding {
            source = Box::new(coding.decode(source));
        }
        if self.strip_mark { Box::new(WithoutMark::new(source)) } else { source }
    }

    fn decoded(&self, source: impl Source + 'static, room: Room) -> Records {
        match (&self.coding, self.strip_mark) {
            (None, false) => room.records(source),
            (None, true) => room.records(WithoutMark::new(source)),
            (Some(coding), false) => room.records(coding.decode(source)),
            (Some(coding), true) => room.records(WithoutMark::new(coding.decode(source))),
        }
    }

    /// Whether files that are not compressed are changed too.
    pub fn changes_text(&self) -> bool {
        self.coding.is_some() || self.strip_mark
    }

    /// Whether this regular file would be decompressed.
    pub fn decompresses(&self, fd: impl AsFd) -> bool {
        self.decompress.is_some() && matches!(guess(fd), Guess::Compressed(_))
    }
}

/// Fills the block from the offset on, as far as the file goes; how many bytes there were.
///
/// # Errors
/// Reading fails.
pub fn fill_at(input: &(impl ReadAt + ?Sized), block: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < block.len() {
        match input.read_at(&mut block[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Whether a file would be decompressed, which reads its beginning.
///
/// # Errors
/// Reading fails.
pub fn is_compressed(input: &impl ReadAt) -> io::Result<bool> {
    let mut beginning = [0; Codec::LONGEST_BEGINNING];
    let count = fill_at(input, &mut beginning, 0)?;
    Ok(matches!(Codec::guess(&beginning[..count]), Guess::Compressed(_)))
}

/// Whether the file consists of blocks that can be found, and how.
///
/// # Errors
/// Reading fails.
pub fn blocks_of(input: &impl ReadAt) -> io::Result<Option<Blocks>> {
    let mut beginning = [0; Blocks::LONGEST_BEGINNING];
    let count = fill_at(input, &mut beginning, 0)?;
    Ok(Blocks::of_content(&beginning[..count]))
}

/// As [`Blocks::find`].
///
/// # Errors
/// Reading fails.
pub fn find_block(
    blocks: Blocks,
    input: &(impl ReadAt + ?Sized),
    known: u64,
    from: u64,
) -> io::Result<Option<u64>> {
    blocks.find(&mut |at, block| fill_at(input, block, at), known, from)
}

/// Does not move the offset.
pub(super) fn guess(fd: impl AsFd) -> Guess {
    riverhawk_system::fs::tell(&fd).map_or(Guess::Unknown, |at| guess_at(fd, at))
}

pub(super) fn guess_at(fd: impl AsFd, at: u64) -> Guess {
    let mut beginning = [0; Codec::LONGEST_BEGINNING];
    match riverhawk_system::io::pread(&fd, &mut beginning, at) {
        // The end of the file.
        Ok(count) => match Codec::guess(&beginning[..count]) {
            Guess::Unknown if count < beginning.len() => Guess::Plain,
            guess => guess,
        },
        Err(_) => Guess::Unknown,
    }
}

/// U+FEFF in UTF-8.
const MARK: &[u8] = b"\xEF\xBB\xBF";

struct WithoutMark<S> {
    source: S,
    beginning: Vec<u8>,
    at: usize,
    is_decided: bool,
}

impl<S: Source> WithoutMark<S> {
    fn new(source: S) -> Self {
        WithoutMark { source, beginning: Vec::with_capacity(MARK.len()), at: 0, is_decided: false }
    }
}

impl<S: Source> Source for WithoutMark<S> {
    fn read(&mut self, room: &mut riverhawk_stream::Room<'_>) -> io::Result<usize> {
        while !self.is_decided {
            let count = self
                .source
                .read(&mut riverhawk_stream::Room::new(&mut self.beginning, MARK.len()))?;
            let is_mark = self.beginning == MARK;
            self.is_decided = count == 0 || is_mark || !MARK.starts_with(&self.beginning);
            if is_mark {
                self.beginning.clear();
            }
        }
        if self.at == self.beginning.len() {
            return self.source.read(room);
        }
        let taken = room.append(&self.beginning[self.at..]);
        self.at += taken;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_stream::{ScriptedSource, Step};

    #[test]
    fn a_mark_goes_and_whatever_only_begins_like_one_stays() {
        for (text, expected) in [
            (&b"\xEF\xBB\xBFa\n"[..], &b"a"[..]),
            (b"\xEF\xBBa\n", b"\xEF\xBBa"),
            (b"\xEF\xBB", b"\xEF\xBB"),
            (b"\xEF\xBB\xBF\xEF\xBB\xBF\n", MARK),
            (b"a\xEF\xBB\xBF\n", b"a\xEF\xBB\xBF"),
        ] {
            for chunk in 1..4 {
                let reading = Reading { strip_mark: true, ..Reading::default() };
                let mut records = reading.records(
                    ScriptedSource::chunked(text, chunk),
                    Room::new(10),
                    Guess::Unknown,
                );
                let record = loop {
                    match records.next_buffered() {
                        Step::Record(record) => break record,
                        Step::NeedMore => records.refill().unwrap(),
                        Step::End => panic!("no record"),
                    };
                };
                assert_eq!(records.text(&record), expected);
            }
        }
    }
}
