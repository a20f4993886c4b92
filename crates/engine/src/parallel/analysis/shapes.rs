//! Recognises accumulators: statements whose effects on a variable can be joined.

use super::same::{is_pure, is_same, truth};
use super::uses::Use;
use riverhawk_syntax::ast::{
    BinaryOp, ExprId, ExprKind, GlobalId, Program, StmtId, StmtKind, VariablePlace,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Conditional {
    pub target: ExprId,
    /// The assigned value, which has no effects.
    pub value: ExprId,
    /// The value in the comparison; `None` for [`Use::First`].
    pub comparand: Option<ExprId>,
    /// [`Use::First`] or [`Use::Best`].
    pub what: Use,
    /// Globals assigned along with it, and their values: `if ($3 > max) { max = $3; line = $0 }`.
    pub followers: Vec<(GlobalId, ExprId)>,
}

/// `if (cond) target = value`; `body` is all that depends on `cond`.
pub(super) fn conditional(program: &Program, cond: ExprId, body: &[StmtId]) -> Option<Conditional> {
    let assignments = only_assignments(program, body)?;
    let cond = unsettled(program, cond);
    if let [(target, value)] = *assignments {
        return accumulation(program, cond, target, value);
    }
    // The condition compares one of the targets; the others follow it.
    let (at, mut found) = assignments.iter().enumerate().find_map(|(at, &(target, value))| {
        Some((at, accumulation(program, cond, target, value)?))
    })?;
    let Use::Best { site, .. } = &mut found.what else { return None };
    *site = found.target.0;
    if !matches!(program[found.target].kind, ExprKind::Var(VariablePlace::Global(_))) {
        return None;
    }
    for (other, &(target, value)) in assignments.iter().enumerate() {
        match program[target].kind {
            _ if other == at => {}
            ExprKind::Var(VariablePlace::Global(follower)) if is_pure(program, value) => {
                found.followers.push((follower, value))
            }
            _ => return None,
        }
    }
    Some(found)
}

fn accumulation(
    program: &Program,
    cond: ExprId,
    target: ExprId,
    value: ExprId,
) -> Option<Conditional> {
    if !is_pure(program, value) || !has_pure_subscripts(program, target) {
        return None;
    }
    let followers = Vec::new();
    if let Some(vacant) = vacancy(program, cond, target) {
        // For an element, "first" means that its key is missing; for a variable, that it is empty.
        let is_element = matches!(program[target].kind, ExprKind::Element { .. });
        let what = Use::First;
        return (is_element == (vacant == MISSING)).then_some(Conditional {
            target,
            value,
            comparand: None,
            what,
            followers,
        });
    }
    let (vacant, comparison) = match &program[cond].kind {
        ExprKind::Or(first, second) => {
            (vacancy(program, program.peel(*first), target)?, unsettled(program, *second))
        }
        _ => (0, cond),
    };
    let ExprKind::Binary(op, left, right) = program[comparison].kind else { return None };
    let (value_first, comparand) =
        if is_same(program, left, value) && is_same(program, right, target) {
            (true, left)
        } else if is_same(program, right, value) && is_same(program, left, target) {
            (false, right)
        } else {
            return None;
        };
    let (greatest, or_equal) = match op {
        BinaryOp::Gt => (value_first, false),
        BinaryOp::Ge => (value_first, true),
        BinaryOp::Lt => (!value_first, false),
        BinaryOp::Le => (!value_first, true),
        _ => return None,
    };
    let what = Use::Best { greatest, or_equal, vacant, site: 0 };
    Some(Conditional { target, value, comparand: Some(comparand), what, followers })
}

/// Kinds of vacancy, as numbered in [`Use::Best`].
pub(super) const TEXT: u8 = 1;
pub(super) const MISSING: u8 = 2;

/// `m == ""` is [`TEXT`]; `!(k in a)` for the target `a[k]` is [`MISSING`].
fn vacancy(program: &Program, cond: ExprId, target: ExprId) -> Option<u8> {
    match &program[cond].kind {
        ExprKind::Binary(BinaryOp::Eq, left, right) => {
            let (left, right) = (program.peel(*left), program.peel(*right));
            let is_empty =
                |id: ExprId| matches!(&program[id].kind, ExprKind::String(text) if text.is_empty());
            let compared = (is_empty(right) && is_same(program, left, target))
                || (is_empty(left) && is_same(program, right, target));
            compared.then_some(TEXT)
        }
        ExprKind::Not(inner) => {
            let inner = program.peel(*inner);
            let ExprKind::In { subscripts, array } = &program[inner].kind else { return None };
            let ExprKind::Element { array: other, subscripts: others } = &program[target].kind
            else {
                return None;
            };
            let same = array.place == other.place
                && subscripts.len() == others.len()
                && subscripts.iter().zip(others).all(|(&a, &b)| is_same(program, a, b));
            same.then_some(MISSING)
        }
        _ => None,
    }
}

/// The condition without parts of `||` and `&&` that are determined after the first record.
fn unsettled(program: &Program, cond: ExprId) -> ExprId {
    let mut cond = program.peel(cond);
    loop {
        let next = match program[cond].kind {
            ExprKind::Or(a, b) if truth(program, a) == Some(false) => b,
            ExprKind::And(a, b) if truth(program, a) == Some(true) => b,
            _ => return cond,
        };
        cond = program.peel(next);
    }
}

/// `None` unless all statements are plain assignments.
fn only_assignments(program: &Program, body: &[StmtId]) -> Option<Vec<(ExprId, ExprId)>> {
    let mut assignments = Vec::new();
    for &id in body {
        match &program[id].kind {
            StmtKind::Block(inner) if body.len() == 1 => return only_assignments(program, inner),
            StmtKind::Expr(id) => {
                let ExprKind::Assign { op: None, target, value } = program[program.peel(*id)].kind
                else {
                    return None;
                };
                assignments.push((program.peel(target), value));
            }
            _ => return None,
        }
    }
    (!assignments.is_empty()).then_some(assignments)
}

/// Whether its subscripts can be evaluated any number of times.
pub(super) fn has_pure_subscripts(program: &Program, target: ExprId) -> bool {
    match &program[target].kind {
        ExprKind::Var(_) => true,
        ExprKind::Element { subscripts, .. } => subscripts.iter().all(|&id| is_pure(program, id)),
        _ => false,
    }
}

/// The parts of `target = target a b ...` after the target.
pub(super) fn appended(program: &Program, target: ExprId, value: ExprId) -> Option<Vec<ExprId>> {
    if !has_pure_subscripts(program, target) {
        return None;
    }
    let mut rest = Vec::new();
    let mut at = program.peel(value);
    while let ExprKind::Binary(BinaryOp::Concat, left, right) = program[at].kind {
        rest.push(right);
        at = program.peel(left);
    }
    if rest.is_empty() || !is_same(program, at, target) {
        return None;
    }
    rest.reverse();
    // The appended text must not change the key between its two evaluations.
    let is_element = matches!(program[target].kind, ExprKind::Element { .. });
    (!is_element || rest.iter().all(|&id| is_pure(program, id))).then_some(rest)
}
