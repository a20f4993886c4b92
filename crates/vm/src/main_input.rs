//! The main input: all operands, as one stream of records.

mod records;

use crate::file_rules::event::{FileEvent, FileRules};
use crate::following::Following;
use crate::progress::ReadMeter;
use riverhawk_awkio::RecordReader;
use riverhawk_record::terminator::Terminator;
use riverhawk_stream::{Memory, Record as Range, Source, WindowCounters};

/// Records from this length on are not copied when the window moves; the window gives its block
/// away instead.
const GIVE_BLOCK_FROM: usize = 64 * 1024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AfterSource {
    Operands,
    End,
}

#[derive(Debug)]
pub(crate) enum NextOperand {
    Files,
    Stdin(Option<(f64, Vec<u8>)>),
    /// Nothing, or what only a serial run can read.
    Serial,
}

pub struct MainInput {
    /// The standard input's reader is here while it is the main input, otherwise with the other
    /// inputs.
    reader: Option<Box<RecordReader>>,
    is_stdin: bool,
    next_argument: f64,
    /// Whether an operand named a file; the standard input is then not read by default.
    had_file: bool,
    ended: bool,
    counters: WindowCounters,
    epoch: u64,
    /// Whether the input ends with this file for now, because others read the rest.
    confined: bool,
    skipped: bool,
    spare: Option<Box<RecordReader>>,
    memory: Option<Memory>,
    pub(crate) meter: ReadMeter,
    pub(crate) rules: FileRules,
    pub(crate) only_files: bool,
    pub(crate) following: Option<Box<Following>>,
}

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
            meter: ReadMeter::default(),
            rules: FileRules::default(),
            only_files: false,
            following: None,
        }
    }
}

impl MainInput {
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

    pub(crate) fn read_with(&mut self, reader: RecordReader) {
        self.epoch += 1;
        self.reader = Some(Box::new(reader));
        self.confined = false;
    }

    pub(crate) fn take_reader(&mut self) -> Option<Box<RecordReader>> {
        self.epoch += 1;
        self.reader.take()
    }

    pub(crate) fn give_reader(&mut self, reader: Option<Box<RecordReader>>) {
        self.epoch += 1;
        self.reader = reader;
    }

    pub(crate) fn end_confinement(&mut self) {
        self.confined = false;
    }

    pub(crate) fn take_skipped(&mut self) -> bool {
        std::mem::take(&mut self.skipped)
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.reader.is_some() || self.ended
    }

    pub(crate) fn lead(&self, range: &Range) -> &[u8] {
        self.reader.as_ref().map_or(&[], |reader| reader.records.lead(range))
    }

    pub(crate) fn trail(&self) -> &[u8] {
        self.reader.as_ref().map_or(&[], |reader| reader.records.trail())
    }

    pub(crate) fn text(&self, range: &Range) -> &[u8] {
        self.reader.as_ref().map_or(&[], |reader| reader.records.text(range))
    }

    /// The terminator of a record in the window; `text` gets it if it is longer than a byte.
    pub(crate) fn terminator_of(&self, range: &Range, text: &mut Vec<u8>) -> Terminator {
        self.reader
            .as_ref()
            .map_or(Terminator::None, |reader| Terminator::of(&reader.records, range, text))
    }

    pub(crate) fn is_reading(&self) -> bool {
        self.reader.is_some()
    }

    pub(crate) fn raise(&mut self, event: FileEvent) -> bool {
        self.rules.raise(event)
    }

    #[inline]
    pub(crate) fn has_event(&self) -> bool {
        self.rules.has_event()
    }

    #[inline]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    #[inline]
    pub fn reads_stdin(&self) -> bool {
        self.is_stdin
    }

    #[inline]
    pub fn place_of(&self, text: &[u8]) -> Option<(usize, &[u8])> {
        let window = self.reader.as_ref()?.records.bytes();
        let start = (text.as_ptr() as usize).wrapping_sub(window.as_ptr() as usize);
        (start <= window.len()).then_some((start, window))
    }

    /// The code points of a record, if the reader has counted them along with its neighbours.
    #[inline]
    pub(crate) fn code_points(&mut self, record: &[u8]) -> Option<usize> {
        let reader = self.reader.as_deref_mut()?;
        let end = (record.as_ptr_range().end as usize)
            .wrapping_sub(reader.records.bytes().as_ptr() as usize);
        reader.records.code_points(end)
    }

    pub fn last_counters(&self) -> WindowCounters {
        self.reader.as_ref().map_or(self.counters, |reader| reader.records.counters())
    }
}
