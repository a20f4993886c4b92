//! The record reader: look at what is there; read more.

use crate::marks::Marks;
use crate::record_separator::RecordSeparator;
use crate::separator::{Found, Input, RecordPlace, Separator};
use crate::source::Source;
use crate::window::{DEFAULT_WINDOW, Window, WindowCounters};
use std::{fmt, io};

/// Indexes into [`Records::bytes`], valid until the next refill or detachment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Record {
    /// The record's first byte.
    pub start: usize,
    /// Behind its last byte; the separator, if there is one, begins here.
    pub end: usize,
    /// Behind the separator; `end` for a last record without one.
    pub terminator_end: usize,
    /// All ASCII; false means unknown.
    pub ascii: bool,
}

/// What [`Records::next_buffered`] finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The next record.
    Record(Record),
    /// There is no whole record in the window: call [`Records::refill`].
    NeedMore,
    /// There are no more records.
    End,
}

/// What [`Records::skip_buffered`] went over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skipped {
    /// How many records.
    pub count: u64,
    /// The last of them, if there was one.
    pub last: Option<Record>,
}

/// What becomes of a last record without a separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EndOfInput {
    /// It is a record like the others, as in awk.
    #[default]
    Greedy,
    /// It is dropped: a message that was cut off.
    Discard,
}

/// A record is longer than the limit. Inside an [`io::Error`] of kind `InvalidData`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordTooLong {
    /// The limit, in bytes.
    pub limit: usize,
    /// Where in the stream the record begins.
    pub start_offset: u64,
}

impl fmt::Display for RecordTooLong {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            out,
            "the record at byte {} is longer than the limit of {} bytes",
            self.start_offset, self.limit
        )
    }
}

impl std::error::Error for RecordTooLong {}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReaderState {
    /// More may come.
    Reading,
    /// All has been read.
    AtEnd,
    /// A record is over the limit: the next refill says so.
    TooLong { start_offset: u64 },
    /// An error was reported: whole records are delivered, the unfinished one is not.
    Failed,
}

/// Reads records from a source through a window. See the crate's page for the two phases.
///
/// Everything before `record_at` has been delivered; `marks` (one byte) or `scan_from` (other
/// separators) says how far the rest has been searched.
pub struct Records {
    source: Box<dyn Source>,
    window: Window,
    separator: RecordSeparator,
    marks: Marks,
    record_at: usize,
    /// How many bytes before `record_at` are the lead of the record that begins there.
    lead: usize,
    /// The same of the record that was delivered last.
    last_lead: usize,
    scan_from: usize,
    /// The length of the window when the separator asked for more.
    searched_to: Option<usize>,
    /// The separator has not been asked about this record.
    is_new: bool,
    limit: usize,
    /// The longest record that [`next_marked`](Self::next_marked) delivers without a second look:
    /// `limit`, or 0 where a record's last byte may belong to its separator.
    plain_limit: usize,
    /// [`next_marked`](Self::next_marked) may answer.
    is_marked: bool,
    end_of_input: EndOfInput,
    state: ReaderState,
}

/// The memory of [`Records`] that are done, for the next: matters with thousands of small files.
#[derive(Debug)]
pub struct Memory {
    window: Window,
    marks: Marks,
}

impl Records {
    /// Lines of `source`, through the usual window.
    pub fn new(source: impl Source + 'static) -> Self {
        Self::with_window(source, DEFAULT_WINDOW)
    }

    /// Lines of `source`, through a window of `size` bytes, at least 1; it grows with the record.
    pub fn with_window(source: impl Source + 'static, size: usize) -> Self {
        Self::in_memory(source, Memory { window: Window::new(size), marks: Marks::new() })
    }

    /// As [`with_window`](Self::with_window), in used memory.
    pub fn in_memory(source: impl Source + 'static, memory: Memory) -> Self {
        let Memory { mut window, mut marks } = memory;
        window.reset();
        marks.restart_at(0);
        Self {
            source: Box::new(source),
            window,
            separator: RecordSeparator::NEWLINE,
            marks,
            record_at: 0,
            lead: 0,
            last_lead: 0,
            scan_from: 0,
            searched_to: None,
            is_new: true,
            limit: u32::MAX as usize,
            plain_limit: u32::MAX as usize,
            is_marked: true,
            end_of_input: EndOfInput::Greedy,
            state: ReaderState::Reading,
        }
    }

