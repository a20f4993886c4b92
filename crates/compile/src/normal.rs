//! One form for each kind of accumulator, so that the compiler and the analysis of parallel runs
//! each need to know only one.
//!
//! | written | form |
//! |---|---|
//! | `x = x + e`, `x = n + x`, `x -= -n`, `x = x + 0 + n` | `x += e` |
//! | `x = x - e`, `x += -n` | `x -= e` |
//! | `x = x * e` | `x *= e` |
//! | `x += 1`, `x -= 1` | `++x`, `--x` |
//!
//! `x` is a variable, an element or a field, `e` changes nothing, and `n` is a count: a number that
//! is never NaN, whose sign depends on the order of operands, nor negative zero.

use crate::facts::{Facts, facts};
use riverhawk_syntax::ast::{BinaryOp, Builtin, ExprId, ExprKind, Program, VariablePlace};
use std::borrow::Cow;

/// The program with its accumulators in one form. Expressions keep their ids.
pub fn normalised(program: &Program) -> Cow<'_, Program> {
    let is_assignment = |id: &usize| matches!(program.exprs[*id].kind, ExprKind::Assign { .. });
    let assignments: Vec<usize> = (0..program.exprs.len()).filter(is_assignment).collect();
    if assignments.is_empty() {
        return Cow::Borrowed(program);
    }
    let facts = facts(program);
    let normal = Normal { program, facts: &facts };
    let mut changed = Cow::Borrowed(program);
    for id in assignments {
        if let Some(form) = normal.form(&program.exprs[id].kind) {
            changed.to_mut().exprs[id].kind = form;
        }
    }
    changed
}

struct Normal<'a> {
    program: &'a Program,
    facts: &'a [Facts],
}

