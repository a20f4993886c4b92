//! The names of columns, from the header of a sample file.
//!
//! The sample is named in the settings, or in a comment of the program: `# rhawk: sample data.csv`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::occurrences::Symbol;
use crate::program::Program;
use crate::server::Server;

/// A header is shorter.
const MAX_BYTES: u64 = 64 << 10;

/// The columns that a program may name at an offset.
pub(super) fn names(server: &Server<'_>, program: &Program, offset: u32) -> BTreeSet<String> {
    let used = program.occurrences().iter().filter_map(|found| match &found.symbol {
        // What is being typed is a name, too.
        Symbol::Column(name) if !(found.span.start..=found.span.end).contains(&offset) => {
            Some(name.to_string())
        }
        _ => None,
    });
    let mut names: BTreeSet<String> = used.filter(|name| !name.is_empty()).collect();
    if let Some(line) = sample(server, program).and_then(|path| first_line(&path)) {
        names.extend(header(&line));
    }
    names
}

fn sample(server: &Server<'_>, program: &Program) -> Option<PathBuf> {
    let named = program.tree.comments.iter().find_map(|span| {
        let text = program.text(*span);
        let rest = text.trim_start_matches('#').trim_start().strip_prefix("rhawk:")?;
        Some(PathBuf::from(rest.trim_start().strip_prefix("sample ")?.trim()))
    });
    let named = named.or_else(|| server.settings.sample.clone())?;
    let beside = program.root.path().and_then(Path::parent).map(|folder| folder.join(&named));
    let folders = server.texts.folders.iter().map(|folder| folder.join(&named));
    beside.into_iter().chain(folders).find(|path| path.is_file())
}

fn first_line(path: &Path) -> Option<String> {
    let mut line = Vec::new();
    let file = BufReader::new(File::open(path).ok()?.take(MAX_BYTES));
    let mut file = file;
    file.read_until(b'\n', &mut line).ok()?;
    Some(String::from_utf8_lossy(&line).into_owned())
}

/// The names in a line of CSV, of TSV, or of JSON.
fn header(line: &str) -> Vec<String> {
    let line = line.trim_end_matches(['\r', '\n']).trim_start_matches('\u{feff}');
    if line.starts_with('{') {
        let object: Option<serde_json::Map<String, serde_json::Value>> =
            serde_json::from_str(line).ok();
        return object.into_iter().flatten().map(|(name, _)| name).collect();
    }
    let separator = ['\t', ';', ','].into_iter().find(|&it| line.contains(it)).unwrap_or(',');
    let (mut names, mut name, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if is_quoted && letters.peek() == Some(&'"') => {
                letters.next();
                name.push('"');
            }
            '"' => is_quoted = !is_quoted,
            _ if letter == separator && !is_quoted => names.push(std::mem::take(&mut name)),
            _ => name.push(letter),
        }
    }
    names.push(name);
    names.retain(|name| !name.is_empty());
    names
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn names_are_read_from_each_format() {
        assert_eq!(header("id,\"a \"\"b\"\", c\",d\r\n"), ["id", "a \"b\", c", "d"]);
        assert_eq!(header("id\tfull name\n"), ["id", "full name"]);
        assert_eq!(header("{\"id\": 1, \"x\": {\"y\": 2}}\n"), ["id", "x"]);
    }
}
