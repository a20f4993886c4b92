//! The wiring to the compiler and the virtual machine: the only file of this crate that names them.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fmt;
use std::os::unix::ffi::OsStringExt;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use riverhawk_awkio::sandbox::Access;
use riverhawk_awkio::time_limit;
use riverhawk_awkio::{BrokenPipe, note_interrupts, take_over_sigpipe};
use riverhawk_bytecode::{RegexSpelling, Unit as Bytecode};
use riverhawk_compile::{Mode, Notes};
use riverhawk_parallel::{Join, Plan, Slot};
use riverhawk_record::patterns::Patterns;
use riverhawk_record::table::Tables;
use riverhawk_syntax::Visit;
use riverhawk_syntax::ast::{Expr, ExprKind, Extension, GlobalId, Place, Program, Special};
use riverhawk_syntax::diagnostic::Diagnostic;
use riverhawk_syntax::source::SourceMap;
use riverhawk_text::Unit;
use riverhawk_value::number::{DecimalPoint, NumberSyntax};
use riverhawk_vm::config::Config;
use riverhawk_vm::lint::Level;
use riverhawk_vm::machine::{Counts, Ended, Machine, Setup};
use riverhawk_vm::profile::Recorder;
use riverhawk_vm::tier::{NoTier, Tier};
use riverhawk_vm::visits::Observer;
use riverhawk_vm::warning::Drawing;

use crate::confine::{Directories, Enforced, confine};
use crate::debugger::{Console, Handle, Session};
use crate::parallel::analysis::analyse;
use crate::parallel::remark::{self, Against};
use crate::parallel::{self, Jobs, PieceCounts};
use crate::pool_log;
use crate::profile::{CodeUse, Ticker, gather};
use crate::progress::Progress;
use crate::thread_role::ThreadRole;
use crate::tier::{Done, Watched};
use crate::trace::Trace;
use crate::{CompileOptions, Outcome, Remark, Renderer, RunOptions, RuntimeError, Stats};

/// What is said where a sandbox with commands cannot be.
const UNCONFINED: &str =
    "--sandbox: this system cannot keep commands to the list (no Landlock): leave out exec:all";

/// What the virtual machine runs.
pub(crate) struct Code {
    bytecode: Rc<Bytecode>,
    unit: Unit,
    /// The constant patterns, compiled when the program was, for the first run to take.
    patterns: RefCell<Option<Patterns>>,
    mode: Mode,
    /// No part of a run is other threads' work.
    serial: bool,
    /// What lint warns of while it runs.
    lint: Level,
}

impl Code {
    /// Whether the program tells where it is.
    fn is_profiled(&self) -> bool {
        !self.bytecode.rules.is_empty()
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code")
            .field("operations", &self.bytecode.code.len())
            .finish_non_exhaustive()
    }
}

/// Why a tree cannot be translated.
pub(crate) struct Rejected {
    pub diagnostics: Vec<Diagnostic>,
    /// What the command ends with.
    pub status: u8,
}

/// Translates the tree.
pub(crate) fn generate(program: &Program, options: &CompileOptions) -> Result<Code, Rejected> {
    let lint = match options.lint.filter(|lint| lint.suspicious) {
        Some(lint) => Level { on: true, extensions: lint.extensions, fatal: options.lint_is_fatal },
        None => Level::OFF,
    };
    let warns = lint.on || options.assigns_lint || assigns_lint(program);
    let mode = Mode {
        timed: options.timed,
        observed: options.observed,
        profiled: options.profiled,
        warns,
        precise: options.precise,
        exact: options.exact_integers,
    };
    let mut bytecode = riverhawk_compile::compile_as(program, mode)
        .map_err(|diagnostic| Rejected { diagnostics: vec![diagnostic], status: 1 })?;
    if options.quiet {
        bytecode.getline_loops.clear();
    }
    let unit = match (options.bytes, options.graphemes) {
        (true, _) => Unit::Byte,
        (false, true) => Unit::Grapheme,
        (false, false) => Unit::CodePoint,
    };
    let patterns = Patterns::new(&bytecode, unit).map_err(|invalid| Rejected {
        diagnostics: vec![Diagnostic::error(invalid.span, invalid.error.message, "")],
        status: if invalid.spelling == RegexSpelling::Typed { Outcome::FATAL } else { 1 },
    })?;
    let serial = options.observed || warns || options.precise;
    Ok(Code {
        bytecode: Rc::new(bytecode),
        mode,
        unit,
        patterns: RefCell::new(Some(patterns)),
        serial,
        lint,
    })
}

