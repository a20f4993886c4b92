//! Names of columns: the header of each file as it is read, the numbers of the fields that the
//! program calls by name, and `FIELDS`.

use super::TableFormat;
use super::fields::pieces;
use super::guess::likely_separator;
use super::heading::{FileHeader, without_mark};
use super::json::{FIRST_PATH, Path};
use super::layout::{Layout, Names};
use super::output::line_end;
use crate::fault::{Fallible, Fault};
use crate::runtime::{Runtime, Terminator};
use crate::splitter::Splitter;
use riverhawk_simd::FINISHED;
use riverhawk_stream::Record as Range;
use riverhawk_syntax::ast::Special;
use riverhawk_syntax::nearest;
use riverhawk_value::{Probe, Value};
use std::collections::HashMap;

/// A column that the file has not: its number among those that the program names, counted down from
/// here. Far below every field number, so that using it as one fails and the failure knows which it
/// is.
const MISSING: f64 = -1e15;

/// At most so many names are listed when none is near.
const MOST_LISTED: usize = 8;

/// A byte order mark, which is no part of the first column's name.
pub(super) const MARK: &str = "\u{FEFF}";

/// The columns that the program names, and those of the file being read.
#[derive(Default)]
pub struct Columns {
    /// Names in the program, with the slot that keeps the column's number.
    named: Vec<(String, usize)>,
    /// The field of each of them in the file being read, as their slots have it; 0 for what is no
    /// column of it.
    numbers: Vec<u32>,
    /// The slot of FIELDS, if the program uses it as an array.
    fields: Option<usize>,
    /// How columns that the program has named in FIELDS before the first header are called from
    /// then on: the old name or the number, and the new one.
    renamed: Option<Vec<(Vec<u8>, String)>>,
    /// What is known of the file being read.
    pub(super) file: FileColumns,
    /// The next record is a header.
    pub header_is_due: bool,
    /// Rows of different widths under one header have been told of.
    pub(super) warned_of_widths: bool,
    /// What ended the record with this FNR, where RT no longer says it.
    end: Option<(f64, Terminator)>,
}

/// What the beginning of a file has told of its columns, for whoever reads another part of it too.
#[derive(Clone, Debug, Default)]
pub(crate) struct FileColumns {
    pub(super) names: Names,
    /// What messages call the file.
    pub(super) file: String,
    /// The header as it was read.
    header: String,
    /// How many fields each record of this file must have, once that is known.
    pub width: Option<usize>,
    /// Which columns are written, if not all in their order.
    pub(super) layout: Option<Layout>,
    /// How its lines end, to judge by the last that did.
    pub line_end: LineEnd,
    /// The names in the header that was written to the standard output, or would have been if rows
    /// went there.
    pub(super) written: Option<Vec<String>>,
    /// The names of the columns of whole records, in the order of the first file.
    pub(super) whole: Option<Vec<String>>,
    /// The header of the file as it was read.
    pub(super) read: Option<FileHeader>,
    /// The names in the first record of JSON.
    pub(super) json_names: Names,
    /// The same, of records of JSON that are written as rows: each is written in these columns.
    pub(super) json_header: Vec<Vec<u8>>,
}

/// How lines end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineEnd(pub &'static [u8]);

impl Default for LineEnd {
    fn default() -> LineEnd {
        LineEnd(b"\n")
    }
}

impl Columns {
    /// What the file being read has told so far.
    pub(crate) fn known(&self) -> FileColumns {
        self.file.clone()
    }

    /// Names of the columns.
    pub(crate) fn names(&self) -> &[String] {
        &self.file.names.unique
    }

    /// The column or path that the program names at this place, from 0.
    pub(crate) fn named(&self, at: usize) -> &str {
        self.named.get(at).map_or("", |(name, _)| name)
    }

    /// Which columns are written, if not all in their order.
    #[inline]
    pub(crate) fn layout(&self) -> Option<&Layout> {
        self.file.layout.as_ref()
    }

