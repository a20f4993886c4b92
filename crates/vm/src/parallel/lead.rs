//! What the leading machine does between pieces: it finds the next input, prints what other
//! machines have done, runs pieces that they could not, and reads the rest.

use crate::error::{InputPosition, RuntimeError};
use crate::machine::Machine;
use crate::main_input::AfterSource;
use crate::main_input::NextOperand;
use crate::tier::PacedTier;
use riverhawk_awkio::fault::{Fault, FaultKind};
use riverhawk_awkio::{Coding, Limit, RecordReader, before_others};
use riverhawk_parallel::{PieceSource, Plan, Portable, Slot, State, Stream};
use riverhawk_record::field_mode::FieldMode;
use riverhawk_record::table::Strictness;
use riverhawk_stream::{FdSource, Source, StdinSource};
use riverhawk_syntax::ast::Special;
use riverhawk_system::fs::FileType;
use riverhawk_system::names::OsStrExt;
use riverhawk_system::{Facts, Symlinks};
use std::ffi::OsStr;
use std::fs::File;
use std::sync::Arc;
use std::time::Duration;

/// How compressed files are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compressed {
    /// One after the other, as streams.
    Streams,
    /// As files among the others, each as a whole.
    Files,
}

/// What is next in the main input.
#[derive(Debug)]
pub enum NextInput {
    /// Files and the numbers of their operands, up to an assignment or the end.
    Files(Vec<(f64, Vec<u8>)>),
    /// The standard input: its operand, or none without operands.
    Stdin(Option<(f64, Vec<u8>)>),
    /// A stream, which is taken from the machine to be read elsewhere.
    Stream(Stream),
    /// Only [`Machine::records`] can continue.
    Serial,
}

impl Machine {
    /// Performs assignments and returns what is next.
    ///
    /// # Errors
    /// An impossible assignment.
    pub fn next_input(&mut self, compressed: Compressed) -> Result<NextInput, Box<RuntimeError>> {
        let failed = |fault: Fault| Box::new(RuntimeError::new(fault.message()));
        Ok(match self.rt.next_operand().map_err(failed)? {
            NextOperand::Files => {
                let files = self.rt.files_ahead(compressed).map_err(failed)?;
                match files
                    .first()
                    .and_then(|(number, name)| self.stream_of(*number, name, compressed))
                {
                    Some(stream) => NextInput::Stream(stream),
                    // In other encodings records are found only after decoding.
                    None if self.rt.outside.io.inputs.reading().changes_text() => NextInput::Serial,
                    None => NextInput::Files(files),
                }
            }
            NextOperand::Stdin(operand) if self.rt.outside.io.inputs.stdin_is_untouched() => {
                match self.stdin_stream(operand.as_ref()) {
                    Some(stream) => NextInput::Stream(stream),
                    None if self.rt.outside.io.inputs.stdin_is_embedded() => NextInput::Serial,
                    None if self.rt.outside.io.inputs.reading().changes_text() => NextInput::Serial,
                    None => NextInput::Stdin(operand),
                }
            }
            NextOperand::Stdin(_) | NextOperand::Serial => NextInput::Serial,
        })
    }

    fn stream_of(&mut self, number: f64, name: &[u8], compressed: Compressed) -> Option<Stream> {
        self.cut()?;
        let reading = self.rt.outside.io.inputs.reading();
        let path = OsStr::from_bytes(name.split(|&byte| byte == 0).next().unwrap_or_default());
        let kind = Facts::of_path(path, Symlinks::Followed).ok()?;
        if !(kind.is_fifo() || kind.is_file()) {
            return None;
        }
        let file = File::open(path).ok()?;
        let is_stream = compressed == Compressed::Streams && reading.decompresses(&file);
        if kind.is_file() && !reading.changes_text() && !is_stream {
            return None;
        }
        let source = FdSource::new(file);
        let waits_on = kind.is_fifo().then(|| source.shared());
        let source = reading.source(source);
        Some(Stream { operand: Some(number), name: name.to_vec(), source, waits_on })
    }

