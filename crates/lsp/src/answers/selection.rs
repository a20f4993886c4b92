//! Selections that grow: word, expression, statement, rule, text.

use lsp_types::{SelectionRange, SelectionRangeParams};
use riverhawk_syntax::ast::Span;

use super::Refusal;
use super::outline::items;
use crate::place::Place;
use crate::server::Server;

pub(crate) fn selection(
    server: &mut Server<'_>,
    params: SelectionRangeParams,
) -> Result<Option<Vec<SelectionRange>>, Refusal> {
    let uri = params.text_document.uri;
    let place = Place::of(&uri);
    let mut found = Vec::new();
    for position in params.positions {
        let empty = lsp_types::Range::new(position, position);
        let nothing = SelectionRange { range: empty, parent: None };
        let Some(asked) = server.asked(&uri, position) else {
            found.push(nothing);
            continue;
        };
        let program = asked.program();
        let tree = &program.tree;
        let Some(piece) = program.piece(&place) else { continue };
        let text = Span { start: piece.base, end: piece.base + piece.text.len() as u32 };
        let in_text = &tree.exprs[..tree.exprs.len() - tree.synthesized];
        let mut spans: Vec<Span> = in_text.iter().map(|expr| expr.span).collect();
        spans.extend(tree.stmts.iter().map(|stmt| stmt.span));
        spans.extend(items(program, &place).into_iter().map(|item| item.span));
        spans.extend(super::hover::word_at(program, asked.offset));
        spans.push(text);
        spans.retain(|span| {
            (span.start..=span.end).contains(&asked.offset)
                && text.start <= span.start
                && span.end <= text.end
                && span.start < span.end
        });
        spans.sort_by_key(|span| (span.end - span.start, span.start));
        // Each holds the one before it.
        let mut nested: Vec<Span> = Vec::new();
        for span in spans {
            let holds =
                |inner: &Span| span.start <= inner.start && inner.end <= span.end && *inner != span;
            if nested.last().is_none_or(holds) {
                nested.push(span);
            }
        }
        let range = |span: &Span| program.range(*span, server.encoding);
        let outer = nested.iter().rev().fold(None, |parent, span| {
            Some(SelectionRange { range: range(span), parent: parent.map(Box::new) })
        });
        found.push(outer.unwrap_or(nothing));
    }
    Ok(Some(found))
}
