//! The intermediate representation: static single assignment, with slots as memory.
//!
//! A [`Function`] is one entry into one frame. Its values are unboxed: numbers, truths, addresses
//! of array elements. What is not a number stays in its slot and is worked on there. A value that a
//! slot should hold but does not hold yet is *stale*; [`Exit`]s say what to put back before the
//! interpreter may look.

use super::integer::Integer;
pub use super::performer::Performer;
use super::request::FrameName;
use super::slot::Slot;
use super::tags::TagSet;
use super::text::Text;
pub use super::value::{Known, Order, Value, ValueType};

/// A block of instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(pub u32);

/// An exit, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExitId(pub u32);

/// Arithmetic of two numbers, as awk's, without a check for a division by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// a + b
    Add,
    /// a - b
    Sub,
    /// a * b
    Mul,
    /// a / b
    Div,
    /// a % b
    Rem,
    /// a ^ b
    Pow,
    /// atan2(a, b)
    Atan2,
}

/// Arithmetic of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// -a
    Neg,
    /// int(a)
    Int,
    /// sqrt(a), a not negative
    Sqrt,
    /// sin(a)
    Sin,
    /// cos(a)
    Cos,
    /// exp(a)
    Exp,
    /// log(a), a not negative
    Log,
}

/// An instruction. `memory` is what a slot that is written may hold by then: what needs no drop is
/// overwritten without looking.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each row says what its operands are")]
pub enum Inst {
    /// A constant: number.
    Number(f64),
    /// The number that a slot holds; it holds one: number.
    LoadNumber(Slot),
    /// The value of a slot, whatever it is, as a number: number. The slot is not changed.
    ReadNumber(Slot),
    /// Whether a slot's tag is one of these: truth.
    Is(Slot, TagSet),
    /// A slot becomes a number.
    StoreNumber { slot: Slot, value: Value, memory: TagSet },
    /// A slot becomes never assigned.
    StoreNothing { slot: Slot, memory: TagSet },
    /// What a slot holds is dropped if it needs that; it becomes never assigned then.
    LetGo(Slot),
    /// Arithmetic: number.
    Binary(Binary, Value, Value),
    /// Arithmetic: number.
    Unary(Unary, Value),
    /// Compares numbers: truth.
    Compare(Order, Value, Value),
    /// Compares what two slots hold, as awk does: truth.
    CompareSlots(Order, Slot, Slot),
    /// The same, when they are not expected to be two numbers: truth.
    CompareTexts(Order, Slot, Slot),
    /// Whether what a slot holds is true: truth.
    TruthOf(Slot),
    /// Whether a number is not zero (a NaN counts as true): truth.
    NotZero(Value),
    /// Whether a number lies within 2^53 of zero, where every integer is a double: truth.
    IsSmall(Value),
    /// The other truth: truth.
    Not(Value),
    /// 1 or 0: number.
    FromTruth(Value),
    /// Leaves unless the truth holds.
    Guard { holds: Value, exit: ExitId },
    /// The interpreter performs so many operations from one on: whether the last jumped, truth.
    /// Their operands are in their slots. If one fails, the run ends. If globals were assigned from
    /// outside, which only the last may do, leaves by the first exit, or by the second when it
    /// jumped.
    Perform { at: u32, count: u32, by: Performer, assigned: Option<(ExitId, ExitId)>, scope: Scope },
    /// The next record becomes `$0`: whether there is one, truth. Otherwise as `Perform`.
    NextRecord { at: u32, assigned: (ExitId, ExitId) },
    /// Whether the record matches a constant regular expression: truth. If that fails, the run
    /// ends.
    RecordMatches { at: u32, regex: u32, scope: Scope },
    /// A slot gets field n.
    Field { d: Slot, n: u32 },
    /// Field n as a number: number.
    FieldNumber(u32),
    /// The field whose number this is, not negative and below [`FIELD_LIMIT`], as a number: number.
    FieldNumberAt(Value),
    /// Compares field n with a number, or a number with the field: truth.
    CompareField { order: Order, n: u32, value: Value, field_first: bool },
    /// A variable that the engine keeps, by its place among them: number, a NaN when it is
    /// something else.
    Special(u32),
    /// Characters of field n: number.
    FieldLength(u32),
    /// Characters of what a slot holds, or elements: number.
    Length { s: Slot, known: Option<Known> },
    /// An operation on texts.
    Text(Text),
    /// An operation on integers.
    Integer(Integer),
    /// A random number: number.
    Rand,
    /// The element of an array under a number or integer, made if there is none: element. The slot
    /// holds an array.
    Element { array: Slot, key: Value },
    /// The same under the key that a slot holds: element.
    ElementUnder { array: Slot, key: Slot },
    /// Whether an array has an element under a number or integer: truth. The slot holds an array.
    HasElement { array: Slot, key: Value },
    /// An array loses the element under a number. The slot holds an array; no address of an element
    /// is valid afterwards.
    DeleteElement { array: Slot, key: Value },
    /// Whether an element is a number: truth.
    IsNumber(Value),
    /// Whether an element is an array, or may become one: truth.
    IsArray(Value),
    /// The number that an element holds: number.
    LoadElement(Value),
    /// An element as a number, text or not: number. It is no array.
    ReadElement(Value),
    /// An element, which is no array, becomes a number.
    StoreElement { element: Value, value: Value },
    /// An element becomes a copy of what a slot holds, owned.
    CopyToElement { element: Value, slot: Slot },
    /// A slot becomes a copy of an element.
    CopyFromElement { slot: Slot, element: Value },
    /// A slot becomes a copy of another, owned.
    Copy { d: Slot, s: Slot },
    /// A slot becomes a copy of a short text that a constant slot holds: sixteen bytes, nothing is
    /// counted.
    CopyShort { d: Slot, s: Slot, memory: TagSet },
    /// Calls a candidate: number, if it returns one; otherwise the value is in register `first`.
    /// When it leaves, so does this, through the exit, whose operation is the one after the call.
    Call { callee: Callee, arguments: Vec<Value>, first: u16, d: Slot, exit: ExitId },
    /// Moves the value that a call left in register `first` into a slot.
    Take { d: Slot, first: u16 },
    /// Clears so many registers from `first` on, and puts what the slot held, owned, into d.
    ReturnSlot { d: Slot, slot: Slot, first: u16, count: u16 },
    /// The same with what was assigned from nothing.
    ReturnUnassigned { d: Slot, first: u16, count: u16 },
    /// Tells a profile where the run is.
    Mark(Mark),
    /// Whether the program still has time: truth.
    HasTime,
}