/// Whether a program assigns `LINT`, which may turn warnings on while it runs.
fn assigns_lint(program: &Program) -> bool {
    let is_lint = |expr: &Expr| matches!(expr.kind, ExprKind::Var(Place::Special(Special::Lint)));
    program.exprs.iter().any(is_lint)
}

/// Whether arithmetic is of any precision.
pub(crate) fn is_precise(code: &Code) -> bool {
    code.bytecode.precise
}

/// Lists the instructions.
pub(crate) fn dump(code: &Code) -> String {
    riverhawk_bytecode::dump::dump(&code.bytecode)
}

/// Runs the code under a debugger, until the user has had enough.
pub(crate) fn debug(
    code: &Code,
    program: &Arc<Program>,
    sources: &Arc<SourceMap>,
    options: &RunOptions,
    console: Box<dyn Console>,
) -> Outcome {
    let session = Rc::new(RefCell::new(Session::new(&code.bytecode, program, sources, console)));
    let mut outcome = Outcome::default();
    while session.borrow_mut().wait_for_run() {
        let observer: Box<dyn Observer> = Box::new(Handle(session.clone()));
        outcome = run(code, program, sources, options.clone(), Some(observer));
        // What the debugger itself ended is no error, and no failure: gawk's status is 0 after
        // `quit`, too.
        let count = outcome.errors.len();
        outcome.errors.retain(|error| !error.message.is_empty());
        if outcome.errors.is_empty() && count > 0 {
            outcome.status = 0;
        }
        session.borrow_mut().ended(&outcome, sources);
    }
    // As gawk's.
    let status = if session.borrow().cut_off { 2 } else { outcome.status };
    Outcome { errors: Vec::new(), status, ..outcome }
}

/// The counts of a run by the place they are of.
pub(crate) fn counts(code: &Code, visits: &[u64]) -> HashMap<Visit, u64> {
    let mut counts = HashMap::new();
    for ((visit, _), count) in code.bytecode.visits.iter().zip(visits) {
        *counts.entry(*visit).or_default() += count;
    }
    counts
}

