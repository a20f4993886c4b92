//! A program being run: its set-up, its phases, and its end. A parallel run performs the phases one
//! by one, with pieces in between.

use crate::budget::Budget;
use crate::config::MachineConfig;
use crate::data::Data;
use crate::error::{Backtrace, EndCause, Frame as TraceFrame, RuntimeError};
use crate::flow::Flow;
use crate::frames::Frame;
use crate::profile::{Recorded, Recorder};
use crate::runtime::Runtime;
use crate::tier::PacedTier;
use riverhawk_awkio::cancel::{self, Interrupt};
use riverhawk_awkio::fault::{Fault, FaultKind};
use riverhawk_awkio::{BrokenPipe, Io, Sink, note_interrupts, take_over_sigpipe};
use riverhawk_bytecode::{StaticFrame, VerifiedUnit};
use riverhawk_memory::Run;
use riverhawk_record::patterns::Patterns;
use riverhawk_value::Value;
use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

/// A run.
pub struct Machine {
    /// Private, because the interpreter requires the program and slots that were verified.
    pub(crate) rt: Runtime,
    pub(crate) stack: Vec<Value>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) callbacks: Vec<u32>,
    /// Around a rule for files: calls that `exit` and `next` do not leave, and the first register
    /// after theirs.
    pub(crate) floor: (usize, usize),
    pub(crate) native: Option<Box<crate::native::Context>>,
    pub(crate) pending_fault: Option<(Fault, u32)>,
    pub(crate) visits: Vec<u64>,
    pub(crate) observer: Option<Box<dyn Observer>>,
    /// The number of calls at the last visit, and where the innermost one's registers begin.
    pub(crate) visited: (usize, usize),
    pub(crate) made: HashMap<String, Value>,
    pub(crate) first_output: Option<Sink>,
    pub(crate) interrupt: Arc<Interrupt>,
    pub(crate) budget: Budget,
    pub(crate) profile: Option<Box<Recorder>>,
    dump_variables: bool,
    gives_data: bool,
    /// Then memory is left to the system at the end, which takes it back at once.
    owns_process: bool,
    status: u8,
    /// Its drop ends the state of having run out of memory.
    _run: Run,
}

/// How a run ended.
#[derive(Debug, Default)]
pub struct Ended {
    /// The exit status.
    pub status: u8,
    /// What ended the run, if not the program; several if several outputs fail.
    pub errors: Vec<RuntimeError>,
    /// Statistics.
    pub counts: Counts,
    /// Visits of each place, in an observed run.
    pub visits: Vec<u64>,
    /// A list of the variables, if requested.
    pub variables: Option<Vec<u8>>,
    /// The variables, if requested.
    pub data: Vec<(String, Data)>,
    /// The profile, in a profiled run.
    pub profile: Option<Recorded>,
}

/// Statistics of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Records of the main input.
    pub records: u64,
    /// Bytes read of the last main input file.
    pub bytes_read: u64,
    /// Bytes of it moved in the window.
    pub bytes_moved: u64,
    /// Reads of it.
    pub refills: u64,
    /// Maximum size of the stack, in registers.
    pub registers: u64,
}