/// Whose frame an instruction stands in: the function's own, or an inlined one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scope(pub u32);

impl Scope {
    /// The function's own frame.
    pub const OWN: Scope = Scope(0);
}

/// An inlined function: what its frame would have been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inlined {
    /// Whose frame it was called from.
    pub caller: Scope,
    /// The function.
    pub function: u32,
    /// The operation behind the call.
    pub return_to: u32,
    /// Where its caller wants the value: a slot of the caller's frame.
    pub d: Slot,
    /// Its first register, counted in the outermost frame.
    pub base: u16,
}

/// A message to the profiler. Only programs that are compiled to be profiled have any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The run goes on in a rule: the operation that says so.
    Rule(u32),
    /// A function is about to be called by this operation.
    Call(u32),
    /// The function that was called begins.
    Enter,
    /// An inlined function begins, in place of its call by this operation.
    EnterInlined(u32),
    /// The function is about to return.
    Leave,
}

/// Fields have numbers below this: 2^28, as the interpreter has it.
pub const FIELD_LIMIT: f64 = (1u32 << 28) as f64;

/// Whom an [`Inst::Call`] calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Callee {
    /// The function.
    pub function: u32,
    /// Its link: where its code is found.
    pub link: u32,
    /// Whether it returns a number rather than a value in its first register.
    pub gives_number: bool,
}

/// An instruction with its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What is done.
    pub inst: Inst,
    /// The value that it gives, if it gives one.
    pub result: Option<Value>,
}

/// Another block, and its parameters' values.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The block.
    pub block: Block,
    /// One value for each of its parameters.
    pub arguments: Vec<Value>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Goes on there.
    Jump(Target),
    /// Goes on here or there.
    Branch {
        /// Which.
        on: Value,
        /// When it is true.
        yes: Target,
        /// When it is not.
        no: Target,
    },
    /// Leaves.
    Leave(ExitId),
    /// The function ends with a number.
    Return(Value),
    /// The function ends with the value in its first register.
    ReturnValue,
}

/// What is put back into a slot at a side exit.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// The slot.
    pub slot: Slot,
    /// The number, or an integer, which becomes one on the way.
    pub value: Value,
    /// What the slot may hold by then.
    pub memory: TagSet,
}

/// A side exit.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    /// The operation at which the interpreter goes on.
    pub at: u32,
    /// The guard, by its number, when one failed.
    pub guard: Option<u32>,
    /// Why it is taken.
    pub reason: Reason,
    /// What must be put back.
    pub stores: Vec<Store>,
    /// Whose frame runs there.
    pub scope: Scope,
}

