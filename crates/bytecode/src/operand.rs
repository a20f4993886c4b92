//! The operands of operations. All are small numbers, so that an operation fits in 16 bytes.

use riverhawk_syntax::ast::{BinaryOp, LibraryFn, RedirectKind, Special};
use riverhawk_syntax::host::HostDeclaration;

/// Set in static slots (globals and constants), clear in registers.
const STATIC: u16 = 0x8000;

/// Static slots that an operand can name. Globals and constants past this have their own
/// operations.
pub const STATIC_LIMIT: usize = 0x8000;

/// Registers per frame.
pub const REGISTER_LIMIT: usize = 0x8000;

macro_rules! slots {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(u16);

        impl $name {
            /// A register.
            pub const fn register(number: u16) -> $name { $name(number) }
            /// A static slot.
            pub const fn fixed(number: u16) -> $name { $name(number | STATIC) }
            /// Whether it is a static slot.
            #[inline(always)]
            pub const fn is_static(self) -> bool { self.0 & STATIC != 0 }
            /// Index among the registers or the static slots.
            #[inline(always)]
            pub const fn number(self) -> usize { (self.0 & !STATIC) as usize }
        }
    )*};
}

slots! {
    /// A slot that is read: a register, a global or a constant.
    Src;
    /// A slot that is written (and may be read first): a register or a global.
    Dst;
}

impl Src {
    /// The slot as a destination; the verifier checks that it may be written.
    #[inline(always)]
    pub const fn dst(self) -> Dst {
        Dst(self.0)
    }
}

impl Dst {
    /// The slot as a source.
    #[inline(always)]
    pub const fn src(self) -> Src {
        Src(self.0)
    }
}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index.
            #[inline(always)]
            pub const fn index(self) -> usize { self.0 as usize }
        }
    )*};
}

numbers! {
    /// A global past a slot's reach.
    GlobalNo;
    /// A constant past a slot's reach.
    ConstId;
    /// A constant regular expression.
    RegexId;
    /// A constant format.
    FormatId;
    /// A user function.
    FrameId;
    /// A place that an observed run reports.
    VisitNo;
    /// A rule of a profiled program.
    RuleNo;
    /// A field by its number; 0 is the record.
    FieldNo;
    /// A column that the program names, in the order of their globals.
    ColumnNo;
}

/// A jump's target: an index into the unit's code, in the same frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeAt(pub u32);

/// Consecutive registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regs {
    /// The first.
    pub first: u16,
    /// How many.
    pub count: u16,
}

/// A list of slots in [`Unit::lists`](crate::Unit::lists).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Srcs {
    /// Index of the first.
    pub at: u32,
    /// How many.
    pub count: u32,
}

impl Srcs {
    /// The slots, in the lists of a unit; none if out of bounds.
    #[inline]
    pub fn of(self, lists: &[Src]) -> &[Src] {
        let at = self.at as usize;
        lists.get(at..at + self.count as usize).unwrap_or_default()
    }
}

/// A host function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostNo(pub u16);

impl HostNo {
    /// As an index.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Which arguments of a call are arrays: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ArrayArguments(u16);

impl ArrayArguments {
    /// Those of a function.
    pub fn of(function: &HostDeclaration) -> ArrayArguments {
        let arrays = (0..HostDeclaration::MAX_ARRAYS).filter(|&at| function.takes_array(at));
        ArrayArguments(arrays.fold(0, |bits, at| bits | 1 << at))
    }

    /// Whether the argument at this index is an array.
    #[inline(always)]
    pub const fn contains(self, at: usize) -> bool {
        at < HostDeclaration::MAX_ARRAYS && self.0 >> at & 1 == 1
    }
}

/// Which slots of a printed list are joined to the slot before them: a bit for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Joints(u32);

impl Joints {
    /// No joined slots.
    pub const NONE: Joints = Joints(0);

    /// The maximum length of a list with joints.
    pub const MAX_SLOTS: usize = 32;

    /// Joins a slot, below [`Joints::MAX_SLOTS`], to the one before it.
    pub fn join(&mut self, at: usize) {
        debug_assert!((1..Self::MAX_SLOTS).contains(&at));
        self.0 |= 1 << at;
    }

