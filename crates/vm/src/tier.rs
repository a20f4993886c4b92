//! The interface to an optimiser: the interpreter reports to a [`Tier`] where it is, and the tier
//! decides how it continues.
//!
//! A *plain* loop counts jumps and calls at a [`TierPace`] that the tier sets, and an *observing* loop
//! also reports the types of operands. The tier chooses when an activation begins, continues after
//! a call, or repeats a loop.
//!
//! Activations are identified by their depth, so frames need no room for the optimiser.

use crate::native::{Entry, Leaving};
pub use crate::observed_types::gains_from_types;
use riverhawk_bytecode::{CodeAt, FrameId};
use riverhawk_value::Value;

/// How the interpreter continues.
#[derive(Clone, Copy, Debug)]
pub enum Execution {
    /// It only counts.
    Plain,
    /// It reports what it sees.
    Observing,
    /// In machine code, until the activation ends or a guard fails.
    Native(Entry),
}

/// The type of a value, for an optimiser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// The program's own text.
    Text,
    /// Input that looks like a number, or a boolean of `mkbool`.
    InputNumeric,
    /// Other input, or a field that the record lacks.
    InputText,
    /// A scalar without a value.
    Nothing,
    /// A regular expression.
    Regex,
    /// An array.
    Array,
    /// A variable that may become an array.
    Untyped,
}

/// How an operation treated its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// As numbers or nothing.
    Numbers,
    /// As the program's own texts.
    Texts,
    /// With input, all as numbers.
    InputAsNumber,
    /// With input, all as text.
    InputAsText,
    /// A number as text.
    NumberAsText,
    /// The program's own text as a number.
    TextAsNumber,
    /// A constant pattern.
    FixedPattern,
    /// A computed pattern.
    MadePattern,
}

/// Which frame runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// `BEGIN`.
    Begin,
    /// The record loop.
    Main,
    /// `END`.
    End,
    /// The frame that callbacks return to.
    Callback,
    /// A function.
    Function(FrameId),
}

/// A part of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Part {
    /// Its result.
    Result = 0,
    /// Its first operand.
    First = 1,
    /// Its second operand.
    Second = 2,
}

/// The position of the interpreter.
#[derive(Clone, Copy)]
pub struct RunningFrame<'m> {
    /// The frame.
    pub running: Running,
    /// The operation that runs or is next.
    pub at: u32,
    /// Number of calls in progress.
    pub depth: usize,
    /// The frame's registers, parameters first.
    pub registers: &'m [Value],
    /// The global variables.
    pub globals: &'m [Value],
    /// The current record, which views are ranges of.
    pub record: &'m [u8],
}

impl RunningFrame<'_> {
    /// The type of a value of this frame.
    pub fn kind(&self, value: &Value) -> Kind {
        kind(value, self.record)
    }
}

/// When the interpreter asks its tier: read at each jump, call and return, so not behind a pointer.
#[derive(Debug)]
pub struct TierPace {
    /// Jumps and calls until the tier is asked.
    pub countdown: u32,
    /// Depth of the innermost observed activation, or [`TierPace::NOWHERE`].
    pub observed_depth: usize,
    /// By function, whether the tier is asked at each call.
    pub asks_at_calls: Box<[bool]>,
}

impl TierPace {
    /// No activation is observed.
    pub const NOWHERE: usize = usize::MAX;

    /// Asks after this many jumps and calls, and observes nothing.
    pub fn after(countdown: u32) -> TierPace {
        TierPace { countdown, observed_depth: TierPace::NOWHERE, asks_at_calls: Box::default() }
    }

    /// A jump, or a record was read. True asks the tier how to continue.
    #[inline(always)]
    pub fn jumps(&mut self) -> bool {
        self.countdown = self.countdown.wrapping_sub(1);
        self.countdown == 0
    }

    /// A call. True asks the tier how to continue.
    #[inline(always)]
    pub fn calls(&mut self, function: FrameId) -> bool {
        self.jumps() || self.asks_at_calls.get(function.index()).is_some_and(|asks| *asks)
    }

    /// Whether the activation at this depth is observed.
    #[inline(always)]
    pub fn observes(&self, depth: usize) -> bool {
        self.observed_depth == depth
    }

    /// How this activation continues without machine code.
    #[inline(always)]
    pub fn interpretation(&self, depth: usize) -> Execution {
        if self.observes(depth) { Execution::Observing } else { Execution::Plain }
    }
}

/// A tier with its pace.
#[derive(Debug)]
pub struct PacedTier<T: ?Sized = dyn Tier> {
    /// When it is asked.
    pub pace: TierPace,
    /// What is asked.
    pub tier: T,
}