/// Why an exit is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// A guard: an argument is of another type than the code was made for.
    Argument,
    /// A guard: a variable is of another type than where the loop was observed.
    Variable(Slot),
    /// A guard: a result is no number, as it was whenever it was observed.
    Result,
    /// A guard: an element is no number, as it was whenever it was observed.
    Element,
    /// A guard: an element is an array, or may become one.
    Subarray,
    /// A guard: a variable that the engine keeps is no number.
    Special,
    /// An operand that the interpreter handles otherwise: a divisor of zero, the root of a negative
    /// number.
    Operand,
    /// An operation that only the interpreter can perform.
    Operation,
    /// A call of a function that has no machine code for such arguments.
    Call,
    /// The end of a function that was entered at a loop header, or one that returns something else
    /// than a number.
    Return,
    /// A callee was left, for a reason of its own.
    Callee,
    /// Globals were assigned from outside.
    Assigned,
    /// No room for another call.
    Depth,
}

impl Reason {
    /// Whether it is a guard's, which is counted for its candidate: too many failures end it.
    pub fn is_guard(self) -> bool {
        use Reason::*;
        matches!(self, Argument | Variable(_) | Result | Element | Special)
    }
}

/// A block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockData {
    /// The operation that it begins with.
    pub at: u32,
    /// Its parameters.
    pub parameters: Vec<Value>,
    /// Its instructions.
    pub steps: Vec<Step>,
    /// Its end.
    pub end: End,
    /// It is hardly ever reached.
    pub is_rare: bool,
    /// Part of a loop that has a version over integers; this is the one over doubles.
    pub has_integers: bool,
}

/// One entry into one frame, compiled.
#[derive(Clone, Debug)]
pub struct Function {
    /// The frame.
    pub frame: FrameName,
    /// Registers of the frame, with those of inlined functions.
    pub registers: u16,
    /// The types of the values.
    pub types: Vec<ValueType>,
    /// The blocks; the first is the entry, with the arguments that are passed as numbers.
    pub blocks: Vec<BlockData>,
    /// The exits.
    pub exits: Vec<Exit>,
    /// How many guards there are.
    pub guards: u32,
    /// Inlined functions: scope n is the one at n - 1.
    pub inlined: Vec<Inlined>,
    /// For functions, how they are called.
    pub signature: Option<Signature>,
    /// The exit at the beginning, when there is no room.
    pub begin: Option<ExitId>,
}

/// How an argument is passed between candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A number, in a register of the processor.
    Number,
    /// An array, in its slot.
    Array,
    /// Not passed, or passed without ever having been assigned.
    Nothing,
    /// Anything, in its slot.
    Any,
}

impl Class {
    /// The class of what has these tags.
    pub fn of(tags: TagSet) -> Class {
        match tags {
            TagSet::NUM => Class::Number,
            TagSet::ARRAY => Class::Array,
            TagSet::UNINIT => Class::Nothing,
            _ => Class::Any,
        }
    }

    /// The tags that a value of this class has.
    pub fn tags(self) -> TagSet {
        match self {
            Class::Number => TagSet::NUM,
            Class::Array => TagSet::ARRAY,
            Class::Nothing => TagSet::UNINIT,
            Class::Any => TagSet::ANY,
        }
    }
}

/// How a function is called from machine code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The function.
    pub function: u32,
    /// The class of each parameter.
    pub parameters: Vec<Class>,
}

impl Function {
    /// A value's type.
    pub fn type_of(&self, value: Value) -> ValueType {
        self.types[value.0 as usize]
    }

    /// The frame that would be called where an instruction stands, and all that it was called from,
    /// innermost first; none for the function's own.
    pub fn frames(&self, scope: Scope) -> impl Iterator<Item = &Inlined> {
        let of = |scope: Scope| self.inlined.get((scope.0 as usize).wrapping_sub(1));
        std::iter::successors(of(scope), move |inlined| of(inlined.caller))
    }

    /// The first register of a scope's frame.
    pub fn base(&self, scope: Scope) -> u16 {
        self.frames(scope).next().map_or(0, |inlined| inlined.base)
    }

    /// The operation of a call, by its exit.
    pub fn called_at(&self, exit: ExitId) -> u32 {
        self.exits[exit.0 as usize].at - 1
    }
}

impl BlockData {
    /// An empty one.
    pub(super) fn at(at: u32) -> BlockData {
        let (parameters, steps, end) = (Vec::new(), Vec::new(), End::ReturnValue);
        BlockData { at, parameters, steps, end, is_rare: false, has_integers: false }
    }
}

impl End {
    /// Where it may go.
    pub fn targets(&self) -> Vec<&Target> {
        match self {
            End::Jump(target) => vec![target],
            End::Branch { yes, no, .. } => vec![yes, no],
            _ => Vec::new(),
        }
    }

    /// The same, to change.
    pub fn targets_mut(&mut self) -> Vec<&mut Target> {
        match self {
            End::Jump(target) => vec![target],
            End::Branch { yes, no, .. } => vec![yes, no],
            _ => Vec::new(),
        }
    }
}
