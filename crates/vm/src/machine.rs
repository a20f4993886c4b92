//! A program being run: setting it up, its phases, and its end.

use crate::config::MachineConfig;
use crate::data::Data;
use crate::error::{Backtrace, Frame as TraceFrame, RuntimeError};
use crate::flow::Flow;
use crate::frames::Frame;
use crate::profile::{Recorded, Recorder};
use crate::runtime::Runtime;
use crate::tier::{NoTier, Tier};
use riverhawk_awkio::cancel::{self, Interrupt};
use riverhawk_awkio::fault::{Fault, FaultKind};
use riverhawk_awkio::{BrokenPipe, Io, Sink, note_interrupts, take_over_sigpipe};
use riverhawk_bytecode::{StaticFrame, Unit as Program, verify};
use riverhawk_memory::Run;
use riverhawk_record::patterns::Patterns;
use riverhawk_value::Value;
use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

/// A run.
pub struct Machine {
    /// Everything besides registers. Nobody outside may change it: the interpreter trusts that the
    /// program and its static slots are those that were verified.
    pub(crate) rt: Runtime,
    pub(crate) stack: Vec<Value>,
    pub(crate) frames: Vec<Frame>,
    /// The operations that call functions of the program back, outermost first.
    pub(crate) callbacks: Vec<u32>,
    /// The calls that `exit` and `next` do not leave, and where the registers above theirs begin:
    /// those around a rule for files.
    pub(crate) floor: (usize, usize),
    /// What machine code sees of the run; made when machine code is first entered.
    pub(crate) native: Option<Box<crate::native::Context>>,
    /// What failed in an operation that machine code asked for, and which.
    pub(crate) held_fault: Option<(Fault, u32)>,
    /// How often each place was come by, in an observed run.
    pub(crate) visits: Vec<u64>,
    /// Who looks at it there.
    pub(crate) observer: Option<Box<dyn Observer>>,
    /// The variables that it has made: the program has none of these names.
    pub(crate) made: HashMap<String, Value>,
    /// Where the standard output went before it has sent it elsewhere.
    pub(crate) first_output: Option<Sink>,
    /// Whether the run is to end.
    pub(crate) interrupt: Arc<Interrupt>,
    /// How often rules and functions are entered and how long they take, in a profiled run.
    pub(crate) profile: Option<Box<Recorder>>,
    /// The variables are to be listed at the end.
    dump_variables: bool,
    gives_data: bool,
    /// Nothing comes after the run but the end of the process: memory is left to the system, which
    /// takes it back at once, instead of being freed piece by piece.
    owns_process: bool,
    status: u8,
    /// As long as it lives, memory that has run out stays so.
    _run: Run,
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct Ended {
    /// The exit status.
    pub status: u8,
    /// What ended it, if not the program itself; more than one when several outputs fail at the
    /// end.
    pub errors: Vec<RuntimeError>,
    /// What was done.
    pub counts: Counts,
    /// How often each place was come by, in an observed run.
    pub visits: Vec<u64>,
    /// The variables as they were at the end, a line each, when they were asked for.
    pub variables: Option<Vec<u8>>,
    /// The variables, when they were asked for.
    pub data: Vec<(String, Data)>,
    /// The profile of a run that was profiled.
    pub profile: Option<Recorded>,
}

/// What a run did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Records of the main input.
    pub records: u64,
    /// Of the last main input file: bytes read.
    pub bytes_read: u64,
    /// Of the last main input file: bytes moved inside the window.
    pub bytes_moved: u64,
    /// Of the last main input file: reads.
    pub refills: u64,
    /// Deepest stack, in registers.
    pub registers: u64,
}

impl Machine {
    /// A run ready to begin, with the standard streams of the process. `patterns` are those of the
    /// program. Handlers of signals are installed if the process belongs to the run.
    ///
    /// # Errors
    /// An assignment that cannot be made, an encoding that is not known.
    pub fn new(
        program: Arc<Program>,
        patterns: Patterns,
        config: MachineConfig,
    ) -> Result<Machine, Box<RuntimeError>> {
        let broken_pipe =
            if config.owns_process { take_over_sigpipe() } else { BrokenPipe::Report };
        if config.owns_process && config.input.follow {
            note_interrupts().map_err(|error| {
                Box::new(RuntimeError::new(format!("cannot wait for signals: {error}")))
            })?;
        }
        let io = Io::new(broken_pipe, config.input.window_size);
        Machine::over(io, program, patterns, config)
    }