    /// The standard input, if it is an embedder's or a pipe, and RS can cut it.
    fn stdin_stream(&mut self, operand: Option<&(f64, Vec<u8>)>) -> Option<Stream> {
        self.cut()?;
        let (number, name) =
            operand.map_or((None, b"-".to_vec()), |(number, name)| (Some(*number), name.clone()));
        let inputs = &mut self.rt.outside.io.inputs;
        if inputs.stdin_is_embedded() {
            let source = inputs.take_embedded_stdin()?;
            let source = inputs.reading().source(source);
            return Some(Stream { operand: number, name, source, waits_on: None });
        }
        let kind = riverhawk_system::fs::fstat(riverhawk_system::stdio::stdin()).ok()?;
        let reading = inputs.reading();
        let waits_on = match FileType::from_raw_mode(kind.st_mode) {
            FileType::Fifo | FileType::Socket => {
                Some(Arc::new(riverhawk_system::stdio::stdin().try_clone_to_owned().ok()?))
            }
            FileType::RegularFile if reading.decompresses(riverhawk_system::stdio::stdin()) => None,
            _ => return None,
        };
        let source = reading.source(StdinSource::new());
        Some(Stream { operand: number, name, source, waits_on })
    }

    /// Begins a file whose records are run elsewhere; `operand` is its number.
    pub fn begin_file(&mut self, operand: Option<f64>, name: &[u8]) {
        self.rt.main.begin_operand(&mut self.rt.current, &mut self.rt.arithmetic, operand, name);
    }

    /// Counts records that were run elsewhere.
    pub fn count(&mut self, records: u64) {
        self.rt.current.specials.nr += records as f64;
        self.rt.current.specials.fnr += records as f64;
    }

    /// The encoding of the standard output, if not UTF-8.
    pub fn output_coding(&self) -> Option<Coding> {
        self.rt.outside.io.outputs.coding().cloned()
    }

    /// TZ as the program has assigned it.
    pub fn zone_name(&self) -> Option<Vec<u8>> {
        self.rt.library.clock.zone_name(&self.rt.current, &self.rt.globals)
    }

    /// NR and FNR.
    pub fn counted(&self) -> (f64, f64) {
        (self.rt.current.specials.nr, self.rt.current.specials.fnr)
    }

