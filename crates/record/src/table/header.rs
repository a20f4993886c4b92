//! Column names, their field numbers, and `FIELDS`.

use super::TableFormat;
use super::guess::likely_separator;
use super::layout::{ColumnLayout, ColumnNames};
use crate::terminator::Terminator;
use riverhawk_awkio::fault::Fault;
use riverhawk_syntax::nearest;
use std::collections::HashMap;

/// A missing column: this minus its index. Far below any field number, so that its use fails and
/// names the column.
pub const MISSING: f64 = -1e15;

const MAX_LISTED: usize = 8;

/// A byte order mark, not part of the first name.
pub const MARK: &str = "\u{FEFF}";

/// The header of a file, as it was read.
#[derive(Clone, Debug)]
pub struct FileHeader {
    /// With any byte order mark.
    pub text: Vec<u8>,
    /// Its terminator.
    pub terminator: Terminator,
    /// Columns renamed by the program.
    pub renamed: Vec<usize>,
}

/// The program's columns and the current file's.
#[derive(Default)]
pub struct Columns {
    /// Names in the program, with the slots of their numbers.
    pub named: Vec<(String, usize)>,
    /// Their fields in the current file; 0 if missing.
    pub numbers: Vec<u32>,
    /// The slot of FIELDS, if used as an array.
    pub fields: Option<usize>,
    /// Renames through FIELDS before the first header: old name or number, new name.
    pub renamed: Option<Vec<(Vec<u8>, String)>>,
    /// What is known of the current file.
    pub file: FileColumns,
    /// Whether the next record is a header.
    pub header_is_due: bool,
    /// Whether a warning about rows of different widths was given.
    pub warned_of_widths: bool,
    /// The record's FNR and terminator, once RT has changed.
    pub end: Option<(f64, Terminator)>,
}

/// What is known of a file's columns.
#[derive(Clone, Debug, Default)]
pub struct FileColumns {
    /// Its columns.
    pub names: ColumnNames,
    /// The file's name in messages.
    pub file: String,
    /// The header as read.
    pub header: String,
    /// Required number of fields, once known.
    pub width: Option<usize>,
    /// The columns written, if not all in order.
    pub layout: Option<ColumnLayout>,
    /// Its line end, judging by the last line with one.
    pub line_end: LineEnd,
    /// The header of the standard output.
    pub written: Option<Vec<String>>,
    /// The columns of whole records, as in the first file.
    pub whole: Option<Vec<String>>,
    /// The file's header as read.
    pub read: Option<FileHeader>,
    /// The names in the first JSON record.
    pub json_names: ColumnNames,
    /// The columns of JSON records written as rows.
    pub json_header: Vec<Vec<u8>>,
}

