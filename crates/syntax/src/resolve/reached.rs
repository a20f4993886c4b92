//! Drops library functions that the program cannot reach, so that they are not compiled.

use super::names::Callable;
use crate::ast::{ExprKind, Program};
use std::ops::Range;

/// Removes the bodies of functions that are neither called nor named in a string. A call by a
/// computed name finds them undefined.
pub(super) fn drop_unreached(program: &Program, callables: &mut [Callable]) {
    let of_library = |callable: &Callable| match &callable.definition {
        Some((function, exprs)) if function.in_library => Some(exprs.clone()),
        _ => None,
    };
    let ranges: Vec<Option<Range<usize>>> = callables.iter().map(of_library).collect();
    if ranges.iter().all(Option::is_none) || calls_by_name(program) {
        return;
    }
    let mut reached = vec![false; callables.len()];
    let mut pending: Vec<usize> = Vec::new();
    let mut reach = |at: usize, pending: &mut Vec<usize>| {
        if ranges[at].is_some() && !std::mem::replace(&mut reached[at], true) {
            pending.push(at);
        }
    };
    // The library's texts follow the program's.
    let first = ranges.iter().flatten().map(|range| range.start).min().unwrap_or(0);
    for expr in &program.exprs[..first] {
        match &expr.kind {
            ExprKind::Call { function, .. } => reach(function.index(), &mut pending),
            ExprKind::String(text) => {
                let is_named = |callable: &Callable| {
                    callable
                        .definition
                        .as_ref()
                        .is_some_and(|(function, _)| function.name.as_bytes() == &text[..])
                };
                if let Some(at) = callables.iter().position(is_named) {
                    reach(at, &mut pending);
                }
            }
            _ => {}
        }
    }
    while let Some(at) = pending.pop() {
        for expr in &program.exprs[ranges[at].clone().unwrap_or_default()] {
            if let ExprKind::Call { function, .. } = expr.kind {
                reach(function.index(), &mut pending);
            }
        }
    }
    for (callable, reached) in callables.iter_mut().zip(reached) {
        if let Some((function, _)) = &mut callable.definition
            && function.in_library
            && !reached
        {
            function.body.clear();
            function.defined = false;
        }
    }
}

fn calls_by_name(program: &Program) -> bool {
    program.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::IndirectCall { .. }))
}

#[cfg(test)]
mod tests {
    use crate::source::SourceMap;

    fn defined(program: &str) -> Vec<String> {
        let mut source = SourceMap::new();
        source.add("test", program.into()).expect("short");
        source.add_library().expect("short");
        let program = crate::parse(&source).program.expect("no errors");
        let functions = program.functions.iter();
        functions
            .filter(|function| function.defined && !function.builtin)
            .map(|function| function.name.clone())
            .collect()
    }

    #[test]
    fn what_is_called_is_there_with_what_it_calls() {
        assert_eq!(defined("BEGIN { math::abs(1) }"), ["math::abs"]);
        let mut found = defined("BEGIN { math::median(a); x = \"math::sign\" }");
        found.sort();
        assert_eq!(
            found,
            [
                "math::clamp",
                "math::max",
                "math::median",
                "math::min",
                "math::percentile",
                "math::sign"
            ]
        );
        assert!(defined("BEGIN { f = \"math::\" $1; @f(1) }").len() > 20);
        assert!(defined("BEGIN { x = \"math::abs\" }").is_empty());
    }
}
