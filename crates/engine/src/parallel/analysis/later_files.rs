//! A program as it is in the files after the first, where `NR == FNR` is false.

use riverhawk_syntax::ast::{BinaryOp, ExprId, ExprKind, Program, Special, VariablePlace};

/// The program with comparisons of NR and FNR decided: NR is the greater. Expressions keep their
/// numbers. `None` if there is no such comparison.
pub(super) fn of(program: &Program) -> Option<Program> {
    let decided: Vec<(usize, f64)> = program
        .exprs
        .iter()
        .enumerate()
        .filter_map(|(id, expr)| Some((id, truth(program, &expr.kind)?)))
        .collect();
    if decided.is_empty() {
        return None;
    }
    let mut later = program.clone();
    for (id, truth) in decided {
        later.exprs[id].kind = ExprKind::Number(truth);
    }
    Some(later)
}

fn truth(program: &Program, kind: &ExprKind) -> Option<f64> {
    let &ExprKind::Binary(op, left, right) = kind else { return None };
    let special = |id: ExprId| match program[program.peel(id)].kind {
        ExprKind::Var(VariablePlace::Special(special)) => Some(special),
        _ => None,
    };
    let nr_first = match (special(left)?, special(right)?) {
        (Special::Nr, Special::Fnr) => true,
        (Special::Fnr, Special::Nr) => false,
        _ => return None,
    };
    let truth = match op {
        BinaryOp::Eq => false,
        BinaryOp::Ne => true,
        BinaryOp::Gt | BinaryOp::Ge => nr_first,
        BinaryOp::Lt | BinaryOp::Le => !nr_first,
        _ => return None,
    };
    Some(f64::from(u8::from(truth)))
}
