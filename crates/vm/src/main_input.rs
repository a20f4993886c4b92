//! The main input: the operands of the command line one after the other, as one stream of records.

mod records;

use crate::file_rules::event::{FileEvent, FileRules};
use crate::following::Following;
use riverhawk_awkio::RecordReader;
use riverhawk_record::terminator::Terminator;
use riverhawk_stream::{Memory, Record as Range, Source, WindowCounters};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// A record this long is not copied when the window moves on: the window gives its whole block away
/// instead.
const GIVE_BLOCK_FROM: usize = 64 * 1024;

/// What is read after a source that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterSource {
    /// The operands that follow.
    Operands,
    /// Nothing, for the time being.
    End,
}

/// What is read next.
#[derive(Debug)]
pub(crate) enum NextOperand {
    /// Files that are named.
    Files,
    /// The standard input: an operand, or for want of any.
    Stdin(Option<(f64, Vec<u8>)>),
    /// Nothing, or something that only the run itself can go on with.
    Serial,
}

/// The operands, and the one being read.
pub struct MainInput {
    /// What is being read. The standard input's reader is here while it is the main input, else
    /// with the other inputs.
    reader: Option<Box<RecordReader>>,
    /// It is the standard input.
    is_stdin: bool,
    /// The next element of ARGV to look at.
    next_argument: f64,
    /// Some operand named a file, so the standard input is not read for want of one.
    had_file: bool,
    ended: bool,
    counters: WindowCounters,
    /// Counts the times that the window's contents have moved or changed.
    epoch: u64,
    /// The end of the present file is the end of the input, for the time being: others are to be
    /// read by somebody else.
    confined: bool,
    /// `nextfile` has ended a file.
    skipped: bool,
    /// The last reader of such a file: its window has been paid for.
    spare: Option<Box<RecordReader>>,
    /// What the file before was read into.
    memory: Option<Memory>,
    /// Where the bytes read are counted for others to see.
    pub(crate) bytes: Option<Arc<AtomicU64>>,
    /// BEGINFILE and ENDFILE.
    pub(crate) rules: FileRules,
    /// No operand is an assignment.
    pub(crate) only_files: bool,
    /// The files that are followed, if they are.
    pub(crate) following: Option<Box<Following>>,
}

/// Nothing read yet.
impl Default for MainInput {
    fn default() -> MainInput {
        MainInput {
            reader: None,
            is_stdin: false,
            next_argument: 1.0,
            had_file: false,
            ended: false,
            counters: WindowCounters::default(),
            epoch: 1,
            confined: false,
            skipped: false,
            spare: None,
            memory: None,
            bytes: None,
            rules: FileRules::default(),
            only_files: false,
            following: None,
        }
    }
}

impl MainInput {
    /// Begins to read a source, and after it what `then` says.
    pub(crate) fn read_from(
        &mut self,
        source: impl Source + 'static,
        window: usize,
        then: AfterSource,
    ) {
        self.epoch += 1;
        self.reader = Some(match self.spare.take() {
            Some(mut reader) => {
                reader.restart(source);
                reader
            }
            None => Box::new(RecordReader::of_source(source, window)),
        });
        self.confined = then == AfterSource::End;
    }

    /// Begins to read with a reader of somebody else's.
    pub(crate) fn read_with(&mut self, reader: RecordReader) {
        self.epoch += 1;
        self.reader = Some(Box::new(reader));
        self.confined = false;
    }

    /// The reader of a file that is followed, while others are read.
    pub(crate) fn take_reader(&mut self) -> Option<Box<RecordReader>> {
        self.epoch += 1;
        self.reader.take()
    }

    /// Reads a file that is followed, for the first time or again.
    pub(crate) fn give_reader(&mut self, reader: Option<Box<RecordReader>>) {
        self.epoch += 1;
        self.reader = reader;
    }

    /// Goes on with the operands after whatever was read last.
    pub(crate) fn end_confinement(&mut self) {
        self.confined = false;
    }

    /// Whether `nextfile` has ended a file since this was last asked.
    pub(crate) fn take_skipped(&mut self) -> bool {
        std::mem::take(&mut self.skipped)
    }

    /// Whether a file is being read, or all have been.
    pub(crate) fn is_busy(&self) -> bool {
        self.reader.is_some() || self.ended
    }

    /// What stands before the record that was found last and belongs to none.
    pub(crate) fn lead(&self, range: &Range) -> &[u8] {
        self.reader.as_ref().map_or(&[], |reader| reader.records.lead(range))
    }

    /// The same behind the last record of the file.
    pub(crate) fn trail(&self) -> &[u8] {
        self.reader.as_ref().map_or(&[], |reader| reader.records.trail())
    }

    /// The text of a record that is still in the window.
    pub(crate) fn text(&self, range: &Range) -> &[u8] {
        self.reader.as_ref().map_or(&[], |reader| reader.records.text(range))
    }

    /// What ended a record that is still in the window; a text of several bytes is kept in `text`.
    pub(crate) fn terminator_of(&self, range: &Range, text: &mut Vec<u8>) -> Terminator {
        self.reader
            .as_ref()
            .map_or(Terminator::None, |reader| Terminator::of(&reader.records, range, text))
    }

    /// Whether a file is being read.
    pub(crate) fn is_reading(&self) -> bool {
        self.reader.is_some()
    }

    /// Says what has happened to a file, if there is a rule for it; whether there is.
    pub(crate) fn tell(&mut self, event: FileEvent) -> bool {
        self.rules.tell(event)
    }

    /// Whether a rule must run before there can be another record.
    #[inline]
    pub(crate) fn has_event(&self) -> bool {
        self.rules.has_event()
    }

    /// Counts the times that the window's contents have moved or changed.
    #[inline]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Whether the main input is the standard input, whose one reader it then keeps.
    #[inline]
    pub fn reads_stdin(&self) -> bool {
        self.is_stdin
    }

    /// Where in the window a text that is part of it begins, and the window.
    #[inline]
    pub fn place_of(&self, text: &[u8]) -> Option<(usize, &[u8])> {
        let window = self.reader.as_ref()?.records.bytes();
        let start = (text.as_ptr() as usize).wrapping_sub(window.as_ptr() as usize);
        (start <= window.len()).then_some((start, window))
    }

    /// How many code points a record in the window has, if the reader has counted them together
    /// with those of its neighbours.
    #[inline]
    pub(crate) fn code_points(&mut self, record: &[u8]) -> Option<usize> {
        let reader = self.reader.as_deref_mut()?;
        let end = (record.as_ptr_range().end as usize)
            .wrapping_sub(reader.records.bytes().as_ptr() as usize);
        reader.records.code_points(end)
    }

    /// Counters of the reader in use, or of the last one.
    pub fn last_counters(&self) -> WindowCounters {
        self.reader.as_ref().map_or(self.counters, |reader| reader.records.counters())
    }
}
