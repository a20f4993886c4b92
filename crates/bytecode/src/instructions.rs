//! The instruction table. One row an operation: its contract, its name, its operands. The type, the
//! verifier's walk over operands and the dump are made from it, so they cannot disagree.
//!
//! `d` is written after everything else has been read; `d` and a source may be the same slot.
//! Unless a row says otherwise an operation may read any value and reads it as the type it needs
//! (number, text, truth). *View* means: the value may be a range of the current record, so the
//! compiler must have it consumed before anything can change the record.

use crate::operand::*;
use riverhawk_syntax::ast::{LibraryFn, Special};

macro_rules! instructions {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),* };)*) => {
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

            /// Why an operand is not valid in this scope, if one is not.
            pub fn verify_operands(&self, scope: Scope<'_>) -> Result<(), String> {
                match *self {$(
                    Op::$name { $($field),* } => {
                        let _ = scope;
                        $($field.verify(scope).map_err(|why| format!("{}: {why}", stringify!($field)))?;)*
                        Ok(())
                    }
                )*}
            }

            /// Writes the operands as people read them.
            pub fn show_operands(&self, scope: Scope<'_>, out: &mut String) {
                match *self {$(
                    Op::$name { $($field),* } => {
                        let _ = (scope, &mut *out);
                        $(
                            out.push_str(concat!(" ", stringify!($field), "="));
                            $field.show(scope, out);
                        )*
                    }
                )*}
            }
        }
    };
}

