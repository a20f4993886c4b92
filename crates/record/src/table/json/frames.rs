//! The text around JSON values: white space, brackets and commas.
//!
//! Checked for commas, which the reader ignores, and counted for messages. An edit copies it.

use super::scan::{JsonFlaw, check};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Next {
    /// A value, or an array of records.
    #[default]
    Outermost,
    /// The first element, or the end of an empty array.
    First,
    /// An element, after a comma.
    Element,
    /// A comma, or the end of the array.
    Comma,
}

#[derive(Clone, Copy, Debug, Default)]
struct Position {
    line: usize,
    column: usize,
}

impl Position {
    fn pass(&mut self, text: &[u8]) {
        let mut last = text;
        if let Some(at) = memchr::memrchr(b'\n', text) {
            self.line += memchr::memchr_iter(b'\n', text).count();
            self.column = 0;
            last = &text[at + 1..];
        }
        self.column += String::from_utf8_lossy(last).chars().count();
    }

    fn describe(mut self, text: &[u8], flaw: JsonFlaw) -> String {
        self.pass(&text[..flaw.at.min(text.len())]);
        format!("JSON, line {}, column {}: {}", self.line + 1, self.column + 1, flaw.what)
    }
}

/// The text around the values of the current file.
#[derive(Debug, Default)]
pub struct Frames {
    next: Next,
    position: Position,
    /// Brackets read but not written.
    owed: Vec<u8>,
    /// Without brackets.
    between: Vec<u8>,
    indent: Vec<u8>,
    has_written: bool,
    has_begun: bool,
    has_trail: bool,
}

impl Frames {
    /// Begins a file.
    pub fn begin_file(&mut self) {
        *self = Frames::default();
    }

    /// Takes the text before a value, and the value.
    ///
    /// # Errors
    /// Invalid JSON, as a message with its place.
    pub fn take(&mut self, lead: &[u8], value: &[u8]) -> Result<(), String> {
        self.take_lead(lead)?;
        if self.next == Next::Comma {
            return Err(self
                .position
                .describe(b"", JsonFlaw { at: 0, what: "a comma is missing before this value" }));
        }
        check(value).map_err(|flaw| self.position.describe(value, flaw))?;
        self.position.pass(value);
        if self.next != Next::Outermost {
            self.next = Next::Comma;
        }
        Ok(())
    }

    /// Takes the text after the last value.
    ///
    /// # Errors
    /// As [`Frames::take`].
    pub fn take_trail(&mut self, trail: &[u8]) -> Result<(), String> {
        self.take_lead(trail)?;
        if self.next != Next::Outermost {
            return Err(self
                .position
                .describe(b"", JsonFlaw { at: 0, what: "an array that is never closed" }));
        }
        self.owed.append(&mut self.between);
        self.has_trail = true;
        Ok(())
    }

    fn take_lead(&mut self, lead: &[u8]) -> Result<(), String> {
        let mut has_bracket = false;
        for (at, &byte) in lead.iter().enumerate() {
            let flaw = |what| Err(self.position.describe(lead, JsonFlaw { at, what }));
            self.next = match (byte, self.next) {
                (b'[', Next::Outermost) => Next::First,
                (b']', Next::First | Next::Comma) => Next::Outermost,
                (b',', Next::Comma) => Next::Element,
                (b',', Next::Outermost) => {
                    return flaw("a comma between values outside an array");
                }
                (b',', _) => return flaw("a value is missing before this comma"),
                (b']', Next::Element) => return flaw("a value is missing after the last comma"),
                (b']', _) => return flaw("a closing bracket without an opening one"),
                (_, next) => next,
            };
            has_bracket |= matches!(byte, b'[' | b']');
        }
        self.position.pass(lead);
        self.between.clear();
        let is_first = !std::mem::replace(&mut self.has_begun, true);
        if has_bracket || is_first {
            self.owed.extend_from_slice(lead);
            self.has_written = false;
        } else {
            self.between.extend_from_slice(lead);
        }
        if let Some(last) = lead.iter().rposition(|byte| matches!(byte, b'[' | b',')) {
            self.indent = lead[last + 1..].to_vec();
        }
        Ok(())
    }

