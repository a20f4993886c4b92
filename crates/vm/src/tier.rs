//! The interface of an optimiser. The interpreter says to a [`Tier`] where it is, and the tier
//! answers how to go on.
//!
//! The interpreter's loop is compiled three times. With [`NoTier`] the calls below compile to
//! nothing. With another tier there is a *plain* loop, which counts jumps and calls, and an
//! *observing* one, which reports the types that each operation reads and what it decided. Which of
//! the two runs is decided where an activation begins, goes on after a call, or repeats a loop, so
//! that observing costs the rest nothing but the counts.
//!
//! Activations are named by their depth: how many calls are in progress. So a call frame needs no
//! room for the optimiser.

use crate::native::{Entry, Leaving};
pub use crate::observed_types::gains_from_types;
use riverhawk_bytecode::{CodeAt, FrameId};
use riverhawk_value::Value;

/// How the interpreter goes on.
#[derive(Clone, Copy, Debug)]
pub enum Execution {
    /// Counting only.
    Plain,
    /// Reporting what it sees. The tier knows the activation by its depth.
    Observing,
    /// Machine code runs, made for this operation, until the activation ends or a guard fails.
    Native(Entry),
}

/// What a value is, as an optimiser tells values apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// Text of the program's own making.
    Text,
    /// Text from outside that looks like a number, and what `mkbool` returns.
    InputNumeric,
    /// Text from outside that does not; also a field that the record does not have.
    InputText,
    /// A scalar without a value.
    Nothing,
    /// A regular expression.
    Regex,
    /// An array.
    Array,
    /// A variable that may still become an array.
    Untyped,
}

/// Which of its ways an operation went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// All operands are numbers, or nothing.
    Numbers,
    /// All operands are text of the program's own making.
    Texts,
    /// Text from outside took part, and all were taken as numbers.
    InputAsNumber,
    /// Text from outside took part, and all were taken as text.
    InputAsText,
    /// A number was taken as text.
    NumberAsText,
    /// Text of the program's own making was taken as a number.
    TextAsNumber,
    /// Matched a pattern that stands in the program.
    FixedPattern,
    /// Matched a pattern made while running.
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
    /// What a function returns to that a built-in function has called.
    Callback,
    /// A function.
    Function(FrameId),
}

/// Part of an operation, for [`Tier::saw`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Part {
    /// What it brought.
    Result = 0,
    /// Its first operand.
    First = 1,
    /// Its second operand.
    Second = 2,
}

/// Where the interpreter is.
#[derive(Clone, Copy)]
pub struct RunningFrame<'m> {
    /// The frame.
    pub running: Running,
    /// The operation that runs, or is next: an index into the unit's code.
    pub at: u32,
    /// Calls in progress.
    pub depth: usize,
    /// The frame's registers; the first are its parameters.
    pub registers: &'m [Value],
    /// The global variables.
    pub globals: &'m [Value],
    /// The current record, which values may be ranges of.
    pub record: &'m [u8],
}

impl RunningFrame<'_> {
    /// What a value of this frame is.
    pub fn kind(&self, value: &Value) -> Kind {
        kind(value, self.record)
    }
}

/// Watches the interpreter, and offers machine code.
///
/// No machine code runs on this thread while any of these is called, so a tier may drop candidates
/// in them.
pub trait Tier {
    /// Whether it watches.
    const WATCHES: bool;

    /// A jump is taken, or a record has been read. True for a question how to go on, in case the
    /// jump goes back.
    fn jumps(&mut self) -> bool;
    /// The jump that it wanted to be asked about went forward.
    fn jumped_forward(&mut self);
    /// A function is called. True for a question how to go on.
    fn calls(&mut self, function: FrameId) -> bool;
    /// Whether to watch a function that a built-in function is about to call again and again; what
    /// it calls is watched or not with it.
    fn watches_callbacks(&self, function: FrameId) -> bool;
    /// Whether the activation at this depth is being observed.
    fn observes(&self, depth: usize) -> bool;
    /// How the activation at this depth goes on without machine code.
    #[inline(always)]
    fn interpretation(&self, depth: usize) -> Execution {
        if self.observes(depth) { Execution::Observing } else { Execution::Plain }
    }

    /// BEGIN, the record loop or END begins.
    fn begins(&mut self, here: RunningFrame<'_>) -> Execution;
    /// All activations at this depth and deeper have ended: at 0 a phase, at 1 by `next`.
    fn unwound(&mut self, depth: usize);
    /// A loop is repeated, from its header. Asked in each iteration while observing.
    fn looped(&mut self, header: CodeAt, here: RunningFrame<'_>) -> Execution;
    /// A function has been called from the operation `call` with so many arguments, which are its
    /// first registers. Asked for each call from an activation that is observed.
    fn entered(
        &mut self,
        function: FrameId,
        passed: usize,
        call: u32,
        here: RunningFrame<'_>,
    ) -> Execution;
    /// The activation at this depth ends with such a value, even if only its caller is observed.
    fn left(&mut self, depth: usize, result: Kind);
    /// A value of this kind was read, by an activation that is observed.
    fn saw(&mut self, at: u32, part: Part, kind: Kind);
    /// An operation of an activation that is observed went this way.
    fn decided(&mut self, at: u32, decision: Decision);
    /// A guard of a candidate failed, by its numbers. It need not be the candidate that was
    /// entered: candidates call each other.
    fn guard_failed(&mut self, candidate: u64, guard: u32);
    /// Machine code was left for another reason than a guard, before this operation or by it.
    fn left_machine_code(&mut self, why: Leaving, at: u32);
}

/// Nobody watches.
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
    fn left_machine_code(&mut self, _: Leaving, _: u32) {}
}

/// What a value is; `record` is what views are ranges of.
pub fn kind(value: &Value, record: &[u8]) -> Kind {
    match value {
        Value::Num(_) | Value::Precise(_) => Kind::Number,
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
