//! Programs in the quotes of a shell script: `awk -F: '{ print $1 }' file`.
//!
//! A program's text is the script's with blanks for all that is outside its quotes, so positions
//! need no translation.

use std::ops::Range;

const COMMANDS: [&[u8]; 6] = [b"awk", b"gawk", b"rhawk", b"mawk", b"nawk", b"original-awk"];

/// The options whose argument is the next word.
const TAKES_WORD: [&[u8]; 14] = [
    b"-F",
    b"-v",
    b"-f",
    b"-i",
    b"-l",
    b"-j",
    b"--assign",
    b"--field-separator",
    b"--file",
    b"--include",
    b"--load",
    b"-E",
    b"--exec",
    b"--jobs",
];

/// Where programs are in a script, each without its quotes.
pub(crate) fn programs(script: &[u8]) -> Vec<Range<usize>> {
    let mut words = Words { text: script, at: 0, nested: Vec::new(), in_double: false };
    let mut found = Vec::new();
    let mut state = State::Elsewhere;
    while let Some(word) = words.next() {
        let text = &script[word.range.clone()];
        state = match (state, word.kind) {
            (_, Kind::Separator) => State::Elsewhere,
            (State::Elsewhere, _) => {
                let name = text.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
                if COMMANDS.contains(&name) { State::Options } else { State::Elsewhere }
            }
            (State::Argument, _) => State::Options,
            (State::Source, _) => {
                found.extend(quoted(script, &word.range));
                State::Options
            }
            (State::Options, _) => match text {
                b"-e" | b"--source" => State::Source,
                // With a file, the operands are data.
                b"-f" | b"--file" | b"-E" | b"--exec" => State::Elsewhere,
                _ if TAKES_WORD.contains(&text) => State::Argument,
                _ if text.starts_with(b"-") => State::Options,
                _ => {
                    found.extend(quoted(script, &word.range));
                    State::Elsewhere
                }
            },
        };
    }
    found
}

/// The script with blanks for what is not in `part`, cut off behind it. A quote between quotes,
/// `'\''`, becomes an escape of the same length.
pub(crate) fn program_text(script: &[u8], part: &Range<usize>) -> Vec<u8> {
    let mut text: Vec<u8> = script[..part.end].to_vec();
    for byte in &mut text[..part.start] {
        if !matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    let mut at = part.start;
    while at + 4 <= text.len() {
        if text[at..].starts_with(b"'\\''") {
            text[at..at + 4].copy_from_slice(b"\\047");
        }
        at += 1;
    }
    text
}

#[derive(Clone, Copy)]
enum State {
    Elsewhere,
    Options,
    /// The next word belongs to an option.
    Argument,
    /// The next word is a program.
    Source,
}

/// What is in the quotes of a word that is in quotes from end to end.
fn quoted(script: &[u8], word: &Range<usize>) -> Option<Range<usize>> {
    let text = &script[word.clone()];
    let inside = text.strip_prefix(b"'")?.strip_suffix(b"'")?;
    let mut rest = inside;
    while let Some(at) = rest.iter().position(|&byte| byte == b'\'') {
        // Text of the shell between two quotes is not known.
        rest = rest[at..].strip_prefix(b"'\\''")?;
    }
    Some(word.start + 1..word.end - 1)
}

#[derive(PartialEq, Eq)]
enum Kind {
    Word,
    /// What ends a command.
    Separator,
}

struct Word {
    range: Range<usize>,
    kind: Kind,
}

struct Words<'a> {
    text: &'a [u8],
    at: usize,
    /// For each open parenthesis, whether it is in double quotes.
    nested: Vec<bool>,
    in_double: bool,
}

impl Words<'_> {
    fn next(&mut self) -> Option<Word> {
        loop {
            if self.in_double {
                return Some(self.word());
            }
            match self.text[self.at..] {
                [b' ' | b'\t' | b'\r', ..] => self.at += 1,
                [b'\\', b'\n', ..] => self.at += 2,
                [b'#', ..] => {
                    let length = self.text[self.at..].iter().position(|&byte| byte == b'\n');
                    self.at = length.map_or(self.text.len(), |length| self.at + length);
                }
                [] => return None,
                [byte @ (b'\n' | b';' | b'|' | b'&' | b'(' | b')' | b'`'), ..] => {
                    self.at += 1;
                    match byte {
                        b'(' => self.nested.push(false),
                        b')' => self.in_double = self.nested.pop().unwrap_or(false),
                        _ => {}
                    }
                    return Some(Word { range: self.at - 1..self.at, kind: Kind::Separator });
                }
                _ => return Some(self.word()),
            }
        }
    }

    fn word(&mut self) -> Word {
        let start = self.at;
        let mut in_double = std::mem::take(&mut self.in_double);
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\\' => self.at += 1,
                b'\'' if !in_double => {
                    let rest = &self.text[self.at + 1..];
                    self.at +=
                        1 + rest.iter().position(|&byte| byte == b'\'').unwrap_or(rest.len());
                }
                b'"' => in_double = !in_double,
                // A command inside a text: its words are words.
                b'$' if self.text.get(self.at + 1) == Some(&b'(') => {
                    self.at += 2;
                    self.nested.push(in_double);
                    return Word { range: self.at - 1..self.at, kind: Kind::Separator };
                }
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'|' | b'&' | b'(' | b')' | b'`' | b'<'
                | b'>'
                    if !in_double =>
                {
                    break;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = self.at.min(self.text.len());
        // A redirection is a word without meaning here.
        if self.at == start {
            self.at += 1;
        }
        Word { range: start..self.at, kind: Kind::Word }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(script: &str) -> Vec<String> {
        let text = |part| String::from_utf8(program_text(script.as_bytes(), &part)).unwrap();
        programs(script.as_bytes()).into_iter().map(|part| text(part).trim().to_owned()).collect()
    }

    #[test]
    fn programs_are_found_where_the_shell_would_run_them() {
        for (script, programs) in [
            ("awk '{ print $1 }' file", vec!["{ print $1 }"]),
            ("x | /usr/bin/gawk -F: -v n=1 'NR > n' | sort", vec!["NR > n"]),
            ("rhawk -F ':' -e '1' -e 'END { x }' f", vec!["1", "END { x }"]),
            ("awk -f prog.awk 'data file'", vec![]),
            ("echo awk '{ not one }'; # awk '{ nor this }'", vec!["{ not one }"]),
            ("x=$(awk \\\n  'BEGIN {\n y }' <in)", vec!["BEGIN {\n y }"]),
            ("awk 'BEGIN { print \"it'\\''s\" }'", vec!["BEGIN { print \"it\\047s\" }"]),
            ("awk '{ print '$column' }'", vec![]),
            ("awk \"{ print }\"", vec![]),
            ("y=\"$(awk 'NF')\" && awk '1", vec!["NF"]),
            ("awk '", vec![]),
        ] {
            assert_eq!(found(script), programs, "{script}");
        }
    }

    #[test]
    fn a_program_keeps_its_position() {
        let script = b"set -e\n\xC3\xA9 | awk 'NF' f";
        let part = programs(script).remove(0);
        let text = program_text(script, &part);
        assert_eq!(&text[part.clone()], b"NF");
        assert_eq!((part.start, text.len(), text[6]), (script.len() - 5, part.end, b'\n'));
    }
}
