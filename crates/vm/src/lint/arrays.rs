//! Warns of scalars used as arrays, which other awks refuse.

use super::check::Slots;
use crate::machine::Machine;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::{Dst, Op, StaticFrame, Unit};
use riverhawk_syntax::library::ParameterKind;
use riverhawk_value::Value;

fn arrays(op: &Op, program: &Unit) -> Vec<Dst> {
    match *op {
        Op::TakeElement { array, .. }
        | Op::GetSubarray { array, .. }
        | Op::ArgumentElement { array, .. }
        | Op::GetElement { array, .. }
        | Op::SetElement { array, .. }
        | Op::UpdateElement { array, .. }
        | Op::AppendElement { array, .. }
        | Op::StepElement { array, .. }
        | Op::CountElement { array, .. }
        | Op::HasElement { array, .. }
        | Op::DeleteElement { array, .. }
        | Op::ClearArray { array }
        | Op::BeginKeys { array, .. }
        | Op::BeginOrderedKeys { array, .. }
        | Op::Split { array, .. }
        | Op::MatchGroups { array, .. } => vec![array],
        Op::SplitKeeping { array, between, .. } => vec![array, between],
        Op::Library { f, arguments, .. } => {
            let slots = arguments.of(&program.lists).iter().enumerate();
            slots
                .filter(|&(at, _)| f.parameter(at) == ParameterKind::Array)
                .map(|(_, slot)| slot.dst())
                .collect()
        }
        _ => Vec::new(),
    }
}

impl Machine {
    pub(super) fn lint_arrays(
        &mut self,
        op: &Op,
        slot: Slots<'_>,
        start: &StaticFrame,
    ) -> Fallible<()> {
        for array in arrays(op, &self.rt.program) {
            if let Value::Untyped(cell) = slot(array.src())
                && cell.is_scalar()
                && cell.get().is_none()
            {
                let name = self.array_name(array, start);
                self.rt.outside.lint_warn(&self.rt.current, &format!(
                    "`{name}' was used as a scalar and is used as an array: an error in other awks"
                ))?;
            }
        }
        Ok(())
    }
}
