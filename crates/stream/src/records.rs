//! The record reader: search the buffer; read more.

use crate::chunk::CHUNK;
use crate::ends::Ends;
use crate::marks::Marks;
use crate::record::Record;
use crate::record_separator::RecordSeparator;
use crate::separator::{Found, Input, RecordPlace, Separator};
use crate::source::Source;
use crate::window::{DEFAULT_WINDOW, Window, WindowCounters};
use std::{fmt, io};

/// The result of [`Records::next_buffered`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The next record.
    Record(Record),
    /// No whole record in the window: call [`Records::refill`].
    NeedMore,
    /// There are no more records.
    End,
}

/// Records skipped by [`Records::skip_buffered`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Skipped {
    /// How many records.
    pub count: u64,
    /// The last of them, if any.
    pub last: Option<Record>,
}

/// The treatment of a last record without a separator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EndOfInput {
    /// A record, as in awk.
    #[default]
    Greedy,
    /// Dropped, as a truncated message.
    Discard,
}

/// A record exceeds the limit. Inside an [`io::Error`] of kind `InvalidData`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordTooLong {
    /// In bytes.
    pub limit: usize,
    /// The record's start in the stream.
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
    Reading,
    AtEnd,
    /// Reported by the next refill.
    TooLong {
        start_offset: u64,
    },
    /// Whole records are delivered, the unfinished one is not.
    Failed,
}

/// Reads records from a source through a window, in the two phases of the crate's page.
///
/// Everything before `record_at` is delivered; `marks` (one byte), `ends` and `scan_from` (others)
/// say how far the rest was searched.
pub struct Records {
    source: Box<dyn Source>,
    window: Window,
    separator: RecordSeparator,
    marks: Marks,
    /// Of records after `record_at`, found together.
    ends: Ends,
    record_at: usize,
    /// Bytes of lead before `record_at`.
    lead: usize,
    /// Of the record delivered last.
    last_lead: usize,
    scan_from: usize,
    /// The window's length when the separator needed more.
    searched_to: Option<usize>,
    /// The separator has not seen this record.
    is_new: bool,
    limit: usize,
    /// The longest record that [`next_marked`](Self::next_marked) delivers unchecked: `limit`, or 0
    /// if its last byte may belong to the separator.
    plain_limit: usize,
    /// Whether [`next_marked`](Self::next_marked) may answer.
    is_marked: bool,
    end_of_input: EndOfInput,
    state: ReaderState,
}

/// The memory of finished [`Records`] for the next: matters with thousands of small files.
#[derive(Debug)]
pub struct Memory {
    window: Window,
    marks: Marks,
}

impl Records {
    /// Lines of `source`, through the default window.
    pub fn new(source: impl Source + 'static) -> Self {
        Self::with_window(source, DEFAULT_WINDOW)
    }

    /// Lines of `source`, through a window of `size` bytes, at least 1, which grows with the
    /// record.
    pub fn with_window(source: impl Source + 'static, size: usize) -> Self {
        Self::in_memory(source, Memory { window: Window::new(size), marks: Marks::new() })
    }

