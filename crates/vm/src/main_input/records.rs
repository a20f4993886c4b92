//! Reads the main input: performs assignments among the operands, opens files, and makes each
//! record `$0`. Records already marked in the window take a short path, inlined in the
//! interpreter's loop.

use super::{GIVE_BLOCK_FROM, NextOperand};
use crate::arithmetic::Arithmetic;
use crate::budget::Budget;
use crate::current::CurrentRecord;
use crate::error::is_too_long;
use crate::file_rules::event::{FileEvent, Refusal};
use crate::following::follow::may_be_followed;
use crate::globals::Globals;
use crate::globals::as_array;
use crate::locale::Locale;
use crate::main_input::MainInput;
use crate::outside::Outside;
use crate::parallel::Compressed;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_awkio::in_place::Begun;
use riverhawk_awkio::sandbox::Act;
use riverhawk_awkio::{FileName, OpenError, OpenErrorKind, ReadError, Standard, is_inet};
use riverhawk_record::TextKind;
use riverhawk_record::record_rule::follow;
use riverhawk_record::terminator::Terminator;
use riverhawk_stream::{Record as Range, Step};
use riverhawk_syntax::ast::{GlobalId, Special};
use riverhawk_system::names::OsStrExt;
use riverhawk_text::Unit;
use riverhawk_value::{Ascii, HeapStr, Probe, Value};

impl Runtime {
    /// Makes the next record `$0`; false at the end. Inlined in the interpreter's loop only.
    #[inline(always)]
    pub fn next_record(&mut self) -> Fallible<bool> {
        if self.next_marked() { Ok(true) } else { self.find_record() }
    }

    /// Makes the next record `$0` if its end is known.
    #[inline(always)]
    pub(crate) fn next_marked(&mut self) -> bool {
        if let Some(reader) = self.main.reader.as_deref_mut()
            && let Some(range) = reader.records.next_marked()
        {
            let window = &reader.records.bytes()[range.start..];
            let length = range.end - range.start;
            self.current.rt = Terminator::Byte(window[length]);
            // SAFETY: as in `take_record`.
            #[allow(unsafe_code)]
            unsafe {
                self.current.record.set_window(window, length, Ascii::when(range.ascii));
            }
            self.current.specials.nr += 1.0;
            self.current.specials.fnr += 1.0;
            return true;
        }
        false
    }

    #[inline(never)]
    pub(crate) fn find_record(&mut self) -> Fallible<bool> {
        // Separators whose ends are found together. Field by field: storing a whole range and
        // loading it again takes 4 ns.
        if let Some(reader) = self.main.reader.as_deref_mut()
            && reader.separator_version == self.current.rule.generation
            && !self.current.rule.checked
            && let Some(range) = reader.records.next_ended()
        {
            self.current.take_record(&self.main, range);
            return Ok(true);
        }
        match self.advance()? {
            Some(range) => {
                self.current.take_record(&self.main, range);
                if self.current.tables.is_json() {
                    self.take_json_names()?;
                }
                if self.main.reader.as_ref().is_some_and(|reader| reader.cuts_entries()) {
                    self.globals.cut_entry(&mut self.current);
                }
                Ok(true)
            }
            None => Ok(false),
        }
    }

    pub fn next_record_into(&mut self, old: Option<HeapStr>) -> Fallible<Option<Value>> {
        let Some(range) = self.advance()? else { return Ok(None) };
        let Some(reader) = &self.main.reader else { return Ok(None) };
        let value = Value::from_input_in(old, reader.records.text(&range));
        self.current.count_record(&self.main, range);
        Ok(Some(value))
    }

    #[inline(never)]
    fn advance(&mut self) -> Fallible<Option<Range>> {
        loop {
            let Some(reader) = &mut self.main.reader else {
                if self.main.has_event() || !self.open_next()? || self.main.has_event() {
                    return Ok(None);
                }
                continue;
            };
            follow(reader, &self.current.rule)?;
            match reader.records.next_buffered() {
                Step::Record(range) if self.current.columns.header_is_due => {
                    self.take_header(&range)?
                }
                Step::Record(range) if self.current.rule.checked => {
                    match self.current.check_row(&self.main, &range) {
                        Ok(()) => return Ok(Some(range)),
                        Err(fault) => {
                            self.outside.fail_edit(&mut self.current, &mut self.main, fault)?
                        }
                    }
                }
                Step::Record(range) => return Ok(Some(reader.as_found(range))),
                Step::NeedMore => self.refill()?,
                Step::End if self.current.tables.reads_values() => {
                    self.outside.end_values(&mut self.current, &mut self.main)?
                }
                Step::End => {
                    self.outside.write_trail(&self.current, &self.main)?;
                    self.main.end_main(&mut self.current, &mut self.outside)?;
                }
            }
        }
    }

