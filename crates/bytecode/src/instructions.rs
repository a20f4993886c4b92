//! The instruction table: a row for each operation, with its contract, its name, its operands, what
//! it does to each slot and which operation follows. The type, the verifier, the dump and what an
//! optimiser has to know about reads, writes and control flow are made from it.
//!
//! Columns:
//! - A `Src`, a list and a range of registers are read. A `Dst` says what happens to it: `sets`
//!   (written), `changes` (read, then written) or `holds Array` (read as an array, and one
//!   afterwards), with the type of what it has then: [`SlotAccess`].
//! - `=>` says which operation follows, where that is not just the next: [`Successors`].
//! - `reads_input`: it may read the main input, and with it operands of the command line that assign
//!   globals.
//!
//! A slot that is `set` is written after everything else has been read, so it may also be a source.
//! Unless a row says otherwise an operation may read any value and reads it as the type it needs
//! (number, text, truth). *View* means: the value may be a range of the current record, so the
//! compiler must have it consumed before anything can change the record.

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
            /// Every operation's name, in the table's order.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// The operation's name.
            pub fn name(&self) -> &'static str {
                match self { $(Op::$name { .. } => stringify!($name)),* }
            }

            /// Hands each operand to `on`, in order, with its name and, if it is a `Dst`, what
            /// happens to it.
            pub fn visit_operands(&self, on: &mut dyn FnMut(&'static str, Operand, Option<SlotAccess>)) {
                let _ = &on;
                match *self {$(
                    Op::$name { $($field),* } => {
                        $(on(stringify!($field), $field.into(), access!($($access $result)?));)*
                    }
                )*}
            }

            /// As the table has it.
            fn listed_successors(&self) -> Successors {
                #[allow(unused_variables, reason = "most operands are no targets")]
                match *self {$(
                    Op::$name { $($field),* } => successors!($($successors $($to)?)?),
                )*}
            }

            /// Whether it may read the main input, and with it operands of the command line that
            /// assign globals.
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

    /// Hands each slot to `on` that the operation reads or writes, those that are only written
    /// last; `lists` are the unit's.
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

    /// What it does to a slot of its list.
    fn access_of_part(&self, at: usize) -> SlotAccess {
        match self {
            Op::Library { f, .. } if f.parameter(at) == ParameterKind::Array => SlotAccess::Array,
            _ => SlotAccess::Read,
        }
    }
}

