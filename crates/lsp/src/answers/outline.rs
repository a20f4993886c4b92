//! Symbols of a text and of the workspace, and what can be folded.

use std::rc::Rc;

use lsp_types::{
    DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse, FoldingRange, FoldingRangeKind,
    FoldingRangeParams, Location, OneOf, SymbolKind, Uri, WorkspaceSymbol, WorkspaceSymbolParams,
    WorkspaceSymbolResponse,
};
use riverhawk_syntax::ast::{FunctionDefinition, RulePattern, Span, StmtKind};

use super::Refusal;
use crate::place::Place;
use crate::program::Program;
use crate::server::Server;

/// A rule or function of a text.
pub(super) struct Item {
    pub name: String,
    pub span: Span,
    /// What is shown as selected: the name.
    pub name_span: Span,
    pub kind: SymbolKind,
    pub detail: Option<String>,
}

/// The rules and functions of a text, in its order.
pub(super) fn items(program: &Program, place: &Place) -> Vec<Item> {
    let tree = &program.tree;
    let specials = [
        ("BEGIN", &tree.begin),
        ("BEGINFILE", &tree.begin_file),
        ("ENDFILE", &tree.end_file),
        ("END", &tree.end),
    ];
    let mut items: Vec<Item> = Vec::new();
    for (name, actions) in specials {
        items.extend(actions.iter().map(|action| Item {
            name: name.to_owned(),
            span: action.span,
            name_span: Span {
                start: action.span.start,
                end: action.span.start + name.len() as u32,
            },
            kind: SymbolKind::EVENT,
            detail: None,
        }));
    }
    for rule in &tree.rules {
        let pattern = match rule.pattern {
            RulePattern::Always => None,
            RulePattern::Expr(pattern) => Some(tree[pattern].span),
            RulePattern::Range(first, last) => {
                Some(Span { start: tree[first].span.start, end: tree[last].span.end })
            }
        };
        let name = pattern.map_or("{ ... }".to_owned(), |span| one_line(&program.text(span)));
        let start = rule.span.start;
        let name_span = pattern.unwrap_or(Span { start, end: start + 1 });
        items.push(Item {
            name,
            span: rule.span,
            name_span,
            kind: SymbolKind::EVENT,
            detail: None,
        });
    }
    for (_, function) in program.functions() {
        items.push(Item {
            name: function.name.clone(),
            span: function.span,
            name_span: function.name_span,
            kind: SymbolKind::FUNCTION,
            detail: Some(form(function)),
        });
    }
    items.retain(|item| program.place_at(item.span.start) == Some(place));
    items.sort_by_key(|item| item.span.start);
    items
}

/// `(a, b)`.
pub(super) fn form(function: &FunctionDefinition) -> String {
    let names: Vec<&str> = function
        .params
        .iter()
        .map(|param| param.name.rsplit("::").next().unwrap_or_default())
        .filter(|name| !name.is_empty())
        .collect();
    format!("({})", names.join(", "))
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ");
    match text.char_indices().nth(60) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None if text.is_empty() => "rule".to_owned(),
        None => text,
    }
}

/// The programs whose main text, or included text, this is: in a script, all.
fn of_text(server: &mut Server<'_>, uri: &Uri) -> (Place, Vec<Rc<Program>>) {
    let place = Place::of(uri);
    let mut programs = server.programs_of(&place);
    if !server.texts.is_script(&place) {
        programs.truncate(1);
    }
    (place, programs)
}

pub(crate) fn document(
    server: &mut Server<'_>,
    params: DocumentSymbolParams,
) -> Result<Option<DocumentSymbolResponse>, Refusal> {
    let (place, programs) = of_text(server, &params.text_document.uri);
    let encoding = server.encoding;
    let symbol = |program: &Program, item: Item| {
        #[expect(deprecated, reason = "the type has the field")]
        DocumentSymbol {
            name: item.name,
            detail: item.detail,
            kind: item.kind,
            tags: None,
            deprecated: None,
            range: program.range(item.span, encoding),
            selection_range: program.range(item.name_span, encoding),
            children: None,
        }
    };
    let symbols = programs
        .iter()
        .flat_map(|program| items(program, &place).into_iter().map(|item| symbol(program, item)));
    Ok(Some(DocumentSymbolResponse::Nested(symbols.collect())))
}

pub(crate) fn workspace(
    server: &mut Server<'_>,
    params: WorkspaceSymbolParams,
) -> Result<Option<WorkspaceSymbolResponse>, Refusal> {
    let wanted = params.query.to_lowercase();
    let mut found: Vec<WorkspaceSymbol> = Vec::new();
    for program in server.all_programs() {
        for (_, function) in program.functions() {
            if !is_subsequence(&wanted, &function.name.to_lowercase()) {
                continue;
            }
            let Some(place) = program.place_at(function.name_span.start) else { continue };
            let range = program.range(function.name_span, server.encoding);
            found.push(WorkspaceSymbol {
                name: function.name.clone(),
                kind: SymbolKind::FUNCTION,
                tags: None,
                container_name: None,
                location: OneOf::Left(Location::new(server.uri(place), range)),
                data: None,
            });
        }
    }
    let key = |symbol: &WorkspaceSymbol| match &symbol.location {
        OneOf::Left(at) => (symbol.name.clone(), at.uri.to_string(), at.range.start),
        OneOf::Right(at) => (symbol.name.clone(), at.uri.to_string(), Default::default()),
    };
    found.sort_by_cached_key(key);
    found.dedup_by_key(|symbol| key(symbol));
    Ok(Some(WorkspaceSymbolResponse::Nested(found)))
}

fn is_subsequence(wanted: &str, text: &str) -> bool {
    let mut letters = text.chars();
    wanted.chars().all(|letter| letters.any(|other| other == letter))
}

pub(crate) fn folding(
    server: &mut Server<'_>,
    params: FoldingRangeParams,
) -> Result<Option<Vec<FoldingRange>>, Refusal> {
    let (place, programs) = of_text(server, &params.text_document.uri);
    let mut lines: Vec<(u32, u32, Option<FoldingRangeKind>)> = Vec::new();
    for program in programs {
        let of_text = |span: &Span| program.place_at(span.start) == Some(&place);
        let mut spans: Vec<Span> =
            items(&program, &place).into_iter().map(|item| item.span).collect();
        let blocks = program
            .tree
            .stmts
            .iter()
            .filter(|stmt| matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Switch { .. }));
        spans.extend(blocks.map(|stmt| stmt.span).filter(of_text));
        for span in spans {
            lines.push((program.line(span.start), program.line(last(span)), None));
        }
        let mut comments: Vec<u32> = program
            .tree
            .comments
            .iter()
            .filter(|span| of_text(span))
            .map(|span| program.line(span.start))
            .collect();
        comments.sort_unstable();
        for run in comments.chunk_by(|a, b| a + 1 == *b) {
            lines.push((run[0], run[run.len() - 1], Some(FoldingRangeKind::Comment)));
        }
    }
    lines.retain(|(start, end, _)| start < end);
    lines.sort_by_key(|(start, end, _)| (*start, *end));
    lines.dedup_by_key(|(start, end, _)| (*start, *end));
    let ranges = lines.into_iter().map(|(start_line, end_line, kind)| FoldingRange {
        start_line,
        end_line,
        kind,
        ..FoldingRange::default()
    });
    Ok(Some(ranges.collect()))
}

fn last(span: Span) -> u32 {
    span.end.saturating_sub(1).max(span.start)
}
