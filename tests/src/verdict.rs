//! Whether a run gave what its row expects, and the difference.

use crate::escape::escaped;
use crate::row::Row;
use crate::run::Outcome;
use std::fmt::Write;

const MAX_LINES: usize = 14;

pub fn complaint(row: &Row, outcome: &Outcome) -> Option<String> {
    let mut out = String::new();
    if outcome.timed_out {
        out.push_str("  still running at the time limit\n");
    }
    let Some(expected) = &row.expected else {
        return Some("  no expectation is recorded\n".to_owned());
    };
    if expected.stdout != outcome.produced.stdout {
        difference(&mut out, "stdout", &expected.stdout, &outcome.produced.stdout);
    }
    if expected.status != outcome.produced.status {
        let _ = writeln!(
            out,
            "  status: expected {}, got {}",
            expected.status, outcome.produced.status
        );
    }
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    let lower = stderr.to_lowercase();
    let missing: Vec<_> = row.stderr.iter().filter(|word| !says(&lower, word)).collect();
    if !missing.is_empty() {
        let _ = writeln!(out, "  stderr lacks {missing:?}: {}", first_lines(&stderr));
    } else if row.stderr.is_empty() && !stderr.is_empty() {
        let _ = writeln!(out, "  stderr should be empty: {}", first_lines(&stderr));
    }
    // Its messages usually explain the difference.
    if !out.is_empty() && !out.contains("stderr") && !stderr.is_empty() {
        let _ = writeln!(out, "  stderr: {}", first_lines(&stderr));
    }
    for ((name, expected), found) in row.creates.iter().zip(&outcome.created) {
        match (expected, found) {
            (Some(e), Some(f)) if e == f => {}
            (_, None) => drop(writeln!(out, "  file {name}: not there")),
            (e, Some(f)) => {
                difference(&mut out, &format!("file {name}"), e.as_deref().unwrap_or(b""), f)
            }
        }
    }
    (!out.is_empty()).then_some(out)
}

/// Whether standard error (in lower case) satisfies one word of the row.
fn says(lower: &str, word: &str) -> bool {
    match word {
        "*" => true,
        "?" => !lower.is_empty(),
        word => lower.contains(&word.to_lowercase()),
    }
}

fn first_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().take(3).collect();
    escaped(lines.join(" / ").as_bytes())
}

fn difference(out: &mut String, what: &str, expected: &[u8], got: &[u8]) {
    let lines = |bytes: &[u8]| -> Vec<String> {
        bytes.split_inclusive(|&b| b == b'\n').map(escaped).collect()
    };
    let (expected, got) = (lines(expected), lines(got));
    let same = expected.iter().zip(&got).take_while(|(e, g)| e == g).count();
    let _ = writeln!(out, "  {what}, from line {}:", same + 1);
    for (sign, lines) in [('-', &expected), ('+', &got)] {
        for line in lines.iter().skip(same).take(MAX_LINES / 2) {
            let cut: String = line.chars().take(300).collect();
            let _ = writeln!(out, "    {sign} {cut}");
        }
        let more = lines.len().saturating_sub(same + MAX_LINES / 2);
        if more > 0 {
            let _ = writeln!(out, "    {sign} ... {more} more lines");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Result as Produced;

    fn row(stderr: &[&str]) -> Row {
        Row {
            expected: Some(Produced { stdout: b"a\nb\n".to_vec(), status: 0 }),
            stderr: stderr.iter().map(|s| s.to_string()).collect(),
            ..Row::default()
        }
    }

    fn outcome(stdout: &[u8], stderr: &[u8]) -> Outcome {
        let produced = Produced { stdout: stdout.to_vec(), status: 0 };
        Outcome { produced, stderr: stderr.to_vec(), ..Outcome::default() }
    }

    #[test]
    fn the_same_output_and_a_silent_stderr_pass() {
        assert_eq!(complaint(&row(&[]), &outcome(b"a\nb\n", b"")), None);
        assert!(complaint(&row(&[]), &outcome(b"a\nb\n", b"warning")).is_some());
    }

    #[test]
    fn words_of_stderr_are_found_in_any_case() {
        let run = outcome(b"a\nb\n", b"Error: Division by Zero");
        assert_eq!(complaint(&row(&["division by zero", "?", "*"]), &run), None);
        assert!(complaint(&row(&["no such"]), &run).is_some());
        assert!(complaint(&row(&["?"]), &outcome(b"a\nb\n", b"")).is_some());
    }

    #[test]
    fn a_missing_final_newline_shows() {
        let text = complaint(&row(&[]), &outcome(b"a\nb", b"")).unwrap();
        assert!(
            text.contains("from line 2") && text.contains("- b\\n") && text.contains("+ b\n"),
            "{text}"
        );
    }

    #[test]
    fn a_row_without_expectation_cannot_pass() {
        assert!(complaint(&Row::default(), &outcome(b"", b"")).is_some());
    }
}
