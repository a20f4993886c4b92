//! Rows of the gawk comparison: percent-encoding, and answers in gawk's form.

use riverhawk_regex::{Match, Options, Regex};

/// `%41` is the byte 0x41; other characters are literal.
pub fn decode(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let hex = text.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| text[at] == b'%') {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(text[at]);
                at += 1;
            }
        }
    }
    out
}

/// `u` or `c`, then `i` to ignore case.
pub fn options(mode: &[u8]) -> Options {
    Options { bytes: mode[0] == b'c', ignore_case: mode.contains(&b'i'), ..Options::default() }
}

fn units(text: &[u8], at: usize, options: &Options) -> usize {
    if options.bytes {
        return at;
    }
    text[..at]
        .utf8_chunks()
        .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
        .sum()
}

/// Span and groups of the first match, as `match()` gives them, without trailing unused groups.
pub fn answer(regex: &Regex, text: &[u8]) -> String {
    let mut groups = Vec::new();
    if !regex.captures(text, &mut groups) {
        assert!(!regex.is_match(text), "is_match finds what captures does not");
        return "none".to_owned();
    }
    assert!(regex.is_match(text), "captures finds what is_match does not");
    assert_eq!(groups[0], regex.find(text));
    assert_eq!(groups.len(), regex.group_count() + 1);
    while groups.last() == Some(&None) {
        groups.pop();
    }
    let show = |group: &Option<Match>| match group {
        Some(group) => {
            let start = units(text, group.start, regex.options());
            format!("{start}+{}", units(text, group.end, regex.options()) - start)
        }
        None => "-".to_owned(),
    };
    groups.iter().map(show).collect::<Vec<_>>().join(" ")
}

/// The text after `gsub(pattern, "<&>")`.
pub fn marked(regex: &Regex, text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut done = 0;
    for found in regex.matches(text) {
        out.extend_from_slice(&text[done..found.start]);
        out.push(b'<');
        out.extend_from_slice(&text[found.start..found.end]);
        out.push(b'>');
        done = found.end;
    }
    out.extend_from_slice(&text[done..]);
    out
}
