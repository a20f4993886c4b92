//! `print` of rows, and how they end.
//!
//! In an edited table rows end as they did in the input: with CR LF if lines end so, and the last
//! without a newline if it had none. So a program that changes nothing writes exactly what it read.
//! An ORS other than a newline overrides this.

use crate::current::CurrentRecord;
use crate::main_input::MainInput;
use crate::memory;
use crate::outside::Outside;
use crate::printing::{Redirected, redirected};
use crate::runtime::Runtime;
use riverhawk_awkio::Sink;
use riverhawk_awkio::display::Cells;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_memory::Growing;
use riverhawk_record::table::json::{Nested, write_compact, write_value};
use riverhawk_record::table::{JsonForm, OutputFormat, TableFormat, VALUES, ends_in_quotes};
use riverhawk_record::terminator::Terminator;
use riverhawk_value::Value;
use riverhawk_value::number::number_to_text;

const LINE: &[u8] = b"\n";
const RETURN_LINE: &[u8] = b"\r\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowEnd {
    Ors,
    Line(&'static [u8]),
    Element,
    Frame,
    /// `always`, and `end` unless nothing follows.
    Last {
        always: &'static [u8],
        end: &'static [u8],
        separator: Option<u8>,
    },
}

impl RowEnd {
    fn of_another_file(self) -> RowEnd {
        match self {
            RowEnd::Last { end, .. } => RowEnd::Line(end),
            RowEnd::Frame => RowEnd::Line(LINE),
            end => end,
        }
    }
}

impl RowEnd {
    fn sure_bytes(&self, ors: &[u8]) -> usize {
        match self {
            RowEnd::Ors => ors.len(),
            RowEnd::Line(end) => end.len(),
            RowEnd::Element | RowEnd::Frame => 0,
            RowEnd::Last { always, .. } => always.len(),
        }
    }
}

fn end_row(sink: &mut Sink, row: &[u8], end: RowEnd, ors: &[u8]) -> Fallible<()> {
    match end {
        RowEnd::Ors => sink.write_pair(row, ors)?,
        RowEnd::Line(end) => sink.write_pair(row, end)?,
        RowEnd::Element => sink.add_to_list(row)?,
        RowEnd::Frame => sink.write(row)?,
        RowEnd::Last { always, end, separator } => {
            sink.write_pair(row, always)?;
            // In an unclosed quote the separator would be part of the field.
            let is_open = separator.is_some_and(|separator| ends_in_quotes(row, separator));
            sink.write_spare_end(if is_open { [b"\"", end].concat() } else { end.to_vec() })?;
        }
    }
    Ok(sink.end_print()?)
}

impl Runtime {
    pub(crate) fn print_row<'v>(
        &mut self,
        to: Option<Redirected<'_>>,
        parts: impl Iterator<Item = &'v Value>,
    ) -> Fallible<()> {
        match self.current.tables.output {
            Some(OutputFormat::Rows(format)) => {
                let mut row = std::mem::take(&mut self.workspace.scratch[1]);
                row.clear();
                match format {
                    TableFormat::Json(_) => self.current.write_json_parts(parts, &mut row),
                    format => self.current.write_parts(format, parts, &mut row),
                }
                let end = self.current.row_end(&self.main);
                let written = self.outside.write_row_to(&mut self.current, to, &row, end);
                self.workspace.scratch[1] = row;
                written
            }
            Some(OutputFormat::Display(_)) | None => {
                let mut cells = Cells::default();
                for part in parts {
                    let mut number = Vec::new();
                    cells.push(part.text(
                        self.current.record.text(),
                        &self.current.specials.ofmt,
                        &mut number,
                    ));
                }
                self.outside.show(&self.current, to, &cells)
            }
        }
    }

    pub(crate) fn print_record_row(&mut self, to: Option<Redirected<'_>>) -> Fallible<()> {
        if let Some(OutputFormat::Display(_)) = self.current.tables.output {
            let cells = self.current.record_cells()?;
            return if self.current.record.count() == 0 {
                Ok(())
            } else {
                self.outside.show(&self.current, to, &cells)
            };
        }
        let end = self.current.row_end(&self.main);
        if !self.current.tables.converts() && self.current.columns.layout().is_none() {
            self.current.settle_record();
            memory::check()?;
            self.outside.begin_row(&mut self.current, to, end)?;
            let (text, ors) = (self.current.record.text(), &self.current.specials.ors);
            return match to {
                None => end_row(self.outside.io.outputs.stdout(), text, end, ors),
                Some(to) => {
                    end_row(redirected(&mut self.outside.io, to)?, text, end.of_another_file(), ors)
                }
            };
        }
        let mut row = std::mem::take(&mut self.workspace.scratch[0]);
        row.clear();
        let converted = self.current.convert_record(&mut row);
        let written =
            converted.and_then(|()| self.outside.write_row_to(&mut self.current, to, &row, end));
        self.workspace.scratch[0] = row;
        written
    }
}

