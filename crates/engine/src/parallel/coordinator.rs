//! The coordinator: cuts the input, gives pieces to workers, and joins their results in order. It
//! runs what cannot be a piece itself; see [`parallel`](super).

use super::crew::Crew;
use super::helpers::Helpers;
use super::pieces::{
    Batch, COORDINATORS_PART, Cutter, InputFiles, LastRecord, Operand, Piece, PieceStart,
};
use super::turns::{Counted, Turns};
use super::worker::{Job, WorkerSetup, worker};
use crate::cluster::ClusterRun;
use crate::code::ready;
use crate::tier::Watched;
use crate::{Parallel, RuntimeError};
use riverhawk_awkio::cancel::ProcessOwner;
use riverhawk_awkio::filesystem::OperandFiles;
use riverhawk_compile::{Mode, Notes, compile_with_notes};
use riverhawk_memory::SharedAccount;
use riverhawk_parallel::{Boundaries, Lead, NotJoined, PieceEnd, PieceSource, Plan, Results};
use riverhawk_pool::process;
use riverhawk_record::table::Tables;
use riverhawk_syntax::ast::Program;
use riverhawk_syntax::source::SourceMap;
use riverhawk_text::Unit;
use riverhawk_vm::config::Environment;
use riverhawk_vm::host::HostFunctions;
use riverhawk_vm::machine::{Ended, Machine};
use riverhawk_vm::parallel::{Compressed, Joiner, NextInput};
use riverhawk_vm::tier::PacedTier;
use std::cell::Cell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::SystemTime;

pub(crate) struct Jobs {
    pub program: Arc<Program>,
    pub sources: Arc<SourceMap>,
    pub plan: Arc<Plan>,
    pub notes: Arc<Notes>,
    pub mode: Mode,
    /// Threads besides the coordinator's.
    pub threads: usize,
    pub piece_size: u64,
    pub prints: bool,
    pub progress: Arc<AtomicU64>,
    pub program_name: Arc<[u8]>,
    pub environment: Environment,
    pub clock: Option<SystemTime>,
    pub unit: Unit,
    pub window_size: usize,
    /// The program as workers run it, if it is watched.
    pub watched: Option<Arc<Watched>>,
    pub tables: Tables,
    pub host_functions: HostFunctions,
    pub process_owner: ProcessOwner,
    /// Whether END or the outcome may have the last record, NF or RT.
    pub wants_last_record: bool,
    /// Whether variables are looked at after END.
    pub keeps_variables: bool,
    /// Files that are not the system's.
    pub operand_files: Option<Arc<dyn OperandFiles>>,
    /// Other machines that run the pieces, instead of threads.
    pub cluster: Option<ClusterRun>,
}

/// After this many consecutive pieces that had to be run again, the coordinator runs the rest
/// alone.
pub(super) const MAX_RERUNS: u32 = 3;

/// Minimum pieces for each thread, so that none waits long for the last.
const PIECES_EACH: u64 = 8;

/// Maximum size of a piece, as a multiple of the requested size.
const MAX_LARGER: u64 = 16;

/// Maximum bytes that a piece prints: beyond it the coordinator runs it and prints directly.
const OUTPUT_LIMIT: usize = 64 * 1024 * 1024;

/// Maximum bytes of a piece whose records are counted before it is run: running it then finds it in
/// the core's cache.
const COUNTED_PIECE: u64 = 1024 * 1024;

