//! Writes a corpus file in canonical form, rows on one line where they fit.

use crate::escape::{escaped, escaped_line, quoted};
use crate::row::{Item, Result as Expected, Row};
use std::fmt::Write;

const WIDTH: usize = 220;

pub fn render(items: &[Item]) -> String {
    let mut out = String::new();
    for (i, item) in items.iter().enumerate() {
        match item {
            Item::Text(text) => {
                out.push_str(text);
                out.push('\n');
            }
            Item::Row(row) => {
                let line = if row.long { None } else { one_line(row) };
                match line {
                    Some(line) => out.push_str(&(line + "\n")),
                    None => {
                        // Empty lines surround a long row.
                        if !out.is_empty()
                            && !out.ends_with("\n\n")
                            && !ends_in_comment(&items[..i])
                        {
                            out.push('\n');
                        }
                        out.push_str(&with_keys(row));
                        if !matches!(items.get(i + 1), Some(Item::Text(t)) if t.trim().is_empty()) {
                            out.push('\n');
                        }
                    }
                }
            }
        }
    }
    while out.ends_with("\n\n") {
        out.pop();
    }
    out
}

fn ends_in_comment(items: &[Item]) -> bool {
    matches!(items.last(), Some(Item::Text(text)) if text.starts_with('#'))
}

/// None if the row does not fit on a line or needs keys.
fn one_line(row: &Row) -> Option<String> {
    let program = std::str::from_utf8(row.program.as_deref()?).ok()?;
    let plain = row.files.is_empty()
        && row.creates.is_empty()
        && row.env.is_empty()
        && row.locale.is_none()
        && row.configs.is_empty()
        && row.because.is_none()
        && !row.args.contains("]:")
        && !program.contains(['\n', '\r']);
    if !plain {
        return None;
    }
    let mut out = row.name.clone();
    if !row.args.is_empty() {
        let _ = write!(out, " [{}]", row.args);
    }
    let _ = write!(out, ": {program}");
    let mut section = |mark: &str, text: String| {
        out.push_str(mark);
        if !text.is_empty() {
            out.push(' ');
            out.push_str(&text);
        }
    };
    if let Some(input) = &row.input {
        section(" <<<", escaped(input));
    }
    if let Some(expected) = &row.expected {
        section(" >>>", escaped(&expected.stdout));
    }
    let status = row.expected.as_ref().map_or(0, |e| e.status);
    if status != 0 || !row.stderr.is_empty() {
        section(" !!!", status.to_string() + &joined(&row.stderr, " "));
    }
    if !row.differs.is_empty() {
        section(" ~~~", row.differs.join(" "));
    }
    (out.chars().count() <= WIDTH).then_some(out)
}

fn with_keys(row: &Row) -> String {
    let mut out = format!("== {}\n", row.name);
    let mut key = |name: &str, value: &str| {
        if !value.is_empty() {
            let _ = writeln!(out, "{name} {value}");
        }
    };
    key("args", &row.args);
    key("locale", row.locale.as_deref().unwrap_or(""));
    key("env", &row.env);
    key("configs", &row.configs.join(" "));
    for (name, content) in &row.files {
        block(&mut out, &format!("file {name}"), content);
    }
    match row.program.as_deref().map(std::str::from_utf8) {
        None => {}
        Some(Ok(text)) if text.contains('\n') && !text.contains('\r') && !ends_in_space(text) => {
            out.push_str("prog\n");
            for line in text.split('\n') {
                out.push_str(if line.is_empty() { "|" } else { "| " });
                out.push_str(line);
                out.push('\n');
            }
        }
        Some(Ok(text)) if !text.contains(['\n', '\r']) && !ends_in_space(text) => {
            let _ = writeln!(out, "prog {text}");
        }
        Some(_) => {
            let _ =
                writeln!(out, "prog-escaped {}", escaped(row.program.as_deref().unwrap_or(b"")));
        }
    }
    if let Some(input) = &row.input {
        block(&mut out, "input", input);
    }
    if let Some(expected) = &row.expected {
        outcome(&mut out, "output", "status", expected);
    }
    for (name, content) in &row.creates {
        block(&mut out, &format!("creates {name}"), content.as_deref().unwrap_or(b""));
    }
    if !row.stderr.is_empty() {
        let _ = writeln!(out, "stderr{}", joined(&row.stderr, " "));
    }
    if !row.differs.is_empty() {
        let _ = writeln!(out, "differs {}", row.differs.join(" "));
    }
    if let Some(because) = &row.because {
        let _ = writeln!(out, "because {because}");
    }
    if let Some(gawk) = &row.gawk {
        outcome(&mut out, "gawk-says", "gawk-status", gawk);
    }
    out
}

/// Editors strip such spaces, and a backslash before one is not a continuation.
fn ends_in_space(program: &str) -> bool {
    program.split('\n').any(|line| line.ends_with([' ', '\t']))
}

fn outcome(out: &mut String, output: &str, status: &str, expected: &Expected) {
    block(out, output, &expected.stdout);
    if expected.status != 0 {
        let _ = writeln!(out, "{status} {}", expected.status);
    }
}

/// The key alone, then a line for each line of the value.
fn block(out: &mut String, key: &str, content: &[u8]) {
    out.push_str(key);
    out.push('\n');
    for line in content.split_inclusive(|&b| b == b'\n') {
        let (text, end) = match line.strip_suffix(b"\n") {
            Some(text) => (text, ""),
            None => (line, "\\"),
        };
        out.push_str(format!("| {}{end}", escaped_line(text)).trim_end());
        out.push('\n');
    }
}

fn joined(words: &[String], before: &str) -> String {
    words.iter().map(|w| format!("{before}{}", quoted(w))).collect()
}