    /// Whether a slot is joined to the one before it.
    #[inline(always)]
    pub const fn is_joined(self, at: usize) -> bool {
        at < Self::MAX_SLOTS && self.0 >> at & 1 == 1
    }

    /// Whether a slot is printed as part of a text made of several slots.
    #[inline(always)]
    pub const fn is_part(self, at: usize) -> bool {
        self.is_joined(at) || self.is_joined(at + 1)
    }
}

/// A regular expression or separator: a constant, the text of a slot, or FS. Packed into 4 bytes,
/// so that an operation fits in 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternRef(u32);

/// An unpacked [`PatternRef`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternKind {
    /// Compiled with the program.
    Constant(RegexId),
    /// The text of a slot.
    Slot(Src),
    /// FS (`split` without separator).
    FieldSeparator,
}

const PATTERN_SLOT: u32 = 1 << 31;

impl PatternRef {
    /// FS.
    pub const FIELD_SEPARATOR: PatternRef = PatternRef(u32::MAX);

    /// Compiled with the program.
    pub const fn constant(regex: RegexId) -> PatternRef {
        PatternRef(regex.0 & !PATTERN_SLOT)
    }

    /// The text of a slot.
    pub const fn slot(slot: Src) -> PatternRef {
        PatternRef(slot.0 as u32 | PATTERN_SLOT)
    }

    /// Unpacks it.
    #[inline]
    pub const fn kind(self) -> PatternKind {
        if self.0 & PATTERN_SLOT == 0 {
            PatternKind::Constant(RegexId(self.0))
        } else if self.0 == u32::MAX {
            PatternKind::FieldSeparator
        } else {
            PatternKind::Slot(Src(self.0 as u16))
        }
    }
}

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident $text:literal),* $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant),* }

        impl $name {
            /// The name in dumps.
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        }

        impl From<$name> for Operand {
            fn from(operand: $name) -> Operand { Operand::Word(operand.name()) }
        }
    )*};
}

flags! {
    /// Prefix and postfix steps.
    Step {
        /// `++x`
        PreUp "++x",
        /// `--x`
        PreDown "--x",
        /// `x++`
        PostUp "x++",
        /// `x--`
        PostDown "x--",
    }
    /// What `x op= v` does.
    Update {
        /// `+=`
        Add "+=",
        /// `-=`
        Sub "-=",
        /// `*=`
        Mul "*=",
        /// `/=`
        Div "/=",
        /// `%=`
        Mod "%=",
        /// `^=`
        Pow "^=",
    }
    /// Functions of one number.
    MathFn {
        /// Sine of radians.
        Sin "sin",
        /// Cosine of radians.
        Cos "cos",
        /// e to the power.
        Exp "exp",
        /// Natural logarithm.
        Log "log",
        /// Square root.
        Sqrt "sqrt",
        /// Without fraction, towards zero.
        Int "int",
    }
    /// Arithmetic of any precision.
    PreciseFn {
        /// a + b
        Add "+",
        /// a - b
        Sub "-",
        /// a * b
        Mul "*",
        /// a / b; b = 0 is an error
        Div "/",
        /// a modulo b with the sign of a; b = 0 is an error
        Mod "%",
        /// a to the power b
        Pow "^",
        /// -a
        Neg "neg",
        /// a as a number
        Number "number",
        /// a as `print` writes it, if it needs more than a double
        Print "print",
        /// 1 when a is true, else 0
        Truth "truth",
        /// 0 when a is true, else 1
        Not "not",
        /// a without its fraction
        Int "int",
        /// Sine of radians
        Sin "sin",
        /// Cosine of radians
        Cos "cos",
        /// e to the power
        Exp "exp",
        /// Natural logarithm
        Log "log",
        /// Square root
        Sqrt "sqrt",
        /// The angle of (a = y, b = x)
        Atan2 "atan2",
        /// A random number, at least 0 and below 1
        Rand "rand",
        /// Seeds by a
        Srand "srand",
        /// Seeds by the time
        SrandByTime "srandbytime",
    }
    /// Where redirected output goes.
    PrintTarget {
        /// `> file`
        Truncate ">",
        /// `>> file`
        Append ">>",
        /// `| command`
        Pipe "|",
        /// `|& command`
        Coprocess "|&",
    }
    /// A table of the program's names.
    NamedTable {
        /// Variables.
        Symbols "SYMTAB",
        /// Functions.
        Functions "FUNCTAB",
    }
    /// What an element is used as.
    Want {
        /// A scalar.
        Scalar "scalar",
        /// An array, created if missing.
        Array "array",
        /// Either.
        Any "any",
    }
    /// Where a named getline reads from.
    GetlineSource {
        /// `getline < file`
        File "<",
        /// `command | getline`
        Command "|",
        /// `command |& getline`
        Coprocess "|&",
    }
}

