//! What an operation does to slots: which it reads, which it writes and with what, where it may go.
//! One row an operation; whoever adds one to the bytecode is made to say it here.

use super::slot::Slot;
use super::tags::TagSet;
use riverhawk_bytecode::operand::PatternKind;
use riverhawk_bytecode::{Op, PatternRef, Src};
use riverhawk_syntax::library::ParameterKind;

/// What an operation does to one slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Its value is read.
    Read,
    /// It is written, with a value that has one of these tags. Reads of the same slot come first.
    Write(TagSet),
    /// It is read as an array, and is one afterwards.
    Array,
}

/// What an operation does besides reading and writing slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// Goes on with the next.
    Next,
    /// Always goes elsewhere.
    Jump(u32),
    /// Goes elsewhere or on.
    Branch(u32),
    /// Calls a function, and goes on.
    Call,
    /// The interpreter alone knows what follows: the frame ends, or the operation may call back
    /// into the program.
    Interpreter,
}

const NUM: Access = Access::Write(TagSet::NUM);
const ANY: Access = Access::Write(TagSet::ANY);

/// Says what `op` does to slots, in any order; `lists` are the unit's.
pub fn visit(op: &Op, lists: &[Src], mut on: impl FnMut(Slot, Access)) -> Flow {
    use Access::{Array, Read};
    macro_rules! on {
        ($($operand:expr => $access:expr),*) => {{ $(on(Slot::from($operand), $access);)* }};
    }
    macro_rules! list {
        ($parts:expr) => {{
            let at = $parts.at as usize;
            for part in lists.get(at..at + $parts.count as usize).unwrap_or_default() {
                on(Slot::from(*part), Read);
            }
        }};
    }
    let mut pattern = None;
    let mut by_pattern = |reference: PatternRef| pattern = Some(reference);
    let mut flow = Flow::Next;
    match *op {
        Op::Move { d, s } | Op::OwnFieldAt { d, i: s } | Op::FieldAt { d, i: s } => {
            on!(s => Read, d => ANY)
        }
        Op::Column { d, i, .. } | Op::OwnColumn { d, i, .. } => on!(i => Read, d => ANY),
        Op::LoadConst { d, .. } | Op::GetGlobal { d, .. } | Op::ArgumentGlobal { d, .. } => {
            on!(d => ANY)
        }
        Op::GetGlobalArray { d, .. } => on!(d => Access::Write(TagSet::ARRAY)),
        Op::SetGlobal { s, .. } | Op::CheckScalar { s } | Op::Comparand { s } => on!(s => Read),
        Op::Fail { complaint } => {
            on!(complaint => Read);
            flow = Flow::Interpreter;
        }

        Op::NoteAdd { v, a } => on!(a => Read, v => Read, v => NUM),
        Op::NoteRecordLength { v } | Op::AddRecordLength { v } => on!(v => Read, v => NUM),
        Op::Add { d, a, b }
        | Op::Sub { d, a, b }
        | Op::Mul { d, a, b }
        | Op::Div { d, a, b }
        | Op::Mod { d, a, b }
        | Op::Pow { d, a, b }
        | Op::Atan2 { d, a, b }
        | Op::Less { d, a, b }
        | Op::LessEqual { d, a, b }
        | Op::Equal { d, a, b }
        | Op::NotEqual { d, a, b } => on!(a => Read, b => Read, d => NUM),
        Op::Addend { d, a }
        | Op::Neg { d, a }
        | Op::ToNumber { d, a }
        | Op::Not { d, a }
        | Op::ToTruth { d, a }
        | Op::Math { d, a, .. }
        | Op::Srand { d, a } => on!(a => Read, d => NUM),
        Op::Increment { v } | Op::Decrement { v } => on!(v => Read, v => NUM),
        Op::PostIncrement { d, v } | Op::PostDecrement { d, v } => {
            on!(v => Read, v => NUM, d => NUM)
        }

        Op::Concat { d, a, b } => on!(a => Read, b => Read, d => ANY),
        Op::ConcatAll { d, parts } => {
            list!(parts);
            on!(d => ANY);
        }
        Op::Append { v, s } => on!(s => Read, v => Read, v => ANY),

        Op::Jump { to } | Op::Loop { to } => flow = Flow::Jump(to.0),
        Op::JumpTrue { a, to } | Op::JumpFalse { a, to } => {
            on!(a => Read);
            flow = Flow::Branch(to.0);
        }
        Op::JumpLess { a, b, to }
        | Op::JumpNotLess { a, b, to }
        | Op::JumpLessEqual { a, b, to }
        | Op::JumpNotLessEqual { a, b, to }
        | Op::JumpEqual { a, b, to }
        | Op::JumpNotEqual { a, b, to } => {
            on!(a => Read, b => Read);
            flow = Flow::Branch(to.0);
        }

        Op::Matches { d, s, pattern } => {
            by_pattern(pattern);
            on!(s => Read, d => NUM);
        }
        Op::JumpMatches { s, to, .. } | Op::JumpNotMatches { s, to, .. } => {
            on!(s => Read);
            flow = Flow::Branch(to.0);
        }
        Op::JumpRecordMatches { to, .. } | Op::JumpRecordNotMatches { to, .. } => {
            flow = Flow::Branch(to.0)
        }

        Op::Field { d, .. } | Op::OwnField { d, .. } => on!(d => ANY),
        Op::SetField { s, .. } => on!(s => Read),
        Op::SetFieldAt { i, s } => on!(i => Read, s => Read),
        Op::ReachField { i } => on!(i => Read),
        Op::UpdateField { d, i, v, .. } => on!(i => Read, v => Read, d => NUM),
        Op::StepField { d, i, .. } => on!(i => Read, d => NUM),

        Op::GetSpecial { d, .. } => on!(d => ANY),
        Op::SetSpecial { s, .. } => on!(s => Read),

        Op::TakeElement { d, array, key }
        | Op::ArgumentElement { d, array, key }
        | Op::GetElement { d, array, key } => {
            on!(key => Read, array => Array, d => ANY);
        }
        Op::GetSubarray { d, array, key } => {
            on!(key => Read, array => Array, d => Access::Write(TagSet::ARRAY))
        }
        Op::SetElement { array, key, s } => on!(key => Read, s => Read, array => Array),
        Op::UpdateElement { d, array, key, v, .. } => {
            on!(key => Read, v => Read, array => Array, d => NUM)
        }
        Op::AppendElement { array, key, v } => on!(key => Read, v => Read, array => Array),
        Op::StepElement { d, array, key, .. } => on!(key => Read, array => Array, d => NUM),
        Op::CountElement { array, key } | Op::DeleteElement { array, key } => {
            on!(key => Read, array => Array)
        }
        Op::HasElement { d, array, key } => on!(key => Read, array => Array, d => NUM),
        Op::ClearArray { array } => on!(array => Array),
        Op::JoinKey { d, parts } => {
            list!(parts);
            on!(d => ANY);
        }
        Op::BeginKeys { d, array } => on!(array => Array, d => ANY),
        // The order may be that of a function of the program.
        Op::BeginOrderedKeys { d, array } => {
            on!(array => Array, d => ANY);
            flow = Flow::Interpreter;
        }
        // By name they reach any variable.
        Op::GetNamed { d, key, .. } => {
            on!(key => Read, d => ANY);
            flow = Flow::Interpreter;
        }
        Op::SetNamed { key, s, .. } => {
            on!(key => Read, s => Read);
            flow = Flow::Interpreter;
        }
        Op::DeleteField { i } => {
            on!(i => Read);
            flow = Flow::Interpreter;
        }
        Op::RefreshNamed { .. } | Op::DeleteNamed { .. } => flow = Flow::Interpreter,
        Op::NextKey { d, keys, done } => {
            // Where there is no key left, d keeps what it has.
            on!(keys => Read, keys => ANY, d => Read, d => ANY);
            flow = Flow::Branch(done.0);
        }

        Op::Argument { d, s } => on!(s => Read, d => ANY),
        Op::NoteScalar { v } => on!(v => Read, v => ANY),
        Op::ArgumentByName { d, s } => on!(s => Read, s => ANY, d => ANY),
        Op::Call { d, arguments, .. } => {
            for at in arguments.first..arguments.first + arguments.count {
                on(Slot::Register(at), Read);
            }
            on!(d => ANY);
            flow = Flow::Call;
        }
        Op::CallIndirect { d, name, arguments } => {
            for at in arguments.first..arguments.first + arguments.count {
                on(Slot::Register(at), Read);
            }
            on!(name => Read, d => ANY);
            flow = Flow::Interpreter;
        }
        Op::Return { s } | Op::Exit { s } => {
            on!(s => Read);
            flow = Flow::Interpreter;
        }
        // Programs that are looked at or warned of are not specialised; these are in them alone.
        Op::Visit { .. }
        | Op::CheckAssigned { .. }
        | Op::Lint {}
        | Op::Precise { .. }
        | Op::FormatPrecise { .. } => flow = Flow::Interpreter,
        Op::ReturnNothing {} | Op::Next {} | Op::NextFile {} | Op::ExitPlain {} | Op::Halt {} => {
            flow = Flow::Interpreter
        }

        Op::EnterRule { .. } | Op::EnterFunction {} | Op::LeaveFunction {} | Op::CheckTime {} => {}

        Op::NextRecord { done } => flow = Flow::Branch(done.0),
        Op::RecordLoop { again } => flow = Flow::Branch(again.0),
        Op::DrainRecords {} => {}

        Op::Print { parts }
        | Op::PrintJoined { parts, .. }
        | Op::Format { parts }
        | Op::FormatConst { parts, .. } => {
            list!(parts)
        }
        Op::PrintTo { to, parts, .. } | Op::PrintJoinedTo { to, parts, .. } => {
            list!(parts);
            on!(to => Read);
        }
        Op::PrintRecord {} | Op::PrintFormatted {} => {}
        Op::PrintFormattedTo { to, .. } => on!(to => Read),
        Op::TakeFormatted { d } => on!(d => ANY),

        Op::Getline { d }
        | Op::Rand { d }
        | Op::SrandByTime { d }
        | Op::FlushAll { d }
        | Op::LengthField { d, .. } => {
            on!(d => NUM);
        }
        Op::GetlineVar { d, line } => on!(line => Read, line => ANY, d => NUM),
        Op::GetlineFrom { d, from, .. } => on!(from => Read, d => NUM),
        Op::GetlineFromVar { d, line, from, .. } => {
            on!(from => Read, line => Read, line => ANY, d => NUM)
        }

        Op::Length { d, s } | Op::Close { d, s } | Op::Flush { d, s } | Op::System { d, s } => {
            on!(s => Read, d => NUM)
        }
        Op::SubstrFrom { d, s, m } => on!(s => Read, m => Read, d => ANY),
        Op::Substr { d, s, m, n } => on!(s => Read, m => Read, n => Read, d => ANY),
        Op::Index { d, s, t } => on!(s => Read, t => Read, d => NUM),
        Op::Split { d, s, array, by } => {
            by_pattern(by);
            on!(s => Read, array => Array, d => NUM);
        }
        Op::SplitKeeping { d, s, array, by, between } => {
            by_pattern(by);
            on!(s => Read, array => Array, between => Array, d => NUM);
        }
        Op::Substitute { d, v, pattern, by, .. } => {
            by_pattern(pattern);
            on!(by => Read, v => Read, v => ANY, d => NUM);
        }
        Op::SubstituteRecord { d, pattern, by, .. } => {
            by_pattern(pattern);
            on!(by => Read, d => NUM);
        }
        Op::MatchAt { d, s, pattern } => {
            by_pattern(pattern);
            on!(s => Read, d => NUM);
        }
        Op::MatchGroups { d, s, pattern, array } => {
            by_pattern(pattern);
            on!(s => Read, array => Array, d => NUM);
        }
        Op::ToLower { d, s } | Op::ToUpper { d, s } => on!(s => Read, d => ANY),
        Op::CloseEnd { d, s, end } => on!(s => Read, end => Read, d => NUM),

        Op::Library { f, d, arguments } => {
            let at = arguments.at as usize;
            for (at, part) in
                lists.get(at..at + arguments.count as usize).unwrap_or_default().iter().enumerate()
            {
                on(
                    Slot::from(*part),
                    if f.parameter(at) == ParameterKind::Array { Array } else { Read },
                );
            }
            on!(d => ANY);
            if f.calls_back() || f.reaches_variables() {
                flow = Flow::Interpreter;
            }
        }
    }
    if let Some(PatternKind::Slot(slot)) = pattern.map(PatternRef::kind) {
        on(slot.into(), Read);
    }
    flow
}

/// Whether an operation may read the main input, and with it operands of the command line that
/// assign globals.
pub fn reads_records(op: &Op) -> bool {
    matches!(
        op,
        Op::NextRecord { .. }
            | Op::RecordLoop { .. }
            | Op::DrainRecords {}
            | Op::Getline { .. }
            | Op::GetlineVar { .. }
    )
}
