//! Puts small functions in the place of their calls in rules, so that `function n(s) { return
//! length(s) } { c += n($0) }` is `{ c += length($0) }`: no call, and a parameter is a view of the
//! field that was passed.
//!
//! A function is small if it only returns an expression over its parameters, global variables and
//! fields that cannot fail and changes nothing. Then it does not matter when it is evaluated, nor
//! in which frame.

use crate::facts::changes_nothing;
use riverhawk_syntax::ast::{
    BinaryOp, Builtin, Expr, ExprId, ExprKind, FunctionDefinition, LibraryFn, Param, Program, Rule,
    StmtKind, VariablePlace,
};
use std::borrow::Cow;

/// Maximum nodes of a returned expression.
const MAX_NODES: usize = 24;

/// The program with small functions in the place of their calls. Other expressions keep their ids.
pub(crate) fn inlined(program: &Program) -> Cow<'_, Program> {
    let mut changed = Cow::Borrowed(program);
    if tells_types(program) {
        return changed;
    }
    let small: Vec<Option<Small>> =
        program.functions.iter().map(|function| Small::of(program, function)).collect();
    if small.iter().all(Option::is_none) {
        return changed;
    }
    for (at, call) in program.exprs.iter().enumerate() {
        let ExprKind::Call { function, args } = &call.kind else { continue };
        let in_rule =
            |rule: &Rule| rule.span.start <= call.span.start && call.span.end <= rule.span.end;
        if let Some(small) = &small[function.index()]
            && program.rules.iter().any(in_rule)
            && small.takes(&changed, args)
        {
            let program = changed.to_mut();
            let value = copy(program, small.value, args);
            program.exprs[at].kind = ExprKind::Group(value);
        }
    }
    changed
}

/// Such a program can see that an untyped variable was passed.
fn tells_types(program: &Program) -> bool {
    program.exprs.iter().any(|expr| {
        matches!(
            expr.kind,
            ExprKind::Library { function: LibraryFn::Typeof | LibraryFn::Isarray, .. }
        )
    })
}

/// A function that only returns an expression.
struct Small {
    value: ExprId,
    /// How often each parameter is read.
    reads: Vec<usize>,
    /// Whether a parameter may not be read at all.
    branches: bool,
}

impl Small {
    fn of(program: &Program, function: &FunctionDefinition) -> Option<Small> {
        let [only] = *function.body.as_slice() else { return None };
        let StmtKind::Return(Some(value)) = program[only].kind else { return None };
        let is_array = |param: &Param| param.usage.array;
        if !function.defined || function.builtin || function.params.iter().any(is_array) {
            return None;
        }
        let mut small = Small { value, reads: vec![0; function.params.len()], branches: false };
        let mut nodes = 0;
        let is_small = evaluates_safely(program, value, |expr| {
            nodes += 1;
            match expr.kind {
                ExprKind::Var(VariablePlace::Param(number)) => {
                    small.reads[usize::from(number)] += 1
                }
                ExprKind::Var(VariablePlace::Global(global)) => {
                    return !program.globals[global.index()].usage.array;
                }
                ExprKind::Cond { .. } | ExprKind::And(..) | ExprKind::Or(..) => {
                    small.branches = true;
                }
                _ => {}
            }
            nodes <= MAX_NODES
        });
        is_small.then_some(small)
    }

    /// Whether the arguments may be evaluated where the parameters are read.
    fn takes(&self, program: &Program, args: &[ExprId]) -> bool {
        let mut may_fail = 0;
        args.len() == self.reads.len()
            && args.iter().zip(&self.reads).all(|(&argument, &reads)| {
                // A regular expression means a match there, and a bare name may be an array.
                let is_simple = match program[program.peel(argument)].kind {
                    ExprKind::Regex(_) | ExprKind::TypedRegex(_) => return false,
                    ExprKind::Var(VariablePlace::Global(global)) => {
                        let usage = program.globals[global.index()].usage;
                        if usage.array || !usage.scalar {
                            return false;
                        }
                        true
                    }
                    ExprKind::Number(_) | ExprKind::String(_) | ExprKind::Var(_) => true,
                    ExprKind::Field(index) => {
                        let is_constant =
                            matches!(program[program.peel(index)].kind, ExprKind::Number(_));
                        may_fail += usize::from(!is_constant);
                        is_constant
                    }
                    _ => false,
                };
                is_simple
                    || reads == 1
                        && !self.branches
                        && may_fail <= 1
                        && match program[program.peel(argument)].kind {
                            ExprKind::Field(index) => evaluates_safely(program, index, |_| true),
                            _ => evaluates_safely(program, argument, |_| true),
                        }
            })
    }
}

/// Copies an expression of the function, with arguments in the place of parameters.
fn copy(program: &mut Program, id: ExprId, args: &[ExprId]) -> ExprId {
    let Expr { mut kind, span } = program[id].clone();
    match &mut kind {
        ExprKind::Var(VariablePlace::Param(number)) => return args[usize::from(*number)],
        ExprKind::Field(a)
        | ExprKind::Group(a)
        | ExprKind::Not(a)
        | ExprKind::Minus(a)
        | ExprKind::Plus(a) => *a = copy(program, *a, args),
        ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Binary(_, a, b)
        | ExprKind::Match { text: a, regex: b, .. } => {
            *a = copy(program, *a, args);
            *b = copy(program, *b, args);
        }
        ExprKind::Cond { cond, yes, no } => {
            for id in [cond, yes, no] {
                *id = copy(program, *id, args);
            }
        }
        ExprKind::Builtin { args: of_builtin, .. } => {
            for id in of_builtin {
                *id = copy(program, *id, args);
            }
        }
        _ => {}
    }
    program.exprs.push(Expr { kind, span });
    ExprId((program.exprs.len() - 1) as u32)
}

/// Whether evaluating it changes nothing, creates nothing, cannot fail and cannot warn, and each
/// part is accepted.
fn evaluates_safely(program: &Program, id: ExprId, mut accepts: impl FnMut(&Expr) -> bool) -> bool {
    changes_nothing(program, id, &mut |expr| {
        let may_fail = match expr.kind {
            ExprKind::Field(index) => !matches!(program[index].kind, ExprKind::Number(_)),
            ExprKind::Binary(op, ..) => matches!(op, BinaryOp::Div | BinaryOp::Mod),
            ExprKind::Builtin { builtin, .. } => builtin == Builtin::Sprintf,
            ExprKind::Element { .. } => true,
            _ => false,
        };
        !may_fail && accepts(expr)
    })
}
