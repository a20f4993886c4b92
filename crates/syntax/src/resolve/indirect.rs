//! Makes built-in and host functions callable by name. For `length` it adds `function length(a) {
//! return length(a) }`, once for each number of arguments in indirect calls.

use crate::ast::{
    Builtin, Expr, ExprId, ExprKind, FunctionDefinition, HostId, LibraryFn, Param, Program, Span,
    Stmt, StmtId, StmtKind, Usage, VariablePlace,
};
use crate::extension::Extension;
use crate::library::ParameterKind;
use std::collections::BTreeSet;

/// Adds them at the end of the arena, every expression after its parts.
pub(super) fn add_builtins(program: &mut Program, extensions: &[Extension]) {
    let calls = program.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::IndirectCall { args, .. } => Some((args.len(), expr.span)),
        _ => None,
    });
    let Some(span) = calls.clone().map(|(_, span)| span).next() else { return };
    let counts: BTreeSet<usize> = calls.map(|(count, _)| count).collect();
    for count in counts {
        for &builtin in Builtin::ALL.iter().filter(|&&builtin| takes(builtin, count)) {
            let arrays: &[usize] = match builtin {
                Builtin::Split => &[1, 3],
                Builtin::Match => &[2],
                _ => &[],
            };
            let usage = |at: usize| Usage {
                scalar: builtin != Builtin::Length && !arrays.contains(&at),
                array: arrays.contains(&at),
            };
            add(program, builtin.name(), count, span, usage, |args| ExprKind::Builtin {
                builtin,
                args,
            });
        }
        let loaded = extensions.iter().flat_map(|extension| extension.functions().iter().copied());
        let library = LibraryFn::reserved().chain(loaded).filter(|function| {
            let (least, most) = function.arity();
            (least..=most).contains(&count)
        });
        for function in library {
            let usage = |at: usize| {
                let kind = function.parameter(at);
                Usage {
                    scalar: matches!(kind, ParameterKind::Value | ParameterKind::Pattern),
                    array: kind == ParameterKind::Array,
                }
            };
            add(program, function.name(), count, span, usage, |args| ExprKind::Library {
                function,
                args,
            });
        }
        for (at, function) in program.host_functions.clone().iter().enumerate() {
            let (least, most) = function.arity();
            if !(least..=most).contains(&count) {
                continue;
            }
            let usage = |at: usize| Usage {
                scalar: !function.takes_array(at),
                array: function.takes_array(at),
            };
            let function_id = HostId(at as u32);
            add(program, function.name(), count, span, usage, |args| ExprKind::Host {
                function: function_id,
                args,
            });
        }
    }
}

/// Whether it can be called by name. `sub` and `gsub` cannot be given the text that they change.
fn takes(builtin: Builtin, count: usize) -> bool {
    let (least, most) = match builtin {
        Builtin::Length => (1, 1),
        Builtin::Sub | Builtin::Gsub => (2, 2),
        builtin => builtin.arity(),
    };
    (least..=most).contains(&count)
}

fn add(
    program: &mut Program,
    name: &str,
    count: usize,
    span: Span,
    usage: impl Fn(usize) -> Usage,
    call: impl FnOnce(Vec<ExprId>) -> ExprKind,
) {
    let mut expr = |kind| {
        program.exprs.push(Expr { kind, span });
        ExprId(program.exprs.len() as u32 - 1)
    };
    let args: Vec<ExprId> =
        (0..count).map(|at| expr(ExprKind::Var(VariablePlace::Param(at as u16)))).collect();
    let value = expr(call(args));
    program.stmts.push(Stmt { kind: StmtKind::Return(Some(value)), span });
    let body = vec![StmtId(program.stmts.len() as u32 - 1)];
    let params = (0..count)
        .map(|at| Param { name: format!("argument {}", at + 1), usage: usage(at), span })
        .collect();
    let function = FunctionDefinition {
        name: name.to_string(),
        params,
        body,
        span,
        name_span: span,
        defined: true,
        builtin: true,
        in_library: false,
    };
    program.functions.push(function);
}