impl From<RedirectKind> for PrintTarget {
    fn from(kind: RedirectKind) -> PrintTarget {
        match kind {
            RedirectKind::Truncate => PrintTarget::Truncate,
            RedirectKind::Append => PrintTarget::Append,
            RedirectKind::Pipe => PrintTarget::Pipe,
            RedirectKind::Coprocess => PrintTarget::Coprocess,
        }
    }
}

impl Update {
    /// The update of an arithmetic operator.
    pub fn of(op: BinaryOp) -> Option<Update> {
        Some(match op {
            BinaryOp::Add => Update::Add,
            BinaryOp::Sub => Update::Sub,
            BinaryOp::Mul => Update::Mul,
            BinaryOp::Div => Update::Div,
            BinaryOp::Mod => Update::Mod,
            BinaryOp::Pow => Update::Pow,
            _ => return None,
        })
    }
}

macro_rules! any_operand {
    ($($kind:ident),*) => {
        /// An operand of any kind.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Operand {
            $(
                #[doc = concat!("A [`", stringify!($kind), "`].")]
                $kind($kind),
            )*
            /// One of a few named choices.
            Word(&'static str),
        }

        $(impl From<$kind> for Operand {
            fn from(operand: $kind) -> Operand { Operand::$kind(operand) }
        })*
    };
}

any_operand!(
    Src,
    Dst,
    Srcs,
    Regs,
    PatternRef,
    CodeAt,
    Joints,
    GlobalNo,
    ConstId,
    RegexId,
    FormatId,
    FrameId,
    VisitNo,
    RuleNo,
    FieldNo,
    ColumnNo,
    HostNo,
    ArrayArguments
);

impl From<Special> for Operand {
    fn from(special: Special) -> Operand {
        Operand::Word(special.name())
    }
}

impl From<LibraryFn> for Operand {
    fn from(function: LibraryFn) -> Operand {
        Operand::Word(function.name())
    }
}

impl From<bool> for Operand {
    fn from(answer: bool) -> Operand {
        Operand::Word(if answer { "yes" } else { "no" })
    }
}

/// An operation's access to a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotAccess {
    /// Its value is read.
    Read,
    /// Read as an array, and one afterwards.
    Array,
    /// Read, then written.
    Change(ResultType),
    /// Written, after all reads.
    Set(ResultType),
}

impl SlotAccess {
    /// Whether the old value matters.
    pub fn reads(self) -> bool {
        !matches!(self, SlotAccess::Set(_))
    }

    /// The type written, if any.
    pub fn writes(self) -> Option<ResultType> {
        match self {
            SlotAccess::Change(result) | SlotAccess::Set(result) => Some(result),
            SlotAccess::Read | SlotAccess::Array => None,
        }
    }
}

/// The type of a written value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultType {
    /// A number.
    Number,
    /// An array.
    Array,
    /// Any value.
    Any,
}

/// Which operations may follow another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Successors {
    /// The next.
    Next,
    /// The one at this index.
    Jump(u32),
    /// That one or the next.
    Branch(u32),
    /// The next, after a call.
    Call,
    /// The next, after an effect that only the interpreter knows: it may call the program's
    /// functions, or access any variable.
    Interpreter,
    /// None in this frame.
    End,
}
