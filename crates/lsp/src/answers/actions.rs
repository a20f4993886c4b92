//! Quick fixes: those of the findings, or what their messages advise.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse,
    Position, Range, TextEdit, WorkspaceEdit,
};

use super::Refusal;
use crate::diagnostics::Proposal;
use crate::place::Place;
use crate::server::Server;

pub(crate) fn actions(
    server: &mut Server<'_>,
    params: CodeActionParams,
) -> Result<Option<CodeActionResponse>, Refusal> {
    let uri = params.text_document.uri;
    let place = Place::of(&uri);
    let diagnostics = server.diagnostics().remove(&place).unwrap_or_default();
    let Some(text) = server.texts.get(&place) else { return Ok(None) };
    let lines = crate::position::Lines::of(&text);
    let asked = params.range;
    let touches = |range: Range| range.start <= asked.end && asked.start <= range.end;
    let mut found = Vec::new();
    for diagnostic in diagnostics.into_iter().filter(|it| touches(it.range)) {
        let proposals = match &diagnostic.data {
            Some(data) => Proposal::all(data),
            None => {
                let start = lines.offset(&text, diagnostic.range.start, server.encoding);
                let end = lines.offset(&text, diagnostic.range.end, server.encoding);
                let Some(fix) = fix(&diagnostic.message, &text, start, end) else { continue };
                let range = match fix.at {
                    At::Range(range) => lines.range(&text, range, server.encoding),
                    At::Top => {
                        // Behind the line that names the interpreter.
                        let line = u32::from(text.starts_with(b"#!"));
                        Range::new(Position::new(line, 0), Position::new(line, 0))
                    }
                };
                vec![Proposal { title: fix.title, edits: vec![TextEdit::new(range, fix.new)] }]
            }
        };
        for (number, Proposal { title, edits }) in proposals.into_iter().enumerate() {
            found.push(CodeActionOrCommand::CodeAction(CodeAction {
                title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                edit: Some(WorkspaceEdit {
                    changes: Some(HashMap::from([(uri.clone(), edits)])),
                    ..WorkspaceEdit::default()
                }),
                // The first is the best.
                is_preferred: Some(number == 0),
                ..CodeAction::default()
            }));
        }
    }
    Ok(Some(found))
}

enum At {
    Range(std::ops::Range<usize>),
    Top,
}

struct Fix {
    title: String,
    at: At,
    new: String,
}

/// What a message advises, if it is one change.
fn fix(message: &str, text: &[u8], start: usize, end: usize) -> Option<Fix> {
    let between = |before: &str, after: &str| {
        let (_, rest) = message.split_once(before)?;
        Some(rest.split_once(after)?.0.to_owned())
    };
    if let Some(name) = between("there is a function `", "`") {
        let at = At::Range(start..start + name_length(&text[start..end]));
        return Some(Fix { title: format!("Call `{name}`"), at, new: name });
    }
    if let Some(extension) = between("`@load \"", "\"` brings") {
        let new = format!("@load \"{extension}\"\n");
        return Some(Fix { title: format!("Load the extension {extension}"), at: At::Top, new });
    }
    if let Some(sign) = between("write `", "=`, or `= ") {
        let wrong = format!("={sign}");
        let at = start + find(&text[start..end], wrong.as_bytes())?;
        let (title, new) = (format!("Write `{sign}=`"), format!("{sign}="));
        return Some(Fix { title, at: At::Range(at..at + 2), new });
    }
    if message.contains("to compare, write `==`") || message.starts_with("assignment used in") {
        let at = single_equals(&text[start..end.max(start + 1).min(text.len())])?;
        let at = At::Range(start + at..start + at + 1);
        return Some(Fix { title: "Compare with `==`".to_owned(), at, new: "==".to_owned() });
    }
    None
}

fn name_length(text: &[u8]) -> usize {
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b':');
    text.iter().take_while(is_part).count()
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len()).position(|part| part == wanted)
}

/// The only `=` that assigns.
fn single_equals(text: &[u8]) -> Option<usize> {
    let is_operator = |byte: Option<&u8>| byte.is_some_and(|byte| b"=<>!+-*/%^~".contains(byte));
    let mut found = (0..text.len()).filter(|&at| {
        text[at] == b'='
            && !is_operator(at.checked_sub(1).and_then(|at| text.get(at)))
            && !is_operator(text.get(at + 1))
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