/// A line end.
#[derive(Clone, Copy, Debug)]
pub struct LineEnd(pub &'static [u8]);

impl Default for LineEnd {
    fn default() -> LineEnd {
        LineEnd(b"\n")
    }
}

impl Columns {
    /// What is known of the current file.
    pub fn known(&self) -> FileColumns {
        self.file.clone()
    }

    /// The column names.
    pub fn names(&self) -> &[String] {
        &self.file.names.unique
    }

    /// The column or path at index `at`.
    pub fn named(&self, at: usize) -> &str {
        self.named.get(at).map_or("", |(name, _)| name)
    }

    /// The columns written, if not all in order.
    #[inline]
    pub fn layout(&self) -> Option<&ColumnLayout> {
        self.file.layout.as_ref()
    }

    /// The columns of JSON records written as rows.
    pub fn json_header(&self) -> &[Vec<u8>] {
        &self.file.json_header
    }

    /// The names over displayed rows.
    pub fn head(&self) -> &[String] {
        self.file.written.as_deref().unwrap_or_default()
    }

    /// Whether a header has been written.
    pub fn is_written(&self) -> bool {
        self.file.written.is_some()
    }

    /// The file's line end.
    pub fn line_end(&self) -> &'static [u8] {
        self.file.line_end.0
    }

    /// Required number of fields, once known.
    pub fn width(&self) -> Option<usize> {
        self.file.width
    }

    /// Sets the required number of fields.
    pub fn set_width(&mut self, width: usize) {
        self.file.width = Some(width);
    }

    /// Keeps the line end for a last line without one.
    pub fn note_line_end(&mut self, terminator: Terminator) {
        if let Some(end) = terminator.line_end() {
            self.file.line_end = LineEnd(end);
        }
    }

    /// Keeps the terminator before RT changes.
    pub fn keep_end(&mut self, record: f64, rt: Terminator) {
        if self.kept_end(record).is_none() {
            self.end = Some((record, rt));
        }
    }

    /// The terminator kept for this FNR.
    pub fn kept_end(&self, record: f64) -> Option<Terminator> {
        self.end.filter(|&(kept, _)| kept == record).map(|(_, end)| end)
    }

    /// Begins a file.
    pub fn begin_file(&mut self) {
        self.end = None;
        (self.file.width, self.file.line_end) = (None, LineEnd::default());
    }

    /// The next output gets its own header.
    pub fn begin_output(&mut self) {
        (self.file.written, self.file.whole) = (None, None);
        self.file.json_header.clear();
    }

    /// The slot of FIELDS, if used.
    pub fn fields_slot(&self) -> Option<usize> {
        self.fields
    }

    /// The field, from 1, of a named column.
    #[inline(always)]
    pub fn field(&self, column: usize) -> Option<usize> {
        // Faster than through the slot.
        self.numbers.get(column).filter(|&&number| number > 0).map(|&number| number as usize)
    }

    /// The error for an invalid field number.
    pub fn missing(
        &self,
        number: f64,
        input: Option<TableFormat>,
        changed: &[String],
    ) -> Option<Fault> {
        let (name, _) =
            self.named.get((MISSING - number) as usize).filter(|_| number <= MISSING)?;
        if self.names().is_empty() {
            return Some(Fault::new(format!(
                "no header has been read yet, so there is no column \"{name}\""
            )));
        }
        let makes = if changed.contains(name) {
            format!("; @\"{name}\" = value creates it")
        } else {
            String::new()
        };
        Some(Fault::new(self.without(name, input) + &makes))
    }

    /// The message for a missing column.
    pub fn without(&self, name: &str, input: Option<TableFormat>) -> String {
        let FileColumns { file, header, names, .. } = &self.file;
        match likely_separator(header, names.own, name, input) {
            Some(question) => format!("{file} has no column \"{name}\": {question}"),
            None => format!("{file} has no column \"{name}\"; {}", self.near(name)),
        }
    }

    fn near(&self, name: &str) -> String {
        let lower = name.to_lowercase();
        let holds = |known: &str| {
            let known = known.to_lowercase();
            !known.is_empty()
                && !lower.is_empty()
                && (known.contains(&lower) || lower.contains(&known))
        };
        let mut meant: Vec<&str> =
            nearest(name, self.names().iter().map(String::as_str)).into_iter().collect();
        meant.extend(self.names().iter().map(String::as_str).filter(|known| holds(known)));
        let mut seen = Vec::new();
        meant.retain(|name| {
            !seen.contains(name) && {
                seen.push(name);
                true
            }
        });
        let quoted = |names: &[&str]| {
            names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
        };
        if !meant.is_empty() {
            return format!("did you mean {}?", quoted(&meant[..meant.len().min(3)]));
        }
        let all: Vec<&str> = self.names().iter().map(String::as_str).collect();
        let listed = quoted(&all[..all.len().min(MAX_LISTED)]);
        match all.len().saturating_sub(MAX_LISTED) {
            0 => format!("it has {listed}"),
            more => format!("it has {listed} and {more} more"),
        }
    }
}

/// A second `x` becomes `x_2`. Returns each renamed column with the first of its name.
pub fn make_unique(names: &mut [String]) -> Vec<(usize, usize)> {
    let mut renamed = Vec::new();
    let mut first: HashMap<String, usize> = HashMap::new();
    let all: std::collections::HashSet<String> = names.iter().cloned().collect();
    for at in 0..names.len() {
        let name = names[at].clone();
        match first.get(&name) {
            None => {
                first.insert(name, at);
            }
            Some(&earlier) => {
                let free = |name: &String| !first.contains_key(name) && !all.contains(name);
                // One of them is free.
                let unique =
                    (2..names.len() + 3).map(|n| format!("{name}_{n}")).find(free).unwrap_or(name);
                first.insert(unique.clone(), at);
                names[at] = unique;
                renamed.push((at, earlier));
            }
        }
    }
    renamed
}

#[cfg(test)]
mod tests {
    use super::make_unique;

    #[test]
    fn repeated_names_get_the_next_free_number() {
        let mut names = ["x", "x_2", "x", "", "x", ""].map(String::from);
        assert_eq!(make_unique(&mut names), [(2, 0), (4, 0), (5, 3)]);
        assert_eq!(names, ["x", "x_2", "x_3", "", "x_4", "_2"]);
    }
}
