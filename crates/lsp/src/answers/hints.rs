//! Inlay hints: what parameters and globals hold, where they are first named.

use std::collections::HashSet;

use lsp_types::{InlayHint, InlayHintKind, InlayHintLabel, InlayHintParams, Position};

use super::Refusal;
use super::kinds::Kinds;
use crate::occurrences::{Role, Symbol};
use crate::place::Place;
use crate::server::Server;

pub(crate) fn hints(
    server: &mut Server<'_>,
    params: InlayHintParams,
) -> Result<Option<Vec<InlayHint>>, Refusal> {
    let place = Place::of(&params.text_document.uri);
    let mut programs = server.programs_of(&place);
    if !server.texts.is_script(&place) {
        programs.truncate(1);
    }
    let mut hints = Vec::new();
    for program in programs {
        let kinds = Kinds::of(&program);
        let mut seen: HashSet<&Symbol> = HashSet::new();
        for found in program.occurrences().iter() {
            let is_first = match (&found.symbol, found.role) {
                (Symbol::Param(..), Role::Definition) => true,
                (Symbol::Global(_), Role::Write) => {
                    found.symbol.is_own() && seen.insert(&found.symbol)
                }
                _ => false,
            };
            if !is_first || program.place_at(found.span.start) != Some(&place) {
                continue;
            }
            let Some(kind) = kinds.get(&program, &found.symbol) else { continue };
            let position: Position = program.range(found.span, server.encoding).end;
            if position < params.range.start || params.range.end < position {
                continue;
            }
            hints.push(InlayHint {
                position,
                label: InlayHintLabel::String(format!(": {}", kind.name())),
                kind: Some(InlayHintKind::TYPE),
                text_edits: None,
                tooltip: None,
                padding_left: None,
                padding_right: None,
                data: None,
            });
        }
    }
    Ok(Some(hints))
}
