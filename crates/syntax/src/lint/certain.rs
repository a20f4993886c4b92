//! Mistakes that no correct program has, reported without `--lint`.

use super::Linter;
use crate::ast::{ExprId, ExprKind, RulePattern, Span, Special, VariablePlace};

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
                    self.warn(
                        span,
                        "assignment used as a pattern: it does not compare",
                        "to compare, write `==`",
                    );
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
        self.warn(span, message, format!("write `{sign}=`, or `= {sign}` for a sign"));
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
