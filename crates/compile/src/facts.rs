//! What evaluating an expression can change, found once for every node.

use riverhawk_syntax::ast::{Builtin, ExprId, ExprKind, Place, Program};

/// What evaluating an expression can change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Some variable, field or special may be assigned.
    pub assigns: bool,
    /// The record or its fields may change, so that views of it die.
    pub record: bool,
}

impl Facts {
    /// Changes nothing.
    pub const NONE: Facts = Facts { assigns: false, record: false };
    /// May change anything.
    pub const ALL: Facts = Facts { assigns: true, record: true };

    /// What one or the other can change.
    pub fn or(self, other: Facts) -> Facts {
        Facts { assigns: self.assigns || other.assigns, record: self.record || other.record }
    }
}

/// Facts of every expression, index for index. Parsers make children before parents, so one pass in id order does; a child that
/// comes later counts as one that may change anything.
pub fn facts(program: &Program) -> Vec<Facts> {
    let mut all: Vec<Facts> = Vec::with_capacity(program.exprs.len());
    for expr in &program.exprs {
        let of = |id: ExprId| all.get(id.index()).copied().unwrap_or(Facts::ALL);
        let of_all = |ids: &[ExprId]| ids.iter().fold(Facts::NONE, |sum, &id| sum.or(of(id)));
        let found = match &expr.kind {
            ExprKind::Number(_) | ExprKind::String(_) | ExprKind::Regex(_) | ExprKind::Var(_) => Facts::NONE,
            ExprKind::Element { subscripts, .. } | ExprKind::In { subscripts, .. } => of_all(subscripts),
            ExprKind::Field(inner)
            | ExprKind::Group(inner)
            | ExprKind::Not(inner)
            | ExprKind::Minus(inner)
            | ExprKind::Plus(inner) => of(*inner),
            ExprKind::Assign { target, value, .. } => of(*target).or(of(*value)).or(target_facts(program, *target)),
            ExprKind::Step { target, .. } => of(*target).or(target_facts(program, *target)),
            ExprKind::Cond { cond, yes, no } => of(*cond).or(of(*yes)).or(of(*no)),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) => of(*a).or(of(*b)),
            ExprKind::Match { text, regex, .. } => of(*text).or(of(*regex)),
            ExprKind::Call { .. } | ExprKind::Getline { .. } => Facts::ALL,
            ExprKind::Builtin { builtin, args } => of_all(args).or(builtin_facts(program, *builtin, args)),
        };
        all.push(found);
    }
    all
}

/// What assigning to this lvalue changes.
fn target_facts(program: &Program, target: ExprId) -> Facts {
    match &program[target].kind {
        ExprKind::Var(Place::Global(_) | Place::Param(_)) | ExprKind::Element { .. } => {
            Facts { assigns: true, record: false }
        }
        ExprKind::Group(inner) => target_facts(program, *inner),
        _ => Facts::ALL,
    }
}

fn builtin_facts(program: &Program, builtin: Builtin, args: &[ExprId]) -> Facts {
    match builtin {
        Builtin::Sub | Builtin::Gsub => match args.get(2) {
            Some(&target) => target_facts(program, target),
            None => Facts::ALL,
        },
        Builtin::Split | Builtin::Match => Facts { assigns: true, record: false },
        _ => Facts::NONE,
    }
}
