//! Names of columns: the header of each file, the numbers of the fields that the program calls by name, and `FIELDS`.

use super::TableFormat;
use super::fields::pieces;
use super::json::{FIRST_PATH, Path};
use crate::fault::{Fallible, Fault};
use crate::runtime::Runtime;
use crate::splitter::Splitter;
use riverhawk_simd::FINISHED;
use riverhawk_stream::Record as Range;
use riverhawk_syntax::ast::Special;
use riverhawk_syntax::nearest;
use riverhawk_value::{Probe, Value};
use std::collections::HashMap;

/// A column that the file has not: its number among those that the program names, counted down from here. Far below every field
/// number, so that using it as one fails and the failure knows which it is.
const MISSING: f64 = -1e15;

/// At most so many names are listed when none is near.
const MOST_LISTED: usize = 8;

/// A byte order mark, which is no part of the first column's name.
const MARK: &str = "\u{FEFF}";

/// The columns that the program names, and those of the file being read.
#[derive(Default)]
pub struct Columns {
    /// Names in the program, with the slot that keeps the column's number.
    named: Vec<(String, usize)>,
    /// The field of each of them in the file being read, as their slots have it; 0 for what is no column of it.
    numbers: Vec<u32>,
    /// The slot of FIELDS, if the program uses it as an array.
    fields: Option<usize>,
    /// Names in the header, unique.
    names: Vec<String>,
    /// The file that the header is of.
    file: String,
    /// The next record is a header.
    pub header_is_due: bool,
    /// A header has been written to the standard output.
    pub written: bool,
    /// The header that was written for records of JSON: the columns that each is written in.
    pub(crate) json_header: Vec<Vec<u8>>,
    /// How many fields each record of this file must have, once that is known.
    pub width: Option<usize>,
}

/// What the beginning of a file has told of its columns, for whoever reads another part of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownColumns {
    names: Vec<String>,
    file: String,
    width: Option<usize>,
    written: bool,
    json_header: Vec<Vec<u8>>,
}

impl Columns {
    /// What the file being read has told so far.
    pub(crate) fn known(&self) -> KnownColumns {
        let Columns { names, file, width, written, json_header, .. } = self;
        KnownColumns {
            names: names.clone(),
            file: file.clone(),
            width: *width,
            written: *written,
            json_header: json_header.clone(),
        }
    }

    /// Names in the header.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The slot of FIELDS, if the program uses it.
    pub(crate) fn fields_slot(&self) -> Option<usize> {
        self.fields
    }

    /// The field of a column that the program names, if the file has it. From 1.
    #[inline(always)]
    pub(crate) fn field(&self, column: usize) -> Option<usize> {
        // Read from here and not from the slot: 6 instructions more than a field by its number, not 29.
        self.numbers.get(column).filter(|&&number| number > 0).map(|&number| number as usize)
    }

    /// Why a number that is no field's is none, if it stands for a column.
    pub fn missing(&self, number: f64) -> Option<Fault> {
        let (name, _) = self.named.get((MISSING - number) as usize).filter(|_| number <= MISSING)?;
        if self.names.is_empty() {
            return Some(Fault::new(format!("no header has been read yet, so there is no column \"{name}\"")));
        }
        let near = self.near(name);
        Some(Fault::new(format!("{} has no column \"{name}\"; {near}", self.file)))
    }

    /// The names that were probably meant.
    fn near(&self, name: &str) -> String {
        let lower = name.to_lowercase();
        let holds = |known: &str| {
            let known = known.to_lowercase();
            !known.is_empty() && !lower.is_empty() && (known.contains(&lower) || lower.contains(&known))
        };
        let mut meant: Vec<&str> = nearest(name, self.names.iter().map(String::as_str)).into_iter().collect();
        meant.extend(self.names.iter().map(String::as_str).filter(|known| holds(known)));
        let mut seen = Vec::new();
        meant.retain(|name| {
            !seen.contains(name) && {
                seen.push(name);
                true
            }
        });
        let quoted = |names: &[&str]| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
        if !meant.is_empty() {
            return format!("did you mean {}?", quoted(&meant[..meant.len().min(3)]));
        }
        let all: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let listed = quoted(&all[..all.len().min(MOST_LISTED)]);
        match all.len().saturating_sub(MOST_LISTED) {
            0 => format!("it has {listed}"),
            more => format!("it has {listed} and {more} more"),
        }
    }
}

