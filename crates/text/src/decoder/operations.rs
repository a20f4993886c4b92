//! The operations of a [`Decoder`]: add bytes; take lines, characters, bytes or all text.

use super::Decoder;
use super::pending::{Head, Spot};
use super::search::{Verdict, judge};
use super::separators::Shape;
use crate::char_len;
use crate::encoding::{DecodeError, Text};
use std::io::Read;

/// Bytes per read in [`Decoder::fill_from`]: chunk and marks fit in the second-level cache.
const CHUNK: usize = 64 * 1024;

pub(super) struct Line {
    /// The position after its separator.
    end: Spot,
    separator: usize,
}

pub(super) struct Counted {
    /// Where counting began. The count is invalid if text has been taken since.
    head: Head,
    chunk: u64,
    at: usize,
    characters: usize,
}

impl<T: Text> Decoder<T> {
    /// Adds bytes, adopting their memory.
    pub fn add(&mut self, bytes: Vec<u8>) {
        self.intake.add(bytes);
    }

    /// Adds bytes, copying them.
    pub fn add_slice(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.intake.add_copy(bytes, &mut self.pending);
        }
    }

    /// An empty buffer to fill and [add](Decoder::add), reused if possible.
    pub fn spare_buffer(&mut self) -> Vec<u8> {
        let mut buffer = self.pending.largest_spare();
        buffer.clear();
        buffer
    }

    /// Adds what one `read` gives, at most 64 KiB, and returns the number of bytes. At 0, the end,
    /// it calls [`finish`](Decoder::finish).
    ///
    /// # Errors
    /// Those of `read`; an interrupted one is repeated.
    pub fn fill_from(&mut self, source: &mut (impl Read + ?Sized)) -> std::io::Result<usize> {
        self.pending.retire();
        let mut buffer = self.pending.largest_spare();
        buffer.resize(CHUNK, 0);
        let length = loop {
            match source.read(&mut buffer) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => {
                    self.pending.recycle(buffer);
                    return Err(error);
                }
                Ok(length) => break length,
            }
        };
        if length == 0 {
            self.pending.recycle(buffer);
            self.finish();
        } else {
            buffer.truncate(length);
            self.add(buffer);
        }
        Ok(length)
    }

    /// Ends the input, so that an unterminated last line is a line. Adding more bytes cancels this.
    pub fn finish(&mut self) {
        self.intake.ended = true;
    }

    /// Whether the input has ended: [`finish`](Decoder::finish) was called and nothing added since.
    pub fn is_finished(&self) -> bool {
        self.intake.ended
    }

    /// The next line without its separator; `None` if no complete line is there.
    ///
    /// # Errors
    /// Undecodable bytes in it, under the strict policy.
    #[inline]
    pub fn take_line(&mut self) -> Result<Option<&T::Slice>, DecodeError> {
        if let Some((from, end)) = self.find_near_line() {
            return Ok(Some(self.lend_near_line(from, end)));
        }
        let Some(line) = self.find_line()? else { return Ok(None) };
        Ok(Some(self.lend_line(line)))
    }

    /// The next line with its separator; the last may have none.
    ///
    /// # Errors
    /// As [`take_line`](Decoder::take_line).
    pub fn take_line_with_separator(&mut self) -> Result<Option<&T::Slice>, DecodeError> {
        let Some(line) = self.find_line()? else { return Ok(None) };
        let taken = self.pending.take(line.end, 0);
        Ok(Some(self.pending.lend(taken)))
    }

    /// The next line without its separator, owned: the chunk itself if it is exactly one line.
    ///
    /// # Errors
    /// As [`take_line`](Decoder::take_line).
    pub fn take_line_owned(&mut self) -> Result<Option<T>, DecodeError> {
        let Some(line) = self.find_line()? else { return Ok(None) };
        Ok(Some(self.pending.take_owned(line.end, line.separator)))
    }

    /// Passes every complete line, without its separator, to `each` until that returns false.
    /// Faster than [`take_line`](Decoder::take_line).
    ///
    /// ```
    /// # use riverhawk_text::{decoder::Decoder, encoding::Utf8};
    /// let mut decoder = Decoder::new(Utf8);
    /// decoder.add_slice(b"one\ntwo\nthr");
    /// let mut lines = Vec::new();
    /// decoder.for_each_line(|line| {
    ///     lines.push(line.len());
    ///     true
    /// })?;
    /// assert_eq!(lines, [3, 3]);
    /// # Ok::<(), riverhawk_text::encoding::DecodeError>(())
    /// ```
    ///
    /// Returns whether `each` always returned true.
    ///
    /// # Errors
    /// Undecodable bytes, under the strict policy, after all lines before them.
    #[inline]
    pub fn for_each_line(
        &mut self,
        mut each: impl FnMut(&T::Slice) -> bool,
    ) -> Result<bool, DecodeError> {
        loop {
            if !self.for_each_near_line(&mut each) {
                return Ok(false);
            }
            let Some(line) = self.find_line()? else { return Ok(true) };
            if !each(self.lend_line(line)) {
                return Ok(false);
            }
        }
    }

    /// All text that is complete; may be empty.
    ///
    /// # Errors
    /// Undecodable bytes come next, under the strict policy.
    pub fn take_available(&mut self) -> Result<&T::Slice, DecodeError> {
        let end = self.decode_available()?;
        Ok(self.lend_until(end))
    }

    /// [`take_available`](Decoder::take_available), owned: the chunk itself if there is only one.
    ///
    /// # Errors
    /// As [`take_available`](Decoder::take_available).
    pub fn take_available_owned(&mut self) -> Result<T, DecodeError> {
        let end = self.decode_available()?;
        let text = self.pending.take_owned(end, 0);
        self.taken_otherwise();
        Ok(text)
    }

    /// Appends all complete text to `out`, decoding it there. [`take_bytes`](Decoder::take_bytes)
    /// can then no longer give a CR that folding withheld.
    ///
    /// # Errors
    /// Undecodable bytes, under the strict policy. The text before them is in `out`.
    pub fn take_available_into(&mut self, out: &mut T) -> Result<(), DecodeError> {
        if !self.pending.chunks.is_empty() {
            self.pending.drain_into(out);
            self.forget_progress();
        }
        self.pending.direct = Some(std::mem::take(out));
        let result = loop {
            match self.intake.step(&mut self.pending) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        *out = self.pending.direct.take().unwrap_or_default();
        result
    }

    /// Ends the input and takes all text that is left.
    ///
    /// # Errors
    /// Undecodable bytes or an incomplete character come next, under the strict policy. Text before
    /// them is given first.
    pub fn take_all(&mut self) -> Result<&T::Slice, DecodeError> {
        self.finish();
        self.take_available()
    }

    /// [`take_all`](Decoder::take_all), owned: the chunk itself if there is only one.
    ///
    /// # Errors
    /// As [`take_all`](Decoder::take_all).
    pub fn take_all_owned(&mut self) -> Result<T, DecodeError> {
        self.finish();
        self.take_available_owned()
    }

    /// Exactly `n` code points; `None` if there are fewer. At the end of the input the rest.
    ///
    /// # Errors
    /// Undecodable bytes among them, under the strict policy.
    pub fn take_chars(&mut self, n: usize) -> Result<Option<&T::Slice>, DecodeError> {
        let Some(end) = self.find_chars(n)? else { return Ok(None) };
        Ok(Some(self.lend_until(end)))
    }

    /// Exactly `n` bytes of the input, from the end of the text taken last; `None` if there are
    /// fewer.
    ///
    /// Where text and bytes differ, up to 16 KiB are decoded again to find the position. A sequence
    /// that decodes to several characters is taken with the first.
    pub fn take_bytes(&mut self, n: usize) -> Option<&[u8]> {
        if self.bytes_available() < n {
            return None;
        }
        self.intake.take_back(&mut self.pending);
        self.forget_progress();
        self.taken_bytes.clear();
        self.intake.take(n, &mut self.taken_bytes);
        Some(&self.taken_bytes)
    }

    /// All input bytes whose text has not been taken.
    pub fn into_undecoded(mut self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.intake.take_back(&mut self.pending);
        self.intake.take(self.intake.len(), &mut bytes);
        bytes
    }

    /// Whether everything that was added has been taken.
    pub fn is_empty(&self) -> bool {
        self.pending.is_empty() && self.intake.is_empty() && !self.intake.state.holds_cr()
    }

    /// How many input bytes have text that was not taken. May decode up to 16 KiB again.
    pub fn bytes_available(&self) -> usize {
        let decoded =
            self.pending.chunks.iter().enumerate().map(|(index, chunk)| match &chunk.origin {
                _ if self.pending.is_taken(index) => 0,
                None => chunk.text.bytes().len() - chunk.from,
                Some(origin) => origin.bytes.len() - self.intake.locate::<T>(origin, chunk.from).1,
            });
        decoded.sum::<usize>() + self.intake.len()
    }

    /// Position in the input of the next text, in bytes.
    pub fn byte_offset(&self) -> u64 {
        self.intake.byte_offset + self.intake.len() as u64 - self.bytes_available() as u64
    }

    /// The next line without its separator, if it is already marked in the first chunk. This common
    /// case has no branch that is hard to predict.
    #[inline]
    pub(super) fn find_near_line(&mut self) -> Option<(usize, usize)> {
        let shape = self.folded.as_ref().unwrap_or(&self.separators).shape();
        if self.is_search_behind || shape == Shape::Other {
            return None;
        }
        let first = self.pending.chunks.front_mut()?;
        let at = self.search.next_in_first(self.pending.retired)?;
        let from = std::mem::replace(&mut first.from, at + 1);
        let follows_cr =
            shape == Shape::LfOrCrlf && at > from && first.text.bytes()[at - 1] == b'\r';
        Some((from, at - usize::from(follows_cr)))
    }

    pub(super) fn find_line(&mut self) -> Result<Option<Line>, DecodeError> {
        self.pending.retire();
        let separators = self.folded.as_ref().unwrap_or(&self.separators);
        if self.is_search_behind {
            self.is_search_behind = false;
            self.search.catch_up(&self.pending);
        }
        if separators.is_paragraphs() {
            return self.find_paragraph();
        }
        loop {
            let mut open = None;
            while let Some(mark) = self.search.mark(&mut self.pending, separators) {
                let separator = match judge(&self.pending, separators, mark) {
                    Verdict::Nothing => {
                        self.search.step();
                        continue;
                    }
                    Verdict::Separator(length) => length,
                    Verdict::Unless(length) => {
                        open = Some(Line {
                            end: Spot { chunk: mark.chunk, at: mark.at + 1 },
                            separator: length,
                        });
                        break;
                    }
                };
                self.search.step();
                return Ok(Some(Line {
                    end: Spot { chunk: mark.chunk, at: mark.at + 1 },
                    separator,
                }));
            }
            match self.intake.step(&mut self.pending) {
                Ok(true) => {}
                // The input ends, or no LF follows: the CR ends the line.
                Err(_) if open.is_some() => {
                    self.search.step();
                    return Ok(open);
                }
                Ok(false) if open.is_some() && self.intake.ended => {
                    self.search.step();
                    return Ok(open);
                }
                Ok(false) => return Ok(self.last_line(0)),
                Err(error) => return Err(error),
            }
        }
    }

    #[inline]
    fn for_each_near_line(&mut self, each: &mut impl FnMut(&T::Slice) -> bool) -> bool {
        let shape = self.folded.as_ref().unwrap_or(&self.separators).shape();
        let Some(first) = self.pending.chunks.front_mut() else { return true };
        if self.is_search_behind || shape == Shape::Other {
            return true;
        }
        // If `each` panics, the marks are out of date.
        self.is_search_behind = true;
        let mut goes_on = true;
        self.search.each_in_first(self.pending.retired, |at| {
            let from = std::mem::replace(&mut first.from, at + 1);
            let follows_cr =
                shape == Shape::LfOrCrlf && at > from && first.text.bytes()[at - 1] == b'\r';
            goes_on = each(first.text.slice(from..at - usize::from(follows_cr)));
            goes_on
        });
        self.is_search_behind = false;
        goes_on
    }

    #[inline]
    pub(super) fn lend_near_line(&self, from: usize, end: usize) -> &T::Slice {
        self.pending.lend_first(from, end)
    }

    #[inline]
    pub(super) fn lend_line(&mut self, line: Line) -> &T::Slice {
        let taken = self.pending.take(line.end, line.separator);
        self.pending.lend(taken)
    }

    pub(super) fn lend_until(&mut self, end: Spot) -> &T::Slice {
        let taken = self.pending.take(end, 0);
        self.taken_otherwise();
        self.pending.lend(taken)
    }

    pub(super) fn find_chars(&mut self, n: usize) -> Result<Option<Spot>, DecodeError> {
        self.pending.retire();
        loop {
            if let Some(end) = self.count_chars(n) {
                return Ok(Some(end));
            }
            if !self.intake.step(&mut self.pending)? {
                let is_rest = self.intake.ended && !self.pending.is_empty();
                return Ok(is_rest.then(|| self.pending.end()));
            }
        }
    }

    fn last_line(&mut self, separator: usize) -> Option<Line> {
        let is_line = self.intake.ended && !self.pending.is_empty();
        self.is_search_behind = is_line;
        is_line.then(|| Line { end: self.pending.end(), separator })
    }

    /// Skips leading LFs, then searches for two in a row.
    #[cold]
    fn find_paragraph(&mut self) -> Result<Option<Line>, DecodeError> {
        loop {
            let front =
                Spot { chunk: 0, at: self.pending.chunks.front().map_or(0, |first| first.from) };
            match self.pending.byte_from(front) {
                Some(b'\n') => {
                    if let Some(first) = self.pending.chunks.front_mut() {
                        first.from += 1;
                    }
                    self.pending.retire();
                }
                Some(_) => break,
                None if self.intake.step(&mut self.pending)? => self.pending.retire(),
                None => return Ok(None),
            }
        }
        self.search.catch_up(&self.pending);
        loop {
            while let Some(mark) = self.search.mark(&mut self.pending, &self.separators) {
                let verdict = judge(&self.pending, &self.separators, mark);
                self.search.step();
                if let Verdict::Separator(separator) = verdict {
                    return Ok(Some(Line {
                        end: Spot { chunk: mark.chunk, at: mark.at + 1 },
                        separator,
                    }));
                }
            }
            if !self.intake.step(&mut self.pending)? {
                let ends_in_lf = self.pending.ends_with(self.pending.end(), b"\n");
                return Ok(self.last_line(usize::from(ends_in_lf)));
            }
        }
    }

    fn decode_available(&mut self) -> Result<Spot, DecodeError> {
        self.pending.retire();
        loop {
            match self.intake.step(&mut self.pending) {
                Ok(true) => {}
                Err(error) if self.pending.is_empty() => return Err(error),
                Ok(false) | Err(_) => return Ok(self.pending.end()),
            }
        }
    }

    fn taken_otherwise(&mut self) {
        self.is_search_behind = true;
    }

    /// The end of the first `n` characters, if there are as many; otherwise keeps the count for the
    /// next call.
    fn count_chars(&mut self, n: usize) -> Option<Spot> {
        let head = self.pending.head();
        let usable =
            self.counted.take().filter(|so_far| so_far.head == head && so_far.characters <= n);
        let mut counted =
            usable.unwrap_or(Counted { head, chunk: head.chunk, at: 0, characters: 0 });
        loop {
            let index = (counted.chunk - self.pending.retired) as usize;
            if let Some(chunk) = self.pending.chunks.get(index) {
                let text = chunk.text.bytes();
                counted.at = counted.at.max(chunk.from);
                let (length, characters) =
                    chars_prefix(&text[counted.at..], n - counted.characters);
                counted.at += length;
                counted.characters += characters;
                if counted.characters < n && index + 1 < self.pending.chunks.len() {
                    counted = Counted { chunk: counted.chunk + 1, at: 0, ..counted };
                    continue;
                }
            }
            if counted.characters == n {
                return Some(Spot { chunk: index, at: counted.at });
            }
            self.counted = Some(counted);
            return None;
        }
    }
}

fn chars_prefix(text: &[u8], n: usize) -> (usize, usize) {
    let (mut at, mut characters) = (0, 0);
    while characters < n && at < text.len() {
        let block = &text[at..text.len().min(at + 64)];
        if n - characters >= block.len() && block.is_ascii() {
            at += block.len();
            characters += block.len();
        } else {
            let end = at + block.len();
            while at < end && characters < n {
                at += char_len(&text[at..]);
                characters += 1;
            }
        }
    }
    (at, characters)
}
