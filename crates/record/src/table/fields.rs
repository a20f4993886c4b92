//! The fields of a row.
//!
//! Kernels return ranges without the quotes. A meaning that differs (a doubled quote, an escape) is
//! kept like an assigned value.

use super::{TableFormat, quoting};
use crate::record::{Record, TextKind};
use crate::splitter::Splitter;
use riverhawk_simd::{FINISHED, split_byte, split_quoted};
use riverhawk_value::Value;
use std::borrow::Cow;

const QUOTE: u8 = b'"';

impl TableFormat {
    /// Appends up to `wanted` fields from `from_at` on. Returns where to resume, and whether each
    /// certainly means its text.
    #[inline(always)]
    pub fn split(
        self,
        text: &[u8],
        from_at: usize,
        wanted: usize,
        out: &mut Vec<(u32, u32)>,
    ) -> (usize, bool) {
        match self {
            TableFormat::Csv { separator } => {
                let split = split_quoted(text, quoting(separator), from_at, wanted, out);
                (split.resume_at, split.is_literal)
            }
            TableFormat::Tsv => {
                let resume_at = split_byte(text, b'\t', from_at, wanted, out);
                let seen = text.get(from_at..resume_at.min(text.len())).unwrap_or_default();
                (resume_at, memchr::memchr(b'\\', seen).is_none())
            }
            // `Record::split_json` finds members.
            TableFormat::Json(_) => (FINISHED, true),
        }
    }

    pub(crate) fn whole_field(self, text: &[u8], (start, end): (u32, u32)) -> (usize, usize) {
        let (start, end) = (start as usize, end as usize);
        // An unquoted field follows a separator or starts the row.
        let quoted =
            matches!(self, TableFormat::Csv { .. }) && start > 0 && text[start - 1] == QUOTE;
        match quoted {
            true if text.get(end) == Some(&QUOTE) => (start - 1, end + 1),
            true => (start - 1, end),
            false => (start, end),
        }
    }

    /// Whether a field is valid only last: an unclosed quote, or a CR at its end.
    pub(crate) fn ends_open(self, text: &[u8], field: (u32, u32)) -> bool {
        let (start, end) = self.whole_field(text, field);
        if end < text.len() || !matches!(self, TableFormat::Csv { .. }) {
            return false;
        }
        if text.get(start) != Some(&QUOTE) {
            return text[start..].ends_with(b"\r");
        }
        let mut at = start + 1;
        while let Some(quote) = memchr::memchr(QUOTE, &text[at..]) {
            at += quote + 1;
            match text.get(at) {
                None => return false,
                Some(&QUOTE) => at += 1,
                Some(_) => {}
            }
        }
        true
    }

    /// What field `n` of these ranges means, of a row in which some field differs from its range.
    /// `resume_at` is from the split that found the last of them.
    pub fn field_text<'t>(
        self,
        text: &'t [u8],
        ranges: &[(u32, u32)],
        n: usize,
        resume_at: usize,
    ) -> Cow<'t, [u8]> {
        let (start, end) = ranges[n];
        match self.meaning(text, ranges[n], end_of(text, ranges, n, resume_at)) {
            Some(meaning) => Cow::Owned(meaning),
            None => Cow::Borrowed(&text[start as usize..end as usize]),
        }
    }

    /// The meaning, if it differs from the range; `end` includes the quotes.
    fn meaning(self, text: &[u8], (start, _): (u32, u32), end: usize) -> Option<Vec<u8>> {
        let start = start as usize;
        match self {
            TableFormat::Csv { .. } if start > 0 && text[start - 1] == QUOTE => {
                let inner = &text[start..end];
                let closed = inner.last() == Some(&QUOTE);
                let inside = &inner[..inner.len() - usize::from(closed)];
                let plain = memchr::memchr(QUOTE, inside).is_none()
                    && memchr::memmem::find(inside, b"\r\n").is_none();
                if closed && plain { None } else { Some(without_quotes(inner)) }
            }
            TableFormat::Csv { .. } | TableFormat::Json(_) => None,
            TableFormat::Tsv => {
                let field = &text[start..end];
                memchr::memchr(b'\\', field).map(|first| without_escapes(field, first))
            }
        }
    }
}