    /// The memory alone; the source is dropped.
    pub fn into_memory(self) -> Memory {
        Memory { window: self.window, marks: self.marks }
    }

    /// Goes on with another source, keeping memory, separator, limits and counters.
    pub fn restart(&mut self, source: impl Source + 'static) {
        self.source = Box::new(source);
        self.window.clear();
        self.state = ReaderState::Reading;
        self.rescan_from(0);
    }

    /// Changes the separator from the next record on.
    pub fn set_separator(&mut self, separator: RecordSeparator) {
        self.separator = separator;
        self.set_limit(self.limit);
        self.rescan_from(self.record_at);
    }

    /// The separator in use.
    pub fn separator(&self) -> &RecordSeparator {
        &self.separator
    }

    /// What becomes of a last record without a separator; [`EndOfInput::Greedy`] unless told
    /// otherwise.
    pub fn set_end_of_input(&mut self, mode: EndOfInput) {
        self.end_of_input = mode;
    }

    /// The longest record, in bytes; `u32::MAX` at first. A longer one ends the stream with
    /// [`RecordTooLong`].
    pub fn set_limit(&mut self, bytes: usize) {
        self.limit = bytes;
        self.plain_limit = if !self.is_marked || matches!(self.separator, RecordSeparator::Rows(_))
        {
            0
        } else {
            bytes
        };
    }

    /// Lets [`next_marked`](Self::next_marked) answer for every record, as at first.
    pub fn mark_all(&mut self) {
        self.is_marked = true;
        self.set_limit(self.limit);
    }

    /// Lets [`next_marked`](Self::next_marked) answer for empty records only. For callers who look
    /// at each record themselves before a loop around `next_marked` gets it.
    pub fn mark_only_empty(&mut self) {
        self.is_marked = false;
        self.set_limit(self.limit);
    }

    /// The next record, if its end has been marked: the common case of
    /// [`next_buffered`](Self::next_buffered), small enough for a caller's loop. `None` says
    /// nothing.
    #[inline(always)]
    pub fn next_marked(&mut self) -> Option<Record> {
        let (end, ascii) = self.marks.take()?;
        let start = self.record_at;
        if end - start > self.plain_limit && !self.is_plain_row(start, end) {
            self.marks.put_back();
            return None;
        }
        self.record_at = end + 1;
        Some(Record { start, end, terminator_end: end + 1, ascii })
    }

    /// As [`next_marked`](Self::next_marked), for records that are certainly ASCII.
    #[inline(always)]
    pub fn next_marked_ascii(&mut self) -> Option<Record> {
        let (end, ascii) = self.marks.take()?;
        let start = self.record_at;
        if !ascii || end - start > self.plain_limit {
            self.marks.put_back();
            return None;
        }
        self.record_at = end + 1;
        Some(Record { start, end, terminator_end: end + 1, ascii })
    }

    /// Whether what ends at `end` is a row within the limit, ended by a newline alone.
    #[inline(never)]
    fn is_plain_row(&self, start: usize, end: usize) -> bool {
        self.is_marked
            && matches!(self.separator, RecordSeparator::Rows(_))
            && end - start <= self.limit
            && self.window.bytes().get(end.wrapping_sub(1)) != Some(&b'\r')
    }

    /// As [`next_marked`](Self::next_marked), for a short string.
    #[inline(always)]
    pub fn next_marked_string(&mut self) -> Option<Record> {
        let (end, terminator_end) = self.marks.take_string()?;
        let start = self.record_at;
        if end - start > self.limit {
            self.marks.put_back_string();
            return None;
        }
        self.record_at = terminator_end;
        Some(Record { start, end, terminator_end, ascii: false })
    }

    /// The next record of what has been read. Never reads, never moves memory.
    #[inline]
    pub fn next_buffered(&mut self) -> Step {
        loop {
            if let Some((end, ascii)) = self.marks.take() {
                let start = self.record_at;
                self.record_at = end + 1;
                let terminator_end = end + 1;
                let end = self.without_return(start, end);
                if end - start > self.limit {
                    return self.too_long(start);
                }
                return Step::Record(Record { start, end, terminator_end, ascii });
            }
            if let Some(step) = self.search() {
                return step;
            }
        }
    }

