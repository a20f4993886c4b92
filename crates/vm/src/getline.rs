//! The forms of getline, and the other built-ins that touch files and commands.

use crate::fault::{Fallible, Fault};
use crate::io::{Flushed, InputError, InputId, InputKind, ReadError};
use crate::record_rule::follow;
use crate::runtime::{Runtime, Terminator};
use riverhawk_stream::Step;
use riverhawk_value::{Probe, Value};

/// What getline found.
pub enum Got {
    /// A record.
    Line(Value),
    /// The end.
    End,
    /// It cannot be opened or read.
    Failed,
}

impl Got {
    /// getline's value.
    pub fn status(&self) -> f64 {
        match self {
            Got::Line(_) => 1.0,
            Got::End => 0.0,
            Got::Failed => -1.0,
        }
    }
}

impl Runtime {
    /// `getline`: the next record of the main input becomes `$0`.
    pub fn getline(&mut self) -> Fallible<f64> {
        Ok(if self.find_record()? { 1.0 } else { 0.0 })
    }

    /// `getline < file` and `command | getline`, the record not yet stored anywhere.
    /// With `line`, the record is stored there, in the allocation that it holds where possible, and [`Got::Line`] is empty.
    pub fn getline_from(&mut self, kind: InputKind, from: &Value, line: Option<&mut Value>) -> Fallible<Got> {
        if kind == InputKind::Command && self.environ.is_some() && !self.io.inputs.is_open(kind, &self.text_of(from)) {
            self.share_environment();
        }
        let mut scratch = std::mem::take(&mut self.scratch[0]);
        let name = from.text(self.record.text(), &self.specials.convfmt, &mut scratch);
        let opened = if name.is_empty() { None } else { Some(self.io.input(kind, name)) };
        self.scratch[0] = scratch;
        let id = match opened {
            None => return Err(Fault::new("the name that getline reads from is empty")),
            Some(Ok(id)) => id,
            Some(Err(InputError::Open(_))) if kind == InputKind::File => return Ok(Got::Failed),
            Some(Err(error)) => return Err(error.into()),
        };
        // The standard input has one reader; while it is the main input that reader is kept there, and `$0` may lie in it.
        self.lend_stdin();
        let got = self.next_of(id, line);
        self.take_stdin_back();
        got
    }

    fn next_of(&mut self, id: InputId, line: Option<&mut Value>) -> Fallible<Got> {
        let buffered = match self.io.inputs.reader(id) {
            Some(reader) => {
                follow(reader, &self.rule)?;
                match reader.records.next_buffered() {
                    Step::Record(range) => Some((reader, range)),
                    _ => None,
                }
            }
            None => None,
        };
        // Most records are in the window already; the others are read for.
        let found = match buffered {
            Some(found) => Ok(Some(found)),
            None => self.io.next_record(id),
        };
        match found {
            Ok(Some((reader, range))) => {
                let terminator = reader.records.terminator(&range);
                self.rt = match terminator {
                    [] => Terminator::None,
                    [byte] => Terminator::Byte(*byte),
                    text => {
                        self.rt_text.clear();
                        self.rt_text.extend_from_slice(text);
                        Terminator::Text
                    }
                };
                let text = reader.records.text(&range);
                let Some(line) = line else { return Ok(Got::Line(Value::from_input(text))) };
                let old = line.recycle();
                *line = Value::from_input_in(old, text);
                if range.ascii {
                    line.note_ascii();
                }
                Ok(Got::Line(Value::Uninit))
            }
            Ok(None) => Ok(Got::End),
            Err(ReadError::Input(_)) => Ok(Got::Failed),
            Err(ReadError::Output(error)) => Err(error.into()),
        }
    }

    /// Makes a line that getline found `$0`.
    pub fn store_line(&mut self, got: &Got) -> Fallible<f64> {
        if let Got::Line(line) = got {
            self.record.set_text(line.bytes(b"").unwrap_or_default(), false);
        }
        Ok(got.status())
    }

    /// `close(name)`.
    pub fn close(&mut self, name: &Value) -> Fallible<f64> {
        let name = self.text_of(name);
        Ok(f64::from(self.io.close(&name)?.0))
    }

    /// `fflush()`.
    pub fn flush_all(&mut self) -> Fallible<f64> {
        self.io.outputs.flush_all()?;
        Ok(0.0)
    }

    /// `fflush(name)`.
    pub fn flush(&mut self, name: &Value) -> Fallible<f64> {
        let name = self.text_of(name);
        if name.is_empty() {
            return self.flush_all();
        }
        let shown = String::from_utf8_lossy(&name).into_owned();
        match self.io.flush(&name)? {
            Flushed::Done => return Ok(0.0),
            Flushed::OpenForReading => self.warn(&format!("fflush: `{shown}' is open for reading, not writing"))?,
            Flushed::NotOpen => self.warn(&format!("fflush: `{shown}' is not an open file or command"))?,
        }
        Ok(-1.0)
    }

    /// `system(command)`.
    pub fn system(&mut self, command: &Value) -> Fallible<f64> {
        let command = self.text_of(command);
        self.share_environment();
        Ok(f64::from(self.io.system(&command)?.0))
    }

    /// Commands started from now on see ENVIRON as it is, when the program uses it at all: what was deleted is gone there too.
    pub(crate) fn share_environment(&mut self) {
        let Some(environ) = &self.environ else { return };
        let environ = environ.borrow();
        let entries = environ.keys().filter_map(|key| {
            let name = key.bytes(b"")?.to_vec();
            let mut text = Vec::new();
            environ.get(Probe::from_text(&name))?.append_to(b"", &self.specials.convfmt, &mut text);
            Some((name, text))
        });
        self.io.environment.replace(entries);
    }

    /// `log`, `sqrt`, `exp` and the like complain as gawk does.
    #[cold]
    pub(crate) fn warn_argument(&mut self, function: &str, number: f64) -> Fallible<()> {
        self.warn(&format!("{function}: received negative argument {number}"))
    }
}
