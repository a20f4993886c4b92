//! The intermediate representation: static single assignment, with slots as memory.
//!
//! An [`IrFunction`] is the code for one entry into one frame. Its values are unboxed; a value that
//! is not a number stays in its slot. A number not yet stored to its slot is *stale*: an [`Exit`]
//! lists the numbers to store before the interpreter continues.

use super::integer::Integer;
pub(super) use super::performer::Performer;
use super::request::FrameName;
use super::slot::Slot;
use super::tags::TagSet;
use super::text::Text;
pub(super) use super::value::{Known, Order, Value, ValueType};
use riverhawk_value::SmallStr;

/// A basic block's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(pub u32);

/// A side exit's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExitId(pub u32);

/// Arithmetic of two numbers, without a check for zero divisors.
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
    /// and(a, b), both at least 0 and below 2^63
    And,
    /// or(a, b), both at least 0 and below 2^53
    Or,
    /// xor(a, b), both at least 0 and below 2^53
    Xor,
    /// lshift(a, b), a at least 0 and below 2^53, b below 64
    ShiftLeft,
    /// rshift(a, b), a at least 0 and below 2^63, b below 64
    ShiftRight,
}

impl Binary {
    /// Whether a loop over integers has it.
    pub(super) fn has_integers(self) -> bool {
        use Binary::*;
        matches!(self, Add | Sub | Mul | Div | Rem)
    }
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

/// An instruction; the type of its result follows the colon. `memory` is what the slot may hold
/// before it is written: a slot whose old content needs no drop is overwritten without a check.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "each row says what its operands are")]
pub enum Inst {
    /// A constant: number.
    Number(f64),
    /// The number in a slot: number.
    LoadNumber(Slot),
    /// A slot's value converted to a number: number.
    ReadNumber(Slot),
    /// Whether a slot's tag is in the set: truth.
    Is(Slot, TagSet),
    StoreNumber {
        slot: Slot,
        value: Value,
        memory: TagSet,
    },
    StoreNothing {
        slot: Slot,
        memory: TagSet,
    },
    /// Drops a slot's value if needed, and makes the slot uninitialised.
    LetGo(Slot),
    /// Number.
    Binary(Binary, Value, Value),
    /// Number.
    Unary(Unary, Value),
    /// Truth.
    Compare(Order, Value, Value),
    /// As awk compares: truth.
    CompareSlots(Order, Slot, Slot),
    /// As `CompareSlots`, when two numbers are not expected: truth.
    CompareTexts(Order, Slot, Slot),
    /// Whether a slot equals `constant`, which is the short text `text`: truth.
    EqualsText {
        slot: Slot,
        constant: Slot,
        text: SmallStr,
    },
    /// Truth.
    TruthOf(Slot),
    /// Whether a number is not zero, true for NaN: truth.
    NotZero(Value),
    /// Whether a number is within 2^53 of zero, where doubles hold every integer: truth.
    IsSmall(Value),
    /// Truth.
    Not(Value),
    /// 1 or 0: number.
    FromTruth(Value),
    Guard {
        holds: Value,
        exit: ExitId,
    },
    /// Lets the interpreter perform `count` operations from `at`; whether the last jumped: truth.
    /// Operands are in their slots; a failure ends the run. If the last operation assigned globals
    /// from outside, the first exit is taken, or the second after a jump.
    Perform {
        at: u32,
        count: u32,
        by: Performer,
        assigned: Option<(ExitId, ExitId)>,
        scope: FrameScope,
    },
    /// Reads the next record into `$0`; whether there is one: truth. Exits as for `Perform`.
    NextRecord {
        at: u32,
        assigned: (ExitId, ExitId),
    },
    /// Truth. A failure ends the run.
    RecordMatches {
        at: u32,
        regex: u32,
        scope: FrameScope,
    },
    Field {
        d: Slot,
        n: u32,
    },
    /// A field by its index, which is at least 0 and below 2^28.
    FieldAt {
        d: Slot,
        n: Value,
    },
    /// As `FieldAt`, owned.
    OwnFieldAt {
        d: Slot,
        n: Value,
    },
    /// Number.
    FieldNumber(u32),
    /// The number of a field by its index, as for `FieldAt`: number.
    FieldNumberAt(Value),
    /// Truth.
    CompareField {
        order: Order,
        n: u32,
        value: Value,
        field_first: bool,
    },
    /// A special variable, NaN when it is no number: number.
    Special(u32),
    /// In characters: number.
    FieldLength(u32),
    /// Characters of a text, or elements of an array: number.
    Length {
        s: Slot,
        known: Option<Known>,
    },
    Text(Text),
    Integer(Integer),
    /// Number.
    Rand,
    /// The element under a number or integer, made if absent: element. The slot holds an array.
    Element {
        array: Slot,
        key: Value,
    },
    /// The element under the key in a slot: element.
    ElementUnder {
        array: Slot,
        key: Slot,
    },
    /// The element under a field's text, as by [`Inst::FieldNumberAt`]: element.
    ElementUnderField {
        array: Slot,
        n: Value,
    },
    /// Truth. The slot holds an array.
    HasElement {
        array: Slot,
        key: Value,
    },
    /// The slot holds an array. Addresses of its elements become invalid.
    DeleteElement {
        array: Slot,
        key: Value,
    },
    /// Truth.
    IsNumber(Value),
    /// Whether an element is an array, or may become one: truth.
    IsArray(Value),
    /// Number.
    LoadElement(Value),
    /// An element, no array, converted to a number: number.
    ReadElement(Value),
    /// The element is no array.
    StoreElement {
        element: Value,
        value: Value,
    },
    /// The copy is owned.
    CopyToElement {
        element: Value,
        slot: Slot,
    },
    CopyFromElement {
        slot: Slot,
        element: Value,
    },
    /// The copy is owned.
    Copy {
        d: Slot,
        s: Slot,
    },
    /// Copies a short text without a reference count.
    CopyShort {
        d: Slot,
        s: Slot,
        memory: TagSet,
    },
    /// Calls a candidate: number, if it returns one; otherwise the value is in register `first`.
    /// After a side exit of the callee this instruction exits too, at the operation after the call.
    Call {
        callee: Callee,
        arguments: Vec<Value>,
        first: u16,
        d: Slot,
        exit: ExitId,
    },
    /// Moves a call's value from register `first` to d.
    Take {
        d: Slot,
        first: u16,
    },
    /// Clears `count` registers from `first`, and puts the slot's value, owned, into d.
    ReturnSlot {
        d: Slot,
        slot: Slot,
        first: u16,
        count: u16,
    },
    /// As `ReturnSlot`, for an uninitialised value.
    ReturnUnassigned {
        d: Slot,
        first: u16,
        count: u16,
    },
    Mark(Mark),
    /// Whether the run may go on: truth.
    HasTime,
    /// Whether one more step is allowed: truth.
    HasSteps,
}

/// The frame an instruction belongs to: the function's own, or an inlined one's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FrameScope(pub u32);

impl FrameScope {
    /// The function's own frame.
    pub const OWN: FrameScope = FrameScope(0);
}

/// The frame that an inlined function would have had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inlined {
    /// The caller's scope.
    pub caller: FrameScope,
    /// The function.
    pub function: u32,
    /// The operation after the call.
    pub return_to: u32,
    /// The destination, in the caller's frame.
    pub d: Slot,
    /// Its first register in the outermost frame.
    pub base: u16,
}

