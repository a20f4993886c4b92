//! New names for variables and functions, checked by parsing what they would give.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use lsp_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use riverhawk_syntax::ast::{ExprKind, Span, Special};
use riverhawk_syntax::{is_reserved, is_variable_name};

use super::Refusal;
use super::definition::everywhere;
use crate::occurrences::{Occurrence, Symbol, is_of_engine};
use crate::place::Place;
use crate::program::Program;
use crate::server::{Asked, Server};

pub(crate) fn prepare(
    server: &mut Server<'_>,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>, Refusal> {
    let Some(asked) = server.asked(&params.text_document.uri, params.position) else {
        return Ok(None);
    };
    let Some(found) = asked.occurrence().cloned() else { return Ok(None) };
    check_symbol(server, &asked, &found.symbol)?;
    let own = own_part(asked.program(), found.span);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: asked.program().range(own, server.encoding),
        placeholder: asked.program().text(own),
    }))
}

/// The name without its namespace.
fn own_part(program: &Program, span: Span) -> Span {
    let text = program.text(span);
    let length = text.rsplit("::").next().map_or(text.len(), str::len);
    Span { start: span.end - length as u32, end: span.end }
}

/// Why a symbol must keep its name.
fn check_symbol(server: &mut Server<'_>, asked: &Asked, symbol: &Symbol) -> Result<(), Refusal> {
    match symbol {
        Symbol::Special(special) => {
            return Refusal::new(format!("{} is a variable of the engine", special.name()));
        }
        Symbol::Global(name) if is_of_engine(name) => {
            return Refusal::new(format!("{name} is an array of the engine"));
        }
        Symbol::Builtin(builtin) => {
            return Refusal::new(format!("{} is a built-in function", builtin.name()));
        }
        Symbol::Library(function) => {
            return Refusal::new(format!("{} is a function of the library", function.name()));
        }
        Symbol::Written(name) => {
            return Refusal::new(format!("{name} is a function of the library"));
        }
        Symbol::Column(name) => {
            return Refusal::new(format!("@\"{name}\" is a column of the input"));
        }
        Symbol::Param(..) | Symbol::Global(_) | Symbol::Function(_) => {}
    }
    let mut programs: Vec<Rc<Program>> =
        everywhere(server, asked, symbol).into_iter().map(|(program, _)| program).collect();
    programs.dedup_by(|a, b| Rc::ptr_eq(a, b));
    for program in programs {
        if program.is_broken {
            let message = format!("{} has errors: not every use is known", program.root.name());
            return Refusal::new(message);
        }
        match symbol {
            Symbol::Function(name) => check_calls_by_name(&program, name)?,
            Symbol::Global(name) => check_symtab(&program, name)?,
            _ => {}
        }
    }
    Ok(())
}