instructions! {
    /// d <- s, owned.
    Move { d: Dst sets Any, s: Src };
    /// d <- a constant past the reach of a slot.
    LoadConst { d: Dst sets Any, k: ConstId };
    /// d <- a global past the reach of a slot, owned.
    GetGlobal { d: Dst sets Any, g: GlobalNo };
    /// Global past the reach of a slot <- s, owned.
    SetGlobal { g: GlobalNo, s: Src };
    /// d <- the array that is a global past the reach of a slot.
    GetGlobalArray { d: Dst sets Array, g: GlobalNo };
    /// Error when s is an array: the program uses the name both ways.
    CheckScalar { s: Src };
    /// Warn if nothing was ever assigned to the variable s, in a program that is compiled to be
    /// warned.
    CheckAssigned { s: Src } => Interpreter;
    /// The variable v is used as a scalar, in a program that asks for types or is compiled to be
    /// warned.
    NoteScalar { v: Dst changes Any };
    /// What the next operation is about to do is looked at, in a program that is compiled to be
    /// warned.
    Lint {} => Interpreter;
    /// Error: what stands here cannot work, and the text says why.
    Fail { complaint: Src } => End;

    /// d <- a as a number, to be added to or taken from an accumulator: the run notes whether such
    /// sums stay exact.
    Addend { d: Dst sets Number, a: Src };
    /// The run notes whether s is a finite number, so that the minimum or maximum of such values
    /// does not depend on their order.
    Comparand { s: Src };
    /// v <- v + a, and the run notes a as `Addend` does.
    NoteAdd { v: Dst changes Number, a: Src };
    /// As `AddRecordLength`, and the run notes how much.
    NoteRecordLength { v: Dst changes Number };

    /// d <- a + b.
    Add { d: Dst sets Number, a: Src, b: Src };
    /// d <- a - b.
    Sub { d: Dst sets Number, a: Src, b: Src };
    /// d <- a * b.
    Mul { d: Dst sets Number, a: Src, b: Src };
    /// d <- a / b; b = 0 is an error.
    Div { d: Dst sets Number, a: Src, b: Src };
    /// d <- a modulo b with the sign of a; b = 0 is an error.
    Mod { d: Dst sets Number, a: Src, b: Src };
    /// d <- a to the power b.
    Pow { d: Dst sets Number, a: Src, b: Src };
    /// d <- -a.
    Neg { d: Dst sets Number, a: Src };
    /// d <- a as a number.
    ToNumber { d: Dst sets Number, a: Src };
    /// d <- 1 when a is false, else 0.
    Not { d: Dst sets Number, a: Src };
    /// d <- 1 when a is true, else 0.
    ToTruth { d: Dst sets Number, a: Src };
    /// v <- v + 1.
    Increment { v: Dst changes Number };
    /// v <- v - 1.
    Decrement { v: Dst changes Number };
    /// d <- v as a number, v <- v + 1; d and v differ.
    PostIncrement { d: Dst sets Number, v: Dst changes Number };
    /// d <- v as a number, v <- v - 1; d and v differ.
    PostDecrement { d: Dst sets Number, v: Dst changes Number };

    /// d <- f(a, b) in arithmetic of any precision; functions of one number are given it twice,
    /// those of none any.
    Precise { f: PreciseFn, d: Dst sets Any, a: Src, b: Src } => Interpreter;

    /// d <- a followed by b.
    Concat { d: Dst sets Any, a: Src, b: Src };
    /// d <- all of the slots, one after the other.
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

    /// Go on elsewhere.
    Jump { to: CodeAt } => Jump(to);
    /// Go back to a loop header: where an optimiser watches.
    Loop { to: CodeAt } => Jump(to);
    /// Jump when a is true.
    JumpTrue { a: Src, to: CodeAt } => Branch(to);
    /// Jump when a is false.
    JumpFalse { a: Src, to: CodeAt } => Branch(to);
    /// Jump when a < b.
    JumpLess { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump unless a < b (a NaN jumps).
    JumpNotLess { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump when a <= b.
    JumpLessEqual { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump unless a <= b (a NaN jumps).
    JumpNotLessEqual { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump when a == b.
    JumpEqual { a: Src, b: Src, to: CodeAt } => Branch(to);
    /// Jump unless a == b.
    JumpNotEqual { a: Src, b: Src, to: CodeAt } => Branch(to);

    /// d <- whether s matches.
    Matches { d: Dst sets Number, s: Src, pattern: PatternRef };
    /// Jump when s matches.
    JumpMatches { s: Src, re: RegexId, to: CodeAt } => Branch(to);
    /// Jump unless s matches.
    JumpNotMatches { s: Src, re: RegexId, to: CodeAt } => Branch(to);
    /// Jump when the record matches.
    JumpRecordMatches { re: RegexId, to: CodeAt } => Branch(to);
    /// Jump unless the record matches.
    JumpRecordNotMatches { re: RegexId, to: CodeAt } => Branch(to);

    /// d <- the field, a view when it is text of the record. The operations that follow at once
    /// take fields up to `reach`.
    Field { d: Dst sets Any, n: FieldNo, reach: FieldNo };
    /// d <- the field, owned.
    OwnField { d: Dst sets Any, n: FieldNo };
    /// d <- the field whose number is i, a view when it is text of the record; a negative number is
    /// an error.
    FieldAt { d: Dst sets Any, i: Src };
    /// d <- the field whose number is i, owned; a negative number is an error.
    OwnFieldAt { d: Dst sets Any, i: Src };
    /// d <- the field of a column by its name, a view when it is text of the record; i is where the
    /// column's number is kept, for what is
    /// no column of the file.
    Column { d: Dst sets Any, c: ColumnNo, i: Src };
    /// d <- the field of a column by its name, owned.
    OwnColumn { d: Dst sets Any, c: ColumnNo, i: Src };
    /// The field <- s; 0 splits anew, others rebuild the record.
    SetField { n: FieldNo, s: Src };
    /// The field whose number is i <- s.
    SetFieldAt { i: Src, s: Src };
    /// The column $i has no value any more; in a record of JSON it is gone.
    DeleteField { i: Src } => Interpreter;
    /// The field whose number is i comes into being if there is none: it is named as a target.
    ReachField { i: Src };
    /// Field i <- field i op v; d <- the new value.
    UpdateField { op: Update, d: Dst sets Number, i: Src, v: Src };
    /// Field i stepped; d <- the new or old number.
    StepField { how: Step, d: Dst sets Number, i: Src };

    /// d <- a variable that the engine keeps.
    GetSpecial { d: Dst sets Any, v: Special };
    /// A variable that the engine keeps <- s, with its effects.
    SetSpecial { v: Special, s: Src };

    /// d <- the variable or function that key names; when there is none that is an error, and when
    /// it is not what is wanted.
    GetNamed { d: Dst sets Any, table: NamedTable, want: Want, key: Src } => Interpreter;
    /// The variable that key names <- s, with its effects; that there is none is an error, and that
    /// it is an array.
    SetNamed { table: NamedTable, key: Src, s: Src } => Interpreter;
    /// The elements of the table become what the variables are now.
    RefreshNamed { table: NamedTable } => Interpreter;
    /// Error: an element is deleted, or all are.
    DeleteNamed { table: NamedTable } => Interpreter;

    /// d <- `array[key]`, made when it is not there, array or not.
    TakeElement { d: Dst sets Any, array: Dst holds Array, key: Src };
    /// d <- the array that is `array[key]`, made when nothing is there; a scalar is an error.
    GetSubarray { d: Dst sets Array, array: Dst holds Array, key: Src };
    /// d <- `array[key]` as an argument that may be an array, as `ArgumentByName`.
    ArgumentElement { d: Dst sets Any, array: Dst holds Array, key: Src };
    /// d <- `array[key]`, made when it is not there; an array is an error, here and in what
    /// follows.
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
    /// `array[key]` stepped up, without a result.
    CountElement { array: Dst holds Array, key: Src };
    /// d <- whether array has the key.
    HasElement { d: Dst sets Number, array: Dst holds Array, key: Src };
    /// `array[key]` is deleted.
    DeleteElement { array: Dst holds Array, key: Src };
    /// Every element is deleted.
    ClearArray { array: Dst holds Array };
    /// d <- the slots as text, joined by SUBSEP.
    JoinKey { d: Dst sets Any, parts: Srcs };
    /// d <- the keys of the array as they are now.
    BeginKeys { d: Dst sets Any, array: Dst holds Array };
    /// As `BeginKeys`, in the order that `PROCINFO["sorted_in"]` says, which may be a function of
    /// the program.
    BeginOrderedKeys { d: Dst sets Any, array: Dst holds Array } => Interpreter;
    /// d <- the next key, or jump when there is none left.
    NextKey { d: Dst changes Any, keys: Dst changes Any, done: CodeAt } => Branch(done);

    /// d <- s as an argument: owned, and not an array.
    Argument { d: Dst sets Any, s: Src };
    /// d <- s as an argument that may be an array: arrays are shared; a variable not yet used
    /// becomes shared untyped.
    ArgumentByName { d: Dst sets Any, s: Dst changes Any };
    /// d <- global past the reach of a slot, as `ArgumentByName`.
    ArgumentGlobal { d: Dst sets Any, g: GlobalNo };
    /// Calls the function with the registers as its first parameters; d <- what it returns.
    Call { d: Dst sets Any, function: FrameId, arguments: Regs } => Call;
    /// Calls the function that a slot names, as `Call`; what its parameters ask of the arguments is
    /// checked.
    CallIndirect { d: Dst sets Any, name: Src, arguments: Regs } => Interpreter;
    /// Back to the caller with s, owned.
    Return { s: Src } => End;
    /// Back to the caller with nothing assigned.
    ReturnNothing {} => End;

    /// The next record of the main input becomes `$0`, or jump when there is none left.
    NextRecord { done: CodeAt } => Branch(done), reads_input;
    /// The next record of the main input becomes `$0`, and back to `again`; go on when there is
    /// none left.
    RecordLoop { again: CodeAt } => Branch(again), reads_input;
    /// Reads all that is left of the main input, keeping only the last record.
    DrainRecords {}, reads_input;
    /// End this record's rules, from anywhere.
    Next {} => End;
    /// End this record's rules and this file.
    NextFile {} => End;
    /// End the program with status s (after END, unless in it).
    Exit { s: Src } => End;
    /// End the program with the status set before, or 0.
    ExitPlain {} => End;
    /// The end of BEGIN, the record loop, or END.
    Halt {} => End;

    /// `print` of the slots to standard output.
    Print { parts: Srcs };
    /// `print` of the record to standard output.
    PrintRecord {};
    /// `print` of the slots elsewhere; without slots, of the record.
    PrintTo { how: PrintTarget, to: Src, parts: Srcs };
    /// `print` of the slots to standard output, some of which are concatenated.
    PrintJoined { joints: Joints, parts: Srcs };
    /// `print` of the slots elsewhere, some of which are concatenated.
    PrintJoinedTo { how: PrintTarget, to: Src, joints: Joints, parts: Srcs };
    /// Formats: the first slot is the format.
    Format { parts: Srcs };
    /// Formats by a constant format.
    FormatConst { format: FormatId, parts: Srcs };
    /// As `Format`, with numbers of any precision.
    FormatPrecise { parts: Srcs } => Interpreter;
    /// What was formatted last goes to standard output.
    PrintFormatted {};
    /// What was formatted last goes elsewhere.
    PrintFormattedTo { how: PrintTarget, to: Src };
    /// d <- what was formatted last.
    TakeFormatted { d: Dst sets Any };

    /// `getline`: d <- 1, 0 or -1.
    Getline { d: Dst sets Number }, reads_input;
    /// `getline line`.
    GetlineVar { d: Dst sets Number, line: Dst changes Any }, reads_input;
    /// `getline < from`, `from | getline` and `from |& getline`.
    GetlineFrom { how: GetlineSource, d: Dst sets Number, from: Src };
    /// The same with a variable: `getline line < from`.
    GetlineFromVar { how: GetlineSource, d: Dst sets Number, line: Dst changes Any, from: Src };

    /// d <- characters in s; elements when s is an array.
    Length { d: Dst sets Number, s: Src };
    /// d <- characters in the field.
    LengthField { d: Dst sets Number, n: FieldNo };
    /// v <- v + characters in the record.
    AddRecordLength { v: Dst changes Number };
    /// d <- from the m-th character on.
    SubstrFrom { d: Dst sets Any, s: Src, m: Src };
    /// d <- n characters from the m-th on.
    Substr { d: Dst sets Any, s: Src, m: Src, n: Src };
    /// d <- where t first stands in s, from 1; 0 when nowhere.
    Index { d: Dst sets Number, s: Src, t: Src };
    /// The pieces of s become the array; d <- how many.
    Split { d: Dst sets Number, s: Src, array: Dst holds Array, by: PatternRef };
    /// As `Split`, and what stood between the pieces becomes `between`.
    SplitKeeping { d: Dst sets Number, s: Src, array: Dst holds Array, by: PatternRef, between: Dst holds Array };
    /// v <- v with the first (or every) match replaced, untouched when there is none; d <- how
    /// many; d and v differ.
    Substitute { every: bool, d: Dst sets Number, v: Dst changes Any, pattern: PatternRef, by: Src };
    /// As `Substitute` on the record itself.
    SubstituteRecord { every: bool, d: Dst sets Number, pattern: PatternRef, by: Src };
    /// `match(s, pattern)`: sets RSTART and RLENGTH; d <- RSTART.
    MatchAt { d: Dst sets Number, s: Src, pattern: PatternRef };
    /// As `MatchAt`, and the groups become the array.
    MatchGroups { d: Dst sets Number, s: Src, pattern: PatternRef, array: Dst holds Array };
    /// d <- s in lower case.
    ToLower { d: Dst sets Any, s: Src };
    /// d <- s in upper case.
    ToUpper { d: Dst sets Any, s: Src };
    /// d <- f(a).
    Math { f: MathFn, d: Dst sets Number, a: Src };
    /// d <- the angle of (a = y, b = x).
    Atan2 { d: Dst sets Number, a: Src, b: Src };
    /// d <- a random number, at least 0 and below 1.
    Rand { d: Dst sets Number };
    /// Seeds by the time of day; d <- the seed before.
    SrandByTime { d: Dst sets Number };
    /// Seeds by a; d <- the seed before.
    Srand { d: Dst sets Number, a: Src };
    /// `close(s)`; d <- its status.
    Close { d: Dst sets Number, s: Src };
    /// The same for one end of a coprocess, `to` or `from`.
    CloseEnd { d: Dst sets Number, s: Src, end: Src };
    /// `fflush()`; d <- 0 or -1.
    FlushAll { d: Dst sets Number };
    /// `fflush(s)`; d <- 0 or -1.
    Flush { d: Dst sets Number, s: Src };
    /// `system(s)`; d <- its status.
    System { d: Dst sets Number, s: Src };

    /// d <- f of the slots; those for its array parameters are arrays, which it fills.
    Library { f: LibraryFn, d: Dst sets Any, arguments: Srcs };

    /// A place of an observed run: it is counted, and a debugger may stop. Other
    /// programs have none.
    Visit { at: VisitNo } => Interpreter;
    /// The run goes on in this rule: what a profiled program says where one begins, before its
    /// pattern, and where the record loop
    /// reads on. Other programs have none.
    EnterRule { rule: RuleNo };
    /// The function that was called begins. In profiled programs only.
    EnterFunction {};
    /// The function is about to return. In profiled programs only.
    LeaveFunction {};
    /// An iteration of a loop or a function begins: the run may have to end. In programs with a time limit
    /// only.
    CheckTime {};
}

// Four operations share a cache line.
const _: () = assert!(size_of::<Op>() <= 16);
