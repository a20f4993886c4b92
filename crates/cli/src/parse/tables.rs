//! Combines the options for tables.

use riverhawk::engine::system::names::OsStrExt;
use std::ffi::{OsStr, OsString};

use riverhawk::engine::{Display, JsonForm, OutputFormat, Strictness, TableFormat, Tables};

use crate::options::{Id, Opt};
use crate::usage_error::UsageError;

#[derive(Debug, Default)]
pub(super) struct TableOptions {
    input: Option<Id>,
    output: Option<Id>,
    separator: Option<u8>,
    output_separator: Option<u8>,
    field_separator: Option<OsString>,
    header: bool,
    keep_header: bool,
    edits: bool,
    pub strictness: Strictness,
    pub is_in_place: bool,
}

const OUTPUTS: &str = "--output-csv, --output-tsv, --output-jsonl, --output-json, --output-table, --output-markdown and --output-html";

impl TableOptions {
    pub(super) fn take(&mut self, id: Id) -> Result<bool, UsageError> {
        match id {
            Id::Csv | Id::Tsv | Id::Jsonl | Id::Json => {
                only(&mut self.input, id, "--csv, --tsv, --jsonl and --json")?
            }
            Id::OutputCsv
            | Id::OutputTsv
            | Id::OutputJsonl
            | Id::OutputJson
            | Id::OutputTable
            | Id::OutputMarkdown
            | Id::OutputHtml => only(&mut self.output, id, OUTPUTS)?,
            Id::Header => self.header = true,
            Id::KeepHeader => self.keep_header = true,
            Id::Edit => self.edits = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub(super) fn take_separator(&mut self, opt: &Opt, value: &OsStr) -> Result<(), UsageError> {
        let separator = separator(value).ok_or_else(|| {
            UsageError::new(format!(
                "--{} needs one ASCII character other than a quote or a line end, not '{}'",
                opt.long,
                value.to_string_lossy()
            ))
        })?;
        match opt.id {
            Id::OutputSeparator => self.output_separator = Some(separator),
            _ => self.separator = Some(separator),
        }
        Ok(())
    }

    /// `-F` with one character is the separator of CSV.
    pub(super) fn note_field_separator(&mut self, value: &OsStr) {
        self.field_separator = Some(value.to_os_string());
    }

    pub(super) fn finish(&self) -> Result<Tables, UsageError> {
        let (read, written) = self.separators()?;
        let input = self.input.map(|id| match id {
            Id::Csv => TableFormat::Csv { separator: read },
            Id::Jsonl => TableFormat::Json(JsonForm::Lines),
            Id::Json => TableFormat::Json(JsonForm::Values),
            _ => TableFormat::Tsv,
        });
        let csv = OutputFormat::Rows(TableFormat::Csv { separator: written });
        let output = self.output.map(|id| match id {
            Id::OutputCsv => csv,
            Id::OutputJsonl => OutputFormat::Rows(TableFormat::Json(JsonForm::Lines)),
            Id::OutputJson => OutputFormat::Rows(TableFormat::Json(JsonForm::Values)),
            Id::OutputTsv => OutputFormat::Rows(TableFormat::Tsv),
            Id::OutputTable => OutputFormat::Display(Display::Aligned),
            Id::OutputMarkdown => OutputFormat::Display(Display::Markdown),
            _ => OutputFormat::Display(Display::Html),
        });
        let output = output.or(self.output_separator.map(|_| csv));
        let tables = Tables {
            input,
            output,
            header: self.header || self.edits,
            keep_header: self.keep_header,
            strictness: self.strictness,
            edits: false,
        };
        let tables = tables.completed();
        self.check(&tables)?;
        Ok(if self.edits || self.is_in_place { tables.edited() } else { tables })
    }

    /// The separators of CSV, read and written.
    fn separators(&self) -> Result<(u8, u8), UsageError> {
        let of_input =
            self.field_separator.as_deref().filter(|&value| value != " ").and_then(separator);
        let of_input = of_input.filter(|_| self.input == Some(Id::Csv));
        if let (Some(one), Some(other)) = (of_input, self.separator)
            && one != other
        {
            return Err(UsageError::new(
                "-F and --csv-separator differ: set the separators with -F for the input, --output-separator for the output",
            ));
        }
        let read = of_input.or(self.separator).unwrap_or(b',');
        let written = self.output_separator.or(self.separator).unwrap_or(match self.input {
            Some(Id::Csv) => read,
            _ => b',',
        });
        Ok((read, written))
    }

    /// Rejects options without effect.
    fn check(&self, tables: &Tables) -> Result<(), UsageError> {
        let is_csv = self.input == Some(Id::Csv)
            || matches!(tables.output, Some(OutputFormat::Rows(TableFormat::Csv { .. })));
        let needless = [
            (
                self.header && tables.is_json(),
                "-H (--header) and --jsonl or --json exclude each other: JSON has names in every value",
            ),
            (self.separator.is_some() && !is_csv, "--csv-separator needs --csv or --output-csv"),
            (
                self.output_separator.is_some()
                    && !matches!(tables.output, Some(OutputFormat::Rows(TableFormat::Csv { .. }))),
                "--output-separator needs --output-csv, and another output format is given",
            ),
            (self.edits && self.input.is_none(), "--edit needs --csv, --tsv, --jsonl or --json"),
            (
                self.strictness != Strictness::Lenient && self.input.is_none() && !tables.header,
                "--strict needs --csv, --tsv, --jsonl, --json or -H",
            ),
        ];
        match needless.into_iter().find(|&(is_wrong, _)| is_wrong) {
            Some((_, message)) => Err(UsageError::new(message)),
            None => Ok(()),
        }
    }
}

/// One character, optionally after a backslash.
fn separator(value: &OsStr) -> Option<u8> {
    match *value.as_bytes() {
        [b'\\', b't'] => Some(b'\t'),
        [byte] | [b'\\', byte @ (b'|' | b'\\')]
            if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') =>
        {
            Some(byte)
        }
        _ => None,
    }
}

/// For options that exclude each other.
fn only(seen: &mut Option<Id>, id: Id, which: &str) -> Result<(), UsageError> {
    match seen.replace(id) {
        Some(before) if before != id => Err(UsageError::new(format!("{which} exclude each other"))),
        _ => Ok(()),
    }
}