/// A message to the profiler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A rule begins or continues here.
    Rule(u32),
    /// This operation is about to call.
    Call(u32),
    /// The called function begins.
    Enter,
    /// An inlined function begins, called here.
    EnterInlined(u32),
    /// The function is about to return.
    Leave,
    /// A step is counted.
    Step,
}

/// Limit of field numbers, as in the interpreter: 2^28.
pub(crate) const FIELD_LIMIT: f64 = (1u32 << 28) as f64;

/// The target of an [`Inst::Call`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Callee {
    /// The function.
    pub function: u32,
    /// Where its code is found.
    pub link: u32,
    /// What it returns.
    pub returns: ReturnForm,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReturnForm {
    /// A number. If the function can return anything else, building it for this form fails.
    Number,
    /// A value in its first register.
    Value,
}

/// An instruction and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockInst {
    /// The instruction.
    pub inst: Inst,
    /// The value that it gives, if any.
    pub result: Option<Value>,
}

/// A successor block with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockTarget {
    /// The block.
    pub block: Block,
    /// One value for each of its parameters.
    pub arguments: Vec<Value>,
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum BlockEnd {
    /// To one block.
    Jump(BlockTarget),
    /// To one of two blocks.
    Branch {
        /// The condition.
        on: Value,
        /// If true.
        yes: BlockTarget,
        /// If false.
        no: BlockTarget,
    },
    /// By a side exit.
    Leave(ExitId),
    /// Returns a number.
    Return(Value),
    /// Returns the value in its first register.
    ReturnValue,
}

/// A value to store at a side exit.
#[derive(Clone, Debug, PartialEq)]
pub struct Store {
    /// The slot.
    pub slot: Slot,
    /// The number, or an integer, converted to one.
    pub value: Value,
    /// What the slot may hold before.
    pub memory: TagSet,
}

/// A side exit.
#[derive(Clone, Debug, PartialEq)]
pub struct Exit {
    /// The operation at which the interpreter continues.
    pub at: u32,
    /// The failed guard, if any.
    pub guard: Option<u32>,
    /// Why it is taken.
    pub reason: ExitReason,
    /// Values to store.
    pub stores: Vec<Store>,
    /// The frame of the operation.
    pub scope: FrameScope,
}

