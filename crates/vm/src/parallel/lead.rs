//! What the leading machine does between the pieces.

use super::join::{Plan, Slot};
use super::piece::PieceSource;
use super::portable::{Portable, State};
use crate::error::RuntimeError;
use crate::fault::{Fault, FaultKind};
use crate::machine::Machine;
use crate::main_input::NextOperand;
use riverhawk_syntax::ast::Special;

/// A piece's results may differ from those of a serial run: the leader must run it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotJoined;

/// What the main input comes to next.
#[derive(Debug)]
pub enum NextInput {
    /// Files, each with the number of its operand and its name, up to an assignment or the end.
    Files(Vec<(f64, Vec<u8>)>),
    /// The standard input: an operand's number and name, or none for want of operands.
    Stdin(Option<(f64, Vec<u8>)>),
    /// Only [`Machine::records`] can go on.
    Serial,
}

impl Machine {
    /// What the main input comes to next. Assignments among the operands before that are performed.
    ///
    /// # Errors
    /// Such an assignment cannot be made.
    pub fn next_input(&mut self) -> Result<NextInput, Box<RuntimeError>> {
        let failed = |fault: Fault| Box::new(RuntimeError::new(fault.message()));
        // Where a record begins is seen in UTF-8 only.
        if self.rt.io.inputs.reading().changes_text() {
            return Ok(NextInput::Serial);
        }
        Ok(match self.rt.next_operand().map_err(failed)? {
            NextOperand::Files => NextInput::Files(self.rt.files_ahead().map_err(failed)?),
            NextOperand::Stdin(operand) if self.rt.io.inputs.stdin_is_untouched() => NextInput::Stdin(operand),
            NextOperand::Stdin(_) | NextOperand::Serial => NextInput::Serial,
        })
    }

    /// Begins a file whose records others will run: FILENAME and FNR are set. `operand` is its number, if it is one.
    pub fn begin_file(&mut self, operand: Option<f64>, name: &[u8]) {
        self.rt.begin_operand(operand, name);
    }

    /// Counts records that others have run.
    pub fn count(&mut self, records: u64) {
        self.rt.specials.nr += records as f64;
        self.rt.specials.fnr += records as f64;
    }

    /// NR and FNR.
    pub fn counted(&self) -> (f64, f64) {
        (self.rt.specials.nr, self.rt.specials.fnr)
    }

    /// Prints what a piece has printed.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn print(&mut self, output: &[u8]) -> Result<(), Box<RuntimeError>> {
        let stdout = self.rt.io.outputs.stdout();
        let written = if output.is_empty() { Ok(()) } else { stdout.write(output).and_then(|()| stdout.end_print()) };
        written.map_err(|error| {
            let fault = Fault::from(error);
            if let FaultKind::Output(error) = fault.kind() {
                self.rt.io.die_if_stdout_is_broken(error);
            }
            Box::new(RuntimeError::new(fault.message()))
        })
    }

    /// Runs the rules over a piece, as part of the file begun last, and no further; whether the input ended rather than the
    /// program.
    ///
    /// # Errors
    /// What ends the run.
    pub fn run_range(&mut self, source: PieceSource) -> Result<bool, Box<RuntimeError>> {
        self.rt.main.take_skipped();
        self.rt.main.read_from(source, self.rt.io.inputs.window(), true);
        let went_on = self.records();
        self.rt.main.end_confinement();
        went_on
    }

    /// Whether `nextfile` ended the last [`Machine::run_range`].
    pub fn skipped_file(&mut self) -> bool {
        self.rt.main.take_skipped()
    }

    /// Takes the rest of the file begun last for [`Machine::records`] to go on with.
    pub fn resume(&mut self, source: PieceSource) {
        self.rt.main.read_from(source, self.rt.io.inputs.window(), false);
    }

    /// As [`Machine::resume`] for the standard input, a regular file, from `offset` on.
    ///
    /// # Errors
    /// Its position cannot be set.
    pub fn resume_stdin(&mut self, offset: u64) -> Result<(), Box<RuntimeError>> {
        rustix::fs::seek(rustix::stdio::stdin(), rustix::fs::SeekFrom::Start(offset))
            .map_err(|error| Box::new(RuntimeError::new(format!("cannot seek in standard input: {error}"))))?;
        self.rt.resume_stdin();
        Ok(())
    }

    /// The variables that pieces start from; `None` when one of them cannot go to another thread.
    pub fn state(&self, plan: &Plan) -> Option<State> {
        let mut state = State { globals: vec![None; self.rt.program.globals.len()], specials: Vec::new() };
        for share in &plan.shares {
            if let Slot::Global(global) = share.slot {
                state.globals[global.index()] = Some(Portable::of(&self.rt.statics[global.index()])?);
            }
        }
        for &special in Special::ALL {
            state.specials.push(Portable::of(self.rt.specials.value(special))?);
        }
        Some(state)
    }
}