impl Normal<'_> {
    /// The form of an assignment that is written in another.
    fn form(&self, written: &ExprKind) -> Option<ExprKind> {
        let &ExprKind::Assign { op, target, mut value } = written else { return None };
        let mut now = op;
        if now.is_none() {
            let (op, operand) = self.update(target, value)?;
            (now, value) = (Some(op), operand);
        }
        while let Some((op, operand)) = self.shorter(now?, value) {
            (now, value) = (Some(op), operand);
        }
        match (now?, self.kind(value)) {
            (op @ (BinaryOp::Add | BinaryOp::Sub), &ExprKind::Number(1.0)) => {
                Some(ExprKind::Step { prefix: true, down: op == BinaryOp::Sub, target })
            }
            _ if now != op
                || !matches!(*written, ExprKind::Assign { value: old, .. } if old == value) =>
            {
                Some(ExprKind::Assign { op: now, target, value })
            }
            _ => None,
        }
    }

    /// Operator and operand of `target = target op operand`.
    fn update(&self, target: ExprId, value: ExprId) -> Option<(BinaryOp, ExprId)> {
        let &ExprKind::Binary(op, a, b) = self.kind(value) else { return None };
        if !matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
            return None;
        }
        let operand = if self.is_same(target, a) {
            b
        } else if op == BinaryOp::Add && self.is_same(target, b) && self.is_count(a) {
            a
        } else if op == BinaryOp::Add && self.is_count(b) && self.is_sum_with_zero(target, a) {
            b
        } else {
            return None;
        };
        self.may_come_first(target, operand).then_some((op, operand))
    }

    /// `x += -n` is `x -= n`, `x += n + 0` is `x += n`.
    fn shorter(&self, op: BinaryOp, value: ExprId) -> Option<(BinaryOp, ExprId)> {
        match (op, self.kind(value)) {
            (BinaryOp::Add, &ExprKind::Minus(n)) if self.is_count(n) => Some((BinaryOp::Sub, n)),
            (BinaryOp::Sub, &ExprKind::Minus(n)) if self.is_count(n) => Some((BinaryOp::Add, n)),
            (BinaryOp::Add | BinaryOp::Sub, &ExprKind::Binary(BinaryOp::Add, a, b)) => {
                match (self.is_zero(a), self.is_zero(b)) {
                    (false, true) if self.is_count(a) => Some((op, a)),
                    (true, false) if self.is_count(b) => Some((op, b)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn is_sum_with_zero(&self, target: ExprId, sum: ExprId) -> bool {
        matches!(*self.kind(sum), ExprKind::Binary(BinaryOp::Add, a, zero)
            if self.is_zero(zero) && self.is_same(target, a))
    }

    fn is_zero(&self, id: ExprId) -> bool {
        matches!(*self.kind(id), ExprKind::Number(number) if number.to_bits() == 0)
    }

    /// Whether the operand may be evaluated before the target is read: it changes nothing, and
    /// does not see that reading an element creates it.
    fn may_come_first(&self, target: ExprId, operand: ExprId) -> bool {
        if self.facts.get(operand.index()).copied().unwrap_or(Facts::ALL) != Facts::NONE {
            return false;
        }
        match self.kind(target) {
            ExprKind::Element { array, .. } => !self.may_see(array.place, operand),
            _ => true,
        }
    }

    /// Whether an expression may look into the array.
    fn may_see(&self, place: VariablePlace, id: ExprId) -> bool {
        let is_other = |other: VariablePlace| match (place, other) {
            (VariablePlace::Global(array), VariablePlace::Global(other)) => array != other,
            _ => false,
        };
        let is_plain = |id: ExprId| match *self.kind(id) {
            // A bare name may be an array.
            ExprKind::Var(VariablePlace::Special(_)) => true,
            ExprKind::Var(other) => is_other(other),
            _ => !self.may_see(place, id),
        };
        match self.kind(id) {
            ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Regex(_)
            | ExprKind::TypedRegex(_)
            | ExprKind::Var(_) => false,
            ExprKind::Element { array, subscripts } | ExprKind::In { array, subscripts } => {
                array.element.is_some()
                    || !is_other(array.place)
                    || subscripts.iter().any(|&id| self.may_see(place, id))
            }
            &ExprKind::Field(a)
            | &ExprKind::Group(a)
            | &ExprKind::Not(a)
            | &ExprKind::Minus(a)
            | &ExprKind::Plus(a) => self.may_see(place, a),
            &ExprKind::And(a, b)
            | &ExprKind::Or(a, b)
            | &ExprKind::Binary(_, a, b)
            | &ExprKind::Match { text: a, regex: b, .. } => {
                self.may_see(place, a) || self.may_see(place, b)
            }
            &ExprKind::Cond { cond, yes, no } => {
                [cond, yes, no].into_iter().any(|id| self.may_see(place, id))
            }
            ExprKind::Builtin { builtin: Builtin::Length, args } => {
                !args.iter().all(|&id| is_plain(id))
            }
            ExprKind::Builtin { args, .. } => args.iter().any(|&id| self.may_see(place, id)),
            _ => true,
        }
    }

    /// Whether it is a number of at least 0, never NaN or negative zero.
    fn is_count(&self, id: ExprId) -> bool {
        match *self.kind(id) {
            ExprKind::Number(number) => number.is_sign_positive() && !number.is_nan(),
            ExprKind::Builtin { builtin: Builtin::Length | Builtin::Index, .. }
            | ExprKind::In { .. }
            | ExprKind::Match { .. }
            | ExprKind::Not(_)
            | ExprKind::And(..)
            | ExprKind::Or(..) => true,
            ExprKind::Binary(op, ..) => matches!(
                op,
                BinaryOp::Lt
                    | BinaryOp::Le
                    | BinaryOp::Eq
                    | BinaryOp::Ne
                    | BinaryOp::Gt
                    | BinaryOp::Ge
            ),
            _ => false,
        }
    }

    /// Whether both are the same lvalue, with subscripts that are variables, constants or fields
    /// with constant numbers.
    fn is_same(&self, a: ExprId, b: ExprId) -> bool {
        match (self.kind(a), self.kind(b)) {
            (
                ExprKind::Var(a @ (VariablePlace::Global(_) | VariablePlace::Param(_))),
                ExprKind::Var(b),
            ) => a == b,
            (
                ExprKind::Element { array: a, subscripts: a_keys },
                ExprKind::Element { array: b, subscripts: b_keys },
            ) => {
                a.place == b.place
                    && a.element.is_none()
                    && b.element.is_none()
                    && a_keys.len() == b_keys.len()
                    && a_keys.iter().zip(b_keys).all(|(&a, &b)| self.is_same_key(a, b))
            }
            (ExprKind::Field(_), ExprKind::Field(_)) => self.is_same_key(a, b),
            _ => false,
        }
    }

    fn is_same_key(&self, a: ExprId, b: ExprId) -> bool {
        match (self.kind(a), self.kind(b)) {
            (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
            (ExprKind::Number(a), ExprKind::Number(b)) => a.to_bits() == b.to_bits(),
            (ExprKind::String(a), ExprKind::String(b)) => a == b,
            (&ExprKind::Field(a), &ExprKind::Field(b)) => {
                matches!((self.kind(a), self.kind(b)), (ExprKind::Number(a), ExprKind::Number(b)) if a.to_bits() == b.to_bits())
            }
            _ => false,
        }
    }

    fn kind(&self, id: ExprId) -> &ExprKind {
        &self.program[self.program.peel(id)].kind
    }
}