/// Why an exit is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExitReason {
    /// A guard: an argument's type differs.
    Argument,
    /// A guard: a variable's type differs.
    Variable(Slot),
    /// A guard: a result is no number.
    Result,
    /// A guard: an element is no number.
    Element,
    /// The element may be an array.
    Subarray,
    /// A guard: a special variable is no number.
    Special,
    /// An operand for the interpreter: a zero divisor, the root of a negative number.
    Operand,
    /// An operation for the interpreter.
    Operation,
    /// The callee has no code.
    Call,
    /// The end of a function entered at a loop header, or an unexpected result.
    Return,
    /// A callee took a side exit.
    Callee,
    /// Globals were assigned from outside.
    Assigned,
    /// No stack for another call.
    Depth,
}

impl ExitReason {
    /// Whether its failures count towards the candidate's withdrawal.
    pub fn is_guard(self) -> bool {
        use ExitReason::*;
        matches!(self, Argument | Variable(_) | Result | Element | Special)
    }
}

/// A block.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockData {
    /// Its first operation.
    pub at: u32,
    /// Its parameters.
    pub parameters: Vec<Value>,
    /// Its instructions.
    pub steps: Vec<BlockInst>,
    /// Its end.
    pub end: BlockEnd,
    /// Rarely reached.
    pub is_rare: bool,
    /// Part of a loop over doubles that also has a version over integers.
    pub has_integers: bool,
}

/// One compiled entry into one frame.
#[derive(Clone, Debug)]
pub struct IrFunction {
    /// The frame.
    pub frame: FrameName,
    /// Number of registers, with those of inlined functions.
    pub registers: u16,
    /// The type of each value.
    pub types: Vec<ValueType>,
    /// The first is the entry; its parameters are the arguments that are numbers.
    pub blocks: Vec<BlockData>,
    /// The exits.
    pub exits: Vec<Exit>,
    /// The number of guards.
    pub guards: u32,
    /// Inlined frames. Scope n is at index n - 1.
    pub inlined: Vec<Inlined>,
    /// How a function is called.
    pub signature: Option<Signature>,
    /// Taken at entry when the stack is full.
    pub begin: Option<ExitId>,
}

/// How an argument is passed between candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum InstClass {
    /// In a processor register.
    Number,
    /// In its slot.
    Array,
    /// Omitted, or uninitialised.
    Nothing,
    /// In its slot.
    Any,
}

impl InstClass {
    /// The class for these tags.
    pub fn of(tags: TagSet) -> InstClass {
        match tags {
            TagSet::NUM => InstClass::Number,
            TagSet::ARRAY => InstClass::Array,
            TagSet::UNINIT => InstClass::Nothing,
            _ => InstClass::Any,
        }
    }

    /// The tags of this class.
    pub fn tags(self) -> TagSet {
        match self {
            InstClass::Number => TagSet::NUM,
            InstClass::Array => TagSet::ARRAY,
            InstClass::Nothing => TagSet::UNINIT,
            InstClass::Any => TagSet::ANY,
        }
    }
}

/// How a function is called from machine code.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signature {
    /// The function.
    pub function: u32,
    /// The class of each parameter.
    pub parameters: Vec<InstClass>,
}

impl IrFunction {
    /// A value's type.
    pub fn type_of(&self, value: Value) -> ValueType {
        self.types[value.0 as usize]
    }

    /// Inlined frames at a scope, innermost first.
    pub fn frames(&self, scope: FrameScope) -> impl Iterator<Item = &Inlined> {
        let of = |scope: FrameScope| self.inlined.get((scope.0 as usize).wrapping_sub(1));
        std::iter::successors(of(scope), move |inlined| of(inlined.caller))
    }

    /// The first register of a scope's frame.
    pub fn base(&self, scope: FrameScope) -> u16 {
        self.frames(scope).next().map_or(0, |inlined| inlined.base)
    }

    /// The operation of a call with this exit.
    pub fn called_at(&self, exit: ExitId) -> u32 {
        self.exits[exit.0 as usize].at - 1
    }
}

impl BlockData {
    pub(super) fn at(at: u32) -> BlockData {
        let (parameters, steps, end) = (Vec::new(), Vec::new(), BlockEnd::ReturnValue);
        BlockData { at, parameters, steps, end, is_rare: false, has_integers: false }
    }
}

impl BlockEnd {
    /// Its successors.
    pub fn targets(&self) -> Vec<&BlockTarget> {
        match self {
            BlockEnd::Jump(target) => vec![target],
            BlockEnd::Branch { yes, no, .. } => vec![yes, no],
            _ => Vec::new(),
        }
    }

    pub(crate) fn targets_mut(&mut self) -> Vec<&mut BlockTarget> {
        match self {
            BlockEnd::Jump(target) => vec![target],
            BlockEnd::Branch { yes, no, .. } => vec![yes, no],
            _ => Vec::new(),
        }
    }
}