/// Runs the code; every error, also one of the last flush, is in the outcome.
pub(crate) fn run(
    code: &Code,
    program: &Arc<Program>,
    sources: &Arc<SourceMap>,
    mut options: RunOptions,
    observer: Option<Box<dyn Observer>>,
) -> Outcome {
    if let Some(Err(message)) = options.config.limits.memory.map(riverhawk_vm::memory::limit) {
        return Outcome::failed(RuntimeError::new(message));
    }
    // JSON has a period everywhere.
    if options.config.tables.is_json() {
        options.config.locale.decimal_point = DecimalPoint::Period;
    }
    // The specialiser knows nothing of what only an observed program does, nor of numbers that are
    // read in another way.
    let locale = &options.config.locale;
    let plain_numbers =
        locale.numbers == NumberSyntax::Decimal && locale.decimal_point == DecimalPoint::Period;
    let specialises = !code.serial && plain_numbers;
    // `fork` copies this thread only, and what goes backwards looks at a variable that machine code
    // may hold.
    let watches = specialises && !runs_unwatched(code);
    let watched = watches.then(|| Watched::new(&options.optimising, sources, &code.bytecode));
    let watched = match watched.transpose().map(Option::flatten) {
        Ok(watched) => watched,
        Err(message) => return Outcome::failed(RuntimeError::new(message)),
    };
    let workers = (options.jobs != 1).then(|| threads(options.jobs));
    let pool_log = match pool_log::configure(&options.optimising, workers) {
        Ok(pool_log) => pool_log,
        Err(message) => return Outcome::failed(RuntimeError::new(message)),
    };
    let broken_pipe = if options.owns_process { take_over_sigpipe() } else { BrokenPipe::Report };
    let parts = Parts {
        // Other threads read decimal numbers only, and nobody looks at them.
        jobs: if specialises && !code.is_profiled() { options.jobs } else { 1 },
        piece_size: options.piece_size,
        relaxed_sums: options.relaxed_sums,
        window: options.config.input.window,
        program_name: options.program_name.clone().into_vec().into(),
        tables: options.config.tables,
    };
    let timed = match options.config.limits.time.map(time_limit::begin).transpose() {
        Ok(timed) => timed,
        Err(error) => {
            return Outcome::failed(RuntimeError::new(format!("cannot limit the time: {error}")));
        }
    };
    if options.config.input.follow
        && options.owns_process
        && let Err(error) = note_interrupts()
    {
        return Outcome::failed(RuntimeError::new(format!("cannot wait for signals: {error}")));
    }
    if options.config.limits.sandbox {
        let allowed = options.config.limits.allowed.clone().unwrap_or_default();
        let directories = match code.bytecode.extensions.contains(&Extension::Readdir) {
            true => Directories::Listed,
            false => Directories::Refused,
        };
        let enforced = match options.owns_process {
            true => confine(&options.operands, directories, &allowed),
            false => Enforced::Not,
        };
        // Where the kernel cannot, the interpreter alone sees to it. It does not see what commands
        // do.
        if enforced == Enforced::Not && allowed.commands == Access::Granted {
            return Outcome::failed(RuntimeError::new(UNCONFINED));
        }
    }
    let against = against_pieces(code, &options, plain_numbers);
    let (tools, follows) = (options.config.tools, options.config.input.follow);
    let operands = if tools.progress { options.operands.clone() } else { Vec::new() };
    let renderer = options
        .renderer
        .unwrap_or_else(|| Renderer::plain(options.program_name.to_string_lossy().into_owned()));
    let warned_of = sources.clone();
    let drawing = Drawing::new(move |warning| renderer.run_warning(&warned_of, warning));
    let setup = Setup {
        program_name: options.program_name.into_vec(),
        operands: options.operands.into_iter().map(OsStringExt::into_vec).collect(),
        command_line: options.command_line.into_iter().map(OsStringExt::into_vec).collect(),
        assignments: options
            .assignments
            .iter()
            .map(|assignment| (assignment.name().to_owned(), assignment.value().to_vec()))
            .collect(),
        environment: bytes(options.environment),
        assumed_environment: bytes(options.assumed_environment),
        config: options.config,
        unit: code.unit,
        ends_with_process: options.owns_process,
        broken_pipe,
        lint: code.lint,
        drawing: Some(drawing),
    };
    let patterns = match code.patterns.take() {
        Some(patterns) => patterns,
        None => match Patterns::new(&code.bytecode, code.unit) {
            Ok(patterns) => patterns,
            Err(invalid) => {
                return Outcome::failed(RuntimeError::new(invalid.error.message).at(invalid.span));
            }
        },
    };
    match Machine::new(code.bytecode.clone(), patterns, setup) {
        Ok(mut machine) => {
            let progress = tools.progress.then(|| Progress::begin(&operands));
            if follows {
                machine.follow_files();
            }
            if let Some(progress) = &progress {
                machine.count_bytes(progress.bytes());
                if let Some(line) = progress.line() {
                    machine.write_beside(line);
                }
            }
            let bytes = progress.as_ref().map(Progress::bytes).unwrap_or_default();
            // A program that copies its process has one thread: then there is no timer.
            let ticks = code.is_profiled() && !code.bytecode.extensions.contains(&Extension::Fork);
            let ticker = ticks.then(Ticker::begin);
            if code.is_profiled() {
                machine.count_bytes(bytes.clone());
                machine
                    .profiled_by(Recorder::new(&code.bytecode, ticker.as_ref().map(Ticker::due)));
            }
            if let Some(observer) = observer {
                machine.observed_by(observer);
            } else if tools.trace {
                machine.observed_by(Box::new(Trace::new(&code.bytecode, sources)));
            }
            let (jobs, remark) = match against {
                Some(against) => (None, Some(remark::about_options(against))),
                None => jobs(code, program, &parts, progress.as_ref(), watched.as_deref()),
            };
            let mut done = Done::default();
            let (ended, pieces) = match &watched {
                Some(watched) => {
                    let mut watcher = watched.watcher(&code.bytecode, ThreadRole::First);
                    let ended = all_phases(machine, jobs.as_ref(), &mut watcher);
                    done = watched.end(watcher);
                    ended
                }
                None => all_phases(machine, jobs.as_ref(), &mut NoTier),
            };
            drop((progress, ticker, timed, pool_log));
            let counts = [ended.counts.records, bytes.load(Ordering::Relaxed)];
            let profile = ended
                .profile
                .as_ref()
                .map(|profile| gather(profile, &done.code_use, counts, &code.bytecode, sources));
            let notes = if tools.stats {
                notes(&done.code_use, &code.bytecode, sources)
            } else {
                Vec::new()
            };
            let stats = tools.stats.then(|| stats(&ended.counts, pieces, done.counters, notes));
            Outcome {
                status: ended.status,
                errors: ended.errors,
                unreached: Vec::new(),
                remarks: remark
                    .into_iter()
                    .chain(pieces.alone.map(|why| remark::about_run(program, why)))
                    .collect(),
                stats,
                machine_code: done.machine_code,
                visits: ended.visits,
                profile,
                variables: ended.variables,
            }
        }
        Err(error) => Outcome::failed(*error),
    }
}

