//! Tables: input whose records are rows of CSV or TSV or lines of JSON, and output written as such.
//!
//! - here: what a run is told about tables, and the formats;
//! - `fields`: a row's fields, and what quoting and escapes in them stand for;
//! - `write`: values as fields, `$0` put together as a row;
//! - `header`: names of columns, as they are read;
//! - `layout`: which columns are written;
//! - `guess`: what probably separates a header that has not the column that is asked for;
//! - `json`: JSON values, in lines or as they come;
//! - `strict`: rows that are not as they should be.
//!
//! The rules of CSV are those that the awks with a CSV mode share (gawk 5.3, the second edition's
//! awk, goawk), and where these differ Python's `csv`; `docs/tables.md` has them with examples. The
//! record reader (`riverhawk_stream::RecordSeparator::Rows`) knows where rows end,
//! `riverhawk_simd::split_quoted` where fields do.

mod fields;
mod guess;
mod header;
pub mod json;
mod layout;
mod strict;
mod write;

pub use fields::pieces;
pub use header::{Columns, FileColumns, FileHeader, MARK, MISSING, make_unique};
pub use json::{Frames, Path};
pub use layout::{ColumnLayout, ColumnNames, Title, header, too_long};
pub use strict::{Flaws, RowFlaw, check_quotes, ends_in_quotes};

use riverhawk_awkio::display::Display;
use riverhawk_simd::Quoting;
use riverhawk_stream::{JsonValues, RecordSeparator};

/// JSON values that are not lines.
pub const VALUES: TableFormat = TableFormat::Json(JsonForm::Values);

/// How rows and fields are written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Fields between commas (or another byte), in double quotes where they hold one of these or a
    /// newline.
    Csv {
        /// What stands between fields; ASCII, and neither a quote nor part of a line's end.
        separator: u8,
    },
    /// JSON values: fields are the members of an object or the elements of an array.
    Json(JsonForm),
    /// Fields between tabs. Tab, newline, carriage return and backslash inside are written `\t`,
    /// `\n`, `\r` and `\\`.
    Tsv,
}

/// How JSON values stand in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonForm {
    /// One on each line.
    Lines,
    /// With blanks and newlines wherever JSON allows them, one after the other or as the elements
    /// of one array.
    Values,
}

impl TableFormat {
    /// Commas.
    pub const CSV: TableFormat = TableFormat::Csv { separator: b',' };

    /// Where records end.
    pub fn record_separator(self) -> RecordSeparator {
        match self {
            TableFormat::Csv { separator } => RecordSeparator::Rows(Some(quoting(separator))),
            TableFormat::Tsv | TableFormat::Json(JsonForm::Lines) => RecordSeparator::Rows(None),
            TableFormat::Json(JsonForm::Values) => RecordSeparator::custom(JsonValues::new()),
        }
    }

    /// The option that asks for it.
    pub fn option(self) -> &'static str {
        match self {
            TableFormat::Csv { .. } => "--csv",
            TableFormat::Tsv => "--tsv",
            TableFormat::Json(JsonForm::Lines) => "--jsonl",
            TableFormat::Json(JsonForm::Values) => "--json",
        }
    }

    /// What stands between fields.
    pub fn separator(self) -> u8 {
        match self {
            TableFormat::Csv { separator } => separator,
            TableFormat::Tsv => b'\t',
            TableFormat::Json(_) => b',',
        }
    }

    /// Whether records are JSON values.
    pub fn is_json(self) -> bool {
        matches!(self, TableFormat::Json(_))
    }
}

/// What `print` writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// Rows as they can be read again.
    Rows(TableFormat),
    /// Rows for readers.
    Display(Display),
}

/// What becomes of rows that are not as they should be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// They are read.
    #[default]
    Lenient,
    /// They are read, and at the end of each file a warning counts them.
    Warns,
    /// The first ends the run.
    Refuses,
}

/// What a run is told about tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// What input is, if not what RS and FS say.
    pub input: Option<TableFormat>,
    /// What `print` writes, if not what OFS says.
    pub output: Option<OutputFormat>,
    /// The first record of each file of the main input names its columns.
    pub header: bool,
    /// A header is written to the standard output, before any record is looked at, and to each
    /// file that rows are printed to.
    pub keep_header: bool,
    /// Rows that are not as they should be.
    pub strictness: Strictness,
    /// The output is to be the input but for what the program changes.
    pub edits: bool,
}

impl Tables {
    /// The same where output replaces the input, or is to be like it: rows in the format of the
    /// input, under their header.
    pub fn edited(self) -> Tables {
        match self.input {
            None => self,
            Some(input) => Tables {
                output: self.output.or(Some(OutputFormat::Rows(input))),
                keep_header: self.keep_header || self.header,
                edits: true,
                ..self
            },
        }
    }

    /// The format of rows that `print` writes, if it does.
    pub fn written_as(&self) -> Option<TableFormat> {
        match self.output {
            Some(OutputFormat::Rows(format)) => Some(format),
            _ => None,
        }
    }

    /// Whether a record that is printed as it was read must be written anew: it came in another
    /// format.
    #[inline]
    pub fn converts(&self) -> bool {
        match self.output {
            None => false,
            Some(OutputFormat::Display(_)) => true,
            Some(OutputFormat::Rows(output)) => {
                self.input != Some(output) && (self.input.is_some() || output.is_json())
            }
        }
    }

    /// What `$0` is put together as when fields were assigned: a table whose columns have names
    /// stays one. JSON takes names, which a record has not: there only `print` writes it.
    pub fn joins_as(&self) -> Option<TableFormat> {
        let format = match self.output {
            Some(OutputFormat::Rows(format)) => Some(format),
            _ if self.header || self.output.is_some() => self.input,
            _ => None,
        };
        format.filter(|format| !format.is_json())
    }

    /// Whether rows end as those that are read.
    pub fn keeps_ends(&self) -> bool {
        self.edits && self.input == self.written_as() && !self.reads_values()
    }

    /// Whether the beginning of each file says what its other records are to be like: how columns
    /// are called, how many there are.
    pub fn begins_each_file(&self) -> bool {
        self.header || (self.strictness != Strictness::Lenient && !self.is_json())
    }

    /// Whether the input must be read in one piece: rows that are printed or found at fault are
    /// collected, or nothing but reading all tells where a value begins.
    pub fn are_whole(&self) -> bool {
        let collects =
            matches!(self.output, Some(OutputFormat::Display(_) | OutputFormat::Rows(VALUES)))
                || self.strictness == Strictness::Warns
                || (self.is_json() && self.strictness == Strictness::Refuses);
        collects || self.reads_values()
    }

    /// Whether records are JSON.
    pub fn is_json(&self) -> bool {
        self.input.is_some_and(TableFormat::is_json)
    }

    /// Whether records are JSON values that are not lines.
    pub fn reads_values(&self) -> bool {
        self.input == Some(VALUES)
    }

    /// Whether what stands between the JSON values of the input is written between those of the
    /// output.
    pub fn keeps_frames(&self) -> bool {
        self.edits && self.reads_values() && self.written_as() == Some(VALUES)
    }
}

/// Commas, or what is in their place, and double quotes.
pub fn quoting(separator: u8) -> Quoting {
    Quoting { separator, quote: b'"' }
}

#[cfg(test)]
mod tests;
