//! Runs pieces, on a machine made on its own thread.

use super::helpers::Helper;
use super::pieces::{Piece, PieceStart};
use super::turns::{Counted, Turns, UNCOUNTED};
use crate::thread_role::ThreadRole;
use crate::tier::Watched;
use riverhawk_awkio::Coding;
use riverhawk_bytecode::VerifiedUnit;
use riverhawk_memory::SharedAccount;
use riverhawk_parallel::{Before, PieceEnd, PieceOutput, PieceSource, Plan, Results, State};
use riverhawk_record::patterns::{CompiledPatterns, Patterns};
use riverhawk_record::table::Tables;
use riverhawk_vm::config::{CommandLine, Environment, InputConfig, MachineConfig};
use riverhawk_vm::host::HostFunctions;
use riverhawk_vm::machine::Machine;
use riverhawk_vm::tier::PacedTier;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::SystemTime;

#[derive(Clone)]
pub(super) struct WorkerSetup {
    /// Compiled to note what a piece does.
    pub code: VerifiedUnit,
    pub patterns: Arc<CompiledPatterns>,
    pub plan: Arc<Plan>,
    pub state: Arc<State>,
    pub counted: Arc<Turns<Counted>>,
    pub ranges: Arc<Turns<Vec<bool>>>,
    /// Whether results are no longer wanted.
    pub cancelled: Arc<AtomicBool>,
    pub progress: Arc<AtomicU64>,
    pub program_name: Arc<[u8]>,
    pub environment: Arc<Environment>,
    pub clock: Option<SystemTime>,
    pub window_size: usize,
    pub watched: Option<Arc<Watched>>,
    pub tables: Tables,
    pub host_functions: HostFunctions,
    pub coding: Option<Coding>,
    /// The run's memory account.
    pub account: SharedAccount,
    /// The run, if it can be stopped.
    /// `None` if no run waits.
    pub helper: Option<Helper>,
    /// Maximum bytes that a piece prints.
    pub output_limit: usize,
}

pub(super) struct Job {
    pub number: u64,
    pub piece: Piece,
    pub name: Arc<[u8]>,
}

pub(super) struct Worker {
    brief: WorkerSetup,
    machine: Machine,
    bases: Vec<usize>,
    stdout: PieceOutput,
    stderr: PieceOutput,
    watch: Box<PacedTier>,
}

impl Worker {
    /// `None` if the machine cannot be made; the coordinator then runs the pieces and reports why.
    pub fn new(brief: WorkerSetup) -> Option<Worker> {
        let code = brief.code.clone();
        let patterns = Patterns::over(brief.patterns.clone());
        let (stdout, stderr) =
            (PieceOutput::new(brief.output_limit), PieceOutput::new(brief.output_limit));
        let io = PieceOutput::streams(&stdout, &stderr, brief.window_size);
        let program_name = brief.program_name.to_vec();
        let config = MachineConfig {
            command_line: CommandLine { program_name, ..CommandLine::default() },
            input: InputConfig { window_size: brief.window_size, ..InputConfig::default() },
            environment: Environment::clone(&brief.environment),
            clock: brief.clock,
            tables: brief.tables,
            host_functions: brief.host_functions.clone(),
            ..MachineConfig::default()
        };
        let watch: Box<PacedTier> = match &brief.watched {
            Some(watched) => {
                Box::new(PacedTier::by(watched.watcher(code.unit(), ThreadRole::Worker)))
            }
            None => Box::new(PacedTier::none()),
        };
        let mut machine = Machine::over(io, code, patterns, config).ok()?;
        let bases = machine.adopt(&brief.plan, &brief.state).ok()?;
        Some(Worker { brief, machine, bases, stdout, stderr, watch })
    }

    fn run(&mut self, job: Job) -> Option<Results> {
        let mut before = Before {
            name: job.name.clone(),
            counted: UNCOUNTED,
            ranges: Vec::new(),
            coding: self.brief.coding.clone(),
            must_end: !job.piece.is_proved,
        };
        if self.brief.plan.counts_records {
            before.counted = self.count(&job)?;
        }
        if self.brief.plan.ranges == 0 {
            return Some(self.run_from(&job, &before));
        }
        self.run_ranges(&job, before)
    }

    fn source(&self, job: &Job) -> PieceSource {
        let WorkerSetup { cancelled, progress, .. } = &self.brief;
        job.piece.source(cancelled.clone(), progress.clone())
    }

    pub fn run_from(&mut self, job: &Job, before: &Before) -> Results {
        let source = self.source(job);
        let streams = (&self.stdout, &self.stderr);
        let (machine, plan, bases) = (&mut self.machine, &self.brief.plan, &self.bases);
        machine.run_piece(plan, bases, before, source, streams, &mut self.watch)
    }

    pub fn count_records(&mut self, job: &Job) -> Result<u64, String> {
        let source = job.piece.source(self.brief.cancelled.clone(), Arc::default());
        self.machine.count_records(source)
    }

    /// Joins the results of pieces that follow each other; `None` if that is the coordinator's.
    pub fn join(&mut self, earlier: &Results, later: &Results) -> Option<Results> {
        self.machine.join_pieces(&self.brief.plan, &self.bases, earlier, later)
    }

    fn count(&mut self, job: &Job) -> Option<Counted> {
        let turns = self.brief.counted.clone();
        let Ok(records) = self.count_records(job) else {
            turns.end();
            return None;
        };
        let records = records as f64;
        let before = |fnr| if job.piece.begins == PieceStart::Operand { 0.0 } else { fnr };
        let (nr, fnr) =
            turns.pass(job.number, |(nr, fnr)| (nr + records, before(fnr) + records))?;
        Some((nr, before(fnr)))
    }

    /// Runs a piece with the latest known open ranges, and again if they were wrong. If there is
    /// one range and it opens or closes within the piece, its final state is the same either way,
    /// so it is passed on before a second run. With several, one may keep another from seeing its
    /// record.
    fn run_ranges(&mut self, job: &Job, mut before: Before) -> Option<Results> {
        let turns = self.brief.ranges.clone();
        before.ranges = turns.latest();
        let mut results = self.run_from(job, &before);
        let is_known = |results: &Results| {
            results.end != PieceEnd::Abandoned && results.ranges_met && results.ranges.1.len() == 1
        };
        let said_early = is_known(&results);
        let open = match said_early {
            true => turns.pass(job.number, |_| results.ranges.1.clone())?,
            false => turns.wait(job.number)?,
        };
        if open != before.ranges {
            before.ranges = open;
            results = self.run_from(job, &before);
        }
        // The coordinator passes the turn on for an abandoned piece.
        if !said_early && results.end != PieceEnd::Abandoned {
            turns.pass(job.number, |_| results.ranges.1.clone());
        }
        Some(results)
    }
}

pub(super) fn worker(brief: WorkerSetup) -> impl FnMut(Job) -> Option<Results> {
    let entered = (brief.account.clone().enter(), brief.helper.as_ref().map(Helper::enter));
    let mut worker = Worker::new(brief);
    move |job| {
        let _entered = &entered;
        worker.as_mut()?.run(job)
    }
}
