//! Operations that warn at run time: a `Lint` before each operation that can be warned of, and a
//! check before each that changes a possibly unassigned variable.

use crate::emit::Compiler;
use riverhawk_bytecode::{Dst, Op, PreciseFn, Src};

impl Compiler<'_> {
    pub(crate) fn emit_lint_checks(&mut self, op: &Op) {
        if let Some(variable) = self.changed_variable(op) {
            let check = Op::CheckAssigned { s: variable };
            // `x = x + 1` has already read it.
            if self.unit.code.last() != Some(&check) {
                self.emit_alone(check);
            }
        }
        let may_round = !self.unit.exact && !self.unit.precise && takes_numbers(op);
        if may_round || may_warn(op) {
            self.emit_alone(Op::Lint {});
        }
    }

    /// Its old value is read.
    fn changed_variable(&self, op: &Op) -> Option<Src> {
        let (d, old) = match *op {
            Op::Increment { v }
            | Op::Decrement { v }
            | Op::PostIncrement { v, .. }
            | Op::PostDecrement { v, .. } => (v, v.src()),
            Op::Add { d, a, .. }
            | Op::Sub { d, a, .. }
            | Op::Mul { d, a, .. }
            | Op::Div { d, a, .. }
            | Op::Mod { d, a, .. }
            | Op::Pow { d, a, .. } => (d, a),
            Op::Precise { f, d, a, .. } if is_arithmetic(f) => (d, a),
            Op::Substitute { v, .. } => (v, v.src()),
            Op::Length { s, .. } if self.is_variable(s.dst()) => return Some(s),
            _ => return None,
        };
        (d.src() == old && self.is_variable(d)).then_some(old)
    }

    fn is_variable(&self, slot: Dst) -> bool {
        match slot.is_static() {
            true => slot.number() < self.unit.globals.len(),
            false => slot.number() < self.frame.params.len(),
        }
    }
}

fn is_arithmetic(f: PreciseFn) -> bool {
    use PreciseFn::{Add, Div, Mod, Mul, Pow, Sub};
    matches!(f, Add | Sub | Mul | Div | Mod | Pow)
}

/// Computes or compares its operands, which may be integers that doubles do not hold.
fn takes_numbers(op: &Op) -> bool {
    matches!(
        op,
        Op::Add { .. }
            | Op::Sub { .. }
            | Op::Mul { .. }
            | Op::Div { .. }
            | Op::Mod { .. }
            | Op::Pow { .. }
            | Op::Neg { .. }
            | Op::ToNumber { .. }
            | Op::Increment { .. }
            | Op::Decrement { .. }
            | Op::PostIncrement { .. }
            | Op::PostDecrement { .. }
            | Op::Less { .. }
            | Op::LessEqual { .. }
            | Op::Equal { .. }
            | Op::NotEqual { .. }
            | Op::JumpLess { .. }
            | Op::JumpNotLess { .. }
            | Op::JumpLessEqual { .. }
            | Op::JumpNotLessEqual { .. }
            | Op::JumpEqual { .. }
            | Op::JumpNotEqual { .. }
    )
}

/// Whether the machine has warnings for such operations.
fn may_warn(op: &Op) -> bool {
    matches!(
        op,
        Op::GetElement { .. }
            | Op::ArgumentElement { .. }
            | Op::UpdateElement { .. }
            | Op::StepElement { .. }
            | Op::CountElement { .. }
            | Op::AppendElement { .. }
            | Op::SetElement { .. }
            | Op::GetSubarray { .. }
            | Op::DeleteElement { .. }
            | Op::HasElement { .. }
            | Op::TakeElement { .. }
            | Op::ClearArray { .. }
            | Op::BeginKeys { .. }
            | Op::BeginOrderedKeys { .. }
            | Op::Field { .. }
            | Op::OwnField { .. }
            | Op::LengthField { .. }
            | Op::PrintRecord {}
            | Op::SubstituteRecord { .. }
            | Op::FieldAt { .. }
            | Op::ReachField { .. }
            | Op::OwnFieldAt { .. }
            | Op::UpdateField { .. }
            | Op::StepField { .. }
            | Op::PrintTo { .. }
            | Op::PrintJoinedTo { .. }
            | Op::PrintFormattedTo { .. }
            | Op::GetlineFrom { .. }
            | Op::GetlineFromVar { .. }
            | Op::Close { .. }
            | Op::CloseEnd { .. }
            | Op::Flush { .. }
            | Op::MatchAt { .. }
            | Op::MatchGroups { .. }
            | Op::SetFieldAt { .. }
            | Op::DeleteField { .. }
            | Op::FormatConst { .. }
            | Op::FormatPrecise { .. }
            | Op::Precise { .. }
            | Op::Format { .. }
            | Op::SetSpecial { .. }
            | Op::Math { .. }
            | Op::Atan2 { .. }
            | Op::Bits { .. }
            | Op::Srand { .. }
            | Op::Length { .. }
            | Op::Index { .. }
            | Op::ToLower { .. }
            | Op::ToUpper { .. }
            | Op::System { .. }
            | Op::SubstrFrom { .. }
            | Op::Substr { .. }
            | Op::Split { .. }
            | Op::SplitKeeping { .. }
            | Op::Library { .. }
    )
}
