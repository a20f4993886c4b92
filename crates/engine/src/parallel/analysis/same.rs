//! Whether expressions have no effects, and whether two are the same.

use super::library::only_computes;
use riverhawk_syntax::ast::{
    BinaryOp, Builtin, ExprId, ExprKind, LibraryFn, Program, Special, VariablePlace,
};
use riverhawk_syntax::library::ParameterKind;

/// Whether evaluating it changes nothing and creates no elements, so that it may be evaluated any
/// number of times.
pub(super) fn is_pure(program: &Program, id: ExprId) -> bool {
    is_without_effects(program, id, false)
}

/// As [`is_pure`], but it may create elements.
pub(super) fn assigns_nothing(program: &Program, id: ExprId) -> bool {
    is_without_effects(program, id, true)
}

fn is_without_effects(program: &Program, id: ExprId, may_make_elements: bool) -> bool {
    let mut todo = vec![id];
    while let Some(id) = todo.pop() {
        match &program[id].kind {
            ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Regex(_)
            | ExprKind::TypedRegex(_)
            | ExprKind::Var(_) => {}
            ExprKind::Field(inner)
            | ExprKind::Group(inner)
            | ExprKind::Not(inner)
            | ExprKind::Minus(inner)
            | ExprKind::Plus(inner) => todo.push(*inner),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) => {
                todo.extend([*a, *b])
            }
            ExprKind::Match { text, regex, .. } => todo.extend([*text, *regex]),
            ExprKind::Cond { cond, yes, no } => todo.extend([*cond, *yes, *no]),
            ExprKind::In { subscripts, .. } => todo.extend(subscripts),
            ExprKind::Element { subscripts, .. } if may_make_elements => todo.extend(subscripts),
            ExprKind::Builtin { builtin, args } if has_no_effect(*builtin) => todo.extend(args),
            ExprKind::Library { function, args }
                if only_computes(*function) && takes_no_array(*function, args.len()) =>
            {
                todo.extend(args);
            }
            _ => return false,
        }
    }
    true
}

fn takes_no_array(function: LibraryFn, arguments: usize) -> bool {
    (0..arguments).all(|at| function.parameter(at) != ParameterKind::Array)
}

pub(super) fn has_no_effect(builtin: Builtin) -> bool {
    matches!(
        builtin,
        Builtin::Length
            | Builtin::Substr
            | Builtin::Index
            | Builtin::Sprintf
            | Builtin::Tolower
            | Builtin::Toupper
            | Builtin::Sin
            | Builtin::Cos
            | Builtin::Atan2
            | Builtin::Exp
            | Builtin::Log
            | Builtin::Sqrt
            | Builtin::Int
    )
}

/// Whether both have the same value if nothing changes in between. For elements: the same array and
/// subscripts.
pub(super) fn is_same(program: &Program, a: ExprId, b: ExprId) -> bool {
    let mut todo = vec![(a, b)];
    while let Some((a, b)) = todo.pop() {
        let (a, b) = (program.peel(a), program.peel(b));
        let same = match (&program[a].kind, &program[b].kind) {
            (ExprKind::Number(a), ExprKind::Number(b)) => a.to_bits() == b.to_bits(),
            (ExprKind::String(a), ExprKind::String(b))
            | (ExprKind::Regex(a), ExprKind::Regex(b))
            | (ExprKind::TypedRegex(a), ExprKind::TypedRegex(b)) => a == b,
            (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
            (ExprKind::Field(a), ExprKind::Field(b))
            | (ExprKind::Not(a), ExprKind::Not(b))
            | (ExprKind::Minus(a), ExprKind::Minus(b))
            | (ExprKind::Plus(a), ExprKind::Plus(b)) => {
                todo.push((*a, *b));
                true
            }
            (ExprKind::Binary(op, a1, a2), ExprKind::Binary(other, b1, b2)) if op == other => {
                todo.extend([(*a1, *b1), (*a2, *b2)]);
                true
            }
            (
                ExprKind::Element { array: a, subscripts: a_keys },
                ExprKind::Element { array: b, subscripts: b_keys },
            ) if a.place == b.place && a_keys.len() == b_keys.len() => {
                todo.extend(a_keys.iter().copied().zip(b_keys.iter().copied()));
                true
            }
            (
                ExprKind::Library { function: a, args: a_args },
                ExprKind::Library { function: b, args: b_args },
            ) if a == b && a_args.len() == b_args.len() => {
                todo.extend(a_args.iter().copied().zip(b_args.iter().copied()));
                true
            }
            (
                ExprKind::Builtin { builtin: a, args: a_args },
                ExprKind::Builtin { builtin: b, args: b_args },
            ) if a == b && a_args.len() == b_args.len() => {
                todo.extend(a_args.iter().copied().zip(b_args.iter().copied()));
                true
            }
            _ => false,
        };
        if !same {
            return false;
        }
    }
    true
}

/// The value of a condition if NR is at least 2, as in every piece; `None` if it is not determined.
pub(super) fn truth(program: &Program, id: ExprId) -> Option<bool> {
    let mut id = id;
    let mut negated = false;
    loop {
        match &program[id].kind {
            ExprKind::Group(inner) => id = *inner,
            ExprKind::Not(inner) => {
                negated = !negated;
                id = *inner;
            }
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (program.peel(*left), program.peel(*right));
                let truth = match (&program[left].kind, &program[right].kind) {
                    (
                        ExprKind::Var(VariablePlace::Special(Special::Nr)),
                        ExprKind::Number(limit),
                    ) => beyond_first(*op, *limit),
                    (
                        ExprKind::Number(limit),
                        ExprKind::Var(VariablePlace::Special(Special::Nr)),
                    ) => beyond_first(turned(*op), *limit),
                    _ => None,
                };
                return truth.map(|truth| truth != negated);
            }
            ExprKind::Number(number) => return Some((*number != 0.0) != negated),
            _ => return None,
        }
    }
}

/// `NR op limit` if NR is at least 2.
fn beyond_first(op: BinaryOp, limit: f64) -> Option<bool> {
    match op {
        BinaryOp::Eq if limit < 2.0 => Some(false),
        BinaryOp::Ne if limit < 2.0 => Some(true),
        BinaryOp::Gt if limit < 2.0 => Some(true),
        BinaryOp::Ge if limit <= 2.0 => Some(true),
        BinaryOp::Lt if limit <= 2.0 => Some(false),
        BinaryOp::Le if limit < 2.0 => Some(false),
        _ => None,
    }
}

fn turned(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        same => same,
    }
}
