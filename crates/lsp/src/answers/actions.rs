//! Quick fixes: those of the findings.

use std::collections::HashMap;

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CodeActionResponse, Range,
    WorkspaceEdit,
};

use super::Refusal;
use crate::diagnostics::Proposal;
use crate::place::Place;
use crate::server::Server;

pub(crate) fn actions(
    server: &mut Server<'_>,
    params: CodeActionParams,
) -> Result<Option<CodeActionResponse>, Refusal> {
    let uri = params.text_document.uri;
    let place = Place::of(&uri);
    let diagnostics = server.diagnostics().remove(&place).unwrap_or_default();
    let asked = params.range;
    let touches = |range: Range| range.start <= asked.end && asked.start <= range.end;
    let mut found = Vec::new();
    for diagnostic in diagnostics.into_iter().filter(|it| touches(it.range)) {
        let proposals = diagnostic.data.as_ref().map(Proposal::all).unwrap_or_default();
        for (number, Proposal { title, edits }) in proposals.into_iter().enumerate() {
            found.push(CodeActionOrCommand::CodeAction(CodeAction {
                title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![diagnostic.clone()]),
                edit: Some(WorkspaceEdit {
                    changes: Some(HashMap::from([(uri.clone(), edits)])),
                    ..WorkspaceEdit::default()
                }),
                // The first is the best.
                is_preferred: Some(number == 0),
                ..CodeAction::default()
            }));
        }
    }
    Ok(Some(found))
}
