//! Rows written: values as fields, and `$0` put together as a row.
//!
//! A field is quoted, or its characters escaped, only where reading it back would give something else. In a row that was read in
//! the same format, fields that were not assigned keep every byte they had, quotes included.

use super::TableFormat;
use super::json::{write_text, write_value};
use crate::fault::{Fallible, Fault};
use crate::io::Sink;
use crate::record::Record;
use riverhawk_blocks::room::Growing;
use riverhawk_value::number::number_to_text;
use riverhawk_value::{NumberFormat, Value};

impl TableFormat {
    /// Appends a field; whether it was written as it is.
    pub(crate) fn write_field(self, field: &[u8], out: &mut Vec<u8>) -> bool {
        match self {
            TableFormat::Csv { separator } => {
                let special = |byte: &u8| matches!(byte, b'"' | b'\n' | b'\r') || *byte == separator;
                if !field.iter().any(special) {
                    out.extend_by(field);
                    return true;
                }
                out.push(b'"');
                for &byte in field {
                    if byte == b'"' {
                        out.push(b'"');
                    }
                    out.push(byte);
                }
                out.push(b'"');
                false
            }
            TableFormat::Tsv => {
                let before = out.len();
                for &byte in field {
                    match byte {
                        b'\t' => out.extend_from_slice(b"\\t"),
                        b'\n' => out.extend_from_slice(b"\\n"),
                        b'\r' => out.extend_from_slice(b"\\r"),
                        b'\\' => out.extend_from_slice(b"\\\\"),
                        byte => out.push(byte),
                    }
                }
                out.len() - before == field.len()
            }
            TableFormat::JsonLines => {
                write_text(field, out);
                false
            }
        }
    }

    /// Appends what tells a row of one empty field from one of none.
    pub(crate) fn end_row(self, count: usize, row_is_empty: bool, out: &mut Vec<u8>) {
        if let (TableFormat::Csv { .. }, 1, true) = (self, count, row_is_empty) {
            out.extend_from_slice(b"\"\"");
        }
    }
}

/// Writes one `print` as a row. `row` is used for work.
pub(crate) fn print_row<'v>(
    sink: &mut Sink,
    format: TableFormat,
    parts: impl Iterator<Item = &'v Value>,
    record: &[u8],
    ofmt: &NumberFormat,
    ors: &[u8],
    row: &mut Vec<u8>,
) -> Fallible<()> {
    row.clear();
    if format == TableFormat::JsonLines {
        return print_json(sink, parts, record, ors, row);
    }
    let (mut number, mut count) = (Vec::new(), 0);
    for part in parts {
        if count > 0 {
            row.push(format.separator());
        }
        count += 1;
        match part {
            Value::Num(value) => {
                number.clear();
                number_to_text(*value, ofmt, &mut number);
                format.write_field(&number, row);
            }
            text => {
                number.clear();
                format.write_field(text.text(record, ofmt, &mut number), row);
            }
        }
    }
    let is_empty = row.is_empty();
    format.end_row(count, is_empty, row);
    sink.write_pair(row, ors)?;
    Ok(sink.end_print()?)
}

/// Writes one `print` as JSON: one value as it is, several as an array.
fn print_json<'v>(
    sink: &mut Sink,
    parts: impl Iterator<Item = &'v Value>,
    record: &[u8],
    ors: &[u8],
    row: &mut Vec<u8>,
) -> Fallible<()> {
    let mut count = 0;
    for part in parts {
        if count > 0 {
            row.push(b',');
        }
        count += 1;
        write_value(part, record, row);
    }
    if count > 1 {
        row.insert(0, b'[');
        row.push(b']');
    }
    sink.write_pair(row, ors)?;
    Ok(sink.end_print()?)
}

impl Record {
    /// Appends the record as JSON: an object if the fields have names, else an array.
    pub(crate) fn write_json(&mut self, names: &[String], out: &mut Vec<u8>) {
        let count = self.count();
        let named = !names.is_empty();
        out.push(if named { b'{' } else { b'[' });
        for n in 1..=count {
            if n > 1 {
                out.push(b',');
            }
            if named {
                match names.get(n - 1) {
                    Some(name) => write_text(name.as_bytes(), out),
                    None => write_text(format!("${n}").as_bytes(), out),
                }
                out.push(b':');
            }
            let value = self.field(n);
            write_value(&value, self.text(), out);
        }
        out.push(if named { b'}' } else { b']' });
    }

    /// Appends the record, an object of JSON, as a row with the columns of a header: what it has not is empty. A record without names
    /// gives its values in order.
    ///
    /// # Errors
    /// It has what is no column: in another one it would be wrong, and left out it would be lost.
    pub(crate) fn write_json_row(
        &mut self,
        format: TableFormat,
        header: &[Vec<u8>],
        out: &mut Vec<u8>,
    ) -> Fallible<()> {
        let names = self.json_names();
        let has_names = self.text().trim_ascii_start().starts_with(b"{");
        if let Some(name) = names.iter().find(|name| has_names && !header.contains(name)) {
            let name = String::from_utf8_lossy(name);
            return Err(Fault::new(format!(
                "the record has a member \"{name}\", which is no column of the header that was written: print the columns by their names"
            )));
        }
        let begin = out.len();
        // Of repeated names the last counts, as everywhere.
        let member_of = |column: &Vec<u8>| names.iter().rposition(|name| name == column);
        let members: Vec<Option<usize>> =
            if has_names { header.iter().map(member_of).collect() } else { (0..self.count()).map(Some).collect() };
        let count = members.len();
        for (column, member) in members.into_iter().enumerate() {
            if column > 0 {
                out.push(format.separator());
            }
            if let Some(member) = member {
                let value = self.field(member + 1);
                format.write_field(value.bytes(self.text()).unwrap_or_default(), out);
            }
        }
        format.end_row(count, out.len() == begin, out);
        Ok(())
    }

    /// Appends the record as a row of `format`; where each field came to lie, without its quotes.
    pub(crate) fn write_row(
        &mut self,
        format: TableFormat,
        convfmt: &NumberFormat,
        out: &mut Vec<u8>,
    ) -> Vec<(u32, u32)> {
        self.split_all();
        let begin = out.len();
        let same = self.row_format() == Some(format);
        let mut ranges = Vec::with_capacity(self.fields.len());
        let mut number = Vec::new();
        for at in 0..self.fields.len() {
            if at > 0 {
                out.push(format.separator());
            }
            let edited = self.edited.get(at).copied().unwrap_or(false);
            let start = out.len() - begin;
            let (inner_start, inner_end) = self.fields[at];
            let is_last = at + 1 == self.fields.len();
            if same && !edited && (is_last || !format.ends_open(self.text(), self.fields[at])) {
                let (whole_start, whole_end) = format.whole_field(self.text(), self.fields[at]);
                out.extend_by(&self.text()[whole_start..whole_end]);
                let inner = start + (inner_start as usize - whole_start);
                ranges.push((inner as u32, (inner + (inner_end - inner_start) as usize) as u32));
                continue;
            }
            number.clear();
            let verbatim = match self.assigned.get(at) {
                Some(Some(value)) => {
                    format.write_field(value.text(&[], convfmt, &mut number), out);
                    true
                }
                _ => format.write_field(&self.text()[inner_start as usize..inner_end as usize], out),
            };
            if !verbatim {
                let value = Value::from_input(&self.text()[inner_start as usize..inner_end as usize]);
                self.keep_meaning(at, value);
            }
            ranges.push((start as u32, (out.len() - begin) as u32));
        }
        let is_empty = out.len() == begin;
        format.end_row(ranges.len(), is_empty, out);
        ranges
    }
}