instructions! {
    /// d <- s, owned.
    Move { d: Dst, s: Src };
    /// d <- a constant past the reach of a slot.
    LoadConst { d: Dst, k: ConstId };
    /// d <- a global past the reach of a slot, owned.
    GetGlobal { d: Dst, g: GlobalNo };
    /// Global past the reach of a slot <- s, owned.
    SetGlobal { g: GlobalNo, s: Src };
    /// d <- the array that is a global past the reach of a slot.
    GetGlobalArray { d: Dst, g: GlobalNo };
    /// Error when s is an array: the program uses the name both ways.
    CheckScalar { s: Src };
    /// Warn if nothing was ever assigned to the variable s, in a program that is compiled to be warned.
    CheckAssigned { s: Src };
    /// The variable v is used as a scalar, in a program that asks for types or is compiled to be warned.
    NoteScalar { v: Dst };
    /// What the next operation is about to do is looked at, in a program that is compiled to be warned.
    Lint {};
    /// Error: what stands here cannot work, and the text says why.
    Fail { complaint: Src };

    /// d <- a as a number, to be added to or taken from an accumulator: the run notes whether such sums stay exact.
    Addend { d: Dst, a: Src };
    /// The run notes whether s is a finite number, so that the least or greatest of such values does not depend on their order.
    Comparand { s: Src };
    /// v <- v + a, and the run notes a as `Addend` does.
    NoteAdd { v: Dst, a: Src };
    /// As `AddRecordLength`, and the run notes how much.
    NoteRecordLength { v: Dst };

    /// d <- a + b.
    Add { d: Dst, a: Src, b: Src };
    /// d <- a - b.
    Sub { d: Dst, a: Src, b: Src };
    /// d <- a * b.
    Mul { d: Dst, a: Src, b: Src };
    /// d <- a / b; b = 0 is an error.
    Div { d: Dst, a: Src, b: Src };
    /// d <- a modulo b with the sign of a; b = 0 is an error.
    Mod { d: Dst, a: Src, b: Src };
    /// d <- a to the power b.
    Pow { d: Dst, a: Src, b: Src };
    /// d <- -a.
    Neg { d: Dst, a: Src };
    /// d <- a as a number.
    ToNumber { d: Dst, a: Src };
    /// d <- 1 when a is false, else 0.
    Not { d: Dst, a: Src };
    /// d <- 1 when a is true, else 0.
    ToTruth { d: Dst, a: Src };
    /// v <- v + 1.
    Increment { v: Dst };
    /// v <- v - 1.
    Decrement { v: Dst };
    /// d <- v as a number, v <- v + 1; d and v differ.
    PostIncrement { d: Dst, v: Dst };
    /// d <- v as a number, v <- v - 1; d and v differ.
    PostDecrement { d: Dst, v: Dst };

    /// d <- f(a, b) in arithmetic of any precision; functions of one number are given it twice, those of none any.
    Precise { f: PreciseFn, d: Dst, a: Src, b: Src };

    /// d <- a followed by b.
    Concat { d: Dst, a: Src, b: Src };
    /// d <- all of the slots, one after the other.
    ConcatAll { d: Dst, parts: Srcs };
    /// v <- v followed by s, in place when v is the text's only holder.
    Append { v: Dst, s: Src };

    /// d <- a < b.
    Less { d: Dst, a: Src, b: Src };
    /// d <- a <= b.
    LessEqual { d: Dst, a: Src, b: Src };
    /// d <- a == b.
    Equal { d: Dst, a: Src, b: Src };
    /// d <- a != b.
    NotEqual { d: Dst, a: Src, b: Src };

    /// Go on elsewhere.
    Jump { to: CodeAt };
    /// Go back to a loop's head: where an optimiser watches.
    Loop { to: CodeAt };
    /// Jump when a is true.
    JumpTrue { a: Src, to: CodeAt };
    /// Jump when a is false.
    JumpFalse { a: Src, to: CodeAt };
    /// Jump when a < b.
    JumpLess { a: Src, b: Src, to: CodeAt };
    /// Jump unless a < b (a NaN jumps).
    JumpNotLess { a: Src, b: Src, to: CodeAt };
    /// Jump when a <= b.
    JumpLessEqual { a: Src, b: Src, to: CodeAt };
    /// Jump unless a <= b (a NaN jumps).
    JumpNotLessEqual { a: Src, b: Src, to: CodeAt };
    /// Jump when a == b.
    JumpEqual { a: Src, b: Src, to: CodeAt };
    /// Jump unless a == b.
    JumpNotEqual { a: Src, b: Src, to: CodeAt };

    /// d <- whether s matches.
    Matches { d: Dst, s: Src, pattern: PatternRef };
    /// Jump when s matches.
    JumpMatches { s: Src, re: RegexId, to: CodeAt };
    /// Jump unless s matches.
    JumpNotMatches { s: Src, re: RegexId, to: CodeAt };
    /// Jump when the record matches.
    JumpRecordMatches { re: RegexId, to: CodeAt };
    /// Jump unless the record matches.
    JumpRecordNotMatches { re: RegexId, to: CodeAt };

    /// d <- the field, a view when it is text of the record. The operations that follow at once take fields up to `reach`.
    Field { d: Dst, n: FieldNo, reach: FieldNo };
    /// d <- the field, owned.
    OwnField { d: Dst, n: FieldNo };
    /// d <- the field whose number is i, a view when it is text of the record; a negative number is an error.
    FieldAt { d: Dst, i: Src };
    /// d <- the field whose number is i, owned; a negative number is an error.
    OwnFieldAt { d: Dst, i: Src };
    /// d <- the field of a column by its name, a view when it is text of the record; i is where the column's number is kept, for what is
    /// no column of the file.
    Column { d: Dst, c: ColumnNo, i: Src };
    /// d <- the field of a column by its name, owned.
    OwnColumn { d: Dst, c: ColumnNo, i: Src };
    /// The field <- s; 0 splits anew, others rebuild the record.
    SetField { n: FieldNo, s: Src };
    /// The field whose number is i <- s.
    SetFieldAt { i: Src, s: Src };
    /// The column $i has no value any more; in a record of JSON it is gone.
    DeleteField { i: Src };
    /// The field whose number is i comes into being if there is none: it is named as a target.
    ReachField { i: Src };
    /// Field i <- field i op v; d <- the new value.
    UpdateField { op: Update, d: Dst, i: Src, v: Src };
    /// Field i stepped; d <- the new or old number.
    StepField { how: Step, d: Dst, i: Src };

    /// d <- a variable that the engine keeps.
    GetSpecial { d: Dst, v: Special };
    /// A variable that the engine keeps <- s, with its effects.
    SetSpecial { v: Special, s: Src };

    /// d <- the variable or function that key names; when there is none that is an error, and when it is not what is wanted.
    GetNamed { d: Dst, table: NamedTable, want: Want, key: Src };
    /// The variable that key names <- s, with its effects; that there is none is an error, and that it is an array.
    SetNamed { table: NamedTable, key: Src, s: Src };
    /// The elements of the table become what the variables are now.
    RefreshNamed { table: NamedTable };
    /// Error: an element is deleted, or all are.
    DeleteNamed { table: NamedTable };

    /// d <- `array[key]`, made when it is not there, array or not.
    TakeElement { d: Dst, array: Dst, key: Src };
    /// d <- the array that is `array[key]`, made when nothing is there; a scalar is an error.
    GetSubarray { d: Dst, array: Dst, key: Src };
    /// d <- `array[key]` as an argument that may be an array, as `ArgumentByName`.
    ArgumentElement { d: Dst, array: Dst, key: Src };
    /// d <- `array[key]`, made when it is not there; an array is an error, here and in what follows.
    GetElement { d: Dst, array: Dst, key: Src };
    /// `array[key]` <- s, owned.
    SetElement { array: Dst, key: Src, s: Src };
    /// `array[key]` <- `array[key]` op v; d <- the new value.
    UpdateElement { op: Update, d: Dst, array: Dst, key: Src, v: Src };
    /// `array[key]` <- `array[key]` followed by v, in place when the element is the text's only holder.
    AppendElement { array: Dst, key: Src, v: Src };
    /// `array[key]` stepped; d <- the new or old number.
    StepElement { how: Step, d: Dst, array: Dst, key: Src };
    /// `array[key]` stepped up, nobody looks at the result.
    CountElement { array: Dst, key: Src };
    /// d <- whether array has the key.
    HasElement { d: Dst, array: Dst, key: Src };
    /// `array[key]` is deleted.
    DeleteElement { array: Dst, key: Src };
    /// Every element is deleted.
    ClearArray { array: Dst };
    /// d <- the slots as text, joined by SUBSEP.
    JoinKey { d: Dst, parts: Srcs };
    /// d <- the keys of the array as they are now.
    BeginKeys { d: Dst, array: Dst };
    /// As `BeginKeys`, in the order that `PROCINFO["sorted_in"]` says, which may be a function of the program.
    BeginOrderedKeys { d: Dst, array: Dst };
    /// d <- the next key, or jump when there is none left.
    NextKey { d: Dst, keys: Dst, done: CodeAt };

    /// d <- s as an argument: owned, and not an array.
    Argument { d: Dst, s: Src };
    /// d <- s as an argument that may be an array: arrays are shared; a variable not yet used becomes shared untyped.
    ArgumentByName { d: Dst, s: Dst };
    /// d <- global past the reach of a slot, as `ArgumentByName`.
    ArgumentGlobal { d: Dst, g: GlobalNo };
    /// Calls the function with the registers as its first parameters; d <- what it returns.
    Call { d: Dst, function: FrameId, arguments: Regs };
    /// Calls the function that a slot names, as `Call`; what its parameters ask of the arguments is checked.
    CallIndirect { d: Dst, name: Src, arguments: Regs };
    /// Back to the caller with s, owned.
    Return { s: Src };
    /// Back to the caller with nothing assigned.
    ReturnNothing {};

    /// The next record of the main input becomes `$0`, or jump when there is none left.
    NextRecord { done: CodeAt };
    /// The next record of the main input becomes `$0`, and back to `again`; go on when there is none left.
    RecordLoop { again: CodeAt };
    /// Reads all that is left of the main input, keeping only the last record: nobody looks at the others.
    DrainRecords {};
    /// End this record's rules, from anywhere.
    Next {};
    /// End this record's rules and this file.
    NextFile {};
    /// End the program with status s (after END, unless in it).
    Exit { s: Src };
    /// End the program with the status set before, or 0.
    ExitPlain {};
    /// The end of BEGIN, the record loop, or END.
    Halt {};

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
    FormatPrecise { parts: Srcs };
    /// What was formatted last goes to standard output.
    PrintFormatted {};
    /// What was formatted last goes elsewhere.
    PrintFormattedTo { how: PrintTarget, to: Src };
    /// d <- what was formatted last.
    TakeFormatted { d: Dst };

    /// `getline`: d <- 1, 0 or -1.
    Getline { d: Dst };
    /// `getline line`.
    GetlineVar { d: Dst, line: Dst };
    /// `getline < from`, `from | getline` and `from |& getline`.
    GetlineFrom { how: GetlineSource, d: Dst, from: Src };
    /// The same with a variable: `getline line < from`.
    GetlineFromVar { how: GetlineSource, d: Dst, line: Dst, from: Src };

    /// d <- characters in s; elements when s is an array.
    Length { d: Dst, s: Src };
    /// d <- characters in the field.
    LengthField { d: Dst, n: FieldNo };
    /// v <- v + characters in the record.
    AddRecordLength { v: Dst };
    /// d <- from the m-th character on.
    SubstrFrom { d: Dst, s: Src, m: Src };
    /// d <- n characters from the m-th on.
    Substr { d: Dst, s: Src, m: Src, n: Src };
    /// d <- where t first stands in s, from 1; 0 when nowhere.
    Index { d: Dst, s: Src, t: Src };
    /// The pieces of s become the array; d <- how many.
    Split { d: Dst, s: Src, array: Dst, by: PatternRef };
    /// As `Split`, and what stood between the pieces becomes `between`.
    SplitKeeping { d: Dst, s: Src, array: Dst, by: PatternRef, between: Dst };
    /// v <- v with the first (or every) match replaced, untouched when there is none; d <- how many; d and v differ.
    Substitute { every: bool, d: Dst, v: Dst, pattern: PatternRef, by: Src };
    /// As `Substitute` on the record itself.
    SubstituteRecord { every: bool, d: Dst, pattern: PatternRef, by: Src };
    /// `match(s, pattern)`: sets RSTART and RLENGTH; d <- RSTART.
    MatchAt { d: Dst, s: Src, pattern: PatternRef };
    /// As `MatchAt`, and the groups become the array.
    MatchGroups { d: Dst, s: Src, pattern: PatternRef, array: Dst };
    /// d <- s in lower case.
    ToLower { d: Dst, s: Src };
    /// d <- s in upper case.
    ToUpper { d: Dst, s: Src };
    /// d <- f(a).
    Math { f: MathFn, d: Dst, a: Src };
    /// d <- the angle of (a = y, b = x).
    Atan2 { d: Dst, a: Src, b: Src };
    /// d <- a random number, at least 0 and below 1.
    Rand { d: Dst };
    /// Seeds by the time of day; d <- the seed before.
    SrandByTime { d: Dst };
    /// Seeds by a; d <- the seed before.
    Srand { d: Dst, a: Src };
    /// `close(s)`; d <- its status.
    Close { d: Dst, s: Src };
    /// The same for one end of a coprocess, `to` or `from`.
    CloseEnd { d: Dst, s: Src, end: Src };
    /// `fflush()`; d <- 0 or -1.
    FlushAll { d: Dst };
    /// `fflush(s)`; d <- 0 or -1.
    Flush { d: Dst, s: Src };
    /// `system(s)`; d <- its status.
    System { d: Dst, s: Src };

    /// d <- f of the slots; those for its array parameters are arrays, which it fills.
    Library { f: LibraryFn, d: Dst, arguments: Srcs };

    /// A place that an observed run comes by: it is counted, and a debugger may stop. Other programs have none.
    Visit { at: VisitNo };
    /// The run goes on in this rule: what a profiled program says where one begins, before its pattern, and where the record loop
    /// reads on. Other programs have none.
    EnterRule { rule: RuleNo };
    /// The function that was called begins. In profiled programs only.
    EnterFunction {};
    /// The function is about to return. In profiled programs only.
    LeaveFunction {};
    /// A loop's turn or a function begins: the run may have to end. In programs with a time limit only.
    CheckTime {};
}

// Four operations share a cache line.
const _: () = assert!(size_of::<Op>() <= 16);
