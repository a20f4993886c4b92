//! Where an optimiser looks in. The interpreter tells a [`Tier`] where it is, and the tier says
//! which [`Way`] it goes on.
//!
//! The interpreter is made three times. With [`NoTier`] the calls below compile to nothing. With a
//! tier that watches, there is a *plain* one, which counts jumps and calls and otherwise runs as
//! fast as ever, and an *observing* one, which tells the types of what each operation reads and
//! what it decided. An activation is observed from one loop turn or call on and to its
//! end, or until the tier has seen enough; which of the two runs is decided where an activation
//! begins, goes on after a call, or turns, and nowhere else. So what is observed costs what is not
//! observed nothing but the counts.
//!
//! Activations are named by their depth: how many calls are in progress. A call frame needs no room
//! for what an optimiser knows of it.

use crate::native::{Entry, Leaving};
pub use crate::observed_types::gains_from_types;
use riverhawk_bytecode::{CodeAt, FrameId};
use riverhawk_value::Value;

/// How the interpreter goes on.
#[derive(Clone, Copy, Debug)]
pub enum Way {
    /// Counting only.
    Plain,
    /// Telling what it sees. The tier knows the activation by its depth.
    Observing,
    /// Not at all: machine code does, made for this place, until it has run the activation to its
    /// end or a guard fails.
    Native(Entry),
}

impl Way {
    /// By whether it observes.
    #[inline(always)]
    pub const fn of(observes: bool) -> Way {
        if observes { Way::Observing } else { Way::Plain }
    }
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
pub struct Here<'m> {
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

impl Here<'_> {
    /// What a value of this frame is.
    pub fn kind(&self, value: &Value) -> Kind {
        kind(value, self.record)
    }
}

/// Watches the interpreter, and offers machine code.
///
/// No machine code is running on this thread while any of these is called, so a tier may let go of
/// candidates in them.
pub trait Tier {
    /// Whether it watches.
    const WATCHES: bool;

    /// A jump is taken, or a record has been read. True when it wants to be asked what next, in
    /// case the jump goes back.
    fn jumps(&mut self) -> bool;
    /// The jump that it wanted to be asked about went forward.
    fn went_forward(&mut self);
    /// A function is called. True when it wants to be asked what next.
    fn calls(&mut self, function: FrameId) -> bool;
    /// Whether to watch a function that a built-in function is about to call again and again. What
    /// is called by one that is not watched is not watched either.
    fn watches_callbacks(&self, function: FrameId) -> bool;
    /// Whether the activation at this depth is being observed.
    fn observes(&self, depth: usize) -> bool;

    /// BEGIN, the record loop or END begins.
    fn begins(&mut self, here: Here<'_>) -> Way;
    /// All activations at this depth and deeper are no more: at 0 a phase has ended, at 1 `next`
    /// has left all calls.
    fn unwound(&mut self, depth: usize);
    /// A loop goes round, back to its head. Asked for each turn while observing.
    fn looped(&mut self, head: CodeAt, here: Here<'_>) -> Way;
    /// A function has been called from the operation `call` with so many arguments, which are its
    /// first registers. Asked for each call from an activation that is observed.
    fn entered(&mut self, function: FrameId, passed: usize, call: u32, here: Here<'_>) -> Way;
    /// The activation at this depth ends with such a value. Told also of those that are not
    /// observed while their caller is.
    fn left(&mut self, depth: usize, result: Kind);
    /// A value of this kind was read, by an activation that is observed.
    fn saw(&mut self, at: u32, part: Part, kind: Kind);
    /// An operation of an activation that is observed went this way.
    fn decided(&mut self, at: u32, decision: Decision);
    /// A guard of a candidate failed, by its numbers: the interpreter goes on in its place. The
    /// candidate need not be the one that was entered: candidates call each other.
    fn fell_back(&mut self, candidate: u64, guard: u32);
    /// Machine code was left without a guard's failing, before this operation or by it.
    fn left_code(&mut self, why: Leaving, at: u32);
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
    fn went_forward(&mut self) {}
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
    fn begins(&mut self, _: Here<'_>) -> Way {
        Way::Plain
    }
    fn unwound(&mut self, _: usize) {}
    fn looped(&mut self, _: CodeAt, _: Here<'_>) -> Way {
        Way::Plain
    }
    fn entered(&mut self, _: FrameId, _: usize, _: u32, _: Here<'_>) -> Way {
        Way::Plain
    }
    fn left(&mut self, _: usize, _: Kind) {}
    fn saw(&mut self, _: u32, _: Part, _: Kind) {}
    fn decided(&mut self, _: u32, _: Decision) {}
    fn fell_back(&mut self, _: u64, _: u32) {}
    fn left_code(&mut self, _: Leaving, _: u32) {}
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
