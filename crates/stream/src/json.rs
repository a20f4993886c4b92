//! JSON texts in sequence.

use crate::separator::{Found, Input, RecordPlace, Separator};

/// Ends a record after each JSON value, as soon as its last byte is there. The elements of an
/// outermost array are records.
///
/// Text between values (white space, that array's brackets and commas, a byte order mark) is the
/// lead of the next record ([`Records::lead`](crate::Records::lead)); there are no terminators.
/// Validity is not checked.
///
/// ```
/// use riverhawk_stream::{JsonValues, MemorySource, RecordSeparator, Records, Step};
///
/// let mut records = Records::new(MemorySource::new("[{\"a\": 1},\n {\"a\": [2]}]"));
/// records.set_separator(RecordSeparator::custom(JsonValues::new()));
/// let mut values = Vec::new();
/// loop {
///     match records.next_buffered() {
///         Step::Record(value) => values.push(records.text(&value).to_vec()),
///         Step::NeedMore => drop(records.refill()?),
///         Step::End => break,
///     }
/// }
/// assert_eq!(values, [&b"{\"a\": 1}"[..], b"{\"a\": [2]}"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct JsonValues {
    is_at_start: bool,
    in_array: bool,
    scanned: usize,
    depth: usize,
    in_string: bool,
}

const MARK: &[u8] = "\u{feff}".as_bytes();
/// Before each text of a sequence (RFC 7464).
const SEQUENCE: u8 = 0x1e;

impl JsonValues {
    /// At the beginning of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self { is_at_start: true, ..Self::default() }
    }

    fn lead(&mut self, text: &[u8], at_end: bool) -> Option<usize> {
        let mut at = 0;
        if self.is_at_start {
            if !at_end && text.len() < MARK.len() && MARK.starts_with(text) {
                return None;
            }
            if text.starts_with(MARK) {
                at = MARK.len();
            }
            self.is_at_start = false;
        }
        while let Some(&byte) = text.get(at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b',' | SEQUENCE => {}
                b'[' if !self.in_array => self.in_array = true,
                b']' => self.in_array = false,
                _ => break,
            }
            at += 1;
        }
        Some(at)
    }

    /// After a number or word, of which `seen` bytes were searched.
    fn scalar(&mut self, text: &[u8], seen: usize) -> Option<usize> {
        const ENDS: &[u8] = b" \t\n\r,{[]\"\x1e";
        let from = seen.max(1);
        let end = text[from..].iter().position(|byte| ENDS.contains(byte));
        self.scanned = text.len();
        end.map(|end| from + end)
    }

    /// After a value, if its end is there.
    fn value(&mut self, text: &[u8]) -> Option<usize> {
        let mut at = self.scanned;
        loop {
            if self.in_string {
                let Some(found) = memchr::memchr2(b'"', b'\\', text.get(at..)?) else {
                    self.scanned = text.len();
                    return None;
                };
                at += found;
                self.scanned = at;
                if text[at] == b'\\' {
                    // The escaped byte may not be there yet.
                    text.get(at + 1)?;
                    at += 2;
                    continue;
                }
                self.in_string = false;
                at += 1;
            } else if self.depth > 0 {
                let is_special = |byte: &u8| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']');
                let Some(found) = text.get(at..)?.iter().position(is_special) else {
                    self.scanned = text.len();
                    return None;
                };
                at += found + 1;
                match text[at - 1] {
                    b'"' => self.in_string = true,
                    b'{' | b'[' => self.depth += 1,
                    _ => self.depth -= 1,
                }
            } else {
                match (at, *text.get(at)?) {
                    (0, b'"') => self.in_string = true,
                    (0, b'{' | b'[') => self.depth = 1,
                    _ => return self.scalar(text, at),
                }
                at += 1;
            }
            self.scanned = at;
            if self.depth == 0 && !self.in_string {
                return Some(at);
            }
        }
    }
}

impl Separator for JsonValues {
    fn begin_record(&mut self, place: RecordPlace) {
        match place {
            RecordPlace::First => *self = Self::new(),
            RecordPlace::Later => *self = Self { in_array: self.in_array, ..Self::default() },
        }
    }

    fn find(&mut self, text: &[u8], _search_from: usize, input: Input) -> Found {
        if self.scanned == 0 {
            match self.lead(text, input == Input::Ends) {
                None => return Found::NotYet { resume_from: 0 },
                Some(0) => {}
                Some(bytes) => return Found::Lead { bytes },
            }
        }
        match self.value(text) {
            Some(end) => Found::At { start: end, end },
            None => Found::NotYet { resume_from: self.scanned },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::ScriptedSource;
    use crate::{RecordSeparator, Records, Step};

    fn read(text: &str, piece: usize) -> (Vec<(String, String)>, String) {
        let mut records = Records::with_window(ScriptedSource::chunked(text.as_bytes(), piece), 1);
        records.set_separator(RecordSeparator::custom(JsonValues::new()));
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        let mut values = Vec::new();
        loop {
            match records.next_buffered() {
                Step::Record(record) => {
                    values.push((string(records.lead(&record)), string(records.text(&record))));
                    assert!(records.terminator(&record).is_empty());
                }
                Step::NeedMore => drop(records.refill().unwrap()),
                Step::End => return (values, string(records.trail())),
            }
        }
    }

    fn values(text: &str) -> Vec<String> {
        let whole = read(text, 1000);
        for piece in [1, 2, 3, 7] {
            assert_eq!(read(text, piece), whole, "{text:?} in pieces of {piece}");
        }
        let (values, trail) = whole;
        let together: String =
            values.iter().flat_map(|(lead, value)| [lead.as_str(), value]).collect();
        assert_eq!(together + &trail, text, "nothing is lost");
        values.into_iter().map(|(_, value)| value).collect()
    }

    #[test]
    fn values_end_with_their_last_byte() {
        assert_eq!(
            values("{\"a\": 1}{\"b\":\n2}\n 3 \"x\\\"]\"null"),
            ["{\"a\": 1}", "{\"b\":\n2}", "3", "\"x\\\"]\"", "null"]
        );
        assert_eq!(values("\u{feff}\u{1e}{}\n\u{1e}[1]\n"), ["{}", "1"]);
        assert_eq!(values(" \n"), Vec::<String>::new());
    }

    #[test]
    fn elements_of_an_outermost_array_are_values_and_arrays_in_it_stay_whole() {
        assert_eq!(
            values("[\n  {\"a\": \"}\"},\n  [1, [2]], 3,\n\"\\\\\" ]\n[]\n[4]"),
            ["{\"a\": \"}\"}", "[1, [2]]", "3", "\"\\\\\"", "4"]
        );
    }

    #[test]
    fn what_is_no_json_comes_in_pieces_that_lose_nothing() {
        assert_eq!(values("{\"a\": [1}"), ["{\"a\": [1}"]);
        assert_eq!(values("}x] \"open"), ["}x", "\"open"]);
        assert_eq!(values("[1 2,,{"), ["1", "2", "{"]);
    }
}