impl CurrentRecord {
    fn row_end(&self, main: &MainInput) -> RowEnd {
        self.row_end_like(main, self.columns.kept_end(self.specials.fnr).unwrap_or(self.rt))
    }

    fn row_end_like(&self, main: &MainInput, terminator: Terminator) -> RowEnd {
        if self.tables.written_as() == Some(VALUES) {
            return match self.tables.keeps_frames() {
                true if main.is_reading() => RowEnd::Frame,
                true => RowEnd::Line(LINE),
                false => RowEnd::Element,
            };
        }
        if !self.tables.keeps_ends() || self.specials.ors != LINE {
            return RowEnd::Ors;
        }
        // After the file's end its last line is not the last of the output.
        let is_last = main.is_reading();
        let separator = match self.tables.input {
            Some(TableFormat::Csv { separator }) => Some(separator),
            _ => None,
        };
        match terminator {
            Terminator::None if is_last => {
                RowEnd::Last { always: b"", end: self.columns.line_end(), separator }
            }
            Terminator::RowReturn if is_last => {
                RowEnd::Last { always: b"\r", end: LINE, separator: None }
            }
            Terminator::None => RowEnd::Line(self.columns.line_end()),
            Terminator::RowReturn => RowEnd::Line(RETURN_LINE),
            ended => ended.line_end().map_or(RowEnd::Ors, RowEnd::Line),
        }
    }

    fn write_parts<'v>(
        &self,
        format: TableFormat,
        parts: impl Iterator<Item = &'v Value>,
        row: &mut Vec<u8>,
    ) {
        let (mut scratch, mut count) = (Vec::new(), 0);
        for part in parts {
            if count > 0 {
                row.push(format.separator());
            }
            count += 1;
            scratch.clear();
            match part {
                Value::Num(value) => {
                    number_to_text(*value, &self.specials.ofmt, &mut scratch);
                    format.write_field(&scratch, row);
                }
                text => {
                    format.write_field(
                        text.text(self.record.text(), &self.specials.ofmt, &mut scratch),
                        row,
                    );
                }
            }
        }
        format.end_row(count, 0, row);
    }

    pub(crate) fn nested(&self) -> Nested {
        if self.tables.is_json() { Nested::Json } else { Nested::Text }
    }

    fn write_json_parts<'v>(&self, parts: impl Iterator<Item = &'v Value>, row: &mut Vec<u8>) {
        let mut count = 0;
        for part in parts {
            if count > 0 {
                row.push(b',');
            }
            count += 1;
            write_value(part, self.record.text(), self.nested(), row);
        }
        if count > 1 {
            row.insert(0, b'[');
            row.push(b']');
        }
    }

    fn convert_record(&mut self, row: &mut Vec<u8>) -> Fallible<()> {
        let Some(format) = self.tables.written_as().or(self.tables.joins_as()) else {
            return Ok(());
        };
        let members = self.members()?;
        let convfmt = &self.specials.convfmt;
        match (format, members) {
            (TableFormat::Json(form), None) if self.tables.is_json() => {
                self.settle_record();
                match form {
                    JsonForm::Lines => write_compact(self.record.text(), row),
                    JsonForm::Values => row.extend_by(self.record.text()),
                }
            }
            (TableFormat::Json(_), members) => {
                self.record.write_json(self.columns.names(), members.as_deref(), row)
            }
            (_, Some(_)) if self.record.count() == 0 && !self.tables.is_json() => {}
            (format, Some(members)) => self.record.write_members(format, &members, convfmt, row),
            (format, None) => drop(self.record.write_row(format, convfmt, row)),
        }
        Ok(())
    }

    /// The field of each column of the output, from 0; `None` if they are all there in order.
    fn members(&mut self) -> Fallible<Option<Vec<Option<usize>>>> {
        if self.tables.is_json() {
            return match self.columns.json_header() {
                [] => Ok(None),
                header => self.record.json_members(header).map(Some),
            };
        }
        match self.columns.layout() {
            None => Ok(None),
            Some(layout) => layout.members(self.record.count()).map(Some),
        }
    }

    fn record_cells(&mut self) -> Fallible<Cells> {
        let members = match self.members()? {
            Some(members) => members,
            None => (0..self.record.count()).map(Some).collect(),
        };
        let mut cells = Cells::default();
        for member in members {
            let value = member.map_or(Value::NoField, |field| self.record.field(field + 1));
            cells.push(value.text(self.record.text(), &self.specials.convfmt, &mut Vec::new()));
        }
        Ok(cells)
    }
}

