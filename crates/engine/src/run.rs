//! Connects the crates for a run, from its configuration to its outcome.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use riverhawk_awkio::sandbox::Access;
use riverhawk_bytecode::Unit as Bytecode;
use riverhawk_parallel::Plan;
use riverhawk_record::patterns::Patterns;
use riverhawk_syntax::ast::Extension;
use riverhawk_syntax::lint::Allowances;
use riverhawk_syntax::source::SourceMap;
use riverhawk_tools::debugger::{Console, Session};
use riverhawk_tools::profile::{CodeUse, Ticker, gather};
use riverhawk_tools::trace::Trace;
use riverhawk_vm::config::MachineConfig;
use riverhawk_vm::machine::{Counts, Ended, Machine};
use riverhawk_vm::profile::Recorder;
use riverhawk_vm::tier::PacedTier;
use riverhawk_vm::visits::Observer;
use riverhawk_vm::warning::Drawing;

use crate::cluster::SerialRest;
use crate::code::Code;
use crate::confine::{Directories, Enforced, confine};
use crate::executable::Executable;
use crate::parallel::remark;
use crate::parallel::{self, Jobs, PieceCounts};
use crate::pieces;
use crate::pool_log;
use crate::progress::Progress;
use crate::thread_role::ThreadRole;
use crate::tier::{Done, Watched};
use crate::{Config, Outcome, Renderer, RuntimeError, Stats, Streams};

/// For systems that cannot enforce a sandbox with commands.
const UNCONFINED: &str =
    "--sandbox: this system cannot keep commands to the list (no Landlock): leave out exec:all";

pub(crate) fn debug(
    executable: Executable<'_>,
    config: &Config,
    console: Box<dyn Console>,
) -> Outcome {
    let Executable { code, program, sources, .. } = executable;
    let session =
        Rc::new(RefCell::new(Session::new(code.bytecode.unit(), program, sources, console)));
    let mut outcome = Outcome::default();
    while session.borrow_mut().wait_for_run() {
        let observer = Session::observer(&session);
        outcome = run(executable, config.clone(), None, Some(observer));
        // What the debugger ended is not an error: gawk's status is 0 after `quit`, too.
        let count = outcome.errors.len();
        outcome.errors.retain(|error| !error.message.is_empty());
        if outcome.errors.is_empty() && count > 0 {
            outcome.status = 0;
        }
        let renderer = Renderer::plain("rhawk");
        let drawn = |error| renderer.runtime_error(sources, error);
        let errors: Vec<String> = outcome.errors.iter().map(drawn).collect();
        session.borrow_mut().ended(&errors, outcome.status);
    }
    // gawk's status.
    let status = if session.borrow().is_cut_off() { 2 } else { outcome.status };
    Outcome { errors: Vec::new(), status, ..outcome }
}

/// Runs the program. All errors are in the outcome, even that of the last flush.
pub(crate) fn run(
    executable: Executable<'_>,
    config: Config,
    streams: Option<Streams>,
    observer: Option<Box<dyn Observer>>,
) -> Outcome {
    try_run(executable, config, streams, observer).unwrap_or_else(|error| Outcome::failed(*error))
}

/// As [`run`]; an error prevents the run from beginning.
fn try_run(
    executable: Executable<'_>,
    mut config: Config,
    streams: Option<Streams>,
    observer: Option<Box<dyn Observer>>,
) -> Result<Outcome, Box<RuntimeError>> {
    let reports = &config.machine.reports;
    let code = match reports.data || reports.dump_variables {
        true => executable.code.with_all_variables(executable.program),
        false => executable.code,
    };
    let exact_sums = match pieces::keeps_sums(code, &config) {
        true => code.with_exact_sums(executable.program),
        false => None,
    };
    let code = exact_sums.map_or(code, |exact_sums| &exact_sums.code);
    let executable = Executable { code, ..executable };
    let Executable { program, sources, allowed, .. } = executable;
    let timed = config.machine.begin()?;
    let watched = executable.watch(&config)?;
    let workers = (config.parallel.jobs != 1).then(|| config.parallel.threads());
    let pool_log = pool_log::configure(&config.optimiser, workers).map_err(failed)?;
    confine_if_asked(code, &config.machine)?;
    let progress =
        config.tools.progress.then(|| Progress::begin(&config.machine.command_line.operands));
    let bytes = progress.as_ref().map(Progress::bytes).unwrap_or_default();
    let (jobs, remark) = pieces::jobs(executable, &config, &bytes, watched.as_deref());
    if let Some(remark) = remark.as_ref().filter(|_| refuses_serial(&config)) {
        return Err(Box::new(RuntimeError {
            span: remark.span,
            ..RuntimeError::new(remark.message.clone())
        }));
    }
    let reports_progress = config.machine.reports.progress.is_some();
    config.machine.reports.lint = code.lint;
    if config.machine.reports.drawing.is_none() {
        config.machine.reports.drawing = Some(drawing(&mut config, sources, allowed));
    }
    let patterns = Patterns::over(code.patterns.clone());
    let mut machine = match streams {
        Some(streams) => {
            let io = streams.into_io(config.machine.input.window_size);
            Machine::over(io, code.bytecode.clone(), patterns, config.machine)?
        }
        None => Machine::new(code.bytecode.clone(), patterns, config.machine)?,
    };
    if reports_progress || progress.is_some() || code.is_profiled() {
        machine.count_bytes(bytes.clone());
    }
    let meters = Meters::attach(&mut machine, code, progress);
    if let Some(observer) = observer {
        machine.observed_by(observer);
    } else if config.tools.trace {
        machine.observed_by(Box::new(Trace::new(&code.bytecode, sources)));
    }
    let how = match (&jobs, exact_sums) {
        (Some(jobs), _) => Phases::Pieces(jobs),
        (None, Some(exact_sums)) => Phases::ExactSums(&exact_sums.plan),
        (None, None) => Phases::Plain,
    };
    let (ended, pieces, done) = all_phases(machine, code, how, watched.as_ref());
    drop(meters);
    let bytes = bytes.load(Ordering::Relaxed);
    let stopped = timed.cause();
    drop((timed, pool_log));
    let profile = ended.profile.as_ref().map(|profile| {
        gather(profile, &done.code_use, [ended.counts.records, bytes], &code.bytecode, sources)
    });
    let alone = pieces.alone.map(|why| remark::about_run(program, why));
    let stats = config.tools.stats.then(|| Stats {
        counters: counters(&ended.counts, pieces, done.counters),
        notes: failed_guards(&done.code_use, &code.bytecode, sources),
    });
    Ok(Outcome {
        status: ended.status,
        errors: ended.errors,
        unreached: Vec::new(),
        remarks: remark.into_iter().chain(alone).collect(),
        stats,
        machine_code: done.machine_code,
        visits: ended.visits,
        profile,
        variables: ended.variables,
        records: ended.counts.records,
        stopped,
        data: ended.data,
    })
}

