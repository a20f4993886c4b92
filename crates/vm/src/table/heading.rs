//! The header over the rows that are written: written before any of them, with the columns that they have.

use super::header::MARK;
use super::layout::{Layout, Names, Title, header};
use super::{OutputFormat, TableFormat};
use crate::fault::{Fallible, Fault};
use crate::record::{Record, TextKind};
use crate::runtime::{Runtime, Terminator};
use crate::splitter::Splitter;
use riverhawk_syntax::Printed;
use riverhawk_value::Value;

/// The header of a file, to be written.
pub(super) struct FileHeader<'a> {
    /// As it was read, a byte order mark included.
    pub text: &'a [u8],
    /// What ended it.
    pub terminator: Terminator,
    /// Columns that the program has given other names.
    pub renamed: Vec<usize>,
}

impl Runtime {
    /// What the rows are that the header goes before.
    fn printed_rows(&self) -> &[Printed] {
        let uses = &self.program.columns;
        // What is printed when the file has been replaced does not go into it.
        if uses.printed.is_empty() && self.in_place.is_none() { &uses.printed_at_end } else { &uses.printed }
    }

    /// Whether rows are whole records, as far as the header goes.
    fn prints_records(&self) -> bool {
        matches!(self.printed_rows().first(), None | Some(Printed::Record))
    }

    /// Writes the header, or puts the columns of a further file under the one that was written.
    pub(super) fn head_rows(&mut self, file: &FileHeader<'_>) -> Fallible<()> {
        if self.columns.is_written() {
            return self.go_under_header();
        }
        let Runtime { columns, tables, .. } = &*self;
        let layout = columns.file.layout.as_ref();
        let (titles, other) = header(self.printed_rows(), &columns.file.names, layout);
        let is_same_format = tables.output.is_none() || tables.input.is_some() && tables.input == tables.written_as();
        let is_whole = is_same_format && layout.is_none() && file.renamed.is_empty() && self.prints_records();
        self.warn_of_widths(titles.len(), other)?;
        if is_whole {
            self.columns.file.written = Some(titles.into_iter().map(|title| title.name).collect());
            return self.print_header(file.text, file.terminator);
        }
        let bare = file.text.strip_prefix(MARK.as_bytes());
        if self.in_place.is_some() && is_same_format && bare.is_some() {
            self.io.outputs.stdout().write(MARK.as_bytes())?;
        }
        let own = Source { text: bare.unwrap_or(file.text), renamed: &file.renamed };
        self.write_titles(titles, Some(own), file.terminator)
    }

    /// Puts the columns of a further file under the names of the header that was written.
    fn go_under_header(&mut self) -> Fallible<()> {
        if !self.prints_records() || self.tables.written_as().is_some_and(TableFormat::is_json) {
            return Ok(());
        }
        let file = &mut self.columns.file;
        let written = file.written.as_deref().unwrap_or_default();
        file.layout = Layout::under(written, &file.names, file.layout.take()).map_err(|lost| {
            let file = &file.file;
            Fault::operand(format!(
                "{file} has a column \"{lost}\", which is no column of the header that was written: print the columns by their names"
            ))
        })?;
        Ok(())
    }

    /// A record of JSON has become `$0`: its names are known.
    pub(crate) fn take_json_names(&mut self) -> Fallible<()> {
        if self.columns.fields_slot().is_some() {
            self.fill_json_names();
        }
        if !self.tables.keep_header || self.columns.is_written() || !self.tables.converts() {
            return Ok(());
        }
        let names = self.record.json_names();
        if names.is_empty() {
            return Ok(());
        }
        let mut unique: Vec<String> = names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        let own = unique.len();
        // What a path leads into is a part of another column.
        let is_path = |name: &str| name.contains(['.', '[']);
        for made in self.program.columns.assigned.iter().filter(|name| !is_path(name)) {
            if !unique.contains(made) {
                unique.push(made.clone());
            }
        }
        let names = Names { titles: unique.clone(), unique, own };
        let layout = Layout::of(&names, &self.program.columns);
        let (titles, other) = header(self.printed_rows(), &names, layout.as_ref());
        self.columns.file.json_header = titles.iter().map(|title| title.name.clone().into_bytes()).collect();
        self.warn_of_widths(titles.len(), other)?;
        self.write_titles(titles, None, Terminator::Byte(b'\n'))
    }

    fn warn_of_widths(&mut self, width: usize, other: Option<usize>) -> Fallible<()> {
        let Some(other) = other.filter(|_| !self.columns.warned_of_widths) else { return Ok(()) };
        self.columns.warned_of_widths = true;
        let columns = if width == 1 { "1 column".to_string() } else { format!("{width} columns") };
        self.warn(&format!("the header that is written has {columns}, and another print of the program writes {other}"))
    }

    /// Writes names as the header of the output; those of `own` as they stand there, where that is in the same format.
    fn write_titles(&mut self, titles: Vec<Title>, own: Option<Source<'_>>, terminator: Terminator) -> Fallible<()> {
        let row = match self.tables.output {
            Some(OutputFormat::Display(_)) => None,
            Some(OutputFormat::Rows(TableFormat::Json(_))) => None,
            Some(OutputFormat::Rows(format)) => Some(self.title_row(format, &titles, own)),
            None => match self.tables.joins_as().filter(|_| self.prints_records()) {
                Some(format) => Some(self.title_row(format, &titles, own)),
                None => {
                    let names: Vec<&[u8]> = titles.iter().map(|title| title.name.as_bytes()).collect();
                    Some(names.join(&*self.specials.ofs))
                }
            },
        };
        self.columns.file.written = Some(titles.into_iter().map(|title| title.name).collect());
        match (self.tables.output, row) {
            (_, Some(row)) => self.print_header(&row, terminator),
            (Some(OutputFormat::Display(display)), None) => {
                Ok(self.io.outputs.stdout().show_head(display, self.columns.head())?)
            }
            (_, None) => Ok(()),
        }
    }

    /// Names as a row.
    fn title_row(&self, format: TableFormat, titles: &[Title], own: Option<Source<'_>>) -> Vec<u8> {
        let own_format = self.tables.input.filter(|input| !input.is_json());
        let mut record = Record::new(Splitter::Row(own_format.unwrap_or(format)));
        let mut width = 0;
        if let Some(own) = &own {
            record.set_text(own.text, TextKind::Input);
            width = record.count();
        }
        let mut members = Vec::new();
        for title in titles {
            let is_own = |&column: &usize| {
                column < width && own.as_ref().is_some_and(|own| !own.renamed.contains(&column)) && own_format.is_some()
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

    /// Refuses to assign a field, from 1, that has no column, once a header without it has been written.
    pub(crate) fn check_column(&mut self, n: usize) -> Fallible<()> {
        let has_column = n <= self.columns.names().len() || !self.columns.is_written() || !self.prints_records();
        if has_column || n <= self.record.count() {
            return Ok(());
        }
        Err(Fault::new(format!(
            "field {n} has no name in the header that was written: assign it by one, as @\"name\", or name it in BEGIN, FIELDS[{n}] = \"name\""
        )))
    }
}

/// Where names stand as they were read.
struct Source<'a> {
    /// The header, without a byte order mark.
    text: &'a [u8],
    renamed: &'a [usize],
}