/// Doubled quotes are one, CR LF is LF.
fn without_quotes(inner: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(inner.len());
    let mut at = 0;
    while let Some(&byte) = inner.get(at) {
        match (byte, inner.get(at + 1)) {
            (QUOTE, Some(&QUOTE)) => {
                out.push(QUOTE);
                at += 2;
            }
            (QUOTE, None) => break,
            (b'\r', Some(b'\n')) => at += 1,
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

/// The first escape is at `first`. Other backslashes are literal.
fn without_escapes(field: &[u8], first: usize) -> Vec<u8> {
    let mut out = field[..first].to_vec();
    let mut rest = field[first..].iter();
    while let Some(&byte) = rest.next() {
        let escaped = match (byte, rest.as_slice().first()) {
            (b'\\', Some(b't')) => b'\t',
            (b'\\', Some(b'n')) => b'\n',
            (b'\\', Some(b'r')) => b'\r',
            (b'\\', Some(b'\\')) => b'\\',
            _ => {
                out.push(byte);
                continue;
            }
        };
        rest.next();
        out.push(escaped);
    }
    out
}

/// `resume_at` is from the split that found the last field.
fn end_of(text: &[u8], fields: &[(u32, u32)], n: usize, resume_at: usize) -> usize {
    match fields.get(n + 1) {
        Some(&(next, _)) => {
            let next = next as usize;
            next - 1 - usize::from(text[next - 1] == QUOTE)
        }
        None if resume_at == FINISHED => text.len(),
        None => resume_at - 1,
    }
}

/// For `split` without a separator. `ranges` is scratch.
pub fn pieces(format: TableFormat, text: &[u8], ranges: &mut Vec<(u32, u32)>) -> Vec<Value> {
    ranges.clear();
    if format.is_json() {
        let mut record = Record::new(Splitter::Row(format));
        record.set_text(text, TextKind::Input);
        let owned = |value: Value| value.to_owned(text);
        return (1..=record.count()).map(|n| owned(record.field(n))).collect();
    }
    let (_, is_literal) = format.split(text, 0, usize::MAX, ranges);
    let value = |n: usize| match is_literal {
        true => Value::from_input_slice(text, ranges[n].0 as usize, ranges[n].1 as usize),
        false => {
            let meaning = format.field_text(text, ranges, n, FINISHED);
            Value::from_input(&meaning)
        }
    };
    (0..ranges.len()).map(value).collect()
}

impl Record {
    #[inline(never)]
    pub(crate) fn split_row(&mut self, format: TableFormat, count: usize) {
        let first = self.fields.len();
        if first >= count || self.split_at == FINISHED {
            return;
        }
        if format.is_json() {
            // Paths are found without the members.
            if self.path_of(count).is_none() {
                self.split_json();
            }
            return;
        }
        let mut fields = std::mem::take(&mut self.fields);
        let (resume_at, is_literal) =
            format.split(self.text(), self.split_at, count - first, &mut fields);
        self.split_at = resume_at;
        self.fields = fields;
        if !is_literal {
            self.find_meanings(format, first);
        }
    }

    #[cold]
    fn find_meanings(&mut self, format: TableFormat, first: usize) {
        for n in first..self.fields.len() {
            let end = end_of(self.text(), &self.fields, n, self.split_at);
            let Some(meaning) = format.meaning(self.text(), self.fields[n], end) else { continue };
            if end > 0 && self.text()[end - 1] != QUOTE {
                // Everything after the opening quote.
                self.fields[n].1 = end as u32;
            }
            self.keep_meaning(n, Value::from_input(&meaning));
        }
    }

    pub(crate) fn keep_meaning(&mut self, at: usize, value: Value) {
        if self.assigned.len() <= at {
            self.assigned.resize(at + 1, None);
        }
        self.assigned[at] = Some(value);
        self.touch();
    }

    pub(crate) fn row_format(&self) -> Option<TableFormat> {
        match self.splitter {
            Splitter::Row(format) => Some(format),
            _ => None,
        }
    }
}
