//! Loops that end soon for every record: `for (i = 1; i <= NF; i++)` and similar ones in which only
//! the step changes `i` or the number of fields.

use riverhawk_syntax::ast::{
    BinaryOp, Builtin, ExprId, ExprKind, Program, Special, StmtId, StmtKind, VariablePlace,
};

/// Maximum constant bound of such a loop.
const SOON: f64 = 1e6;

/// Whether a `for` loop counts by one between constants or NF.
pub(super) fn is_counted(
    program: &Program,
    (init, cond, step): (Option<StmtId>, Option<ExprId>, Option<StmtId>),
    body: StmtId,
) -> bool {
    let Some(StmtKind::Expr(init)) = init.map(|id| &program[id].kind) else { return false };
    let Some(StmtKind::Expr(step)) = step.map(|id| &program[id].kind) else { return false };
    let ExprKind::Step { down, target, .. } = program[program.peel(*step)].kind else {
        return false;
    };
    let ExprKind::Var(counter @ (VariablePlace::Global(_) | VariablePlace::Param(_))) =
        program[program.peel(target)].kind
    else {
        return false;
    };
    let is_counter = |id: ExprId| matches!(program[program.peel(id)].kind, ExprKind::Var(place) if place == counter);
    let is_fixed = |id: ExprId| match program[program.peel(id)].kind {
        ExprKind::Number(number) => number.abs() <= SOON,
        ExprKind::Var(VariablePlace::Special(Special::Nf)) => true,
        _ => false,
    };
    let starts = match program[program.peel(*init)].kind {
        ExprKind::Assign { op: None, target, value } => is_counter(target) && is_fixed(value),
        _ => false,
    };
    let Some(ExprKind::Binary(op, left, right)) =
        cond.map(|cond| &program[program.peel(cond)].kind)
    else {
        return false;
    };
    let (bound, upwards) = match op {
        BinaryOp::Lt | BinaryOp::Le if is_counter(*left) => (*right, true),
        BinaryOp::Gt | BinaryOp::Ge if is_counter(*left) => (*right, false),
        BinaryOp::Gt | BinaryOp::Ge if is_counter(*right) => (*left, true),
        BinaryOp::Lt | BinaryOp::Le if is_counter(*right) => (*left, false),
        _ => return false,
    };
    starts && is_fixed(bound) && upwards != down && leaves_alone(program, body, counter)
}

/// Whether it changes neither the counter nor the number of fields; false if unknown.
fn leaves_alone(program: &Program, body: StmtId, counter: VariablePlace) -> bool {
    let (mut stmts, mut exprs) = (vec![body], Vec::new());
    loop {
        while let Some(id) = stmts.pop() {
            match &program[id].kind {
                StmtKind::Expr(expr) => exprs.push(*expr),
                StmtKind::Print { args, to: None } | StmtKind::Printf { args, to: None } => {
                    exprs.extend(args)
                }
                StmtKind::If { cond, then, otherwise } => {
                    exprs.push(*cond);
                    stmts.push(*then);
                    stmts.extend(otherwise);
                }
                StmtKind::While { cond, body } | StmtKind::DoWhile { cond, body } => {
                    exprs.push(*cond);
                    stmts.push(*body);
                }
                StmtKind::For { init, cond, step, body } => {
                    exprs.extend(cond);
                    stmts.extend(init.iter().chain(step).chain([body]));
                }
                StmtKind::ForIn { target, body, .. } => {
                    if !is_other(program, *target, counter) {
                        return false;
                    }
                    exprs.push(*target);
                    stmts.push(*body);
                }
                StmtKind::Block(body) => stmts.extend(body),
                StmtKind::Next | StmtKind::NextFile | StmtKind::Break | StmtKind::Continue => {}
                StmtKind::Exit(value) | StmtKind::Return(value) => exprs.extend(value),
                StmtKind::Delete { subscripts, .. } => exprs.extend(subscripts.iter().flatten()),
                _ => return false,
            }
        }
        let Some(id) = exprs.pop() else { return true };
        match &program[id].kind {
            ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Regex(_)
            | ExprKind::TypedRegex(_)
            | ExprKind::Var(_) => {}
            ExprKind::Element { subscripts, .. } | ExprKind::In { subscripts, .. } => {
                exprs.extend(subscripts)
            }
            ExprKind::Field(inner)
            | ExprKind::Group(inner)
            | ExprKind::Not(inner)
            | ExprKind::Minus(inner)
            | ExprKind::Plus(inner) => exprs.push(*inner),
            ExprKind::Assign { target, value, .. } if is_other(program, *target, counter) => {
                exprs.extend([*target, *value]);
            }
            ExprKind::Step { target, .. } if is_other(program, *target, counter) => {
                exprs.push(*target)
            }
            ExprKind::Cond { cond, yes, no } => exprs.extend([*cond, *yes, *no]),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) => {
                exprs.extend([*a, *b])
            }
            ExprKind::Match { text, regex, .. } => exprs.extend([*text, *regex]),
            ExprKind::Builtin { builtin: Builtin::Sub | Builtin::Gsub, args }
                if args.get(2).is_none_or(|&target| !is_other(program, target, counter)) =>
            {
                return false;
            }
            ExprKind::Builtin { args, .. }
            | ExprKind::Library { args, .. }
            | ExprKind::Host { args, .. } => exprs.extend(args),
            _ => return false,
        }
    }
}

/// Whether it is an lvalue other than the counter, a field or NF.
fn is_other(program: &Program, target: ExprId, counter: VariablePlace) -> bool {
    match program[program.peel(target)].kind {
        ExprKind::Var(VariablePlace::Special(special)) => special != Special::Nf,
        ExprKind::Var(place) => place != counter,
        ExprKind::Element { .. } => true,
        _ => false,
    }
}