    fn refill(&mut self) -> Fallible<()> {
        self.main.note_interrupt();
        let Some(reader) = &mut self.main.reader else { return Ok(()) };
        self.main.epoch += 1;
        if self.current.record.is_in_window() && self.current.record.text().len() >= GIVE_BLOCK_FROM
        {
            let start_at = self.current.record.text().as_ptr() as usize
                - reader.records.bytes().as_ptr() as usize;
            match reader.records.detach_block() {
                Ok(block) => self.current.record.leave_window_with(block, start_at),
                Err(error) => return Err(self.current.read_error(error)),
            }
        } else {
            self.current.record.leave_window();
        }
        if self.globals.process.sets_timeouts() {
            let timeout = self.globals.read_timeout(
                &self.current,
                &self.current.text_of(self.current.specials.value(Special::Filename)),
            );
            if let Some(reader) = &mut self.main.reader {
                reader.set_timeout(timeout);
            }
        }
        let Some(reader) = &mut self.main.reader else { return Ok(()) };
        match reader.refill(&mut self.outside.io.outputs) {
            Ok(count) => {
                self.main.meter.add(count);
                self.main.meter.report(self.current.specials.nr)
            }
            Err(ReadError::Output(error)) => Err(error.into()),
            Err(ReadError::Input(error)) if self.main.is_at_growing_end(&error) => {
                self.main.set_file_aside(&self.current);
                Ok(())
            }
            Err(ReadError::Input(error)) if self.outside.is_in_edit() => {
                self.globals.set_errno_of(&mut self.current, &error);
                let fault = self.current.read_error(error);
                self.outside.fail_edit(&mut self.current, &mut self.main, fault)
            }
            Err(ReadError::Input(error)) if !is_too_long(&error) && self.ends_by(&error) => Ok(()),
            Err(ReadError::Input(error)) => Err(self.current.read_error(error)),
        }
    }

    fn open_next(&mut self) -> Fallible<bool> {
        if self.main.ended || self.main.confined {
            return Ok(false);
        }
        if self.outside.sandbox.is_some() && !self.main.had_file {
            self.outside.allow_arguments(&self.current, &mut self.globals)?;
        }
        while self.main.next_argument
            < self.current.number(&self.globals.statics[GlobalId::ARGC.index()])
            && !self.main.is_ending()
        {
            let at = self.main.next_argument;
            self.main.next_argument += 1.0;
            let argument = self.globals.argument(&self.current, at)?;
            if argument.is_empty() || self.assign_operand(&argument)? {
                continue;
            }
            self.outside.allow_file(&argument)?;
            if is_inet(&argument) {
                self.outside.allow_redirection(Act::Connection)?;
            }
            self.main.had_file = true;
            self.current.specials.store(Special::Argind, Value::Num(at));
            if self.open_file(&argument)? {
                return Ok(true);
            }
        }
        if !self.main.had_file {
            self.main.had_file = true;
            self.current.begin_unnamed(b"-");
            self.open_stdin();
            return Ok(true);
        }
        if self.main.following.is_some() {
            return self.continue_following();
        }
        self.main.ended = true;
        self.outside.warn_of_lost_paths(&self.current)?;
        Ok(false)
    }

    pub(crate) fn next_operand(&mut self) -> Fallible<NextOperand> {
        // A sandbox refuses files before any is read.
        if self.main.is_busy()
            || self.outside.sandbox.is_some()
                && self.outside.allow_arguments(&self.current, &mut self.globals).is_err()
        {
            return Ok(NextOperand::Serial);
        }
        while self.main.next_argument
            < self.current.number(&self.globals.statics[GlobalId::ARGC.index()])
        {
            let argument = self.globals.argument(&self.current, self.main.next_argument)?;
            if argument.is_empty() || self.assign_operand(&argument)? {
                self.main.next_argument += 1.0;
                continue;
            }
            let (files, stdin) = match FileName::for_reading(&argument) {
                FileName::Path(_) if is_inet(&argument) => (false, false),
                FileName::Path(_) => (true, false),
                FileName::Standard(Standard::Input) => (false, true),
                FileName::Standard(_) | FileName::Descriptor(_) => (false, false),
            };
            return Ok(match (files, stdin) {
                (true, _) => NextOperand::Files,
                (_, true) => NextOperand::Stdin(Some((self.main.next_argument, argument))),
                _ => NextOperand::Serial,
            });
        }
        Ok(if self.main.had_file { NextOperand::Serial } else { NextOperand::Stdin(None) })
    }

