//! Streams cut into records, and select, reject and collect over them.
//!
//! A record is overwritten by the next, so this is no `Iterator`:
//! [`advance`](RecordStream::advance) steps and [`record`](RecordStream::record) lends. Selecting
//! copies nothing.

use super::buffered::line_end;
use super::{Buffered, Pattern};
use crate::record::Record;
use crate::records::{Records, Step};
use std::io;

/// Records in sequence, without copies.
///
/// ```
/// use riverhawk_stream::{Buffered, MemoryStream, RecordStream};
///
/// let log = MemoryStream::new(b"GET /\r\nPOST /form\r\nGET /icon\r\n");
/// let mut paths = log
///     .lines()
///     .select(|line| line.starts_with(b"GET "))
///     .collect(|line, path| path.extend_from_slice(&line[4..]));
/// assert_eq!(paths.next_record()?, Some(&b"/"[..]));
/// assert_eq!(paths.next_record()?, Some(&b"/icon"[..]));
/// assert_eq!(paths.next_record()?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait RecordStream {
    /// Steps to the next record; false if there is none.
    ///
    /// # Errors
    /// The stream's; the interrupted record is not lost.
    fn advance(&mut self) -> io::Result<bool>;

    /// The record of [`advance`](Self::advance); empty before the first and after the last.
    fn record(&self) -> &[u8];

    /// The next record, `None` after the last.
    ///
    /// # Errors
    /// As for [`advance`](Self::advance).
    fn next_record(&mut self) -> io::Result<Option<&[u8]>> {
        Ok(if self.advance()? { Some(self.record()) } else { None })
    }

    /// Calls `work` with every remaining record.
    ///
    /// # Errors
    /// The stream's, and those of `work`.
    fn for_each(&mut self, mut work: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()>
    where
        Self: Sized,
    {
        while self.advance()? {
            work(self.record())?;
        }
        Ok(())
    }

    /// The records for which `keep` is true.
    fn select<F: FnMut(&[u8]) -> bool>(self, keep: F) -> SelectRecords<Self, F>
    where
        Self: Sized,
    {
        SelectRecords { records: self, rule: keep, passes: true }
    }

    /// The records for which `drop` is false.
    fn reject<F: FnMut(&[u8]) -> bool>(self, drop: F) -> SelectRecords<Self, F>
    where
        Self: Sized,
    {
        SelectRecords { records: self, rule: drop, passes: false }
    }

    /// The records as `change` appends them to a reused vector.
    fn collect<F: FnMut(&[u8], &mut Vec<u8>)>(self, change: F) -> CollectRecords<Self, F>
    where
        Self: Sized,
    {
        CollectRecords { records: self, change, changed: Vec::new() }
    }
}

#[derive(Debug)]
enum Rule {
    Line,
    Byte(u8),
    Pattern(Box<Pattern>),
}

/// Lines, or pieces between delimiters. The last may lack one.
#[derive(Debug)]
pub struct Cut<S> {
    stream: S,
    rule: Rule,
    /// The first `length` buffered bytes; the next step takes them and the terminator.
    length: usize,
    terminator: usize,
}

impl<S: Buffered> Cut<S> {
    /// Lines, ended by LF, CR or CRLF.
    pub fn lines(stream: S) -> Self {
        Self::new(stream, Rule::Line)
    }

    /// Pieces ended by `byte`.
    pub fn at_byte(stream: S, byte: u8) -> Self {
        Self::new(stream, Rule::Byte(byte))
    }

    /// Pieces ended by `pattern`; an empty one ends none.
    pub fn at_all(stream: S, pattern: Pattern) -> Self {
        Self::new(stream, Rule::Pattern(Box::new(pattern)))
    }

    /// The record's terminator; empty if missing, CR only for a CRLF in two parts.
    pub fn terminator(&self) -> &[u8] {
        &self.stream.buffered()[self.length..self.length + self.terminator]
    }