    /// The names of the columns that each record of JSON is written in, if a header was written.
    pub(crate) fn json_header(&self) -> &[Vec<u8>] {
        &self.file.json_header
    }

    /// The names over the rows that are shown.
    pub(crate) fn head(&self) -> &[String] {
        self.file.written.as_deref().unwrap_or_default()
    }

    /// Whether a header has been written.
    pub(crate) fn is_written(&self) -> bool {
        self.file.written.is_some()
    }

    /// How lines of the file end.
    pub(crate) fn line_end(&self) -> &'static [u8] {
        self.file.line_end.0
    }

    /// How many fields a row of the file has, once that is known.
    pub(crate) fn width(&self) -> Option<usize> {
        self.file.width
    }

    /// The same, when a row has told.
    pub(crate) fn set_width(&mut self, width: usize) {
        self.file.width = Some(width);
    }

    /// A line that had an end is followed by one that has none.
    pub(crate) fn note_line_end(&mut self, terminator: Terminator) {
        if let Some(end) = line_end(terminator) {
            self.file.line_end = LineEnd(end);
        }
    }

    /// RT is about to say something else than what ended the record with this FNR.
    pub(crate) fn keep_end(&mut self, record: f64, rt: Terminator) {
        if self.kept_end(record).is_none() {
            self.end = Some((record, rt));
        }
    }

    /// What ended the record with this FNR, if RT no longer says it.
    pub(crate) fn kept_end(&self, record: f64) -> Option<Terminator> {
        self.end.filter(|&(kept, _)| kept == record).map(|(_, end)| end)
    }

    /// A file begins.
    pub(crate) fn begin_file(&mut self) {
        self.end = None;
        (self.file.width, self.file.line_end) = (None, LineEnd::default());
    }

    /// What is written from now on has a header of its own.
    pub(crate) fn begin_output(&mut self) {
        (self.file.written, self.file.whole) = (None, None);
        self.file.json_header.clear();
    }

    /// The slot of FIELDS, if the program uses it.
    pub(crate) fn fields_slot(&self) -> Option<usize> {
        self.fields
    }

    /// The field of a column that the program names, if the file has it. From 1.
    #[inline(always)]
    pub(crate) fn field(&self, column: usize) -> Option<usize> {
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
    fn without(&self, name: &str, input: Option<TableFormat>) -> String {
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
        let listed = quoted(&all[..all.len().min(MOST_LISTED)]);
        match all.len().saturating_sub(MOST_LISTED) {
            0 => format!("it has {listed}"),
            more => format!("it has {listed} and {more} more"),
        }
    }
}

