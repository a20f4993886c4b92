//! Semantic tokens: what each name and constant is.

use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens, SemanticTokensDelta,
    SemanticTokensDeltaParams, SemanticTokensEdit, SemanticTokensFullDeltaResult,
    SemanticTokensLegend, SemanticTokensParams, SemanticTokensRangeParams,
    SemanticTokensRangeResult, SemanticTokensResult,
};
use riverhawk_syntax::ast::{ExprKind, Span};
use riverhawk_syntax::keywords;
use riverhawk_syntax::source::SourcePiece;

use super::Refusal;
use crate::occurrences::{Occurrence, Role, Symbol, is_of_engine};
use crate::place::Place;
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
const KEYWORD: u32 = 0;
const FUNCTION: u32 = 1;
const VARIABLE: u32 = 2;
const PARAMETER: u32 = 3;
const PROPERTY: u32 = 4;
const STRING: u32 = 5;
const NUMBER: u32 = 6;
const REGEXP: u32 = 7;
const COMMENT: u32 = 8;
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
    let place = Place::of(&params.text_document.uri);
    let Some(data) = tokens(server, &place, None) else { return Ok(None) };
    Ok(Some(SemanticTokensResult::Tokens(remembered(server, place, data))))
}

/// An answer with all tokens, of which the next may tell the changes.
fn remembered(server: &mut Server<'_>, place: Place, data: Vec<SemanticToken>) -> SemanticTokens {
    let result_id = Some(server.last_tokens.replace(place, data.clone()).to_string());
    SemanticTokens { result_id, data }
}

/// What has changed since an answer: in a large text that is far less to send than all.
pub(crate) fn delta(
    server: &mut Server<'_>,
    params: SemanticTokensDeltaParams,
) -> Result<Option<SemanticTokensFullDeltaResult>, Refusal> {
    let place = Place::of(&params.text_document.uri);
    let Some(data) = tokens(server, &place, None) else { return Ok(None) };
    let Some(before) = server.last_tokens.take(&place, &params.previous_result_id) else {
        let tokens = remembered(server, place, data);
        return Ok(Some(SemanticTokensFullDeltaResult::Tokens(tokens)));
    };
    let edits = changes(&before, &data);
    let result_id = Some(server.last_tokens.replace(place, data).to_string());
    let delta = SemanticTokensDelta { result_id, edits };
    Ok(Some(SemanticTokensFullDeltaResult::TokensDelta(delta)))
}

/// One change from the first token that differs to the last. Numbers are counted, five a token.
fn changes(before: &[SemanticToken], now: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let same = |(a, b): &(&SemanticToken, &SemanticToken)| a == b;
    let start = before.iter().zip(now).take_while(same).count();
    let (before, now) = (&before[start..], &now[start..]);
    let end = before.iter().rev().zip(now.iter().rev()).take_while(same).count();
    let (deleted, inserted) = (&before[..before.len() - end], &now[..now.len() - end]);
    if deleted.is_empty() && inserted.is_empty() {
        return Vec::new();
    }
    vec![SemanticTokensEdit {
        start: 5 * start as u32,
        delete_count: 5 * deleted.len() as u32,
        data: Some(inserted.to_vec()),
    }]
}

pub(crate) fn range(
    server: &mut Server<'_>,
    params: SemanticTokensRangeParams,
) -> Result<Option<SemanticTokensRangeResult>, Refusal> {
    let place = Place::of(&params.text_document.uri);
    let data = tokens(server, &place, Some(params.range));
    let tokens = |data| SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data });
    Ok(data.map(tokens))
}

struct Token {
    span: Span,
    /// An index into [`TYPES`].
    kind: u32,
    modifiers: u32,
}

fn tokens(
    server: &mut Server<'_>,
    place: &Place,
    range: Option<lsp_types::Range>,
) -> Option<Vec<SemanticToken>> {
    let mut programs = server.programs_of(place);
    if !server.texts.is_script(place) {
        programs.truncate(1);
    }
    let mut encoded: Vec<SemanticToken> = Vec::new();
    let (mut last_line, mut last_column) = (0, 0);
    for program in programs {
        let (piece, lines) = program.text_at(place)?;
        let (base, text) = (piece.base, &piece.text);
        for token in of_program(&program, piece) {
            let (start, end) =
                ((token.span.start - base) as usize, (token.span.end - base) as usize);
            // A token of several lines becomes one of each.
            for line in lines.line_of(start)..=lines.line_of(end.saturating_sub(1).max(start)) {
                let inside = lines.line(text, line);
                let part = start.max(inside.start)..end.min(inside.end);
                let wanted =
                    range.is_none_or(|range| (range.start.line..=range.end.line).contains(&line));
                if part.is_empty() || !wanted {
                    continue;
                }
                let column = server.encoding.length(&text[inside.start..part.start]);
                let is_same_line = line == last_line;
                encoded.push(SemanticToken {
                    delta_line: line - last_line,
                    delta_start: column - if is_same_line { last_column } else { 0 },
                    length: server.encoding.length(&text[part]),
                    token_type: token.kind,
                    token_modifiers_bitset: token.modifiers,
                });
                (last_line, last_column) = (line, column);
            }
        }
    }
    Some(encoded)
}

/// The tokens of a text, in order and without overlap.
fn of_program(program: &Program, piece: &SourcePiece) -> Vec<Token> {
    let tree = &program.tree;
    let mut found: Vec<Token> = program.occurrences().iter().map(of_name).collect();
    let mut plain = |span: Span, kind| found.push(Token { span, kind, modifiers: 0 });
    for expr in &tree.exprs[..tree.exprs.len() - tree.synthesized] {
        match expr.kind {
            ExprKind::String(_) => plain(expr.span, STRING),
            ExprKind::Number(_) => plain(expr.span, NUMBER),
            ExprKind::Regex(_) | ExprKind::TypedRegex(_) => {
                plain(expr.span, REGEXP);
            }
            _ => {}
        }
    }
    tree.comments.iter().for_each(|span| plain(*span, COMMENT));
    let end = piece.base + piece.text.len() as u32;
    found.retain(|token| (piece.base..end).contains(&token.span.start));
    in_order(&mut found);
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
        Symbol::Global(name) => (VARIABLE, is_of_engine(name)),
        Symbol::Special(_) => (VARIABLE, true),
        Symbol::Param(..) => (PARAMETER, false),
        Symbol::Function(_) => (FUNCTION, false),
        Symbol::Builtin(_) | Symbol::Library(_) | Symbol::Written(_) => (FUNCTION, true),
        Symbol::Column(_) => (PROPERTY, false),
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
                STRING
            }
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'@' => {
                let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
                at += text[at..].iter().take_while(is_part).count();
                let word = std::str::from_utf8(&text[start..at]).unwrap_or_default();
                let is_directive = ["@include", "@load", "@namespace"].contains(&word);
                if !is_directive && !keywords().any(|keyword| keyword == word) {
                    continue;
                }
                KEYWORD
            }
            _ => continue,
        };
        let span = Span { start: base + start as u32, end: base + at as u32 };
        found.push(Token { span, kind, modifiers: 0 });
    }
}
