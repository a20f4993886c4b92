//! getline from files, commands and coprocesses; `close`, `fflush`, `system`. Reading again from
//! the last source needs no look-up of its name.

use crate::current::CurrentRecord;
use crate::error::is_too_long;
use crate::globals::Globals;
use crate::main_input::MainInput;
use crate::outside::Outside;
use crate::runtime::Runtime;
use riverhawk_awkio::cancel;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_awkio::sandbox::Act;
use riverhawk_awkio::{
    Action, CloseStatus, End, Flushed, InputError, InputId, InputKind, ReadError, RecordReader,
    is_inet,
};
use riverhawk_bytecode::GetlineSource;
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::TextKind;
use riverhawk_record::record_rule::follow;
use riverhawk_record::terminator::Terminator;
use riverhawk_stream::{Record as Range, Records, Step};
use riverhawk_syntax::ast::Special;
use riverhawk_value::{Ascii, Probe, Value};

impl CurrentRecord {
    #[inline(always)]
    fn keep(&mut self, records: &Records, range: &Range, into: Option<&mut Value>) {
        self.rt = Terminator::of(records, range, &mut self.rt_text);
        let text = records.text(range);
        match into {
            Some(line) => line.set_input(text, Ascii::when(range.ascii)),
            None => self.record.set_text(text, TextKind::Input),
        }
    }

    fn keep_found(
        &mut self,
        found: Option<(&mut RecordReader, Range)>,
        into: Option<&mut Value>,
    ) -> f64 {
        let Some((reader, range)) = found else { return 0.0 };
        let is_record = into.is_none();
        self.keep(&reader.records, &range, into);
        if is_record && reader.cuts_entries() {
            self.record.cut_entry();
        }
        1.0
    }
}

impl Runtime {
    #[inline]
    pub fn getline_from(
        &mut self,
        how: GetlineSource,
        from: &Value,
        mut into: Option<&mut Value>,
    ) -> Fallible<f64> {
        if self.current.tables.edits {
            self.current.columns.keep_end(self.current.specials.fnr, self.current.rt);
        }
        let kind = match how {
            GetlineSource::File => InputKind::File,
            GetlineSource::Command => InputKind::Command,
            GetlineSource::Coprocess => {
                let name = self.current.text_of(from);
                return self.outside.getline_from_coprocess(
                    &mut self.current,
                    &mut self.globals,
                    &name,
                    into,
                );
            }
        };
        if self.outside.next_of_recent(
            &mut self.current,
            &self.main,
            kind,
            from,
            into.as_deref_mut(),
        ) {
            return Ok(1.0);
        }
        self.getline_by_name(kind, from, into)
    }

    #[inline(never)]
    fn getline_by_name(
        &mut self,
        kind: InputKind,
        from: &Value,
        into: Option<&mut Value>,
    ) -> Fallible<f64> {
        let name = self.current.text_of(from);
        self.outside.allow_any_redirection()?;
        if name.is_empty() {
            return Err(Fault::new("the name that getline reads from is empty"));
        }
        self.outside.allow_redirection(if kind == InputKind::Command {
            Act::Command
        } else {
            Act::Read(&name)
        })?;
        if kind == InputKind::File && !self.outside.io.outputs.plain_names && is_inet(&name) {
            return self.outside.getline_from_coprocess(
                &mut self.current,
                &mut self.globals,
                &name,
                into,
            );
        }
        if kind == InputKind::Command
            && self.globals.environ.is_some()
            && !self.outside.io.inputs.is_open(kind, &name)
        {
            self.outside.share_environment(&self.current, &self.globals);
        }
        // The main input has the standard input's only reader, and `$0` may be in its window.
        self.outside.lend_stdin(&mut self.current, &mut self.main);
        self.outside.look_at_override(&self.current, &self.globals);
        let got = match self.outside.io.input(kind, &name) {
            Ok(id) => self.outside.next_of(&mut self.current, &mut self.globals, id, &name, into),
            Err(InputError::Open(error)) if kind == InputKind::File => {
                self.globals.set_errno_of(&mut self.current, &error.source);
                Ok(-1.0)
            }
            Err(error) => Err(error.into()),
        };
        self.outside.take_stdin_back(&mut self.main);
        cancel::check()?;
        got
    }
}

