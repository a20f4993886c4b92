//! The analysis as text.
//!
//! ```text
//! words.awk:1:1: this rule runs in pieces
//!     count: sums by key
//! words.awk:2:1: note: `last` is read here, and its value comes from other records
//! ...
//! the program runs in one piece
//! ```

use super::analysis::{Analysis, Obstacle};
use crate::Renderer;
use riverhawk_parallel::{Empty, Join, Lead};
use riverhawk_syntax::ast::Span;
use riverhawk_syntax::source::SourceMap;

pub(crate) fn explain(analysis: &Analysis, sources: &SourceMap, renderer: &Renderer) -> String {
    let mut text = String::new();
    for rule in &analysis.rules {
        let variables = || rule.variables.iter().map(|&at| &analysis.variables[at]);
        let obstacles: Vec<&Obstacle> = rule
            .obstacles
            .iter()
            .chain(variables().filter_map(|variable| variable.finding.as_ref().err()))
            .collect();
        let verdict = if obstacles.is_empty() {
            "this rule can run in pieces"
        } else {
            "this rule cannot run in pieces"
        };
        text.push_str(&format!("{}: {verdict}\n", place(sources, rule.span)));
        if rule.prints && obstacles.is_empty() {
            text.push_str("    prints: in the order of the records\n");
        }
        for variable in variables() {
            if let Ok(join) = variable.finding {
                text.push_str(&format!("    {}: {}\n", variable.name, words(join)));
            }
        }
        for obstacle in obstacles {
            text.push_str(&renderer.note(sources, obstacle.span, &obstacle.message));
        }
    }
    for obstacle in &analysis.obstacles {
        text.push_str(&renderer.note(sources, obstacle.span, &obstacle.message));
    }
    if analysis.plan.as_ref().is_some_and(|(plan, _)| plan.lead == Lead::FirstFile) {
        text.push_str("the first file runs in one piece, before the others\n");
    }
    text.push_str(match (&analysis.plan, analysis.rules.is_empty()) {
        (Some((plan, _)), _) if plan.counts_records => {
            "the program can run in pieces; the records of each are counted first, for NR and FNR\n"
        }
        (Some(_), true) => "the program can run in pieces: it only counts records\n",
        (Some(_), false) => "the program can run in pieces\n",
        (None, true) => "the program reads no records\n",
        (None, false) => "the program runs in one piece\n",
    });
    text
}

fn place(sources: &SourceMap, span: Span) -> String {
    sources
        .locate(span)
        .map(|at| format!("{}:{}:{}", at.name, at.line, at.column))
        .unwrap_or_default()
}

fn words(join: Join) -> &'static str {
    match join {
        Join::Constant => "only read",
        Join::Last => "the last value assigned is kept",
        Join::Contents => "emptied by each record that reads it",
        Join::Sum => "sums are added, while all are whole numbers (fractions: see --relaxed-sums)",
        Join::Distinct => {
            "counts are added, and what is printed for a key of an earlier piece is dropped"
        }
        Join::Best { greatest: true, vacant: Empty::Never, .. } => "the maximum is kept",
        Join::Best { greatest: false, vacant: Empty::Never, .. } => "the minimum is kept",
        Join::Best { greatest: true, .. } => "the maximum is kept, including the first number",
        Join::Best { greatest: false, .. } => "the minimum is kept, including the first number",
        Join::First => "the first value assigned is kept",
        Join::Concatenation => "text is joined in order",
        Join::Follow(_) => "assigned together with a maximum or minimum",
        Join::Keys => "lookups, which create elements",
    }
}
