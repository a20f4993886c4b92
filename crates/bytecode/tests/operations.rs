//! Every operation of the table is verified and dumped.

mod fixture;

use fixture::{host_function, unit};
use riverhawk_bytecode::{
    ArrayArguments, CodeAt, ColumnNo, ConstId, Dst, FieldNo, FormatId, FrameId, GetlineSource,
    GlobalNo, HostNo, Joints, MathFn, NamedTable, Op, PatternRef, PreciseFn, PrintTarget, RegexId,
    Regs, RuleNo, Src, Srcs, Step, Unit, Update, VisitNo, Want, dump::dump, verify,
};
use riverhawk_syntax::ast::{LibraryFn, Special};

const X: Dst = Dst::fixed(3);
const R2: Dst = Dst::register(2);
const R3: Dst = Dst::register(3);
const R0: Src = Src::register(0);
const R1: Src = Src::register(1);
const SEVEN: Src = Src::fixed(6);

/// In the table's order.
fn one_of_each() -> Vec<Op> {
    vec![
        Op::Move { d: X, s: SEVEN },
        Op::LoadConst { d: X, k: ConstId(1) },
        Op::GetGlobal { d: X, g: GlobalNo(3) },
        Op::SetGlobal { g: GlobalNo(3), s: SEVEN },
        Op::GetGlobalArray { d: X, g: GlobalNo(3) },
        Op::CheckScalar { s: SEVEN },
        Op::CheckAssigned { s: SEVEN },
        Op::NoteScalar { v: X },
        Op::Lint {},
        Op::Fail { complaint: SEVEN },
        Op::Addend { d: X, a: SEVEN },
        Op::Comparand { s: SEVEN },
        Op::NoteAdd { v: X, a: SEVEN },
        Op::NoteRecordLength { v: X },
        Op::AddExactly { v: X, a: SEVEN },
        Op::AddExactlyToElement { array: R2, key: SEVEN, a: R1 },
        Op::BeginFirst { g: GlobalNo(3) },
        Op::EndFirst {},
        Op::Add { d: X, a: SEVEN, b: R1 },
        Op::Sub { d: X, a: SEVEN, b: R1 },
        Op::Mul { d: X, a: SEVEN, b: R1 },
        Op::Div { d: X, a: SEVEN, b: R1 },
        Op::Mod { d: X, a: SEVEN, b: R1 },
        Op::Pow { d: X, a: SEVEN, b: R1 },
        Op::Neg { d: X, a: SEVEN },
        Op::ToNumber { d: X, a: SEVEN },
        Op::Not { d: X, a: SEVEN },
        Op::ToTruth { d: X, a: SEVEN },
        Op::Increment { v: X },
        Op::Decrement { v: X },
        Op::PostIncrement { d: X, v: R2 },
        Op::PostDecrement { d: X, v: R2 },
        Op::Precise { f: PreciseFn::Add, d: X, a: SEVEN, b: R1 },
        Op::Concat { d: X, a: SEVEN, b: R1 },
        Op::ConcatAll { d: X, parts: Srcs { at: 0, count: 2 } },
        Op::Append { v: X, s: SEVEN },
        Op::Less { d: X, a: SEVEN, b: R1 },
        Op::LessEqual { d: X, a: SEVEN, b: R1 },
        Op::Equal { d: X, a: SEVEN, b: R1 },
        Op::NotEqual { d: X, a: SEVEN, b: R1 },
        Op::Jump { to: CodeAt(0) },
        Op::Loop { to: CodeAt(0) },
        Op::JumpTrue { a: SEVEN, to: CodeAt(0) },
        Op::JumpFalse { a: SEVEN, to: CodeAt(0) },
        Op::JumpLess { a: SEVEN, b: R1, to: CodeAt(0) },
        Op::JumpNotLess { a: SEVEN, b: R1, to: CodeAt(0) },
        Op::JumpLessEqual { a: SEVEN, b: R1, to: CodeAt(0) },
        Op::JumpNotLessEqual { a: SEVEN, b: R1, to: CodeAt(0) },
        Op::JumpEqual { a: SEVEN, b: R1, to: CodeAt(0) },
        Op::JumpNotEqual { a: SEVEN, b: R1, to: CodeAt(0) },
        Op::Matches { d: X, s: SEVEN, pattern: PatternRef::constant(RegexId(0)) },
        Op::JumpMatches { s: SEVEN, re: RegexId(0), to: CodeAt(0) },
        Op::JumpNotMatches { s: SEVEN, re: RegexId(0), to: CodeAt(0) },
        Op::JumpRecordMatches { re: RegexId(0), to: CodeAt(0) },
        Op::JumpRecordNotMatches { re: RegexId(0), to: CodeAt(0) },
        Op::Field { d: X, n: FieldNo(2), reach: FieldNo(3) },
        Op::OwnField { d: X, n: FieldNo(2) },
        Op::FieldAt { d: X, i: SEVEN },
        Op::OwnFieldAt { d: X, i: SEVEN },
        Op::Column { d: X, c: ColumnNo(0), i: SEVEN },
        Op::OwnColumn { d: X, c: ColumnNo(0), i: SEVEN },
        Op::SetField { n: FieldNo(2), s: SEVEN },
        Op::SetFieldAt { i: SEVEN, s: R1 },
        Op::DeleteField { i: SEVEN },
        Op::ReachField { i: SEVEN },
        Op::UpdateField { op: Update::Mul, d: X, i: SEVEN, v: R1 },
        Op::StepField { how: Step::PostUp, d: X, i: SEVEN },
        Op::GetSpecial { d: X, v: Special::Nf },
        Op::SetSpecial { v: Special::Nf, s: SEVEN },
        Op::GetNamed { d: X, table: NamedTable::Symbols, want: Want::Scalar, key: SEVEN },
        Op::SetNamed { table: NamedTable::Functions, key: SEVEN, s: R1 },
        Op::RefreshNamed { table: NamedTable::Symbols },
        Op::DeleteNamed { table: NamedTable::Symbols },
        Op::TakeElement { d: X, array: R2, key: SEVEN },
        Op::GetSubarray { d: X, array: R2, key: SEVEN },
        Op::ArgumentElement { d: X, array: R2, key: SEVEN },
        Op::GetElement { d: X, array: R2, key: SEVEN },
        Op::SetElement { array: X, key: SEVEN, s: R1 },
        Op::UpdateElement { op: Update::Mul, d: X, array: R2, key: SEVEN, v: R1 },
        Op::AppendElement { array: X, key: SEVEN, v: R1 },
        Op::StepElement { how: Step::PostUp, d: X, array: R2, key: SEVEN },
        Op::CountElement { array: X, key: SEVEN },
        Op::HasElement { d: X, array: R2, key: SEVEN },
        Op::DeleteElement { array: X, key: SEVEN },
        Op::ClearArray { array: X },
        Op::JoinKey { d: X, parts: Srcs { at: 0, count: 2 } },
        Op::BeginKeys { d: X, array: R2 },
        Op::BeginOrderedKeys { d: X, array: R2 },
        Op::NextKey { d: X, keys: R2, done: CodeAt(0) },
        Op::Argument { d: X, s: SEVEN },
        Op::ArgumentByName { d: X, s: R2 },
        Op::ArgumentGlobal { d: X, g: GlobalNo(3) },
        Op::Call { d: X, function: FrameId(0), arguments: Regs { first: 2, count: 2 } },
        Op::CallIndirect { d: X, name: SEVEN, arguments: Regs { first: 2, count: 2 } },
        Op::Return { s: SEVEN },
        Op::ReturnNothing {},
        Op::NextRecord { done: CodeAt(0) },
        Op::RecordLoop { again: CodeAt(0) },
        Op::CountedNextRecord { done: CodeAt(0) },
        Op::CountedRecordLoop { again: CodeAt(0) },
        Op::DrainRecords {},
        Op::Next {},
        Op::NextFile {},
        Op::Exit { s: SEVEN },
        Op::ExitPlain {},
        Op::Halt {},
        Op::Print { parts: Srcs { at: 0, count: 2 } },
        Op::PrintRecord {},
        Op::PrintTo { how: PrintTarget::Append, to: SEVEN, parts: Srcs { at: 0, count: 2 } },
        Op::PrintJoined { joints: Joints::NONE, parts: Srcs { at: 0, count: 2 } },
        Op::PrintJoinedTo {
            how: PrintTarget::Append,
            to: SEVEN,
            joints: Joints::NONE,
            parts: Srcs { at: 0, count: 2 },
        },
        Op::Format { parts: Srcs { at: 0, count: 2 } },
        Op::FormatConst { format: FormatId(0), parts: Srcs { at: 0, count: 2 } },
        Op::FormatPrecise { parts: Srcs { at: 0, count: 2 } },
        Op::PrintFormatted {},
        Op::PrintFormattedTo { how: PrintTarget::Append, to: SEVEN },
        Op::TakeFormatted { d: X },
        Op::Getline { d: X },
        Op::GetlineVar { d: X, line: R2 },
        Op::GetlineFrom { how: GetlineSource::File, d: X, from: SEVEN },
        Op::GetlineFromVar { how: GetlineSource::Coprocess, d: X, line: R2, from: SEVEN },
        Op::Length { d: X, s: SEVEN },
        Op::LengthField { d: X, n: FieldNo(2) },
        Op::AddRecordLength { v: X },
        Op::SubstrFrom { view: false, d: X, s: SEVEN, m: R1 },
        Op::Substr { view: true, d: X, s: SEVEN, m: R1, n: R0 },
        Op::Index { d: X, s: SEVEN, t: R1 },
        Op::Split { d: X, s: SEVEN, array: R2, by: PatternRef::constant(RegexId(0)) },
        Op::SplitKeeping {
            d: X,
            s: SEVEN,
            array: R2,
            by: PatternRef::constant(RegexId(0)),
            between: R3,
        },
        Op::Substitute {
            every: true,
            d: X,
            v: R2,
            pattern: PatternRef::constant(RegexId(0)),
            by: SEVEN,
        },
        Op::SubstituteRecord {
            every: true,
            d: X,
            pattern: PatternRef::constant(RegexId(0)),
            by: SEVEN,
        },
        Op::MatchAt { d: X, s: SEVEN, pattern: PatternRef::constant(RegexId(0)) },
        Op::MatchGroups { d: X, s: SEVEN, pattern: PatternRef::constant(RegexId(0)), array: R2 },
        Op::ToLower { d: X, s: SEVEN },
        Op::ToUpper { d: X, s: SEVEN },
        Op::Math { f: MathFn::Sqrt, d: X, a: SEVEN },
        Op::Atan2 { d: X, a: SEVEN, b: R1 },
        Op::Bits { f: LibraryFn::And, d: X, a: SEVEN, b: R1 },
        Op::Rand { d: X },
        Op::SrandByTime { d: X },
        Op::Srand { d: X, a: SEVEN },
        Op::Close { d: X, s: SEVEN },
        Op::CloseEnd { d: X, s: SEVEN, end: SEVEN },
        Op::FlushAll { d: X },
        Op::Flush { d: X, s: SEVEN },
        Op::System { d: X, s: SEVEN },
        Op::Library { f: LibraryFn::FileLines, d: R2, arguments: Srcs { at: 2, count: 2 } },
        Op::CallHost {
            function: HostNo(0),
            arrays: ArrayArguments::of(&host_function()),
            d: R2,
            arguments: Srcs { at: 2, count: 2 },
        },
        Op::Visit { at: VisitNo(0) },
        Op::EnterRule { rule: RuleNo(0) },
        Op::EnterFunction {},
        Op::LeaveFunction {},
        Op::CheckTurn {},
    ]
}

