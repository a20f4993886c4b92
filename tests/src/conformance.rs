//! The page `docs/conformance.md`: how many rows of each topic each awk answers as gawk does.

use crate::oracle::REFERENCES;
use crate::row::{File, Row};
use std::fmt::Write;

/// Topics of POSIX; the others are gawk's additions.
const POSIX: &[&str] = &[
    "arrays",
    "commandline",
    "compare",
    "errors",
    "fields",
    "functions",
    "getline",
    "grammar",
    "locales",
    "numbers",
    "operators",
    "output",
    "patterns",
    "printf",
    "records",
    "regex",
    "separators",
    "slashes",
    "statements",
    "strings",
    "sub",
    "text",
    "variables",
    "whole-programs",
    "wrong-programs",
];

/// Rows of a topic, and how many each awk answers as gawk does, rhawk first.
struct Score<'a> {
    topic: &'a str,
    rows: usize,
    answered: Vec<usize>,
}

pub fn page(files: &[File]) -> String {
    let scores: Vec<Score<'_>> = files.iter().filter_map(score).collect();
    let (posix, extended): (Vec<_>, Vec<_>) =
        scores.iter().partition(|score| POSIX.contains(&score.topic));
    let mut page = String::from(HEAD);
    let versions: Vec<String> =
        REFERENCES.iter().map(|awk| format!("{} {}", awk.name, awk.version)).collect();
    let _ =
        writeln!(page, "The awks: rhawk {}, {}.", env!("CARGO_PKG_VERSION"), versions.join(", "));
    table(&mut page, "What POSIX defines", &posix);
    table(&mut page, "What gawk adds", &extended);
    page.push_str(FOOT);
    page
}

fn score(file: &File) -> Option<Score<'_>> {
    let rows: Vec<&Row> = file.rows().filter(|row| !row.is_ours_alone()).collect();
    let first = rows.first()?;
    let ours = rows.iter().filter(|row| row.because.is_none()).count();
    let peers = REFERENCES.iter().map(|awk| {
        rows.iter().filter(|row| row.differs.iter().all(|name| name != awk.name)).count()
    });
    Some(Score {
        topic: &first.topic,
        rows: rows.len(),
        answered: std::iter::once(ours).chain(peers).collect(),
    })
}

fn table(page: &mut String, title: &str, scores: &[&Score<'_>]) {
    let names: Vec<&str> =
        std::iter::once("rhawk").chain(REFERENCES.iter().map(|awk| awk.name)).collect();
    let _ = writeln!(page, "\n## {title}\n\n| topic | rows | {} |", names.join(" | "));
    let _ = writeln!(page, "|---|---:|{}", "---:|".repeat(names.len()));
    for score in scores {
        let _ = writeln!(
            page,
            "| {} | {} | {} |",
            score.topic,
            score.rows,
            cells(&score.answered, |n| n.to_string())
        );
    }
    let rows: usize = scores.iter().map(|score| score.rows).sum();
    let sums: Vec<usize> =
        (0..names.len()).map(|at| scores.iter().map(|score| score.answered[at]).sum()).collect();
    let percent = |n: usize| format!("**{:.1} %**", 100.0 * n as f64 / rows.max(1) as f64);
    let _ = writeln!(page, "| **all** | **{rows}** | {} |", cells(&sums, percent));
}

fn cells(numbers: &[usize], write: impl Fn(usize) -> String) -> String {
    numbers.iter().map(|&n| write(n)).collect::<Vec<_>>().join(" | ")
}

const HEAD: &str = "# Conformance

How many programs of the [corpus](https://github.com/riverhawk-lang/riverhawk/tree/main/tests/corpus) each awk answers as gawk does: the
same output, the same exit status and the same files. Where POSIX leaves nothing open, gawk does as POSIX says, but for the cases in
[where awks differ](divergences.md). Each row was given to each awk, in `en_US.UTF-8` unless the row says otherwise, so that awks which
count bytes lose the rows about characters; rows about what only rhawk has are not counted.

The page is made of the corpus by `cargo run -p riverhawk-tests --bin conformance`, and a test fails when it is out of date.

";

const FOOT: &str = "
gawk is the reference, so it cannot miss. Where rhawk does otherwise on purpose, [a row says why](divergences.md). An awk that exits with
another status for a syntax error loses all rows about syntax errors: a number here says how far programs can be carried over, not how good an
awk is.
";
