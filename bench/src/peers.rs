//! Peers: awks, other languages and tools, which are installed, and their versions.

use crate::rows::{Row, Unit};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Only awks set the bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Measured.
    Rhawk,
    /// Another awk, which runs the row's awk program.
    Awk,
    /// A language, with programs of its own.
    Language,
    /// A tool, with options for a row.
    Tool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Locale {
    Utf8,
    C,
}

/// In which rows a peer's result is relevant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runs {
    Always,
    InCharacters,
    InBytes,
    /// If the input or the program is not ASCII.
    WhenWide,
}

#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub name: &'static str,
    binary: &'static str,
    kind: Kind,
    /// Arguments before all others.
    first: &'static [&'static str],
    locale: Locale,
    runs: Runs,
    version: &'static [&'static str],
}

const fn known(
    name: &'static str,
    binary: &'static str,
    kind: Kind,
    version: &'static [&'static str],
) -> Known {
    Known { name, binary, kind, first: &[], locale: Locale::Utf8, runs: Runs::Always, version }
}

/// In the report's order.
pub const KNOWN: &[Known] = &[
    Known { runs: Runs::InCharacters, ..known("rhawk", "rhawk", Kind::Rhawk, &["--version"]) },
    Known {
        runs: Runs::InBytes,
        first: &["-b"],
        ..known("rhawk-b", "rhawk", Kind::Rhawk, &["--version"])
    },
    Known { runs: Runs::InCharacters, ..known("gawk", "gawk", Kind::Awk, &["--version"]) },
    Known { locale: Locale::C, ..known("gawk-c", "gawk", Kind::Awk, &["--version"]) },
    known("mawk", "mawk", Kind::Awk, &["-W", "version"]),
    known("original-awk", "original-awk", Kind::Awk, &["--version"]),
    Known { first: &["awk"], ..known("busybox", "busybox", Kind::Awk, &[]) },
    known("goawk", "goawk", Kind::Awk, &["--version"]),
    Known {
        first: &["-c"],
        runs: Runs::WhenWide,
        ..known("goawk-c", "goawk", Kind::Awk, &["--version"])
    },
    Known { first: &["-B", "cranelift"], ..known("frawk", "frawk", Kind::Awk, &["--version"]) },
    known("perl", "perl", Kind::Language, &["-e", "print \"perl $^V\""]),
    known("python3", "python3", Kind::Language, &["--version"]),
    known("ruby", "ruby", Kind::Language, &["--version"]),
    known("luajit", "luajit", Kind::Language, &["-v"]),
    known("raku", "raku", Kind::Language, &["-e", "print \"raku \" ~ $*RAKU.compiler.version"]),
    known("jq", "jq", Kind::Tool, &["--version"]),
    known("jaq", "jaq", Kind::Tool, &["--version"]),
    known("mlr", "mlr", Kind::Tool, &["--version"]),
    known("wc", "wc", Kind::Tool, &["--version"]),
    known("rg", "rg", Kind::Tool, &["--version"]),
    known("grep", "grep", Kind::Tool, &["--version"]),
    known("sed", "sed", Kind::Tool, &["--version"]),
    known("cut", "cut", Kind::Tool, &["--version"]),
    known("cat", "cat", Kind::Tool, &["--version"]),
    known("tac", "tac", Kind::Tool, &["--version"]),
    known("tail", "tail", Kind::Tool, &["--version"]),
];

impl Known {
    /// rhawk in one of its modes, or another awk.
    pub fn is_awk(&self) -> bool {
        matches!(self.kind, Kind::Rhawk | Kind::Awk)
    }

    pub fn runs_in(&self, row: &Row) -> bool {
        let by_mode = match self.runs {
            Runs::Always => true,
            Runs::InCharacters => row.unit == Unit::Characters,
            Runs::InBytes => row.unit == Unit::Bytes,
            Runs::WhenWide => row.unit == Unit::Characters && is_wide(row),
        };
        let has_case = row.cases.iter().any(|case| case.peer == self.name);
        by_mode && (has_case || self.is_awk() && (!row.by_case || self.kind == Kind::Rhawk))
    }
}

