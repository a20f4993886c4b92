//! From records to batches of typed columns.

use super::arrow::Field;
use super::column::{Batch, Column, ColumnType, common_type, type_of};
use riverhawk_record::table::json::{JsonFlaw, decoded, skip_value};
use riverhawk_record::table::{MARK, RowFlaw, TableFormat, check_quotes, make_unique, pieces};
use riverhawk_stream::{Record, RecordSeparator, Records, Source, Step};
use std::collections::HashMap;
use std::io;
use std::sync::Arc;

/// Bytes of text after which a batch ends, however few rows it has.
const BATCH_BYTES: usize = 8 << 20;

/// Arrow's offsets in a column of a batch have 32 bits.
const MAX_RECORD: usize = 1 << 30;

/// A column by its name, with its type if that is not to be inferred.
pub(crate) type WantedColumn = (String, Option<ColumnType>);

/// How the rows of a table are read, each time.
pub(crate) struct RowRules {
    pub format: TableFormat,
    pub has_header: bool,
    /// The columns that are wanted; without them, all.
    pub columns: Option<Vec<WantedColumn>>,
    /// Fields that are null.
    pub nulls: Vec<Vec<u8>>,
    pub batch_rows: usize,
}

/// Why there are no more rows.
pub(crate) enum RowError {
    /// The source failed.
    Read(io::Error),
    /// The text is not what it should be.
    Text { message: String, record: Option<u64>, column: Option<String> },
}

type Fallible<T> = Result<T, RowError>;

/// Batches of a source's rows, one after the other.
pub(crate) struct RowReader {
    records: Records,
    rules: Arc<RowRules>,
    /// The columns, once they are known.
    fields: Option<Vec<Field>>,
    /// In which field of a row each column is.
    places: Vec<usize>,
    /// The columns of JSON objects.
    by_name: HashMap<Vec<u8>, usize>,
    /// Fields that a row may have, if others than the columns are wrong.
    width: Option<usize>,
    /// The table has one column, so that blank lines are rows.
    is_narrow: bool,
    /// Records read.
    number: u64,
    /// A record that is to be looked at again.
    held: Option<Record>,
    /// Rows that were read to know the types, or to be shown.
    first: Option<Batch>,
    is_inferred: bool,
    /// Memory for where the fields of a row are.
    ranges: Vec<(u32, u32)>,
    /// The same for the members of an object, by column.
    members: Vec<Option<(usize, usize)>>,
}

/// Which records the rows of a batch are.
#[derive(Default)]
struct RecordNumbers {
    first: u64,
    /// The rows before which a blank line was skipped.
    skipped: Vec<usize>,
}

/// Columns that are being built.
struct Building {
    columns: Vec<Column>,
    rows: usize,
    /// The columns hold what was read, for types to be inferred.
    is_raw: bool,
    numbers: RecordNumbers,
}

impl RecordNumbers {
    fn of(&self, row: usize) -> u64 {
        self.first + (row + self.skipped.partition_point(|&before| before <= row)) as u64
    }
}

impl RowReader {
    /// With the fields of an earlier reading, nothing is inferred.
    pub(crate) fn new(
        source: Box<dyn Source>,
        rules: &Arc<RowRules>,
        fields: Option<&[Field]>,
    ) -> RowReader {
        let mut records = Records::new(source);
        records.set_separator(match rules.format {
            TableFormat::Csv { separator } => {
                RecordSeparator::Rows(Some(riverhawk_record::table::quoting(separator)))
            }
            _ => RecordSeparator::Rows(None),
        });
        records.set_limit(MAX_RECORD);
        let rules = match fields {
            None => Arc::clone(rules),
            Some(fields) => {
                let columns = fields.iter().map(|field| (field.name.clone(), Some(field.kind)));
                Arc::new(RowRules {
                    columns: Some(columns.collect()),
                    nulls: rules.nulls.clone(),
                    ..**rules
                })
            }
        };
        RowReader {
            records,
            rules,
            fields: None,
            places: Vec::new(),
            by_name: HashMap::new(),
            width: None,
            is_narrow: false,
            number: 0,
            held: None,
            first: None,
            is_inferred: false,
            ranges: Vec::new(),
            members: Vec::new(),
        }
    }

