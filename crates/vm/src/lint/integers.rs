//! Warns of integers from outside that doubles round, where the program computes with them.

use super::check::Slots;
use crate::current::CurrentRecord;
use crate::outside::Outside;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::{Op, Src};
use riverhawk_value::Value;
use riverhawk_value::exact::is_small;

const ROUNDED: &str = "rounded integer";

fn numbers(op: &Op) -> [Option<Src>; 2] {
    match *op {
        Op::Add { a, b, .. }
        | Op::Sub { a, b, .. }
        | Op::Mul { a, b, .. }
        | Op::Div { a, b, .. }
        | Op::Mod { a, b, .. }
        | Op::Pow { a, b, .. }
        | Op::Less { a, b, .. }
        | Op::LessEqual { a, b, .. }
        | Op::Equal { a, b, .. }
        | Op::NotEqual { a, b, .. }
        | Op::JumpLess { a, b, .. }
        | Op::JumpNotLess { a, b, .. }
        | Op::JumpLessEqual { a, b, .. }
        | Op::JumpNotLessEqual { a, b, .. }
        | Op::JumpEqual { a, b, .. }
        | Op::JumpNotEqual { a, b, .. } => [Some(a), Some(b)],
        Op::Neg { a, .. } | Op::ToNumber { a, .. } | Op::Math { a, .. } => [Some(a), None],
        Op::Increment { v }
        | Op::Decrement { v }
        | Op::PostIncrement { v, .. }
        | Op::PostDecrement { v, .. } => [Some(v.src()), None],
        Op::UpdateElement { v, .. } | Op::UpdateField { v, .. } => [Some(v), None],
        _ => [None, None],
    }
}

impl Outside {
    pub(super) fn lint_integers(
        &mut self,
        program: &Program,
        current: &mut CurrentRecord,
        op: &Op,
        slot: Slots<'_>,
    ) -> Fallible<()> {
        if program.has_large_integers() || self.lint.reported.contains(ROUNDED) {
            return Ok(());
        }
        let is_compared = matches!(
            *op,
            Op::Less { .. } | Op::LessEqual { .. } | Op::Equal { .. } | Op::NotEqual { .. }
        ) || op.name().starts_with("Jump");
        for operand in numbers(op).into_iter().flatten() {
            self.lint_integer(current, &slot(operand), is_compared)?;
        }
        if let Op::UpdateField { i, .. } | Op::StepField { i, .. } = *op
            && let Ok(n) = current.field_number(program, &slot(i))
        {
            let field = current.field(n);
            self.lint_integer(current, &field, false)?;
        }
        Ok(())
    }

    fn lint_integer(
        &mut self,
        current: &CurrentRecord,
        value: &Value,
        is_compared: bool,
    ) -> Fallible<()> {
        let record = current.record.text();
        let is_input = matches!(value, Value::View(_) | Value::SmallInput(_) | Value::Input(_));
        if !is_input
            || value.strnum(record).is_none_or(is_small)
            || value.large_integer(record).is_none()
        {
            return Ok(());
        }
        self.lint.reported.insert(ROUNDED);
        let text =
            String::from_utf8_lossy(value.bytes(record).unwrap_or_default()).trim().to_owned();
        let what = if is_compared { "compared" } else { "computed with" };
        let rounded = current.text_of(&Value::Num(value.number(current.record.text())));
        let rounded = String::from_utf8_lossy(&rounded).into_owned();
        self.lint_warn(current, &format!(
            "integer {text} is {what} as the double {rounded}; --exact-integers keeps every digit"
        ))
    }
}
