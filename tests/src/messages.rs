//! The messages in the source: string literals with a blank in them. Literals that are not messages
//! are excluded by file.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

const CRATES: [&str; 14] = [
    "syntax", "compile", "awkio", "record", "parallel", "builtins", "vm", "engine", "cli", "regex",
    "text", "value", "precise", "compress",
];

/// Files and folders whose texts are not messages about a program.
const OTHER_TEXTS: &[(&str, &str)] = &[
    ("awkio/src/in_place/difference.rs", "parts of a diff"),
    ("_tests.rs", "tests"),
    ("/tests", "tests"),
    ("syntax/src/code.rs", "the codes of messages"),
    ("/lint/", "docs/lint.md has them, and tests/lint.rs"),
    ("syntax/src/format/", "the formatted program"),
    ("dump.rs", "--dump"),
    ("syntax/src/translatable.rs", "--gen-pot"),
    ("vm/src/native/", "names in the listing of machine code"),
    ("vm/src/profile/", "--profile"),
    ("vm/src/variables.rs", "--dump-variables"),
    ("vm/src/visits.rs", "the debugger"),
    ("engine/src/parallel/", "--explain"),
    ("parallel/src/wire/", "of other machines' bytes: docs/cluster.md"),
    ("parallel/src/distant.rs", "of pieces on other machines: docs/cluster.md"),
    ("engine/src/progress.rs", "--progress"),
    ("engine/src/outcome.rs", "--stats"),
    ("engine/src/run.rs", "--stats"),
    ("engine/src/tier/", "--spesh-log and --inline-log"),
    ("cli/src/options.rs", "--help"),
    ("cli/src/help.rs", "--help"),
    ("cli/src/man_page.rs", "the manual page"),
    ("cli/src/manual/", "--help"),
    ("cli/src/environment.rs", "--help"),
    ("cli/src/completions.rs", "completions"),
    ("cli/src/testing/", "of tests: docs/testing.md"),
    ("/elsewhere.rs", "of systems that are no UNIX: docs/platforms.md"),
    ("/none.rs", "of systems that are no UNIX: docs/platforms.md"),
    ("/no_", "of systems that are no UNIX: docs/platforms.md"),
    ("cli/src/panics.rs", "a fault of rhawk"),
    ("value/src/heap.rs", "a fault of rhawk"),
    ("value/src/array/", "a fault of rhawk"),
    ("syntax/src/parser/host.rs", "for those who embed the library"),
    ("awkio/src/filesystem/", "for those who embed the library"),
    ("awkio/src/relay.rs", "for those who embed the library"),
    ("compress/src/no_codecs.rs", "a build without the feature"),
    ("vm/src/data.rs", "for those who embed the library"),
    ("vm/src/host.rs", "for those who embed the library"),
    ("vm/src/library/embedded.rs", "for those who embed the library"),
];

#[derive(Debug)]
pub struct Template {
    pub text: String,
    place: String,
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.text)
    }
}

impl Template {
    pub fn is_in(&self, lines: &[String]) -> bool {
        let parts = fixed_parts(&self.text);
        lines.iter().any(|line| {
            let mut rest = line.as_str();
            parts.iter().all(|part| match rest.find(part.as_str()) {
                Some(at) => {
                    rest = &rest[at + part.len()..];
                    true
                }
                None => false,
            })
        })
    }
}

fn fixed_parts(template: &str) -> Vec<String> {
    let marked = template.trim().replace("{{", "\u{1}").replace("}}", "\u{2}");
    let mut parts = vec![String::new()];
    let mut is_inside = false;
    for char in marked.chars() {
        match char {
            '{' if !is_inside => {
                is_inside = true;
                parts.push(String::new());
            }
            '}' if is_inside => is_inside = false,
            _ if is_inside => {}
            char => parts.last_mut().expect("there is one").push(match char {
                '\u{1}' => '{',
                '\u{2}' => '}',
                char => char,
            }),
        }
    }
    parts
}

pub fn templates() -> Vec<Template> {
    let crates = repository().join("crates");
    let mut found = Vec::new();
    for name in CRATES {
        let mut files = Vec::new();
        collect(&crates.join(name).join("src"), &mut files);
        files.sort();
        for file in files {
            let place = file.strip_prefix(&crates).expect("a file there").display().to_string();
            if OTHER_TEXTS.iter().any(|(part, _)| place.contains(part)) {
                continue;
            }
            let source = fs::read_to_string(&file).expect("source text");
            let code = source.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
            let messages = literals(code).into_iter().filter(|text| is_message(text));
            found.extend(messages.map(|text| Template { text, place: place.clone() }));
        }
    }
    found
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of source text") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn is_message(literal: &str) -> bool {
    let letters = literal.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_lowercase));
    letters && literal.trim().contains(' ')
}

fn literals(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else if let Some(after) = behind_character(rest) {
            rest = after;
        } else if let Some((text, after)) = raw(rest) {
            found.push(text);
            rest = after;
        } else if first == '"' {
            let (text, after) = quoted(&rest[1..]);
            found.push(text);
            rest = after;
        } else if first.is_ascii_alphanumeric() || first == '_' {
            // Whole words only: the end of a name is not the `r` of a raw string; a `b` may precede
            // it.
            let end = rest
                .find(|char: char| !(char.is_ascii_alphanumeric() || char == '_'))
                .unwrap_or(rest.len());
            rest = &rest[end..];
        } else {
            rest = &rest[first.len_utf8()..];
        }
    }
    found
}

/// The text after a character in quotes; a lifetime has no second quote.
fn behind_character(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('\'')?;
    match inside.strip_prefix('\\') {
        Some(escaped) => {
            let end = escaped.char_indices().skip(1).find(|&(_, char)| char == '\'')?.0;
            Some(&escaped[end + 1..])
        }
        None => inside[inside.chars().next()?.len_utf8()..].strip_prefix('\''),
    }
}

fn raw(text: &str) -> Option<(String, &str)> {
    let text = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let hashes = text.bytes().take_while(|&byte| byte == b'#').count();
    let inside = text[hashes..].strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(hashes));
    let (literal, after) = inside.split_once(&end)?;
    Some((literal.to_owned(), after))
}

fn quoted(text: &str) -> (String, &str) {
    let mut literal = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return (literal, &text[at + 1..]),
            '\\' => match chars.next() {
                Some((_, 'n')) => literal.push('\n'),
                Some((_, 't')) => literal.push('\t'),
                Some((at, '\n')) => {
                    // A literal that continues in the next line.
                    let blanks = text[at..].len() - text[at..].trim_start().len();
                    chars = text[at + blanks..].char_indices();
                    let (rest, after) = quoted(chars.as_str());
                    return (literal + &rest, after);
                }
                Some((_, escaped)) => literal.push(escaped),
                None => break,
            },
            char => literal.push(char),
        }
    }
    (literal, "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_read_as_the_compiler_reads_them() {
        let source = r###"fn f<'a>(x: &'a str) { g('"', '\'', "a b\n", r#"c "d"#, "e \
            f"); } // "no"
            let b = b"\"x";"###;
        assert_eq!(literals(source), ["a b\n", "c \"d", "e f", "\"x"]);
    }

    #[test]
    fn a_template_is_found_whatever_fills_it() {
        let template =
            Template { text: "expected {expected}, `{{` of {}".to_owned(), place: String::new() };
        assert!(template.is_in(&["1: expected a name, `{` of f here".to_owned()]));
        assert!(!template.is_in(&["expected a name, `}` of f".to_owned()]));
    }
}