/// Not only ASCII, so that characters and bytes differ.
fn is_wide(row: &Row) -> bool {
    row.inputs.contains(&crate::data::MIXED) || !row.awk.is_ascii()
}

#[derive(Clone, Debug)]
pub struct Peer {
    pub known: &'static Known,
    pub path: PathBuf,
    /// The first line of its version output.
    pub version: String,
    locale: String,
}

impl Peer {
    pub fn kind(&self) -> Kind {
        self.known.kind
    }

    pub fn first(&self) -> &'static [&'static str] {
        self.known.first
    }

    pub fn locale(&self) -> &str {
        &self.locale
    }
}

/// Installed peers of those in `wanted` (all if empty). `rhawk` is the binary to measure.
pub fn find(wanted: &[String], rhawk: Option<&Path>) -> Vec<Peer> {
    let utf8 = utf8_locale();
    let mut found = Vec::new();
    for known in KNOWN {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == known.name) {
            continue;
        }
        let path = match known.kind {
            Kind::Rhawk => rhawk.map(Path::to_path_buf),
            _ => in_path(known.binary),
        };
        let Some(path) = path.map(|path| behind_shim(known, path)) else { continue };
        let version = first_line(&path, known.version).unwrap_or_else(|| "version unknown".into());
        let locale = if known.locale == Locale::C { "C".into() } else { utf8.clone() };
        found.push(Peer { known, path, version, locale });
    }
    found
}

pub fn in_path(binary: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(binary))
        .find(|candidate| candidate.is_file())
}

/// Version managers put a script in PATH that starts the interpreter, which costs 30 ms and more.
fn behind_shim(known: &Known, path: PathBuf) -> PathBuf {
    let question: &[&str] = match known.name {
        "python3" => &["-c", "import sys; print(sys.executable)"],
        "ruby" => &["-e", "puts RbConfig.ruby"],
        _ => return path,
    };
    first_line(&path, question).map(PathBuf::from).filter(|real| real.is_file()).unwrap_or(path)
}

/// An available UTF-8 locale, preferably en_US.
fn utf8_locale() -> String {
    let installed =
        Command::new("locale").arg("-a").output().map(|out| out.stdout).unwrap_or_default();
    let installed = String::from_utf8_lossy(&installed);
    let english = installed.lines().any(|name| matches!(name, "en_US.utf8" | "en_US.UTF-8"));
    if english { "en_US.UTF-8".into() } else { "C.UTF-8".into() }
}

/// The first line printed, on stdout or else on stderr.
fn first_line(path: &Path, args: &[&str]) -> Option<String> {
    let output = Command::new(path).args(args).stdin(Stdio::null()).output().ok()?;
    let said = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    let said = String::from_utf8_lossy(&said);
    said.lines().next().map(|line| line.trim().to_string()).filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows;

    fn names_in(row: &str) -> Vec<&'static str> {
        let rows = rows::all();
        let row = rows.iter().find(|candidate| candidate.name == row).expect("a row of this name");
        KNOWN.iter().filter(|known| known.runs_in(row)).map(|known| known.name).collect()
    }

    #[test]
    fn byte_rows_run_rhawk_and_gawk_in_bytes_only() {
        let names = names_in("length-bytes");
        assert!(names.contains(&"rhawk-b") && names.contains(&"gawk-c"));
        assert!(!names.contains(&"rhawk") && !names.contains(&"gawk"));
    }

    #[test]
    fn the_character_mode_of_goawk_runs_where_it_differs() {
        assert!(names_in("length-mixed").contains(&"goawk-c"));
        assert!(!names_in("length").contains(&"goawk-c"));
    }

    #[test]
    fn a_peer_that_was_not_asked_for_is_not_looked_for() {
        let found = find(&["cat".into()], None);
        assert!(found.iter().all(|peer| peer.known.name == "cat"));
    }

    #[test]
    fn without_a_binary_rhawk_is_absent() {
        assert!(find(&["rhawk".into(), "rhawk-b".into()], None).is_empty());
    }
}