impl Machine {
    /// A run with the process's standard streams and the program's `patterns`. Handles signals if
    /// the process belongs to it.
    ///
    /// # Errors
    /// An impossible assignment, an unknown encoding.
    pub fn new(
        program: VerifiedUnit,
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

    /// As [`Machine::new`] with other streams, whose window `config` does not set, and without
    /// handling signals.
    ///
    /// # Errors
    /// As [`Machine::new`].
    pub fn over(
        io: Io,
        program: VerifiedUnit,
        patterns: Patterns,
        config: MachineConfig,
    ) -> Result<Machine, Box<RuntimeError>> {
        let run = Run::begin();
        let visits = vec![0; program.visits.len()];
        let budget = Budget::new(&config.limits);
        let (dump_variables, owns_process) = (config.reports.dump_variables, config.owns_process);
        let gives_data = config.reports.data;
        let mut rt = Runtime::new(program.unit().clone(), patterns, io);
        rt.configure(config)?;
        Ok(Machine {
            rt,
            stack: Vec::new(),
            frames: Vec::new(),
            callbacks: Vec::new(),
            floor: (0, 0),
            native: None,
            pending_fault: None,
            visits,
            observer: None,
            visited: (0, 0),
            made: HashMap::new(),
            first_output: None,
            interrupt: cancel::current().unwrap_or_default(),
            budget,
            profile: None,
            dump_variables,
            gives_data,
            owns_process,
            status: 0,
            _run: run,
        })
    }

    /// Erases this line before writing to a terminal.
    pub fn write_beside(&mut self, line: &std::sync::Arc<riverhawk_awkio::StatusLine>) {
        self.rt.outside.io.outputs.write_beside(line);
    }

    /// Counts the bytes of the main input, for another thread.
    pub fn count_bytes(&mut self, bytes: std::sync::Arc<std::sync::atomic::AtomicU64>) {
        self.rt.main.meter.bytes = Some(bytes);
    }

    /// Tells the embedder how far the input has been read, as when it reads itself.
    ///
    /// # Errors
    /// The callback panics.
    pub fn report_progress(&mut self) -> Result<(), Box<RuntimeError>> {
        let reported = self.rt.main.meter.report(self.rt.current.specials.nr);
        reported.map_err(|fault| Box::new(RuntimeError::new(fault.message())))
    }

    /// Runs the whole program and closes everything.
    pub fn run(self) -> Ended {
        self.run_watched(&mut PacedTier::none())
    }

    /// As [`Machine::run`], watched.
    pub fn run_watched(mut self, watch: &mut PacedTier) -> Ended {
        let phases = self.phases(watch);
        self.finish(phases)
    }

    /// Closes everything, even after failed phases.
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
            let cause = failure.is_limit().then_some(EndCause::Output);
            errors.push(RuntimeError { cause, ..RuntimeError::new(failure.to_string()) });
        }
        if let Some(cause) = self.interrupt.cause()
            && errors.is_empty()
        {
            self.status = 2;
            errors.push(RuntimeError {
                cause: Some(cause.into()),
                ..RuntimeError::new(cause.to_string())
            });
        }
        let status = self.status;
        if self.owns_process {
            mem::forget(self);
        }
        Ended { status, errors, counts, visits, variables, data, profile }
    }

    fn phases(&mut self, watch: &mut PacedTier) -> Result<(), Box<RuntimeError>> {
        let program = self.rt.program.clone();
        let mut go_on = true;
        if let Some(begin) = &program.begin {
            go_on = self.phase(begin, watch)?;
        }
        if let Some(main) = program.main.as_ref().filter(|_| go_on) {
            self.phase(main, watch)?;
        }
        self.end(watch)
    }

    fn phase(
        &mut self,
        frame: &StaticFrame,
        watch: &mut PacedTier,
    ) -> Result<bool, Box<RuntimeError>> {
        self.rt.arithmetic.set_number_forms();
        let flow = self.interpret(frame, watch)?;
        if riverhawk_memory::ran_out() {
            return Err(self.locate(Fault::memory(), frame.code.end as usize - 1, frame));
        }
        if let Err(cause) = self.interrupt.check() {
            return Err(self.locate(cause.into(), frame.code.end as usize - 1, frame));
        }
        if matches!(flow, Flow::Exit(_)) {
            // END must not print into a file that was being edited.
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

    /// Runs BEGIN; false after `exit`. Then call [`Machine::records`], [`Machine::end`] and
    /// [`Machine::finish`].
    ///
    /// # Errors
    /// What ends the run.
    pub fn begin(&mut self, watch: &mut PacedTier) -> Result<bool, Box<RuntimeError>> {
        match self.rt.program.clone().begin.as_ref() {
            Some(begin) => self.phase(begin, watch),
            None => Ok(true),
        }
    }

    /// Runs the rules over the remaining records; false after `exit`.
    ///
    /// # Errors
    /// What ends the run.
    pub fn records(&mut self, watch: &mut PacedTier) -> Result<bool, Box<RuntimeError>> {
        match self.rt.program.clone().main.as_ref() {
            Some(main) => self.phase(main, watch),
            None => Ok(true),
        }
    }

    /// Runs END, and a test.
    ///
    /// # Errors
    /// What ends the run.
    pub fn end(&mut self, watch: &mut PacedTier) -> Result<(), Box<RuntimeError>> {
        let program = self.rt.program.clone();
        if let Some(end) = &program.end {
            self.phase(end, watch)?;
        }
        if let Some(test) = &program.test {
            self.phase(test, &mut PacedTier::none())?;
        }
        Ok(())
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

    #[cold]
    #[inline(never)]
    pub(crate) fn locate(
        &mut self,
        fault: Fault,
        pc: usize,
        frame: &StaticFrame,
    ) -> Box<RuntimeError> {
        let error = self.located(fault, pc, frame);
        self.show_failure(&error);
        error
    }

    fn located(&mut self, fault: Fault, pc: usize, frame: &StaticFrame) -> Box<RuntimeError> {
        if let FaultKind::Output(error) = fault.kind() {
            self.rt.outside.io.die_if_stdout_is_broken(error);
        }
        // The interrupt is the reason for what failed because of it.
        let fault = self.interrupt.check().map_or_else(Fault::from, |()| fault);
        let is_out_of_memory =
            riverhawk_memory::ran_out() && !matches!(fault.kind(), FaultKind::Stopped(_));
        let message =
            if is_out_of_memory { self.out_of_memory() } else { self.message_of(&fault, frame) };
        let program = &self.rt.program;
        let mut error = RuntimeError::new(message);
        error.cause = match is_out_of_memory {
            true => Some(EndCause::Memory),
            false => EndCause::of(fault.kind()),
        };
        if let FaultKind::Operand(_) | FaultKind::Read(..) = fault.kind()
            && !is_out_of_memory
        {
            return Box::new(error);
        }
        error.span = program.spans.get(pc).copied();
        let names: Vec<Arc<str>> =
            program.functions.iter().map(|function| function.name.as_str().into()).collect();
        // A callback returns to the callback frame, not to its call.
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

/// Watches every visit of a run.
pub trait Observer {
    /// The run is at `place`, an index into [`Unit::visits`](riverhawk_bytecode::Unit::visits).
    fn visit(&mut self, place: usize, scene: &mut Scene<'_>) -> AfterVisit;

    /// The run has failed, and its frames are still there. It ends after this.
    fn failed(&mut self, _error: &RuntimeError, _scene: &mut Scene<'_>) {}
}

/// How a run continues after a visit.
#[derive(Clone, Debug)]
pub enum AfterVisit {
    /// As without an observer.
    On,
    /// It ends.
    End,
    /// The running function returns this value.
    Return(Value),
}

/// A run that is stopped for its observer.
pub struct Scene<'m> {
    pub(crate) machine: &'m mut Machine,
    pub(crate) base_at: usize,
}
