//! The results as text: rhawk's verdicts, then every peer's CPU time.

use crate::results::{Entry, Results, RowResult, Status, Verdict};
use std::fmt::Write;

pub fn text(results: &Results) -> String {
    let mut out = String::new();
    let Results { date, machine, scale, rounds, .. } = results;
    let pinned = if results.pinned { ", pinned to one core" } else { "" };
    let _ = writeln!(out, "{date}  {} ({} cores), {}", machine.cpu, machine.cores, machine.kernel);
    let _ = writeln!(
        out,
        "scale {scale}, {rounds} rounds{pinned}; CPU is user + system, in ms, best round\n"
    );
    for peer in &results.peers {
        let _ = writeln!(out, "  {:<13} {}", peer.name, peer.version);
    }
    out.push('\n');
    judgement(results, &mut out);
    out.push('\n');
    matrix(results, &mut out);
    complaints(results, &mut out);
    out
}

/// In ms with about three significant digits.
pub fn milliseconds(seconds: f64) -> String {
    let ms = seconds * 1000.0;
    match ms {
        ms if ms < 10.0 => format!("{ms:.2}"),
        ms if ms < 100.0 => format!("{ms:.1}"),
        ms => format!("{ms:.0}"),
    }
}

fn judgement(results: &Results, out: &mut String) {
    let mut table = Table::new(&[
        "row",
        "rhawk",
        "fastest awk",
        "ratio",
        "fastest",
        "ratio",
        "target",
        "verdict",
        "peak MiB",
    ]);
    let (mut met, mut judged) = (0, 0);
    for row in &results.rows {
        let rhawk = results.rhawk(row);
        let cpu = rhawk.and_then(|entry| entry.times).map(|times| times.cpu_min);
        let against = |bar: Option<(&Entry, f64)>| match bar {
            Some((entry, seconds)) => (
                format!("{} {}", entry.peer, milliseconds(seconds)),
                cpu.map_or("-".into(), |cpu| format!("{:.2}", cpu / seconds)),
            ),
            None => ("-".into(), "-".into()),
        };
        let (awk, awk_ratio) = against(results.fastest_awk(row));
        let (other, other_ratio) = against(results.fastest_other(row));
        let verdict = match results.verdict(row) {
            Verdict::Met(_) => "met".to_string(),
            Verdict::Missed(ratio) => format!("MISSED ({ratio:.2})"),
            Verdict::Unknown => rhawk.map_or("-".into(), shown),
        };
        judged += usize::from(rhawk.is_some());
        met += usize::from(matches!(results.verdict(row), Verdict::Met(_)));
        let peak = rhawk.and_then(|entry| entry.times).map_or("-".into(), |times| {
            let over = if results.memory_met(row) == Some(false) { " OVER" } else { "" };
            format!("{:.1}{over}", times.peak_kib as f64 / 1024.0)
        });
        let whom = match row.against.as_str() {
            "mawk" => " of mawk",
            "fastest" => " of all",
            _ => "",
        };
        let target = format!("{}{whom}", row.target);
        table.add(vec![
            row.name.clone(),
            rhawk.map_or("-".into(), shown),
            awk,
            awk_ratio,
            other,
            other_ratio,
            target,
            verdict,
            peak,
        ]);
    }
    table.write(out);
    if judged > 0 {
        let _ = writeln!(out, "\n{met} of {judged} targets met");
    }
}

fn matrix(results: &Results, out: &mut String) {
    let mut heads = vec!["CPU ms"];
    heads.extend(results.peers.iter().map(|peer| peer.name.as_str()));
    let mut table = Table::new(&heads);
    for row in &results.rows {
        let of = |peer: &str| {
            row.entries.iter().find(|entry| entry.peer == peer).map_or_else(String::new, shown)
        };
        table.add(
            std::iter::once(row.name.clone())
                .chain(results.peers.iter().map(|peer| of(&peer.name)))
                .collect(),
        );
    }
    table.write(out);
}

/// Failures, by row.
fn complaints(results: &Results, out: &mut String) {
    let bad = |row: &RowResult| {
        let lines = row.entries.iter().filter(|entry| entry.status != Status::Ok);
        lines
            .map(|entry| format!("  {} {}: {}", row.name, entry.peer, entry.detail))
            .collect::<Vec<_>>()
    };
    let lines: Vec<String> = results.rows.iter().flat_map(bad).collect();
    if !lines.is_empty() {
        let _ = writeln!(
            out,
            "\nNot counted, since the answer was not the reference's:\n{}",
            lines.join("\n")
        );
    }
}

fn shown(entry: &Entry) -> String {
    match (entry.status, entry.times) {
        (Status::Ok, Some(times)) => milliseconds(times.cpu_min),
        (Status::Ok, None) => "-".into(),
        (Status::Wrong, _) => "wrong".into(),
        (Status::Failed, _) => "failed".into(),
        (Status::Slow, _) => "slow".into(),
    }
}

/// Aligned columns, the first to the left, the others to the right.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(heads: &[&str]) -> Self {
        Table { rows: vec![heads.iter().map(ToString::to_string).collect()] }
    }

    /// With a cell for each header.
    pub fn add(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// A line for each row.
    pub fn write(&self, out: &mut String) {
        let columns = self.rows[0].len();
        let width = |column: usize| {
            self.rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            let _ = write!(out, "{:<1$}", row[0], widths[0]);
            for (cell, width) in row.iter().zip(&widths).skip(1) {
                let _ = write!(out, "  {cell:>width$}");
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::example;

    #[test]
    fn the_report_shows_ratios_targets_and_wrong_answers() {
        let text = text(&example());
        let row = text.lines().find(|line| line.starts_with("length")).expect("the row");
        let cells: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(
            cells,
            ["length", "20.0", "mawk", "40.0", "0.50", "perl", "30.0", "0.67", "0.5", "met", "2.9"]
        );
        assert!(text.contains("1 of 1 targets met"));
        assert!(text.contains("  length frawk: "));
    }

    #[test]
    fn without_rhawk_the_others_are_still_reported() {
        let mut results = example();
        results.peers.remove(0);
        results.rows[0].entries.remove(0);
        let text = text(&results);
        assert!(text.contains("mawk 40.0") && !text.contains("targets met"));
    }

    #[test]
    fn times_keep_three_digits() {
        assert_eq!(
            [0.00123, 0.0123, 0.123, 1.234].map(milliseconds),
            ["1.23", "12.3", "123", "1234"]
        );
    }
}
