//! `BEGINFILE` and `ENDFILE`.
//!
//! A search for the next record stops at an event, runs its rule in a nested interpreter, as a
//! callback, and searches again. So a plain `getline` there has no record to read, and programs
//! without these rules pay nothing.

pub(crate) mod event;

use crate::arithmetic::Arithmetic;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::main_input::MainInput;
use event::{FileEvent, Refusal};
use riverhawk_bytecode::Unit as Program;

use crate::callback::Stop;
use crate::error::RuntimeError;
use crate::flow::Flow;
use crate::machine::Machine;
use crate::runtime::Runtime;
use crate::tier::{Execution, PacedTier};
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::{FrameKind, StaticFrame};
use riverhawk_record::TextKind;
use riverhawk_syntax::ast::Special;
use riverhawk_value::Value;

pub(crate) enum AfterRules {
    Record,
    Nothing,
    Exit(Flow),
}

impl Machine {
    /// See [`Runtime::find_record`].
    pub(crate) fn find_record(&mut self) -> Fallible<bool> {
        self.rt.find_record()
    }

    /// Runs the rules, and searches for a record with `find` after each. `at` is the operation, in
    /// the frame from `base_at`.
    #[cold]
    #[inline(never)]
    pub(crate) fn find_after_file_rules(
        &mut self,
        base_at: usize,
        start: &StaticFrame,
        at: usize,
        find: &mut dyn FnMut(&mut Machine) -> Fallible<bool>,
    ) -> Result<AfterRules, Box<RuntimeError>> {
        loop {
            match self.file_event(base_at, start) {
                Ok(None) => return Ok(AfterRules::Nothing),
                Ok(Some(flow @ Flow::Exit(_))) => return Ok(AfterRules::Exit(flow)),
                Ok(Some(_)) => {}
                Err(Stop::Located(error)) => return Err(error),
                Err(Stop::Fault(fault)) => return Err(self.locate(fault, at, start)),
            }
            match find(self) {
                Ok(true) => return Ok(AfterRules::Record),
                Ok(false) => {}
                Err(fault) => return Err(self.locate(fault, at, start)),
            }
        }
    }

    fn file_event(&mut self, base_at: usize, start: &StaticFrame) -> Result<Option<Flow>, Stop> {
        let Some(event) = self.rt.main.rules.event.take() else { return Ok(None) };
        let running = self
            .frames
            .last()
            .map_or(start, |call| &self.rt.program.functions[call.function.index()]);
        let above = base_at + running.registers as usize;
        let program = self.rt.program.clone();
        match event {
            FileEvent::Ended => self.run_rule(program.end_file.as_ref(), above),
            FileEvent::Begun | FileEvent::Directory => {
                let directory = || std::io::Error::from(riverhawk_system::io::Errno::ISDIR);
                self.rt.globals.begin_rule(
                    &mut self.rt.current,
                    matches!(event, FileEvent::Directory).then(directory).as_ref(),
                );
                let flow = self.run_rule(program.begin_file.as_ref(), above)?;
                if flow == Some(Flow::SkipFile) {
                    self.rt.main.skip_file(&mut self.rt.current, &mut self.rt.outside)?;
                }
                Ok(flow)
            }
            FileEvent::Refused { error, otherwise } => {
                self.rt.globals.begin_rule(&mut self.rt.current, Some(&error));
                let flow = self.run_rule(program.begin_file.as_ref(), above)?;
                match otherwise {
                    _ if flow != Some(Flow::Ended) => {}
                    Refusal::Skip(warning) => self.rt.outside.warn(&warning)?,
                    Refusal::Fatal(fault) => return Err(fault.into()),
                }
                Ok(flow)
            }
        }
    }

    fn run_rule(&mut self, rule: Option<&StaticFrame>, above: usize) -> Result<Option<Flow>, Stop> {
        let Some(rule) = rule else { return Ok(Some(Flow::Ended)) };
        let top = above + rule.registers as usize;
        if top > self.stack.len() {
            self.make_room(top)?;
        }
        // `exit` and `nextfile` must leave only the calls of this rule.
        let floor = std::mem::replace(&mut self.floor, (self.frames.len(), above));
        let profiled = self.begin_file_rules();
        // Not watched: a rule that runs once a file gains nothing from machine code.
        let flow = self
            .run_from(rule, rule.code.start, above, Execution::Plain, &mut PacedTier::none())
            .map_err(Stop::Located)?;
        self.floor = floor;
        self.end_file_rules(profiled);
        self.stack[above..top].fill(Value::Uninit);
        Ok(Some(flow))
    }
}

impl Runtime {
    /// Whether a failed read counts as the end of the file, because there is an ENDFILE.
    pub(crate) fn ends_by(&mut self, error: &std::io::Error) -> bool {
        if !self.main.rules.end {
            return false;
        }
        self.globals.set_errno_of(&mut self.current, error);
        self.outside.abandon_edit();
        self.main.end_main(&mut self.current, &mut self.outside).is_ok()
    }
}

impl Globals {
    /// In BEGINFILE there is no record, and ERRNO says why the file could not be opened.
    fn begin_rule(&mut self, current: &mut CurrentRecord, refused: Option<&std::io::Error>) {
        current.record.set_text(b"", TextKind::Text);
        match refused {
            Some(error) => self.set_errno_of(current, error),
            None => self.set_errno(current, "", 0),
        }
    }
}

impl MainInput {
    pub(crate) fn note_file_rules(&mut self, program: &Program) {
        self.rules.begin = program.begin_file.is_some();
        self.rules.end = program.end_file.is_some();
    }
}

impl CurrentRecord {
    pub(crate) fn begin_file(&mut self, arithmetic: &mut Arithmetic, name: &[u8]) {
        self.specials.fnr = 0.0;
        arithmetic.forget_large_counter();
        self.begin_unnamed(name);
    }

    /// As [`begin_file`](Self::begin_file), without operands. FNR continues from what the program
    /// has assigned, as in gawk.
    pub(crate) fn begin_unnamed(&mut self, name: &[u8]) {
        self.specials.store(Special::Filename, Value::from_input(name));
        self.columns.header_is_due = self.tables.header;
        self.columns.begin_file();
        self.frames.begin_file();
    }
}

#[inline]
pub(crate) fn may_getline(start: &StaticFrame) -> Fallible<()> {
    match start.kind {
        FrameKind::BeginFile | FrameKind::EndFile => Err(Fault::new(format!(
            "non-redirected `getline' invalid inside `{}' rule",
            start.name
        ))),
        _ => Ok(()),
    }
}
