//! Tables: CSV, TSV and JSON as input and output.
//!
//! - here: the options of tables, and the formats;
//! - `fields`: a row's fields, quoting and escapes;
//! - `write`: values as fields, `$0` as a row;
//! - `header`: column names, as read;
//! - `layout`: the columns to write;
//! - `guess`: a likely separator when a column is missing;
//! - `json`: JSON values, in lines or not;
//! - `strict`: checks of malformed rows.
//!
//! CSV follows gawk 5.3, the second edition's awk and goawk, and where they differ Python's `csv`;
//! see `docs/tables.md`. `riverhawk_stream::RecordSeparator::Rows` finds rows,
//! `riverhawk_simd::split_quoted` fields.

mod fields;
mod guess;
mod header;
pub mod json;
mod layout;
mod strict;
mod write;

pub use fields::pieces;
pub use header::{Columns, FileColumns, FileHeader, LineEnd, MARK, MISSING, make_unique};
pub use json::{Frames, Path};
pub use layout::{ColumnLayout, ColumnNames, Title, header, too_long};
pub use strict::{Flaws, RowFlaw, check_quotes, ends_in_quotes};

use riverhawk_awkio::display::Display;
use riverhawk_simd::Quoting;
use riverhawk_stream::{JsonValues, RecordSeparator};

/// JSON values not limited to lines.
pub const VALUES: TableFormat = TableFormat::Json(JsonForm::Values);

/// The format of rows and fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableFormat {
    /// Commas (or another byte), and double quotes where necessary.
    Csv {
        /// ASCII, no quote or line end.
        separator: u8,
    },
    /// Members of an object or elements of an array.
    Json(JsonForm),
    /// Tabs, with the escapes `\t`, `\n`, `\r` and `\\`.
    Tsv,
}

/// The layout of JSON values in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonForm {
    /// One per line.
    Lines,
    /// With any white space, or as the elements of one array.
    Values,
}

impl TableFormat {
    /// Separated by commas.
    pub const CSV: TableFormat = TableFormat::Csv { separator: b',' };

    /// How records end.
    pub(crate) fn record_separator(self) -> RecordSeparator {
        match self {
            TableFormat::Csv { separator } => RecordSeparator::Rows(Some(quoting(separator))),
            TableFormat::Tsv | TableFormat::Json(JsonForm::Lines) => RecordSeparator::Rows(None),
            TableFormat::Json(JsonForm::Values) => RecordSeparator::custom(JsonValues::new()),
        }
    }

    /// The option for this format.
    pub fn option(self) -> &'static str {
        match self {
            TableFormat::Csv { .. } => "--csv",
            TableFormat::Tsv => "--tsv",
            TableFormat::Json(JsonForm::Lines) => "--jsonl",
            TableFormat::Json(JsonForm::Values) => "--json",
        }
    }

    /// The separator of fields.
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

/// The output of `print`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputFormat {
    /// Rows in a format that can be read again.
    Rows(TableFormat),
    /// Rows for people.
    Display(Display),
}

impl From<TableFormat> for OutputFormat {
    fn from(format: TableFormat) -> OutputFormat {
        OutputFormat::Rows(format)
    }
}

impl From<Display> for OutputFormat {
    fn from(display: Display) -> OutputFormat {
        OutputFormat::Display(display)
    }
}

/// The treatment of malformed rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strictness {
    /// Accept them.
    #[default]
    Lenient,
    /// Accept them, with a warning for each file.
    Warns,
    /// End the run.
    Refuses,
}

/// The options for tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// The format of input, if not by RS and FS.
    pub input: Option<TableFormat>,
    /// The format of `print`, if not by OFS.
    pub output: Option<OutputFormat>,
    /// Whether each file of the main input has a header.
    pub header: bool,
    /// Whether output begins with a header.
    pub keep_header: bool,
    /// The treatment of malformed rows.
    pub strictness: Strictness,
    /// Whether output is the input with the program's changes.
    pub edits: bool,
}

impl Tables {
    /// With what these options imply: written headers are read, JSON has names in every value, and
    /// tables for people have a head where names are known.
    pub fn completed(self) -> Tables {
        let has_names = self.header || self.is_json();
        let is_display = matches!(self.output, Some(OutputFormat::Display(_)));
        Tables {
            header: (self.header || self.keep_header || self.edits) && !self.is_json(),
            keep_header: self.keep_header || (is_display && has_names),
            ..self
        }
    }

    /// Options for edits: output like the input.
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

    /// The format of rows that `print` writes.
    pub fn written_as(&self) -> Option<TableFormat> {
        match self.output {
            Some(OutputFormat::Rows(format)) => Some(format),
            _ => None,
        }
    }

    /// Whether unchanged records must be converted for output.
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

    /// The format for joining `$0`. JSON needs names, so only `print` writes it.
    pub fn joins_as(&self) -> Option<TableFormat> {
        let format = match self.output {
            Some(OutputFormat::Rows(format)) => Some(format),
            _ if self.header || self.output.is_some() => self.input,
            _ => None,
        };
        format.filter(|format| !format.is_json())
    }

    /// Whether written rows keep the input's line ends.
    pub fn keeps_ends(&self) -> bool {
        self.edits && self.input == self.written_as() && !self.reads_values()
    }

    /// Whether a file's start determines its columns.
    pub fn begins_each_file(&self) -> bool {
        self.header || (self.strictness != Strictness::Lenient && !self.is_json())
    }

    /// Whether the input must be read in one piece.
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

    /// Whether records are JSON values not limited to lines.
    pub fn reads_values(&self) -> bool {
        self.input == Some(VALUES)
    }

    /// Whether text between JSON values is copied.
    pub fn keeps_frames(&self) -> bool {
        self.edits && self.reads_values() && self.written_as() == Some(VALUES)
    }
}

/// Double quotes and this separator.
pub fn quoting(separator: u8) -> Quoting {
    Quoting { separator, quote: b'"' }
}

#[cfg(test)]
mod tests;
