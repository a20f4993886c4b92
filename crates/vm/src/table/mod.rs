//! Tables: input whose records are rows of CSV or TSV or lines of JSON, and output written as such.
//!
//! - here: what a run is told about tables, and the two formats;
//! - `fields`: a row's fields, and what quoting and escapes in them stand for;
//! - `write`: values as fields, `$0` put together as a row, `print`;
//! - `header`: names of columns;
//! - `json`: JSON Lines;
//! - `strict`: rows that are not as they should be.
//!
//! The rules of CSV are those that the awks with a CSV mode share (gawk 5.3, the second edition's awk, goawk), and where these differ
//! Python's `csv`; `docs/tables.md` has them with examples. The record reader (`riverhawk_stream::RecordSeparator::Rows`) knows
//! where rows end, `riverhawk_simd::split_quoted` where fields do.

mod fields;
mod header;
mod json;
mod strict;
mod write;

pub(crate) use fields::pieces;
pub(crate) use header::Columns;
pub(crate) use json::Path;
pub(crate) use write::print_row;

use crate::fault::Fallible;
use crate::runtime::Runtime;
use riverhawk_simd::Quoting;
use riverhawk_stream::RecordSeparator;

/// How rows and fields are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Fields between commas (or another byte), in double quotes where they hold one of these or a newline.
    Csv {
        /// What stands between fields; ASCII, and neither a quote nor part of a line's end.
        separator: u8,
    },
    /// A JSON value on each line: fields are the members of an object or the elements of an array.
    JsonLines,
    /// Fields between tabs. Tab, newline, carriage return and backslash inside are written `\t`, `\n`, `\r` and `\\`.
    Tsv,
}

impl TableFormat {
    /// Commas.
    pub const CSV: TableFormat = TableFormat::Csv { separator: b',' };

    /// Where records end.
    pub(crate) fn record_separator(self) -> RecordSeparator {
        RecordSeparator::Rows(match self {
            TableFormat::Csv { separator } => Some(quoting(separator)),
            TableFormat::Tsv | TableFormat::JsonLines => None,
        })
    }

    /// The option that asks for it.
    pub(crate) fn option(self) -> &'static str {
        match self {
            TableFormat::Csv { .. } => "--csv",
            TableFormat::Tsv => "--tsv",
            TableFormat::JsonLines => "--jsonl",
        }
    }

    /// What stands between fields.
    pub(crate) fn separator(self) -> u8 {
        match self {
            TableFormat::Csv { separator } => separator,
            TableFormat::Tsv => b'\t',
            TableFormat::JsonLines => b',',
        }
    }
}

/// What a run is told about tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// What input is, if not what RS and FS say.
    pub input: Option<TableFormat>,
    /// What `print` writes, if not what OFS says.
    pub output: Option<TableFormat>,
    /// The first record of each file of the main input names its columns.
    pub header: bool,
    /// The first header is written to the standard output, before any record is looked at.
    pub keep_header: bool,
    /// Rows that are not as they should be are errors.
    pub strict: bool,
}

impl Tables {
    /// Whether a record that is printed as it was read must be written anew: it came in another format.
    #[inline]
    pub(crate) fn converts(&self) -> bool {
        match self.output {
            None => false,
            Some(output) => self.input != self.output && (self.input.is_some() || output == TableFormat::JsonLines),
        }
    }

    /// What `$0` is put together as when fields were assigned. JSON takes names, which a record has not: there only `print` writes it.
    pub(crate) fn joins_as(&self) -> Option<TableFormat> {
        self.output.filter(|&output| output != TableFormat::JsonLines)
    }

    /// Whether records are JSON.
    pub fn is_json(&self) -> bool {
        self.input == Some(TableFormat::JsonLines)
    }
}

impl Runtime {
    /// Input and output are tables from now on; before anything is read.
    pub(crate) fn set_tables(&mut self, tables: Tables) -> Fallible<()> {
        self.tables = tables;
        self.rule.checked = tables.strict || tables.is_json();
        self.rule.generation += u64::from(tables.strict);
        self.find_columns()?;
        if tables.input.is_some() {
            self.rule.rows = tables.input;
            self.rule.generation += 1;
            let splitter = self.field_splitter()?;
            self.record.set_splitter(splitter);
        }
        Ok(())
    }
}

fn quoting(separator: u8) -> Quoting {
    Quoting { separator, quote: b'"' }
}

#[cfg(test)]
mod tests;
