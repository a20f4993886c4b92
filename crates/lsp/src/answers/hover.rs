//! What a name is, with the manual's text or the function's comment.

use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use riverhawk_syntax::ast::Span;
use riverhawk_syntax::keywords;

use super::Refusal;
use super::kinds::Kinds;
use super::options;
use super::outline::form;
use crate::library_names::{signatures, summary};
use crate::occurrences::{Symbol, is_of_engine};
use crate::program::Program;
use crate::server::{Asked, Server};

pub(crate) fn hover(
    server: &mut Server<'_>,
    params: HoverParams,
) -> Result<Option<Hover>, Refusal> {
    let at = params.text_document_position_params;
    let option = options::hover(server, &at.text_document.uri, at.position);
    if option.is_some() {
        return Ok(option);
    }
    let Some(asked) = server.asked(&at.text_document.uri, at.position) else { return Ok(None) };
    let found = match asked.occurrence() {
        Some(found) => about(server, asked.program(), &found.symbol).map(|text| (found.span, text)),
        None => keyword(server, &asked),
    };
    Ok(found.map(|(span, value)| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
        range: Some(asked.program().range(span, server.encoding)),
    }))
}

fn code(text: &str) -> String {
    format!("```awk\n{text}\n```\n")
}

/// A symbol in Markdown.
pub(super) fn about(server: &Server<'_>, program: &Program, symbol: &Symbol) -> Option<String> {
    match symbol {
        Symbol::Special(special) => Some(
            server
                .surroundings
                .manual(special.name())
                .unwrap_or_else(|| format!("{}{}", code(special.name()), special.summary())),
        ),
        Symbol::Global(name) if is_of_engine(name) => server.surroundings.manual(name),
        Symbol::Builtin(builtin) => Some(built_in(server, builtin.name())),
        Symbol::Library(function) => Some(built_in(server, function.name())),
        Symbol::Written(name) => Some(built_in(server, name)),
        Symbol::Function(name) => {
            let (_, function) = program.functions().find(|(_, it)| *it.name == **name)?;
            let comment = program.comment_above(function.span.start).unwrap_or_default();
            Some(format!("{}{comment}", code(&format!("function {name}{}", form(function)))))
        }
        Symbol::Global(name) => Some(format!("global{}", kind(program, symbol, name))),
        Symbol::Param(function, at) => {
            let (_, definition) = program.functions().find(|(_, it)| *it.name == **function)?;
            let name = &definition.params.get(usize::from(*at))?.name;
            let text = kind(program, symbol, name);
            Some(format!("parameter{text} of `{function}`"))
        }
        Symbol::Column(name) => Some(format!("the field in the column `{name}`")),
    }
}

fn kind(program: &Program, symbol: &Symbol, name: &str) -> String {
    let kind = Kinds::of(program).get(program, symbol);
    format!(" {}`{name}`", kind.map_or(String::new(), |kind| format!("{} ", kind.name())))
}

fn built_in(server: &Server<'_>, name: &str) -> String {
    let forms = code(&signatures(name).join("\n"));
    let manual = server.surroundings.manual(name);
    forms + &manual.or_else(|| summary(name).map(str::to_owned)).unwrap_or_default()
}

fn keyword(server: &Server<'_>, asked: &Asked) -> Option<(Span, String)> {
    let program = asked.program();
    let in_comment = |span: &Span| (span.start..span.end).contains(&asked.offset);
    if program.tree.comments.iter().any(in_comment) {
        return None;
    }
    let word = word_at(program, asked.offset)?;
    let text = program.text(word);
    let is_known = keywords().any(|keyword| keyword == text);
    let manual = if is_known { server.surroundings.manual(&text) } else { None };
    manual.map(|text| (word, text))
}

/// The word around an offset.
pub(super) fn word_at(program: &Program, offset: u32) -> Option<Span> {
    let piece = program.sources.piece_at(offset)?;
    let at = ((offset - piece.base) as usize).min(piece.text.len());
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(**byte, b'_' | b':');
    let before = piece.text[..at].iter().rev().take_while(is_part).count();
    let after = piece.text[at..].iter().take_while(is_part).count();
    let span = Span { start: offset - before as u32, end: offset + after as u32 };
    (span.start < span.end).then_some(span)
}
