//! RS, and how readers learn of its changes.

use crate::splitter::Newlines;
use crate::table::TableFormat;
use riverhawk_awkio::RecordReader;
use riverhawk_awkio::fault::Fallible;
use riverhawk_regex::{Arrival, MatchProgress, Options, Partial, Regex};
use riverhawk_stream::{Ends, Found, Input, RecordPlace, RecordSeparator, Separator};

/// RS and the number of its changes.
#[derive(Clone, Debug)]
pub struct RecordRule {
    /// The text of RS.
    pub separator: Vec<u8>,
    /// Counts changes, for readers.
    pub generation: u64,
    /// Options for regular expressions.
    pub options: Options,
    /// Records are rows of this table, regardless of RS.
    pub rows: Option<TableFormat>,
    /// Whether each record is checked first.
    pub checked: bool,
}

impl RecordRule {
    /// Whether records end with a newline only.
    #[inline]
    pub fn is_line(&self) -> bool {
        self.separator == b"\n" && self.rows.is_none()
    }

    /// What newlines in a record are: of paragraphs, separators of fields.
    pub fn newlines(&self) -> Newlines {
        if self.separator.is_empty() { Newlines::Separate } else { Newlines::Text }
    }

    /// The separator for the stream.
    ///
    /// # Errors
    /// RS is longer than one character and an invalid regex.
    pub fn separator(&self) -> Fallible<RecordSeparator> {
        if let Some(format) = self.rows {
            return Ok(format.record_separator());
        }
        match self.separator.as_slice() {
            [] => Ok(RecordSeparator::paragraph()),
            [byte] => Ok(RecordSeparator::Byte(*byte)),
            pattern => {
                let regex = Regex::new(pattern, &self.options)
                    .map_err(|error| crate::patterns::PatternError::new(pattern, &error))?;
                if let Some(literal) = regex.literal()
                    && let Ok(separator) = RecordSeparator::strings([literal])
                {
                    return Ok(separator);
                }
                // As in gawk `^` matches only at the start of the input.
                let later = match regex.looks_at_start() && !regex.anchored_start() {
                    true => Regex::new(pattern, &Options { continued: true, ..self.options }).ok(),
                    false => None,
                };
                Ok(RecordSeparator::custom(RegexSeparator {
                    regex,
                    later,
                    place: RecordPlace::First,
                    progress: MatchProgress::default(),
                }))
            }
        }
    }
}

/// Updates a reader to the current RS.
///
/// # Errors
/// RS is an invalid regex.
#[inline]
pub fn follow(reader: &mut RecordReader, rule: &RecordRule) -> Fallible<()> {
    if reader.separator_version != rule.generation && !reader.is_directory() {
        reader.records.set_separator(rule.separator()?);
        match rule.checked {
            true => reader.records.mark_only_empty(),
            false => reader.records.mark_all(),
        }
        reader.separator_version = rule.generation;
    }
    Ok(())
}

struct RegexSeparator {
    regex: Regex,
    /// After the first record.
    later: Option<Regex>,
    place: RecordPlace,
    progress: MatchProgress,
}

impl Separator for RegexSeparator {
    fn begin_record(&mut self, place: RecordPlace) {
        if self.place == place {
            self.progress.clear();
        } else {
            // The next search may use another regex.
            self.progress = MatchProgress::default();
        }
        self.place = place;
    }

    fn find(&mut self, text: &[u8], search_from: usize, input: Input) -> Found {
        let arrival = match input {
            Input::Ends => Arrival::Complete,
            Input::Continues => Arrival::Partial,
        };
        let regex = match self.place {
            RecordPlace::First => &self.regex,
            RecordPlace::Later if self.regex.anchored_start() => {
                return Found::NotYet { resume_from: text.len() };
            }
            RecordPlace::Later => self.later.as_ref().unwrap_or(&self.regex),
        };
        match regex.find_in_stream(text, search_from, arrival, &mut self.progress) {
            Partial::Found(found) => Found::At { start: found.start, end: found.end },
            Partial::NotYet { resume_from } => Found::NotYet { resume_from },
        }
    }

    fn find_more(&mut self, text: &[u8], ends: &mut Ends) {
        if self.regex.anchored_start() {
            return;
        }
        self.begin_record(RecordPlace::Later);
        let regex = self.later.as_ref().unwrap_or(&self.regex);
        regex.each_settled(text, &mut self.progress, |found| ends.push(found.start, found.end));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use riverhawk_stream::{Records, ScriptedSource, Step};

    type Pair = (Vec<u8>, Vec<u8>);

    /// Record by record, each in a text that begins with it.
    fn one_by_one(pattern: &str, text: &[u8]) -> Vec<Pair> {
        let regex = |continued| {
            Regex::new(pattern.as_bytes(), &Options { continued, ..Options::default() }).unwrap()
        };
        let (first, later) = (regex(false), regex(true));
        let (mut rest, mut pairs) = (text, Vec::new());
        while !rest.is_empty() {
            let regex = if pairs.is_empty() { &first } else { &later };
            let found = match regex.anchored_start() && !pairs.is_empty() {
                true => None,
                false => regex.matches(rest).find(|found| !found.is_empty()),
            };
            let (start, end) = found.map_or((rest.len(), rest.len()), |at| (at.start, at.end));
            pairs.push((rest[..start].to_vec(), rest[start..end].to_vec()));
            rest = &rest[end..];
        }
        pairs
    }

    fn by_reader(pattern: &str, text: &[u8], chunk: usize) -> Vec<Pair> {
        let rule = RecordRule {
            separator: pattern.as_bytes().to_vec(),
            generation: 0,
            options: Options::default(),
            rows: None,
            checked: false,
        };
        let mut records = Records::with_window(ScriptedSource::chunked(text, chunk), 1 << 12);
        records.set_separator(rule.separator().unwrap());
        let mut pairs = Vec::new();
        loop {
            match records.next_buffered() {
                Step::Record(record) => pairs
                    .push((records.text(&record).to_vec(), records.terminator(&record).to_vec())),
                Step::NeedMore => drop(records.refill().unwrap()),
                Step::End => return pairs,
            }
        }
    }

    #[test]
    fn records_found_together_are_those_found_one_by_one() {
        let units =
            ["one two\r\n", "x\n", "\n\n---12---\n", "aab;;", "é\n", "  b a--- ", "ab", " bb"];
        let text: Vec<u8> =
            (0..3_500_usize).flat_map(|n| units[n * n % 17 % units.len()].bytes()).collect();
        assert!(text.len() > 3 * 4_096);
        for pattern in [
            "\r?\n",
            "\n+",
            "[ \n]+",
            "\n---[0-9]+---\n",
            "(\r\n|\n|\r)",
            "a*b|;+",
            "^one|b",
            "^one",
            "(^| )b",
            "\\<a",
            "a\\>",
            "\\y\n",
            "é\n?",
            "[^a-z]+",
            "--(-1)?|;",
            "x.*two",
            "a(.*zzz)?",
            "(a|b)*c|;",
            "b$",
            "..",
        ] {
            let expected = one_by_one(pattern, &text);
            for chunk in [1, 61, 4_095, 4_097, 1 << 20] {
                assert!(by_reader(pattern, &text, chunk) == expected, "{pattern} by {chunk}");
            }
        }
    }
}
