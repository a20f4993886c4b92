//! The results as an SVG: a panel for each row with a bar for each peer, shortest first. Colours
//! are classes that follow the reader's light or dark preference.

mod panel;

use crate::results::Results;
use panel::Panel;
use std::fmt::Write;

/// For two columns of panels.
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 16.0;
const GAP: f64 = 24.0;
const HEAD: f64 = 72.0;
/// In characters of 11 pixels.
const FOOTER_COLUMNS: usize = 150;
const FOOTER_LINE: f64 = 15.0;

const STYLE: &str = "
  text { font: 12px system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif; fill: #1f2933; }
  .title { font-size: 18px; font-weight: 600; }
  .row { font-weight: 600; font-size: 13px; }
  .quiet { fill: #64748b; font-size: 11px; }
  .ours { font-weight: 600; }
  .page { fill: #ffffff; }
  .bar { fill: #9fb3c8; } .bar-ours { fill: #d9480f; } .bar-other { fill: #dbe3ec; }
  .cut { fill: #ffffff; } .target { stroke: #1f2933; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .quiet { fill: #94a3b8; } .page { fill: #0d1117; }
    .bar { fill: #4a6078; } .bar-ours { fill: #ff8a4c; } .bar-other { fill: #2b3848; }
    .cut { fill: #0d1117; } .target { stroke: #e6edf3; }
  }
";

pub fn svg(results: &Results) -> String {
    let column = (WIDTH - 2.0 * MARGIN - GAP) / 2.0;
    let mut body = String::new();
    let mut ends = [HEAD; 2];
    for row in &results.rows {
        let panel = Panel::new(results, row);
        // Into the column that ends first: the order stays readable from left to right.
        let at = usize::from(ends[1] < ends[0]);
        panel.draw(&mut body, MARGIN + at as f64 * (column + GAP), ends[at], column);
        ends[at] += panel.height() + GAP;
    }
    let mut y = ends[0].max(ends[1]);
    for line in footer(results) {
        text(&mut body, MARGIN, y, "quiet", &line);
        y += FOOTER_LINE;
    }
    let height = y + MARGIN / 2.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" height=\"{height}\" role=\"img\" aria-label=\"CPU time of rhawk and other awks\">\n<style>{STYLE}</style>\n"
    );
    let _ = writeln!(out, "<rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\"/>");
    text(&mut out, MARGIN, 30.0, "title", "CPU time, shorter is faster");
    text(
        &mut out,
        MARGIN,
        50.0,
        "quiet",
        "User and system time in ms, the best round; answers checked. The tick is the target for rhawk; pale bars are no awks; \u{203a}\u{203a} marks a bar cut short.",
    );
    out + &body + "</svg>\n"
}

/// Machine, date and versions, in lines of bounded length.
fn footer(results: &Results) -> Vec<String> {
    let machine = &results.machine;
    let day = results.date.split('T').next().unwrap_or_default();
    let mut lines = vec![format!(
        "{day}, {}, {}, best of {}, scale {}",
        machine.cpu, machine.kernel, results.rounds, results.scale
    )];
    for (at, peer) in results.peers.iter().enumerate() {
        // One executable in two modes has one version.
        let again = |other: &&crate::results::PeerVersion| other.version == peer.version;
        if results.peers[..at].iter().any(|other| again(&other)) {
            continue;
        }
        let names: Vec<&str> =
            results.peers[at..].iter().filter(again).map(|other| other.name.as_str()).collect();
        let version = format!("{}: {}", names.join(", "), peer.version);
        match lines.last_mut() {
            Some(line) if lines_fit(line, &version) => *line += &format!(" \u{b7} {version}"),
            _ => lines.push(version),
        }
    }
    lines
}

fn lines_fit(line: &str, more: &str) -> bool {
    line.chars().count() + more.chars().count() + 3 <= FOOTER_COLUMNS
}

fn text(out: &mut String, x: f64, y: f64, class: &str, content: &str) {
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" class=\"{class}\">{}</text>",
        escaped(content)
    );
}

/// Escapes XML markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::example;

    #[test]
    fn every_element_is_closed_and_names_are_escaped() {
        let svg = svg(&example());
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<text ").count(), svg.matches("</text>").count());
        assert!(svg.contains("characters &amp; lines") && svg.contains("Some &lt;CPU&gt;"));
        assert!(!svg.contains("& "));
    }

    #[test]
    fn the_fastest_comes_first_and_wrong_answers_have_no_bar() {
        let svg = svg(&example());
        let place = |name: &str| svg.find(&format!(">{name}</text>")).expect("has a bar");
        assert!(
            place("rhawk") < place("perl")
                && place("perl") < place("mawk")
                && place("mawk") < place("gawk")
        );
        assert!(svg.contains("wrong answer: frawk"));
    }

    #[test]
    fn a_picture_without_rows_is_still_one() {
        let mut results = example();
        results.rows.clear();
        assert!(svg(&results).ends_with("</svg>\n"));
    }
}
