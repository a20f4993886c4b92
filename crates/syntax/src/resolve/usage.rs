//! Infers how every variable is used: as a scalar, as an array, or only passed on.
//!
//! The parser marks uses as an array. Any other variable in an expression is a scalar, unless it is
//! a bare argument: then it is used as the function uses its parameter.

use std::ops::Range;

use crate::ast::{Expr, ExprId, ExprKind, FunctionId, GlobalId, Program, Usage, VariablePlace};

#[derive(Clone, Copy)]
struct Variable {
    function: Option<FunctionId>,
    place: VariablePlace,
}

/// A variable that is a bare argument, and the parameter that it is for.
type Edge = (Variable, Variable);

/// `ranges` are the expressions of each function, `passed` the bare arguments of calls.
pub(super) fn infer(program: &mut Program, ranges: &[Range<usize>], passed: &[ExprId]) {
    let mut is_passed = vec![false; program.exprs.len()];
    passed.iter().for_each(|arg| is_passed[arg.index()] = true);

    let mut inside = vec![None; program.exprs.len()];
    for (function, range) in ranges.iter().enumerate() {
        inside[range.clone()].fill(Some(FunctionId(function as u32)));
    }

    let mut edges: Vec<Edge> = Vec::new();
    for at in 0..program.exprs.len() {
        let function = inside[at];
        match &program.exprs[at].kind {
            ExprKind::Var(place) if !is_passed[at] => {
                let variable = Variable { function, place: *place };
                note(program, variable, Usage { scalar: true, array: false });
            }
            ExprKind::Call { function: callee, args } => {
                for (param, arg) in args.iter().enumerate() {
                    if let ExprKind::Var(place) = program[*arg].kind {
                        let param = Variable {
                            function: Some(*callee),
                            place: VariablePlace::Param(param as u16),
                        };
                        edges.push((Variable { function, place }, param));
                    }
                }
            }
            _ => {}
        }
    }

    let starts = parameter_starts(program);
    spread(program, &edges, &starts);
    // They are arrays as soon as the text names them: `length(ENVIRON)`.
    for id in [GlobalId::ARGV, GlobalId::ENVIRON] {
        let names_it = |expr: &Expr| matches!(expr.kind, ExprKind::Var(VariablePlace::Global(named)) if named == id);
        let is_named = program.exprs.iter().any(names_it);
        program.globals[id.index()].usage.array |= is_named;
    }
    propagate_arrays(program, &edges, &starts);
}

/// The number of each function's first parameter, when the parameters of all functions are numbered
/// in a row. The last entry is the total.
fn parameter_starts(program: &Program) -> Vec<usize> {
    let mut starts = vec![0];
    let mut count = 0;
    for function in &program.functions {
        count += function.params.len();
        starts.push(count);
    }
    starts
}

/// `None` for variables that are not parameters.
fn parameter_number(variable: Variable, starts: &[usize]) -> Option<usize> {
    match (variable.function, variable.place) {
        (Some(function), VariablePlace::Param(param)) => {
            Some(starts[function.index()] + usize::from(param))
        }
        _ => None,
    }
}

fn edges_of(edges: &[Edge], starts: &[usize], end: impl Fn(&Edge) -> Variable) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); starts.last().copied().unwrap_or(0)];
    for (at, edge) in edges.iter().enumerate() {
        if let Some(number) = parameter_number(end(edge), starts) {
            found[number].push(at);
        }
    }
    found
}

/// Marks scalar parameters that may get an array. As in gawk their use is an error then, but
/// passing the array is not.
fn propagate_arrays(program: &mut Program, edges: &[Edge], starts: &[usize]) {
    let passed_on = edges_of(edges, starts, |edge| edge.0);
    let mut pending: Vec<usize> = (0..edges.len()).collect();
    while let Some(at) = pending.pop() {
        let (variable, param) = edges[at];
        let is_array = usage(program, variable).is_some_and(|usage| usage.array);
        let is_scalar = usage(program, param).is_some_and(|usage| usage.scalar);
        let grown =
            is_array && is_scalar && note(program, param, Usage { scalar: false, array: true });
        if let (true, Some(number)) = (grown, parameter_number(param, starts)) {
            pending.extend(&passed_on[number]);
        }
    }
}

/// Carries usage from parameters back to arguments. An edge is visited again only when its
/// parameter's usage has grown, so at most twice.
fn spread(program: &mut Program, edges: &[Edge], starts: &[usize]) {
    let passed_for = edges_of(edges, starts, |edge| edge.1);
    let mut pending: Vec<usize> = (0..edges.len()).collect();
    while let Some(at) = pending.pop() {
        let (variable, param) = edges[at];
        let grown = usage(program, param).is_some_and(|usage| note(program, variable, usage));
        if let (true, Some(number)) = (grown, parameter_number(variable, starts)) {
            pending.extend(&passed_for[number]);
        }
    }
}

fn usage(program: &Program, variable: Variable) -> Option<Usage> {
    match (variable.place, variable.function) {
        (VariablePlace::Global(id), _) => Some(program.globals[id.index()].usage),
        (VariablePlace::Param(at), Some(function)) => {
            Some(program.functions[function.index()].params.get(usize::from(at))?.usage)
        }
        _ => None,
    }
}

fn note(program: &mut Program, variable: Variable, more: Usage) -> bool {
    let known = match (variable.place, variable.function) {
        (VariablePlace::Global(id), _) => &mut program.globals[id.index()].usage,
        (VariablePlace::Param(at), Some(function)) => {
            match program.functions[function.index()].params.get_mut(usize::from(at)) {
                Some(param) => &mut param.usage,
                None => return false,
            }
        }
        _ => return false,
    };
    let before = *known;
    known.scalar |= more.scalar;
    known.array |= more.array;
    *known != before
}