    /// As [`with_window`](Self::with_window), reusing memory.
    pub fn in_memory(source: impl Source + 'static, memory: Memory) -> Self {
        let Memory { mut window, mut marks } = memory;
        window.reset();
        marks.restart_at(0);
        Self {
            source: Box::new(source),
            window,
            separator: RecordSeparator::NEWLINE,
            marks,
            ends: Ends::default(),
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

    /// Continues with another source, keeping memory, separator, limits and counters.
    pub fn restart(&mut self, source: impl Source + 'static) {
        self.source = Box::new(source);
        self.window.clear();
        self.state = ReaderState::Reading;
        self.rescan_from(0);
    }

    /// From the next record on.
    pub fn set_separator(&mut self, separator: RecordSeparator) {
        self.separator = separator;
        self.set_limit(self.limit);
        self.rescan_from(self.record_at);
    }

    /// The separator in use.
    pub fn separator(&self) -> &RecordSeparator {
        &self.separator
    }

    /// Sets the treatment of an unterminated last record, [`EndOfInput::Greedy`] by default.
    pub fn set_end_of_input(&mut self, mode: EndOfInput) {
        self.end_of_input = mode;
    }

    /// Maximum bytes of a record, `u32::MAX` by default. A longer one ends the stream with
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

    /// Lets [`next_marked`](Self::next_marked) answer for every record, the default.
    pub fn mark_all(&mut self) {
        self.is_marked = true;
        self.set_limit(self.limit);
    }

    /// Lets [`next_marked`](Self::next_marked) answer for empty records only, for callers that
    /// check each record.
    pub fn mark_only_empty(&mut self) {
        self.is_marked = false;
        self.set_limit(self.limit);
    }

    /// The fast path of [`next_buffered`](Self::next_buffered), small enough for a loop; `None` if
    /// undecided.
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

    /// As [`next_marked`](Self::next_marked), for ASCII records.
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

    /// Whether a row in the limit ends with a newline alone.
    #[inline(never)]
    fn is_plain_row(&self, start: usize, end: usize) -> bool {
        self.is_marked
            && matches!(self.separator, RecordSeparator::Rows(_))
            && end - start <= self.limit
            && self.window.bytes().get(end.wrapping_sub(1)) != Some(&b'\r')
    }

    /// As [`next_marked`](Self::next_marked), for separators whose ends are found together.
    #[inline(always)]
    pub fn next_ended(&mut self) -> Option<Record> {
        self.take_ended(|_| true)
    }

    /// As [`next_ended`](Self::next_ended), for ASCII records.
    #[inline(always)]
    pub fn next_ended_ascii(&mut self) -> Option<Record> {
        self.take_ended(|record| record.ascii)
    }

    #[inline(always)]
    fn take_ended(&mut self, is_wanted: impl Fn(&Record) -> bool) -> Option<Record> {
        let record = self.ends.take(self.record_at)?;
        if record.end - record.start > self.limit || !is_wanted(&record) {
            self.ends.put_back();
            return None;
        }
        self.record_at = record.terminator_end;
        Some(record)
    }

    /// The next record in the window. Never reads or moves memory.
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
            if let Some(record) = self.ends.take(self.record_at) {
                self.record_at = record.terminator_end;
                if record.end - record.start > self.limit {
                    return self.too_long(record.start);
                }
                return Step::Record(record);
            }
            if let Some(step) = self.search() {
                return step;
            }
        }
    }

    #[inline]
    fn without_return(&self, start: usize, end: usize) -> usize {
        let is_row = matches!(self.separator, RecordSeparator::Rows(_));
        end - usize::from(is_row && end > start && self.window.bytes()[end - 1] == b'\r')
    }

    /// Reads once; returns the bytes read, 0 at the end. Invalidates indexes, also on failure.
    ///
    /// # Errors
    /// The source's error, once; [`RecordTooLong`]; [`io::ErrorKind::OutOfMemory`]. Complete
    /// records are still delivered, then the stream ends; [`pending`](Self::pending) has the rest.
    /// [`io::ErrorKind::WouldBlock`] and [`io::ErrorKind::TimedOut`] may be retried.
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

    /// Whether reading has failed, so the end is not the input's.
    pub fn has_failed(&self) -> bool {
        self.state == ReaderState::Failed
    }

    /// Gives away the block, for a very long record whose indexes stay valid. Undelivered bytes are
    /// copied to a new block.
    ///
    /// # Errors
    /// [`io::ErrorKind::OutOfMemory`]; then nothing changes.
    pub fn detach_block(&mut self) -> io::Result<Vec<u8>> {
        self.moving(|window, _| window.detach())
    }

    /// Skips all whole records in the window, for counting. A separator of one byte is counted
    /// directly.
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

