//! Writes the header before the first row, to the standard output and to each file.

use crate::current::CurrentRecord;
use crate::main_input::MainInput;
use crate::outside::Outside;
use crate::printing::{Redirected, redirected};
use crate::runtime::Runtime;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_awkio::{Connection, OutputKind};
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::{PrintTarget, Srcs};
use riverhawk_record::splitter::Splitter;
use riverhawk_record::table::{
    ColumnLayout, ColumnNames, FileColumns, FileHeader, MARK, OutputFormat, TableFormat, Title,
    header,
};
use riverhawk_record::terminator::Terminator;
use riverhawk_record::{Record, TextKind};
use riverhawk_syntax::Printed;
use riverhawk_value::Value;

pub(super) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(MARK.as_bytes()).unwrap_or(text)
}

fn names_of(titles: &[Title]) -> Vec<String> {
    titles.iter().map(|title| title.name.clone()).collect()
}

impl Runtime {
    pub(crate) fn take_json_names(&mut self) -> Fallible<()> {
        if self.current.columns.fields_slot().is_some() {
            self.current.fill_json_names(&mut self.globals);
        }
        if !self.current.tables.keep_header
            || self.current.columns.is_written()
            || !self.current.tables.converts()
        {
            return Ok(());
        }
        let names = self.current.record.json_names();
        if names.is_empty() {
            return Ok(());
        }
        let mut unique: Vec<String> =
            names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let own = unique.len();
        let is_path = |name: &str| name.contains(['.', '[']);
        for made in self.program.columns.assigned.iter().filter(|name| !is_path(name)) {
            if !unique.contains(made) {
                unique.push(made.clone());
            }
        }
        let names = ColumnNames { titles: unique.clone(), unique, own };
        let layout = ColumnLayout::of(&names, &self.program.columns);
        let (titles, other) =
            header(self.outside.printed_rows(&self.program), &names, layout.as_ref());
        let whole = names_of(&header(&[], &names, layout.as_ref()).0);
        // Records have the columns of the first.
        let to_files = self.program.columns.redirected.contains(&Printed::Record);
        let members = if to_files { whole.clone() } else { names_of(&titles) };
        self.current.columns.file.json_header =
            members.into_iter().map(String::into_bytes).collect();
        (self.current.columns.file.whole, self.current.columns.file.json_names) =
            (Some(whole), names);
        self.outside.warn_of_widths(&mut self.current, titles.len(), other)?;
        self.current.columns.file.written = Some(names_of(&titles));
        if self.outside.heads_only_files(&self.program) {
            return Ok(());
        }
        let of_records = self.outside.prints_records(&self.program);
        self.outside.write_titles(&mut self.current, &self.main, None, &titles, of_records)
    }
}