pub(super) type Fatal = Box<RuntimeError>;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PieceCounts {
    /// Run by workers and joined.
    pub joined: u64,
    /// Run again by the coordinator, since their results could not be joined.
    pub rerun: u64,
    /// Why the coordinator ran the rest of the input alone.
    pub alone: Option<NotJoined>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Continuation {
    /// There may be more operands.
    Operands,
    /// The program executed `exit`.
    Exit,
    /// The coordinator reads the rest.
    Serial,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileOrder {
    Earlier,
    Last,
}

pub(crate) fn run(
    mut machine: Machine,
    jobs: &Jobs,
    watch: &mut PacedTier,
) -> (Ended, PieceCounts) {
    let mut counts = PieceCounts::default();
    let helpers = Helpers::new(jobs.process_owner);
    let phases = machine.phases_with_sums(&jobs.plan, watch, |machine, watch| {
        all_records(machine, jobs, &mut counts, watch, &helpers)
    });
    let ended = machine.finish(phases);
    helpers.end();
    (ended, counts)
}

fn all_records(
    machine: &mut Machine,
    jobs: &Jobs,
    counts: &mut PieceCounts,
    watch: &mut PacedTier,
    helpers: &Helpers,
) -> Result<(), Fatal> {
    let mut coordinator = Coordinator {
        machine,
        watch,
        jobs,
        counts,
        helpers,
        reruns: 0,
        last: None,
        alone: Cell::new(None),
    };
    let continuation = coordinator.inputs();
    coordinator.counts.alone = coordinator.alone.get();
    if continuation? != Continuation::Exit {
        coordinator.may_continue_alone()?;
        machine.records(watch)?;
    }
    Ok(())
}

pub(super) struct Coordinator<'m> {
    pub(super) machine: &'m mut Machine,
    pub(super) watch: &'m mut PacedTier,
    pub(super) jobs: &'m Jobs,
    pub(super) counts: &'m mut PieceCounts,
    pub(super) helpers: &'m Helpers,
    /// Pieces in a row that had to be run again.
    pub(super) reruns: u32,
    pub(super) last: Option<NotJoined>,
    pub(super) alone: Cell<Option<NotJoined>>,
}

pub(super) struct Company {
    pub crew: Crew<Job, Option<Results>>,
    pub joiner: Joiner,
    counted: Arc<Turns<Counted>>,
    ranges: Arc<Turns<Vec<bool>>>,
    cancelled: Arc<AtomicBool>,
}

/// Stops workers, even those that wait for the coordinator.
impl Drop for Company {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.counted.end();
        self.ranges.end();
    }
}