    /// The columns; reads the header, and the first rows if types are to be inferred.
    pub(crate) fn fields(&mut self) -> Fallible<&[Field]> {
        if self.fields.is_none() {
            let columns = self.columns()?;
            let all = |columns: &[WantedColumn]| {
                let known = columns.iter().map(|(name, kind)| Some((name.clone(), (*kind)?)));
                known.map(|field| field.map(|(name, kind)| Field { name, kind })).collect()
            };
            self.fields = match columns.as_deref().and_then(all) {
                Some(fields) => Some(fields),
                None => Some(self.infer(columns)?),
            };
        }
        Ok(self.fields.as_deref().unwrap_or_default())
    }

    /// The next rows, which come again.
    pub(crate) fn peek(&mut self) -> Fallible<Option<&Batch>> {
        self.first = self.next()?;
        Ok(self.first.as_ref())
    }

    /// The next rows; `None` when there are no more.
    pub(crate) fn next(&mut self) -> Fallible<Option<Batch>> {
        let columns = self.fields()?.iter().map(|field| Column::new(field.kind)).collect();
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        let mut building = Building::new(columns, false);
        self.fill(&mut building)?;
        self.checked(building)
    }

    fn checked(&self, building: Building) -> Fallible<Option<Batch>> {
        let Building { columns, rows, numbers, .. } = building;
        for (column, field) in columns.iter().zip(self.fields.iter().flatten()) {
            if let Some(row) = column.malformed() {
                let text = column.bytes(row).unwrap_or_default();
                return Err(RowError::Text {
                    message: format!("{} is no UTF-8", shown(text)),
                    record: Some(numbers.of(row)),
                    column: Some(field.name.clone()),
                });
            }
        }
        Ok((rows > 0).then_some(Batch { columns, rows }))
    }

    /// The names of the columns, and where they are; `None` if the first objects have to tell.
    fn columns(&mut self) -> Fallible<Option<Vec<WantedColumn>>> {
        let rules = Arc::clone(&self.rules);
        if rules.format.is_json() {
            if let Some(columns) = &rules.columns {
                let names = columns.iter().map(|(name, _)| name.clone().into_bytes());
                self.by_name = names.zip(0..).collect();
            }
            return Ok(rules.columns.clone());
        }
        let names = if rules.has_header { Some(self.header()?) } else { None };
        let columns = match (&rules.columns, &names) {
            (Some(columns), Some(names)) => {
                let place = |(name, _): &(String, _)| {
                    names.iter().position(|known| known == name).ok_or_else(|| {
                        self.flaw(format!("there is no column {name:?}; it has {}", listed(names)))
                    })
                };
                self.places = columns.iter().map(place).collect::<Fallible<_>>()?;
                self.is_narrow = names.len() == 1;
                return Ok(Some(columns.clone()));
            }
            (Some(columns), None) => columns.clone(),
            (None, Some(names)) => names.iter().map(|name| (name.clone(), None)).collect(),
            (None, None) => {
                let count = self.first_width()?;
                (1..=count).map(|number| (format!("column_{number}"), None)).collect()
            }
        };
        self.width = Some(columns.len());
        self.is_narrow = columns.len() == 1;
        self.places = (0..columns.len()).collect();
        Ok(Some(columns))
    }