/// Variables of an environment.
fn bytes(variables: Vec<(OsString, OsString)>) -> Vec<(Vec<u8>, Vec<u8>)> {
    variables.into_iter().map(|(name, value)| (name.into_vec(), value.into_vec())).collect()
}

/// Whether a program has loaded what can do nothing with the specialiser.
fn runs_unwatched(code: &Code) -> bool {
    code.bytecode.extensions.iter().any(|of| matches!(of, Extension::Fork | Extension::Revoutput))
}

/// Runs the program to its end, in pieces or not.
fn all_phases(machine: Machine, jobs: Option<&Jobs>, tier: &mut impl Tier) -> (Ended, PieceCounts) {
    match jobs {
        Some(jobs) => parallel::run(machine, jobs, tier),
        None => (machine.run_watched(tier), PieceCounts::default()),
    }
}

/// What of the options says how a run is cut into pieces.
struct Parts {
    jobs: usize,
    piece_size: usize,
    relaxed_sums: bool,
    window: usize,
    program_name: Arc<[u8]>,
    tables: Tables,
}

/// Why a run that was to be in pieces cannot be, whatever the program does.
fn against_pieces(code: &Code, options: &RunOptions, plain_numbers: bool) -> Option<Against> {
    let Config { input, output, tables, locale, limits, .. } = &options.config;
    let is_limited = limits.time.is_some() || limits.record.is_some() || limits.output.is_some();
    let checks = [
        (code.bytecode.precise, Against::Precise),
        (!plain_numbers || locale.collation.is_some(), Against::Numbers),
        (code.serial || code.is_profiled(), Against::Observed),
        (output.in_place.is_some(), Against::InPlace),
        (input.follow, Against::Followed),
        (is_limited, Against::Limited),
        (tables.are_whole(), Against::Whole),
    ];
    let found = checks.into_iter().find(|(is_so, _)| *is_so).map(|(_, against)| against);
    found.filter(|_| threads(options.jobs) > 1)
}

