//! The machine that leads, and the way of its run: see [the module above](super).

use super::crew::Crew;
use super::pieces::{Batch, Cutter, LEADERS_PART, Operand, Piece};
use super::turns::Turns;
use super::worker::{Brief, Job, worker};
use crate::RuntimeError;
use crate::tier::Watched;
use riverhawk_compile::Notes;
use riverhawk_syntax::ast::Program;
use riverhawk_text::Unit;
use riverhawk_vm::machine::{Ended, Machine};
use riverhawk_vm::parallel::{Joiner, NextInput, PieceEnd, PieceSource, Plan, Results};
use riverhawk_vm::tier::Tier;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What a parallel run needs besides the machine.
pub(crate) struct Jobs {
    pub program: Arc<Program>,
    pub plan: Arc<Plan>,
    pub notes: Arc<Notes>,
    /// Threads beside the leader's.
    pub threads: usize,
    /// Bytes in a piece.
    pub piece_size: u64,
    /// Bytes that workers have read.
    pub progress: Arc<AtomicU64>,
    pub program_name: Arc<[u8]>,
    pub unit: Unit,
    pub window: usize,
    /// The program as the threads beside the leader's run it, if it is watched.
    pub watched: Option<Arc<Watched>>,
}

/// So many pieces run again in a row are enough to do without the rest of them.
const MOST_RERUNS: u32 = 3;

/// An error that ends the run.
type Fatal = Box<RuntimeError>;

/// What became of pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PieceCounts {
    /// Run by workers, their results joined.
    pub joined: u64,
    /// Run by the leader because their results could not be.
    pub rerun: u64,
}

/// What became of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Went {
    /// There may be more operands.
    On,
    /// The program has said `exit`.
    Out,
    /// The leader is to read all that is left.
    Serial,
}

/// Runs a program to its end.
pub(crate) fn run(mut machine: Machine, jobs: &Jobs, tier: &mut impl Tier) -> (Ended, PieceCounts) {
    let mut counts = PieceCounts::default();
    let phases = phases(&mut machine, jobs, &mut counts, tier);
    (machine.finish(phases), counts)
}

fn phases(machine: &mut Machine, jobs: &Jobs, counts: &mut PieceCounts, tier: &mut impl Tier) -> Result<(), Fatal> {
    if machine.begin(tier)? {
        let mut leader = Leader { machine, tier, jobs, counts, reruns: 0 };
        if leader.inputs()? != Went::Out {
            machine.records(tier)?;
        }
    }
    machine.end(tier)
}

struct Leader<'m, T> {
    machine: &'m mut Machine,
    tier: &'m mut T,
    jobs: &'m Jobs,
    counts: &'m mut PieceCounts,
    /// Pieces in a row that had to be run again.
    reruns: u32,
}