/// Names made unique: a second `x` becomes `x_2`, or what comes next and is free. Each renamed column with the first of its name.
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
                let unique = (2..names.len() + 3).map(|n| format!("{name}_{n}")).find(free).unwrap_or(name);
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
        self.columns.named = named.filter_map(|(slot, global)| Some((global.column()?.to_string(), slot))).collect();
        if self.tables.is_json() {
            let paths: Result<_, String> = self.columns.named.iter().map(|(name, _)| Path::parse(name)).collect();
            self.record.set_paths(paths.map_err(Fault::operand)?);
            for (at, (_, slot)) in self.columns.named.iter().enumerate() {
                self.statics[*slot] = Value::Num((FIRST_PATH - at) as f64);
                self.columns.numbers.push((FIRST_PATH - at) as u32);
            }
        } else if let (Some((name, _)), false) = (self.columns.named.first(), self.tables.header) {
            return Err(Fault::operand(format!(
                "the program names the column \"{name}\": add -H (--header) to read names"
            )));
        }
        if self.tables.header || self.tables.is_json() {
            let is_array = |usage: riverhawk_syntax::ast::Usage| usage.array && !usage.scalar;
            self.columns.fields =
                self.program.globals.iter().position(|global| global.name == "FIELDS" && is_array(global.usage));
        }
        if self.tables.header {
            self.number_columns();
        }
        Ok(())
    }

    /// Goes on in the middle of a file of which somebody else has read the beginning. FIELDS is taken over as other variables are.
    pub(crate) fn adopt_columns(&mut self, known: &KnownColumns) {
        let KnownColumns { names, file, width, written, json_header } = known.clone();
        let Columns { named, numbers, fields, .. } = std::mem::take(&mut self.columns);
        self.columns =
            Columns { named, numbers, fields, names, file, header_is_due: false, written, json_header, width };
        if self.tables.header {
            self.number_columns();
        }
    }

    /// Goes on with a file that was read before another one. What has been written stays so.
    pub(crate) fn return_to_columns(&mut self, known: &KnownColumns) {
        let Columns { written, json_header, .. } = &mut self.columns;
        let known = KnownColumns { written: *written, json_header: std::mem::take(json_header), ..known.clone() };
        let has_other_names = known.names != self.columns.names;
        self.adopt_columns(&known);
        if has_other_names && !self.tables.is_json() {
            self.fill_fields();
        }
    }

    /// Keeps the number of each named column where the program looks for it.
    fn number_columns(&mut self) {
        self.columns.numbers.clear();
        for (at, (name, slot)) in self.columns.named.iter().enumerate() {
            let column = self.columns.names.iter().position(|known| known == name);
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
        let text = self.main.text(range).to_vec();
        let mut pieces_at = Vec::new();
        let fields: Vec<Vec<u8>> = match self.record.splitter() {
            Splitter::Row(format) => {
                let values = pieces(*format, &text, &mut pieces_at);
                values.iter().map(|value| value.bytes(b"").unwrap_or_default().to_vec()).collect()
            }
            splitter => {
                let mut at = 0;
                while at != FINISHED {
                    at = splitter.split(&text, at, usize::MAX, &mut pieces_at);
                }
                pieces_at.iter().map(|&(start, end)| text[start as usize..end as usize].to_vec()).collect()
            }
        };
        let mut names: Vec<String> = fields.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect();
        if let Some(name) = names.first_mut().filter(|name| name.starts_with(MARK)) {
            // Behind the mark a quote is text to the splitter; here the mark is not there.
            let bare = name.trim_start_matches(MARK);
            *name = bare.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(bare).to_string();
        }
        let renamed = make_unique(&mut names);
        self.columns.file = self.input_name();
        self.columns.width = Some(names.len());
        self.columns.names = names;
        for (at, earlier) in renamed {
            let (file, names) = (&self.columns.file, &self.columns.names);
            let message = format!(
                "{file}: columns {} and {} are both named \"{}\"; the second is \"{}\" here",
                earlier + 1,
                at + 1,
                names[earlier],
                names[at]
            );
            self.warn(&message)?;
        }
        self.number_columns();
        self.fill_fields();
        if self.tables.keep_header && !std::mem::replace(&mut self.columns.written, true) {
            self.write_header(&text, &fields)?;
        }
        Ok(())
    }

    /// FIELDS: the name of each number, and the number of each name that is no number.
    fn fill_fields(&mut self) {
        let Some(slot) = self.columns.fields else { return };
        let Ok(array) = Runtime::array(&mut self.statics[slot]) else { return };
        let mut array = array.borrow_mut();
        array.clear();
        for (number, name) in (1..).zip(&self.columns.names) {
            array.set(Probe::from_text(name.as_bytes()), Value::Num(number as f64));
        }
        for (number, name) in (1..).zip(&self.columns.names) {
            array.set(Probe::Int(number), Value::from_input(name.as_bytes()));
        }
    }

    /// A record of JSON has become `$0`: its names are known.
    pub(crate) fn take_json_names(&mut self) -> Fallible<()> {
        if self.columns.fields.is_some() {
            self.fill_json_names();
        }
        if self.tables.keep_header && !self.columns.written {
            let names = self.record.json_names();
            self.columns.written = !names.is_empty();
            if self.columns.written && self.tables.converts() {
                self.write_header(b"", &names)?;
                self.columns.json_header = names;
            }
        }
        Ok(())
    }

    /// The header as a row of the output: as it was read if that is in the same format.
    fn write_header(&mut self, text: &[u8], fields: &[Vec<u8>]) -> Fallible<()> {
        let mut row = Vec::new();
        match self.tables.output {
            Some(TableFormat::JsonLines) => return Ok(()),
            Some(format) if self.tables.input != Some(format) => {
                for (at, field) in fields.iter().enumerate() {
                    if at > 0 {
                        row.push(format.separator());
                    }
                    format.write_field(field, &mut row);
                }
                let is_empty = row.is_empty();
                format.end_row(fields.len(), is_empty, &mut row);
            }
            _ => row.extend_from_slice(text),
        }
        self.note_unprinted(row.len() + self.specials.ors.len());
        let sink = self.io.outputs.stdout();
        sink.write_pair(&row, &self.specials.ors)?;
        Ok(sink.end_print()?)
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
