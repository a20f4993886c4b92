//! Mistakes that no correct program has, reported without `--lint`.

use super::Linter;
use crate::ast::{ExprId, ExprKind, RulePattern, Span, Special, VariablePlace};
use crate::diagnostic::Fix;

impl Linter<'_> {
    pub(super) fn certain(&mut self) {
        for (id, _) in self.exprs() {
            self.reversed_operator(id);
        }
        for rule in &self.program.rules {
            // An assignment as a pattern without an action is an idiom: it sets a field and prints
            // the record.
            let patterns = match (rule.pattern, &rule.action) {
                (RulePattern::Expr(pattern), Some(_)) => vec![pattern],
                (RulePattern::Range(first, last), _) => vec![first, last],
                _ => Vec::new(),
            };
            for pattern in patterns {
                if self.is_compared_by_pattern(pattern) {
                    let span = self.program[pattern].span;
                    let message = "assignment used as a pattern: it does not compare";
                    self.assigns_in_condition(pattern, span, message);
                }
            }
        }
    }

    /// `x =+ y` and `x =- y`, which were operators in C before 1978.
    fn reversed_operator(&mut self, id: ExprId) {
        let ExprKind::Assign { op: None, target, .. } = self.program[id].kind else { return };
        let span = self.program[id].span;
        let start = self.program[target].span.end;
        let behind = self.text(Span { start, end: span.end }).trim_ascii_start();
        let [b'=', sign @ (b'+' | b'-'), b' ' | b'\t', ..] = behind else { return };
        let sign = char::from(*sign);
        let verb = if sign == '+' { "add to" } else { "take from" };
        let message = format!("`={sign}' assigns: it does not {verb} the variable");
        let label = format!("write `{sign}=`, or `= {sign}` for a sign");
        let equals = self.operator_at(start, b"=");
        let two = Span { start: equals, end: equals + 2 };
        let fix = Fix::suggested(format!("write `{sign}=`"), two, format!("{sign}="));
        self.warn_with(span, message, &label, fix);
    }

    /// Warns of an assignment that was probably to be a comparison.
    pub(super) fn assigns_in_condition(&mut self, id: ExprId, span: Span, message: &str) {
        let ExprKind::Assign { op: None, target, .. } = self.program[id].kind else { return };
        let equals = self.operator_at(self.program[target].span.end, b"=");
        let one = Span { start: equals, end: equals + 1 };
        let fix = Fix::suggested("compare: write `==`", one, "==");
        self.warn_with(span, message, "to compare, write `==`", fix);
    }

    /// Where this operator is, which follows an operand that ends at `offset`. Parentheses around
    /// the operand and line ends may be between.
    pub(super) fn operator_at(&self, offset: u32, operator: &[u8]) -> u32 {
        let end = self
            .source
            .piece_at(offset)
            .map_or(offset, |piece| piece.base + piece.text.len() as u32);
        let text = self.text(Span { start: offset, end });
        let at = text.windows(operator.len()).position(|window| window == operator);
        offset + at.unwrap_or(0) as u32
    }

    fn is_compared_by_pattern(&self, pattern: ExprId) -> bool {
        let Some((target, is_true)) = self.constant_assigned_by(pattern) else { return false };
        match self.program[target].kind {
            ExprKind::Var(VariablePlace::Special(special)) => {
                matches!(special, Special::Nr | Special::Fnr)
            }
            // If always true, it may be meant: it sets a variable before the action.
            ExprKind::Var(_) | ExprKind::Element { .. } => !is_true,
            _ => true,
        }
    }

    /// The target of an assignment of a constant used as a condition, without parentheses around
    /// it, and whether the constant is true.
    fn constant_assigned_by(&self, cond: ExprId) -> Option<(ExprId, bool)> {
        let ExprKind::Assign { op: None, target, value } = self.program[cond].kind else {
            return None;
        };
        let value = match self.program[value].kind {
            ExprKind::Minus(inner) | ExprKind::Plus(inner) => inner,
            _ => value,
        };
        match &self.program[value].kind {
            ExprKind::Number(number) => Some((target, *number != 0.0)),
            ExprKind::String(text) => Some((target, !text.is_empty())),
            _ => None,
        }
    }
}
