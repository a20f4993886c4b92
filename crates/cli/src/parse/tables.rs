//! What the options about tables say together.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use riverhawk_engine::{TableFormat, Tables};

use super::UsageError;
use crate::options::Id;

/// The options seen so far.
#[derive(Debug, Default)]
pub(super) struct TableOptions {
    input: Option<Id>,
    output: Option<Id>,
    separator: Option<u8>,
    header: bool,
    keep_header: bool,
    strict: bool,
}

impl TableOptions {
    /// Takes an option without argument; whether it is one about tables.
    pub(super) fn take(&mut self, id: Id) -> Result<bool, UsageError> {
        match id {
            Id::Csv | Id::Tsv | Id::Jsonl => only(&mut self.input, id, "--csv, --tsv and --jsonl")?,
            Id::OutputCsv | Id::OutputTsv | Id::OutputJsonl => {
                only(&mut self.output, id, "--output-csv, --output-tsv and --output-jsonl")?;
            }
            Id::Header => self.header = true,
            Id::KeepHeader => self.keep_header = true,
            Id::Strict => self.strict = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Takes what `--csv-separator` says.
    pub(super) fn take_separator(&mut self, value: &OsStr) -> Result<(), UsageError> {
        match *value.as_bytes() {
            [byte] if byte.is_ascii() && !matches!(byte, b'"' | b'\n' | b'\r') => {
                self.separator = Some(byte);
                Ok(())
            }
            _ => Err(UsageError::new(format!(
                "--csv-separator needs one ASCII character that is no quote and no line end, not '{}'",
                value.to_string_lossy()
            ))),
        }
    }

    /// All of them together.
    pub(super) fn finish(&self) -> Result<Tables, UsageError> {
        let csv = TableFormat::Csv { separator: self.separator.unwrap_or(b',') };
        let format = |id| match id {
            Id::Csv | Id::OutputCsv => csv,
            Id::Jsonl | Id::OutputJsonl => TableFormat::JsonLines,
            _ => TableFormat::Tsv,
        };
        let tables = Tables {
            input: self.input.map(format),
            output: self.output.map(format),
            // Names stand in every line of JSON.
            header: (self.header || self.keep_header) && self.input != Some(Id::Jsonl),
            keep_header: self.keep_header,
            strict: self.strict,
        };
        if self.header && self.input == Some(Id::Jsonl) {
            return Err(UsageError::new("-H (--header) and --jsonl exclude each other: JSON has names in every line"));
        }
        if self.separator.is_some() && ![tables.input, tables.output].contains(&Some(csv)) {
            return Err(UsageError::new(
                "--csv-separator says something about --csv or --output-csv, and neither is given",
            ));
        }
        Ok(tables)
    }
}

/// Notes one of several options that exclude each other.
fn only(seen: &mut Option<Id>, id: Id, which: &str) -> Result<(), UsageError> {
    match seen.replace(id) {
        Some(before) if before != id => Err(UsageError::new(format!("{which} exclude each other"))),
        _ => Ok(()),
    }
}
