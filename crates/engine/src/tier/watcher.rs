//! The tier of one thread: it counts, and from when on that is worth it, writes the log.

use super::facts::OP_BYTES;
use super::{Frames, Watched};
use riverhawk_bytecode::{CodeAt, FrameId, Unit};
use riverhawk_spesh::{Argument, Callsite, CorrelationId, Logger, Outcome, ThreadKind, Type};
use riverhawk_value::Value;
use riverhawk_vm::tier::{Decision, Here, Kind, Part, Running, Tier, Way};
use std::rc::Rc;
use std::sync::Arc;

/// Jumps and calls before anything is logged: some milliseconds of a loop over records, or a third of one of a loop over
/// numbers. What ends before costs a count.
pub(crate) const WARM_UP: u32 = 20_000;

/// Jumps and calls between two looks at what runs, while something is being learnt. A look takes some 15 ns.
const LEARNING: u32 = 64;

/// The same when the last look found nothing to learn.
const IDLE: u32 = 1_024;

/// No activation has this depth.
const NOWHERE: usize = usize::MAX;

/// Watches one thread.
pub(crate) struct Watcher {
    /// Jumps and calls until the next look.
    countdown: u32,
    /// Depth of the innermost activation that is observed, or [`NOWHERE`].
    observed_depth: usize,
    /// Of that activation: its id in the log, and where its frame begins in the code.
    correlation: CorrelationId,
    code_start: u32,
    /// All activations that are observed, the innermost last.
    observed: Vec<Activation>,
    /// Which arguments a call passes, while it is put together.
    shape: Vec<Argument>,
    log: Option<Logger>,
    kind: ThreadKind,
    unit: Rc<Unit>,
    watched: Arc<Watched>,
}

/// An activation that is observed.
struct Activation {
    depth: usize,
    correlation: CorrelationId,
    frame: usize,
    /// Offset of the call in the caller's code.
    called_at: u32,
}

impl Watcher {
    /// For a thread that runs this bytecode of the program.
    pub(super) fn new(watched: &Arc<Watched>, unit: &Rc<Unit>, is_main: bool) -> Watcher {
        Watcher {
            countdown: if watched.options().spesh_nodelay { 1 } else { WARM_UP },
            observed_depth: NOWHERE,
            correlation: CorrelationId::NONE,
            code_start: 0,
            observed: Vec::new(),
            shape: Vec::new(),
            log: None,
            kind: if is_main { ThreadKind::Main } else { ThreadKind::Other },
            unit: unit.clone(),
            watched: watched.clone(),
        }
    }

    /// The program has ended: what has been logged is handed over if somebody wants to read it.
    pub(super) fn end(&mut self) {
        if let (Some(log), true) = (&mut self.log, self.watched.options().spesh_log.is_some()) {
            log.send_now();
            self.watched.frames(&self.unit).specialiser.wait();
        }
    }

    /// A look at what runs: an activation that could not be observed before, or is not yet. `callsite` is the shape of the call,
    /// when it has just been entered.
    fn look(&mut self, here: Here<'_>) -> Way {
        let observes = self.resumes(here.depth) || self.starts(here, None);
        self.countdown = if observes { LEARNING } else { IDLE };
        Way::of(observes)
    }

    /// Goes on observing an activation after the log was full for a while.
    fn resumes(&mut self, depth: usize) -> bool {
        let waits = depth == 0 && self.observed.first().is_some_and(|first| first.depth == 0);
        let resumes = waits && self.log.as_ref().is_some_and(Logger::is_logging);
        if resumes {
            self.observed.truncate(1);
            self.settle();
        }
        resumes
    }

