//! Checks rows, and reports malformed ones.

use crate::current::CurrentRecord;
use crate::main_input::MainInput;
use crate::outside::Outside;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_record::splitter::Splitter;
use riverhawk_record::table::json::check;
use riverhawk_record::table::{RowFlaw, Strictness, TableFormat, check_quotes, too_long};
use riverhawk_simd::FINISHED;
use riverhawk_stream::Record as Range;

impl CurrentRecord {
    pub(crate) fn check_row(&mut self, main: &MainInput, range: &Range) -> Fallible<()> {
        let text = main.text(range);
        if text.is_empty() {
            return Ok(());
        }
        if self.tables.reads_values() {
            let taken = self.frames.take(main.lead(range), main.text(range));
            return taken.map_err(|flaw| Fault::operand(format!("{}: {flaw}", self.input_name())));
        }
        if self.tables.is_json() {
            return match check(text) {
                Ok(()) => Ok(()),
                Err(flaw) => {
                    let (file, line, column) =
                        (self.input_name(), self.specials.fnr + 1.0, flaw.column(text));
                    let is_longer = line == 1.0 && flaw.at >= text.trim_ascii_end().len();
                    let hint =
                        if is_longer { "; --json reads values of several lines" } else { "" };
                    Err(Fault::operand(format!(
                        "{file}: JSON Lines, line {line}, column {column}: {}{hint}",
                        flaw.what
                    )))
                }
            };
        }
        let count = match self.record.splitter() {
            // Without quotes, fields are counted while they are split.
            Splitter::Row(TableFormat::Csv { separator })
                if self.tables.strictness != Strictness::Lenient =>
            {
                check_quotes(text, *separator)
            }
            splitter => Ok(count_fields(splitter, text)),
        };
        let flaw = match (count, self.columns.width()) {
            (Ok(has), Some(needs)) if has != needs => RowFlaw::Width { has, needs },
            (Ok(count), _) => {
                self.columns.set_width(count);
                return Ok(());
            }
            (Err(flaw), _) => flaw,
        };
        if let RowFlaw::Width { has, needs } = flaw
            && has > needs
            && self.columns.names().len() > needs
        {
            let place = format!("{}: record {}: ", self.input_name(), self.specials.fnr + 1.0);
            return Err(Fault::operand(place + &too_long(has, needs).message()));
        }
        self.found_flaw(flaw, self.specials.fnr + 1.0)
    }

    pub(crate) fn check_header(&mut self, text: &[u8]) -> Fallible<()> {
        let separator = match self.tables.input {
            Some(TableFormat::Csv { separator })
                if self.tables.strictness != Strictness::Lenient =>
            {
                separator
            }
            _ => return Ok(()),
        };
        match check_quotes(text, separator) {
            Ok(_) => Ok(()),
            Err(flaw) => self.found_flaw(flaw, 0.0),
        }
    }

    fn found_flaw(&mut self, flaw: RowFlaw, record: f64) -> Fallible<()> {
        let row =
            || if record == 0.0 { "the header".to_string() } else { format!("record {record}") };
        match self.tables.strictness {
            Strictness::Lenient => {}
            Strictness::Refuses => {
                let (file, row, place) = (self.input_name(), row(), flaw.place());
                return Err(Fault::operand(format!("{file}: {row}{place}")));
            }
            Strictness::Warns => self.flaws.note(flaw, &row()),
        }
        Ok(())
    }
}

impl Outside {
    pub(crate) fn warn_of_flaws(&mut self, current: &mut CurrentRecord) -> Fallible<()> {
        for message in current.flaws.take_messages() {
            self.warn(&format!("{}: {message}", current.input_name()))?;
        }
        Ok(())
    }
}

fn count_fields(splitter: &Splitter, text: &[u8]) -> usize {
    let (mut ranges, mut at) = (Vec::new(), 0);
    while at != FINISHED {
        at = splitter.split(text, at, usize::MAX, &mut ranges);
    }
    ranges.len()
}
