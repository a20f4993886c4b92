//! Reads the header of a file: names the columns, and finds those that the program uses. Each file
//! has its own header, so the numbers of columns may change from file to file.

use super::heading::without_mark;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::globals::as_array;
use crate::outside::Outside;
use crate::runtime::Runtime;
use crate::workspace::Workspace;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::splitter::Splitter;
use riverhawk_record::table::json::FIRST_PATH;
use riverhawk_record::table::{
    ColumnLayout, ColumnNames, FileColumns, FileHeader, MISSING, Path, Strictness, make_unique,
    pieces,
};
use riverhawk_simd::FINISHED;
use riverhawk_stream::Record as Range;
use riverhawk_syntax::ast::Special;
use riverhawk_value::{Probe, Value};

impl Runtime {
    pub(crate) fn take_header(&mut self, range: &Range) -> Fallible<()> {
        self.current.columns.header_is_due = false;
        let terminator = self.main.terminator_of(range, &mut self.current.rt_text);
        self.current.columns.note_line_end(terminator);
        let text = self.main.text(range).to_vec();
        // A quote after the byte order mark begins a name.
        let bare = without_mark(&text);
        self.current.check_header(bare)?;
        let mut titles = self.current.header_fields(bare);
        self.current.columns.file.file = self.current.input_name();
        self.current.columns.file.header = String::from_utf8_lossy(bare).into_owned();
        let own = titles.len();
        self.current.columns.file.names =
            ColumnNames { unique: titles.clone(), titles: titles.clone(), own };
        let renamed = self.rename(&mut titles)?;
        self.outside.name_columns(&self.program, &mut self.current, titles, own)?;
        self.current.columns.set_width(own);
        self.current.number_columns(&mut self.globals);
        self.current.fill_fields(&mut self.globals);
        let CurrentRecord { columns, tables, .. } = &mut self.current;
        let writes_rows = tables.output.is_some() || tables.joins_as().is_some();
        columns.file.layout = if writes_rows {
            ColumnLayout::of(&columns.file.names, &self.program.columns)
        } else {
            None
        };
        // A new column must not take the place of a field without a name.
        let makes_columns = columns.file.names.unique.len() > own;
        let is_strict = tables.strictness != Strictness::Lenient;
        self.current.check_rows(is_strict || makes_columns);
        if self.current.tables.keep_header {
            self.current.columns.file.read = Some(FileHeader { text, terminator, renamed });
            self.outside.head_rows(&self.program, &mut self.current, &self.main)?;
        }
        Ok(())
    }

    /// Renames columns as FIELDS says before the first header, by old name or number; a number past
    /// the last adds a column. Returns which were renamed.
    fn rename(&mut self, titles: &mut Vec<String>) -> Fallible<Vec<usize>> {
        let renamed = match self.current.columns.renamed.take() {
            Some(renamed) => renamed,
            None => self.globals.names_in_fields(&self.current, &mut self.workspace)?,
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
                        "FIELDS[{}] is not the next column: {} has {own}",
                        at + 1,
                        self.current.columns.file.file
                    )));
                }
                None => {
                    let message = self
                        .current
                        .columns
                        .without(&String::from_utf8_lossy(key), self.current.tables.input);
                    self.outside.warn(&format!("FIELDS: {message}"))?;
                }
            }
        }
        self.current.columns.renamed = Some(renamed);
        Ok(columns)
    }
}

impl CurrentRecord {
    pub(in crate::table) fn find_columns(
        &mut self,
        program: &Program,
        globals: &mut Globals,
    ) -> Fallible<()> {
        let named = program.globals.iter().enumerate();
        self.columns.named =
            named.filter_map(|(slot, global)| Some((global.column()?.to_string(), slot))).collect();
        if self.tables.is_json() {
            let paths: Result<_, String> =
                self.columns.named.iter().map(|(name, _)| Path::parse(name)).collect();
            self.record.set_paths(paths.map_err(Fault::operand)?);
            for (at, (_, slot)) in self.columns.named.iter().enumerate() {
                globals.statics[*slot] = Value::Num((FIRST_PATH - at) as f64);
                self.columns.numbers.push((FIRST_PATH - at) as u32);
            }
        } else if let (Some((name, _)), false) = (self.columns.named.first(), self.tables.header) {
            return Err(Fault::operand(format!(
                "the program names the column \"{name}\": add -H (--header) to read names, or --jsonl or --json if the input is JSON"
            )));
        }
        if self.tables.header || self.tables.is_json() {
            let is_array = |usage: riverhawk_syntax::ast::Usage| usage.array && !usage.scalar;
            self.columns.fields = program
                .globals
                .iter()
                .position(|global| global.name == "FIELDS" && is_array(global.usage));
        }
        if self.tables.header {
            self.number_columns(globals);
        }
        Ok(())
    }

