//! Pieces on other machines: the coordinator's side of it, and theirs.

use super::coordinator::{Continuation, Coordinator, Fatal, FileOrder};
use super::pieces::{Batch, Cutter, InputFiles, Piece, PieceStart};
use super::turns::{Turns, UNCOUNTED};
use super::worker::{Job, Worker, WorkerSetup};
use crate::cluster::{Cluster, MAX_ROUNDS, PieceNeeds, SerialRest};
use crate::code::ready;
use crate::executable::Executable;
use crate::parallel::analysis::analyse;
use crate::parallel::remark;
use crate::tier::Watched;
use crate::{Config, HostFunctions, Remark, RuntimeError, pieces};
use riverhawk_awkio::filesystem::OperandFiles;
use riverhawk_compile::{Mode, compile_with_notes};
use riverhawk_memory::SharedAccount;
use riverhawk_parallel::wire::{Message, checksum};
use riverhawk_parallel::{
    Before, FilePiece, FilePlace, FileVersion, Join, JoinResults, NotJoined, OutputPart, Parcel,
    PieceEnd, PieceInput, Plan, Results, Segment, Start,
};
use riverhawk_syntax::ast::Program;
use riverhawk_syntax::source::SourceMap;
use riverhawk_vm::config::Environment;
use std::sync::Arc;

/// A piece prints at most this much, and the leader runs it otherwise.
const OUTPUT_LIMIT: usize = 1 << 30;

/// Recognises a program and what its pieces are compiled with.
fn fingerprint(sources: &SourceMap, plan: &Plan, mode: Mode) -> u64 {
    let mut text = format!("{plan:?} {mode:?}").into_bytes();
    for piece in sources.pieces() {
        text.push(0);
        text.extend_from_slice(&piece.text);
    }
    checksum(&text)
}

fn failed(message: impl Into<String>) -> Fatal {
    Box::new(RuntimeError::new(message))
}

