//! Runs pieces: a machine of its own, made on its own thread.

use super::pieces::Piece;
use super::turns::Turns;
use crate::tier::{Watched, Watcher};
use riverhawk_compile::{Notes, compile_with_notes};
use riverhawk_syntax::ast::Program;
use riverhawk_text::Unit;
use riverhawk_vm::machine::{Machine, Setup};
use riverhawk_vm::parallel::{PieceOutput, PieceSource, Plan, Results, State};
use riverhawk_vm::patterns::Patterns;
use riverhawk_vm::tier::NoTier;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// What all workers of a batch know.
#[derive(Clone)]
pub(super) struct Brief {
    pub program: Arc<Program>,
    pub notes: Arc<Notes>,
    pub plan: Arc<Plan>,
    pub state: Arc<State>,
    pub turns: Arc<Turns>,
    /// Nobody wants results any more.
    pub cancelled: Arc<AtomicBool>,
    /// Bytes read.
    pub progress: Arc<AtomicU64>,
    pub program_name: Arc<[u8]>,
    pub unit: Unit,
    pub window: usize,
    pub watched: Option<Arc<Watched>>,
}

/// A piece to run.
pub(super) struct Job {
    pub number: u64,
    pub piece: Piece,
    /// FILENAME.
    pub name: Arc<[u8]>,
}

/// A machine that runs pieces.
struct Worker {
    brief: Brief,
    machine: Machine,
    bases: Vec<usize>,
    stdout: PieceOutput,
    stderr: PieceOutput,
    watcher: Option<Watcher>,
}

impl Worker {
    /// `None` when the machine cannot be made: then every piece is the leader's, who says why.
    fn new(brief: Brief) -> Option<Worker> {
        let unit = Rc::new(compile_with_notes(&brief.program, &brief.notes).ok()?);
        let patterns = Patterns::new(&unit, brief.unit).ok()?;
        let (stdout, stderr) = (PieceOutput::default(), PieceOutput::default());
        let io = PieceOutput::streams(&stdout, &stderr, brief.window);
        let setup = Setup {
            program_name: brief.program_name.to_vec(),
            unit: brief.unit,
            window: brief.window,
            ..Setup::default()
        };
        let watcher = brief.watched.as_ref().map(|watched| watched.watcher(&unit, false));
        let mut machine = Machine::over(io, unit, patterns, setup).ok()?;
        let bases = machine.adopt(&brief.plan, &brief.state).ok()?;
        Some(Worker { brief, machine, bases, stdout, stderr, watcher })
    }

    fn run(&mut self, job: Job) -> Option<Results> {
        let Brief { plan, turns, cancelled, progress, .. } = &self.brief;
        let source = |progress: &Arc<AtomicU64>| PieceSource {
            file: job.piece.file.clone(),
            start: job.piece.start,
            end: job.piece.end,
            cancelled: cancelled.clone(),
            progress: progress.clone(),
        };
        // Whoever does not look at NR is to see it beyond the first record all the same.
        let mut before = (1.0, 1.0);
        if plan.counts_records {
            let turn = turns.turn(job.number, job.piece.begins_file);
            let records = self.machine.count_records(source(&Arc::default())).ok()?;
            before = turn.pass(records)?;
        }
        let streams = (&self.stdout, &self.stderr);
        let (machine, bases, from) = (&mut self.machine, &self.bases, (job.name.as_ref(), before));
        Some(match &mut self.watcher {
            Some(watcher) => machine.run_piece(plan, bases, from, source(progress), streams, watcher),
            None => machine.run_piece(plan, bases, from, source(progress), streams, &mut NoTier),
        })
    }
}

/// What a thread does with jobs.
pub(super) fn worker(brief: Brief) -> impl FnMut(Job) -> Option<Results> {
    let mut worker = Worker::new(brief);
    move |job| worker.as_mut()?.run(job)
}
