//! Coverage as a table.

use super::{Coverage, CoveredShare, FileCoverage};
use std::fmt::Write;

pub(super) fn write(coverage: &Coverage) -> String {
    let rows = coverage.files.iter().map(|(name, file)| {
        let shares = [file.statements(), file.branches(), file.functions()];
        (name.as_str(), shares, missing(file))
    });
    let mut rows: Vec<(&str, [CoveredShare; 3], String)> = rows.collect();
    if rows.len() != 1 {
        rows.push(("all", coverage.totals(), String::new()));
    }
    let longest = rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or_default();
    let width = longest.max("file".len());
    let mut out =
        format!("{:width$}  statements      branches       functions      not run\n", "file");
    for (name, [statements, branches, functions], missing) in rows {
        let row = format!(
            "{name:width$}  {:14}  {:13}  {:13}  {missing}",
            cell(statements),
            cell(branches),
            cell(functions)
        );
        let _ = writeln!(out, "{}", row.trim_end());
    }
    out
}

fn cell(share: CoveredShare) -> String {
    match share.total {
        0 => "-".to_owned(),
        total => format!("{}/{total} {}%", share.covered, share.percent()),
    }
}

/// The lines with a statement that did not run: `3, 7-9`. Lines without a statement do not break a
/// range.
fn missing(file: &FileCoverage) -> String {
    let mut lines: Vec<(usize, bool)> = Vec::new();
    for (stretch, &count) in &file.statements {
        match lines.last_mut() {
            Some((line, runs)) if *line == stretch.line => *runs &= count > 0,
            _ => lines.push((stretch.line, count > 0)),
        }
    }
    let ranges = lines.chunk_by(|(_, a), (_, b)| a == b).filter(|lines| !lines[0].1);
    let ranges = ranges.map(|lines| match (lines[0].0, lines[lines.len() - 1].0) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    });
    ranges.collect::<Vec<_>>().join(", ")
}