impl Coordinator<'_> {
    /// Whether the coordinator may run the rest of the input.
    ///
    /// # Errors
    /// It may not: why the rest cannot be run in pieces.
    pub(super) fn may_continue_alone(&self) -> Result<(), Fatal> {
        let is_refused =
            self.jobs.cluster.as_ref().is_some_and(|run| run.serial_rest == SerialRest::Refused);
        match self.alone.get().filter(|_| is_refused) {
            Some(why) => Err(failed(remark::about_run(&self.jobs.program, why).message)),
            None => Ok(()),
        }
    }

    fn start(&self) -> Option<Start> {
        let (jobs, environment) = (self.jobs, self.environment());
        if self.machine.output_coding().is_some() {
            self.alone.set(Some(NotJoined::State));
            return None;
        }
        let Some(state) = self.machine.state(&jobs.plan) else {
            self.alone.set(Some(NotJoined::State));
            return None;
        };
        Some(Start {
            fingerprint: fingerprint(&jobs.sources, &jobs.plan, jobs.mode),
            state,
            program_name: jobs.program_name.to_vec(),
            environment: environment.variables,
            assumed: environment.assumed,
            clock: jobs.clock,
            tables: jobs.tables,
            relaxed_sums: jobs.plan.relaxed_sums,
            keeps_variables: jobs.keeps_variables,
            decompress: self.machine.decompression(),
            window_size: jobs.window_size,
        })
    }

    /// Has all that is left of the batch run elsewhere, and joins and prints what comes back. `None`
    /// if a piece did not end at a record; the cutter has then returned to its beginning.
    pub(super) fn distant_pieces(
        &mut self,
        batch: &Batch,
        cutter: &mut Cutter<'_>,
        cluster: &dyn Cluster,
    ) -> Result<Option<Continuation>, Fatal> {
        let (Some(mut joiner), Some(start)) = (self.joiner(), self.start()) else {
            return self.continue_run(batch, cutter).map(Some);
        };
        let mut pieces = Vec::new();
        let mut rest_of_file = None;
        loop {
            match cutter.next() {
                Ok(Some(piece)) => pieces.push(file_piece(&piece, batch, pieces.len() as u64)),
                Ok(None) => break,
                // The coordinator reports it when it comes there.
                Err(_) => {
                    rest_of_file = Some(cutter.operand());
                    break;
                }
            }
        }
        let rounds = Rounds { plan: &self.jobs.plan, cluster, start: start.to_bytes() };
        let counted = self.machine.counted();
        rounds.number(&mut pieces, counted)?;
        let segments = rounds.run(&mut pieces, &self.machine.ranges(&self.jobs.plan))?;
        let mut skipped = None;
        for segment in segments {
            let first = segment.pieces[0];
            if first.place == FilePlace::Middle && skipped == Some(first.operand as usize) {
                continue;
            }
            self.begin_piece(batch, first.place, first.operand);
            let is_last = segment.pieces.iter().any(|piece| is_in_last_file(batch, piece.operand));
            let file = if is_last { FileOrder::Last } else { FileOrder::Earlier };
            if let Some(end) = self.join(&mut joiner, Some(&segment.results), file) {
                self.counts.joined += segment.pieces.len() as u64 - 1;
                for (at, piece) in segment.pieces.iter().enumerate() {
                    if at > 0 {
                        self.begin_piece(batch, piece.place, piece.operand);
                    }
                    self.machine.count(piece.records);
                }
                self.print_all(&segment.printed, cluster)?;
                if end == PieceEnd::FileSkipped {
                    skipped = segment.pieces.last().map(|piece| piece.operand as usize);
                }
                continue;
            }
            for (at, run) in segment.pieces.iter().enumerate() {
                let Some(piece) = pieces.get(run.number as usize) else { continue };
                if skipped == Some(run.operand as usize) {
                    continue;
                }
                if at > 0 {
                    self.begin_piece(batch, run.place, run.operand);
                }
                let piece = own_piece(piece, batch)?;
                if !cutter.is_proved(&piece) {
                    cutter.return_to(&piece);
                    return Ok(None);
                }
                if let Some(end) = self.run_again(batch, cutter, &piece, &mut skipped)? {
                    return Ok(Some(end));
                }
                match self.joiner() {
                    Some(again) => joiner = again,
                    None => {
                        let after = piece.rest(batch.operands[piece.operand].length);
                        return self.rest_after(batch, cutter, after, skipped).map(Some);
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

    fn begin_piece(&mut self, batch: &Batch, place: FilePlace, operand: u64) {
        if let (FilePlace::Beginning, Some(operand)) = (place, batch.operands.get(operand as usize))
        {
            self.machine.begin_file(operand.number, &operand.name);
        }
    }

    fn print_all(&mut self, printed: &[OutputPart], cluster: &dyn Cluster) -> Result<(), Fatal> {
        for printed in printed {
            match printed {
                OutputPart::Text(text) => self.machine.print(text)?,
                OutputPart::Elsewhere(name) => {
                    self.machine.flush()?;
                    cluster.insert(name).map_err(failed)?;
                }
            }
        }
        self.machine.report_progress()
    }
}

fn is_in_last_file(batch: &Batch, operand: u64) -> bool {
    operand + 1 == batch.operands.len() as u64
}

fn file_piece(piece: &Piece, batch: &Batch, number: u64) -> FilePiece {
    let operand = &batch.operands[piece.operand];
    FilePiece {
        number,
        operand: piece.operand as u64,
        name: operand.name.to_vec(),
        version: operand.version,
        form: operand.form,
        section: piece.input.section(),
        start: piece.start,
        end: piece.end,
        place: match piece.begins {
            PieceStart::Nothing => FilePlace::Middle,
            PieceStart::Operand | PieceStart::Unnamed => FilePlace::Beginning,
        },
        is_last_file: is_in_last_file(batch, piece.operand as u64),
        is_proved: piece.is_proved,
        counted: UNCOUNTED,
        ranges: Vec::new(),
    }
}

/// The piece for the coordinator.
fn own_piece(piece: &FilePiece, batch: &Batch) -> Result<Piece, Fatal> {
    let operand = &batch.operands[piece.operand as usize];
    let file = open(piece, batch.files()).map_err(failed)?;
    Ok(Piece {
        operand: piece.operand as usize,
        input: batch.files().text(file, piece.form).of_section(piece.section),
        start: piece.start,
        end: piece.end,
        begins: match piece.place {
            FilePlace::Beginning => operand.begins(),
            FilePlace::Middle => PieceStart::Nothing,
        },
        is_proved: piece.is_proved,
    })
}

/// The piece's file as it is stored, if it is the one that was cut.
fn open(piece: &FilePiece, files: &InputFiles) -> Result<PieceInput, String> {
    let (file, version) = files
        .open(&piece.name)
        .map_err(|error| format!("cannot open {}: {error}", name_of(piece)))?;
    check(version, piece)?;
    Ok(file)
}

fn name_of(piece: &FilePiece) -> String {
    let path = piece.name.split(|&byte| byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(path).into_owned()
}

fn check(found: FileVersion, piece: &FilePiece) -> Result<(), String> {
    if found == piece.version {
        return Ok(());
    }
    let (name, expected) = (name_of(piece), piece.version.length);
    Err(match found.length == expected {
        true => format!("{name} has changed during the run: its time of modification is another"),
        false => format!(
            "{name} has changed during the run: it had {expected} bytes and has {}",
            found.length
        ),
    })
}

/// What the other machines are asked for, one thing after the other.
struct Rounds<'r> {
    plan: &'r Plan,
    cluster: &'r dyn Cluster,
    start: Vec<u8>,
}

impl Rounds<'_> {
    /// Counts the records, if the program needs it.
    fn number(&self, pieces: &mut [FilePiece], (mut nr, mut fnr): (f64, f64)) -> Result<(), Fatal> {
        if !self.plan.counts_records || pieces.is_empty() {
            return Ok(());
        }
        let messages: Vec<Vec<u8>> = pieces.iter().map(Message::to_bytes).collect();
        let counts = self.cluster.count(&self.start, &messages).map_err(failed)?;
        if counts.len() != pieces.len() {
            return Err(failed("the cluster has not counted the records of all pieces"));
        }
        for (piece, records) in pieces.iter_mut().zip(counts) {
            if piece.place == FilePlace::Beginning {
                fnr = 0.0;
            }
            piece.counted = (nr, fnr);
            (nr, fnr) = (nr + records as f64, fnr + records as f64);
        }
        Ok(())
    }

    /// Runs the pieces, with guesses of the open ranges again until they are right.
    fn run(&self, pieces: &mut [FilePiece], open: &[bool]) -> Result<Vec<Segment>, Fatal> {
        pieces.iter_mut().for_each(|piece| piece.ranges = open.to_vec());
        let mut segments = self.round(pieces)?;
        for _ in 0..MAX_ROUNDS {
            let wrong = correct(pieces, &segments, open);
            if wrong.is_empty() {
                break;
            }
            let again: Vec<FilePiece> = wrong.iter().map(|&at| pieces[at].clone()).collect();
            for segment in self.round(&again)? {
                let number = segment.pieces[0].number as usize;
                segments[number] = segment;
            }
        }
        Ok(segments)
    }

    fn round(&self, pieces: &[FilePiece]) -> Result<Vec<Segment>, Fatal> {
        if pieces.is_empty() {
            return Ok(Vec::new());
        }
        let messages: Vec<Vec<u8>> = pieces.iter().map(Message::to_bytes).collect();
        let mut segments = Vec::new();
        for bytes in self.cluster.run(&self.start, &messages).map_err(failed)? {
            let parcel = Parcel::from_bytes(&bytes).map_err(|error| failed(error.to_string()))?;
            segments.extend(parcel.segments);
        }
        match is_complete(pieces, &segments) {
            true => Ok(segments),
            false => Err(failed("the cluster has not returned the results of all pieces in order")),
        }
    }
}

/// Whether there are results of all pieces in order, except those that `nextfile` may have skipped:
/// within a segment it is not known any more which they were.
fn is_complete(pieces: &[FilePiece], segments: &[Segment]) -> bool {
    let mut runs = segments.iter().flat_map(|segment| &segment.pieces).peekable();
    let mut file = None;
    for piece in pieces {
        if runs.next_if(|run| run.number == piece.number).is_some() {
            file = Some(piece.operand);
        } else if piece.place == FilePlace::Beginning || file != Some(piece.operand) {
            return false;
        }
    }
    runs.next().is_none()
}

/// Corrects the guesses of pieces that started with wrong ones, and returns them.
fn correct(pieces: &mut [FilePiece], segments: &[Segment], open: &[bool]) -> Vec<usize> {
    let mut wrong = Vec::new();
    if open.is_empty() {
        return wrong;
    }
    let mut open = open.to_vec();
    for (at, segment) in segments.iter().enumerate() {
        let (guessed, after) = &segment.results.ranges;
        if segment.results.end == PieceEnd::Abandoned {
            // Only the leader finds out.
            continue;
        }
        if *guessed == open {
            open.clone_from(after);
            continue;
        }
        pieces[at].ranges.clone_from(&open);
        wrong.push(at);
        // A single range that opened or closed is afterwards as it is either way.
        if segment.results.ranges_met && after.len() == 1 {
            open.clone_from(after);
        }
    }
    wrong
}

/// What running the program in pieces takes, or why it cannot.
pub(crate) fn piece_needs(program: &Program) -> Result<PieceNeeds, Remark> {
    let analysis = analyse(program);
    let remark = remark::about_program(&analysis);
    match (analysis.plan, remark) {
        (Some((plan, _)), None) if plan.drops_output() => {
            Err(remark::about_options(remark::SerialReason::Distinct))
        }
        (Some((plan, _)), None) => Ok(PieceNeeds {
            joins: plan.shares.iter().any(|share| share.wanted && share.join != Join::Constant),
            counts_records: plan.counts_records,
            guesses_ranges: plan.ranges > 0,
        }),
        (_, remark) => Err(remark.unwrap_or_else(|| Remark {
            span: None,
            message: "the program reads no records".to_owned(),
        })),
    }
}

/// Runs pieces on another machine than the one that leads.
pub struct PieceWorker {
    worker: Worker,
    plan: Arc<Plan>,
    files: InputFiles,
}

impl std::fmt::Debug for PieceWorker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PieceWorker").field("plan", &self.plan).finish_non_exhaustive()
    }
}

impl PieceWorker {
    pub(crate) fn new(
        executable: Executable<'_>,
        start: Start,
        host_functions: HostFunctions,
        elsewhere: Option<Arc<dyn OperandFiles>>,
    ) -> Result<PieceWorker, String> {
        let Executable { code, program, sources, .. } = executable;
        let unlike = || {
            "the program on this machine is not the one that leads: compile the same text with the same options".to_owned()
        };
        let Start { tables, relaxed_sums, keeps_variables, .. } = start;
        let (plan, notes) = analyse(program)
            .plan
            .filter(|(plan, _)| !plan.drops_output())
            .and_then(|(plan, notes)| {
                let conditions = pieces::Conditions { tables, relaxed_sums, keeps_variables };
                pieces::completed(plan, notes, program, conditions)
            })
            .ok_or_else(unlike)?;
        let mode = Mode { profiled: false, keeps_variables, ..code.mode };
        if fingerprint(sources, &plan, mode) != start.fingerprint
            || start.state.globals.len() < plan.globals
        {
            return Err(unlike());
        }
        let bytecode = compile_with_notes(program, mode, &notes).map_err(|_| unlike())?;
        let (bytecode, patterns) = ready(bytecode, code.unit).ok_or_else(unlike)?;
        let watched = executable.watch(&Config::default()).map_err(|error| error.message)?;
        let plan = Arc::new(plan);
        let files = InputFiles { elsewhere, decompress: start.decompress };
        let setup = WorkerSetup {
            patterns,
            code: bytecode,
            plan: plan.clone(),
            state: Arc::new(start.state),
            counted: Arc::new(Turns::new((1.0, 1.0))),
            ranges: Arc::new(Turns::new(Vec::new())),
            cancelled: Arc::default(),
            progress: Arc::default(),
            program_name: start.program_name.into(),
            environment: Arc::new(Environment {
                variables: start.environment,
                assumed: start.assumed,
            }),
            clock: start.clock,
            window_size: start.window_size,
            watched: watched.as_deref().map(Watched::sibling),
            tables: start.tables,
            host_functions,
            coding: None,
            account: SharedAccount::of_this_thread(),
            helper: None,
            output_limit: OUTPUT_LIMIT,
        };
        let worker = Worker::new(setup).ok_or("a piece cannot start from these variables")?;
        Ok(PieceWorker { worker, plan, files })
    }

    /// The number of a piece's records.
    ///
    /// # Errors
    /// The file cannot be read, or is another than the one that was cut.
    pub fn count(&mut self, piece: &FilePiece) -> Result<u64, String> {
        let job = self.job(piece)?;
        let count = self.worker.count_records(&job)?;
        self.check_after(piece)?;
        Ok(count)
    }

    /// Runs a piece. An error of the program is not one of this function: the parcel says that the
    /// leader has to run the piece.
    ///
    /// # Errors
    /// The file cannot be opened, or is another than the one that was cut.
    pub fn run(&mut self, piece: &FilePiece) -> Result<Parcel, String> {
        let job = self.job(piece)?;
        let before = Before {
            name: piece.name.as_slice().into(),
            counted: piece.counted,
            ranges: piece.ranges.clone(),
            coding: None,
            must_end: !piece.is_proved,
        };
        let results = self.worker.run_from(&job, &before);
        self.check_after(piece)?;
        Ok(Parcel::new(piece, results))
    }

    fn job(&self, piece: &FilePiece) -> Result<Job, String> {
        let stored = open(piece, &self.files)?;
        let input = self.files.text(stored, piece.form).of_section(piece.section);
        let piece = Piece {
            operand: piece.operand as usize,
            input,
            start: piece.start,
            end: piece.end,
            begins: PieceStart::Nothing,
            is_proved: piece.is_proved,
        };
        Ok(Job { number: 0, piece, name: Arc::default() })
    }

    /// Whether the file is still the one that was cut.
    fn check_after(&self, piece: &FilePiece) -> Result<(), String> {
        open(piece, &self.files).map(drop)
    }

    /// The strands of a parcel, which are joined with those of other parcels each on its own.
    pub fn split(&self, parcel: Parcel, strands: usize) -> Vec<Parcel> {
        parcel.split(&self.plan, strands)
    }

    /// Joins the parcels of pieces that follow each other, those in the middle first, so that each
    /// element of an array is copied a logarithm of times. Any order of joining neighbours gives the
    /// same result for the leader.
    pub fn join(&mut self, mut parcels: Vec<Parcel>) -> Parcel {
        while parcels.len() > 1 {
            let mut pairs = parcels.into_iter();
            let mut joined = Vec::new();
            while let Some(mut earlier) = pairs.next() {
                if let Some(later) = pairs.next() {
                    earlier.join(later, self);
                }
                joined.push(earlier);
            }
            parcels = joined;
        }
        parcels.pop().unwrap_or_default()
    }
}

impl JoinResults for PieceWorker {
    fn join_results(&mut self, earlier: &Results, later: &Results) -> Option<Results> {
        self.worker.join(earlier, later)
    }
}