    /// As [`Machine::new`], with other streams: memory, for instance. The window that `config` asks
    /// for is not theirs, and signals are left alone.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn over(
        io: Io,
        program: Arc<Program>,
        patterns: Patterns,
        config: MachineConfig,
    ) -> Result<Machine, Box<RuntimeError>> {
        if let Err(error) = verify(&program) {
            return Err(Box::new(RuntimeError::new(error.to_string())));
        }
        let run = Run::begin();
        let visits = vec![0; program.visits.len()];
        let (dump_variables, owns_process) = (config.reports.dump_variables, config.owns_process);
        let gives_data = config.reports.data;
        let mut rt = Runtime::new(program, patterns, io);
        rt.configure(config)?;
        Ok(Machine {
            rt,
            stack: Vec::new(),
            frames: Vec::new(),
            callbacks: Vec::new(),
            floor: (0, 0),
            native: None,
            held_fault: None,
            visits,
            observer: None,
            made: HashMap::new(),
            first_output: None,
            interrupt: cancel::current().unwrap_or_default(),
            profile: None,
            dump_variables,
            gives_data,
            owns_process,
            status: 0,
            _run: run,
        })
    }

    /// Wipes this line out before anything is written to a terminal.
    pub fn write_beside(&mut self, line: &std::sync::Arc<riverhawk_awkio::StatusLine>) {
        self.rt.outside.io.outputs.write_beside(line);
    }

    /// Adds to `bytes` what is read of the main input, for another thread to see.
    pub fn count_bytes(&mut self, bytes: std::sync::Arc<std::sync::atomic::AtomicU64>) {
        self.rt.main.bytes = Some(bytes);
    }

    /// Runs the program to its end: BEGIN, the records, END; then closes everything.
    pub fn run(self) -> Ended {
        self.run_watched(&mut NoTier)
    }

    /// As [`Machine::run`], watched by `tier`.
    pub fn run_watched(mut self, tier: &mut impl Tier) -> Ended {
        let phases = self.phases(tier);
        self.finish(phases)
    }

    /// Closes everything after the phases, which may have ended with an error.
    pub fn finish(mut self, phases: Result<(), Box<RuntimeError>>) -> Ended {
        let mut errors = Vec::new();
        self.rt.outside.abandon_edit();
        if let Err(error) = phases {
            errors.push(*error);
            self.status = 2;
        }
        if errors.is_empty()
            && let Err(fault) = self.rt.outside.lint_left_open(&self.rt.current)
        {
            errors.push(RuntimeError::new(fault.message()));
            self.status = 2;
        }
        for message in self.rt.outside.failed_edits() {
            errors.push(RuntimeError::new(message));
            self.status = 2;
        }
        let profile = self.profile.take().map(|recorder| recorder.finish());
        let counts = self.counts();
        let visits = std::mem::take(&mut self.visits);
        let mut data = Vec::new();
        if self.gives_data {
            match self.rt.data() {
                Ok(all) => data = all,
                Err(fault) => {
                    errors.push(RuntimeError::new(fault.message()));
                    self.status = 2;
                }
            }
        }
        let variables = self.dump_variables.then(|| {
            self.rt.arithmetic.list_variables(
                &self.rt.program,
                &mut self.rt.current,
                &self.rt.globals,
            )
        });
        for failure in self.rt.outside.io.finish() {
            self.status = 2;
            errors.push(RuntimeError::new(failure.to_string()));
        }
        if let Some(cause) = self.interrupt.cause()
            && errors.is_empty()
        {
            self.status = 2;
            errors.push(RuntimeError::new(cause.to_string()));
        }
        let status = self.status;
        if self.owns_process {
            // What has to happen at the end has happened above: files are closed, commands have
            // ended.
            mem::forget(self);
        }
        Ended { status, errors, counts, visits, variables, data, profile }
    }

    fn phases(&mut self, tier: &mut impl Tier) -> Result<(), Box<RuntimeError>> {
        let program = self.rt.program.clone();
        let mut go_on = true;
        if let Some(begin) = &program.begin {
            go_on = self.phase(begin, tier)?;
        }
        if let Some(main) = program.main.as_ref().filter(|_| go_on) {
            self.phase(main, tier)?;
        }
        if let Some(end) = &program.end {
            self.phase(end, tier)?;
        }
        Ok(())
    }

    /// Runs one phase; whether it ended by itself rather than by `exit`.
    fn phase(
        &mut self,
        frame: &StaticFrame,
        tier: &mut impl Tier,
    ) -> Result<bool, Box<RuntimeError>> {
        self.rt.arithmetic.set_number_forms();
        let flow = self.interpret(frame, tier)?;
        if riverhawk_memory::ran_out() {
            return Err(self.locate(Fault::memory(), frame.code.end as usize - 1, frame));
        }
        if let Err(cause) = self.interrupt.check() {
            return Err(self.locate(cause.into(), frame.code.end as usize - 1, frame));
        }
        if matches!(flow, Flow::Exit(_)) {
            // What END prints is not for the file that was being edited.
            self.rt.outside.abandon_edit();
            if let Err(fault) = self.rt.outside.close_frames(&mut self.rt.current, &self.rt.main) {
                return Err(self.locate(fault, frame.code.end as usize - 1, frame));
            }
        }
        match flow {
            Flow::Ended | Flow::SkipFile => Ok(true),
            Flow::Exit(None) => Ok(false),
            Flow::Exit(Some(status)) => {
                self.status = status;
                Ok(false)
            }
        }
    }

    /// Runs BEGIN; whether it ended by itself rather than by `exit`. For those who run the phases
    /// one by one: BEGIN, [`Machine::records`], [`Machine::end`], [`Machine::finish`].
    ///
    /// # Errors
    /// What ends the run.
    pub fn begin(&mut self, tier: &mut impl Tier) -> Result<bool, Box<RuntimeError>> {
        match self.rt.program.clone().begin.as_ref() {
            Some(begin) => self.phase(begin, tier),
            None => Ok(true),
        }
    }

    /// Runs the rules over all records that are left; whether the input ended rather than the
    /// program, by `exit`.
    ///
    /// # Errors
    /// What ends the run.
    pub fn records(&mut self, tier: &mut impl Tier) -> Result<bool, Box<RuntimeError>> {
        match self.rt.program.clone().main.as_ref() {
            Some(main) => self.phase(main, tier),
            None => Ok(true),
        }
    }

    /// Runs END.
    ///
    /// # Errors
    /// What ends the run.
    pub fn end(&mut self, tier: &mut impl Tier) -> Result<(), Box<RuntimeError>> {
        match self.rt.program.clone().end.as_ref() {
            Some(end) => self.phase(end, tier).map(|_| ()),
            None => Ok(()),
        }
    }

    fn counts(&self) -> Counts {
        let counters = self.rt.main.last_counters();
        Counts {
            records: self.rt.current.specials.nr as u64,
            bytes_read: counters.bytes_read,
            bytes_moved: counters.bytes_moved,
            refills: counters.refills,
            registers: self.stack.len() as u64,
        }
    }

    /// Says where a fault happened.
    #[cold]
    #[inline(never)]
    pub(crate) fn locate(
        &mut self,
        fault: Fault,
        pc: usize,
        frame: &StaticFrame,
    ) -> Box<RuntimeError> {
        if let FaultKind::Output(error) = fault.kind() {
            self.rt.outside.io.die_if_stdout_is_broken(error);
        }
        // What fails because it was interrupted fails for this reason.
        let fault = self.interrupt.check().map_or_else(Fault::from, |()| fault);
        let is_out_of_memory =
            riverhawk_memory::ran_out() && !matches!(fault.kind(), FaultKind::Stopped(_));
        let message =
            if is_out_of_memory { self.out_of_memory() } else { self.message_of(&fault, frame) };
        let program = &self.rt.program;
        let mut error = RuntimeError::new(message);
        if let FaultKind::Operand(_) | FaultKind::Read(..) = fault.kind()
            && !is_out_of_memory
        {
            return Box::new(error);
        }
        error.span = program.spans.get(pc).copied();
        let names: Vec<Arc<str>> =
            program.functions.iter().map(|function| function.name.as_str().into()).collect();
        // A function that a built-in one called returns to the end of callbacks, not behind the
        // call.
        let callback = program.callback.as_ref().map(|frame| frame.code.start);
        let mut callbacks = self.callbacks.iter().rev();
        let mut call_at = |return_to: u32| match callback {
            Some(end) if end == return_to => callbacks.next().copied().unwrap_or_default(),
            _ => return_to - 1,
        };
        error.backtrace = self
            .frames
            .iter()
            .rev()
            .map(|call| TraceFrame {
                function: names[call.function.index()].clone(),
                call: program
                    .spans
                    .get(call_at(call.return_to) as usize)
                    .copied()
                    .unwrap_or_default(),
            })
            .collect::<Backtrace>();
        if frame.kind == riverhawk_bytecode::FrameKind::Main || self.rt.current.specials.nr > 0.0 {
            error.input = Some(self.rt.current.position());
        }
        Box::new(error)
    }
}

/// Looks at a run at every place it comes by.
pub trait Observer {
    /// The run is about to go on at this place, an index into
    /// [`Unit::visits`](riverhawk_bytecode::Unit::visits).
    fn visit(&mut self, place: usize, scene: &mut Scene<'_>) -> Go;
}

/// How a run goes on after somebody has looked at it.
#[derive(Clone, Debug)]
pub enum Go {
    /// As if nobody had looked.
    On,
    /// Not at all.
    End,
    /// Behind the call of the running function, which gives this value.
    Return(Value),
}

/// A run that stands still.
pub struct Scene<'m> {
    pub(crate) machine: &'m mut Machine,
    /// The running frame's first register.
    pub(crate) base_at: usize,
}