    /// Record indexes point into this. Consumed bytes stay until the next refill.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        self.window.bytes()
    }

    /// The bytes of a valid record.
    #[inline]
    pub fn text(&self, record: &Record) -> &[u8] {
        &self.window.bytes()[record.start..record.end]
    }

    /// A record's separator (gawk's RT); empty if there is none.
    #[inline]
    pub fn terminator(&self, record: &Record) -> &[u8] {
        let terminator = &self.window.bytes()[record.end..record.terminator_end];
        match self.separator {
            // As in gawk, a CR at the end of a row is dropped.
            RecordSeparator::Rows(Some(_)) => {
                &terminator[terminator.len() - usize::from(terminator.ends_with(b"\n"))..]
            }
            _ => terminator,
        }
    }

    /// The bytes before the last record that belong to none ([`Found::Lead`]).
    pub fn lead(&self, record: &Record) -> &[u8] {
        let start = record.start.saturating_sub(self.last_lead);
        self.window.bytes().get(start..record.start).unwrap_or_default()
    }

    /// The same after the last record.
    pub fn trail(&self) -> &[u8] {
        &self.window.bytes()[self.record_at - self.lead..self.record_at]
    }

    /// The code points of the record delivered last, ending at `end`, if it is valid UTF-8 and has
    /// an ASCII separator; `None` also if it was not counted. If every record is asked for, 4 KiB
    /// are counted at once.
    #[inline]
    pub fn code_points(&mut self, end: usize) -> Option<usize> {
        match self.separator {
            RecordSeparator::Byte(byte) if byte.is_ascii() => {
                self.marks.code_points(self.window.bytes(), end)
            }
            _ => None,
        }
    }

    /// Bytes read but not delivered.
    pub fn pending(&self) -> &[u8] {
        &self.window.bytes()[self.record_at..]
    }

    /// The stream offset of an index.
    pub fn offset(&self, at: usize) -> u64 {
        self.window.offset(at)
    }

    /// Totals of reads, moves and allocations.
    pub fn counters(&self) -> WindowCounters {
        self.window.counters()
    }

    /// Finds marks or ends to take (then `None`), or the answer.
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
                // A CR may belong to the separator.
                let end = self.without_return(self.record_at, self.window.bytes().len());
                return Some(self.unfinished(end - self.record_at));
            }
            RecordSeparator::Strings(set) => {
                if let Some(string) = set.short_string() {
                    let text = self.window.bytes();
                    if self.marks.mark_more_strings(text, string, self.record_at, &mut self.ends) {
                        return None;
                    }
                    let known = (text.len() - self.record_at).saturating_sub(string.len() - 1);
                    return Some(self.unfinished(known));
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
                // Newlines before a paragraph are skipped.
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
        // After an error the rest may be incomplete.
        let input = if self.state == ReaderState::AtEnd { Input::Ends } else { Input::Continues };
        match separator.find(text, self.scan_from, input) {
            Found::At { start, end } if 0 < end && start <= end && end <= text.len() => {
                let at = self.record_at;
                self.last_lead = std::mem::take(&mut self.lead);
                self.record_at += end;
                self.scan_from = 0;
                self.searched_to = None;
                self.is_new = true;
                if self.last_lead == 0 {
                    let ahead = &text[end..text.len().min(end + CHUNK)];
                    self.ends.begin(self.record_at, ahead.len());
                    separator.find_more(ahead, &mut self.ends);
                    if !self.ends.is_empty() && riverhawk_simd::is_ascii(ahead) {
                        self.ends.note_ascii();
                    }
                }
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
            // Against the contract: no match.
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

    /// No separator begins in the first `known` bytes: read on, or deliver the last record.
    fn unfinished(&mut self, known: usize) -> Step {
        let (start, end) = (self.record_at, self.window.bytes().len());
        match self.state {
            // The separator may be as long as the limit.
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
                    // As in gawk, a CR alone is no row.
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

    /// Nothing after `at` has been searched.
    fn rescan_from(&mut self, at: usize) {
        self.record_at = at;
        self.lead = 0;
        self.scan_from = 0;
        self.searched_to = None;
        self.is_new = true;
        self.marks.restart_at(at);
        self.ends.clear();
    }

    /// Corrects the indexes after a move.
    fn moving<T>(&mut self, work: impl FnOnce(&mut Window, &mut dyn Source) -> T) -> T {
        self.window.consume_to(self.record_at - self.lead);
        let before = self.window.offset(0);
        let result = work(&mut self.window, &mut *self.source);
        let by = (self.window.offset(0) - before) as usize;
        self.record_at -= by;
        self.marks.shift(by);
        self.ends.shift(by);
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
