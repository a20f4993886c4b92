//! Typed regexes used as conditions. They are values that are never empty, so always true: `@/x/ {
//! ... }` was probably meant as `/x/ { ... }`. gawk's grammar refuses them.

use crate::ast::{BinaryOp, ExprId, ExprKind, Program, RulePattern, StmtKind};
use crate::diagnostic::Diagnostic;

pub(super) fn check(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let mut ask = |id: ExprId| {
        let mut inner = id;
        while let ExprKind::Group(within) = program[inner].kind {
            inner = within;
        }
        if let ExprKind::TypedRegex(text) = &program[inner].kind {
            let text = String::from_utf8_lossy(text);
            let message =
                format!("a typed regexp is always true: `@/{text}/' is used as a condition");
            diagnostics.push(Diagnostic::error(program[inner].span, message, "a value, not a match").with_help(
                format!("write `/{text}/` to match the record, or `x ~ @/{text}/` to match something else"),
            ));
        }
    };
    let mut found = Vec::new();
    for expr in &program.exprs {
        match expr.kind {
            ExprKind::Binary(BinaryOp::Concat, regexp, letter) => {
                found.extend(modifier(program, regexp, letter))
            }
            ExprKind::Not(inner) => ask(inner),
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                ask(a);
                ask(b);
            }
            ExprKind::Cond { cond, .. } => ask(cond),
            _ => {}
        }
    }
    for stmt in &program.stmts {
        match stmt.kind {
            StmtKind::If { cond, .. }
            | StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. }
            | StmtKind::For { cond: Some(cond), .. } => ask(cond),
            _ => {}
        }
    }
    for rule in &program.rules {
        match rule.pattern {
            RulePattern::Always => {}
            RulePattern::Expr(pattern) => ask(pattern),
            RulePattern::Range(first, last) => {
                ask(first);
                ask(last);
            }
        }
    }
    diagnostics.extend(found);
}

/// The error about `@/x/i`: in other languages the letter is a modifier.
fn modifier(program: &Program, regexp: ExprId, letter: ExprId) -> Option<Diagnostic> {
    let (regexp, letter) = (&program[regexp], &program[letter]);
    let is_modifier =
        matches!((&regexp.kind, &letter.kind), (ExprKind::TypedRegex(_), ExprKind::Var(_)))
            && regexp.span.end == letter.span.start;
    is_modifier.then(|| {
        Diagnostic::error(
            letter.span,
            "a regexp takes no modifiers",
            "a variable, directly after the regexp",
        )
        .with_help(
            "to ignore case, set IGNORECASE or use tolower(); to concatenate the two, write a blank",
        )
    })
}