impl Outside {
    fn begin_row(
        &mut self,
        current: &mut CurrentRecord,
        to: Option<Redirected<'_>>,
        end: RowEnd,
    ) -> Fallible<()> {
        if end == RowEnd::Frame && to.is_none() {
            let frame = current.frames.before_value();
            self.io.outputs.stdout().write(&frame)?;
        }
        Ok(())
    }

    pub(crate) fn write_trail(
        &mut self,
        current: &CurrentRecord,
        main: &MainInput,
    ) -> Fallible<()> {
        if !current.tables.keeps_ends() || main.trail().is_empty() {
            return Ok(());
        }
        let trail = main.trail().to_vec();
        self.note_unprinted(trail.len());
        Ok(self.io.outputs.stdout().write(&trail)?)
    }

    pub(crate) fn end_values(
        &mut self,
        current: &mut CurrentRecord,
        main: &mut MainInput,
    ) -> Fallible<()> {
        match current.frames.take_trail(main.trail()) {
            Ok(()) => main.end_main(current, self),
            Err(flaw) => self.fail_edit(
                current,
                main,
                Fault::operand(format!("{}: {flaw}", current.input_name())),
            ),
        }
    }

    pub(crate) fn close_frames(
        &mut self,
        current: &mut CurrentRecord,
        main: &MainInput,
    ) -> Fallible<()> {
        if current.tables.keeps_frames() { self.end_frames(current, main) } else { Ok(()) }
    }

    pub(crate) fn end_frames(
        &mut self,
        current: &mut CurrentRecord,
        main: &MainInput,
    ) -> Fallible<()> {
        if !main.is_reading() || (self.in_place.is_some() && !self.is_in_edit()) {
            return Ok(());
        }
        let end = current.frames.end_file();
        self.note_unprinted(end.len());
        Ok(self.io.outputs.stdout().write(&end)?)
    }

    fn write_row_to(
        &mut self,
        current: &mut CurrentRecord,
        to: Option<Redirected<'_>>,
        row: &[u8],
        end: RowEnd,
    ) -> Fallible<()> {
        memory::check()?;
        self.begin_row(current, to, end)?;
        match to {
            None => end_row(self.io.outputs.stdout(), row, end, &current.specials.ors),
            Some(to) => end_row(
                redirected(&mut self.io, to)?,
                row,
                end.of_another_file(),
                &current.specials.ors,
            ),
        }
    }

    fn show(
        &mut self,
        current: &CurrentRecord,
        to: Option<Redirected<'_>>,
        cells: &Cells,
    ) -> Fallible<()> {
        let Some(OutputFormat::Display(display)) = current.tables.output else {
            return Ok(());
        };
        let head = current.columns.head();
        let sink = match to {
            None => self.io.outputs.stdout(),
            Some(to) => redirected(&mut self.io, to)?,
        };
        sink.show(display, head, cells)?;
        memory::check()?;
        Ok(sink.end_print()?)
    }

    pub(super) fn print_header(
        &mut self,
        current: &mut CurrentRecord,
        main: &MainInput,
        to: Option<Redirected<'_>>,
        header: &[u8],
        terminator: Terminator,
    ) -> Fallible<()> {
        let end = current.row_end_like(main, terminator);
        if to.is_none() {
            self.note_unprinted(header.len() + end.sure_bytes(&current.specials.ors));
        }
        self.write_row_to(current, to, header, end)
    }
}