    fn header(&mut self) -> Fallible<Vec<String>> {
        let format = self.rules.format;
        let Some(record) = self.next_record()? else {
            return Err(RowError::Text {
                message: "there is no header, since nothing was read".into(),
                record: None,
                column: None,
            });
        };
        let text = self.records.text(&record);
        let text = text.strip_prefix(MARK.as_bytes()).unwrap_or(text);
        let names = pieces(format, text, &mut Vec::new());
        let names = names.iter().map(|name| {
            let name = name.bytes(text).unwrap_or_default();
            String::from_utf8(name.to_vec())
                .map_err(|_| self.flaw(format!("the name {} is no UTF-8", shown(name))))
        });
        let mut names = names.collect::<Fallible<Vec<_>>>()?;
        make_unique(&mut names);
        Ok(names)
    }

    /// How many fields the first row has, which stays to be read.
    fn first_width(&mut self) -> Fallible<usize> {
        let Some(mut record) = self.next_record()? else { return Ok(0) };
        if self.records.text(&record).starts_with(MARK.as_bytes()) {
            record.start += MARK.len();
        }
        self.held = Some(record);
        self.number -= 1;
        self.ranges.clear();
        self.rules.format.split(self.records.text(&record), 0, usize::MAX, &mut self.ranges);
        Ok(self.ranges.len().max(1))
    }

    /// The types that the first rows have, which are kept.
    fn infer(&mut self, columns: Option<Vec<WantedColumn>>) -> Fallible<Vec<Field>> {
        let is_json = self.rules.format.is_json();
        let known = columns.as_ref().map_or(0, Vec::len);
        let raw = (0..known).map(|_| Column::new(ColumnType::Bytes)).collect();
        let mut read = Building::new(raw, true);
        self.fill(&mut read)?;
        let columns = columns.unwrap_or_else(|| {
            let mut names: Vec<_> = self.by_name.iter().collect();
            names.sort_by_key(|&(_, at)| at);
            let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
            names.into_iter().map(|(name, _)| (text(name), None)).collect()
        });
        let kind_of = |raw: &Column| {
            let texts = (0..raw.len).filter_map(|row| raw.bytes(row));
            common_type(texts.filter(|text| !text.is_empty()).map(|text| match text.first() {
                Some(b'"') if is_json => ColumnType::String,
                _ => type_of(text),
            }))
        };
        let fields = columns.into_iter().zip(&read.columns);
        let fields: Vec<Field> = fields
            .map(|((name, kind), raw)| Field { kind: kind.unwrap_or_else(|| kind_of(raw)), name })
            .collect();
        self.fields = Some(fields.clone());
        let mut built = Vec::with_capacity(fields.len());
        let numbers = read.numbers;
        for (raw, field) in read.columns.into_iter().zip(&fields) {
            // Of JSON's strings the quotes go.
            if !is_json && matches!(field.kind, ColumnType::String | ColumnType::Bytes) {
                built.push(if field.kind == ColumnType::String { raw.into_texts() } else { raw });
                continue;
            }
            let mut column = Column::new(field.kind);
            for row in 0..raw.len {
                match raw.bytes(row) {
                    None => column.push_null(),
                    Some(b"") if !column.is_of_texts() => column.push_null(),
                    Some(text) => {
                        push(&mut column, text, is_json)
                            .map_err(|text| self.misfit(&text, field, numbers.of(row)))?;
                    }
                }
            }
            built.push(column);
        }
        self.is_inferred = true;
        self.first =
            self.checked(Building { columns: built, rows: read.rows, is_raw: false, numbers })?;
        Ok(fields)
    }

    fn fill(&mut self, building: &mut Building) -> Fallible<()> {
        let is_json = self.rules.format.is_json();
        let mut bytes = 0;
        building.numbers.first = self.number + 1;
        while building.rows < self.rules.batch_rows && bytes < BATCH_BYTES {
            let Some(mut record) = self.next_record()? else { break };
            if self.number == 1 && self.records.text(&record).starts_with(MARK.as_bytes()) {
                record.start += MARK.len();
            }
            let length = record.end - record.start;
            bytes += length;
            let is_blank = match is_json {
                true => self.records.text(&record).trim_ascii().is_empty(),
                false => length == 0 && !self.is_narrow,
            };
            if is_blank {
                building.numbers.skipped.push(building.rows);
                continue;
            }
            if is_json {
                self.push_object(&record, building)?;
            } else {
                self.push_row(&record, building)?;
            }
            building.rows += 1;
        }
        Ok(())
    }