    /// A row ends before the carriage return.
    #[inline]
    fn without_return(&self, start: usize, end: usize) -> usize {
        let is_row = matches!(self.separator, RecordSeparator::Rows(_));
        end - usize::from(is_row && end > start && self.window.bytes()[end - 1] == b'\r')
    }

    /// Reads once; how many bytes came, 0 at the end. Indexes of earlier records are void, also
    /// when it fails.
    ///
    /// # Errors
    /// The source's error, once; [`RecordTooLong`]; [`io::ErrorKind::OutOfMemory`]. Complete
    /// records are still delivered, then the stream is at its end; [`pending`](Self::pending) has
    /// the unfinished one. [`io::ErrorKind::WouldBlock`] and [`io::ErrorKind::TimedOut`] change
    /// nothing and may be tried again.
    pub fn refill(&mut self) -> io::Result<usize> {
        match self.state {
            ReaderState::Reading => {}
            ReaderState::AtEnd | ReaderState::Failed => return Ok(0),
            ReaderState::TooLong { start_offset } => {
                self.state = ReaderState::Failed;
                let error = RecordTooLong { limit: self.limit, start_offset };
                return Err(io::Error::new(io::ErrorKind::InvalidData, error));
            }
        }
        let result = self.moving(|window, source| window.refill(source));
        match &result {
            Ok(0) => {
                self.state = ReaderState::AtEnd;
                self.searched_to = None;
            }
            Ok(_) => {}
            Err(error)
                if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {}
            Err(_) => self.state = ReaderState::Failed,
        }
        result
    }

    /// Whether reading has failed: then the end is none.
    pub fn has_failed(&self) -> bool {
        self.state == ReaderState::Failed
    }

    /// Takes the whole block away, for a record so long that copying it would hurt: earlier indexes
    /// stay true for it. What was not delivered is copied to a new block.
    ///
    /// # Errors
    /// [`io::ErrorKind::OutOfMemory`]; then nothing has changed.
    pub fn detach_block(&mut self) -> io::Result<Vec<u8>> {
        self.moving(|window, _| window.detach())
    }

    /// Goes over all whole records in the window, for programs that only count; the next call
    /// answers [`Step::NeedMore`] or [`Step::End`]. With a separator of one byte it counts bytes.
    pub fn skip_buffered(&mut self) -> Skipped {
        let mut skipped = Skipped { count: 0, last: None };
        let rest_at = self.record_at;
        if let (RecordSeparator::Byte(byte), ReaderState::Reading | ReaderState::AtEnd) =
            (&self.separator, self.state)
        {
            let rest = &self.window.bytes()[rest_at..];
            if rest.len() <= self.limit
                && let Some(end) = riverhawk_simd::find_last_byte(*byte, rest)
            {
                let start =
                    riverhawk_simd::find_last_byte(*byte, &rest[..end]).map_or(0, |at| at + 1);
                skipped.count = riverhawk_simd::count_byte(rest, *byte) as u64;
                let (start, end) = (rest_at + start, rest_at + end);
                skipped.last = Some(Record { start, end, terminator_end: end + 1, ascii: false });
                self.rescan_from(end + 1);
            }
        }
        while let Step::Record(record) = self.next_buffered() {
            skipped.count += 1;
            skipped.last = Some(record);
        }
        skipped
    }