/// How many threads are asked for.
fn threads(jobs: usize) -> usize {
    match jobs {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        jobs => jobs,
    }
}

/// How the program is run in pieces; `None` when it is not asked for, or not proved to give the
/// same bytes, which is then remarked on.
fn jobs(
    code: &Code,
    program: &Arc<Program>,
    parts: &Parts,
    progress: Option<&Progress>,
    watched: Option<&Watched>,
) -> (Option<Jobs>, Option<Remark>) {
    let threads = threads(parts.jobs);
    if threads < 2 {
        return (None, None);
    }
    let analysis = analyse(program);
    let remark = remark::about_program(&analysis);
    let prints = analysis.rules.iter().any(|rule| rule.prints);
    let Some((mut plan, notes)) = analysis.plan else { return (None, remark) };
    if parts.tables.is_json() {
        match with_names_of_each_record(plan, program) {
            Some(changed) => plan = changed,
            None => return (None, None),
        }
    }
    let jobs = Jobs {
        program: program.clone(),
        plan: Arc::new(Plan { relaxed_sums: parts.relaxed_sums, ..plan }),
        notes: Arc::new(if parts.relaxed_sums {
            Notes { addends: HashSet::new(), ..notes }
        } else {
            notes
        }),
        threads,
        piece_size: parts.piece_size as u64,
        prints,
        progress: progress.map(Progress::bytes).unwrap_or_default(),
        program_name: parts.program_name.clone(),
        mode: Mode { profiled: false, ..code.mode },
        unit: code.unit,
        window: parts.window,
        watched: watched.map(Watched::sibling),
        tables: parts.tables,
    };
    (Some(jobs), None)
}

/// With records of JSON FIELDS is made anew for each, so nothing of it is to be joined. Rules that
/// assign it are not proved.
fn with_names_of_each_record(mut plan: Plan, program: &Program) -> Option<Plan> {
    let Some(fields) = program.globals.iter().position(|global| global.name == "FIELDS") else {
        return Some(plan);
    };
    for share in
        plan.shares.iter_mut().filter(|share| share.slot == Slot::Global(GlobalId(fields as u32)))
    {
        match share.join {
            Join::Constant | Join::Keys => (share.join, share.wanted) = (Join::Constant, false),
            _ => return None,
        }
    }
    Some(plan)
}

/// The guards of machine code that failed, the most frequent first.
fn notes(code_use: &CodeUse, unit: &Bytecode, sources: &SourceMap) -> Vec<String> {
    let mut guards: Vec<_> =
        code_use.fallbacks.iter().filter(|(_, _, is_guard, _)| *is_guard).collect();
    guards.sort_by_key(|&&(at, _, _, count)| (std::cmp::Reverse(count), at));
    let note = |&&(at, ref reason, _, count): &&(u32, String, bool, u64)| {
        let span = unit.spans.get(at as usize).copied().unwrap_or_default();
        let at =
            sources.locate(span).map(|at| format!(" at {}:{}:{}", at.name, at.line, at.column));
        format!("{count} x guard{}: {reason}", at.unwrap_or_default())
    };
    guards.iter().map(note).collect()
}

fn stats(
    counts: &Counts,
    pieces: PieceCounts,
    specialised: Vec<(&'static str, u64)>,
    notes: Vec<String>,
) -> Stats {
    let mut counters = vec![
        ("records of the main input", counts.records),
        ("bytes read from the last file", counts.bytes_read),
        ("bytes moved in its window", counts.bytes_moved),
        ("reads", counts.refills),
        ("registers at the deepest call", counts.registers),
        ("pieces run by other threads", pieces.joined),
        ("pieces run again by the first", pieces.rerun),
    ];
    counters.extend(specialised);
    Stats { counters, notes }
}