    fn next_record(&mut self) -> Fallible<Option<Record>> {
        let record = match self.held.take() {
            Some(record) => record,
            None => loop {
                if let Some(record) = self.records.next_marked() {
                    break record;
                }
                match self.records.next_buffered() {
                    Step::Record(record) => break record,
                    Step::NeedMore => drop(self.records.refill().map_err(RowError::Read)?),
                    Step::End => return Ok(None),
                }
            },
        };
        self.number += 1;
        Ok(Some(record))
    }

    fn push_row(&mut self, record: &Record, building: &mut Building) -> Fallible<()> {
        let format = self.rules.format;
        let text = self.records.text(record);
        // One more shows that there are too many.
        let wanted = match self.width {
            Some(width) => width + 1,
            None => self.places.iter().max().map_or(0, |last| last + 1),
        };
        self.ranges.clear();
        let (resume_at, is_literal) = format.split(text, 0, wanted, &mut self.ranges);
        if let (false, TableFormat::Csv { separator }) = (is_literal, format) {
            check_quotes(text, separator).map_err(|flaw| self.flaw_of_row(flaw))?;
        }
        if let Some(width) = self.width
            && self.ranges.len() > width
        {
            let has = match format {
                TableFormat::Csv { separator } => {
                    check_quotes(text, separator).unwrap_or(width + 1)
                }
                _ => memchr::memchr_iter(b'\t', text).count() + 1,
            };
            return Err(self.flaw_of_row(RowFlaw::Width { has, needs: width }));
        }
        let is_csv = matches!(format, TableFormat::Csv { .. });
        for (at, (column, &place)) in building.columns.iter_mut().zip(&self.places).enumerate() {
            let Some(&(start, end)) = self.ranges.get(place) else {
                column.push_null();
                continue;
            };
            let (start, end) = (start as usize, end as usize);
            let meaning =
                (!is_literal).then(|| format.field_text(text, &self.ranges, place, resume_at));
            let value = meaning.as_deref().unwrap_or(&text[start..end]);
            let is_quoted = is_csv && start > 0 && text[start - 1] == b'"';
            let is_null = match is_quoted {
                true => value.is_empty() && !column.is_of_texts(),
                false => self.rules.nulls.iter().any(|null| null == value),
            };
            if is_null {
                column.push_null();
            } else if !column.push(value) {
                let value = value.to_vec();
                let field = &self.fields.as_deref().unwrap_or_default()[at];
                return Err(self.misfit(&value, field, self.number));
            }
        }
        Ok(())
    }

    fn push_object(&mut self, record: &Record, building: &mut Building) -> Fallible<()> {
        let text = self.records.text(record);
        self.members.clear();
        self.members.resize(building.columns.len(), None);
        // Most objects have their members in the same order.
        let mut unknown = None;
        let found = each_member(text, |key, value| {
            let name = decoded(key);
            let name = name.as_deref().unwrap_or(&key[1..key.len() - 1]);
            let at = match self.by_name.get(name) {
                Some(&at) => at,
                None if self.rules.columns.is_some() => return,
                None if building.is_raw => {
                    let at = building.columns.len();
                    let mut column = Column::new(ColumnType::Bytes);
                    (0..building.rows).for_each(|_| column.push_null());
                    building.columns.push(column);
                    self.members.push(None);
                    self.by_name.insert(name.to_vec(), at);
                    at
                }
                None => {
                    unknown.get_or_insert_with(|| String::from_utf8_lossy(name).into_owned());
                    return;
                }
            };
            self.members[at] = Some(value);
        });
        found.map_err(|flaw| {
            self.flaw(format!("JSON, column {}: {}", flaw.column(text), flaw.what))
        })?;
        if let Some(name) = unknown {
            let message =
                format!("the first rows have no member {name:?}: name the columns that you want");
            return Err(self.flaw(message));
        }
        for (at, (column, member)) in building.columns.iter_mut().zip(&self.members).enumerate() {
            let value = member.map(|(start, end)| &text[start..end]);
            match value {
                None | Some(b"null") => column.push_null(),
                Some(value) if building.is_raw => drop(column.push(value)),
                Some(value) => {
                    if let Err(value) = push(column, value, true) {
                        let field = &self.fields.as_deref().unwrap_or_default()[at];
                        return Err(self.misfit(&value, field, self.number));
                    }
                }
            }
        }
        Ok(())
    }

