//! RS, and how readers learn of its changes.

use crate::splitter::Newlines;
use crate::table::TableFormat;
use riverhawk_awkio::RecordReader;
use riverhawk_awkio::fault::Fallible;
use riverhawk_regex::{Arrival, MatchProgress, Options, Partial, Regex};
use riverhawk_stream::{Found, Input, RecordPlace, RecordSeparator, Separator};

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
}