    /// Starts to observe an activation, if it may be logged. A function that is looked at in the middle has no known callsite:
    /// its parameters may have changed.
    fn starts(&mut self, here: Here<'_>, call: Option<(usize, u32)>) -> bool {
        if self.observed.last().is_some_and(|top| top.depth == here.depth) {
            // It is observed, and waits for room in the log.
            return false;
        }
        let watched = self.watched.clone();
        let frames = watched.frames(&self.unit);
        let Some(index) = frames.index_of(here.running, &self.unit) else { return false };
        let Some((frame, code_start)) = frames.frames.get(index) else { return false };
        let (kind, nodelay) = (self.kind, watched.options().spesh_nodelay);
        let log = self.log.get_or_insert_with(|| {
            let mut log = frames.specialiser.logger(kind);
            log.enter_unit();
            log
        });
        if frame.is_watched_enough() && call.is_none() {
            return false;
        }
        let callsite = match (here.running, call) {
            (Running::Function(_), None) => None,
            (_, None) => Some(Callsite::EMPTY),
            (_, Some((passed, _))) => {
                self.shape.clear();
                self.shape.extend(here.registers.iter().take(passed).map(argument));
                if nodelay { Callsite::intern_any(&self.shape) } else { Callsite::intern(&self.shape) }
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
        // What is observed lies deeper from one to the next.
        self.observed.retain(|activation| activation.depth < here.depth);
        self.observed.push(Activation { depth: here.depth, correlation, frame: index, called_at });
        (self.observed_depth, self.correlation, self.code_start) = (here.depth, correlation, *code_start);
        true
    }

    /// What follows from the innermost activation that is observed.
    fn settle(&mut self) {
        match self.observed.last() {
            Some(top) => {
                self.observed_depth = top.depth;
                self.correlation = top.correlation;
                self.code_start = self.watched.frames(&self.unit).frames.get(top.frame).map_or(0, |(_, start)| *start);
            }
            None => (self.observed_depth, self.correlation) = (NOWHERE, CorrelationId::NONE),
        }
    }

    /// An operation's place, as the log has it.
    fn offset(&self, at: u32) -> u32 {
        at.wrapping_sub(self.code_start).wrapping_mul(OP_BYTES)
    }
}

impl Frames {
    fn index_of(&self, running: Running, unit: &Unit) -> Option<usize> {
        let before = |present: [bool; 2]| present.into_iter().filter(|present| *present).count();
        match running {
            Running::Begin => Some(0),
            Running::Main => Some(before([unit.begin.is_some(), false])),
            Running::End => Some(before([unit.begin.is_some(), unit.main.is_some()])),
            Running::Callback => None,
            Running::Function(function) => Some(self.functions_at + function.index()),
        }
    }
}

impl Tier for Watcher {
    const WATCHES: bool = true;

    #[inline(always)]
    fn jumps(&mut self) -> bool {
        self.countdown = self.countdown.wrapping_sub(1);
        self.countdown == 0
    }

    fn went_forward(&mut self) {
        self.countdown = 1;
    }

    #[inline(always)]
    fn calls(&mut self, _: FrameId) -> bool {
        self.jumps()
    }

    #[inline(always)]
    fn observes(&self, depth: usize) -> bool {
        self.observed_depth == depth
    }

    fn begins(&mut self, here: Here<'_>) -> Way {
        // With nothing to be delayed what is entered once is worth a look.
        if self.log.is_some() || self.watched.options().spesh_nodelay { self.look(here) } else { Way::Plain }
    }

    fn unwound(&mut self, depth: usize) {
        self.observed.retain(|activation| activation.depth < depth);
        self.settle();
    }

    fn looped(&mut self, head: CodeAt, here: Here<'_>) -> Way {
        if self.observed_depth != here.depth {
            return self.look(here);
        }
        let offset = self.offset(head.0);
        let frames = self.watched.frames(&self.unit);
        if let (Some(log), Some(top)) = (&mut self.log, self.observed.last_mut())
            && let Some((frame, _)) = frames.frames.get(top.frame)
        {
            if !log.is_logging() {
                // The log is full: on without, and back to the phase when there is room. Which other activations last until
                // then, nobody notices.
                self.observed.retain(|activation| activation.depth == 0);
                (self.observed_depth, self.countdown) = (NOWHERE, IDLE);
                return Way::Plain;
            }
            log.looped(&mut top.correlation, offset, frame);
            if top.correlation.is_logged() {
                return Way::Observing;
            }
        }
        self.observed.pop();
        self.settle();
        // The frame below, if it is observed, has called this one and does not run now.
        self.countdown = IDLE;
        Way::Plain
    }

    fn entered(&mut self, function: FrameId, passed: usize, call: u32, here: Here<'_>) -> Way {
        let mut called_at = 0;
        if self.observed_depth != NOWHERE && self.observed_depth + 1 == here.depth {
            called_at = self.offset(call);
            let frames = self.watched.frames(&self.unit);
            if let (Some(log), Some((callee, _))) =
                (&mut self.log, frames.frames.get(frames.functions_at + function.index()))
            {
                log.invoke(self.correlation, called_at, callee);
            }
        } else if self.countdown != 0 {
            // Called from an activation that is not observed, and not the one to look at.
            return Way::Plain;
        }
        let observes = self.starts(here, Some((passed, called_at)));
        if self.countdown == 0 {
            self.countdown = if observes { LEARNING } else { IDLE };
        }
        Way::of(observes)
    }

    fn left(&mut self, depth: usize, result: Kind) {
        let Some(top) = self.observed.pop_if(|top| top.depth == depth) else { return };
        self.settle();
        let caller = if self.observed_depth.wrapping_add(1) == depth { self.correlation } else { CorrelationId::NONE };
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
            Decision::Numbers => Outcome::NumNum,
            Decision::Texts => Outcome::StrStr,
            Decision::InputAsNumber => Outcome::StrnumAsNum,
            Decision::InputAsText => Outcome::StrnumAsStr,
            Decision::NumberAsText => Outcome::NumAsStr,
            Decision::TextAsNumber => Outcome::StrAsNum,
            Decision::FixedPattern => Outcome::FixedPattern,
            Decision::MadePattern => Outcome::MadePattern,
        };
        if let Some(log) = &mut self.log {
            log.outcome(self.correlation, offset, outcome);
        }
    }
}

/// A kind as the log has it.
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

/// How an argument is passed.
fn argument(value: &Value) -> Argument {
    match value {
        value if value.is_array() => Argument::Array,
        Value::Untyped(_) => Argument::Untyped,
        _ => Argument::Scalar,
    }
}

/// The type of an element, if the value is an array that has one.
fn elements(value: &Value, here: &Here<'_>) -> Option<Type> {
    let Value::Array(array) = value else { return None };
    let array = array.try_borrow().ok()?;
    array.some_element().map(|element| type_of(here.kind(element)))
}
