//! The parts of a text that are for a shell: all of a script, the recipes of a makefile, what stands
//! behind keys in YAML.
//!
//! Text keeps its length and its lines, so positions need no translation.

use std::ops::Range;

use crate::document::Language;
use crate::shell;

/// What make puts in a program is not known: a program with this byte is left out.
const UNKNOWN: u8 = 0;

/// The programs of a text, each with its place.
pub(crate) fn programs(language: Language, text: &[u8]) -> Vec<(Range<usize>, Vec<u8>)> {
    match language {
        Language::Awk => vec![(0..text.len(), text.to_vec())],
        Language::Shell => in_part(text, &(0..text.len())),
        Language::Make => {
            let script = recipes(text);
            let mut found = in_part(&script, &(0..script.len()));
            found.retain(|(part, text)| !text[part.clone()].contains(&UNKNOWN));
            found
        }
        Language::Yaml => scalars(text).iter().flat_map(|part| in_part(text, part)).collect(),
    }
}

fn in_part(script: &[u8], part: &Range<usize>) -> Vec<(Range<usize>, Vec<u8>)> {
    let moved = |found: Range<usize>| part.start + found.start..part.start + found.end;
    let found = shell::programs(&script[part.clone()]).into_iter().map(moved);
    found.map(|found| (found.clone(), shell::program_text(script, &found))).collect()
}

/// A makefile as its shell gets the recipes: `$$` is `$`, and the rest is blank.
fn recipes(text: &[u8]) -> Vec<u8> {
    let mut script = Vec::with_capacity(text.len());
    let mut continues = false;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"\t") || continues {
            let prefix = line.iter().take_while(|byte| b"\t @-+".contains(byte)).count();
            script.extend(std::iter::repeat_n(b' ', prefix));
            add_recipe(&line[prefix..], &mut script);
            continues = line.trim_ascii_end().ends_with(b"\\");
        } else {
            let blank = |&byte: &u8| if matches!(byte, b'\n' | b'\r') { byte } else { b' ' };
            script.extend(line.iter().map(blank));
        }
    }
    script
}

fn add_recipe(mut line: &[u8], script: &mut Vec<u8>) {
    while let [byte, rest @ ..] = line {
        match (byte, rest) {
            (b'$', [b'$', after @ ..]) => {
                script.extend_from_slice(b" $");
                line = after;
                continue;
            }
            (b'$', _) => script.push(UNKNOWN),
            _ => script.push(*byte),
        }
        line = rest;
    }
}

/// The values of YAML that may be for a shell: blocks behind `|` and `>`, and the rest of a line
/// that does not begin with a quote.
fn scalars(text: &[u8]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // The block that is being read: how far its key is indented.
    let mut block: Option<usize> = None;
    let mut start = 0;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len();
        let indentation = line.iter().take_while(|&&byte| byte == b' ').count();
        let is_empty = line.trim_ascii().is_empty();
        if let (Some(key), Some(part)) = (block, found.last_mut())
            && (is_empty || indentation > key)
        {
            part.end = end;
        } else {
            block = None;
            if let Some(at) = value_at(line, indentation) {
                let value = line[at..].trim_ascii();
                if value.starts_with(b"|") || value.starts_with(b">") {
                    block = Some(indentation);
                    found.push(end..end);
                } else if !value.starts_with(b"'") && !value.starts_with(b"\"") {
                    found.push(start + at..end);
                }
            }
        }
        start = end;
    }
    found
}

/// Where a line's value begins: behind `key: ` and `- `.
fn value_at(line: &[u8], indentation: usize) -> Option<usize> {
    let mut at = indentation;
    while line[at..].starts_with(b"- ") {
        at += 2 + line[at + 2..].iter().take_while(|&&byte| byte == b' ').count();
    }
    let is_item = at > indentation;
    let key =
        line[at..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte));
    let key = key.count();
    match line.get(at + key..at + key + 2) {
        Some(b": ") if key > 0 => Some(at + key + 2),
        _ if is_item => Some(at),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(language: Language, text: &str) -> Vec<String> {
        let programs = programs(language, text.as_bytes()).into_iter();
        programs
            .map(|(part, text)| {
                assert_eq!(part.end, text.len());
                String::from_utf8(text).unwrap().trim().to_owned()
            })
            .collect()
    }

    #[test]
    fn recipes_of_makefiles_are_for_a_shell() {
        for (text, programs) in [
            ("a: b\n\t@awk '{ print $$1 }' b > a\n", vec!["{ print  $1 }"]),
            ("a:\n\techo \\\n\t  | awk 'NF' \\\n    | awk 'NR'\n", vec!["NF", "NR"]),
            ("x = $(shell awk '1')\na:\n\tawk '{ print $(COLUMN) }'\n", vec![]),
            ("a:\n\t-awk 'NF'\nit's = here\nb:\n\tawk 'NR'\n", vec!["NF", "NR"]),
        ] {
            assert_eq!(found(Language::Make, text), programs, "{text}");
        }
    }

    #[test]
    fn blocks_and_plain_values_of_yaml_may_be_for_a_shell() {
        for (text, programs) in [
            ("run: awk 'NF' file\n", vec!["NF"]),
            (
                "a:\n  - run: |\n      x=1\n\n      awk 'NR\n      > 1'\n  - b: it's\n",
                vec!["NR\n      > 1"],
            ),
            ("script:\n  - awk 'NF' a\n  - \"awk 'NR'\"\n", vec!["NF"]),
            ("text: >-\n  awk 'NF'\nother: don't\nlast: awk 'NR'", vec!["NF", "NR"]),
            ("# awk 'NF'\nkey:\n  awk\n", vec![]),
        ] {
            assert_eq!(found(Language::Yaml, text), programs, "{text}");
        }
    }
}
