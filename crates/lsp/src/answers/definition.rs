//! Where names are defined and used.

use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, ReferenceParams,
};
use riverhawk_syntax::ast::{DirectiveKind, Span};

use super::Refusal;
use crate::occurrences::{Occurrence, Role, Symbol};
use crate::place::Place;
use crate::program::Program;
use crate::server::{Asked, Server};

/// Locations without doubles, in order.
pub(super) fn sorted(mut found: Vec<Location>) -> Vec<Location> {
    found.sort_by_cached_key(|at| (at.uri.to_string(), at.range.start, at.range.end));
    found.dedup();
    found
}

fn location(server: &Server<'_>, program: &Program, span: Span) -> Option<Location> {
    let place = program.place_at(span.start)?;
    Some(Location::new(server.uri(place), program.range(span, server.encoding)))
}

pub(crate) fn definition(
    server: &mut Server<'_>,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Refusal> {
    let at = params.text_document_position_params;
    let Some(asked) = server.asked(&at.text_document.uri, at.position) else { return Ok(None) };
    if let Some(file) = included(server, &asked) {
        return Ok(Some(GotoDefinitionResponse::Scalar(file)));
    }
    let Some(symbol) = asked.occurrence().map(|found| found.symbol.clone()) else {
        return Ok(None);
    };
    let mut found = Vec::new();
    for program in &asked.programs {
        let of_symbol = || program.occurrences().of_symbol(&symbol);
        let defined: Vec<&Occurrence> =
            of_symbol().filter(|it| it.role == Role::Definition).collect();
        // A global has no definition: its first assignment is nearest to one.
        let assigned = || of_symbol().filter(|it| it.role == Role::Write).take(1).collect();
        let defined = if defined.is_empty() { assigned() } else { defined };
        found.extend(defined.iter().filter_map(|it| location(server, program, it.span)));
    }
    Ok(Some(GotoDefinitionResponse::Array(sorted(found))))
}

/// The file of the `@include` at the position.
fn included(server: &Server<'_>, asked: &Asked) -> Option<Location> {
    let program = asked.program();
    let directive =
        program.tree.directives.iter().find(|directive| {
            (directive.span.start..=directive.span.end).contains(&asked.offset)
        })?;
    let DirectiveKind::Include(Some(piece)) = directive.kind else { return None };
    let start = program.sources.pieces()[piece].base;
    location(server, program, Span { start, end: start })
}

/// Where a symbol is named in all of the workspace; a parameter only in its function.
pub(super) fn everywhere(
    server: &mut Server<'_>,
    asked: &Asked,
    symbol: &Symbol,
) -> Vec<(std::rc::Rc<Program>, Occurrence)> {
    // What the engine has is the same in every program, but only these ask for it.
    let programs = match symbol {
        Symbol::Function(_) | Symbol::Global(_) => with_definition(server, asked, symbol),
        _ => asked.programs.clone(),
    };
    let mut found = Vec::new();
    for program in programs {
        let of_symbol: Vec<Occurrence> = program.occurrences().of_symbol(symbol).cloned().collect();
        found.extend(of_symbol.into_iter().map(|it| (program.clone(), it)));
    }
    found
}

/// The programs that the text is part of, and those that share a text which names the symbol.
fn with_definition(
    server: &mut Server<'_>,
    asked: &Asked,
    symbol: &Symbol,
) -> Vec<std::rc::Rc<Program>> {
    let mut programs = asked.programs.clone();
    let mut at = 0;
    while let Some(program) = programs.get(at).cloned() {
        let mut places: Vec<Place> = program
            .occurrences()
            .of_symbol(symbol)
            .filter_map(|found| program.place_at(found.span.start).cloned())
            .collect();
        places.sort();
        places.dedup();
        for place in places {
            for other in server.programs_of(&place) {
                let is_known = programs.iter().any(|it| std::rc::Rc::ptr_eq(it, &other));
                if !is_known && !server.texts.is_script(&place) {
                    programs.push(other);
                }
            }
        }
        at += 1;
    }
    programs
}

pub(crate) fn references(
    server: &mut Server<'_>,
    params: ReferenceParams,
) -> Result<Option<Vec<Location>>, Refusal> {
    let at = params.text_document_position;
    let Some(asked) = server.asked(&at.text_document.uri, at.position) else { return Ok(None) };
    let Some(symbol) = asked.occurrence().map(|found| found.symbol.clone()) else {
        return Ok(None);
    };
    let with_definition = params.context.include_declaration;
    let found = everywhere(server, &asked, &symbol);
    let wanted = found.iter().filter(|(_, it)| with_definition || it.role != Role::Definition);
    let found = wanted.filter_map(|(program, it)| location(server, program, it.span)).collect();
    Ok(Some(sorted(found)))
}

pub(crate) fn highlights(
    server: &mut Server<'_>,
    params: DocumentHighlightParams,
) -> Result<Option<Vec<DocumentHighlight>>, Refusal> {
    let at = params.text_document_position_params;
    let place = Place::of(&at.text_document.uri);
    let Some(asked) = server.asked(&at.text_document.uri, at.position) else { return Ok(None) };
    let (program, Some(found)) = (asked.program(), asked.occurrence()) else { return Ok(None) };
    let here = program
        .occurrences()
        .of_symbol(&found.symbol)
        .filter(|it| program.place_at(it.span.start) == Some(&place));
    let highlights = here.map(|it| DocumentHighlight {
        range: program.range(it.span, server.encoding),
        kind: Some(match it.role {
            Role::Write | Role::Definition => DocumentHighlightKind::WRITE,
            Role::Read | Role::Call => DocumentHighlightKind::READ,
        }),
    });
    Ok(Some(highlights.collect()))
}
