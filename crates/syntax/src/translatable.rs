//! The texts of a program that are to be translated, as a `.pot` file.

use std::fmt::Write;

use crate::ast::{ExprId, ExprKind, LibraryFn, Program};
use crate::source::{SourceMap, SourcePiece};

/// The strings `_"..."` and the constant texts of `dcgettext` and `dcngettext`, in order. Each has
/// its position, unless it is on the command line.
///
/// ```
/// use riverhawk_syntax::{parse, source::SourceMap, translatable};
///
/// let mut source = SourceMap::new();
/// source.add("hello.awk", b"BEGIN { print _\"hello\" }".to_vec()).unwrap();
/// let program = parse(&source).program.unwrap();
/// assert_eq!(translatable(&program, &source), "#: hello.awk:1\nmsgid \"hello\"\nmsgstr \"\"\n\n");
/// ```
pub fn translatable(program: &Program, source: &SourceMap) -> String {
    let mut found: Vec<(ExprId, Option<ExprId>)> =
        program.translatable.iter().map(|&id| (id, None)).collect();
    for expr in &program.exprs {
        let ExprKind::Library { function, args } = &expr.kind else { continue };
        match (function, &args[..]) {
            (LibraryFn::Dcgettext, [text, ..]) => found.push((*text, None)),
            (LibraryFn::Dcngettext, [one, many, ..]) => found.push((*one, Some(*many))),
            _ => {}
        }
    }
    found.sort_by_key(|&(id, _)| program[id].span.start);
    found.dedup_by_key(|&mut (id, _)| id);
    let text = |id: ExprId| match &program[id].kind {
        ExprKind::String(text) => Some(quoted(text)),
        _ => None,
    };
    let mut out = String::new();
    for (one, many) in found {
        let many_text = many.map(text);
        let (Some(id), None | Some(Some(_))) = (text(one), &many_text) else { continue };
        let place = source
            .locate(program[one].span)
            .filter(|place| !SourcePiece::is_from_command_line(place.name));
        if let Some(place) = place {
            let _ = writeln!(out, "#: {}:{}", place.name, place.line);
        }
        let _ = writeln!(out, "msgid {id}");
        let _ = match many_text.flatten() {
            Some(many) => writeln!(out, "msgid_plural {many}\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"),
            None => writeln!(out, "msgstr \"\"\n"),
        };
    }
    out
}

fn quoted(text: &[u8]) -> String {
    let mut out = String::from("\"");
    for character in String::from_utf8_lossy(text).chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\x0B' => out.push_str("\\v"),
            '\x0C' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            other => out.push(other),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> String {
        let mut source = SourceMap::new();
        source.add(SourcePiece::COMMAND_LINE, text.as_bytes().to_vec()).unwrap();
        translatable(&crate::parse(&source).program.unwrap(), &source)
    }

    #[test]
    fn marked_strings_and_those_of_the_functions_are_found_in_order() {
        let text = r#"BEGIN { x = dcngettext("one", "many", 2); print _"a\"b\n", dcgettext("c"), dcgettext(x), "plain" }"#;
        assert_eq!(
            template(text),
            "msgid \"one\"\nmsgid_plural \"many\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n\
             msgid \"a\\\"b\\n\"\nmsgstr \"\"\n\nmsgid \"c\"\nmsgstr \"\"\n\n"
        );
    }

    #[test]
    fn a_marked_argument_counts_once_and_a_variable_is_no_mark() {
        assert_eq!(
            template("BEGIN { print dcgettext(_\"a\") _ \"b\" }"),
            "msgid \"a\"\nmsgstr \"\"\n\n"
        );
    }
}