    pub(crate) fn files_ahead(&mut self, compressed: Compressed) -> Fallible<Vec<(f64, Vec<u8>)>> {
        let mut files = Vec::new();
        let mut at = self.main.next_argument;
        while at < self.current.number(&self.globals.statics[GlobalId::ARGC.index()]) {
            let argument = self.globals.argument(&self.current, at)?;
            if !matches!(FileName::for_reading(&argument), FileName::Path(_))
                || is_inet(&argument)
                || (!self.main.only_files && crate::arguments::assignment(&argument).is_some())
                || compressed == Compressed::Streams
                    && !files.is_empty()
                    && self.outside.is_compressed(&argument)
            {
                break;
            }
            if !argument.is_empty() {
                files.push((at, argument));
            }
            at += 1.0;
        }
        Ok(files)
    }

    fn open_file(&mut self, name: &[u8]) -> Fallible<bool> {
        if self.main.following.is_some() && may_be_followed(name) {
            return match self.follow_file(name) {
                Ok(()) => Ok(true),
                Err(error) => self.refuse_operand(name, error).map(|()| self.main.has_event()),
            };
        }
        self.outside.look_at_override(&self.current, &self.globals);
        match self.outside.io.open_main(name, self.main.memory.take()) {
            Ok(Some(reader)) => {
                let event =
                    if reader.is_directory() { FileEvent::Directory } else { FileEvent::Begun };
                self.main.reader = Some(Box::new(reader));
                self.current.begin_file(&mut self.arithmetic, name);
                self.outside.lint_empty_operand(&self.current, name)?;
                if let Begun::Skips = self.outside.begin_edit(
                    &self.program,
                    &mut self.current,
                    &self.globals,
                    name,
                )? {
                    self.main.close_main(&mut self.current, &mut self.outside);
                    return Ok(false);
                }
                self.main.raise(event);
            }
            Ok(None) => {
                self.current.begin_file(&mut self.arithmetic, name);
                self.open_stdin();
            }
            Err(error) => {
                self.refuse_operand(name, error)?;
                return Ok(self.main.has_event());
            }
        }
        Ok(true)
    }

    fn refuse_operand(&mut self, name: &[u8], error: OpenError) -> Fallible<()> {
        // Landlock refuses to open a directory even to find out that it is one.
        let is_kept_out = self.outside.sandbox.is_some() && error.kind == OpenErrorKind::Permission;
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name));
        let error = if is_kept_out && path.is_dir() { OpenError::directory(name) } else { error };
        let otherwise = match error.kind {
            OpenErrorKind::Directory if self.program.dialect.has_extensions() => {
                let name = String::from_utf8_lossy(name);
                Refusal::Skip(format!("the operand {name} is a directory: skipped"))
            }
            _ => Refusal::Fatal(Fault::operand(error.to_string())),
        };
        if !self.main.rules.begin {
            return match otherwise {
                Refusal::Fatal(fault)
                    if self.outside.is_editing(&self.program, &self.current, &self.globals) =>
                {
                    self.outside.note_failed_edit(fault.message());
                    Ok(())
                }
                Refusal::Skip(warning) => self.outside.warn(&warning),
                Refusal::Fatal(fault) => Err(fault),
            };
        }
        self.current.begin_file(&mut self.arithmetic, name);
        self.main.raise(FileEvent::Refused { error: error.source, otherwise });
        Ok(())
    }

    fn open_stdin(&mut self) {
        if self.main.following.is_some()
            && self.outside.io.inputs.stdin_is_untouched()
            && self.follow_stdin()
        {
            return;
        }
        self.outside.look_at_override(&self.current, &self.globals);
        self.outside.io.inputs.retry_stdin();
        self.main.reader = Some(self.outside.io.inputs.take_stdin());
        self.main.is_stdin = true;
        self.main.raise(FileEvent::Begun);
    }

    /// Reads the rest, or up to a rule for files, and keeps only the last record.
    pub fn drain(&mut self, budget: &mut Budget) -> Fallible<()> {
        let mut last: Vec<u8> = Vec::new();
        let (mut any, mut is_entry) = (false, false);
        loop {
            let Some(reader) = &mut self.main.reader else {
                if self.main.has_event() || !self.open_next()? || self.main.has_event() {
                    break;
                }
                continue;
            };
            follow(reader, &self.current.rule)?;
            // A record has a byte, or is the last.
            let is_near_limit = !budget.allows(reader.records.bytes().len() as u64 + 1);
            if self.current.columns.header_is_due || self.current.rule.checked || is_near_limit {
                // Headers and checked rows cannot be skipped.
                match self.advance()? {
                    Some(range) => {
                        self.current.take_record(&self.main, range);
                        budget.take_record()?;
                        if self.current.tables.is_json() {
                            self.take_json_names()?;
                        }
                        last.clear();
                        last.extend_from_slice(self.current.record.text());
                        (any, is_entry) = (true, false);
                        continue;
                    }
                    None => break,
                }
            }
            let skipped = reader.records.skip_buffered();
            budget.take_records(skipped.count);
            self.current.specials.nr += skipped.count as f64;
            self.current.specials.fnr += skipped.count as f64;
            if let Some(range) = skipped.last {
                (any, is_entry) = (true, reader.cuts_entries());
                last.clear();
                last.extend_from_slice(reader.records.text(&range));
                let range = reader.as_found(range);
                self.current.note_terminator(&self.main, range);
            }
            let Some(reader) = &mut self.main.reader else { continue };
            match reader.records.next_buffered() {
                Step::NeedMore => self.refill()?,
                Step::Record(_) => {}
                Step::End => self.main.end_main(&mut self.current, &mut self.outside)?,
            }
        }
        if any {
            self.current.record.set_text(&last, TextKind::Input);
        }
        if is_entry {
            self.globals.cut_entry(&mut self.current);
        }
        Ok(())
    }
}