    /// The text to write before a printed value.
    pub fn before_value(&mut self) -> Vec<u8> {
        let mut frame = std::mem::take(&mut self.owed);
        if std::mem::replace(&mut self.has_written, true) {
            frame.append(&mut self.between);
        }
        // Another value may be printed before the next is read.
        self.between = match self.next {
            Next::Outermost => b"\n".to_vec(),
            _ => [b",", &self.indent[..]].concat(),
        };
        frame
    }

    /// Closes an array, even if the file was not read to its end.
    pub fn end_file(&mut self) -> Vec<u8> {
        let mut end = std::mem::take(&mut self.owed);
        if self.next != Next::Outermost {
            end.extend_from_slice(b"\n]\n");
        } else if self.has_written && !self.has_trail {
            end.push(b'\n');
        }
        *self = Frames::default();
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_stream::{JsonValues, MemorySource, RecordSeparator, Records, Step};

    fn kept(text: &str, kept: &[usize]) -> Result<String, String> {
        let mut records = Records::new(MemorySource::new(text));
        records.set_separator(RecordSeparator::custom(JsonValues::new()));
        let (mut frames, mut out, mut number) = (Frames::default(), Vec::new(), 0);
        loop {
            match records.next_buffered() {
                Step::Record(record) => {
                    number += 1;
                    frames.take(records.lead(&record), records.text(&record))?;
                    for _ in kept.iter().filter(|&&kept| kept == number) {
                        out.extend(frames.before_value());
                        out.extend(records.text(&record));
                    }
                }
                Step::NeedMore => drop(records.refill().unwrap()),
                Step::End => {
                    frames.take_trail(records.trail())?;
                    out.extend(frames.end_file());
                    return Ok(String::from_utf8(out).unwrap());
                }
            }
        }
    }

    #[test]
    fn what_is_kept_whole_keeps_every_byte() {
        for text in [
            "",
            "\n",
            "\u{feff} {\"a\":1}\n",
            "[\n  1,\n  [2] ,3\n]\n",
            "[]",
            "1\n[ 2 ]\n\n[3,4] 5",
            "{}{}",
            "[\n]\n",
        ] {
            assert_eq!(kept(text, &[1, 2, 3, 4, 5]).as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_is_left_out_takes_its_comma_along() {
        let list = "[\n  1,\n  2,\n  3\n]\n";
        assert_eq!(kept(list, &[2, 3]).as_deref(), Ok("[\n  2,\n  3\n]\n"));
        assert_eq!(kept(list, &[1, 3]).as_deref(), Ok("[\n  1,\n  3\n]\n"));
        assert_eq!(kept(list, &[1]).as_deref(), Ok("[\n  1\n]\n"));
        assert_eq!(kept(list, &[]).as_deref(), Ok("[\n  \n]\n"));
        assert_eq!(kept(list, &[1, 1, 3, 3]).as_deref(), Ok("[\n  1,\n  1,\n  3,\n  3\n]\n"));
        assert_eq!(kept("1\n2\n3\n", &[2, 2]).as_deref(), Ok("2\n2\n"));
        assert_eq!(
            kept("[1]\n[2]\n", &[2]).as_deref(),
            Ok("[\n]\n[2]\n".replacen("[\n]", "[]", 1).as_str())
        );
    }

    #[test]
    fn commas_and_brackets_that_are_wrong_are_told_with_their_place() {
        let flaw = |text: &str| kept(text, &[]).unwrap_err();
        assert_eq!(
            flaw("[1,\n 2 3]"),
            "JSON, line 2, column 4: a comma is missing before this value"
        );
        assert_eq!(
            flaw("[1,\n\n,2]"),
            "JSON, line 3, column 1: a value is missing before this comma"
        );
        assert_eq!(
            flaw("[\"\u{e9}\",]"),
            "JSON, line 1, column 6: a value is missing after the last comma"
        );
        assert_eq!(flaw("1, 2"), "JSON, line 1, column 2: a comma between values outside an array");
        assert_eq!(
            flaw("[1]]"),
            "JSON, line 1, column 4: a closing bracket without an opening one"
        );
        assert_eq!(flaw("[1,\n2\n"), "JSON, line 3, column 1: an array that is never closed");
        assert_eq!(flaw("[{\"a\":\n  tru}]"), "JSON, line 2, column 3: a value was expected");
    }
}
