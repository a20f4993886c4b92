//! The headline rows as a Markdown table between two marks in a page: the README's numbers are
//! generated from a run's JSON.

use crate::report::milliseconds;
use crate::results::{Entry, Results, RowResult, Status};
use crate::rows::HEADLINES;
use std::fmt::Write;

/// Common awks, with a column of their own.
const COLUMNS: &[&str] = &["gawk", "mawk"];

/// The beginning and end of the table.
const MARKS: (&str, &str) =
    ("<!-- table of headline rows: bench --markdown -->\n", "<!-- end of table -->");

/// Inserts the table of `results` between the marks of `page`, or makes a page from an empty one.
///
/// # Errors
/// A page with text, but without marks.
pub fn page(page: &str, results: &Results) -> Result<String, String> {
    let (begin, end) = MARKS;
    let table = table(results);
    if page.is_empty() {
        return Ok(format!("{begin}{table}{end}\n"));
    }
    let parts =
        page.split_once(begin).and_then(|(before, rest)| Some((before, rest.split_once(end)?.1)));
    let (before, after) =
        parts.ok_or_else(|| format!("no marks for the table: {}...{end}", begin.trim_end()))?;
    Ok(format!("{before}{begin}{table}{end}{after}"))
}

fn table(results: &Results) -> String {
    let mut out =
        format!("| CPU ms | rhawk | {} | fastest other awk | ratio |\n", COLUMNS.join(" | "));
    let _ = writeln!(out, "|---|{}", "---:|".repeat(COLUMNS.len() + 3));
    for name in HEADLINES {
        if let Some(row) = results.rows.iter().find(|row| row.name == *name) {
            line(results, row, &mut out);
        }
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
    let _ = write!(out, "| {} | **{}**", row.about, rhawk.map_or("-".into(), cell));
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
        assert!(!table(&example()).contains("scale"));
        assert!(table(&Results { scale: 0.1, ..example() }).contains("data at scale 0.1; "));
    }

    #[test]
    fn a_wrong_answer_is_called_so() {
        let mut results = example();
        results.rows[0].entries[2].status = Status::Wrong;
        assert!(table(&results).contains("| wrong answer |"));
    }

    #[test]
    fn only_what_stands_between_the_marks_changes() {
        let (begin, end) = MARKS;
        let old = format!("before\n{begin}old\n{end}\nafter\n");
        let new = page(&old, &example()).expect("it has the marks");
        assert!(
            new.starts_with(&format!("before\n{begin}| CPU ms"))
                && new.ends_with(&format!("{end}\nafter\n"))
        );
        assert!(!new.contains("old"));
        assert_eq!(page(&new, &example()), Ok(new.clone()));
        assert!(page("no marks\n", &example()).is_err());
    }

    #[test]
    fn the_readme_shows_the_results_that_are_kept() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        let readme = std::fs::read_to_string(root.join("README.md")).expect("the README");
        let Ok(kept) = std::fs::read(root.join("bench/results/latest.json")) else {
            assert!(
                readme.contains(MARKS.0) && readme.contains(MARKS.1),
                "the place for the table"
            );
            return;
        };
        let results: Results = serde_json::from_slice(&kept).expect("what bench --json wrote");
        let expected = page(&readme, &results).expect("the marks");
        assert_eq!(
            readme, expected,
            "bench --from bench/results/latest.json --markdown README.md brings it up to date"
        );
    }
}
