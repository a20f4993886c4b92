//! Which operations gain from known types.

use riverhawk_bytecode::operand::PatternKind;
use riverhawk_bytecode::{Dst, Op, Src};

pub(crate) enum Deciding {
    Arithmetic,
    Comparing,
    Joining,
    Matching(PatternKind),
    Nothing,
}

/// Whether an operation is faster if its types are known.
pub fn gains_from_types(op: &Op) -> bool {
    result(op).is_some() || !matches!(operands(op).2, Deciding::Nothing | Deciding::Matching(_))
}

pub(crate) fn result(op: &Op) -> Option<Dst> {
    match *op {
        Op::GetGlobal { d, .. }
        | Op::Field { d, .. }
        | Op::OwnField { d, .. }
        | Op::FieldAt { d, .. }
        | Op::OwnFieldAt { d, .. }
        | Op::Column { d, .. }
        | Op::OwnColumn { d, .. }
        | Op::GetSpecial { d, .. }
        | Op::TakeElement { d, .. }
        | Op::GetElement { d, .. }
        | Op::Argument { d, .. }
        | Op::ArgumentByName { d, .. }
        | Op::ArgumentElement { d, .. }
        | Op::ArgumentGlobal { d, .. }
        | Op::Library { d, .. }
        | Op::CallHost { d, .. } => Some(d),
        Op::GetlineVar { line, .. } | Op::GetlineFromVar { line, .. } => Some(line),
        _ => None,
    }
}

pub(crate) fn operands(op: &Op) -> (Option<Src>, Option<Src>, Deciding) {
    use Deciding::*;
    match *op {
        Op::Add { a, b, .. }
        | Op::Sub { a, b, .. }
        | Op::Mul { a, b, .. }
        | Op::Div { a, b, .. }
        | Op::Mod { a, b, .. }
        | Op::Pow { a, b, .. }
        | Op::Atan2 { a, b, .. }
        | Op::Bits { a, b, .. } => (Some(a), Some(b), Arithmetic),
        Op::Addend { a, .. } | Op::Neg { a, .. } | Op::ToNumber { a, .. } | Op::Math { a, .. } => {
            (Some(a), None, Arithmetic)
        }
        Op::NoteAdd { v, a } => (Some(v.src()), Some(a), Arithmetic),
        Op::Increment { v }
        | Op::Decrement { v }
        | Op::PostIncrement { v, .. }
        | Op::PostDecrement { v, .. }
        | Op::AddRecordLength { v }
        | Op::NoteRecordLength { v } => (Some(v.src()), None, Arithmetic),
        Op::Less { a, b, .. }
        | Op::LessEqual { a, b, .. }
        | Op::Equal { a, b, .. }
        | Op::NotEqual { a, b, .. }
        | Op::JumpLess { a, b, .. }
        | Op::JumpNotLess { a, b, .. }
        | Op::JumpLessEqual { a, b, .. }
        | Op::JumpNotLessEqual { a, b, .. }
        | Op::JumpEqual { a, b, .. }
        | Op::JumpNotEqual { a, b, .. } => (Some(a), Some(b), Comparing),
        Op::Concat { a, b, .. } => (Some(a), Some(b), Joining),
        Op::Append { v, s } => (Some(v.src()), Some(s), Joining),
        Op::Matches { s, pattern, .. } | Op::MatchAt { s, pattern, .. } => {
            (Some(s), None, Matching(pattern.kind()))
        }
        Op::JumpMatches { s, re, .. } | Op::JumpNotMatches { s, re, .. } => {
            (Some(s), None, Matching(PatternKind::Constant(re)))
        }
        Op::Not { a, .. }
        | Op::ToTruth { a, .. }
        | Op::JumpTrue { a, .. }
        | Op::JumpFalse { a, .. } => (Some(a), None, Nothing),
        Op::Move { s, .. }
        | Op::SetGlobal { s, .. }
        | Op::Argument { s, .. }
        | Op::SetField { s, .. }
        | Op::Length { s, .. }
        | Op::Return { s } => (Some(s), None, Nothing),
        Op::GetElement { key, .. }
        | Op::StepElement { key, .. }
        | Op::CountElement { key, .. }
        | Op::HasElement { key, .. }
        | Op::DeleteElement { key, .. } => (Some(key), None, Nothing),
        Op::SetElement { key, s, .. } | Op::UpdateElement { key, v: s, .. } => {
            (Some(key), Some(s), Nothing)
        }
        Op::FieldAt { i, .. }
        | Op::OwnFieldAt { i, .. }
        | Op::Column { i, .. }
        | Op::OwnColumn { i, .. } => (Some(i), None, Nothing),
        _ => (None, None, Nothing),
    }
}
