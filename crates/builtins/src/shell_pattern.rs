//! Shell patterns as in `fnmatch`: `*`, `?`, `[...]`, and `\`.

use riverhawk_record::splitter::character_length;
use riverhawk_text::Unit;

const PATHNAME: u32 = 1;
const NOESCAPE: u32 = 2;
const PERIOD: u32 = 4;
const LEADING_DIR: u32 = 8;
const CASEFOLD: u32 = 16;

/// The flags with their names in the array `FNM`.
pub const FLAGS: &[(&str, u32)] = &[
    ("CASEFOLD", CASEFOLD),
    ("FILE_NAME", PATHNAME),
    ("LEADING_DIR", LEADING_DIR),
    ("NOESCAPE", NOESCAPE),
    ("PATHNAME", PATHNAME),
    ("PERIOD", PERIOD),
];

/// Whether the pattern matches all of `name`.
pub fn matches(pattern: &[u8], name: &[u8], flags: u32, unit: Unit) -> bool {
    Matcher { pattern, name, flags, unit }.run()
}

struct Matcher<'a> {
    pattern: &'a [u8],
    name: &'a [u8],
    flags: u32,
    unit: Unit,
}

impl Matcher<'_> {
    /// On a mismatch the last `*` takes one more character. Earlier ones need no retry: they could
    /// only end where a shorter match did. With PATHNAME a `*` ends at a slash.
    fn run(&self) -> bool {
        let (mut p, mut n) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        loop {
            if self.pattern.get(p) == Some(&b'*') {
                if self.hides(n) {
                    return false;
                }
                p += 1;
                star = Some((p, n));
                continue;
            }
            let ends = p == self.pattern.len();
            let done =
                n == self.name.len() || self.flags & LEADING_DIR != 0 && self.name[n] == b'/';
            if ends && done {
                return true;
            }
            let step = if ends || n == self.name.len() { None } else { self.one(p, n) };
            if let Some((after_p, after_n)) = step {
                (p, n) = (after_p, after_n);
                continue;
            }
            match star {
                Some((after, at))
                    if at < self.name.len() && !(self.is_path() && self.name[at] == b'/') =>
                {
                    n = at + self.length(self.name, at);
                    p = after;
                    star = Some((after, n));
                }
                _ => return false,
            }
        }
    }

    fn is_path(&self) -> bool {
        self.flags & PATHNAME != 0
    }

    /// A period that only a literal period matches.
    fn hides(&self, n: usize) -> bool {
        let leads = n == 0 || self.is_path() && self.name[n - 1] == b'/';
        self.flags & PERIOD != 0 && leads && self.name.get(n) == Some(&b'.')
    }

    fn length(&self, text: &[u8], at: usize) -> usize {
        if self.unit == Unit::Byte { 1 } else { character_length(&text[at..]) }
    }

    /// As a number for ranges, with its length.
    fn character(&self, text: &[u8], at: usize) -> (u32, usize) {
        let length = self.length(text, at);
        let decoded =
            std::str::from_utf8(&text[at..at + length]).ok().and_then(|text| text.chars().next());
        let character = match decoded {
            Some(character) if self.flags & CASEFOLD != 0 => {
                character.to_lowercase().next().unwrap_or(character) as u32
            }
            Some(character) => character as u32,
            None => u32::from(text[at]),
        };
        (character, length)
    }

    /// Matches a part other than `*`; returns the places after both.
    fn one(&self, p: usize, n: usize) -> Option<(usize, usize)> {
        let (character, length) = self.character(self.name, n);
        let behind = n + length;
        let is_slash = self.is_path() && self.name[n] == b'/';
        match self.pattern[p] {
            b'?' if is_slash || self.hides(n) => None,
            b'?' => Some((p + 1, behind)),
            b'[' => match self.bracket(p + 1, character) {
                Some(_) if is_slash || self.hides(n) => None,
                Some((end, is_in)) => is_in.then_some((end, behind)),
                // Not a bracket expression: a literal bracket.
                None => (character == u32::from(b'[')).then_some((p + 1, behind)),
            },
            b'\\' if self.flags & NOESCAPE == 0 && p + 1 < self.pattern.len() => {
                let (wanted, length) = self.character(self.pattern, p + 1);
                (wanted == character).then_some((p + 1 + length, behind))
            }
            _ => {
                let (wanted, length) = self.character(self.pattern, p);
                (wanted == character).then_some((p + length, behind))
            }
        }
    }

    /// Its end, and whether it has the character. None if unclosed.
    fn bracket(&self, mut p: usize, character: u32) -> Option<(usize, bool)> {
        let negated = matches!(self.pattern.get(p), Some(b'!' | b'^'));
        p += usize::from(negated);
        let first = p;
        let mut found = false;
        loop {
            match self.pattern.get(p)? {
                b']' if p > first => return Some((p + 1, found != negated)),
                b'/' if self.is_path() => return None,
                b'[' if self.pattern.get(p + 1) == Some(&b':') => {
                    let rest = &self.pattern[p + 2..];
                    let end = rest.windows(2).position(|pair| pair == b":]")?;
                    found |= is_of_class(&rest[..end], character);
                    p += end + 4;
                }
                _ => {
                    let (low, after) = self.bracket_character(p)?;
                    p = after;
                    let is_range =
                        self.pattern.get(p) == Some(&b'-') && self.pattern.get(p + 1)? != &b']';
                    let mut high = low;
                    if is_range {
                        (high, p) = self.bracket_character(p + 1)?;
                    }
                    found |= (low..=high).contains(&character);
                }
            }
        }
    }

    fn bracket_character(&self, mut p: usize) -> Option<(u32, usize)> {
        if self.pattern.get(p)? == &b'\\' && self.flags & NOESCAPE == 0 {
            p += 1;
            self.pattern.get(p)?;
        }
        let (character, length) = self.character(self.pattern, p);
        Some((character, p + length))
    }
}

