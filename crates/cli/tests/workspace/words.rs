//! Names use the glossary's words, and a public type's name is unique.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::sources::{self, root};

/// Names that public types share, across crates or levels, with their meanings.
const SHARED: &[(&str, &str)] = &[
    ("Action", "what a rule does; what a failed operation of a file or a handle was about to do"),
    ("Ascii", "what is known of a text; an encoding"),
    ("ByteSet", "of regular expressions and of streams, which do not know each other"),
    ("Context", "of rounding; of machine code that runs"),
    ("Cut", "where chunks begin; where a stream is cut"),
    ("Ended", "of a child, a stream and a run"),
    ("Error", "the one error of a crate"),
    ("ErrorKind", "goes with `Error`, as in the standard library"),
    ("Frame", "an activation: while it runs, in a snapshot, in a backtrace"),
    ("Handle", "of files; of the pool"),
    ("Kind", "of what a tier is shown; of a helper's argument"),
    ("Lines", "of handles, files, matches and listings: what gives line after line"),
    ("Memory", "of a reader; of a window"),
    ("Name", "in a program; of a handle"),
    ("Outcome", "of a run; of rounding; of specialising"),
    ("Record", "with fields; a range of the window"),
    ("Separator", "of records; of lines in a file"),
    ("Sink", "the trait; the program's outputs"),
    ("Slot", "of variables that are joined; of the representation"),
    ("Source", "of bytes; of program text"),
    ("Step", "of a search, a path, a file operation and a translation"),
    ("Stream", "the trait; a chunk's output"),
    ("Target", "of an assignment, a redirection, a jump and a profile"),
    ("Text", "of an encoding; in the representation"),
    ("Unit", "of compiling; of counting text"),
    ("Value", "of the language; in the representation"),
    ("View", "of the record; in the representation"),
];

/// From the glossary's last table.
fn unused_words() -> Vec<String> {
    let page = fs::read_to_string(root().join("docs/glossary.md")).unwrap();
    let (_, section) = page.split_once("## Words that are not used").expect("the section");
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split('|').next());
    let words = cells.flat_map(|cell| cell.split(','));
    words.map(|word| word.trim().trim_matches('`').to_owned()).collect()
}

/// The words of a name, each with its capital.
fn parts(name: &str) -> Vec<&str> {
    let is_constant = !name.contains(|c: char| c.is_lowercase());
    let mut parts = Vec::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        let mut start = 0;
        for (at, c) in word.char_indices().skip(1) {
            if c.is_uppercase() && !is_constant {
                parts.push(&word[start..at]);
                start = at;
            }
        }
        parts.push(&word[start..]);
    }
    parts
}

fn is_made_of(name: &str, word: &str) -> bool {
    if word.ends_with('_') {
        return name.starts_with(word);
    }
    let parts = parts(name);
    if word.starts_with(|c: char| c.is_uppercase()) {
        return parts.contains(&word);
    }
    let wanted: Vec<&str> = word.split('_').collect();
    let same = |found: &[&str]| found.iter().zip(&wanted).all(|(f, w)| f.eq_ignore_ascii_case(w));
    parts.windows(wanted.len()).any(same)
}

fn names(source: &str) -> impl Iterator<Item = &str> {
    let words = source.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

fn public_types(source: &str) -> impl Iterator<Item = &str> {
    source.lines().filter_map(|line| {
        let line = line.trim_start().strip_prefix("pub ")?;
        let line = line.strip_prefix("unsafe ").unwrap_or(line);
        let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
        let name = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
        // In a macro, the name is the caller's.
        if name.starts_with('$') { None } else { names(name).next() }
    })
}

#[test]
fn names_are_not_made_of_words_that_are_not_used() {
    let words = unused_words();
    assert!(words.len() > 10, "{words:?}");
    let mut used: BTreeMap<String, BTreeMap<&str, BTreeSet<String>>> = BTreeMap::new();
    for (name, folder) in sources::crates() {
        let of_crate = used.entry(name).or_default();
        let read = sources::read(&folder);
        let names: BTreeSet<&str> = read.values().flat_map(|source| names(source)).collect();
        for name in names {
            for word in words.iter().filter(|word| is_made_of(name, word)) {
                of_crate.entry(word).or_default().insert(name.to_owned());
            }
        }
    }
    let mut wrong = Vec::new();
    for (name, of_crate) in &used {
        for (word, names) in of_crate {
            wrong.push(format!("{name}: `{word}` in {names:?}: docs/glossary.md has another word"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn public_types_have_names_of_their_own() {
    let mut types: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // The facade has the plain names: those of others are not seen beside them.
    for (crate_name, folder) in sources::crates().filter(|(name, _)| name != "riverhawk") {
        for (module, source) in sources::read(&folder) {
            // The twin of a module, for another platform or one without something, has its types.
            let is_twin = module.iter().any(|name| name == "windows" || name == "none")
                || module.last().is_some_and(|name| name.starts_with("no_"));
            if is_twin {
                continue;
            }
            for name in public_types(&source) {
                let place = [std::slice::from_ref(&crate_name), &module].concat().join("::");
                types.entry(name.to_owned()).or_default().push(place);
            }
        }
    }
    types.retain(|_, places| places.len() > 1);
    let mut wrong = Vec::new();
    let may_be = |name: &str| SHARED.iter().any(|(shared, _)| *shared == name);
    for (name, places) in &types {
        if !may_be(name) {
            wrong.push(format!("`{name}` is the name of several types: {}", places.join(", ")));
        }
    }
    for (name, _) in SHARED.iter().filter(|(name, _)| !types.contains_key(*name)) {
        wrong.push(format!("`{name}` stands for one type now: take it from the list"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn names_are_taken_apart() {
    assert_eq!(parts("TooManyArms"), ["Too", "Many", "Arms"]);
    assert_eq!(parts("lay_down_all"), ["lay", "down", "all"]);
    assert_eq!(parts("MOST_ROWS"), ["MOST", "ROWS"]);
    assert!(is_made_of("IsTold", "told") && is_made_of("TOLD", "told"));
    assert!(is_made_of("lay_down_all", "lay_down") && !is_made_of("lay_all", "lay_down"));
    assert!(is_made_of("WaysOut", "ways_out") && !is_made_of("always", "Way"));
    assert!(is_made_of("WrongWay", "Way") && !is_made_of("wrong_way", "Way"));
    assert!(is_made_of("MOST_ROWS", "MOST_") && !is_made_of("ALMOST_ALL", "MOST_"));
}
