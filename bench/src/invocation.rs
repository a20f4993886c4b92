//! The command line of one peer for one row, with file names and loop counts filled in.

use crate::data::{ALL, DataFolder};
use crate::peers::{Kind, Peer};
use crate::rows::{Case, Feed, Row};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Invocation {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    pub locale: String,
    pub input: Input,
    /// Needs an output file even when timed: GNU grep stops at the first match for /dev/null.
    pub needs_file: bool,
    /// Another successful status: 1 of grep and rg means that no line matched.
    pub also_good: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Null,
    File(PathBuf),
    /// Through a pipe from `cat`.
    Pipe(PathBuf),
}

/// By the rhawk among the peers; `None` if there is none for the row.
pub fn of_rhawk(row: &Row, peers: &[Peer], data: &DataFolder) -> io::Result<Option<Invocation>> {
    let is_it = |peer: &&Peer| peer.kind() == Kind::Rhawk && peer.known.runs_in(row);
    peers.iter().find(is_it).map_or(Ok(None), |peer| build(row, peer, data))
}

/// `None` if the row has no program for the peer. Lua's program is written into the data folder: it
/// cannot take a program and operands.
pub fn build(row: &Row, peer: &Peer, data: &DataFolder) -> io::Result<Option<Invocation>> {
    let mut args: Vec<OsString> = peer.first().iter().map(OsString::from).collect();
    let mut from_stdin = false;
    let case = row.cases.iter().find(|case| case.peer == peer.known.name);
    if matches!(peer.kind(), Kind::Rhawk | Kind::Awk) {
        let flags = case.map_or(&row.awk_flags, |case| &case.flags);
        args.extend(flags.iter().map(|flag| filled(flag, data).into()));
        let program = filled(case.and_then(|case| case.program).unwrap_or(row.awk), data);
        args.push(if peer.known.name == "frawk" { terminated(&program) } else { program }.into());
    } else {
        let Some(case) = case else { return Ok(None) };
        args.extend(case.flags.iter().map(|flag| filled(flag, data).into()));
        args.extend(program_args(row, case, data)?);
        from_stdin = case.from_stdin;
    }
    let operands = row.inputs.iter().map(|dataset| data.path(dataset));
    let first_input = row.inputs.first().map(|dataset| data.path(dataset));
    let input = match (row.feed, first_input) {
        (Feed::Pipe, Some(path)) => Input::Pipe(path),
        (Feed::Operands, Some(path)) if from_stdin => Input::File(path),
        _ => {
            args.extend(operands.map(OsString::from));
            Input::Null
        }
    };
    Ok(Some(Invocation {
        program: peer.path.clone(),
        args,
        locale: peer.locale().to_string(),
        input,
        needs_file: peer.known.name == "grep",
        also_good: matches!(peer.known.name, "grep" | "rg").then_some(1),
    }))
}

/// A case's program in its interpreter's form.
fn program_args(row: &Row, case: &Case, data: &DataFolder) -> io::Result<Vec<OsString>> {
    let Some(program) = case.program else { return Ok(Vec::new()) };
    let program = filled(program, data);
    Ok(match case.peer {
        "python3" => vec!["-c".into(), program.into()],
        "luajit" => {
            let folder = data.folder().join("programs");
            fs::create_dir_all(&folder)?;
            let path = folder.join(format!("{}.lua", row.name));
            fs::write(&path, program)?;
            vec![path.into()]
        }
        // Perl's and Ruby's own switches may end in e already (`-lane`).
        _ if case.flags.last().is_some_and(|flag| is_switch_with_e(flag)) => vec![program.into()],
        _ => vec!["-e".into(), program.into()],
    })
}

fn is_switch_with_e(flag: &str) -> bool {
    flag.starts_with('-') && flag.ends_with('e')
}

/// Replaces `@lines60@` by the file's path, `@n:1000000@` by the number at this scale.
fn filled(text: &str, data: &DataFolder) -> String {
    let mut out = text.to_string();
    for dataset in ALL {
        let name = format!("@{}@", dataset.name);
        if out.contains(&name) {
            out = out.replace(&name, &data.path(dataset).to_string_lossy());
        }
    }
    while let Some(start_at) = out.find("@n:") {
        let Some(length) = out[start_at + 3..].find('@') else { break };
        let end_at = start_at + 3 + length;
        let Ok(count) = out[start_at + 3..end_at].parse::<u64>() else { break };
        out.replace_range(start_at..=end_at, &data.scaled(count).to_string());
    }
    out
}

/// Adds a semicolon before each brace that ends a line's last statement: frawk requires one if that
/// is the body of a `for` or an `if`.
fn terminated(program: &str) -> String {
    let mut out = String::with_capacity(program.len() + 16);
    let mut pieces = program.split(" }").peekable();
    while let Some(piece) = pieces.next() {
        out.push_str(piece);
        if pieces.peek().is_some() {
            out.push_str(if piece.is_empty() || piece.ends_with(['{', '}', ';', '\n', ' ']) {
                " }"
            } else {
                "; }"
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows;

    fn data(scale: f64) -> DataFolder {
        DataFolder::new(PathBuf::from("/data"), scale)
    }

    #[test]
    fn names_and_counts_are_filled_in_at_the_scale() {
        assert_eq!(
            filled("f = \"@words@\"; n = @n:1000@ + @n:4@", &data(0.1)),
            "f = \"/data/words\"; n = 100 + 1"
        );
    }

    #[test]
    fn no_placeholder_of_any_row_stays_unfilled() {
        for row in rows::all() {
            for text in row.texts() {
                let text = filled(text, &data(1.0));
                assert!(!text.contains("@n:"), "{}: {text}", row.name);
                // An @ in Perl is an array; a lower-case word between two of them would be a
                // misspelled file.
                let pieces: Vec<&str> = text.split('@').collect();
                let inner = pieces.get(1..pieces.len().saturating_sub(1)).unwrap_or_default();
                let misspelled = |piece: &&str| {
                    piece.len() > 2
                        && piece.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
                };
                assert!(!inner.iter().any(misspelled), "{}: {text}", row.name);
            }
        }
    }

    #[test]
    fn statements_before_a_brace_are_terminated_once() {
        assert_eq!(
            terminated("{ if (x) print } END { print n; }"),
            "{ if (x) print; } END { print n; }"
        );
        assert_eq!(terminated("{ while (x) { x-- } }"), "{ while (x) { x--; } }");
        assert_eq!(terminated("BEGIN {}"), "BEGIN {}");
    }

    #[test]
    fn switches_that_end_in_e_take_the_program() {
        assert!(is_switch_with_e("-lane") && is_switch_with_e("-e"));
        assert!(!is_switch_with_e("-Ebinary") && !is_switch_with_e("-CSD"));
    }
}