fn refuses_serial(config: &Config) -> bool {
    config.cluster.as_ref().is_some_and(|run| run.serial_rest == SerialRest::Refused)
}

fn failed(message: impl Into<String>) -> Box<RuntimeError> {
    Box::new(RuntimeError::new(message))
}

/// Lets the kernel enforce a sandbox for the rest of the process's life, if it can and the process
/// belongs to the run. Otherwise only the interpreter enforces it.
///
/// # Errors
/// Commands are allowed, which the interpreter cannot check, and the kernel cannot either.
fn confine_if_asked(code: &Code, config: &MachineConfig) -> Result<(), Box<RuntimeError>> {
    if !config.permissions.sandbox {
        return Ok(());
    }
    let allowed = config.permissions.allowed.clone().unwrap_or_default();
    let directories = match code.loads(Extension::Readdir) {
        true => Directories::Listed,
        false => Directories::Refused,
    };
    let enforced = match config.owns_process {
        true => confine(&config.command_line.operands, directories, &allowed),
        false => Enforced::Not,
    };
    let is_unconfined = config.owns_process && enforced == Enforced::Not;
    match is_unconfined && allowed.commands == Access::Granted {
        true => Err(failed(UNCONFINED)),
        false => Ok(()),
    }
}

fn drawing(config: &mut Config, sources: &Arc<SourceMap>, allowed: &Arc<Allowances>) -> Drawing {
    let renderer = config.tools.renderer.take().unwrap_or_else(|| {
        Renderer::plain(String::from_utf8_lossy(&config.machine.command_line.program_name))
    });
    let (sources, allowed) = (sources.clone(), allowed.clone());
    Drawing::new(move |warning| {
        let is_allowed = warning.span.is_some_and(|span| allowed.allows(&warning.message, span));
        (!is_allowed).then(|| renderer.run_warning(&sources, warning))
    })
}

/// Measures a run: progress, and the profile's timer.
struct Meters {
    _progress: Option<Progress>,
    _ticker: Option<Ticker>,
}

impl Meters {
    fn attach(machine: &mut Machine, code: &Code, progress: Option<Progress>) -> Meters {
        if let Some(line) = progress.as_ref().and_then(Progress::line) {
            machine.write_beside(line);
        }
        // A program that copies its process must have one thread, so it gets no timer.
        let ticks = code.is_profiled() && !code.loads(Extension::Fork);
        let ticker = ticks.then(Ticker::begin);
        if code.is_profiled() {
            let due = ticker.as_ref().map(Ticker::due);
            machine.profiled_by(Recorder::new(&code.bytecode, due));
        }
        Meters { _progress: progress, _ticker: ticker }
    }
}

/// How the phases of a program are run.
#[derive(Clone, Copy)]
enum Phases<'r> {
    Plain,
    ExactSums(&'r Plan),
    Pieces(&'r Jobs),
}

/// Runs the program, in pieces or not, watched or not.
fn all_phases(
    machine: Machine,
    code: &Code,
    how: Phases<'_>,
    watched: Option<&Arc<Watched>>,
) -> (Ended, PieceCounts, Done) {
    let Some(watched) = watched else {
        let (ended, pieces) = phases_under(machine, how, &mut PacedTier::none());
        return (ended, pieces, Done::default());
    };
    let mut watch = PacedTier::by(watched.watcher(code.bytecode.unit(), ThreadRole::First));
    let (ended, pieces) = phases_under(machine, how, &mut watch);
    (ended, pieces, watched.end(watch.tier))
}

fn phases_under(
    mut machine: Machine,
    how: Phases<'_>,
    watch: &mut PacedTier,
) -> (Ended, PieceCounts) {
    match how {
        Phases::Pieces(jobs) => parallel::run(machine, jobs, watch),
        Phases::ExactSums(plan) => {
            let phases = machine
                .phases_with_sums(plan, watch, |machine, watch| machine.records(watch).map(drop));
            (machine.finish(phases), PieceCounts::default())
        }
        Phases::Plain => (machine.run_watched(watch), PieceCounts::default()),
    }
}

/// The most frequent first.
fn failed_guards(code_use: &CodeUse, unit: &Bytecode, sources: &SourceMap) -> Vec<String> {
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

fn counters(
    counts: &Counts,
    pieces: PieceCounts,
    specialised: Vec<(&'static str, u64)>,
) -> Vec<(&'static str, u64)> {
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
    counters
}