fn is_of_class(name: &[u8], character: u32) -> bool {
    let Some(character) = char::from_u32(character) else { return false };
    match name {
        b"alpha" => character.is_alphabetic(),
        b"digit" => character.is_ascii_digit(),
        b"alnum" => character.is_alphanumeric(),
        b"upper" => character.is_uppercase(),
        b"lower" => character.is_lowercase(),
        b"space" => character.is_whitespace(),
        b"blank" => matches!(character, ' ' | '\t'),
        b"punct" => character.is_ascii_punctuation(),
        b"cntrl" => character.is_control(),
        b"xdigit" => character.is_ascii_hexdigit(),
        b"print" => !character.is_control(),
        b"graph" => !character.is_control() && !character.is_whitespace(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_of_patterns_as_in_the_c_library() {
        let table = [
            ("*", "", 0, true),
            ("*.c", "a.c", 0, true),
            ("*.c", "a.h", 0, false),
            ("a*b*c", "axxbyyc", 0, true),
            ("a*b*c", "axxbyy", 0, false),
            ("?", "é", 0, true),
            ("??", "é", 0, false),
            ("[a-c]x", "bx", 0, true),
            ("[!a-c]x", "bx", 0, false),
            ("[^a-c]x", "dx", 0, true),
            ("[]a]", "]", 0, true),
            ("[a-]", "-", 0, true),
            ("[[:digit:]x]", "5", 0, true),
            ("[[:digit:]x]", "y", 0, false),
            ("[a", "[a", 0, true),
            ("\\*", "*", 0, true),
            ("\\*", "x", 0, false),
            ("\\*", "\\x", NOESCAPE, true),
            ("a/*", "a/b/c", 0, true),
            ("a/*", "a/b/c", PATHNAME, false),
            ("a/*/c", "a/b/c", PATHNAME, true),
            ("a?c", "a/c", PATHNAME, false),
            ("*", ".x", PERIOD, false),
            (".*", ".x", PERIOD, true),
            ("a/*", "a/.x", PERIOD | PATHNAME, false),
            ("a/*", "a/.x", PERIOD, true),
            ("a*", "a/b", LEADING_DIR | PATHNAME, true),
            ("ABC", "abc", CASEFOLD, true),
            ("[A-C]", "b", CASEFOLD, true),
            ("abc", "ABC", 0, false),
        ];
        for (pattern, name, flags, expected) in table {
            assert_eq!(
                matches(pattern.as_bytes(), name.as_bytes(), flags, Unit::CodePoint),
                expected,
                "{pattern} {name} {flags}"
            );
        }
    }
}
