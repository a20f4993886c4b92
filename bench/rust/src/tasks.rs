//! What is measured: each task as an awk program and in Rust, twice.

use crate::{plain, tuned};
use std::io;
use std::path::PathBuf;

/// Writes a task's answer to standard output.
pub type Solution = fn(&[PathBuf]) -> io::Result<()>;

pub struct Task {
    pub name: &'static str,
    pub about: &'static str,
    /// Before the program.
    pub flags: &'static [&'static str],
    pub awk: &'static str,
    /// Files of the benchmark's data folder.
    pub files: &'static [&'static str],
    pub plain: Solution,
    pub tuned: Solution,
}

const COUNTS: &str = " END { for (k in n) print k, n[k] }";

pub const ALL: &[Task] = &[
    Task {
        name: "words",
        about: "word frequencies by blanks",
        flags: &[],
        awk: "{ for (i = 1; i <= NF; i++) n[$i]++ }",
        files: &["words"],
        plain: plain::words,
        tuned: tuned::words,
    },
    Task {
        name: "folded",
        about: "case-folded words by `split(tolower($0), w, /[^a-z]+/)`",
        flags: &[],
        awk: "{ m = split(tolower($0), w, /[^a-z]+/); for (i = 1; i <= m; i++) if (w[i] != \"\") n[w[i]]++ }",
        files: &["words"],
        plain: plain::folded,
        tuned: tuned::folded,
    },
    Task {
        name: "count",
        about: "count by `$1`, access log",
        flags: &[],
        awk: "{ n[$1]++ }",
        files: &["log"],
        plain: plain::count,
        tuned: tuned::count,
    },
    Task {
        name: "sums",
        about: "sum by key",
        flags: &[],
        awk: "{ n[$1] += $2 }",
        files: &["keys1k"],
        plain: plain::sums,
        tuned: tuned::sums,
    },
    Task {
        name: "column",
        about: "sum of a column",
        flags: &[],
        awk: "{ s += $4 } END { printf \"%.2f\\n\", s }",
        files: &["table"],
        plain: plain::column,
        tuned: tuned::column,
    },
    Task {
        name: "gsub",
        about: "gsub of a class, every line",
        flags: &[],
        awk: "{ gsub(/[aeiou]+/, \"<&>\"); print }",
        files: &["words"],
        plain: plain::gsub,
        tuned: tuned::gsub,
    },
    Task {
        name: "join",
        about: "hash join, 1M with 100k",
        flags: &[],
        awk: "NR == FNR { city[$1] = $3; next } $1 in city { print $1, city[$1], $2 }",
        files: &["users", "events"],
        plain: plain::join,
        tuned: tuned::join,
    },
    Task {
        name: "csv",
        about: "CSV select",
        flags: &["--csv"],
        awk: "$3 ~ /a/ { print $2, $5 }",
        files: &["quoted"],
        plain: plain::csv,
        tuned: tuned::csv,
    },
    Task {
        name: "heads",
        about: "HTTP heads: `sub`, `index`, `substr`, `sub`, two arrays",
        flags: &[],
        awk: "{ sub(/\\r$/, \"\") } (i = index($0, \":\")) { name = substr($0, 1, i - 1); value = substr($0, i + 1); sub(/^[ \\t]+/, \"\", value); n[name]++; size[name] += length(value) } END { for (k in n) print k, n[k], size[k] }",
        files: &["headers"],
        plain: plain::heads,
        tuned: tuned::heads,
    },
];

impl Task {
    /// With what prints the counts, where it does not print itself.
    pub fn program(&self) -> String {
        let prints = self.awk.contains("print");
        format!("{}{}", self.awk, if prints { "" } else { COUNTS })
    }
}