impl Outside {
    #[inline(always)]
    fn next_of_recent(
        &mut self,
        current: &mut CurrentRecord,
        main: &MainInput,
        kind: InputKind,
        from: &Value,
        into: Option<&mut Value>,
    ) -> bool {
        if main.reads_stdin() {
            return false;
        }
        let Some(name) = from.bytes(current.record.text()) else { return false };
        let Some(reader) = self.io.inputs.recent(kind, name) else { return false };
        if reader.separator_version != current.rule.generation {
            return false;
        }
        let Step::Record(range) = reader.records.next_buffered() else { return false };
        current.keep(&reader.records, &range, into);
        true
    }

    fn next_of(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        id: InputId,
        name: &[u8],
        into: Option<&mut Value>,
    ) -> Fallible<f64> {
        let timeout = globals.read_timeout(current, name);
        if let Some(reader) = self.io.inputs.reader(id) {
            reader.set_timeout(timeout);
            follow(reader, &current.rule)?;
        }
        match self.io.next_record(id) {
            Ok(found) => Ok(current.keep_found(found, into)),
            Err(error) => globals.failed_read(current, name, error),
        }
    }

    #[inline(never)]
    fn getline_from_coprocess(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &[u8],
        into: Option<&mut Value>,
    ) -> Fallible<f64> {
        self.allow_any_redirection()?;
        if name.is_empty() {
            return Err(Fault::new("the name that getline reads from is empty"));
        }
        self.allow_redirection(if is_inet(name) { Act::Connection } else { Act::Command })?;
        let mut into = into;
        if self.backwards.is_some()
            && let Some(found) = self.getline_from_mirror(current, name, into.as_deref_mut())?
        {
            return Ok(found);
        }
        if globals.environ.is_some() && !self.io.is_open_coprocess(name) {
            self.share_environment(current, globals);
        }
        let (connection, timeout) =
            (globals.connection_of(current, name), globals.read_timeout(current, name));
        let reader = match self.io.coprocess_reader(name, connection) {
            // A connection that cannot be made is a result; a command that cannot start is an
            // error.
            Err(error) if is_inet(name) && error.action == Action::Open => {
                globals.set_errno_of(current, &error.source);
                return Ok(-1.0);
            }
            reader => reader?,
        };
        reader.set_timeout(timeout);
        follow(reader, &current.rule)?;
        let next = self.io.next_from_coprocess(name);
        cancel::check()?;
        match next {
            Ok(found) => Ok(current.keep_found(found, into)),
            Err(error) => globals.failed_read(current, name, error),
        }
    }

    /// Warns of a result that ends a loop wrongly. [`Warnings::at`](crate::warning::Warnings) is
    /// the operation.
    #[inline(always)]
    pub(crate) fn check_getline_result(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        answer: f64,
    ) -> Fallible<()> {
        if answer < 0.0 { self.getline_has_failed(program, current) } else { Ok(()) }
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn getline_has_failed(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
    ) -> Fallible<()> {
        if !program.getline_loops.contains(&self.warnings.at) {
            return Ok(());
        }
        let reason = current.text_of(current.specials.value(Special::Errno));
        let message = format!(
            "getline fails: {}; it returns -1, which is true, and the loop continues",
            String::from_utf8_lossy(&reason)
        );
        self.warn_once_here(current, &message, "compare it: `while ((getline line < file) > 0)`")
    }

    pub fn close(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &Value,
    ) -> Fallible<f64> {
        let name = current.text_of(name);
        if self.closed_mirror(&name, None) {
            return Ok(0.0);
        }
        let kind = self.kind_of_command(&name);
        let closed = self.io.close(&name);
        cancel::check()?;
        match closed {
            Ok(status) => self.note_close(current, globals, &name, kind, status),
            Err(error) => {
                globals.forgive(current, &name, Err(error.into()))?;
                Ok(0.0)
            }
        }
    }

    fn kind_of_command(&self, name: &[u8]) -> Option<&'static str> {
        match self.io.is_command(name) {
            true if self.io.is_open_coprocess(name) => Some("two-way pipe"),
            true => Some("pipe"),
            false => None,
        }
    }

    fn note_close(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &[u8],
        kind: Option<&str>,
        status: CloseStatus,
    ) -> Fallible<f64> {
        if let (Some(kind), 1..) = (kind, status.0) {
            let shown = String::from_utf8_lossy(name);
            self.lint_warn(
                current,
                &format!("failure status ({}) on {kind} close of `{shown}'", status.0),
            )?;
        }
        if status == CloseStatus::NOT_OPEN {
            globals.set_errno(current, "close of redirection that was never opened", 0);
        }
        Ok(f64::from(status.0))
    }