impl<T: Tier> PacedTier<T> {
    /// Begins at the tier's own pace.
    pub fn by(tier: T) -> PacedTier<T> {
        PacedTier { pace: tier.pace(), tier }
    }
}

impl PacedTier<NoTier> {
    /// Nobody watches.
    pub fn none() -> PacedTier<NoTier> {
        PacedTier::by(NoTier)
    }
}

/// Watches the interpreter, and offers machine code.
///
/// No machine code runs on this thread during these calls, so a tier may drop candidates in them.
/// Those that decide how the interpreter continues are given the pace, to set it.
pub trait Tier {
    /// The pace at the start.
    fn pace(&self) -> TierPace;
    /// The jump at which the tier was to be asked went forward.
    fn jumped_forward(&mut self, pace: &mut TierPace);
    /// Whether to watch a function that a built-in function will call often.
    fn watches_callbacks(&self, function: FrameId) -> bool;
    /// BEGIN, the record loop or END begins.
    fn begins(&mut self, pace: &mut TierPace, here: RunningFrame<'_>) -> Execution;
    /// All activations from this depth on have ended: 0 at the end of a phase, 1 by `next`.
    fn unwound(&mut self, pace: &mut TierPace, depth: usize);
    /// A loop is repeated; in each iteration if observed.
    fn looped(&mut self, pace: &mut TierPace, header: CodeAt, here: RunningFrame<'_>) -> Execution;
    /// A function was called; each time if observed.
    fn entered(&mut self, pace: &mut TierPace, call: TierCall, here: RunningFrame<'_>)
    -> Execution;
    /// The activation ends with this type, even if only its caller is observed.
    fn left(&mut self, pace: &mut TierPace, depth: usize, result: Kind);
    /// An observed activation read a value of this type.
    fn saw(&mut self, at: u32, part: Part, kind: Kind);
    /// How an observed operation treated its operands.
    fn decided(&mut self, at: u32, decision: Decision);
    /// A guard failed, perhaps in a candidate called by the one that was entered.
    fn guard_failed(&mut self, pace: &mut TierPace, candidate: u64, guard: u32);
    /// Machine code was left at this operation, without a failed guard.
    fn exited_machine_code(&mut self, pace: &mut TierPace, why: Leaving, at: u32);
}

/// A call that has begun.
#[derive(Clone, Copy, Debug)]
pub struct TierCall {
    /// What was called.
    pub function: FrameId,
    /// Number of arguments, which are its first registers.
    pub passed: usize,
    /// The operation that called.
    pub at: u32,
}

/// A tier that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTier;

impl Tier for NoTier {
    fn pace(&self) -> TierPace {
        TierPace::after(0)
    }
    fn jumped_forward(&mut self, _: &mut TierPace) {}
    fn watches_callbacks(&self, _: FrameId) -> bool {
        false
    }
    fn begins(&mut self, _: &mut TierPace, _: RunningFrame<'_>) -> Execution {
        Execution::Plain
    }
    fn unwound(&mut self, _: &mut TierPace, _: usize) {}
    fn looped(&mut self, _: &mut TierPace, _: CodeAt, _: RunningFrame<'_>) -> Execution {
        Execution::Plain
    }
    fn entered(&mut self, _: &mut TierPace, _: TierCall, _: RunningFrame<'_>) -> Execution {
        Execution::Plain
    }
    fn left(&mut self, _: &mut TierPace, _: usize, _: Kind) {}
    fn saw(&mut self, _: u32, _: Part, _: Kind) {}
    fn decided(&mut self, _: u32, _: Decision) {}
    fn guard_failed(&mut self, _: &mut TierPace, _: u64, _: u32) {}
    fn exited_machine_code(&mut self, _: &mut TierPace, _: Leaving, _: u32) {}
}

/// The type of a value; views are ranges of `record`.
pub fn kind(value: &Value, record: &[u8]) -> Kind {
    match value {
        Value::Num(_) | Value::Precise(_) | Value::Sum(_) => Kind::Number,
        Value::Uninit | Value::Unassigned => Kind::Nothing,
        Value::Small(_) | Value::Str(_) => Kind::Text,
        Value::View(_)
        | Value::SmallInput(_)
        | Value::Input(_)
        | Value::Bool(_)
        | Value::NoField => match value.strnum(record) {
            Some(_) => Kind::InputNumeric,
            None => Kind::InputText,
        },
        Value::Regex { .. } => Kind::Regex,
        Value::Array(_) | Value::Keys(_) => Kind::Array,
        Value::Untyped(_) => Kind::Untyped,
    }
}
