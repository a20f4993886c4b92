//! Who calls a function, and what it calls.

use std::rc::Rc;

use lsp_types::{
    CallHierarchyIncomingCall, CallHierarchyIncomingCallsParams, CallHierarchyItem,
    CallHierarchyOutgoingCall, CallHierarchyOutgoingCallsParams, CallHierarchyPrepareParams, Range,
    SymbolKind,
};
use riverhawk_syntax::ast::FunctionDefinition;

use super::Refusal;
use super::definition::everywhere;
use super::outline::{form, items};
use crate::occurrences::{Role, Symbol};
use crate::place::Place;
use crate::program::Program;
use crate::server::{Asked, Server};

pub(crate) fn prepare(
    server: &mut Server<'_>,
    params: CallHierarchyPrepareParams,
) -> Result<Option<Vec<CallHierarchyItem>>, Refusal> {
    let at = params.text_document_position_params;
    let Some(asked) = server.asked(&at.text_document.uri, at.position) else { return Ok(None) };
    let Some(found) = asked.occurrence() else { return Ok(None) };
    let item = function(asked.program(), &found.symbol)
        .and_then(|function| of_function(server, asked.program(), function));
    Ok(item.map(|item| vec![item]))
}

fn function<'p>(program: &'p Program, symbol: &Symbol) -> Option<&'p FunctionDefinition> {
    let Symbol::Function(name) = symbol else { return None };
    program.functions().find(|(_, function)| *function.name == **name).map(|(_, it)| it)
}

fn of_function(
    server: &Server<'_>,
    program: &Program,
    function: &FunctionDefinition,
) -> Option<CallHierarchyItem> {
    Some(CallHierarchyItem {
        name: function.name.clone(),
        kind: SymbolKind::FUNCTION,
        tags: None,
        detail: Some(form(function)),
        uri: server.uri(program.place_at(function.span.start)?),
        range: program.range(function.span, server.encoding),
        selection_range: program.range(function.name_span, server.encoding),
        data: None,
    })
}

/// The function that an item is of.
fn asked(server: &mut Server<'_>, item: &CallHierarchyItem) -> Option<(Asked, Symbol)> {
    let asked = server.asked(&item.uri, item.selection_range.start)?;
    let symbol = asked.occurrence()?.symbol.clone();
    matches!(symbol, Symbol::Function(_)).then_some((asked, symbol))
}

pub(crate) fn incoming(
    server: &mut Server<'_>,
    params: CallHierarchyIncomingCallsParams,
) -> Result<Option<Vec<CallHierarchyIncomingCall>>, Refusal> {
    let Some((asked, symbol)) = asked(server, &params.item) else { return Ok(None) };
    let mut found: Vec<CallHierarchyIncomingCall> = Vec::new();
    for (program, call) in everywhere(server, &asked, &symbol) {
        if call.role != Role::Call {
            continue;
        }
        let Some(from) = caller(server, &program, call.span.start) else { continue };
        let range: Range = program.range(call.span, server.encoding);
        let is_from = |known: &&mut CallHierarchyIncomingCall| {
            known.from.uri == from.uri && known.from.selection_range == from.selection_range
        };
        match found.iter_mut().find(is_from) {
            Some(known) if known.from_ranges.contains(&range) => {}
            Some(known) => known.from_ranges.push(range),
            None => found.push(CallHierarchyIncomingCall { from, from_ranges: vec![range] }),
        }
    }
    Ok(Some(found))
}

/// The function or rule that an offset is in.
fn caller(server: &Server<'_>, program: &Rc<Program>, offset: u32) -> Option<CallHierarchyItem> {
    if let Some(number) = program.function_at(offset) {
        return of_function(server, program, &program.tree.functions[number as usize]);
    }
    let place = program.place_at(offset)?;
    let mut items = items(program, place).into_iter();
    let item = items.find(|item| (item.span.start..=item.span.end).contains(&offset))?;
    Some(CallHierarchyItem {
        name: item.name,
        kind: item.kind,
        tags: None,
        detail: None,
        uri: server.uri(place),
        range: program.range(item.span, server.encoding),
        selection_range: program.range(item.name_span, server.encoding),
        data: None,
    })
}

pub(crate) fn outgoing(
    server: &mut Server<'_>,
    params: CallHierarchyOutgoingCallsParams,
) -> Result<Option<Vec<CallHierarchyOutgoingCall>>, Refusal> {
    let item = params.item;
    let Some(asked) = server.asked(&item.uri, item.selection_range.start) else { return Ok(None) };
    let program = asked.program();
    let place = Place::of(&item.uri);
    // A function, or a rule, which calls but is not called.
    let [start, end] = [item.range.start, item.range.end]
        .map(|position| program.offset(&place, position, server.encoding));
    let (Some(start), Some(end)) = (start, end) else { return Ok(None) };
    let mut found: Vec<CallHierarchyOutgoingCall> = Vec::new();
    for call in program.occurrences().iter().filter(|it| it.role == Role::Call) {
        let is_inside = (start..end).contains(&call.span.start);
        let Some(callee) = function(program, &call.symbol).filter(|_| is_inside) else { continue };
        let Some(to) = of_function(server, program, callee) else { continue };
        let range = program.range(call.span, server.encoding);
        match found.iter_mut().find(|known| known.to == to) {
            Some(known) => known.from_ranges.push(range),
            None => found.push(CallHierarchyOutgoingCall { to, from_ranges: vec![range] }),
        }
    }
    Ok(Some(found))
}
