//! What `cargo mutants` lists.

use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;
use std::process::Command;

#[derive(Clone, Debug)]
pub struct Mutant {
    /// File, change, function, and a number among equal ones: stable when lines move.
    pub key: String,
    pub name: String,
    pub file: String,
    pub span: Range<usize>,
    pub replacement: String,
    pub genre: String,
}

pub type Sources = BTreeMap<String, String>;

pub fn list(tree: &Path, crates: &[String]) -> Result<(Vec<Mutant>, Sources), String> {
    let mut command = Command::new("cargo");
    command.current_dir(tree).args(["mutants", "--list", "--json"]);
    for name in crates {
        command.args(["-p", &format!("riverhawk-{name}")]);
    }
    let output = command.output().map_err(|error| format!("cargo: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "cargo mutants, which `cargo install cargo-mutants --locked` installs, failed:\n{said}"
        ));
    }
    let listed: Value =
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    let mut sources = Sources::new();
    let mut alike = HashMap::new();
    let mut mutants = Vec::new();
    for entry in listed.as_array().into_iter().flatten() {
        let text = |field: &str| entry[field].as_str().unwrap_or_default().to_owned();
        let file = text("file");
        if !sources.contains_key(&file) {
            let source = std::fs::read_to_string(tree.join(&file))
                .map_err(|error| format!("{file}: {error}"))?;
            sources.insert(file.clone(), source);
        }
        let at = |end: &str| offset(&sources[&file], &entry["span"][end]);
        let name = text("name");
        // `file:line:column: what`
        let what = name.splitn(4, ':').last().unwrap_or_default();
        let key = format!("{file}:{what}");
        let count = alike.entry(key.clone()).or_insert(0);
        *count += 1;
        let (key, name) = if *count > 1 {
            (format!("{key} #{count}"), format!("{name} #{count}"))
        } else {
            (key, name)
        };
        let span = at("start")..at("end");
        mutants.push(Mutant {
            key,
            name,
            file,
            span,
            replacement: text("replacement"),
            genre: text("genre"),
        });
    }
    Ok((mutants, sources))
}

/// The byte at a line and a column in characters, both from 1.
fn offset(source: &str, place: &Value) -> usize {
    let number = |field: &str| place[field].as_u64().unwrap_or(1) as usize - 1;
    let line_at: usize = source.split_inclusive('\n').take(number("line")).map(str::len).sum();
    source[line_at..]
        .char_indices()
        .nth(number("column"))
        .map_or(source.len(), |(at, _)| line_at + at)
}