    pub(crate) fn adopt_columns(&mut self, globals: &mut Globals, known: &FileColumns) {
        self.columns.file = known.clone();
        self.columns.header_is_due = false;
        if self.tables.header {
            self.number_columns(globals);
        }
    }

    /// Continues with a file read before another one. The output's header stays.
    pub(crate) fn return_to_columns(&mut self, globals: &mut Globals, known: &FileColumns) {
        let before = std::mem::take(&mut self.columns.file);
        let has_other_names = known.header != before.header;
        let FileColumns { written, whole, json_header, .. } = before;
        self.adopt_columns(globals, &FileColumns { written, whole, json_header, ..known.clone() });
        if has_other_names && !self.tables.is_json() {
            self.fill_fields(globals);
        }
    }

    fn number_columns(&mut self, globals: &mut Globals) {
        self.columns.numbers.clear();
        for (at, (name, slot)) in self.columns.named.iter().enumerate() {
            let column = self.columns.names().iter().position(|known| known == name);
            self.columns.numbers.push(column.map_or(0, |column| column as u32 + 1));
            let number = match column {
                Some(column) => (column + 1) as f64,
                None => MISSING - at as f64,
            };
            globals.statics[*slot] = Value::Num(number);
        }
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

    fn fill_fields(&self, globals: &mut Globals) {
        let Some(slot) = self.columns.fields else { return };
        let Ok(array) = as_array(&mut globals.statics[slot]) else { return };
        let mut array = array.borrow_mut();
        array.clear();
        for (number, name) in (1..).zip(self.columns.names()) {
            array.set(Probe::from_text(name.as_bytes()), Value::Num(number as f64));
        }
        for (number, name) in (1..).zip(self.columns.names()) {
            array.set(Probe::Int(number), Value::from_input(name.as_bytes()));
        }
    }

    pub(in crate::table) fn input_name(&self) -> String {
        match self.text_of(self.specials.value(Special::Filename)).as_slice() {
            b"-" => "standard input".into(),
            name => String::from_utf8_lossy(name).into_owned(),
        }
    }
}

impl Globals {
    fn names_in_fields(
        &mut self,
        current: &CurrentRecord,
        workspace: &mut Workspace,
    ) -> Fallible<Vec<(Vec<u8>, String)>> {
        let Some(slot) = current.columns.fields else { return Ok(Vec::new()) };
        let array = as_array(&mut self.statics[slot])?.clone();
        let array = array.borrow();
        let mut names = Vec::new();
        for key in array.keys() {
            let value = workspace.with_key(current, &key, |key| array.get(key));
            if let Some(value) = value {
                names.push((
                    current.text_of(&key),
                    String::from_utf8_lossy(&current.text_of(&value)).into_owned(),
                ));
            }
        }
        Ok(names)
    }
}

impl Outside {
    fn name_columns(
        &mut self,
        program: &Program,
        current: &mut CurrentRecord,
        mut titles: Vec<String>,
        own: usize,
    ) -> Fallible<()> {
        let mut unique = titles.clone();
        let renamed = make_unique(&mut unique);
        for made in &program.columns.assigned {
            if !unique.contains(made) {
                unique.push(made.clone());
                titles.push(made.clone());
            }
        }
        for (at, earlier) in renamed {
            let file = &current.columns.file.file;
            let message = format!(
                "{file}: columns {} and {} are both named \"{}\"; the second is \"{}\" here",
                earlier + 1,
                at + 1,
                unique[earlier],
                unique[at]
            );
            self.warn(&message)?;
        }
        current.columns.file.names = ColumnNames { unique, titles, own };
        Ok(())
    }
}