/// At least the records that the reader marks at once: those of 4 KiB.
const MARKED_AT_ONCE: u64 = 1 << 13;

impl MainInput {
    /// Adds the lengths of the ASCII records left in the window to `sum`; the last becomes `$0`.
    /// For a loop that does nothing else: 20 instructions a record instead of 110.
    #[inline(never)]
    pub(crate) fn add_lengths(
        &mut self,
        current: &mut CurrentRecord,
        locale: &Locale,
        budget: &mut Budget,
        mut sum: f64,
    ) -> f64 {
        let specials = &mut current.specials;
        let counts = |n: f64| n.abs() < (1u64 << 52) as f64 && n as i64 as f64 == n;
        // Close to a limit each record counts for itself.
        let is_near_limit = !budget.allows(MARKED_AT_ONCE);
        if is_near_limit
            // A line contains no CR LF.
            || locale.unit == Unit::Grapheme && !current.rule.is_line()
            || !counts(specials.nr)
            || !counts(specials.fnr)
        {
            return sum;
        }
        let Some(reader) = self.reader.as_deref_mut() else { return sum };
        let (mut count, mut last) = (0u32, None);
        while let Some(range) =
            reader.records.next_marked_ascii().or_else(|| reader.records.next_ended_ascii())
        {
            // A sum may have a fraction or exceed 2^53.
            sum += (range.end - range.start) as i64 as f64;
            count += 1;
            last = Some(range);
        }
        let Some(range) = last else { return sum };
        budget.take_records(u64::from(count));
        specials.nr += f64::from(count);
        specials.fnr += f64::from(count);
        let window = &reader.records.bytes()[range.start..];
        let length = range.end - range.start;
        current.rt = Terminator::of(&reader.records, &range, &mut current.rt_text);
        // SAFETY: as in `take_record`.
        #[allow(unsafe_code)]
        unsafe {
            current.record.set_window(window, length, Ascii::when(range.ascii));
        }
        sum
    }

    pub(crate) fn begin_operand(
        &mut self,
        current: &mut CurrentRecord,
        arithmetic: &mut Arithmetic,
        operand: Option<f64>,
        name: &[u8],
    ) {
        self.had_file = true;
        match operand {
            Some(operand) => {
                self.next_argument = operand + 1.0;
                current.specials.store(Special::Argind, Value::Num(operand));
                current.begin_file(arithmetic, name);
            }
            None => current.begin_unnamed(name),
        }
    }

    pub(crate) fn resume_stdin(&mut self, outside: &mut Outside) {
        self.epoch += 1;
        self.reader = Some(outside.io.inputs.take_stdin());
        self.is_stdin = true;
    }

    pub fn skip_file(
        &mut self,
        current: &mut CurrentRecord,
        outside: &mut Outside,
    ) -> Fallible<()> {
        self.skipped = true;
        self.end_main(current, outside)
    }

    pub(crate) fn end_main(
        &mut self,
        current: &mut CurrentRecord,
        outside: &mut Outside,
    ) -> Fallible<()> {
        if current.tables.keeps_frames() {
            outside.end_frames(current, self)?;
        }
        let was_open = self.reader.is_some();
        self.close_main(current, outside);
        // Not every system replaces a file that is open.
        outside.finish_edit()?;
        outside.warn_of_flaws(current)?;
        if was_open {
            self.raise(FileEvent::Ended);
        }
        Ok(())
    }

