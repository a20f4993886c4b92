//! The tier of one thread. It counts jumps and calls, logs types for the specialiser when that
//! pays, and decides where to enter machine code, and whether to keep it after a guard has failed.

use super::candidates::{Head, Made, certain_type};
use super::code_use::CodeUseCounts;
use super::facts::OP_BYTES;
use super::watched::{Done, Frame, Known, Watched};
use crate::Optimiser;
use crate::thread_role::ThreadRole;
use riverhawk_bytecode::{CodeAt, FrameId, Unit};
use riverhawk_spesh::ir::{ExitReason, FrameName, may_gain_called_back};
use riverhawk_spesh::{
    ArgumentShape, Callsite, CandidateVerdict, CorrelationId, Logger, OperatorOutcome, ThreadKind,
    Type,
};
use riverhawk_tools::profile::CodeUse;
use riverhawk_value::Value;
use riverhawk_vm::native::Leaving;
use riverhawk_vm::tier::{
    Decision, Execution, Kind, Part, Running, RunningFrame, Tier, TierCall, TierPace,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

/// Jumps and calls before logging, so that short runs pay only for a count.
pub(crate) const WARM_UP: u32 = 20_000;

/// Factor of the record loop's warm-up. It gains less from machine code than other loops, so a
/// short run over a file is not worth compiling.
const RECORD_LOOP_ROUNDS: u32 = 3;

/// Jumps and calls between two observations while learning. A prime, like the next: a multiple of
/// an iteration's events would always meet the same one, and could miss the loop.
const LEARNING: u32 = 61;

/// The same after an observation that found nothing new.
const IDLE: u32 = 1_021;

/// Iterations of a phase's loops after which the log is sent and observation pauses for the
/// specialiser's answer. More than make a loop hot.
const ENOUGH_TURNS: u32 = 256;

/// Consecutive observations without news after which the log is sent.
const ENOUGH_IDLE: u32 = 4;

/// Maximum logged entries of a function found in a loop. They do not show how it is called, so the
/// rest of the budget is kept for calls.
const MAX_IN_LOOPS: u32 = 250;

pub(crate) struct Watcher {
    record_loop_rounds: u32,
    idle: u32,
    /// The innermost observed activation's id in the log, and its frame's first operation.
    correlation: CorrelationId,
    code_start: u32,
    /// Observed activations, the innermost last.
    observed: Vec<Activation>,
    paused: Option<Activation>,
    /// By loop header: whether its code is worth compiling.
    gains: BTreeMap<u32, bool>,
    shape: Vec<ArgumentShape>,
    log: Option<Logger>,
    code: Code,
    kind: ThreadKind,
    unit: Arc<Unit>,
    watched: Arc<Watched>,
}

#[derive(Default)]
struct Code {
    edition: u32,
    loops: BTreeMap<u32, Arc<Made>>,
    functions: Vec<Vec<Arc<Made>>>,
    entries: u64,
    falls: u64,
    seen: CodeUseCounts,
    /// Owns code that was entered in the middle of a loop.
    entered: Option<Arc<Made>>,
    since: Option<Instant>,
}

struct Activation {
    depth: usize,
    correlation: CorrelationId,
    frame: usize,
    called_at: u32,
    turns: u32,
}

impl Watched {
    pub(crate) fn watcher(self: &Arc<Watched>, unit: &Arc<Unit>, role: ThreadRole) -> Watcher {
        Watcher::new(self, unit, role)
    }

    pub(crate) fn end(&self, mut watcher: Watcher) -> Done {
        watcher.end();
        let [entries, falls] = watcher.counts();
        let failures =
            self.machinery().map(|machinery| machinery.candidates.failures()).unwrap_or_default();
        let counters =
            self.known.get().map(|known| known.shared.specialiser.counters()).unwrap_or_default();
        Done {
            machine_code: self
                .machinery()
                .map(|machinery| machinery.candidates.text())
                .unwrap_or_default(),
            code_use: watcher.code_use(failures),
            counters: [
                ("observations dealt with", counters.entries),
                ("specialisations made", counters.produced),
                ("specialisations refused", counters.refused),
                ("entries into machine code", entries),
                ("guards that failed", falls),
            ]
            .into_iter()
            .chain(watcher.left())
            .collect(),
        }
    }
}

impl Watcher {
    pub(super) fn new(watched: &Arc<Watched>, unit: &Arc<Unit>, role: ThreadRole) -> Watcher {
        Watcher {
            record_loop_rounds: match watched.options() {
                Optimiser { spesh_nodelay: false, spesh_buffer: None, .. } => {
                    RECORD_LOOP_ROUNDS - 1
                }
                _ => 0,
            },
            idle: 0,
            correlation: CorrelationId::NONE,
            code_start: 0,
            observed: Vec::new(),
            paused: None,
            gains: BTreeMap::new(),
            shape: Vec::new(),
            log: None,
            code: Code { seen: CodeUseCounts::new(unit), ..Code::default() },
            kind: match role {
                ThreadRole::First => ThreadKind::Main,
                ThreadRole::Worker => ThreadKind::Other,
            },
            unit: unit.clone(),
            watched: watched.clone(),
        }
    }

    pub(super) fn end(&mut self) {
        if let (Some(log), true) = (&mut self.log, self.watched.options().spesh_log.is_some()) {
            log.send_now();
            self.watched.known(&self.unit).shared.specialiser.wait();
        }
    }

    pub(super) fn counts(&self) -> [u64; 2] {
        [self.code.entries, self.code.falls]
    }

    /// For a profile; without one, only where guards failed.
    pub(super) fn code_use(&self, failures: Vec<(u32, FrameName, ExitReason, u64)>) -> CodeUse {
        self.code.seen.code_use(failures, &self.unit)
    }

    /// Side exits without a failed guard, by reason.
    pub(super) fn left(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.code.seen.left()
    }

    /// Observes an activation that is not yet observed. `call` is its callsite if it was just
    /// entered.
    fn observe_or_wait(&mut self, pace: &mut TierPace, here: RunningFrame<'_>) -> Execution {
        if self.resumes(pace, here.depth) || self.starts(pace, here, None) {
            self.keep_observing(pace)
        } else {
            self.stay_idle(pace)
        }
    }

    fn keep_observing(&mut self, pace: &mut TierPace) -> Execution {
        pace.countdown = LEARNING;
        self.idle = 0;
        Execution::Observing
    }

    fn stay_idle(&mut self, pace: &mut TierPace) -> Execution {
        pace.countdown = IDLE;
        self.idle = self.idle.saturating_add(1);
        if let (ENOUGH_IDLE, Some(log)) = (self.idle, &mut self.log) {
            log.send_now();
        }
        Execution::Plain
    }

    /// Resumes a phase after a full log, or when the specialiser's answer brought nothing.
    fn resumes(&mut self, pace: &mut TierPace, depth: usize) -> bool {
        let Some(paused) = self.paused.as_ref().filter(|_| depth == 0) else { return false };
        let is_delayed = !self.watched.options().spesh_nodelay;
        let known = self.watched.known(&self.unit);
        if known
            .frames
            .get(paused.frame)
            .is_some_and(|known| known.frame.is_watched_enough() && is_delayed)
        {
            return false;
        }
        let may = |log: &Logger| log.is_logging() && (log.is_answered() || !is_delayed);
        let resumes = self.log.as_ref().is_some_and(may);
        if resumes {
            self.observed.clear();
            self.observed.extend(self.paused.take());
            self.settle(pace);
            self.watch_calls(pace);
        }
        resumes
    }

    /// Stops observing, to resume the phase later. The phase leaves `observed`, or it would resume
    /// when a function it calls returns.
    fn pause(&mut self, pace: &mut TierPace) -> Execution {
        let phase = self.observed.drain(..).find(|activation| activation.depth == 0);
        self.paused = phase.or(self.paused.take());
        (pace.observed_depth, self.correlation, pace.countdown) =
            (TierPace::NOWHERE, CorrelationId::NONE, IDLE);
        self.watch_calls(pace);
        Execution::Plain
    }

    /// Observes an activation if it may be logged. A function found in the middle has no callsite,
    /// since its parameters may have changed.
    fn starts(
        &mut self,
        pace: &mut TierPace,
        here: RunningFrame<'_>,
        call: Option<(usize, u32)>,
    ) -> bool {
        if here.depth == 0 && self.paused.is_some() {
            // It is observed, and waits for room in the log or for an answer.
            return false;
        }
        let watched = self.watched.clone();
        let known = watched.known(&self.unit);
        let Some(index) = known.index_of(here.running, &self.unit) else { return false };
        let Some(Frame { frame, code_start, .. }) = known.frames.get(index) else { return false };
        let (kind, nodelay) = (self.kind, watched.options().spesh_nodelay);
        let log = self.log.get_or_insert_with(|| {
            let mut log = known.shared.specialiser.logger(kind);
            log.enter_unit();
            log
        });
        let is_in_function = matches!(here.running, Running::Function(_));
        let is_enough =
            frame.is_watched_enough() || is_in_function && frame.logged_entries() >= MAX_IN_LOOPS;
        if call.is_none() && is_enough {
            return false;
        }
        let callsite = match (here.running, call) {
            (Running::Function(_), None) => None,
            (_, None) => Some(Callsite::EMPTY),
            (_, Some((passed, _))) => {
                self.shape.clear();
                self.shape.extend(here.registers.iter().take(passed).map(argument));
                if nodelay {
                    Callsite::intern_any(&self.shape)
                } else {
                    Callsite::intern(&self.shape)
                }
            }
        };
        let correlation = log.enter(frame, callsite);
        if !correlation.is_logged() {
            return false;
        }
        if let Some((passed, _)) = call {
            for (at, value) in (0..).zip(here.registers.iter().take(passed)) {
                let ty = type_of(here.kind(value));
                log.argument(correlation, at, ty, elements(value, &here));
            }
        }
        let called_at = call.map_or(0, |(_, at)| at);
        // Observed activations are in order of depth.
        self.observed.retain(|activation| activation.depth < here.depth);
        self.observed.push(Activation {
            depth: here.depth,
            correlation,
            frame: index,
            called_at,
            turns: 0,
        });
        (pace.observed_depth, self.correlation, self.code_start) =
            (here.depth, correlation, *code_start);
        true
    }

    /// Whether watching this loop can pay. If not, no log or thread is started, unless the log is
    /// read.
    fn may_gain(&mut self, head: u32, running: Running) -> bool {
        let name = match running {
            Running::Begin => FrameName::Begin,
            Running::Main => FrameName::Main,
            Running::End => FrameName::End,
            Running::Function(_) | Running::Callback => return true,
        };
        let options = self.watched.options();
        if options.spesh_nodelay || options.spesh_log.is_some() {
            return true;
        }
        let (watched, unit) = (&self.watched, &self.unit);
        *self.gains.entry(head).or_insert_with(|| {
            watched.known(unit);
            watched.machinery().is_none_or(|machinery| machinery.snapshot.loop_gains(name, head))
        })
    }

    fn settle(&mut self, pace: &mut TierPace) {
        match self.observed.last() {
            Some(top) => {
                pace.observed_depth = top.depth;
                self.correlation = top.correlation;
                self.code_start = self
                    .watched
                    .known(&self.unit)
                    .frames
                    .get(top.frame)
                    .map_or(0, |known| known.code_start);
            }
            None => {
                (pace.observed_depth, self.correlation) = (TierPace::NOWHERE, CorrelationId::NONE)
            }
        }
    }

    fn offset(&self, at: u32) -> u32 {
        at.wrapping_sub(self.code_start).wrapping_mul(OP_BYTES)
    }
}

impl Known {
    fn index_of(&self, running: Running, unit: &Unit) -> Option<usize> {
        let before = |present: [bool; 2]| present.into_iter().filter(|present| *present).count();
        match running {
            Running::Begin => Some(0),
            Running::Main => Some(before([unit.begin.is_some(), false])),
            Running::End => Some(before([unit.begin.is_some(), unit.main.is_some()])),
            Running::Callback => None,
            Running::Function(function) => {
                Some(self.frames.len() - unit.functions.len() + function.index())
            }
        }
    }

    fn function(&self, function: FrameId, unit: &Unit) -> Option<&Frame> {
        self.frames.get(self.frames.len() - unit.functions.len() + function.index())
    }
}

impl Tier for Watcher {
    fn pace(&self) -> TierPace {
        let options = self.watched.options();
        TierPace::after(match (options.spesh_nodelay, options.spesh_buffer) {
            (true, _) => 1,
            (false, Some(entries)) => entries.clamp(1, WARM_UP as usize) as u32,
            (false, None) => WARM_UP,
        })
    }

    fn jumped_forward(&mut self, pace: &mut TierPace) {
        pace.countdown = 1;
    }

    fn watches_callbacks(&self, function: FrameId) -> bool {
        self.watched.options().needs_watching() || may_gain_called_back(&self.unit, function)
    }

    fn begins(&mut self, pace: &mut TierPace, here: RunningFrame<'_>) -> Execution {
        // Without a delay, code entered once is observed too; callbacks are observed as functions.
        if here.running == Running::Callback {
            return Execution::Plain;
        }
        if self.log.is_some() || self.watched.options().spesh_nodelay {
            self.observe_or_wait(pace, here)
        } else {
            Execution::Plain
        }
    }

    fn unwound(&mut self, pace: &mut TierPace, depth: usize) {
        self.stop_observing(pace, depth);
    }

    fn looped(&mut self, pace: &mut TierPace, head: CodeAt, here: RunningFrame<'_>) -> Execution {
        if let Some(execution) = self.enter_loop(pace, head, &here) {
            return execution;
        }
        if pace.observed_depth != here.depth {
            if here.running == Running::Main && self.record_loop_rounds > 0 && self.log.is_none() {
                (self.record_loop_rounds, pace.countdown) = (self.record_loop_rounds - 1, WARM_UP);
                return Execution::Plain;
            }
            return if self.may_gain(head.0, here.running) {
                self.observe_or_wait(pace, here)
            } else {
                self.stay_idle(pace)
            };
        }
        if !self.may_gain(head.0, here.running) {
            return self.pause(pace);
        }
        let offset = self.offset(head.0);
        let known = self.watched.known(&self.unit);
        if let (Some(log), Some(top)) = (&mut self.log, self.observed.last_mut())
            && let Some(Frame { name, frame, .. }) = known.frames.get(top.frame)
        {
            if !log.is_logging() {
                // The log is full: continues without it, and resumes the phase when there is room.
                return self.pause(pace);
            }
            top.turns = top.turns.saturating_add(1);
            if let (Some(machinery), Some(name), true) =
                (self.watched.machinery(), name, top.turns.is_power_of_two())
            {
                machinery.candidates.note_head(*name, head.0, Head::of(&here, top.turns));
            }
            log.looped(&mut top.correlation, offset, frame);
            if top.turns.is_multiple_of(ENOUGH_TURNS)
                && top.correlation.is_logged()
                && here.depth == 0
            {
                // More entries would only delay the answer.
                log.send_now();
                return self.pause(pace);
            }
            if top.correlation.is_logged() {
                return Execution::Observing;
            }
        }
        self.observed.pop();
        self.settle(pace);
        // The observed frame below has called this one and does not run now.
        pace.countdown = IDLE;
        Execution::Plain
    }

    fn entered(
        &mut self,
        pace: &mut TierPace,
        call: TierCall,
        here: RunningFrame<'_>,
    ) -> Execution {
        let TierCall { function, passed, at } = call;
        let mut called_at = 0;
        let called_from_observed =
            pace.observed_depth != TierPace::NOWHERE && pace.observed_depth + 1 == here.depth;
        if called_from_observed {
            called_at = self.offset(at);
            let known = self.watched.known(&self.unit);
            if let (Some(log), Some(callee)) = (&mut self.log, known.function(function, &self.unit))
            {
                log.invoke(self.correlation, called_at, &callee.frame);
            }
        }
        if let Some(execution) = self.enter_function(pace, function, passed, &here) {
            return execution;
        }
        let is_waited_for = self.paused.is_some() && here.depth == 1;
        if called_from_observed || is_waited_for {
        } else if pace.countdown != 0 {
            // Called from an activation that is not observed, and not the one to observe.
            self.stop_watching_calls(pace, function);
            return Execution::Plain;
        }
        let observes = self.starts(pace, here, Some((passed, called_at)));
        if is_waited_for && !observes {
            self.stop_watching_calls(pace, function);
        }
        let is_look = !called_from_observed && pace.countdown == 0;
        match (observes, is_look) {
            (true, false) => Execution::Observing,
            (true, true) => self.keep_observing(pace),
            (false, false) => Execution::Plain,
            (false, true) => self.stay_idle(pace),
        }
    }

    fn left(&mut self, pace: &mut TierPace, depth: usize, result: Kind) {
        let Some(top) = self.observed.pop_if(|top| top.depth == depth) else { return };
        self.settle(pace);
        let caller = if pace.observed_depth.wrapping_add(1) == depth {
            self.correlation
        } else {
            CorrelationId::NONE
        };
        if let Some(log) = &mut self.log {
            log.leave(top.correlation, caller, top.called_at, Some(type_of(result)));
        }
    }

    fn saw(&mut self, at: u32, part: Part, kind: Kind) {
        let offset = self.offset(at) + part as u32;
        if let Some(log) = &mut self.log {
            log.type_read(self.correlation, offset, type_of(kind));
        }
    }

    fn decided(&mut self, at: u32, decision: Decision) {
        let offset = self.offset(at);
        let outcome = match decision {
            Decision::Numbers => OperatorOutcome::NumNum,
            Decision::Texts => OperatorOutcome::StrStr,
            Decision::InputAsNumber => OperatorOutcome::StrnumAsNum,
            Decision::InputAsText => OperatorOutcome::StrnumAsStr,
            Decision::NumberAsText => OperatorOutcome::NumAsStr,
            Decision::TextAsNumber => OperatorOutcome::StrAsNum,
            Decision::FixedPattern => OperatorOutcome::FixedPattern,
            Decision::MadePattern => OperatorOutcome::MadePattern,
        };
        if let Some(log) = &mut self.log {
            log.outcome(self.correlation, offset, outcome);
        }
    }

    fn guard_failed(&mut self, pace: &mut TierPace, candidate: u64, guard: u32) {
        self.judge(pace, candidate, guard);
    }

    fn exited_machine_code(&mut self, pace: &mut TierPace, why: Leaving, at: u32) {
        self.code.seen.leave(why, at);
        if why == Leaving::Call {
            // Nothing is known of the called function.
            pace.countdown = 1;
        }
    }
}

impl Watcher {
    fn refresh(&mut self, pace: &mut TierPace) {
        let Some(machinery) = self.watched.machinery() else { return };
        let edition = machinery.candidates.edition();
        if edition == self.code.edition {
            return;
        }
        let book = machinery.candidates.book();
        self.code.loops = book.loops.clone();
        let enters_all = self.watched.options().spesh_nodelay;
        let of = |function: u32| match book.functions.get(&function) {
            Some(made) if enters_all || machinery.snapshot.is_worth_entering(function) => {
                made.clone()
            }
            _ => Vec::new(),
        };
        self.code.functions = (0..self.unit.functions.len() as u32).map(of).collect();
        self.code.edition = edition;
        drop(book);
        self.watch_calls(pace);
    }

    /// While a phase is paused all calls are observed: the program may stay in one of them, and a
    /// function found in the middle has no callsite.
    fn watch_calls(&mut self, pace: &mut TierPace) {
        let all = self.paused.is_some();
        let has_code = |function: usize| {
            self.code.functions.get(function).is_some_and(|made| !made.is_empty())
        };
        pace.asks_at_calls =
            (0..self.unit.functions.len()).map(|function| all || has_code(function)).collect();
    }

    fn stop_watching_calls(&mut self, pace: &mut TierPace, function: FrameId) {
        let has_code =
            self.code.functions.get(function.index()).is_some_and(|made| !made.is_empty());
        if let Some(asked) = pace.asks_at_calls.get_mut(function.index()) {
            *asked = has_code;
        }
    }

    fn stop_observing(&mut self, pace: &mut TierPace, depth: usize) {
        let paused = self.paused.take_if(|paused| paused.depth >= depth);
        if paused.is_some() {
            self.watch_calls(pace);
        }
        let outermost = paused
            .as_ref()
            .or_else(|| self.observed.iter().find(|activation| activation.depth >= depth));
        if let (Some(outermost), Some(log)) = (outermost, &mut self.log) {
            log.leave(outermost.correlation, CorrelationId::NONE, outermost.called_at, None);
        }
        self.observed.retain(|activation| activation.depth < depth);
        self.settle(pace);
    }

    fn enter_loop(
        &mut self,
        pace: &mut TierPace,
        head: CodeAt,
        here: &RunningFrame<'_>,
    ) -> Option<Execution> {
        self.refresh(pace);
        let made = self.code.loops.get(&head.0)?.clone();
        if pace.observed_depth == here.depth {
            self.stop_observing(pace, here.depth);
        }
        let execution = Execution::Native(made.candidate.entry());
        made.candidate.counters().enter();
        self.code.entries += 1;
        self.code.seen.enter_loop(head.0);
        self.code.since = Some(Instant::now());
        self.code.entered = Some(made);
        // After a side exit, the next iteration enters it again.
        pace.countdown = 1;
        Some(execution)
    }

    fn enter_function(
        &mut self,
        pace: &mut TierPace,
        function: FrameId,
        passed: usize,
        here: &RunningFrame<'_>,
    ) -> Option<Execution> {
        if pace.countdown == 0 || pace.observed_depth != TierPace::NOWHERE {
            self.refresh(pace);
        }
        let arguments = here.registers.get(..passed)?;
        let made = self
            .code
            .functions
            .get(function.index())?
            .iter()
            .find(|made| made.admits(arguments))?;
        made.candidate.counters().enter();
        self.code.entries += 1;
        pace.countdown = pace.countdown.max(1);
        Some(Execution::Native(made.candidate.entry()))
    }

    /// After a failed guard, decides whether the code may be entered again.
    fn judge(&mut self, pace: &mut TierPace, number: u64, guard: u32) {
        self.code.falls += 1;
        let now = Instant::now();
        let lasted = self.code.since.replace(now).map(|since| now - since).unwrap_or_default();
        let Some(machinery) = self.watched.machinery() else { return };
        let Some(made) = machinery.candidates.numbered(number) else { return };
        let counters = made.candidate.counters();
        // A loop is entered once, and calls from machine code are not counted, so time counts as
        // entries.
        counters.credit(lasted.as_micros() as u64);
        if counters.fail(guard as usize) == CandidateVerdict::Keep {
            return;
        }
        machinery.candidates.withdraw(&made);
        if let Some((frame, key)) = &made.origin {
            frame.withdraw(key);
        }
        self.refresh(pace);
    }
}

impl Head {
    fn of(here: &RunningFrame<'_>, turns: u32) -> Head {
        let types = |values: &[Value]| values.iter().map(certain_type).collect();
        Head { turns, registers: types(here.registers), globals: types(here.globals) }
    }
}

pub(super) fn type_of(kind: Kind) -> Type {
    match kind {
        Kind::Number => Type::Num,
        Kind::Text => Type::Str,
        Kind::InputNumeric => Type::StrnumNumeric,
        Kind::InputText => Type::StrnumText,
        Kind::Nothing => Type::Uninit,
        Kind::Regex => Type::Regex,
        Kind::Array => Type::Array,
        Kind::Untyped => Type::Untyped,
    }
}

fn argument(value: &Value) -> ArgumentShape {
    match value {
        value if value.is_array() => ArgumentShape::Array,
        Value::Untyped(_) => ArgumentShape::Untyped,
        _ => ArgumentShape::Scalar,
    }
}

fn elements(value: &Value, here: &RunningFrame<'_>) -> Option<Type> {
    let Value::Array(array) = value else { return None };
    let array = array.try_borrow().ok()?;
    array.some_element().map(|element| type_of(here.kind(&element)))
}
