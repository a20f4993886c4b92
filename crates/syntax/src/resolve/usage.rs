//! How every variable is used: as a scalar, as an array, or as neither because it is only passed on.
//!
//! Uses as an array are marked while parsing. The rest is found here: a variable that stands in an expression other than as a
//! bare argument of a call is used as a scalar, and what a function does with a parameter it does with every variable that is
//! passed for it.

use std::ops::Range;

use crate::ast::{ExprId, ExprKind, FunctionId, GlobalId, Place, Program, Usage};

/// A variable: a global, or a parameter of a function.
#[derive(Clone, Copy)]
struct Variable {
    function: Option<FunctionId>,
    place: Place,
}

/// Fills in every [`Usage`]. `ranges` are the expressions of each function, `passed` the bare arguments of calls.
pub(super) fn infer(program: &mut Program, ranges: &[Range<usize>], passed: &[ExprId]) {
    let mut is_passed = vec![false; program.exprs.len()];
    passed.iter().for_each(|arg| is_passed[arg.index()] = true);

    let mut inside = vec![None; program.exprs.len()];
    for (function, range) in ranges.iter().enumerate() {
        inside[range.clone()].fill(Some(FunctionId(function as u32)));
    }

    // What is passed, and the parameter it is passed for.
    let mut edges: Vec<(Variable, Variable)> = Vec::new();
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
                        let param = Variable { function: Some(*callee), place: Place::Param(param as u16) };
                        edges.push((Variable { function, place }, param));
                    }
                }
            }
            _ => {}
        }
    }

    spread(program, &edges);
    // ARGV and ENVIRON are arrays whether or not the text says so.
    for id in [GlobalId::ARGV, GlobalId::ENVIRON] {
        let usage = &mut program.globals[id.index()].usage;
        usage.array |= usage.scalar;
    }
    hand_down(program, &edges);
}

/// Marks the parameters that are used as scalars and yet may be given an array, until nothing changes: reaching such a use is an
/// error, passing the array is none, as in gawk.
fn hand_down(program: &mut Program, edges: &[(Variable, Variable)]) {
    loop {
        let mut changed = false;
        for &(variable, param) in edges {
            let is_array = usage(program, variable).is_some_and(|usage| usage.array);
            let is_scalar = usage(program, param).is_some_and(|usage| usage.scalar);
            changed |= is_array && is_scalar && note(program, param, Usage { scalar: false, array: true });
        }
        if !changed {
            return;
        }
    }
}

/// Carries usage from parameters back to what is passed for them until nothing changes. Each edge is looked at again only when
/// the usage of its parameter has grown, which it can do twice.
fn spread(program: &mut Program, edges: &[(Variable, Variable)]) {
    let slot = |variable: Variable, starts: &[usize]| match (variable.function, variable.place) {
        (Some(function), Place::Param(param)) => Some(starts[function.index()] + usize::from(param)),
        _ => None,
    };
    let mut starts = Vec::with_capacity(program.functions.len());
    let mut params = 0;
    for function in &program.functions {
        starts.push(params);
        params += function.params.len();
    }
    let mut passed_for: Vec<Vec<usize>> = vec![Vec::new(); params];
    for (at, (_, param)) in edges.iter().enumerate() {
        if let Some(slot) = slot(*param, &starts) {
            passed_for[slot].push(at);
        }
    }
    let mut pending: Vec<usize> = (0..edges.len()).collect();
    while let Some(at) = pending.pop() {
        let (variable, param) = edges[at];
        let grown = usage(program, param).is_some_and(|usage| note(program, variable, usage));
        if let (true, Some(slot)) = (grown, slot(variable, &starts)) {
            pending.extend(&passed_for[slot]);
        }
    }
}

fn usage(program: &Program, variable: Variable) -> Option<Usage> {
    match (variable.place, variable.function) {
        (Place::Global(id), _) => Some(program.globals[id.index()].usage),
        (Place::Param(at), Some(function)) => {
            Some(program.functions[function.index()].params.get(usize::from(at))?.usage)
        }
        _ => None,
    }
}

/// Adds to a variable's usage; true if that changed it.
fn note(program: &mut Program, variable: Variable, more: Usage) -> bool {
    let known = match (variable.place, variable.function) {
        (Place::Global(id), _) => &mut program.globals[id.index()].usage,
        (Place::Param(at), Some(function)) => match program.functions[function.index()].params.get_mut(usize::from(at))
        {
            Some(param) => &mut param.usage,
            None => return false,
        },
        _ => return false,
    };
    let before = *known;
    known.scalar |= more.scalar;
    known.array |= more.array;
    *known != before
}
