//! The command line of Windows, which is one text: what it is split into, and which files are meant
//! by what has wildcards. Shells there leave both to the program.

use std::iter::repeat_n;

const SPACE: u16 = b' ' as u16;
const TAB: u16 = b'\t' as u16;
const QUOTE: u16 = b'"' as u16;
const BACKSLASH: u16 = b'\\' as u16;
const STAR: u16 = b'*' as u16;
const QUESTION: u16 = b'?' as u16;
const DOT: u16 = b'.' as u16;

/// A unit of an argument.
#[derive(Clone, Copy)]
pub(crate) struct Unit {
    value: u16,
    /// Whether it stood between quotes, where no wildcard is meant.
    is_quoted: bool,
}

impl Unit {
    fn is_wildcard(self) -> bool {
        !self.is_quoted && matches!(self.value, STAR | QUESTION)
    }

    fn is_separator(self) -> bool {
        [BACKSLASH, b'/'.into(), b':'.into()].contains(&self.value)
    }
}

/// An argument's text.
pub(crate) fn text_of(argument: &[Unit]) -> Vec<u16> {
    argument.iter().map(|unit| unit.value).collect()
}

/// The arguments of a line, by the rules of Microsoft's C library. The first is the program's name,
/// where a backslash is nothing special.
pub(crate) fn split(line: &[u16]) -> Vec<Vec<Unit>> {
    let (mut at, mut is_quoted) = (0, false);
    let mut name = Vec::new();
    while at < line.len() {
        match line[at] {
            QUOTE => is_quoted = !is_quoted,
            SPACE | TAB if !is_quoted => break,
            value => name.push(Unit { value, is_quoted: true }),
        }
        at += 1;
    }
    let mut arguments = vec![name];
    loop {
        at += line[at..].iter().take_while(|unit| matches!(**unit, SPACE | TAB)).count();
        if at == line.len() {
            return arguments;
        }
        let (argument, length) = first_argument(&line[at..]);
        arguments.push(argument);
        at += length;
    }
}

/// The argument that a line begins with, and how much of the line it is.
fn first_argument(line: &[u16]) -> (Vec<Unit>, usize) {
    let (mut at, mut is_quoted) = (0, false);
    let mut argument = Vec::new();
    while at < line.len() {
        match line[at] {
            SPACE | TAB if !is_quoted => break,
            BACKSLASH => {
                let count = line[at..].iter().take_while(|unit| **unit == BACKSLASH).count();
                at += count;
                let has_quote = line.get(at) == Some(&QUOTE);
                // Only before a quote do two stand for one.
                let kept = if has_quote { count / 2 } else { count };
                argument.extend(repeat_n(Unit { value: BACKSLASH, is_quoted }, kept));
                if has_quote && count % 2 == 1 {
                    argument.push(Unit { value: QUOTE, is_quoted: true });
                    at += 1;
                }
                continue;
            }
            QUOTE if is_quoted && line.get(at + 1) == Some(&QUOTE) => {
                argument.push(Unit { value: QUOTE, is_quoted: true });
                at += 1;
            }
            QUOTE => is_quoted = !is_quoted,
            value => argument.push(Unit { value, is_quoted }),
        }
        at += 1;
    }
    (argument, at)
}

/// The files that an argument names, in order: itself, if it has no wildcards or they match none.
/// `list` gives the names in a folder, which is the current one if its path is empty.
pub(crate) fn expand(argument: &[Unit], list: &dyn Fn(&[u16]) -> Vec<Vec<u16>>) -> Vec<Vec<u16>> {
    let mut found = Vec::new();
    if argument.iter().any(|unit| unit.is_wildcard()) {
        walk(&[], argument, list, &mut found);
    }
    if found.is_empty() {
        found.push(text_of(argument));
    }
    found
}

fn walk(
    folder: &[u16],
    rest: &[Unit],
    list: &dyn Fn(&[u16]) -> Vec<Vec<u16>>,
    found: &mut Vec<Vec<u16>>,
) {
    let end = rest.iter().position(|unit| unit.is_separator()).unwrap_or(rest.len());
    let (pattern, after) = rest.split_at(end);
    let (separators, after) =
        after.split_at(after.iter().take_while(|unit| unit.is_separator()).count());
    let is_last = separators.is_empty();
    let mut names = if is_last || pattern.iter().any(|unit| unit.is_wildcard()) {
        list(folder)
    } else {
        // What leads to a folder is asked for its names next.
        vec![text_of(pattern)]
    };
    names.retain(|name| is_match(pattern, name));
    names.sort_by_cached_key(|name| name.iter().copied().map(lower).collect::<Vec<u16>>());
    for name in names {
        let path = [folder, &name, &text_of(separators)].concat();
        if after.is_empty() { found.push(path) } else { walk(&path, after, list, found) }
    }
}

