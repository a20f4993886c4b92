//! Rows as a Markdown table between two marks in a page: the numbers of the README and of the manual
//! are generated from a run's JSON.

use crate::report::milliseconds;
use crate::results::{Entry, Results, RowResult, Status};
use crate::rows::HEADLINES;
use std::fmt::Write;

/// Common awks, with a column of their own.
const COLUMNS: &[&str] = &["gawk", "mawk"];

/// The beginning of a table of the most telling rows.
const HEADLINE_MARK: &str = "<!-- table of headline rows: bench --markdown -->\n";
/// The beginning of a table of all.
const ALL_MARK: &str = "<!-- table of all rows: bench --markdown -->\n";
const END_MARK: &str = "<!-- end of table -->";

/// Inserts the table of `results` between the marks of `page`, or makes a page from an empty one.
///
/// # Errors
/// A page with text, but without marks.
pub fn page(page: &str, results: &Results) -> Result<String, String> {
    if page.is_empty() {
        return Ok(format!("{HEADLINE_MARK}{}{END_MARK}\n", table(results, headlines(results))));
    }
    for begin in [HEADLINE_MARK, ALL_MARK] {
        let Some((before, rest)) = page.split_once(begin) else { continue };
        let Some((_, after)) = rest.split_once(END_MARK) else { continue };
        let rows =
            if begin == ALL_MARK { results.rows.iter().collect() } else { headlines(results) };
        return Ok(format!("{before}{begin}{}{END_MARK}{after}", table(results, rows)));
    }
    Err(format!("no marks for the table: {}...{END_MARK}", HEADLINE_MARK.trim_end()))
}

fn headlines(results: &Results) -> Vec<&RowResult> {
    let row = |name: &&str| results.rows.iter().find(|row| row.name == *name);
    HEADLINES.iter().filter_map(row).collect()
}

fn table(results: &Results, rows: Vec<&RowResult>) -> String {
    let mut out =
        format!("| CPU ms | rhawk | {} | fastest other awk | ratio |\n", COLUMNS.join(" | "));
    let _ = writeln!(out, "|---|{}", "---:|".repeat(COLUMNS.len() + 3));
    for row in rows {
        line(results, row, &mut out);
    }
    let day = results.date.split('T').next().unwrap_or_default();
    let versions: Vec<&str> = std::iter::once("rhawk")
        .chain(COLUMNS.iter().copied())
        .filter_map(|name| results.peers.iter().find(|peer| peer.name == name))
        .map(|peer| peer.version.as_str())
        .collect();
    let machine = &results.machine;
    let scale = if results.scale == 1.0 {
        String::new()
    } else {
        format!(", data at scale {}", results.scale)
    };
    let _ = writeln!(
        out,
        "\nUser and system time, best of {} rounds{scale}; {}; {}, {}; {day}.",
        results.rounds,
        versions.join("; "),
        machine.cpu,
        machine.kernel
    );
    out
}

fn line(results: &Results, row: &RowResult, out: &mut String) {
    let rhawk = results.rhawk(row);
    let fastest = results.fastest_awk(row);
    let about = row.about.replace('|', "\\|");
    let _ = write!(out, "| {about} | **{}**", rhawk.map_or("-".into(), cell));
    for name in COLUMNS {
        let entry = row.entries.iter().find(|entry| entry.peer == *name);
        let _ = write!(out, " | {}", entry.map_or("-".into(), cell));
    }
    match fastest {
        Some((entry, seconds)) => {
            let ratio = rhawk.and_then(|entry| entry.times).map(|times| times.cpu_min / seconds);
            let ratio = ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"));
            let _ = writeln!(out, " | {} {} | {ratio} |", entry.peer, milliseconds(seconds));
        }
        None => out.push_str(" | - | - |\n"),
    }
}

fn cell(entry: &Entry) -> String {
    match (entry.status, entry.times) {
        (Status::Ok, Some(times)) => milliseconds(times.cpu_min),
        (Status::Ok, None) => "-".into(),
        (Status::Wrong, _) => "wrong answer".into(),
        (Status::Failed, _) => "fails".into(),
        (Status::Slow, _) => "does not end".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::example;
    use std::path::Path;

    #[test]
    fn a_line_has_everybodys_time_the_fastest_awk_and_the_ratio() {
        let page = page("", &example()).expect("an empty page");
        assert!(
            page.contains("| characters & lines | **20.0** | 400 | 40.0 | mawk 40.0 | 0.50 |\n"),
            "{page}"
        );
        assert!(page.contains("best of 5 rounds; rhawk <1.0> & more; gawk"), "{page}");
    }

    #[test]
    fn a_run_on_less_data_says_so() {
        let of = |results: Results| page("", &results).expect("an empty page");
        assert!(!of(example()).contains("scale"));
        assert!(of(Results { scale: 0.1, ..example() }).contains("data at scale 0.1; "));
    }

    #[test]
    fn a_wrong_answer_is_called_so() {
        let mut results = example();
        results.rows[0].entries[2].status = Status::Wrong;
        assert!(page("", &results).expect("an empty page").contains("| wrong answer |"));
    }

    #[test]
    fn only_what_stands_between_the_marks_changes() {
        let old = format!("before\n{HEADLINE_MARK}old\n{END_MARK}\nafter\n");
        let new = page(&old, &example()).expect("it has the marks");
        assert!(
            new.starts_with(&format!("before\n{HEADLINE_MARK}| CPU ms"))
                && new.ends_with(&format!("{END_MARK}\nafter\n"))
        );
        assert!(!new.contains("old"));
        assert_eq!(page(&new, &example()), Ok(new.clone()));
        assert!(page("no marks\n", &example()).is_err());
    }

    #[test]
    fn a_page_may_have_all_rows() {
        let mut results = example();
        results.rows[0].name = "no headline".into();
        results.rows[0].about = "a | b".into();
        assert!(!page("", &results).expect("an empty page").contains("a \\| b"));
        let all = page(&format!("{ALL_MARK}{END_MARK}\n"), &results).expect("it has the marks");
        assert!(all.contains("| a \\| b | **20.0** |"), "{all}");
    }

    #[test]
    fn the_pages_show_the_results_that_are_kept() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        let kept = std::fs::read(root.join("bench/results/latest.json")).expect("the results");
        let results: Results = serde_json::from_slice(&kept).expect("what bench --json wrote");
        for name in ["README.md", "docs/benchmarks.md"] {
            let text = std::fs::read_to_string(root.join(name)).expect(name);
            let expected = page(&text, &results).expect("the marks");
            assert_eq!(
                text, expected,
                "bench --from bench/results/latest.json --markdown {name} brings it up to date"
            );
        }
    }
}
