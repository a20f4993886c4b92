//! Why `-j` did not run a program in pieces, in one line.

use super::analysis::{Analysis, Obstacle};
use crate::Remark;
use riverhawk_parallel::{NotJoined, Slot};
use riverhawk_syntax::ast::{BinaryOp, ExprKind, Program, Span, VariablePlace};

/// An option that excludes pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SerialReason {
    Precise,
    /// `-n`, `-N`, `-P`.
    Numbers,
    /// Files are replaced one after the other.
    InPlace,
    Followed,
    /// `--max-record`, `--max-output`, `--max-steps`, `--max-records`.
    Limited,
    /// What is printed once for each key, as a table or by several machines.
    Distinct,
    /// A table for display, a count of bad rows, JSON that is not in lines.
    Whole,
    /// `--lint`, `-D`, `-I`, `-p`.
    Observed,
}

pub(crate) fn about_options(against: SerialReason) -> Remark {
    let why = match against {
        SerialReason::Precise => "arithmetic is of any precision",
        SerialReason::Numbers => {
            "numbers or strings depend on the locale, or numbers may not be decimal"
        }
        SerialReason::InPlace => "files are edited in place",
        SerialReason::Followed => "files are followed",
        SerialReason::Limited => "steps, records or output are limited",
        SerialReason::Distinct => {
            "what is printed once for each key (`!seen[$1]++`) is dropped only from plain text, on one machine"
        }
        SerialReason::Whole => {
            "JSON values, aligned tables and counts of malformed rows need the input in one piece"
        }
        SerialReason::Observed => "the run is observed, profiled or linted",
    };
    Remark { span: None, message: format!("-j: ran on one thread: {why}") }
}

/// `None` if the program runs in pieces or reads no records.
pub(crate) fn about_program(analysis: &Analysis) -> Option<Remark> {
    let of_rules = analysis.rules.iter().flat_map(|rule| &rule.obstacles);
    let of_variables =
        analysis.variables.iter().filter_map(|variable| variable.finding.as_ref().err());
    let obstacle: &Obstacle = of_rules.chain(of_variables).chain(&analysis.obstacles).next()?;
    let span = Some(obstacle.span).filter(|span| *span != Span::default());
    Some(Remark {
        span,
        message: format!("-j: ran on one thread: {}; see --explain", obstacle.message),
    })
}

/// Why the coordinator continued alone.
pub(crate) fn about_run(program: &Program, why: NotJoined) -> Remark {
    let (span, why) = match why {
        NotJoined::Fractions(Some(Slot::Global(global))) => {
            let name = &program.globals[global.index()].name;
            (place_of_sum(program, global), format!("fractions in {name}: see --relaxed-sums"))
        }
        NotJoined::Fractions(_) => (None, "fractions in sums: see --relaxed-sums".to_owned()),
        NotJoined::LargeSums => (None, "sums near 2^53, which depend on the order".to_owned()),
        NotJoined::Unordered => {
            (None, "a maximum or minimum is compared with something other than a number".to_owned())
        }
        NotJoined::NegativeCount(_) => (None, "a count of keys is negative".to_owned()),
        NotJoined::ManyKeys => {
            (None, "most keys are new, so that joining takes as long as running".to_owned())
        }
        NotJoined::Abandoned => {
            (None, "an error, a warning, exit or much output in several pieces".to_owned())
        }
        NotJoined::Ranges => (None, "range patterns that span pieces".to_owned()),
        NotJoined::State => (None, "a variable cannot be sent to another thread".to_owned()),
        NotJoined::Uncut => (None, "RS does not show where records begin".to_owned()),
    };
    Remark { span, message: format!("-j: continued on one thread: {why}") }
}

/// The first addition to a variable or its elements.
fn place_of_sum(program: &Program, global: riverhawk_syntax::ast::GlobalId) -> Option<Span> {
    let is_it =
        |place: VariablePlace| matches!(place, VariablePlace::Global(found) if found == global);
    let adds = |kind: &ExprKind| match kind {
        ExprKind::Assign { op: Some(BinaryOp::Add | BinaryOp::Sub), target, .. } => {
            match &program[*target].kind {
                ExprKind::Var(place) => is_it(*place),
                ExprKind::Element { array, .. } => is_it(array.place),
                _ => false,
            }
        }
        _ => false,
    };
    program
        .exprs
        .iter()
        .filter(|expr| adds(&expr.kind))
        .map(|expr| expr.span)
        .min_by_key(|span| span.start)
}
