//! Semantic tokens: what each name and constant is.

use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensLegend,
    SemanticTokensParams, SemanticTokensRangeParams, SemanticTokensRangeResult,
    SemanticTokensResult, Uri,
};
use riverhawk_syntax::ast::{ExprKind, Span};
use riverhawk_syntax::keywords;

use super::Refusal;
use crate::occurrences::{Occurrence, Role, Symbol, is_of_engine};
use crate::place::Place;
use crate::position::Lines;
use crate::program::Program;
use crate::server::Server;

const TYPES: [SemanticTokenType; 9] = [
    SemanticTokenType::KEYWORD,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::VARIABLE,
    SemanticTokenType::PARAMETER,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::STRING,
    SemanticTokenType::NUMBER,
    SemanticTokenType::REGEXP,
    SemanticTokenType::COMMENT,
];
const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DEFINITION,
    SemanticTokenModifier::MODIFICATION,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];
const DEFINITION: u32 = 1;
const MODIFICATION: u32 = 2;
const DEFAULT_LIBRARY: u32 = 4;

pub(crate) fn legend() -> SemanticTokensLegend {
    SemanticTokensLegend { token_types: TYPES.to_vec(), token_modifiers: MODIFIERS.to_vec() }
}

pub(crate) fn full(
    server: &mut Server<'_>,
    params: SemanticTokensParams,
) -> Result<Option<SemanticTokensResult>, Refusal> {
    let tokens = tokens(server, &params.text_document.uri, None);
    Ok(tokens.map(SemanticTokensResult::Tokens))
}

pub(crate) fn range(
    server: &mut Server<'_>,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>, Refusal> {
    let tokens = tokens(server, &params.text_document.uri, Some(params.range));
    Ok(tokens.map(SemanticTokensRangeResult::Tokens))
}

struct Token {
    span: Span,
    kind: SemanticTokenType,
    modifiers: u32,
}

fn tokens(
    server: &mut Server<'_>,
    uri: &Uri,
    range: Option<lsp_types::Range>,
) -> Option<SemanticTokens> {
    let place = Place::of(uri);
    let mut programs = server.programs_of(&place);
    if !server.texts.is_script(&place) {
        programs.truncate(1);
    }
    let text = server.texts.get(&place)?;
    let lines = Lines::of(&text);
    let mut encoded: Vec<SemanticToken> = Vec::new();
    let (mut last_line, mut last_column) = (0, 0);
    for program in programs {
        let base = program.piece(&place)?.base;
        for token in of_program(&program, &place) {
            let (start, end) =
                ((token.span.start - base) as usize, (token.span.end - base) as usize);
            // A token of several lines becomes one of each.
            for line in lines.line_of(start)..=lines.line_of(end.saturating_sub(1).max(start)) {
                let inside = lines.line(&text, line);
                let part = start.max(inside.start)..end.min(inside.end);
                let wanted =
                    range.is_none_or(|range| (range.start.line..=range.end.line).contains(&line));
                if part.is_empty() || !wanted {
                    continue;
                }
                let at = lines.position(&text, part.start, server.encoding);
                let is_same_line = at.line == last_line;
                let kind = TYPES.iter().position(|kind| *kind == token.kind)?;
                encoded.push(SemanticToken {
                    delta_line: at.line - last_line,
                    delta_start: at.character - if is_same_line { last_column } else { 0 },
                    length: server.encoding.length(&text[part]),
                    token_type: kind as u32,
                    token_modifiers_bitset: token.modifiers,
                });
                (last_line, last_column) = (at.line, at.character);
            }
        }
    }
    Some(SemanticTokens { result_id: None, data: encoded })
}

/// The tokens of a text, in order and without overlap.
fn of_program(program: &Program, place: &Place) -> Vec<Token> {
    let tree = &program.tree;
    let mut found: Vec<Token> = program.occurrences().iter().map(of_name).collect();
    let mut plain = |span: Span, kind| found.push(Token { span, kind, modifiers: 0 });
    for expr in &tree.exprs[..tree.exprs.len() - tree.synthesized] {
        match expr.kind {
            ExprKind::String(_) => plain(expr.span, SemanticTokenType::STRING),
            ExprKind::Number(_) => plain(expr.span, SemanticTokenType::NUMBER),
            ExprKind::Regex(_) | ExprKind::TypedRegex(_) => {
                plain(expr.span, SemanticTokenType::REGEXP);
            }
            _ => {}
        }
    }
    tree.comments.iter().for_each(|span| plain(*span, SemanticTokenType::COMMENT));
    found.retain(|token| program.place_at(token.span.start) == Some(place));
    in_order(&mut found);
    let Some(piece) = program.piece(place) else { return Vec::new() };
    let end = piece.base + piece.text.len() as u32;
    let mut words = Vec::new();
    let mut from = piece.base;
    for gap_end in found.iter().map(|token| token.span).chain([Span { start: end, end }]) {
        let text = &piece.text[(from.min(gap_end.start) - piece.base) as usize
            ..(gap_end.start - piece.base) as usize];
        keywords_in(text, from, &mut words);
        from = gap_end.end;
    }
    found.extend(words);
    in_order(&mut found);
    found
}

fn in_order(tokens: &mut Vec<Token>) {
    tokens.sort_by_key(|token| token.span.start);
    let mut end = 0;
    tokens.retain(|token| {
        let is_next = token.span.start >= end;
        end = if is_next { token.span.end } else { end };
        is_next
    });
}

fn of_name(found: &Occurrence) -> Token {
    let (kind, library) = match &found.symbol {
        Symbol::Global(name) => (SemanticTokenType::VARIABLE, is_of_engine(name)),
        Symbol::Special(_) => (SemanticTokenType::VARIABLE, true),
        Symbol::Param(..) => (SemanticTokenType::PARAMETER, false),
        Symbol::Function(_) => (SemanticTokenType::FUNCTION, false),
        Symbol::Builtin(_) | Symbol::Library(_) | Symbol::Written(_) => {
            (SemanticTokenType::FUNCTION, true)
        }
        Symbol::Column(_) => (SemanticTokenType::PROPERTY, false),
    };
    let role = match found.role {
        Role::Definition => DEFINITION,
        Role::Write => MODIFICATION,
        Role::Read | Role::Call => 0,
    };
    Token { span: found.span, kind, modifiers: role | if library { DEFAULT_LIBRARY } else { 0 } }
}

/// Keywords in text that has no other tokens. Strings remain in statements with errors, and in
/// directives.
fn keywords_in(text: &[u8], base: u32, found: &mut Vec<Token>) {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let start = at;
        at += 1;
        let kind = match byte {
            b'"' => {
                let rest = &text[at..];
                let inside = rest.iter().position(|byte| b"\"\n".contains(byte));
                at +=
                    inside.map_or(rest.len(), |length| length + usize::from(rest[length] == b'"'));
                SemanticTokenType::STRING
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'@' => {
                let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                at += text[at..].iter().take_while(is_part).count();
                let word = std::str::from_utf8(&text[start..at]).unwrap_or_default();
                let is_directive = ["@include", "@load", "@namespace"].contains(&word);
                if !is_directive && !keywords().any(|keyword| keyword == word) {
                    continue;
                }
                SemanticTokenType::KEYWORD
            }
            _ => continue,
        };
        let span = Span { start: base + start as u32, end: base + at as u32 };
        found.push(Token { span, kind, modifiers: 0 });
    }
}
