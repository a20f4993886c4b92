//! One row of the benchmark as a bar chart.

use super::{escaped, text};
use crate::report::milliseconds;
use crate::results::{Entry, Results, RowResult, Status};
use std::fmt::Write;

const TITLE: f64 = 22.0;
const PITCH: f64 = 16.0;
const BAR: f64 = 10.0;
/// Width of the peers' names, left of the bars.
const NAMES: f64 = 84.0;
/// Width of the longest number, right of the longest bar.
const NUMBERS: f64 = 56.0;
/// Bars are cut at this multiple of the target's: otherwise the others would be too short to
/// compare.
const LONGEST: f64 = 6.0;

pub struct Panel<'a> {
    row: &'a RowResult,
    bars: Vec<Bar<'a>>,
    /// The line about peers without a bar.
    absent: Option<String>,
    /// Seconds of a full-width bar.
    full: f64,
    /// rhawk's limit in seconds.
    target: Option<f64>,
}

struct Bar<'a> {
    name: &'a str,
    seconds: f64,
    class: &'static str,
}

impl<'a> Panel<'a> {
    /// With rhawk, every awk with a right answer, and the best of the others.
    pub fn new(results: &'a Results, row: &'a RowResult) -> Self {
        let rhawk = results.rhawk(row).map(|entry| entry.peer.as_str());
        let is_awk = |name: &str| results.peers.iter().any(|peer| peer.name == name && peer.is_awk);
        let seconds = |entry: &Entry| entry.times.map(|times| times.cpu_min);
        let best_other = row
            .entries
            .iter()
            .filter(|entry| Some(entry.peer.as_str()) != rhawk && !is_awk(&entry.peer))
            .filter_map(|entry| Some((entry, seconds(entry)?)))
            .min_by(|one, other| one.1.total_cmp(&other.1));
        let mut bars: Vec<Bar> = Vec::new();
        for entry in &row.entries {
            let Some(seconds) = seconds(entry) else { continue };
            let class = if Some(entry.peer.as_str()) == rhawk {
                "bar-ours"
            } else if is_awk(&entry.peer) {
                "bar"
            } else if best_other.is_some_and(|(best, _)| best.peer == entry.peer) {
                "bar-other"
            } else {
                continue;
            };
            bars.push(Bar { name: &entry.peer, seconds, class });
        }
        bars.sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
        let bar = results.bar(row);
        let slowest = bars.last().map_or(1.0, |bar| bar.seconds);
        let full = bar.map_or(slowest, |bar| slowest.min(bar * LONGEST)).max(f64::MIN_POSITIVE);
        Panel {
            row,
            bars,
            absent: absent(row, is_awk),
            full,
            target: bar.map(|bar| bar * row.target),
        }
    }

    pub fn height(&self) -> f64 {
        TITLE + PITCH * (self.bars.len() + usize::from(self.absent.is_some())) as f64
    }

    pub fn draw(&self, out: &mut String, x: f64, y: f64, width: f64) {
        let (name, about) = (escaped(&self.row.name), escaped(&self.row.about));
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\"><tspan class=\"row\">{name}</tspan><tspan class=\"quiet\" dx=\"8\">{about}</tspan></text>",
            y + 12.0
        );
        let room = width - NAMES - NUMBERS;
        for (at, bar) in self.bars.iter().enumerate() {
            let top = y + TITLE + PITCH * at as f64;
            let share = bar.seconds / self.full;
            // The fastest must stay visible.
            let length = (room * share.min(1.0)).max(1.5);
            let (left, weight) = (x + NAMES, if bar.class == "bar-ours" { "ours" } else { "" });
            text(out, x, top + BAR - 1.0, weight, bar.name);
            let _ = writeln!(
                out,
                "<rect class=\"{}\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{length:.1}\" height=\"{BAR}\" rx=\"1.5\"/>",
                bar.class
            );
            if share > 1.001 {
                text(out, left + length - 14.0, top + BAR - 1.0, "", "\u{203a}\u{203a}");
            }
            if let (Some(target), "bar-ours") = (self.target, bar.class) {
                let tick = left + room * (target / self.full).min(1.0);
                let _ = writeln!(
                    out,
                    "<line class=\"target\" x1=\"{tick:.1}\" x2=\"{tick:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>",
                    top - 2.0,
                    top + BAR + 2.0
                );
            }
            let past_tick = match self.target {
                Some(target) if bar.class == "bar-ours" => {
                    (room * (target / self.full).min(1.0)).max(length)
                }
                _ => length,
            };
            text(out, left + past_tick + 6.0, top + BAR - 1.0, weight, &milliseconds(bar.seconds));
        }
        if let Some(absent) = &self.absent {
            let top = y + TITLE + PITCH * self.bars.len() as f64;
            text(out, x, top + BAR - 1.0, "quiet", absent);
        }
    }
}

fn absent(row: &RowResult, is_awk: impl Fn(&str) -> bool) -> Option<String> {
    let reasons = [
        (Status::Wrong, "wrong answer"),
        (Status::Failed, "failed"),
        (Status::Slow, "did not end"),
    ];
    let mut parts = Vec::new();
    for (status, reason) in reasons {
        let names: Vec<&str> = row
            .entries
            .iter()
            .filter(|entry| {
                entry.status == status && (is_awk(&entry.peer) || entry.peer.starts_with("rhawk"))
            })
            .map(|entry| entry.peer.as_str())
            .collect();
        if !names.is_empty() {
            parts.push(format!("{reason}: {}", names.join(", ")));
        }
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}