    fn misfit(&self, text: &[u8], field: &Field, record: u64) -> RowError {
        let kind = field.kind.name();
        let text = shown(text);
        let message = if self.is_inferred {
            let advice = format!("columns={{{:?}: 'string'}}", field.name);
            format!("{text} is no {kind}, which the first rows are: give the type, as in {advice}")
        } else {
            format!("{text} is no {kind}")
        };
        RowError::Text { message, record: Some(record), column: Some(field.name.clone()) }
    }

    fn flaw(&self, message: String) -> RowError {
        RowError::Text { message, record: Some(self.number), column: None }
    }

    fn flaw_of_row(&self, flaw: RowFlaw) -> RowError {
        self.flaw(flaw.place().trim_start_matches(", ").to_owned())
    }
}

impl Building {
    fn new(columns: Vec<Column>, is_raw: bool) -> Building {
        Building { columns, rows: 0, is_raw, numbers: RecordNumbers::default() }
    }
}

/// Adds a value; gives its text if that is not of the column's type.
fn push(column: &mut Column, text: &[u8], is_json: bool) -> Result<(), Vec<u8>> {
    let meaning;
    let text = match text {
        [b'"', inner @ .., b'"'] if is_json => {
            meaning = decoded(text);
            meaning.as_deref().unwrap_or(inner)
        }
        text => text,
    };
    if column.push(text) { Ok(()) } else { Err(text.to_vec()) }
}

/// Calls `each` with the key, in quotes, and the place of the value for each member of an object.
fn each_member<'a>(
    text: &'a [u8],
    mut each: impl FnMut(&'a [u8], (usize, usize)),
) -> Result<(), JsonFlaw> {
    let blanks =
        |at: usize| at + text[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let expect = |at: usize, byte: u8, what: &'static str| match text.get(at) {
        Some(&found) if found == byte => Ok(blanks(at + 1)),
        _ => Err(JsonFlaw { at, what }),
    };
    let mut at = expect(blanks(0), b'{', "an object was expected")?;
    if text.get(at) != Some(&b'}') {
        loop {
            if text.get(at) != Some(&b'"') {
                return Err(JsonFlaw { at, what: "a name in quotes was expected" });
            }
            let key_end = skip_value(text, at)?;
            let start = expect(blanks(key_end), b':', "a colon was expected")?;
            let end = skip_value(text, start)?;
            each(&text[at..key_end], (start, end));
            at = blanks(end);
            if text.get(at) != Some(&b',') {
                break;
            }
            at = blanks(at + 1);
        }
    }
    match expect(at, b'}', "a comma or the closing bracket was expected")? {
        end if end == text.len() => Ok(()),
        end => Err(JsonFlaw { at: end, what: "something follows the object" }),
    }
}

/// A value in a message.
fn shown(text: &[u8]) -> String {
    /// Characters of it.
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(text);
    let some: String = text.chars().take(SHOWN).collect();
    let more = if some.len() < text.len() { "..." } else { "" };
    format!("{some:?}{more}")
}

fn listed(names: &[String]) -> String {
    /// Names of it.
    const LISTED: usize = 8;
    let some: Vec<&str> = names.iter().take(LISTED).map(String::as_str).collect();
    let more = names.len().saturating_sub(LISTED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    some.join(", ") + &more
}
