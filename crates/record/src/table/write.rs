//! Writing rows: values as fields, `$0` as a row.
//!
//! Quoted only where necessary. Unassigned fields of a row in the same format keep every byte.

use super::TableFormat;
use super::json::{Nested, write_text, write_value};
use crate::record::Record;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_memory::Growing;
use riverhawk_value::{NumberFormat, Value};

impl TableFormat {
    /// Appends a field; returns whether it was written verbatim.
    pub fn write_field(self, field: &[u8], out: &mut Vec<u8>) -> bool {
        match self {
            TableFormat::Csv { separator } => {
                let special =
                    |byte: &u8| matches!(byte, b'"' | b'\n' | b'\r') || *byte == separator;
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
            TableFormat::Json(_) => {
                write_text(field, out);
                false
            }
        }
    }

    /// Distinguishes an empty field from an empty row. `out[begin..]` is the row, of `count`
    /// fields.
    pub fn end_row(self, count: usize, begin: usize, out: &mut Vec<u8>) {
        if matches!(self, TableFormat::Csv { .. }) && count == 1 && out.len() == begin {
            out.extend_from_slice(b"\"\"");
        }
    }
}

impl Record {
    /// Appends an object if the fields have names, else an array.
    pub fn write_json(
        &mut self,
        names: &[String],
        members: Option<&[Option<usize>]>,
        out: &mut Vec<u8>,
    ) {
        let named = !names.is_empty();
        out.push(if named { b'{' } else { b'[' });
        let all: Vec<Option<usize>> = (0..self.count()).map(Some).collect();
        for (at, &field) in members.unwrap_or(&all).iter().enumerate() {
            if at > 0 {
                out.push(b',');
            }
            if named {
                match field.and_then(|field| names.get(field)) {
                    Some(name) => write_text(name.as_bytes(), out),
                    None => write_text(format!("${}", at + 1).as_bytes(), out),
                }
                out.push(b':');
            }
            let value = field.map_or(Value::NoField, |field| self.field(field + 1));
            write_value(&value, self.text(), Nested::Text, out);
        }
        out.push(if named { b'}' } else { b']' });
    }

    /// The member for each column of a header; without names, in order.
    ///
    /// # Errors
    /// A member has no column.
    pub fn json_members(&mut self, header: &[Vec<u8>]) -> Fallible<Vec<Option<usize>>> {
        if !self.text().trim_ascii_start().starts_with(b"{") {
            return Ok((0..self.count()).map(Some).collect());
        }
        let names = self.json_names();
        if let Some(name) = names.iter().find(|name| !header.contains(name)) {
            let name = String::from_utf8_lossy(name);
            return Err(Fault::new(format!(
                "the record has a member \"{name}\", which is not in the header that was written: print the columns by their names"
            )));
        }
        // The last of repeated names counts, as everywhere.
        Ok(header.iter().map(|column| names.iter().rposition(|name| name == column)).collect())
    }

    /// Appends some fields as a row; missing ones are empty.
    pub fn write_members(
        &mut self,
        format: TableFormat,
        members: &[Option<usize>],
        convfmt: &NumberFormat,
        out: &mut Vec<u8>,
    ) {
        self.split_all();
        let begin = out.len();
        for (at, &field) in members.iter().enumerate() {
            if at > 0 {
                out.push(format.separator());
            }
            if let Some(field) = field.filter(|&field| field < self.fields.len()) {
                self.write_own_field(format, field, at + 1 == members.len(), convfmt, out);
            }
        }
        format.end_row(members.len(), begin, out);
    }

    /// Appends the record as a row; returns each field's range.
    pub fn write_row(
        &mut self,
        format: TableFormat,
        convfmt: &NumberFormat,
        out: &mut Vec<u8>,
    ) -> Vec<(u32, u32)> {
        self.split_all();
        let begin = out.len();
        let mut ranges = Vec::with_capacity(self.fields.len());
        for at in 0..self.fields.len() {
            if at > 0 {
                out.push(format.separator());
            }
            let start = out.len() - begin;
            let is_last = at + 1 == self.fields.len();
            match self.write_own_field(format, at, is_last, convfmt, out) {
                Copied::Whole { inner } => {
                    let (inner_start, inner_end) = self.fields[at];
                    let inner = start + inner;
                    ranges
                        .push((inner as u32, (inner + (inner_end - inner_start) as usize) as u32));
                    continue;
                }
                Copied::Anew { is_verbatim: true } => {}
                Copied::Anew { is_verbatim: false } => {
                    let (start, end) = self.fields[at];
                    let value = Value::from_input(&self.text()[start as usize..end as usize]);
                    self.keep_meaning(at, value);
                }
            }
            ranges.push((start as u32, (out.len() - begin) as u32));
        }
        format.end_row(ranges.len(), begin, out);
        ranges
    }

    /// Verbatim if the row has the same format and the field was not assigned.
    fn write_own_field(
        &self,
        format: TableFormat,
        at: usize,
        is_last: bool,
        convfmt: &NumberFormat,
        out: &mut Vec<u8>,
    ) -> Copied {
        let (start, end) = self.fields[at];
        let is_edited = self.edited.get(at).copied().unwrap_or(false);
        let is_same = self.row_format() == Some(format);
        if is_same && !is_edited && (is_last || !format.ends_open(self.text(), self.fields[at])) {
            let (whole_start, whole_end) = format.whole_field(self.text(), self.fields[at]);
            out.extend_by(&self.text()[whole_start..whole_end]);
            return Copied::Whole { inner: start as usize - whole_start };
        }
        match self.assigned.get(at) {
            Some(Some(value)) => {
                format.write_field(value.text(&[], convfmt, &mut Vec::new()), out);
                Copied::Anew { is_verbatim: true }
            }
            _ => {
                let is_verbatim =
                    format.write_field(&self.text()[start as usize..end as usize], out);
                Copied::Anew { is_verbatim }
            }
        }
    }
}

enum Copied {
    /// Verbatim, with the start of its meaning.
    Whole { inner: usize },
    /// From its value.
    Anew { is_verbatim: bool },
}
