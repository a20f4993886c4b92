//! Names of columns: the header of each file as it is read, the numbers of the fields that the
//! program calls by name, and `FIELDS`.

use super::TableFormat;
use super::guess::likely_separator;
use super::layout::{ColumnLayout, ColumnNames};
use crate::terminator::Terminator;
use riverhawk_awkio::fault::Fault;
use riverhawk_syntax::nearest;
use std::collections::HashMap;

/// A column that the file has not: its number among those that the program names, counted down from
/// here. Far below every field number, so that using it as one fails and the failure knows which it
/// is.
pub const MISSING: f64 = -1e15;

/// At most so many names are listed when none is near.
const MAX_LISTED: usize = 8;

/// A byte order mark, which is no part of the first column's name.
pub const MARK: &str = "\u{FEFF}";

/// The header of a file, as it was read.
#[derive(Clone, Debug)]
pub struct FileHeader {
    /// A byte order mark included.
    pub text: Vec<u8>,
    /// What ended it.
    pub terminator: Terminator,
    /// Columns that the program has given other names.
    pub renamed: Vec<usize>,
}

/// The columns that the program names, and those of the file being read.
#[derive(Default)]
pub struct Columns {
    /// Names in the program, with the slot that keeps the column's number.
    pub named: Vec<(String, usize)>,
    /// The field of each of them in the file being read, as their slots have it; 0 for what is no
    /// column of it.
    pub numbers: Vec<u32>,
    /// The slot of FIELDS, if the program uses it as an array.
    pub fields: Option<usize>,
    /// How columns that the program has named in FIELDS before the first header are called from
    /// then on: the old name or the number, and the new one.
    pub renamed: Option<Vec<(Vec<u8>, String)>>,
    /// What is known of the file being read.
    pub file: FileColumns,
    /// The next record is a header.
    pub header_is_due: bool,
    /// Rows of different widths under one header have been told of.
    pub warned_of_widths: bool,
    /// What ended the record with this FNR, where RT no longer says it.
    pub end: Option<(f64, Terminator)>,
}

/// What the beginning of a file has told of its columns, for whoever reads another part of it too.
#[derive(Clone, Debug, Default)]
pub struct FileColumns {
    /// Its columns.
    pub names: ColumnNames,
    /// What messages call the file.
    pub file: String,
    /// The header as it was read.
    pub header: String,
    /// How many fields each record of this file must have, once that is known.
    pub width: Option<usize>,
    /// Which columns are written, if not all in their order.
    pub layout: Option<ColumnLayout>,
    /// How its lines end, to judge by the last that did.
    pub line_end: LineEnd,
    /// The names in the header that was written to the standard output, or would have been if rows
    /// went there.
    pub written: Option<Vec<String>>,
    /// The names of the columns of whole records, in the order of the first file.
    pub whole: Option<Vec<String>>,
    /// The header of the file as it was read.
    pub read: Option<FileHeader>,
    /// The names in the first record of JSON.
    pub json_names: ColumnNames,
    /// The same, of records of JSON that are written as rows: each is written in these columns.
    pub json_header: Vec<Vec<u8>>,
}

/// How lines end.
#[derive(Clone, Copy, Debug)]
pub struct LineEnd(pub &'static [u8]);

impl Default for LineEnd {
    fn default() -> LineEnd {
        LineEnd(b"\n")
    }
}

impl Columns {
    /// What the file being read has told so far.
    pub fn known(&self) -> FileColumns {
        self.file.clone()
    }

    /// Names of the columns.
    pub fn names(&self) -> &[String] {
        &self.file.names.unique
    }

    /// The column or path that the program names at this place, from 0.
    pub fn named(&self, at: usize) -> &str {
        self.named.get(at).map_or("", |(name, _)| name)
    }

    /// Which columns are written, if not all in their order.
    #[inline]
    pub fn layout(&self) -> Option<&ColumnLayout> {
        self.file.layout.as_ref()
    }

    /// The names of the columns that each record of JSON is written in, if a header was written.
    pub fn json_header(&self) -> &[Vec<u8>] {
        &self.file.json_header
    }

    /// The names over the rows that are shown.
    pub fn head(&self) -> &[String] {
        self.file.written.as_deref().unwrap_or_default()
    }

    /// Whether a header has been written.
    pub fn is_written(&self) -> bool {
        self.file.written.is_some()
    }

    /// How lines of the file end.
    pub fn line_end(&self) -> &'static [u8] {
        self.file.line_end.0
    }

    /// How many fields a row of the file has, once that is known.
    pub fn width(&self) -> Option<usize> {
        self.file.width
    }

    /// The same, when a row has told.
    pub fn set_width(&mut self, width: usize) {
        self.file.width = Some(width);
    }

    /// A line that had an end is followed by one that has none.
    pub fn note_line_end(&mut self, terminator: Terminator) {
        if let Some(end) = terminator.line_end() {
            self.file.line_end = LineEnd(end);
        }
    }

    /// RT is about to say something else than what ended the record with this FNR.
    pub fn keep_end(&mut self, record: f64, rt: Terminator) {
        if self.kept_end(record).is_none() {
            self.end = Some((record, rt));
        }
    }

    /// What ended the record with this FNR, if RT no longer says it.
    pub fn kept_end(&self, record: f64) -> Option<Terminator> {
        self.end.filter(|&(kept, _)| kept == record).map(|(_, end)| end)
    }

    /// A file begins.
    pub fn begin_file(&mut self) {
        self.end = None;
        (self.file.width, self.file.line_end) = (None, LineEnd::default());
    }

    /// What is written from now on has a header of its own.
    pub fn begin_output(&mut self) {
        (self.file.written, self.file.whole) = (None, None);
        self.file.json_header.clear();
    }

    /// The slot of FIELDS, if the program uses it.
    pub fn fields_slot(&self) -> Option<usize> {
        self.fields
    }

    /// The field of a column that the program names, if the file has it. From 1.
    #[inline(always)]
    pub fn field(&self, column: usize) -> Option<usize> {
        // Read from here and not from the slot: 6 instructions more than a field by its number, not
        // 29.
        self.numbers.get(column).filter(|&&number| number > 0).map(|&number| number as usize)
    }

    /// Why a number that is no field's is none, if it stands for a column.
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
            format!("; @\"{name}\" = value makes it")
        } else {
            String::new()
        };
        Some(Fault::new(self.without(name, input) + &makes))
    }

    /// The words for a column that the file has not.
    pub fn without(&self, name: &str, input: Option<TableFormat>) -> String {
        let FileColumns { file, header, names, .. } = &self.file;
        match likely_separator(header, names.own, name, input) {
            Some(question) => format!("{file} has no column \"{name}\": {question}"),
            None => format!("{file} has no column \"{name}\"; {}", self.near(name)),
        }
    }

    /// The names that were probably meant.
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

/// Names made unique: a second `x` becomes `x_2`, or what comes next and is free. Each renamed
/// column with the first of its name.
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
                // One of so many is free.
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
