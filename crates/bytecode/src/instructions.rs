//! The instruction table: one row for each operation, with its contract, name, operands, effects on
//! slots, and successors. The type [`Op`], the verifier, the dump and the optimiser's view of
//! reads, writes and control flow are all generated from it.
//!
//! - A `Src`, a list and a range of registers are read. A `Dst` either `sets` (is written),
//!   `changes` (is read, then written) or `holds Array` (is read as an array and is one
//!   afterwards), with the type it has then: [`SlotAccess`].
//! - `=>` names the successors, if not just the next operation: [`Successors`].
//! - `reads_input`: may read the main input, and so assign globals from the command line.
//!
//! A `sets` slot is written after all reads, so it may also be a source. Unless the row says
//! otherwise, an operation takes any value and converts it as needed (number, text, truth). *View*:
//! the value may be a range of the current record, so it must be used before the record changes.
//! *Past a slot's reach*: the number is too large for a `Src` or `Dst`.

use crate::operand::*;
use riverhawk_syntax::ast::{LibraryFn, Special};
use riverhawk_syntax::library::ParameterKind;

macro_rules! access {
    () => {
        None
    };
    (sets $result:ident) => {
        Some(SlotAccess::Set(ResultType::$result))
    };
    (changes $result:ident) => {
        Some(SlotAccess::Change(ResultType::$result))
    };
    (holds Array) => {
        Some(SlotAccess::Array)
    };
}

macro_rules! successors {
    () => {
        Successors::Next
    };
    ($successors:ident) => {
        Successors::$successors
    };
    ($successors:ident $to:ident) => {
        Successors::$successors($to.0)
    };
}

macro_rules! is {
    () => {
        false
    };
    (reads_input) => {
        true
    };
}

macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ident $($access:ident $result:ident)?),* }
        $(=> $successors:ident $(($to:ident))?)? $(, $reads_input:ident)?;)*) => {
        /// One operation.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Op {$(
            $(#[$doc])*
            $name { $(#[doc = concat!("`", stringify!($kind), "`")] $field: $kind),* },
        )*}

        impl Op {
            /// In the table's order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Its name in the table.
            pub fn name(&self) -> &'static str {
                match self { $(Op::$name { .. } => stringify!($name)),* }
            }

            /// Calls `on` for each operand, in order, with its name and the access of a `Dst`.
            pub fn visit_operands(&self, on: &mut dyn FnMut(&'static str, Operand, Option<SlotAccess>)) {
                let _ = &on;
                match *self {$(
                    Op::$name { $($field),* } => {
                        $(on(stringify!($field), $field.into(), access!($($access $result)?));)*
                    }
                )*}
            }

            fn listed_successors(&self) -> Successors {
                #[allow(unused_variables, reason = "most operands are no targets")]
                match *self {$(
                    Op::$name { $($field),* } => successors!($($successors $($to)?)?),
                )*}
            }

            /// Whether it may read the main input, and so assign globals from the command line.
            #[inline]
            pub fn reads_input(&self) -> bool {
                match self { $(Op::$name { .. } => is!($($reads_input)?)),* }
            }
        }
    };
}

impl Op {
    /// Which operation follows.
    pub fn successors(&self) -> Successors {
        match self {
            Op::Library { f, .. } if f.calls_back() || f.reaches_variables() => {
                Successors::Interpreter
            }
            _ => self.listed_successors(),
        }
    }

    /// Calls `on` for each slot it reads or writes, `sets` last; `lists` are the unit's.
    pub fn visit_slots(&self, lists: &[Src], mut on: impl FnMut(Src, SlotAccess)) {
        let mut set = None;
        self.visit_operands(&mut |_, operand, access| match (operand, access) {
            (Operand::Dst(slot), Some(access @ SlotAccess::Set(_))) => set = Some((slot, access)),
            (Operand::Dst(slot), Some(access)) => on(slot.src(), access),
            (Operand::Src(slot), _) => on(slot, SlotAccess::Read),
            (Operand::PatternRef(pattern), _) => {
                if let PatternKind::Slot(slot) = pattern.kind() {
                    on(slot, SlotAccess::Read);
                }
            }
            (Operand::Regs(registers), _) => {
                for register in registers.first..registers.first + registers.count {
                    on(Src::register(register), SlotAccess::Read);
                }
            }
            (Operand::Srcs(parts), _) => {
                for (at, &slot) in parts.of(lists).iter().enumerate() {
                    on(slot, self.access_of_part(at));
                }
            }
            _ => {}
        });
        if let Some((slot, access)) = set {
            on(slot.src(), access);
        }
    }