    fn close_main(&mut self, current: &mut CurrentRecord, outside: &mut Outside) {
        self.forget_current();
        self.epoch += 1;
        current.record.leave_window();
        self.counters = self.last_counters();
        let reader = self.reader.take();
        if std::mem::take(&mut self.is_stdin) {
            outside.io.inputs.put_stdin(reader);
        } else if self.confined {
            self.spare = reader;
        } else {
            self.memory = reader.map(|reader| reader.into_memory());
        }
    }

    pub(crate) fn follow_separator(&mut self, current: &CurrentRecord) -> Fallible<()> {
        // What was found ahead assumed the old RS.
        self.epoch += 1;
        match &mut self.reader {
            Some(reader) => follow(reader, &current.rule),
            None => Ok(()),
        }
    }
}

impl CurrentRecord {
    #[inline(always)]
    fn take_record(&mut self, main: &MainInput, range: Range) {
        let Some(reader) = &main.reader else { return };
        let window = &reader.records.bytes()[range.start..];
        // SAFETY: the window's bytes stay until a refill, a detachment or the reader's end, and
        // `leave_window` in `advance` and `drain` precedes each of those; nothing else refills the
        // main input's reader.
        #[allow(unsafe_code)]
        unsafe {
            self.record.set_window(window, range.end - range.start, Ascii::when(range.ascii));
        }
        self.count_record(main, range);
    }

    #[inline(always)]
    fn count_record(&mut self, main: &MainInput, range: Range) {
        self.specials.nr += 1.0;
        self.specials.fnr += 1.0;
        self.note_terminator(main, range);
    }

    #[inline(always)]
    fn note_terminator(&mut self, main: &MainInput, range: Range) {
        let Some(reader) = &main.reader else { return };
        let before = std::mem::replace(
            &mut self.rt,
            Terminator::of(&reader.records, &range, &mut self.rt_text),
        );
        if self.rt == Terminator::None && self.specials.fnr > 1.0 {
            self.columns
                .note_line_end(self.columns.kept_end(self.specials.fnr - 1.0).unwrap_or(before));
        }
    }

    pub(crate) fn has_terminator(&self) -> bool {
        !matches!(self.rt, Terminator::None | Terminator::RowReturn)
    }

    pub fn terminator(&self) -> Value {
        match self.rt {
            Terminator::None | Terminator::RowReturn => Value::EMPTY,
            Terminator::Byte(byte) => Value::from_text(&[byte]),
            Terminator::Pair(bytes) => Value::from_text(&bytes),
            Terminator::RowPair => Value::from_text(b"\n"),
            Terminator::Text => Value::from_text(&self.rt_text),
        }
    }

    #[cold]
    pub(crate) fn read_error(&self, error: std::io::Error) -> Fault {
        let name = self.text_of(self.specials.value(Special::Filename));
        let name = if name == b"-" {
            "standard input".into()
        } else {
            String::from_utf8_lossy(&name).into_owned()
        };
        let after = self.specials.fnr;
        let why = riverhawk_awkio::Reason(&error);
        let message = format!("cannot read {name} any further, after record {after}: {why}");
        Fault::read(message, error)
    }
}

impl Outside {
    /// A compressed file can only be read in sequence.
    fn is_compressed(&self, name: &[u8]) -> bool {
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name));
        // Opening and closing a pipe would end its writer.
        path.is_file()
            && std::fs::File::open(path)
                .is_ok_and(|file| self.io.inputs.reading().decompresses(&file))
    }

    /// Puts the standard input's reader where `getline < "-"` finds it.
    pub(crate) fn lend_stdin(&mut self, current: &mut CurrentRecord, main: &mut MainInput) {
        if main.is_stdin {
            main.epoch += 1;
            current.record.leave_window();
            self.io.inputs.put_stdin(main.reader.take());
        }
    }

    pub(crate) fn take_stdin_back(&mut self, main: &mut MainInput) {
        if main.is_stdin {
            main.reader = Some(self.io.inputs.take_stdin());
        }
    }
}

impl Globals {
    pub(crate) fn argument(&mut self, current: &CurrentRecord, at: f64) -> Fallible<Vec<u8>> {
        let slot = &mut self.statics[GlobalId::ARGV.index()];
        let array = as_array(slot)?.borrow();
        let Some(value) = array.get(Probe::Int(at as i64)) else { return Ok(Vec::new()) };
        let mut text = Vec::new();
        value.append_to(b"", &current.specials.convfmt, &mut text);
        Ok(text)
    }
}