impl Outside {
    fn printed_rows<'p>(&self, program: &'p Program) -> &'p [Printed] {
        let uses = &program.columns;
        if uses.printed.is_empty() && self.in_place.is_none() {
            &uses.printed_at_end
        } else {
            &uses.printed
        }
    }

    fn prints_records(&self, program: &Program) -> bool {
        matches!(self.printed_rows(program).first(), None | Some(Printed::Record))
    }

    fn heads_only_files(&self, program: &Program) -> bool {
        program.columns.only_redirects && self.in_place.is_none()
    }

    /// Writes the header, or matches a later file's columns to it.
    pub(super) fn head_rows(
        &mut self,
        program: &Program,
        current: &mut CurrentRecord,
        main: &MainInput,
    ) -> Fallible<()> {
        if current.columns.is_written() {
            return self.go_under_header(program, current);
        }
        current.columns.file.whole = Some(names_of(&current.titles_of(&Printed::Record)));
        let file = &current.columns.file;
        let (titles, other) = header(self.printed_rows(program), &file.names, file.layout.as_ref());
        self.warn_of_widths(current, titles.len(), other)?;
        current.columns.file.written = Some(names_of(&titles));
        if self.heads_only_files(program) {
            return Ok(());
        }
        let has_mark = |read: &FileHeader| without_mark(&read.text).len() < read.text.len();
        let is_marked = current.columns.file.read.as_ref().is_some_and(has_mark);
        if self.in_place.is_some()
            && is_marked
            && current.is_same_format()
            && !current.is_as_read(self.prints_records(program))
        {
            self.io.outputs.stdout().write(MARK.as_bytes())?;
        }
        let of_records = self.prints_records(program);
        self.write_titles(current, main, None, &titles, of_records)
    }

    #[inline(never)]
    pub(crate) fn head_file(
        &mut self,
        program: &Program,
        current: &mut CurrentRecord,
        main: &MainInput,
        how: PrintTarget,
        name: &[u8],
        list: Srcs,
    ) -> Fallible<()> {
        let is_file = matches!(how, PrintTarget::Truncate | PrintTarget::Append);
        if !is_file
            || !current.columns.is_written()
            || self.io.outputs.is_open(OutputKind::File, name)
        {
            return Ok(());
        }
        let printed =
            if list.count == 0 { Some(&Printed::Record) } else { program.rows.get(&list.at) };
        // In an edited table, a row without a column is a message.
        let is_row = |printed: &&Printed| {
            current.tables.output.is_some() && !current.tables.edits || printed.has_column()
        };
        let Some(printed) = printed.filter(is_row) else { return Ok(()) };
        let (titles, of_records) = (current.titles_of(printed), *printed == Printed::Record);
        let to = (how, name, Connection::Pipes);
        redirected(&mut self.io, to)?;
        if !self.io.outputs.begins_empty(name) {
            return Ok(());
        }
        self.write_titles(current, main, Some(to), &titles, of_records)
    }

    fn go_under_header(&self, program: &Program, current: &mut CurrentRecord) -> Fallible<()> {
        let to_files =
            self.in_place.is_none() && program.columns.redirected.contains(&Printed::Record);
        if !(self.prints_records(program) || to_files)
            || current.tables.written_as().is_some_and(TableFormat::is_json)
        {
            return Ok(());
        }
        let file = &mut current.columns.file;
        let written = file.whole.as_deref().unwrap_or_default();
        file.layout = ColumnLayout::under(written, &file.names, file.layout.take()).map_err(|lost| {
            let file = &file.file;
            Fault::operand(format!(
                "{file} has a column \"{lost}\", which is not in the header that was written: print the columns by their names"
            ))
        })?;
        Ok(())
    }

    fn warn_of_widths(
        &mut self,
        current: &mut CurrentRecord,
        width: usize,
        other: Option<usize>,
    ) -> Fallible<()> {
        let Some(other) = other.filter(|_| !current.columns.warned_of_widths) else {
            return Ok(());
        };
        current.columns.warned_of_widths = true;
        let columns = if width == 1 { "1 column".to_string() } else { format!("{width} columns") };
        self.warn(&format!(
            "the header has {columns}, but another print of the program writes {other}"
        ))
    }

    fn write_titles(
        &mut self,
        current: &mut CurrentRecord,
        main: &MainInput,
        to: Option<Redirected<'_>>,
        titles: &[Title],
        of_records: bool,
    ) -> Fallible<()> {
        let read = current.columns.file.read.as_ref();
        let terminator = read.map_or(Terminator::Byte(b'\n'), |read| read.terminator);
        let row = match (current.tables.output, read) {
            (_, Some(read)) if current.is_as_read(of_records) => read.text.clone(),
            (Some(OutputFormat::Display(display)), _) => {
                let names = names_of(titles);
                let sink = match to {
                    Some(to) => redirected(&mut self.io, to)?,
                    None => self.io.outputs.stdout(),
                };
                return Ok(sink.show_head(display, &names)?);
            }
            (Some(OutputFormat::Rows(TableFormat::Json(_))), _) => return Ok(()),
            (Some(OutputFormat::Rows(format)), _) => current.title_row(format, titles),
            (None, _) => match current.tables.joins_as().filter(|_| of_records) {
                Some(format) => current.title_row(format, titles),
                None => {
                    let names: Vec<&[u8]> =
                        titles.iter().map(|title| title.name.as_bytes()).collect();
                    names.join(&*current.specials.ofs)
                }
            },
        };
        self.print_header(current, main, to, &row, terminator)
    }

    /// Refuses to assign a field without a column in a header that is already written.
    pub(crate) fn check_column(
        &self,
        program: &Program,
        current: &mut CurrentRecord,
        n: usize,
    ) -> Fallible<()> {
        let has_column = n <= current.columns.names().len()
            || !current.columns.is_written()
            || !self.prints_records(program);
        if has_column || n <= current.record.count() {
            return Ok(());
        }
        Err(Fault::new(format!(
            "field {n} has no name in the header that was written: assign it as @\"name\", or name it in BEGIN with FIELDS[{n}] = \"name\""
        )))
    }
}

impl CurrentRecord {
    fn is_same_format(&self) -> bool {
        let tables = &self.tables;
        tables.output.is_none() || tables.input.is_some() && tables.input == tables.written_as()
    }

    fn is_as_read(&self, of_records: bool) -> bool {
        let file = &self.columns.file;
        let keeps_names = file.read.as_ref().is_some_and(|read| read.renamed.is_empty());
        self.is_same_format() && file.layout.is_none() && keeps_names && of_records
    }

    fn titles_of(&self, printed: &Printed) -> Vec<Title> {
        let FileColumns { names, json_names, layout, whole, .. } = &self.columns.file;
        let names = if self.tables.is_json() { json_names } else { names };
        let (titles, _) = header(std::slice::from_ref(printed), names, layout.as_ref());
        match whole
            .as_ref()
            .filter(|&whole| *printed == Printed::Record && names_of(&titles) != *whole)
        {
            Some(whole) => {
                let column = |name: &String| names.titles.iter().position(|title| title == name);
                whole
                    .iter()
                    .map(|name| Title { name: name.clone(), column: column(name) })
                    .collect()
            }
            None => titles,
        }
    }

    fn title_row(&self, format: TableFormat, titles: &[Title]) -> Vec<u8> {
        let own_format = self.tables.input.filter(|input| !input.is_json());
        let mut record = Record::new(Splitter::Row(own_format.unwrap_or(format)));
        let mut width = 0;
        let own = self.columns.file.read.as_ref();
        if let Some(own) = own {
            record.set_text(without_mark(&own.text), TextKind::Input);
            width = record.count();
        }
        let mut members = Vec::new();
        for title in titles {
            let is_own = |&column: &usize| {
                column < width
                    && own.is_some_and(|own| !own.renamed.contains(&column))
                    && own_format.is_some()
            };
            match title.column.filter(is_own) {
                Some(column) => members.push(Some(column)),
                None => {
                    let behind = record.count();
                    record.set_field(behind + 1, Value::from_text(title.name.as_bytes()));
                    members.push(Some(behind));
                }
            }
        }
        let mut row = Vec::new();
        record.write_members(format, &members, &self.specials.convfmt, &mut row);
        row
    }
}