/// Names made unique: a second `x` becomes `x_2`, or what comes next and is free. Each renamed
/// column with the first of its name.
fn make_unique(names: &mut [String]) -> Vec<(usize, usize)> {
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

impl Runtime {
    /// Finds what the program names.
    ///
    /// # Errors
    /// It names columns, and there is no header; or a path that leads nowhere.
    pub(super) fn find_columns(&mut self) -> Fallible<()> {
        let globals = &self.program.globals;
        let named = globals.iter().enumerate();
        self.columns.named =
            named.filter_map(|(slot, global)| Some((global.column()?.to_string(), slot))).collect();
        if self.tables.is_json() {
            let paths: Result<_, String> =
                self.columns.named.iter().map(|(name, _)| Path::parse(name)).collect();
            self.record.set_paths(paths.map_err(Fault::operand)?);
            for (at, (_, slot)) in self.columns.named.iter().enumerate() {
                self.statics[*slot] = Value::Num((FIRST_PATH - at) as f64);
                self.columns.numbers.push((FIRST_PATH - at) as u32);
            }
        } else if let (Some((name, _)), false) = (self.columns.named.first(), self.tables.header) {
            return Err(Fault::operand(format!(
                "the program names the column \"{name}\": add -H (--header) to read names, or --jsonl or --json if the input is JSON"
            )));
        }
        if self.tables.header || self.tables.is_json() {
            let is_array = |usage: riverhawk_syntax::ast::Usage| usage.array && !usage.scalar;
            self.columns.fields = self
                .program
                .globals
                .iter()
                .position(|global| global.name == "FIELDS" && is_array(global.usage));
        }
        if self.tables.header {
            self.number_columns();
        }
        Ok(())
    }

    /// Goes on in the middle of a file of which somebody else has read the beginning. FIELDS is
    /// taken over as other variables are.
    pub(crate) fn adopt_columns(&mut self, known: &FileColumns) {
        self.columns.file = known.clone();
        self.columns.header_is_due = false;
        if self.tables.header {
            self.number_columns();
        }
    }

    /// Goes on with a file that was read before another one. What has been written stays so.
    pub(crate) fn return_to_columns(&mut self, known: &FileColumns) {
        let before = std::mem::take(&mut self.columns.file);
        let has_other_names = known.header != before.header;
        let FileColumns { written, whole, json_header, .. } = before;
        self.adopt_columns(&FileColumns { written, whole, json_header, ..known.clone() });
        if has_other_names && !self.tables.is_json() {
            self.fill_fields();
        }
    }

    /// Keeps the number of each named column where the program looks for it.
    fn number_columns(&mut self) {
        self.columns.numbers.clear();
        for (at, (name, slot)) in self.columns.named.iter().enumerate() {
            let column = self.columns.names().iter().position(|known| known == name);
            self.columns.numbers.push(column.map_or(0, |column| column as u32 + 1));
            let number = match column {
                Some(column) => (column + 1) as f64,
                None => MISSING - at as f64,
            };
            self.statics[*slot] = Value::Num(number);
        }
    }

    /// Takes a record as the header of the file that is being read.
    pub(crate) fn take_header(&mut self, range: &Range) -> Fallible<()> {
        self.columns.header_is_due = false;
        let terminator = self.main.terminator_of(range, &mut self.rt_text);
        self.columns.note_line_end(terminator);
        let text = self.main.text(range).to_vec();
        // No part of the first name; a quote behind it is one.
        let bare = without_mark(&text);
        self.check_header(bare)?;
        let mut titles = self.header_fields(bare);
        self.columns.file.file = self.input_name();
        self.columns.file.header = String::from_utf8_lossy(bare).into_owned();
        let own = titles.len();
        self.columns.file.names = Names { unique: titles.clone(), titles: titles.clone(), own };
        let renamed = self.rename(&mut titles)?;
        self.name_columns(titles, own)?;
        self.columns.set_width(own);
        self.number_columns();
        self.fill_fields();
        let Runtime { columns, program, tables, .. } = self;
        let writes_rows = tables.output.is_some() || tables.joins_as().is_some();
        columns.file.layout =
            if writes_rows { Layout::of(&columns.file.names, &program.columns) } else { None };
        // A column that is made must not take the place of a field without a name.
        let makes_columns = columns.file.names.unique.len() > own;
        let is_strict = tables.strictness != super::Strictness::Lenient;
        self.check_rows(is_strict || makes_columns);
        if self.tables.keep_header {
            self.columns.file.read = Some(FileHeader { text, terminator, renamed });
            self.head_rows()?;
        }
        Ok(())
    }

    fn header_fields(&self, text: &[u8]) -> Vec<String> {
        let mut ranges = Vec::new();
        let name = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
        match self.record.splitter() {
            Splitter::Row(format) => {
                let values = pieces(*format, text, &mut ranges);
                values.iter().map(|value| name(value.bytes(b"").unwrap_or_default())).collect()
            }
            splitter => {
                let mut at = 0;
                while at != FINISHED {
                    at = splitter.split(text, at, usize::MAX, &mut ranges);
                }
                ranges
                    .iter()
                    .map(|&(start, end)| name(&text[start as usize..end as usize]))
                    .collect()
            }
        }
    }

    /// Gives columns the names that FIELDS had for them before the first header was read, by their
    /// old names or their numbers; a number behind the last is a column more. Which columns
    /// have other names now.
    fn rename(&mut self, titles: &mut Vec<String>) -> Fallible<Vec<usize>> {
        let renamed = match self.columns.renamed.take() {
            Some(renamed) => renamed,
            None => self.names_in_fields()?,
        };
        let own = titles.len();
        let mut columns = Vec::new();
        for (key, name) in &renamed {
            let number = std::str::from_utf8(key).ok().and_then(|key| key.parse::<usize>().ok());
            match titles
                .iter()
                .position(|title| title.as_bytes() == key)
                .or(number.and_then(|n| n.checked_sub(1)))
            {
                Some(at) if at < titles.len() => {
                    titles[at] = name.clone();
                    columns.push(at);
                }
                Some(at) if at == titles.len() => titles.push(name.clone()),
                Some(at) => {
                    return Err(Fault::new(format!(
                        "FIELDS[{}] names a column that is not the next: {} has {own}",
                        at + 1,
                        self.columns.file.file
                    )));
                }
                None => {
                    let message =
                        self.columns.without(&String::from_utf8_lossy(key), self.tables.input);
                    self.warn(&format!("FIELDS: {message}"))?;
                }
            }
        }
        self.columns.renamed = Some(renamed);
        Ok(columns)
    }

    /// What the program has put into FIELDS.
    fn names_in_fields(&mut self) -> Fallible<Vec<(Vec<u8>, String)>> {
        let Some(slot) = self.columns.fields else { return Ok(Vec::new()) };
        let array = Runtime::array(&mut self.statics[slot])?.clone();
        let array = array.borrow();
        let mut names = Vec::new();
        for key in array.keys() {
            let value = self.with_key(&key, |key| array.get(key));
            if let Some(value) = value {
                names.push((
                    self.text_of(&key),
                    String::from_utf8_lossy(&self.text_of(&value)).into_owned(),
                ));
            }
        }
        Ok(names)
    }

    /// The columns of a file by their titles, and those that the program makes.
    fn name_columns(&mut self, mut titles: Vec<String>, own: usize) -> Fallible<()> {
        let mut unique = titles.clone();
        let renamed = make_unique(&mut unique);
        for made in &self.program.columns.assigned {
            if !unique.contains(made) {
                unique.push(made.clone());
                titles.push(made.clone());
            }
        }
        for (at, earlier) in renamed {
            let file = &self.columns.file.file;
            let message = format!(
                "{file}: columns {} and {} are both named \"{}\"; the second is \"{}\" here",
                earlier + 1,
                at + 1,
                unique[earlier],
                unique[at]
            );
            self.warn(&message)?;
        }
        self.columns.file.names = Names { unique, titles, own };
        Ok(())
    }

    /// FIELDS: the name of each number, and the number of each name that is no number.
    fn fill_fields(&mut self) {
        let Some(slot) = self.columns.fields else { return };
        let Ok(array) = Runtime::array(&mut self.statics[slot]) else { return };
        let mut array = array.borrow_mut();
        array.clear();
        for (number, name) in (1..).zip(self.columns.names()) {
            array.set(Probe::from_text(name.as_bytes()), Value::Num(number as f64));
        }
        for (number, name) in (1..).zip(self.columns.names()) {
            array.set(Probe::Int(number), Value::from_input(name.as_bytes()));
        }
    }

    /// What messages call the file being read.
    pub(super) fn input_name(&self) -> String {
        match self.text_of(self.specials.value(Special::Filename)).as_slice() {
            b"-" => "standard input".into(),
            name => String::from_utf8_lossy(name).into_owned(),
        }
    }
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