impl<T: Tier> Leader<'_, T> {
    /// Reads whatever can be read in pieces; afterwards [`Machine::records`] can go on.
    fn inputs(&mut self) -> Result<Went, Fatal> {
        loop {
            let batch = match self.machine.next_input()? {
                NextInput::Files(files) => Batch::of_files(files),
                NextInput::Stdin(operand) => Batch::of_stdin(operand),
                NextInput::Serial => return Ok(Went::Serial),
            };
            if batch.operands.is_empty() {
                return Ok(Went::Serial);
            }
            match self.batch(&batch)? {
                Went::On => {}
                other => return Ok(other),
            }
        }
    }

    /// A record has been read, so that the next one has an NR of at least 2. (An assignment may have made it anything.)
    fn has_begun(&self) -> bool {
        self.machine.counted().0 >= 1.0
    }

    /// A part of a file for the leader itself.
    fn source(&self, piece: &Piece) -> PieceSource {
        PieceSource {
            file: piece.file.clone(),
            start: piece.start,
            end: piece.end,
            cancelled: Arc::default(),
            // The leader's own reading is counted by its machine.
            progress: Arc::default(),
        }
    }

    /// All files of a batch: the first records, the pieces, the last records.
    fn batch(&mut self, batch: &Batch) -> Result<Went, Fatal> {
        let Some(cut) = self.machine.cut() else { return Ok(Went::Serial) };
        let size = self.jobs.piece_size.max(1);
        if batch.length() < size.saturating_add(2 * size.min(LEADERS_PART)) {
            return self.small(batch);
        }
        let mut cutter = Cutter::new(batch, cut.clone(), size);
        let first = &batch.operands[0];
        cutter.go_to(0, first.stdin_at.unwrap_or(0), None);
        if !self.has_begun() {
            match self.first_records(batch, &cut, &mut cutter)? {
                Went::On => {}
                other => return Ok(other),
            }
        }
        let (Ok(joiner), Some(state)) =
            (Joiner::new(self.machine, &self.jobs.plan), self.machine.state(&self.jobs.plan))
        else {
            return self.go_on(batch, &mut cutter);
        };
        let jobs = self.jobs;
        let brief = Brief {
            program: jobs.program.clone(),
            notes: jobs.notes.clone(),
            plan: jobs.plan.clone(),
            state: Arc::new(state),
            turns: Arc::new(Turns::new(self.machine.counted())),
            cancelled: Arc::new(AtomicBool::new(false)),
            progress: jobs.progress.clone(),
            program_name: jobs.program_name.clone(),
            unit: jobs.unit,
            window: jobs.window,
            watched: jobs.watched.clone(),
        };
        let cancelled = brief.cancelled.clone();
        let Some(crew) = Crew::start(jobs.threads, move || worker(brief.clone())) else {
            return self.go_on(batch, &mut cutter);
        };
        let went = self.pieces(batch, &mut cutter, crew, joiner);
        cancelled.store(true, Ordering::Relaxed);
        went
    }

    /// The first records of all are the leader's: no piece begins with record 1.
    fn first_records(
        &mut self,
        batch: &Batch,
        cut: &riverhawk_vm::parallel::Cut,
        cutter: &mut Cutter<'_>,
    ) -> Result<Went, Fatal> {
        let size = self.jobs.piece_size.clamp(1, LEADERS_PART);
        for (at, operand) in batch.operands.iter().enumerate() {
            let start = operand.stdin_at.unwrap_or(0);
            let Ok(file) = operand.open() else { return Ok(Went::Serial) };
            let Ok(end) = cut.boundary(&file, (start + size).min(operand.length), operand.length) else {
                return Ok(Went::Serial);
            };
            self.machine.begin_file(operand.number, &operand.name);
            let is_last = at + 1 == batch.operands.len();
            let piece = Piece { operand: at, file, start, end, begins_file: true };
            // All that there is: the end of the last file is read as it comes.
            if end >= operand.length && is_last {
                return self
                    .rest(batch, cutter, Some(&piece))
                    .map(|went| if went == Went::On { Went::Serial } else { went });
            }
            if !self.machine.run_range(self.source(&piece), self.tier)? {
                return Ok(Went::Out);
            }
            if self.machine.skipped_file() || end >= operand.length {
                if is_last {
                    return Ok(Went::Serial);
                }
                cutter.go_to(at + 1, 0, None);
            } else {
                cutter.go_to(at, end, Some(piece.file.clone()));
            }
            if self.has_begun() {
                return Ok(Went::On);
            }
            if end < operand.length {
                // Nothing but what separates records: go on as a serial run does.
                return self.rest(batch, cutter, Some(&Piece { start: end, end: operand.length, ..piece }));
            }
        }
        Ok(Went::Serial)
    }

    /// Gives pieces to the crew, joins and prints their results in order.
    fn pieces(
        &mut self,
        batch: &Batch,
        cutter: &mut Cutter<'_>,
        mut crew: Crew<Job, Option<Results>>,
        mut joiner: Joiner,
    ) -> Result<Went, Fatal> {
        // Each thread finds its next piece waiting; memory is bounded by what so many pieces print.
        let most = 2 * self.jobs.threads as u64 + 1;
        let mut waiting: VecDeque<Piece> = VecDeque::new();
        let mut given = 0;
        let mut all_given = false;
        let mut skipped = None;
        let mut broken_off = None;
        loop {
            while !all_given && crew.outstanding() < most {
                // What cannot be opened or read ends the pieces; the leader comes to it and says so.
                match cutter.next() {
                    Ok(Some(piece)) => {
                        let name = batch.operands[piece.operand].name.clone();
                        waiting.push_back(piece.clone());
                        crew.give(Job { number: given, piece, name });
                        given += 1;
                    }
                    Ok(None) => all_given = true,
                    Err(_) => {
                        all_given = true;
                        broken_off = Some(cutter.operand());
                    }
                }
            }
            let Some(piece) = waiting.pop_front() else { break };
            let results = crew.take().flatten();
            if skipped == Some(piece.operand) {
                continue;
            }
            let operand = &batch.operands[piece.operand];
            if piece.begins_file {
                self.machine.begin_file(operand.number, &operand.name);
            }
            let is_last = piece.operand + 1 == batch.operands.len();
            match self.take(&mut joiner, results, is_last)? {
                Some(PieceEnd::FileSkipped) => skipped = Some(piece.operand),
                Some(_) => {}
                None => {
                    self.reruns += 1;
                    self.counts.rerun += 1;
                    if self.reruns >= MOST_RERUNS {
                        return self.rest(batch, cutter, Some(&piece));
                    }
                    if !self.machine.run_range(self.source(&piece), self.tier)? {
                        return Ok(Went::Out);
                    }
                    if self.machine.skipped_file() {
                        if is_last {
                            return Ok(Went::On);
                        }
                        skipped = Some(piece.operand);
                    }
                    match Joiner::new(self.machine, &self.jobs.plan) {
                        Ok(again) => joiner = again,
                        Err(_) => {
                            let after = Piece { start: piece.end, end: operand.length, begins_file: false, ..piece };
                            return self.rest_after(batch, cutter, after, skipped);
                        }
                    }
                }
            }
        }
        match broken_off {
            None => self.rest(batch, cutter, None),
            Some(operand) if skipped == Some(operand) => Ok(Went::Serial),
            Some(_) => self.go_on(batch, cutter),
        }
    }

    /// As a serial run from where the cutter stands.
    fn go_on(&mut self, batch: &Batch, cutter: &mut Cutter<'_>) -> Result<Went, Fatal> {
        match cutter.broken_off() {
            Some(piece) => self.rest(batch, cutter, Some(&piece)),
            None => Ok(Went::Serial),
        }
    }

    /// Files that are not worth a crew, as the leader reads them, in case that larger ones follow.
    fn small(&mut self, batch: &Batch) -> Result<Went, Fatal> {
        for (at, operand) in batch.operands.iter().enumerate() {
            let Some(file) = operand.open().ok().filter(|_| operand.stdin_at.is_none()) else {
                return Ok(Went::Serial);
            };
            self.machine.begin_file(operand.number, &operand.name);
            let piece = Piece { operand: at, file, start: 0, end: u64::MAX, begins_file: true };
            if !self.machine.run_range(self.source(&piece), self.tier)? {
                return Ok(Went::Out);
            }
        }
        Ok(Went::On)
    }

    /// Joins and prints a piece's results: how it ended; `None` when the leader must run it.
    fn take(
        &mut self,
        joiner: &mut Joiner,
        results: Option<Results>,
        is_last: bool,
    ) -> Result<Option<PieceEnd>, Fatal> {
        let Some(results) = results else { return Ok(None) };
        // After the last file END looks at the record that said `nextfile`.
        if results.end == PieceEnd::Abandoned || (results.end == PieceEnd::FileSkipped && is_last) {
            return Ok(None);
        }
        if joiner.join(self.machine, &self.jobs.plan, &results).is_err() {
            return Ok(None);
        }
        self.reruns = 0;
        self.counts.joined += 1;
        self.machine.count(results.records);
        self.machine.print(&results.output)?;
        Ok(Some(results.end))
    }

    /// What comes after a piece, when nothing more can be joined.
    fn rest_after(
        &mut self,
        batch: &Batch,
        cutter: &mut Cutter<'_>,
        after: Piece,
        skipped: Option<usize>,
    ) -> Result<Went, Fatal> {
        if skipped == Some(after.operand) {
            return Ok(Went::Serial);
        }
        self.rest(batch, cutter, Some(&after))
    }

    /// The leader goes on by itself: in the middle of a file from a piece on, with all that follows; or with the last records of
    /// the batch.
    fn rest(&mut self, batch: &Batch, cutter: &mut Cutter<'_>, from: Option<&Piece>) -> Result<Went, Fatal> {
        let piece = match from {
            Some(piece) => piece.clone(),
            None => {
                let Some(piece) = cutter.last_piece() else { return Ok(Went::Serial) };
                piece
            }
        };
        let operand: &Operand = &batch.operands[piece.operand];
        if piece.begins_file && from.is_none() {
            self.machine.begin_file(operand.number, &operand.name);
        }
        // As far as the file goes by then.
        let piece = Piece { end: u64::MAX, ..piece };
        if operand.stdin_at.is_some() {
            self.machine.resume_stdin(piece.start)?;
            return Ok(Went::Serial);
        }
        if from.is_some() {
            self.machine.resume(self.source(&piece));
            return Ok(Went::Serial);
        }
        Ok(if self.machine.run_range(self.source(&piece), self.tier)? { Went::On } else { Went::Out })
    }
}
