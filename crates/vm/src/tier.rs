//! The interface to an optimiser: the interpreter reports to a [`Tier`] where it is, and the tier
//! decides how it continues.
//!
//! The interpreter's loop is compiled three times. With [`NoTier`] the calls compile to nothing.
//! Otherwise a *plain* loop counts jumps and calls, and an *observing* loop also reports the types
//! of operands. The tier chooses when an activation begins, continues after a call, or repeats a
//! loop.
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

/// Watches the interpreter, and offers machine code.
///
/// No machine code runs on this thread during these calls, so a tier may drop candidates in them.
pub trait Tier {
    /// Whether it watches.
    const WATCHES: bool;

    /// A jump, or a record was read. True asks the tier how to continue.
    fn jumps(&mut self) -> bool;
    /// The jump that returned true went forward.
    fn jumped_forward(&mut self);
    /// A call. True asks the tier how to continue.
    fn calls(&mut self, function: FrameId) -> bool;
    /// Whether to watch a function that a built-in function will call often.
    fn watches_callbacks(&self, function: FrameId) -> bool;
    /// Whether the activation at this depth is observed.
    fn observes(&self, depth: usize) -> bool;
    /// How this activation continues without machine code.
    #[inline(always)]
    fn interpretation(&self, depth: usize) -> Execution {
        if self.observes(depth) { Execution::Observing } else { Execution::Plain }
    }

    /// BEGIN, the record loop or END begins.
    fn begins(&mut self, here: RunningFrame<'_>) -> Execution;
    /// All activations from this depth on have ended: 0 at the end of a phase, 1 by `next`.
    fn unwound(&mut self, depth: usize);
    /// A loop is repeated; in each iteration if observed.
    fn looped(&mut self, header: CodeAt, here: RunningFrame<'_>) -> Execution;
    /// `call` has called a function with `count` arguments, its first registers; each time if
    /// observed.
    fn entered(
        &mut self,
        function: FrameId,
        passed: usize,
        call: u32,
        here: RunningFrame<'_>,
    ) -> Execution;
    /// The activation ends with this type, even if only its caller is observed.
    fn left(&mut self, depth: usize, result: Kind);
    /// An observed activation read a value of this type.
    fn saw(&mut self, at: u32, part: Part, kind: Kind);
    /// How an observed operation treated its operands.
    fn decided(&mut self, at: u32, decision: Decision);
    /// A guard failed, perhaps in a candidate called by the one that was entered.
    fn guard_failed(&mut self, candidate: u64, guard: u32);
    /// Machine code was left at this operation, without a failed guard.
    fn exited_machine_code(&mut self, why: Leaving, at: u32);
}

/// A tier that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTier;

impl Tier for NoTier {
    const WATCHES: bool = false;

    #[inline(always)]
    fn jumps(&mut self) -> bool {
        false
    }
    #[inline(always)]
    fn jumped_forward(&mut self) {}
    #[inline(always)]
    fn calls(&mut self, _: FrameId) -> bool {
        false
    }
    fn watches_callbacks(&self, _: FrameId) -> bool {
        false
    }
    #[inline(always)]
    fn observes(&self, _: usize) -> bool {
        false
    }
    fn begins(&mut self, _: RunningFrame<'_>) -> Execution {
        Execution::Plain
    }
    fn unwound(&mut self, _: usize) {}
    fn looped(&mut self, _: CodeAt, _: RunningFrame<'_>) -> Execution {
        Execution::Plain
    }
    fn entered(&mut self, _: FrameId, _: usize, _: u32, _: RunningFrame<'_>) -> Execution {
        Execution::Plain
    }
    fn left(&mut self, _: usize, _: Kind) {}
    fn saw(&mut self, _: u32, _: Part, _: Kind) {}
    fn decided(&mut self, _: u32, _: Decision) {}
    fn guard_failed(&mut self, _: u64, _: u32) {}
    fn exited_machine_code(&mut self, _: Leaving, _: u32) {}
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