    fn access_of_part(&self, at: usize) -> SlotAccess {
        match self {
            Op::Library { f, .. } if f.parameter(at) == ParameterKind::Array => SlotAccess::Array,
            Op::CallHost { arrays, .. } if arrays.contains(at) => SlotAccess::Array,
            _ => SlotAccess::Read,
        }
    }
}

instructions! {
    /// d <- s, owned.
    Move { d: Dst sets Any, s: Src };
    /// d <- a constant past a slot's reach.
    LoadConst { d: Dst sets Any, k: ConstId };
    /// d <- a global past a slot's reach, owned.
    GetGlobal { d: Dst sets Any, g: GlobalNo };
    /// Global past a slot's reach <- s, owned.
    SetGlobal { g: GlobalNo, s: Src };
    /// d <- a global array past a slot's reach.
    GetGlobalArray { d: Dst sets Array, g: GlobalNo };
    /// Error if s is an array: the program uses the name both ways.
    CheckScalar { s: Src };
    /// Linted programs: warn if s was never assigned.
    CheckAssigned { s: Src } => Interpreter;
    /// v is used as a scalar, in a program that is linted or tests types (`typeof`).
    NoteScalar { v: Dst changes Any };
    /// Linted programs: warn about the next operation.
    Lint {} => Interpreter;
    /// An error with this text.
    Fail { complaint: Src } => End;

    /// d <- a as a number for a sum; notes whether the sum stays exact in any order.
    Addend { d: Dst sets Number, a: Src };
    /// Notes whether s is finite, since then a minimum or maximum does not depend on the order.
    Comparand { s: Src };
    /// v <- v + a, noted as by `Addend`.
    NoteAdd { v: Dst changes Number, a: Src };
    /// As `AddRecordLength`, noted as by `Addend`.
    NoteRecordLength { v: Dst changes Number };
    /// v <- v + a, exactly while records are read.
    AddExactly { v: Dst changes Any, a: Src };
    /// `array[key] <- array[key] + a`, exactly in an array that keeps sums.
    AddExactlyToElement { array: Dst holds Array, key: Src, a: Src };
    /// What is printed up to `EndFirst` belongs to the newest element of this global array.
    BeginFirst { g: GlobalNo };
    /// Ends what `BeginFirst` began.
    EndFirst {};

    /// d <- a + b.
    Add { d: Dst sets Number, a: Src, b: Src };
    /// d <- a - b.
    Sub { d: Dst sets Number, a: Src, b: Src };
    /// d <- a * b.
    Mul { d: Dst sets Number, a: Src, b: Src };
    /// d <- a / b; error if b = 0.
    Div { d: Dst sets Number, a: Src, b: Src };
    /// d <- a modulo b with the sign of a; error if b = 0.
    Mod { d: Dst sets Number, a: Src, b: Src };
    /// d <- a to the power b.
    Pow { d: Dst sets Number, a: Src, b: Src };
    /// d <- -a.
    Neg { d: Dst sets Number, a: Src };
    /// d <- a as a number.
    ToNumber { d: Dst sets Number, a: Src };
    /// d <- 1 if a is false, else 0.
    Not { d: Dst sets Number, a: Src };
    /// d <- 1 if a is true, else 0.
    ToTruth { d: Dst sets Number, a: Src };
    /// v <- v + 1.
    Increment { v: Dst changes Number };
    /// v <- v - 1.
    Decrement { v: Dst changes Number };
    /// d <- v as a number, v <- v + 1; d and v differ.
    PostIncrement { d: Dst sets Number, v: Dst changes Number };
    /// d <- v as a number, v <- v - 1; d and v differ.
    PostDecrement { d: Dst sets Number, v: Dst changes Number };

    /// d <- f(a, b) in arithmetic of any precision; a function of one number gets it twice.
    Precise { f: PreciseFn, d: Dst sets Any, a: Src, b: Src } => Interpreter;

    /// d <- a followed by b.
    Concat { d: Dst sets Any, a: Src, b: Src };
    /// d <- all slots concatenated.
    ConcatAll { d: Dst sets Any, parts: Srcs };
    /// v <- v followed by s, in place when v is the text's only holder.
    Append { v: Dst changes Any, s: Src };

    /// d <- a < b.
    Less { d: Dst sets Number, a: Src, b: Src };
    /// d <- a <= b.
    LessEqual { d: Dst sets Number, a: Src, b: Src };
    /// d <- a == b.
    Equal { d: Dst sets Number, a: Src, b: Src };
    /// d <- a != b.
    NotEqual { d: Dst sets Number, a: Src, b: Src };

    /// Jump.
    Jump { to: CodeAt } => Jump(to);
    /// Jump back to a loop header, which an optimiser watches.
    Loop { to: CodeAt } => Jump(to);
    /// Jump if a is true.
    JumpTrue { a: Src, to: CodeAt } => Branch(to);
    /// Jump if a is false.
    JumpFalse { a: Src, to: CodeAt } => Branch(to);
    /// Jump if a < b.
    JumpLess { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump unless a < b (a NaN jumps).
    JumpNotLess { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump if a <= b.
    JumpLessEqual { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump unless a <= b (a NaN jumps).
    JumpNotLessEqual { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump if a == b.
    JumpEqual { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump unless a == b.
    JumpNotEqual { a: Src, b: Src, to: CodeAt } => Branch(to);

    /// d <- whether s matches.
    Matches { d: Dst sets Number, s: Src, pattern: PatternRef };
    /// Jump if s matches.
    JumpMatches { s: Src, re: RegexId, to: CodeAt } => Branch(to);
    /// Jump unless s matches.
    JumpNotMatches { s: Src, re: RegexId, to: CodeAt } => Branch(to);
    /// Jump if the record matches.
    JumpRecordMatches { re: RegexId, to: CodeAt } => Branch(to);
    /// Jump unless the record matches.
    JumpRecordNotMatches { re: RegexId, to: CodeAt } => Branch(to);

    /// d <- the field, a view if possible. The next operations use fields up to `reach`.
    Field { d: Dst sets Any, n: FieldNo, reach: FieldNo };
    /// d <- the field, owned.
    OwnField { d: Dst sets Any, n: FieldNo };
    /// d <- field i, a view if possible; error if negative.
    FieldAt { d: Dst sets Any, i: Src };
    /// d <- field i, owned; error if negative.
    OwnFieldAt { d: Dst sets Any, i: Src };
    /// d <- the field of a named column, a view if possible. If the file has no column of the name,
    /// i holds its number.
    Column { d: Dst sets Any, c: ColumnNo, i: Src };
    /// d <- the field of a named column, owned.
    OwnColumn { d: Dst sets Any, c: ColumnNo, i: Src };
    /// The field <- s. Field 0 is split again; others make the record stale.
    SetField { n: FieldNo, s: Src };
    /// Field i <- s.
    SetFieldAt { i: Src, s: Src };
    /// The column $i loses its value; in JSON the record loses the column.
    DeleteField { i: Src } => Interpreter;
    /// Creates field i if missing, since it is a target.
    ReachField { i: Src };
    /// Field i <- field i op v; d <- the new value.
    UpdateField { op: Update, d: Dst sets Number, i: Src, v: Src };
    /// Field i stepped; d <- the new or old number.
    StepField { how: Step, d: Dst sets Number, i: Src };

    /// d <- a special.
    GetSpecial { d: Dst sets Any, v: Special };
    /// A special <- s, with its effects.
    SetSpecial { v: Special, s: Src };

    /// d <- the variable or function named by key; error if missing, or not what is wanted.
    GetNamed { d: Dst sets Any, table: NamedTable, want: Want, key: Src } => Interpreter;
    /// The variable named by key <- s, with its effects; error if missing or an array.
    SetNamed { table: NamedTable, key: Src, s: Src } => Interpreter;
    /// Updates the table's elements from the variables.
    RefreshNamed { table: NamedTable } => Interpreter;
    /// Error: elements of these tables cannot be deleted.
    DeleteNamed { table: NamedTable } => Interpreter;

    /// d <- `array[key]`, created if missing, array or not.
    TakeElement { d: Dst sets Any, array: Dst holds Array, key: Src };
    /// d <- the array `array[key]`, created if missing; error if a scalar.
    GetSubarray { d: Dst sets Array, array: Dst holds Array, key: Src };
    /// d <- `array[key]` as an argument that may be an array, as `ArgumentByName`.
    ArgumentElement { d: Dst sets Any, array: Dst holds Array, key: Src };
    /// d <- `array[key]`, created if missing; error if an array, as in the rows below.
    GetElement { d: Dst sets Any, array: Dst holds Array, key: Src };
    /// `array[key]` <- s, owned.
    SetElement { array: Dst holds Array, key: Src, s: Src };
    /// `array[key]` <- `array[key]` op v; d <- the new value.
    UpdateElement { op: Update, d: Dst sets Number, array: Dst holds Array, key: Src, v: Src };
    /// `array[key]` <- `array[key]` followed by v, in place when the element is the text's only
    /// holder.
    AppendElement { array: Dst holds Array, key: Src, v: Src };
    /// `array[key]` stepped; d <- the new or old number.
    StepElement { how: Step, d: Dst sets Number, array: Dst holds Array, key: Src };
    /// `array[key]` incremented, without a result.
    CountElement { array: Dst holds Array, key: Src };
    /// d <- whether array has the key.
    HasElement { d: Dst sets Number, array: Dst holds Array, key: Src };
    /// Deletes `array[key]`.
    DeleteElement { array: Dst holds Array, key: Src };
    /// Deletes every element.
    ClearArray { array: Dst holds Array };
    /// d <- the slots as text, joined by SUBSEP.
    JoinKey { d: Dst sets Any, parts: Srcs };
    /// d <- the array's current keys.
    BeginKeys { d: Dst sets Any, array: Dst holds Array };
    /// As `BeginKeys`, ordered by `PROCINFO["sorted_in"]`, which may name a function.
    BeginOrderedKeys { d: Dst sets Any, array: Dst holds Array } => Interpreter;
    /// d <- the next key, or jump if none is left.
    NextKey { d: Dst changes Any, keys: Dst changes Any, done: CodeAt } => Branch(done);

    /// d <- s as an argument: owned, not an array.
    Argument { d: Dst sets Any, s: Src };
    /// d <- s as an argument that may be an array. Arrays are shared; a variable not used before
    /// becomes shared and untyped.
    ArgumentByName { d: Dst sets Any, s: Dst changes Any };
    /// d <- global past a slot's reach, as `ArgumentByName`.
    ArgumentGlobal { d: Dst sets Any, g: GlobalNo };
    /// Calls with the registers as first parameters; d <- the returned value.
    Call { d: Dst sets Any, function: FrameId, arguments: Regs } => Call;
    /// As `Call`, for the function named by a slot; checks its parameters' usages.
    CallIndirect { d: Dst sets Any, name: Src, arguments: Regs } => Interpreter;
    /// Returns s, owned.
    Return { s: Src } => End;
    /// Returns, unassigned.
    ReturnNothing {} => End;

    /// `$0` <- the next record of the main input, or jump if none is left.
    NextRecord { done: CodeAt } => Branch(done), reads_input;
    /// `$0` <- the next record of the main input and jump to `again`, if one is left.
    RecordLoop { again: CodeAt } => Branch(again), reads_input;
    /// As `NextRecord`, in limited programs: a record is a step.
    CountedNextRecord { done: CodeAt } => Branch(done), reads_input;
    /// As `RecordLoop`, in limited programs: a record is a step.
    CountedRecordLoop { again: CodeAt } => Branch(again), reads_input;
    /// Reads the rest of the main input and keeps the last record.
    DrainRecords {}, reads_input;
    /// Ends this record's rules, from anywhere.
    Next {} => End;
    /// Ends this record's rules and this file.
    NextFile {} => End;
    /// Ends the program with status s (after END, unless in it).
    Exit { s: Src } => End;
    /// Ends the program with the status set before, or 0.
    ExitPlain {} => End;
    /// The end of BEGIN, the record loop, or END.
    Halt {} => End;

    /// `print` of the slots to standard output.
    Print { parts: Srcs };
    /// `print` of the record to standard output.
    PrintRecord {};
    /// `print` of the slots, or else the record, to a target.
    PrintTo { how: PrintTarget, to: Src, parts: Srcs };
    /// `print` to standard output, with concatenated slots.
    PrintJoined { joints: Joints, parts: Srcs };
    /// `print` to a target, with concatenated slots.
    PrintJoinedTo { how: PrintTarget, to: Src, joints: Joints, parts: Srcs };
    /// Formats: the first slot is the format.
    Format { parts: Srcs };
    /// Formats by a constant format.
    FormatConst { format: FormatId, parts: Srcs };
    /// As `Format`, with numbers of any precision.
    FormatPrecise { parts: Srcs } => Interpreter;
    /// The formatted text to standard output.
    PrintFormatted {};
    /// The formatted text to a target.
    PrintFormattedTo { how: PrintTarget, to: Src };
    /// d <- the formatted text.
    TakeFormatted { d: Dst sets Any };

    /// `getline`: d <- 1, 0 or -1.
    Getline { d: Dst sets Number }, reads_input;
    /// `getline line`.
    GetlineVar { d: Dst sets Number, line: Dst changes Any }, reads_input;
    /// `getline < from`, `from | getline` and `from |& getline`.
    GetlineFrom { how: GetlineSource, d: Dst sets Number, from: Src };
    /// `getline line < from` and so on.
    GetlineFromVar { how: GetlineSource, d: Dst sets Number, line: Dst changes Any, from: Src };

    /// d <- characters in s, or elements of an array.
    Length { d: Dst sets Number, s: Src };
    /// d <- characters in the field.
    LengthField { d: Dst sets Number, n: FieldNo };
    /// v <- v + characters in the record.
    AddRecordLength { v: Dst changes Number };
    /// d <- from the m-th character on, a view if s is one and it may.
    SubstrFrom { view: bool, d: Dst sets Any, s: Src, m: Src };
    /// d <- n characters from the m-th on, a view if s is one and it may.
    Substr { view: bool, d: Dst sets Any, s: Src, m: Src, n: Src };
    /// d <- the first position of t in s, from 1, or 0.
    Index { d: Dst sets Number, s: Src, t: Src };
    /// array <- the pieces of s; d <- how many.
    Split { d: Dst sets Number, s: Src, array: Dst holds Array, by: PatternRef };
    /// As `Split`; `between` <- the separators.
    SplitKeeping { d: Dst sets Number, s: Src, array: Dst holds Array, by: PatternRef, between: Dst holds Array };
    /// v <- v with the first (or every) match replaced, unchanged without one; d <- how many; d and
    /// v differ.
    Substitute { every: bool, d: Dst sets Number, v: Dst changes Any, pattern: PatternRef, by: Src };
    /// As `Substitute` on the record itself.
    SubstituteRecord { every: bool, d: Dst sets Number, pattern: PatternRef, by: Src };
    /// `match(s, pattern)`: sets RSTART and RLENGTH; d <- RSTART.
    MatchAt { d: Dst sets Number, s: Src, pattern: PatternRef };
    /// As `MatchAt`; array <- the groups.
    MatchGroups { d: Dst sets Number, s: Src, pattern: PatternRef, array: Dst holds Array };
    /// d <- s in lower case.
    ToLower { d: Dst sets Any, s: Src };
    /// d <- s in upper case.
    ToUpper { d: Dst sets Any, s: Src };
    /// d <- f(a).
    Math { f: MathFn, d: Dst sets Number, a: Src };
    /// d <- the angle of (a = y, b = x).
    Atan2 { d: Dst sets Number, a: Src, b: Src };
    /// d <- f(a, b), where f is `and`, `or`, `xor`, `lshift` or `rshift`; error if one is negative.
    Bits { f: LibraryFn, d: Dst sets Number, a: Src, b: Src };
    /// d <- a random number, at least 0 and below 1.
    Rand { d: Dst sets Number };
    /// Seeds by the time of day; d <- the seed before.
    SrandByTime { d: Dst sets Number };
    /// Seeds by a; d <- the seed before.
    Srand { d: Dst sets Number, a: Src };
    /// `close(s)`; d <- its status.
    Close { d: Dst sets Number, s: Src };
    /// `close(s, end)`, with `to` or `from`; d <- its status.
    CloseEnd { d: Dst sets Number, s: Src, end: Src };
    /// `fflush()`; d <- 0 or -1.
    FlushAll { d: Dst sets Number };
    /// `fflush(s)`; d <- 0 or -1.
    Flush { d: Dst sets Number, s: Src };
    /// `system(s)`; d <- its status.
    System { d: Dst sets Number, s: Src };

    /// d <- f of the slots; fills those that are arrays.
    Library { f: LibraryFn, d: Dst sets Any, arguments: Srcs };
    /// d <- the host function of the slots; it may change those that are arrays.
    CallHost { function: HostNo, arrays: ArrayArguments, d: Dst sets Any, arguments: Srcs };

    /// In observed programs: counts, or stops for a debugger.
    Visit { at: VisitNo } => Interpreter;
    /// In profiled programs: a rule begins with its pattern, or the record loop reads.
    EnterRule { rule: RuleNo };
    /// In profiled programs: a called function begins.
    EnterFunction {};
    /// In profiled programs: the function returns next.
    LeaveFunction {};
    /// In limited programs: an iteration of a loop or a function begins, a step. May end the run.
    CheckTurn {};
}

// Four operations share a cache line.
const _: () = assert!(size_of::<Op>() <= 16);