    pub fn close_end(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &Value,
        end: &Value,
    ) -> Fallible<f64> {
        let end = match current.text_of(end).as_slice() {
            end if end.eq_ignore_ascii_case(b"to") => End::To,
            end if end.eq_ignore_ascii_case(b"from") => End::From,
            other => {
                let other = String::from_utf8_lossy(other).into_owned();
                return Err(Fault::new(format!(
                    "close: the second argument must be `to' or `from', not `{other}'"
                )));
            }
        };
        let name = current.text_of(name);
        if self.closed_mirror(&name, Some(end)) {
            return Ok(0.0);
        }
        let kind = self.kind_of_command(&name);
        let status = self.io.close_end(&name, end)?;
        cancel::check()?;
        self.note_close(current, globals, &name, kind, status)
    }

    pub fn flush_all(&mut self) -> Fallible<f64> {
        self.io.outputs.flush_all()?;
        Ok(0.0)
    }

    pub fn flush(
        &mut self,
        current: &mut CurrentRecord,
        globals: &mut Globals,
        name: &Value,
    ) -> Fallible<f64> {
        let name = current.text_of(name);
        if name.is_empty() {
            return self.flush_all();
        }
        if self.is_open_mirror(&name) {
            return Ok(0.0);
        }
        let shown = String::from_utf8_lossy(&name).into_owned();
        let flushed = match self.io.flush(&name) {
            Ok(flushed) => flushed,
            Err(error) => {
                globals.forgive(current, &name, Err(error.into()))?;
                return Ok(-1.0);
            }
        };
        match flushed {
            Flushed::Done => return Ok(0.0),
            Flushed::OpenForReading => self.warn_here(
                current,
                &format!("fflush: `{shown}' is open for reading, not writing"),
            )?,
            Flushed::NotOpen => self.warn_here(
                current,
                &format!("fflush: `{shown}' is not an open file, pipe or co-process"),
            )?,
        }
        Ok(-1.0)
    }

    pub fn system(
        &mut self,
        current: &CurrentRecord,
        globals: &Globals,
        command: &Value,
    ) -> Fallible<f64> {
        self.allow_system()?;
        let command = current.text_of(command);
        self.share_environment(current, globals);
        let status = self.io.system(&command)?;
        cancel::check()?;
        Ok(f64::from(status.0))
    }

    pub(crate) fn share_environment(&mut self, current: &CurrentRecord, globals: &Globals) {
        let Some(environ) = &globals.environ else { return };
        let environ = environ.borrow();
        let entries = environ.keys().filter_map(|key| {
            let name = key.bytes(b"")?.to_vec();
            let mut text = Vec::new();
            environ.get(Probe::from_text(&name))?.append_to(
                b"",
                &current.specials.convfmt,
                &mut text,
            );
            let entry = (name, text);
            (!globals.assumed.contains(&entry)).then_some(entry)
        });
        self.io.environment.replace(entries);
    }
}

impl Globals {
    #[inline]
    pub(crate) fn getline_answer(
        &mut self,
        current: &mut CurrentRecord,
        found: Fallible<bool>,
    ) -> Fallible<f64> {
        match found {
            Ok(found) => Ok(f64::from(found)),
            Err(fault) => {
                let error = fault.into_read_error()?;
                let name = current.text_of(current.specials.value(Special::Filename));
                let name = if name.is_empty() { b"-".to_vec() } else { name };
                self.failed_read(current, &name, ReadError::Input(error))
            }
        }
    }

    #[cold]
    fn failed_read(
        &mut self,
        current: &mut CurrentRecord,
        name: &[u8],
        error: ReadError,
    ) -> Fallible<f64> {
        cancel::check()?;
        match error {
            ReadError::Output(error) => Err(error.into()),
            ReadError::Input(error) if is_too_long(&error) => {
                let name = String::from_utf8_lossy(name);
                Err(Fault::record_too_long(format!(
                    "cannot read {name} any further: {}",
                    riverhawk_awkio::Reason(&error)
                )))
            }
            ReadError::Input(error) => {
                self.set_errno_of(current, &error);
                let timed_out = error.kind() == std::io::ErrorKind::TimedOut;
                Ok(if timed_out && self.may_retry(current, name) { -2.0 } else { -1.0 })
            }
        }
    }
}