/// Whether a name matches. One that begins with a dot does so only if the pattern does.
fn is_match(pattern: &[Unit], name: &[u16]) -> bool {
    let is_hidden = name.first() == Some(&DOT);
    if is_hidden && pattern.first().is_some_and(|unit| unit.value != DOT) {
        return false;
    }
    let (mut pattern_at, mut name_at) = (0, 0);
    // Behind the last star, and the unit of the name that it takes next if what follows fails.
    let mut retry = None;
    while name_at < name.len() || pattern_at < pattern.len() {
        match pattern.get(pattern_at) {
            Some(unit) if unit.is_wildcard() && unit.value == STAR => {
                pattern_at += 1;
                retry = Some((pattern_at, name_at));
                continue;
            }
            Some(unit)
                if name_at < name.len()
                    && (unit.is_wildcard() || lower(unit.value) == lower(name[name_at])) =>
            {
                (pattern_at, name_at) = (pattern_at + 1, name_at + 1);
                continue;
            }
            _ => {}
        }
        match retry {
            Some((after_star, taken)) if taken < name.len() => {
                (pattern_at, name_at) = (after_star, taken + 1);
                retry = Some((after_star, taken + 1));
            }
            _ => return false,
        }
    }
    true
}

/// Files have the same name in upper and lower case.
fn lower(unit: u16) -> u16 {
    let mut lower = char::from_u32(unit.into()).into_iter().flat_map(char::to_lowercase);
    match (lower.next(), lower.next()) {
        (Some(one), None) => u16::try_from(u32::from(one)).unwrap_or(unit),
        _ => unit,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wide(text: &str) -> Vec<u16> {
        text.encode_utf16().collect()
    }

    fn split_of(line: &str) -> Vec<String> {
        let shown = |argument: &Vec<Unit>| String::from_utf16_lossy(&text_of(argument));
        split(&wide(line)).iter().map(shown).collect()
    }

    fn expanded(line: &str) -> Vec<String> {
        let list = |folder: &[u16]| {
            let names: &[&str] = match String::from_utf16_lossy(folder).as_str() {
                "" => &["b.TXT", "a.txt", ".hidden.txt", "sub", "Äh.log", "a[1].c"],
                r"sub\" | "sub/" => &["c.txt", "d.csv"],
                "C:" => &["e.txt"],
                _ => &[],
            };
            names.iter().map(|name| wide(name)).collect()
        };
        let arguments = split(&wide(line));
        let files = arguments[1..].iter().flat_map(|argument| expand(argument, &list));
        files.map(|file| String::from_utf16_lossy(&file)).collect()
    }

    #[test]
    fn a_line_is_split_as_microsoft_s_c_library_does() {
        assert_eq!(split_of(r#""C:\a b\x.exe" c"#), [r"C:\a b\x.exe", "c"]);
        assert_eq!(split_of(r#"x "a b"  c	d "#), ["x", "a b", "c", "d"]);
        assert_eq!(
            split_of(r#"x "{ print \"a\" }" \\s\t "e\\" \"f"#),
            ["x", r#"{ print "a" }"#, r"\\s\t", r"e\", r#""f"#]
        );
        assert_eq!(split_of(r#"x "a""b" "" a"b c"d"#), ["x", r#"a"b"#, "", "ab cd"]);
        assert_eq!(split_of("x"), ["x"]);
        assert_eq!(split_of(""), [""]);
    }

    #[test]
    fn wildcards_name_the_files_that_match_without_regard_to_case() {
        assert_eq!(expanded("x *.txt"), ["a.txt", "b.TXT"]);
        assert_eq!(expanded("x ?.TX? ä*"), ["a.txt", "b.TXT", "Äh.log"]);
        assert_eq!(
            expanded(r"x .h* sub\* s*/?.csv C:*"),
            [".hidden.txt", r"sub\c.txt", r"sub\d.csv", "sub/d.csv", "C:e.txt"]
        );
        assert_eq!(expanded("x a*x*t a[1].?"), ["a.txt", "a[1].c"]);
        assert_eq!(expanded(r"x s*\c.txt s*\e.txt"), [r"sub\c.txt", r"s*\e.txt"]);
    }

    #[test]
    fn what_is_quoted_or_matches_nothing_stays() {
        assert_eq!(
            expanded(r#"x "*.txt" "/a*/ { n++ }" *.none /t "sub\"*.csv"#),
            ["*.txt", "/a*/ { n++ }", "*.none", "/t", r#"sub"*.csv"#]
        );
        assert_eq!(expanded(r#"x "su"b\*.csv"#), [r"sub\d.csv"]);
    }
}