/// In a frame where the operation may occur.
fn placed(op: Op) -> Unit {
    let mut unit = unit(&[op]);
    if let Op::Return { .. } | Op::ReturnNothing {} = op {
        // Moves it into the function, which then begins one operation earlier.
        unit.code[0] = Op::Halt {};
        unit.functions[0].code.start -= 1;
        unit.main.as_mut().expect("a frame").code.end -= 1;
        unit.code[1] = op;
    }
    unit
}

fn shown(op: Op) -> String {
    let dumped = dump(&placed(op));
    let line = dumped
        .lines()
        .find(|line| line.split_whitespace().nth(1) == Some(op.name()))
        .expect("it is listed");
    line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_samples_are_one_of_each_operation() {
    let names: Vec<&str> = one_of_each().iter().map(Op::name).collect();
    assert_eq!(names, Op::NAMES);
}

#[test]
fn each_operation_is_valid_where_it_belongs() {
    for op in one_of_each() {
        verify(&placed(op)).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn each_operation_is_shown_with_the_names_of_its_operands() {
    let shown: Vec<String> = one_of_each().into_iter().map(shown).collect();
    let expected: Vec<&str> = include_str!("operations.txt").lines().collect();
    for (shown, expected) in shown.iter().zip(&expected) {
        assert_eq!(shown, expected);
    }
    assert_eq!(shown.len(), expected.len());
}

#[test]
fn each_kind_of_slot_is_shown_by_what_it_is() {
    let text = |s| shown(Op::Move { d: X, s });
    assert_eq!(text(Src::fixed(7)), "Move d=x s=\"text\"");
    assert_eq!(text(Src::fixed(8)), "Move d=x s=nothing");
    assert_eq!(text(Src::register(3)), "Move d=x s=r3");
    let pattern = |pattern| shown(Op::Matches { d: X, s: R1, pattern });
    assert_eq!(pattern(PatternRef::FIELD_SEPARATOR), "Matches d=x s=r1 pattern=FS");
    assert_eq!(pattern(PatternRef::slot(Src::fixed(4))), "Matches d=x s=r1 pattern=a");
    // A function's first registers are its parameters.
    assert_eq!(shown(Op::Return { s: R1 }), "Return s=q");
}

#[test]
fn what_does_not_exist_is_shown_by_its_number() {
    assert_eq!(shown(Op::LoadConst { d: X, k: ConstId(9) }), "LoadConst d=x k=constant 9");
    assert_eq!(shown(Op::Move { d: X, s: Src::fixed(99) }), "Move d=x s=static 99");
    let call = Op::Call { d: X, function: FrameId(9), arguments: Regs { first: 0, count: 0 } };
    assert_eq!(shown(call), "Call d=x function=function 9 arguments=[]");
}