    /// What record indexes point into. Consumed bytes are there until the next refill.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.window.bytes()
    }

    /// The bytes of a record that is still valid.
    #[inline]
    pub fn text(&self, record: &Record) -> &[u8] {
        &self.window.bytes()[record.start..record.end]
    }

    /// A record's separator (gawk's RT); empty for a last record without one.
    #[inline]
    pub fn terminator(&self, record: &Record) -> &[u8] {
        let terminator = &self.window.bytes()[record.end..record.terminator_end];
        match self.separator {
            // As in gawk, the carriage return at the end of a row is no part of anything.
            RecordSeparator::Rows(Some(_)) => {
                &terminator[terminator.len() - usize::from(terminator.ends_with(b"\n"))..]
            }
            _ => terminator,
        }
    }

    /// What stands before the record that was delivered last and belongs to none ([`Found::Lead`]).
    pub fn lead(&self, record: &Record) -> &[u8] {
        let start = record.start.saturating_sub(self.last_lead);
        self.window.bytes().get(start..record.start).unwrap_or_default()
    }

    /// The same behind the last record of the stream, once that has been found to be the last.
    pub fn trail(&self) -> &[u8] {
        &self.window.bytes()[self.record_at - self.lead..self.record_at]
    }

    /// The code points of the record delivered last, if it ends at index `end`, is valid UTF-8 and
    /// was ended by an ASCII byte; `None` also if it has to be counted by itself. When every record
    /// is asked for, 4 KiB are counted in one pass.
    #[inline]
    pub fn code_points(&mut self, end: usize) -> Option<usize> {
        match self.separator {
            RecordSeparator::Byte(byte) if byte.is_ascii() => {
                self.marks.code_points(self.window.bytes(), end)
            }
            _ => None,
        }
    }

    /// Bytes that have been read and not delivered.
    pub fn pending(&self) -> &[u8] {
        &self.window.bytes()[self.record_at..]
    }

    /// The position in the stream of an index into the window.
    pub fn offset(&self, at: usize) -> u64 {
        self.window.offset(at)
    }

    /// What has been read, moved and allocated so far.
    pub fn counters(&self) -> WindowCounters {
        self.window.counters()
    }

    /// Finds more: marks for [`take`](Marks::take) (then `None`), or the answer.
    #[inline(never)]
    fn search(&mut self) -> Option<Step> {
        if let ReaderState::TooLong { .. } = self.state {
            return Some(Step::NeedMore);
        }
        let separator: &mut dyn Separator = match &mut self.separator {
            RecordSeparator::Byte(byte) => {
                if self.marks.mark_more(self.window.bytes(), *byte) {
                    return None;
                }
                return Some(self.unfinished(self.window.bytes().len() - self.record_at));
            }
            RecordSeparator::Rows(quoting) => {
                let more = match quoting {
                    Some(quoting) => self.marks.mark_more_rows(self.window.bytes(), *quoting),
                    None => self.marks.mark_more(self.window.bytes(), b'\n'),
                };
                if more {
                    return None;
                }
                // A carriage return may belong to the separator.
                let end = self.without_return(self.record_at, self.window.bytes().len());
                return Some(self.unfinished(end - self.record_at));
            }
            RecordSeparator::Strings(set) => {
                if let Some(string) = set.short_string() {
                    let (end, terminator_end) = loop {
                        if let Some(place) = self.marks.take_string() {
                            break place;
                        }
                        if !self.marks.mark_more_strings(
                            self.window.bytes(),
                            string,
                            self.record_at,
                        ) {
                            let known = (self.window.bytes().len() - self.record_at)
                                .saturating_sub(string.len() - 1);
                            return Some(self.unfinished(known));
                        }
                    };
                    return Some(self.ended_by_string(end, terminator_end));
                }
                set
            }
            RecordSeparator::Custom(custom) => {
                if self.is_new {
                    let is_first = self.window.offset(self.record_at) == 0;
                    custom.begin_record(if is_first {
                        RecordPlace::First
                    } else {
                        RecordPlace::Later
                    });
                    self.is_new = false;
                }
                &mut **custom
            }
            RecordSeparator::Paragraph(paragraph) => {
                // Newlines before a paragraph belong to nothing.
                let rest = &self.window.bytes()[self.record_at..];
                let leading = rest.iter().take_while(|&&byte| byte == b'\n').count();
                if leading > 0 {
                    self.record_at += leading;
                    self.scan_from = 0;
                }
                paragraph
            }
        };
        let text = &self.window.bytes()[self.record_at..];
        let length = self.window.bytes().len();
        if text.is_empty() || self.searched_to == Some(length) {
            return Some(self.unfinished(self.scan_from));
        }
        // After an error what is there may be incomplete.
        let input = if self.state == ReaderState::AtEnd { Input::Ends } else { Input::Continues };
        match separator.find(text, self.scan_from, input) {
            Found::At { start, end } if 0 < end && start <= end && end <= text.len() => {
                let at = self.record_at;
                self.last_lead = std::mem::take(&mut self.lead);
                self.record_at += end;
                self.scan_from = 0;
                self.searched_to = None;
                self.is_new = true;
                Some(if start > self.limit {
                    self.too_long(at)
                } else {
                    Step::Record(Record {
                        start: at,
                        end: at + start,
                        terminator_end: at + end,
                        ascii: false,
                    })
                })
            }
            Found::Lead { bytes } if 0 < bytes && bytes <= text.len() => {
                self.record_at += bytes;
                self.lead += bytes;
                if self.lead > self.limit {
                    Some(self.too_long(self.record_at - self.lead))
                } else {
                    None
                }
            }
            // Outside the contract: no match.
            Found::At { .. } | Found::Lead { .. } => {
                self.scan_from = text.len();
                Some(self.unfinished(self.scan_from))
            }
            Found::NotYet { resume_from } => {
                self.scan_from = resume_from.min(text.len());
                self.searched_to = Some(length);
                Some(self.unfinished(self.scan_from))
            }
        }
    }

    /// The record whose separator is `text[end..terminator_end]`.
    fn ended_by_string(&mut self, end: usize, terminator_end: usize) -> Step {
        let start = self.record_at;
        self.record_at = terminator_end;
        if end - start > self.limit {
            return self.too_long(start);
        }
        Step::Record(Record { start, end, terminator_end, ascii: false })
    }

    /// No separator begins in the first `known` bytes: read on, or deliver the last record.
    fn unfinished(&mut self, known: usize) -> Step {
        let (start, end) = (self.record_at, self.window.bytes().len());
        match self.state {
            // A separator must not hold more than twice the limit.
            ReaderState::Reading
                if known > self.limit || (end - start) / 2 > self.limit.max(DEFAULT_WINDOW) =>
            {
                self.too_long(start)
            }
            ReaderState::Reading | ReaderState::TooLong { .. } => Step::NeedMore,
            ReaderState::AtEnd if start < end && self.end_of_input == EndOfInput::Greedy => {
                if end - start > self.limit {
                    // `refill` reports the error.
                    return self.too_long(start);
                }
                let is_marked =
                    matches!(self.separator, RecordSeparator::Byte(_) | RecordSeparator::Rows(_));
                let ascii = is_marked && self.marks.rest_is_ascii();
                self.last_lead = self.lead;
                self.rescan_from(end);
                let terminator_end = end;
                let end = match self.separator {
                    RecordSeparator::Rows(Some(_)) => self.without_return(start, end),
                    _ => end,
                };
                if end == start {
                    // In gawk too, a carriage return alone is no row.
                    self.lead = terminator_end - start;
                    return Step::End;
                }
                Step::Record(Record { start, end, terminator_end, ascii })
            }
            ReaderState::AtEnd | ReaderState::Failed => Step::End,
        }
    }

    #[cold]
    fn too_long(&mut self, start: usize) -> Step {
        self.state = ReaderState::TooLong { start_offset: self.window.offset(start) };
        self.rescan_from(self.window.bytes().len());
        Step::NeedMore
    }

    /// The next record begins at `at` and nothing behind it has been searched.
    fn rescan_from(&mut self, at: usize) {
        self.record_at = at;
        self.lead = 0;
        self.scan_from = 0;
        self.searched_to = None;
        self.is_new = true;
        self.marks.restart_at(at);
    }

    /// Does something that may move the window's bytes, and corrects the indexes.
    fn moving<T>(&mut self, work: impl FnOnce(&mut Window, &mut dyn Source) -> T) -> T {
        self.window.consume_to(self.record_at - self.lead);
        let before = self.window.offset(0);
        let result = work(&mut self.window, &mut *self.source);
        let by = (self.window.offset(0) - before) as usize;
        self.record_at -= by;
        self.marks.shift(by);
        self.searched_to = self.searched_to.map(|length| length - by);
        result
    }
}

impl fmt::Debug for Records {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Records")
            .field("separator", &self.separator)
            .field("state", &self.state)
            .field("offset", &self.offset(self.record_at))
            .field("counters", &self.counters())
            .finish_non_exhaustive()
    }
}
