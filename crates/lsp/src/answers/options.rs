//! Options of the command: in the first line of a program that is one, and before a program in a script.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Uri};

use crate::document::Language;
use crate::place::Place;
use crate::position::Lines;
use crate::server::Server;

/// What the manual says of the option at a position.
pub(super) fn hover(server: &mut Server<'_>, uri: &Uri, position: Position) -> Option<Hover> {
    let place = Place::of(uri);
    let text = server.texts.get(&place)?;
    let lines = Lines::of(&text);
    let line = lines.line(&text, position.line);
    let at = lines.offset(&text, position, server.encoding);
    let is_awk = server.texts.language(&place) == Language::Awk;
    let is_command = !is_awk || position.line == 0 && text.starts_with(b"#!");
    let word =
        is_command.then(|| option_at(&text[line.clone()], at.checked_sub(line.start)?))??;
    let name = String::from_utf8_lossy(&text[line.start + word.start..line.start + word.end]);
    let value = server.surroundings.option(&name)?;
    let range = lines.range(&text, line.start + word.start..line.start + word.end, server.encoding);
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(range) })
}

/// The option of an awk at a place in a line, without its value: `-F` of `-F:`, `--csv`.
fn option_at(line: &[u8], at: usize) -> Option<std::ops::Range<usize>> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    let start = at - line.get(..at)?.iter().rev().take_while(|byte| is_part(byte)).count();
    let length = line[start..].iter().take_while(|byte| is_part(byte)).count();
    let word = &line[start..start + length];
    // Options stand between the command and its program.
    let before = std::str::from_utf8(&line[..start]).ok()?;
    let command = before.rfind("awk")? + 3;
    let between = &before[command..];
    let is_argument = between.starts_with([' ', '\t']) && between.ends_with([' ', '\t']);
    if !is_argument || between.contains(['|', ';', '&', '\'', '"']) {
        return None;
    }
    let length = match word {
        [b'-', b'-', _, ..] => length,
        [b'-', letter, ..] if letter.is_ascii_alphabetic() => 2,
        _ => return None,
    };
    Some(start..start + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_between_an_awk_and_its_program() {
        for (line, at, option) in [
            ("#!/usr/bin/env -S rhawk --csv -f", 25, Some("--csv")),
            ("#!/usr/bin/env -S rhawk --csv -f", 31, Some("-f")),
            ("#!/usr/bin/env -S rhawk --csv -f", 16, None),
            ("x | gawk -F: -v n=3 '{ print -n }'", 11, Some("-F")),
            ("x | gawk -F: -v n=3 '{ print -n }'", 14, Some("-v")),
            ("x | gawk -F: -v n=3 '{ print -n }'", 30, None),
            ("awk 1 | sort -n", 13, None),
            ("awk - 1", 4, None),
            ("hawkish -x", 9, None),
        ] {
            let found = option_at(line.as_bytes(), at).map(|range| &line[range]);
            assert_eq!(found, option, "{line} {at}");
        }
    }
}