impl Coordinator<'_> {
    /// Reads all inputs that can be cut; [`Machine::records`] reads the rest.
    fn inputs(&mut self) -> Result<Continuation, Fatal> {
        let compressed = match self.jobs.cluster {
            Some(_) => Compressed::Files,
            None => Compressed::Streams,
        };
        let opened = InputFiles {
            elsewhere: self.jobs.operand_files.clone(),
            decompress: self.machine.decompression().filter(|_| self.jobs.cluster.is_some()),
        };
        loop {
            let batch = match self.machine.next_input(compressed)? {
                NextInput::Files(mut files) => {
                    // Pieces start from what the coordinator has read at the beginning of their
                    // file.
                    files.truncate(if self.jobs.tables.begins_each_file() {
                        1
                    } else {
                        files.len()
                    });
                    let mut batch = Batch::of_files(files, opened.clone());
                    self.end_with_record(&mut batch);
                    batch
                }
                NextInput::Stdin(operand) => Batch::of_stdin(operand),
                NextInput::Stream(stream) => match self.stream(stream)? {
                    Continuation::Operands => continue,
                    other => return Ok(other),
                },
                NextInput::Serial => return Ok(Continuation::Serial),
            };
            if batch.operands.is_empty() {
                return Ok(Continuation::Serial);
            }
            match self.batch(&batch)? {
                Continuation::Operands => {}
                other => return Ok(other),
            }
        }
    }

    /// Leaves files without a record that end a batch to the next one: the coordinator runs a
    /// batch's last records for END, which reads the last record there is. A file of newlines has
    /// none where RS is empty, nor has a compressed file of nothing.
    fn end_with_record(&self, batch: &mut Batch) {
        if !self.jobs.wants_last_record || batch.operands.len() < 2 {
            return;
        }
        let last = (0..batch.operands.len()).rev().find(|&at| {
            // What cannot be read is reported when it is run.
            let Ok(piece) = batch.whole(at) else { return true };
            self.machine.has_record(self.source(&piece)).unwrap_or(true)
        });
        if let Some(last) = last {
            batch.operands.truncate(last + 1);
        }
    }

    pub(super) fn has_begun(&self) -> bool {
        self.machine.counted().0 >= 1.0
    }

    pub(super) fn source(&self, piece: &Piece) -> PieceSource {
        piece.source(Arc::default(), Arc::default())
    }

    /// A crew that starts from the current variables; `None` if they cannot go to other threads, or
    /// there are no threads.
    pub(super) fn company(&self) -> Option<Company> {
        let jobs = self.jobs;
        let joiner = self.joiner()?;
        let Some(state) = self.machine.state(&jobs.plan) else {
            self.alone.set(Some(NotJoined::State));
            return None;
        };
        let code = compile_with_notes(&jobs.program, jobs.mode, &jobs.notes).ok()?;
        let (code, patterns) = ready(code, jobs.unit)?;
        let brief = WorkerSetup {
            patterns,
            code,
            plan: jobs.plan.clone(),
            state: Arc::new(state),
            counted: Arc::new(Turns::new(self.machine.counted())),
            ranges: Arc::new(Turns::new(self.machine.ranges(&jobs.plan))),
            cancelled: Arc::new(AtomicBool::new(false)),
            progress: jobs.progress.clone(),
            program_name: jobs.program_name.clone(),
            environment: Arc::new(self.environment()),
            clock: jobs.clock,
            window_size: jobs.window_size,
            watched: jobs.watched.clone(),
            tables: jobs.tables,
            host_functions: jobs.host_functions.clone(),
            coding: self.machine.output_coding(),
            account: SharedAccount::of_this_thread(),
            helper: Some(self.helpers.helper()),
            output_limit: OUTPUT_LIMIT,
        };
        let (counted, ranges, cancelled) =
            (brief.counted.clone(), brief.ranges.clone(), brief.cancelled.clone());
        let crew = Crew::start(&process::handle(), jobs.threads, move || worker(brief.clone()))?;
        Some(Company { crew, joiner, counted, ranges, cancelled })
    }

    /// For dates in pieces: TZ as `BEGIN` has left it.
    pub(super) fn environment(&self) -> Environment {
        let mut environment = self.jobs.environment.clone();
        environment.variables.retain(|(name, _)| name != b"TZ");
        environment.variables.extend(self.machine.zone_name().map(|tz| (b"TZ".to_vec(), tz)));
        environment
    }

    pub(super) fn joiner(&self) -> Option<Joiner> {
        Joiner::new(self.machine, &self.jobs.plan).map_err(|why| self.alone.set(Some(why))).ok()
    }

    /// Passes on what workers wait for, when the coordinator has run this piece.
    pub(super) fn pass(&self, company: &Company, number: u64) {
        let plan = &self.jobs.plan;
        if plan.counts_records {
            let counted = self.machine.counted();
            company.counted.pass(number, |_| counted);
        }
        if plan.ranges > 0 {
            let ranges = self.machine.ranges(plan);
            company.ranges.pass(number, |_| ranges);
        }
    }

    fn batch(&mut self, batch: &Batch) -> Result<Continuation, Fatal> {
        let Some(cut) = self.machine.cut() else {
            self.alone.set(Some(NotJoined::Uncut));
            return Ok(Continuation::Serial);
        };
        let size = self.piece_size(batch.length());
        if batch.length() < size.saturating_add(2 * size.min(COORDINATORS_PART)) {
            return self.small(batch);
        }
        let boundaries = cut.finder();
        let last_record = match self.jobs.wants_last_record {
            true => LastRecord::Read,
            false => LastRecord::Unread,
        };
        let mut cutter = Cutter::new(batch, &boundaries, size, last_record);
        let first = &batch.operands[0];
        cutter.go_to(0, first.stdin_at.unwrap_or(0), None);
        if self.is_lead(first.begins()) {
            if let Some(continuation) = self.first_file(batch, &mut cutter)? {
                return Ok(continuation);
            }
        } else if !self.has_begun() || self.jobs.tables.begins_each_file() {
            match self.first_records(batch, &boundaries, &mut cutter)? {
                Continuation::Operands => {}
                other => return Ok(other),
            }
        }
        loop {
            if let Some(cluster) = self.jobs.cluster.clone() {
                match self.distant_pieces(batch, &mut cutter, &*cluster.cluster)? {
                    Some(continuation) => return Ok(continuation),
                    None => continue,
                }
            }
            let Some(company) = self.company() else {
                return self.continue_run(batch, &mut cutter);
            };
            if let Some(continuation) = self.pieces(batch, &mut cutter, company)? {
                return Ok(continuation);
            }
        }
    }

    /// In bytes. Joining an array costs the same however many records a piece has, so pieces are
    /// larger with arrays and without output.
    fn piece_size(&self, length: u64) -> u64 {
        let asked = self.jobs.piece_size.max(1);
        if self.jobs.cluster.is_some() {
            return asked;
        }
        let has_arrays = self.jobs.plan.shares.iter().any(|share| share.array && share.wanted);
        if !has_arrays && self.jobs.plan.counts_records {
            return asked.min(COUNTED_PIECE);
        }
        if !has_arrays || self.jobs.prints || asked < Parallel::PIECE_SIZE as u64 {
            return asked;
        }
        let share = length / (self.jobs.threads as u64 * PIECES_EACH);
        share.clamp(asked, asked.saturating_mul(MAX_LARGER))
    }

    /// Whether input that begins so comes before all pieces, because NR may be FNR in it.
    pub(super) fn is_lead(&self, begins: PieceStart) -> bool {
        let (nr, fnr) = self.machine.counted();
        let fnr = if begins == PieceStart::Operand { 0.0 } else { fnr };
        self.jobs.plan.lead == Lead::FirstFile && (nr < 1.0 || nr <= fnr)
    }

    /// The first file that has records; `None` if files of the batch follow.
    fn first_file(
        &mut self,
        batch: &Batch,
        cutter: &mut Cutter<'_>,
    ) -> Result<Option<Continuation>, Fatal> {
        for at in 0..batch.operands.len() {
            if self.has_begun() {
                cutter.go_to(at, 0, None);
                return Ok(None);
            }
            if let Some(continuation) = self.whole_file(batch, at)? {
                return Ok(Some(continuation));
            }
        }
        Ok(Some(Continuation::Operands))
    }

    /// The first records, so that no piece begins with record 1 or with a file's header.
    fn first_records(
        &mut self,
        batch: &Batch,
        boundaries: &Boundaries,
        cutter: &mut Cutter<'_>,
    ) -> Result<Continuation, Fatal> {
        let size = self.jobs.piece_size.clamp(1, COORDINATORS_PART);
        for (at, operand) in batch.operands.iter().enumerate() {
            let start = operand.stdin_at.unwrap_or(0);
            let Ok(file) = batch.open(operand) else { return Ok(Continuation::Serial) };
            let mut first = boundaries.boundary(
                &file,
                start,
                (start + size).min(operand.length),
                operand.length,
            );
            if let (Ok(end), true) = (&first, self.jobs.tables.header) {
                // One record more than the header.
                first =
                    boundaries.boundary(&file, *end, (end + 1).min(operand.length), operand.length);
            }
            let Ok(end) = first else { return Ok(Continuation::Serial) };
            self.machine.begin_file(operand.number, &operand.name);
            let is_last = at + 1 == batch.operands.len();
            let piece = Piece {
                operand: at,
                input: file.clone(),
                start,
                end,
                begins: operand.begins(),
                is_proved: true,
            };
            // The end of the last file is read as it comes.
            if end >= operand.length && is_last {
                return self.rest(batch, cutter, Some(&piece)).map(|continuation| {
                    if continuation == Continuation::Operands {
                        Continuation::Serial
                    } else {
                        continuation
                    }
                });
            }
            if !self.machine.run_range(self.source(&piece), self.watch)? {
                return Ok(Continuation::Exit);
            }
            if self.machine.skipped_file() || end >= operand.length {
                if is_last {
                    return Ok(Continuation::Serial);
                }
                cutter.go_to(at + 1, 0, None);
            } else {
                cutter.go_to(at, end, Some(file));
            }
            if self.has_begun() {
                return Ok(Continuation::Operands);
            }
            if end < operand.length {
                // Only separators are left: continues as a serial run.
                return self.rest(
                    batch,
                    cutter,
                    Some(&Piece { start: end, end: operand.length, ..piece }),
                );
            }
        }
        Ok(Continuation::Serial)
    }

    /// Each thread finds its next piece waiting, and the memory for output is bounded.
    pub(super) fn max_pending(&self) -> usize {
        2 * self.jobs.threads + 1
    }

    /// Gives pieces to the crew, joins and prints their results in order. `None` if a piece did not
    /// end at a record; the cutter has then returned to its beginning.
    fn pieces(
        &mut self,
        batch: &Batch,
        cutter: &mut Cutter<'_>,
        mut company: Company,
    ) -> Result<Option<Continuation>, Fatal> {
        let most = self.max_pending();
        let mut waiting: VecDeque<(u64, Piece)> = VecDeque::new();
        let mut given = 0;
        let mut all_given = false;
        let mut skipped = None;
        let mut rest_of_file = None;
        loop {
            while !all_given && company.crew.outstanding() < most {
                // If opening or reading fails the pieces end, and the coordinator reports it.
                match cutter.next() {
                    Ok(Some(piece)) => {
                        let name = batch.operands[piece.operand].name.clone();
                        waiting.push_back((given, piece.clone()));
                        company.crew.give(Job { number: given, piece, name });
                        given += 1;
                    }
                    Ok(None) => all_given = true,
                    Err(_) => {
                        all_given = true;
                        rest_of_file = Some(cutter.operand());
                    }
                }
            }
            let Some((number, piece)) = waiting.pop_front() else { break };
            let results = company.crew.take().flatten();
            if skipped == Some(piece.operand) {
                continue;
            }
            let operand = &batch.operands[piece.operand];
            if piece.begins != PieceStart::Nothing {
                self.machine.begin_file(operand.number, &operand.name);
            }
            let is_last = piece.operand + 1 == batch.operands.len();
            let file = if is_last { FileOrder::Last } else { FileOrder::Earlier };
            match self.take(&mut company.joiner, results, file)? {
                Some(PieceEnd::FileSkipped) => skipped = Some(piece.operand),
                Some(_) => {}
                None if !cutter.is_proved(&piece) => {
                    cutter.return_to(&piece);
                    return Ok(None);
                }
                None => {
                    if let Some(continuation) =
                        self.run_again(batch, cutter, &piece, &mut skipped)?
                    {
                        return Ok(Some(continuation));
                    }
                    self.pass(&company, number);
                    match self.joiner() {
                        Some(again) => company.joiner = again,
                        None => {
                            let after = piece.rest(operand.length);
                            return self.rest_after(batch, cutter, after, skipped).map(Some);
                        }
                    }
                }
            }
        }
        match rest_of_file {
            None => self.rest(batch, cutter, None).map(Some),
            Some(operand) if skipped == Some(operand) => Ok(Some(Continuation::Serial)),
            Some(_) => self.continue_run(batch, cutter).map(Some),
        }
    }

    /// Runs a piece whose results could not be joined, and after several of these the rest. `None`
    /// if other pieces follow.
    pub(super) fn run_again(
        &mut self,
        batch: &Batch,
        cutter: &mut Cutter<'_>,
        piece: &Piece,
        skipped: &mut Option<usize>,
    ) -> Result<Option<Continuation>, Fatal> {
        self.reruns += 1;
        self.counts.rerun += 1;
        if self.reruns >= MAX_RERUNS {
            self.alone.set(self.last);
            return self.rest(batch, cutter, Some(piece)).map(Some);
        }
        if !self.machine.run_range(self.source(piece), self.watch)? {
            return Ok(Some(Continuation::Exit));
        }
        if self.machine.skipped_file() {
            if piece.operand + 1 == batch.operands.len() {
                return Ok(Some(Continuation::Operands));
            }
            *skipped = Some(piece.operand);
        }
        Ok(None)
    }

    pub(super) fn continue_run(
        &mut self,
        batch: &Batch,
        cutter: &mut Cutter<'_>,
    ) -> Result<Continuation, Fatal> {
        match cutter.rest_of_file() {
            Some(piece) => self.rest(batch, cutter, Some(&piece)),
            None => Ok(Continuation::Serial),
        }
    }

    /// Files too small for a crew; larger ones may follow.
    fn small(&mut self, batch: &Batch) -> Result<Continuation, Fatal> {
        for at in 0..batch.operands.len() {
            if let Some(continuation) = self.whole_file(batch, at)? {
                return Ok(continuation);
            }
        }
        Ok(Continuation::Operands)
    }

    /// A file from its beginning to its end; `None` if others follow.
    fn whole_file(&mut self, batch: &Batch, at: usize) -> Result<Option<Continuation>, Fatal> {
        let operand = &batch.operands[at];
        let Some(piece) = batch.whole(at).ok().filter(|_| operand.stdin_at.is_none()) else {
            return Ok(Some(Continuation::Serial));
        };
        self.machine.begin_file(operand.number, &operand.name);
        let continues = self.machine.run_range(self.source(&piece), self.watch)?;
        Ok((!continues).then_some(Continuation::Exit))
    }

    /// Joins and prints a piece's results; `None` if the coordinator must run it.
    pub(super) fn take(
        &mut self,
        joiner: &mut Joiner,
        results: Option<Results>,
        file: FileOrder,
    ) -> Result<Option<PieceEnd>, Fatal> {
        let Some(end) = self.join(joiner, results.as_ref(), file) else { return Ok(None) };
        if let Some(results) = results {
            self.machine.count(results.records);
            self.machine.print(&joiner.printed(&results))?;
        }
        self.machine.report_progress()?;
        Ok(Some(end))
    }

    /// Joins a piece's results; `None` if the coordinator must run it.
    pub(super) fn join(
        &mut self,
        joiner: &mut Joiner,
        results: Option<&Results>,
        file: FileOrder,
    ) -> Option<PieceEnd> {
        self.last = Some(NotJoined::Abandoned);
        let results = results?;
        // After the last file, END reads the record that executed `nextfile`.
        if results.end == PieceEnd::Abandoned
            || (results.end == PieceEnd::FileSkipped && file == FileOrder::Last)
        {
            return None;
        }
        if let Err(why) = joiner.join(self.machine, &self.jobs.plan, results) {
            self.last = Some(why);
            if why == NotJoined::ManyKeys {
                // Other pieces have as many.
                self.reruns = MAX_RERUNS;
            }
            return None;
        }
        self.reruns = 0;
        self.counts.joined += 1;
        Some(results.end)
    }

    pub(super) fn rest_after(
        &mut self,
        batch: &Batch,
        cutter: &mut Cutter<'_>,
        after: Piece,
        skipped: Option<usize>,
    ) -> Result<Continuation, Fatal> {
        if skipped == Some(after.operand) {
            return Ok(Continuation::Serial);
        }
        self.rest(batch, cutter, Some(&after))
    }

    pub(super) fn rest(
        &mut self,
        batch: &Batch,
        cutter: &mut Cutter<'_>,
        from: Option<&Piece>,
    ) -> Result<Continuation, Fatal> {
        let piece = match from {
            Some(piece) => piece.clone(),
            None => {
                let Some(piece) = cutter.last_piece() else { return Ok(Continuation::Serial) };
                piece
            }
        };
        let operand: &Operand = &batch.operands[piece.operand];
        if piece.begins != PieceStart::Nothing && from.is_none() {
            self.machine.begin_file(operand.number, &operand.name);
        }
        // The file may have grown.
        let piece = piece.onwards();
        if operand.stdin_at.is_some() {
            self.machine.resume_stdin(piece.start)?;
            return Ok(Continuation::Serial);
        }
        if from.is_some() {
            self.machine.resume(self.source(&piece));
            return Ok(Continuation::Serial);
        }
        Ok(if self.machine.run_range(self.source(&piece), self.watch)? {
            Continuation::Operands
        } else {
            Continuation::Exit
        })
    }
}
