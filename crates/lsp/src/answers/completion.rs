//! What may be written at the cursor.

use std::collections::BTreeSet;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionResponse, CompletionTextEdit,
    Documentation, MarkupContent, MarkupKind, TextEdit,
};
use riverhawk_syntax::ast::{GlobalId, Span, Special};
use riverhawk_syntax::keywords;

use super::Refusal;
use super::columns;
use super::outline::form;
use crate::library_names::{functions, signatures, summary};
use crate::occurrences::Symbol;
use crate::program::Program;
use crate::server::{Asked, Server};

pub(crate) fn completion(
    server: &mut Server<'_>,
    params: CompletionParams,
) -> Result<Option<CompletionResponse>, Refusal> {
    let at = params.text_document_position;
    let Some(asked) = server.asked(&at.text_document.uri, at.position) else { return Ok(None) };
    let program = asked.program();
    let Some(piece) = program.sources.piece_at(asked.offset) else { return Ok(None) };
    let before = &piece.text[..((asked.offset - piece.base) as usize).min(piece.text.len())];
    let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let items = match quoted(&before[line..]) {
        Within::Text { opening, typed } => in_text(server, &asked, &opening, typed),
        Within::Comment => Vec::new(),
        Within::Code => in_code(server, &asked),
    };
    Ok(Some(CompletionResponse::Array(items)))
}

enum Within {
    Code,
    Comment,
    /// A string: what is before its quote, and how much of it there is.
    Text {
        opening: String,
        typed: u32,
    },
}

fn quoted(line: &[u8]) -> Within {
    let (mut at, mut open) = (0, None);
    while let Some(&byte) = line.get(at) {
        match (byte, open) {
            (b'\\', Some(_)) => at += 1,
            (b'"', None) => open = Some(at),
            (b'"', Some(_)) => open = None,
            (b'#', None) => return Within::Comment,
            _ => {}
        }
        at += 1;
    }
    match open {
        None => Within::Code,
        Some(quote) => Within::Text {
            opening: String::from_utf8_lossy(&line[..quote]).into_owned(),
            typed: (line.len() - quote - 1) as u32,
        },
    }
}

/// Columns after `@"`, keys after `PROCINFO["`.
fn in_text(server: &Server<'_>, asked: &Asked, opening: &str, typed: u32) -> Vec<CompletionItem> {
    let span = Span { start: asked.offset - typed, end: asked.offset };
    let range = asked.program().range(span, server.encoding);
    let item = |name: String, detail: Option<String>, kind: CompletionItemKind| CompletionItem {
        text_edit: Some(CompletionTextEdit::Edit(TextEdit::new(range, name.clone()))),
        label: name,
        kind: Some(kind),
        detail,
        ..CompletionItem::default()
    };
    if opening.ends_with('@') {
        let names = columns::names(server, asked.program(), asked.offset);
        return names.into_iter().map(|name| item(name, None, CompletionItemKind::FIELD)).collect();
    }
    let Some(array) = opening.trim_end().strip_suffix('[') else { return Vec::new() };
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let name = array.trim_end().rsplit(|letter| !is_part(letter)).next().unwrap_or_default();
    let keys = server.surroundings.keys(name);
    keys.into_iter()
        .map(|(key, about)| item(key, Some(about), CompletionItemKind::PROPERTY))
        .collect()
}

fn in_code(server: &Server<'_>, asked: &Asked) -> Vec<CompletionItem> {
    let program = asked.program();
    let typed = super::hover::word_at(program, asked.offset).map_or(asked.offset, |it| it.start);
    let range = program.range(Span { start: typed, end: asked.offset }, server.encoding);
    let mut items = own_names(program, asked.offset);
    for name in functions() {
        items.push(CompletionItem {
            detail: signatures(name).into_iter().next(),
            documentation: summary(name).map(markdown),
            ..named(name, CompletionItemKind::FUNCTION)
        });
    }
    for special in Special::ALL {
        items.push(CompletionItem {
            detail: Some(special.summary().to_owned()),
            ..named(special.name(), CompletionItemKind::VARIABLE)
        });
    }
    for name in GlobalId::PREDEFINED.iter().chain(&GlobalId::FILLED) {
        items.push(named(name, CompletionItemKind::VARIABLE));
    }
    for keyword in keywords() {
        items.push(named(keyword, CompletionItemKind::KEYWORD));
    }
    let mut seen = BTreeSet::new();
    items.retain(|item| seen.insert(item.label.clone()));
    for item in &mut items {
        let edit = TextEdit::new(range, item.label.clone());
        item.text_edit = Some(CompletionTextEdit::Edit(edit));
    }
    items
}

fn named(name: &str, kind: CompletionItemKind) -> CompletionItem {
    CompletionItem { label: name.to_owned(), kind: Some(kind), ..CompletionItem::default() }
}

fn markdown(text: &str) -> Documentation {
    let kind = MarkupKind::Markdown;
    Documentation::MarkupContent(MarkupContent { kind, value: text.to_owned() })
}

/// The names of the program as they are written at an offset: parameters first.
fn own_names(program: &Program, offset: u32) -> Vec<CompletionItem> {
    let namespace = program.namespace_at(offset);
    let written = |name: &str| match name.split_once("::") {
        Some((of, plain)) if of == namespace => plain.to_owned(),
        None if namespace != "awk" && !name.bytes().all(|byte| byte.is_ascii_uppercase()) => {
            format!("awk::{name}")
        }
        _ => name.to_owned(),
    };
    let mut items = Vec::new();
    if let Some(number) = program.function_at(offset) {
        for param in &program.tree.functions[number as usize].params {
            let name = param.name.rsplit("::").next().unwrap_or_default();
            if !name.is_empty() {
                items.push(named(name, CompletionItemKind::VARIABLE));
            }
        }
    }
    for (_, function) in program.functions() {
        items.push(CompletionItem {
            detail: Some(format!("{}{}", function.name, form(function))),
            documentation: program.comment_above(function.span.start).map(|it| markdown(&it)),
            ..named(&written(&function.name), CompletionItemKind::FUNCTION)
        });
    }
    let word = super::hover::word_at(program, offset);
    for found in program.occurrences().iter() {
        // What is being typed is a name, too.
        if let Symbol::Global(name) = &found.symbol
            && Some(found.span) != word
        {
            items.push(named(&written(name), CompletionItemKind::VARIABLE));
        }
    }
    items
}