    /// The stream after the current record.
    pub fn into_stream(mut self) -> S {
        self.step_over();
        self.stream
    }

    fn new(stream: S, rule: Rule) -> Self {
        Self { stream, rule, length: 0, terminator: 0 }
    }

    fn step_over(&mut self) {
        self.stream.consume(self.length + self.terminator);
        (self.length, self.terminator) = (0, 0);
    }
}

impl<S: Buffered> RecordStream for Cut<S> {
    fn advance(&mut self) -> io::Result<bool> {
        self.step_over();
        let mut searched = 0;
        loop {
            let text = &self.stream.buffered()[searched..];
            let found = match &self.rule {
                Rule::Line => memchr::memchr2(b'\n', b'\r', text),
                Rule::Byte(byte) => memchr::memchr(*byte, text),
                Rule::Pattern(pattern) if pattern.is_empty() => None,
                Rule::Pattern(pattern) => pattern.find(text),
            };
            if let Some(at) = found {
                self.length = searched + at;
                self.terminator = match &self.rule {
                    Rule::Line => line_end(&mut self.stream, self.length),
                    Rule::Byte(_) => 1,
                    Rule::Pattern(pattern) => pattern.len(),
                };
                return Ok(true);
            }
            let length = self.stream.buffered().len();
            // A delimiter may be split.
            searched = match &self.rule {
                Rule::Pattern(pattern) => (length + 1).saturating_sub(pattern.len().max(1)),
                Rule::Line | Rule::Byte(_) => length,
            };
            if self.stream.fill()? == 0 {
                self.length = length;
                return Ok(length > 0);
            }
        }
    }

    fn record(&self) -> &[u8] {
        &self.stream.buffered()[..self.length]
    }
}

/// The records of a [`Records`]: every separator, and the fastest lines.
#[derive(Debug)]
pub struct RecordCursor {
    records: Records,
    current: Option<Record>,
}

impl RecordCursor {
    /// Steps through `records`.
    pub fn new(records: Records) -> Self {
        Self { records, current: None }
    }

    /// The record's separator; empty if missing.
    pub fn terminator(&self) -> &[u8] {
        self.current.as_ref().map_or(&[], |record| self.records.terminator(record))
    }

    /// The reader after the current record.
    pub fn into_records(self) -> Records {
        self.records
    }
}

impl RecordStream for RecordCursor {
    #[inline]
    fn advance(&mut self) -> io::Result<bool> {
        loop {
            match self.records.next_buffered() {
                Step::Record(record) => {
                    self.current = Some(record);
                    return Ok(true);
                }
                Step::NeedMore => {
                    self.current = None;
                    self.records.refill()?;
                }
                Step::End => {
                    self.current = None;
                    return Ok(false);
                }
            }
        }
    }

    #[inline]
    fn record(&self) -> &[u8] {
        self.current.as_ref().map_or(&[], |record| self.records.text(record))
    }
}

/// Selected records of another stream.
#[derive(Debug)]
pub struct SelectRecords<R, F> {
    records: R,
    rule: F,
    passes: bool,
}

impl<R: RecordStream, F: FnMut(&[u8]) -> bool> RecordStream for SelectRecords<R, F> {
    fn advance(&mut self) -> io::Result<bool> {
        while self.records.advance()? {
            if (self.rule)(self.records.record()) == self.passes {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn record(&self) -> &[u8] {
        self.records.record()
    }
}

/// The records of another stream, changed.
#[derive(Debug)]
pub struct CollectRecords<R, F> {
    records: R,
    change: F,
    changed: Vec<u8>,
}

impl<R: RecordStream, F: FnMut(&[u8], &mut Vec<u8>)> RecordStream for CollectRecords<R, F> {
    fn advance(&mut self) -> io::Result<bool> {
        self.changed.clear();
        let is_there = self.records.advance()?;
        if is_there {
            (self.change)(self.records.record(), &mut self.changed);
        }
        Ok(is_there)
    }

    fn record(&self) -> &[u8] {
        &self.changed
    }
}
