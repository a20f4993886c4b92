//! What performs an operation that has no instruction.

use super::slot::Slot;
use riverhawk_bytecode::{EdgeBytes, Op};

/// The interpreter, or a helper for one kind of operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "named after the operations")]
pub enum Performer {
    /// Any operations.
    Interpreter,
    Print,
    PrintRecord,
    PrintJoined,
    PrintJoinedTo,
    PrintTo,
    SetField,
    SetFieldAt,
    UpdateField,
    StepField,
    GetSpecial,
    SetSpecial,
    TakeElement,
    AppendElement,
    ClearArray,
    GetSubarray,
    Getline,
    GetlineVar,
    GetlineFrom,
    GetlineFromVar,
    ArgumentByName,
    Library,
    CallHost,
    Format,
    PrintFormatted,
    Matches,
    JumpMatches,
    MatchAt,
    Substitute,
    /// The same, where bytes at an edge are taken away.
    CutEdge(EdgeCut),
    Split,
}

/// What `sub(/^[ \t]+/, "", v)` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeCut {
    /// How often: 0 or 1; none: nobody asks.
    pub d: Option<Slot>,
    /// What is cut; none: the record.
    pub v: Option<Slot>,
    /// What is taken away.
    pub bytes: EdgeBytes,
}

impl Performer {
    pub(super) fn of(op: &Op) -> Performer {
        match op {
            Op::Print { .. } => Performer::Print,
            Op::PrintJoined { .. } => Performer::PrintJoined,
            Op::PrintJoinedTo { .. } => Performer::PrintJoinedTo,
            Op::PrintRecord {} => Performer::PrintRecord,
            Op::PrintTo { .. } => Performer::PrintTo,
            Op::SetField { .. } => Performer::SetField,
            Op::SetFieldAt { .. } => Performer::SetFieldAt,
            Op::UpdateField { .. } => Performer::UpdateField,
            Op::StepField { .. } => Performer::StepField,
            Op::GetSpecial { .. } => Performer::GetSpecial,
            Op::SetSpecial { .. } => Performer::SetSpecial,
            Op::TakeElement { .. } => Performer::TakeElement,
            Op::AppendElement { .. } => Performer::AppendElement,
            Op::ClearArray { .. } => Performer::ClearArray,
            Op::GetSubarray { .. } => Performer::GetSubarray,
            Op::Getline { .. } => Performer::Getline,
            Op::GetlineVar { .. } => Performer::GetlineVar,
            Op::GetlineFrom { .. } => Performer::GetlineFrom,
            Op::GetlineFromVar { .. } => Performer::GetlineFromVar,
            Op::ArgumentByName { .. } => Performer::ArgumentByName,
            Op::Library { .. } => Performer::Library,
            Op::CallHost { .. } => Performer::CallHost,
            Op::FormatConst { .. } => Performer::Format,
            Op::PrintFormatted {} => Performer::PrintFormatted,
            Op::Matches { .. } => Performer::Matches,
            Op::JumpMatches { .. } | Op::JumpNotMatches { .. } => Performer::JumpMatches,
            Op::MatchAt { .. } => Performer::MatchAt,
            Op::Substitute { .. } | Op::SubstituteRecord { .. } => Performer::Substitute,
            Op::Split { .. } | Op::SplitKeeping { .. } => Performer::Split,
            _ => Performer::Interpreter,
        }
    }
}