/// Refuses a function that may be called by the text of its name.
fn check_calls_by_name(program: &Program, name: &str) -> Result<(), Refusal> {
    let tree = &program.tree;
    let in_text = &tree.exprs[..tree.exprs.len() - tree.synthesized];
    let in_own = |span: Span| !program.sources.is_in_library(span);
    let at = |span: Span| {
        let place = program.place_at(span.start).map_or(String::new(), Place::name);
        format!("{place}:{}", program.line(span.start) + 1)
    };
    for expr in in_text.iter().filter(|expr| in_own(expr.span)) {
        match &expr.kind {
            ExprKind::String(text) if text == name.as_bytes() => {
                return Refusal::new(format!(
                    "the string \"{name}\" ({}) may name this function for an indirect call or a sort",
                    at(expr.span)
                ));
            }
            ExprKind::IndirectCall { name: variable, .. } => {
                let occurrence = program.occurrence_at(tree[*variable].span.start);
                let is_known =
                    occurrence.is_some_and(|found| holds_only_texts(program, &found.symbol));
                if !is_known {
                    return Refusal::new(format!(
                        "the indirect call `{}` ({}) may call this function by its name",
                        program.text(expr.span),
                        at(expr.span)
                    ));
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether all that a variable is assigned is texts in the program.
fn holds_only_texts(program: &Program, symbol: &Symbol) -> bool {
    if !matches!(symbol, Symbol::Global(_)) {
        return false;
    }
    let texts: Vec<u32> = program
        .tree
        .exprs
        .iter()
        .filter_map(|expr| match expr.kind {
            ExprKind::Assign { op: None, target, value } => {
                let is_text = matches!(program.tree[value].kind, ExprKind::String(_));
                is_text.then_some(program.tree[target].span.start)
            }
            _ => None,
        })
        .collect();
    let occurrences = program.occurrences();
    let writes: Vec<u32> = occurrences
        .of_symbol(symbol)
        .filter(|it| it.role == crate::occurrences::Role::Write)
        .map(|it| it.span.start)
        .collect();
    !writes.is_empty() && writes.iter().all(|start| texts.contains(start))
}

fn check_symtab(program: &Program, name: &str) -> Result<(), Refusal> {
    let uses = program.tree.globals.iter().any(|global| global.name == "SYMTAB");
    if uses {
        return Refusal::new(format!("the program may reach `{name}` by its name, through SYMTAB"));
    }
    Ok(())
}

pub(crate) fn rename(
    server: &mut Server<'_>,
    params: RenameParams,
) -> Result<Option<WorkspaceEdit>, Refusal> {
    let at = params.text_document_position;
    let Some(asked) = server.asked(&at.text_document.uri, at.position) else { return Ok(None) };
    let Some(symbol) = asked.occurrence().map(|found| found.symbol.clone()) else {
        return Ok(None);
    };
    check_symbol(server, &asked, &symbol)?;
    let new = params.new_name;
    check_name(&new)?;
    let found = everywhere(server, &asked, &symbol);
    let mut programs: Vec<Rc<Program>> = found.iter().map(|(program, _)| program.clone()).collect();
    programs.dedup_by(|a, b| Rc::ptr_eq(a, b));
    let mut edits: BTreeMap<Place, BTreeMap<u32, (u32, String)>> = BTreeMap::new();
    #[expect(clippy::mutable_key_type, reason = "the protocol's type; an address does not change")]
    let mut ranges: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for (program, it) in &found {
        let (Some(place), Some(piece)) =
            (program.place_at(it.span.start), program.sources.piece_at(it.span.start))
        else {
            continue;
        };
        let (span, text) = replacement(program, it, &new);
        let of_place = edits.entry(place.clone()).or_default();
        let (start, end) = (span.start - piece.base, span.end - piece.base);
        if of_place.insert(start, (end, text.clone())).is_none() {
            let range = program.range(span, server.encoding);
            ranges.entry(server.uri(place)).or_default().push(TextEdit::new(range, text));
        }
    }
    for program in programs {
        check_meaning(&program, &edits, &symbol, &new)?;
    }
    Ok(Some(WorkspaceEdit { changes: Some(ranges), ..WorkspaceEdit::default() }))
}

fn check_name(new: &str) -> Result<(), Refusal> {
    if new.contains("::") || !is_variable_name(new) {
        return Refusal::new(format!("`{new}` is not a name: letters, digits and underscores"));
    }
    if is_reserved(new) || Special::from_name(new).is_some() || is_of_engine(new) {
        return Refusal::new(format!("`{new}` is a word of the language"));
    }
    Ok(())
}

/// What a name becomes, and where. A plain name within a namespace may need `awk::`.
fn replacement(program: &Program, found: &Occurrence, new: &str) -> (Span, String) {
    let is_plain_symbol = match &found.symbol {
        Symbol::Global(name) | Symbol::Function(name) => !name.contains("::"),
        _ => false,
    };
    let is_plain_text = !program.text(found.span).contains("::");
    let is_capital = new.bytes().all(|byte| byte.is_ascii_uppercase());
    let is_foreign = program.namespace_at(found.span.start) != "awk";
    match is_plain_symbol && is_plain_text && is_foreign && !is_capital {
        true => (found.span, format!("awk::{new}")),
        false => (own_part(program, found.span), new.to_owned()),
    }
}

/// Parses the changed texts: every other name must mean what it did.
fn check_meaning(
    program: &Program,
    edits: &BTreeMap<Place, BTreeMap<u32, (u32, String)>>,
    symbol: &Symbol,
    new: &str,
) -> Result<(), Refusal> {
    let changed = program.with_texts(&|place, text| {
        let mut changed = text.to_vec();
        for (start, (end, new)) in edits.get(place).into_iter().flatten().rev() {
            let range = *start as usize..*end as usize;
            if range.end <= changed.len() {
                changed.splice(range, new.bytes());
            }
        }
        changed
    });
    let qualified = |name: &str| match name.rsplit_once("::") {
        Some((namespace, _)) => format!("{namespace}::{new}"),
        None => new.to_owned(),
    };
    let expected = |old: &Symbol| match (old, symbol) {
        (Symbol::Global(name), _) if old == symbol => Symbol::Global(qualified(name).into()),
        (Symbol::Function(name), _) if old == symbol => Symbol::Function(qualified(name).into()),
        (Symbol::Param(function, at), Symbol::Function(name)) if function == name => {
            Symbol::Param(qualified(name).into(), *at)
        }
        _ => old.clone(),
    };
    // Texts keep their order, so names do, too.
    let before = program.occurrences().iter().map(|it| (expected(&it.symbol), it.role));
    let after = changed.occurrences().iter().map(|it| (it.symbol.clone(), it.role));
    match !changed.is_broken && before.eq(after) {
        true => Ok(()),
        false => Refusal::new(format!(
            "`{new}` has another meaning in {}: names would be mixed up",
            program.root.name()
        )),
    }
}