    /// Prints the output of a piece.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&mut self, output: &[u8]) -> Result<(), Box<RuntimeError>> {
        let stdout = self.rt.outside.io.outputs.stdout();
        let written = if output.is_empty() {
            Ok(())
        } else {
            stdout.write(output).and_then(|()| stdout.end_print())
        };
        written.map_err(|error| self.output_failed(Fault::from(error)))
    }

    /// Writes what has been printed.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn flush(&mut self) -> Result<(), Box<RuntimeError>> {
        let written = self.rt.outside.io.outputs.flush_stdout();
        written.map_err(|error| self.output_failed(Fault::from(error)))
    }

    /// Runs the rules over a piece of the current file; true unless the program ended.
    ///
    /// # Errors
    /// What ends the run.
    pub fn run_range(
        &mut self,
        source: PieceSource,
        watch: &mut PacedTier,
    ) -> Result<bool, Box<RuntimeError>> {
        self.rt.main.take_skipped();
        self.rt.main.read_from(source, self.rt.outside.io.inputs.window(), AfterSource::End);
        let result = self.records(watch);
        self.rt.main.end_confinement();
        result
    }

    /// Whether `nextfile` ended the last [`Machine::run_range`].
    pub fn skipped_file(&mut self) -> bool {
        self.rt.main.take_skipped()
    }

    /// Leaves the rest of the file to [`Machine::records`].
    pub fn resume(&mut self, source: PieceSource) {
        self.rt.main.read_from(source, self.rt.outside.io.inputs.window(), AfterSource::Operands);
    }

    /// As [`Machine::resume`], with what another thread brings. `ready` waits for it, and returns
    /// whether it came.
    pub fn resume_with(
        &mut self,
        source: impl Source + 'static,
        ready: Box<dyn Fn(Duration) -> bool + Send>,
    ) {
        self.rt.main.read_with(RecordReader::of_thread(
            source,
            ready,
            self.rt.outside.io.inputs.window(),
        ));
    }

    /// As [`Machine::resume`] with a stream.
    pub fn resume_stream(&mut self, stream: Stream) {
        let Stream { source, waits_on, .. } = stream;
        self.rt.main.read_with(RecordReader::of_stream(
            source,
            waits_on,
            self.rt.outside.io.inputs.window(),
        ));
    }

    /// Waits as a serial run would: writes output if it takes long, and ends if nothing reads the
    /// standard output.
    ///
    /// # Errors
    /// The output cannot be written, or the run is to end.
    pub fn wait_for(&mut self, ready: &dyn Fn(Duration) -> bool) -> Result<(), Box<RuntimeError>> {
        before_others(&mut self.rt.outside.io.outputs, ready)
            .map_err(|error| self.output_failed(Fault::from(error)))?;
        self.check_run()
    }

    /// # Errors
    /// The run is to end.
    pub fn check_run(&self) -> Result<(), Box<RuntimeError>> {
        self.interrupt.check().map_err(|cause| {
            let mut error = RuntimeError::new(cause.to_string());
            error.cause = Some(cause.into());
            Box::new(error)
        })
    }

    fn output_failed(&mut self, fault: Fault) -> Box<RuntimeError> {
        if let FaultKind::Output(error) = fault.kind() {
            self.rt.outside.io.die_if_stdout_is_broken(error);
        }
        let mut error = RuntimeError::new(fault.message());
        if self.rt.current.specials.nr > 0.0 {
            // The last record of the piece that overflowed the buffer.
            let file = self.rt.current.text_of(self.rt.current.specials.value(Special::Filename));
            error.input = Some(InputPosition { file, record: self.rt.current.specials.fnr as u64 });
        }
        Box::new(error)
    }

    /// As [`Machine::resume`], from `offset` of a standard input that is a file.
    ///
    /// # Errors
    /// Its position cannot be set.
    pub fn resume_stdin(&mut self, offset: u64) -> Result<(), Box<RuntimeError>> {
        riverhawk_system::fs::seek(
            riverhawk_system::stdio::stdin(),
            riverhawk_system::fs::SeekFrom::Start(offset),
        )
        .map_err(|error| {
            Box::new(RuntimeError::new(format!("cannot seek in standard input: {error}")))
        })?;
        self.rt.main.resume_stdin(&mut self.rt.outside);
        Ok(())
    }

    /// How much may come out of compressed files; `None` if they are read as they are.
    pub fn decompression(&self) -> Option<Limit> {
        self.rt.outside.io.inputs.reading().decompress
    }

    /// The variables that pieces start from; `None` if one cannot go to another thread or the
    /// header is unknown.
    pub fn state(&self, plan: &Plan) -> Option<State> {
        let specials = &self.rt.current.specials;
        let (tables, columns) = (&self.rt.current.tables, &self.rt.current.columns);
        let names_are_due =
            tables.is_json() && tables.keep_header && tables.converts() && !columns.is_written();
        let width_is_due = tables.strictness != Strictness::Lenient
            && !tables.is_json()
            && columns.width().is_none();
        if names_are_due || width_is_due {
            return None;
        }
        // Their values do not show which of FPAT and IGNORECASE was assigned first.
        let is_ambiguous = match specials.mode {
            FieldMode::Pattern { ignores_case, .. } => ignores_case || specials.ignore_case,
            FieldMode::Separator | FieldMode::Widths(_) => false,
        };
        if is_ambiguous {
            return None;
        }
        let mut state = State {
            globals: vec![None; self.rt.program.globals.len()],
            specials: Vec::new(),
            mode: Some(specials.mode.variable()),
            columns: columns.known(),
        };
        for share in &plan.shares {
            if let Slot::Global(global) = share.slot {
                state.globals[global.index()] =
                    Some(Portable::of(&self.rt.globals.statics[global.index()])?);
            }
        }
        for &special in Special::ALL {
            state.specials.push(Portable::of(self.rt.current.specials.value(special))?);
        }
        Some(state)
    }
}
