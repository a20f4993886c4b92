//! From a message to the function that answers it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lsp_server::{ErrorCode, Notification, Request, Response};
use lsp_types::notification::{
    DidChangeConfiguration, DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument,
    DidOpenTextDocument, DidSaveTextDocument, Notification as Notice,
};
use lsp_types::request::{
    CallHierarchyIncomingCalls, CallHierarchyOutgoingCalls, CallHierarchyPrepare,
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest,
    DocumentSymbolRequest, FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest,
    InlayHintRequest, PrepareRenameRequest, RangeFormatting, References, Rename,
    Request as Question, SelectionRangeRequest, SemanticTokensFullDeltaRequest,
    SemanticTokensFullRequest, SemanticTokensRangeRequest, SignatureHelpRequest,
    WorkspaceSymbolRequest,
};

use crate::answers::{
    Refusal, actions, calls, completion, definition, formatting, hints, hover, lenses, outline,
    rename, selection, signature, tokens,
};
use crate::place::Place;
use crate::server::Server;
use crate::settings::Settings;

type Answer<Q> = Result<<Q as Question>::Result, Refusal>;

impl Server<'_> {
    pub(crate) fn answer(&mut self, request: Request) -> Response {
        match &*request.method {
            DocumentSymbolRequest::METHOD => {
                self.ask::<DocumentSymbolRequest>(request, outline::document)
            }
            WorkspaceSymbolRequest::METHOD => {
                self.ask::<WorkspaceSymbolRequest>(request, outline::workspace)
            }
            FoldingRangeRequest::METHOD => {
                self.ask::<FoldingRangeRequest>(request, outline::folding)
            }
            GotoDefinition::METHOD => self.ask::<GotoDefinition>(request, definition::definition),
            References::METHOD => self.ask::<References>(request, definition::references),
            DocumentHighlightRequest::METHOD => {
                self.ask::<DocumentHighlightRequest>(request, definition::highlights)
            }
            PrepareRenameRequest::METHOD => {
                self.ask::<PrepareRenameRequest>(request, rename::prepare)
            }
            Rename::METHOD => self.ask::<Rename>(request, rename::rename),
            HoverRequest::METHOD => self.ask::<HoverRequest>(request, hover::hover),
            Completion::METHOD => self.ask::<Completion>(request, completion::completion),
            SignatureHelpRequest::METHOD => {
                self.ask::<SignatureHelpRequest>(request, signature::signature)
            }
            CodeActionRequest::METHOD => self.ask::<CodeActionRequest>(request, actions::actions),
            Formatting::METHOD => self.ask::<Formatting>(request, formatting::whole),
            RangeFormatting::METHOD => self.ask::<RangeFormatting>(request, formatting::range),
            SemanticTokensFullRequest::METHOD => {
                self.ask::<SemanticTokensFullRequest>(request, tokens::full)
            }
            SemanticTokensFullDeltaRequest::METHOD => {
                self.ask::<SemanticTokensFullDeltaRequest>(request, tokens::delta)
            }
            SemanticTokensRangeRequest::METHOD => {
                self.ask::<SemanticTokensRangeRequest>(request, tokens::range)
            }
            SelectionRangeRequest::METHOD => {
                self.ask::<SelectionRangeRequest>(request, selection::selection)
            }
            InlayHintRequest::METHOD => self.ask::<InlayHintRequest>(request, hints::hints),
            CallHierarchyPrepare::METHOD => {
                self.ask::<CallHierarchyPrepare>(request, calls::prepare)
            }
            CallHierarchyIncomingCalls::METHOD => {
                self.ask::<CallHierarchyIncomingCalls>(request, calls::incoming)
            }
            CallHierarchyOutgoingCalls::METHOD => {
                self.ask::<CallHierarchyOutgoingCalls>(request, calls::outgoing)
            }
            CodeLensRequest::METHOD => self.ask::<CodeLensRequest>(request, lenses::lenses),
            other => Response::new_err(
                request.id.clone(),
                ErrorCode::MethodNotFound as i32,
                format!("no request is named {other}"),
            ),
        }
    }

    fn ask<Q: Question>(
        &mut self,
        request: Request,
        answer: impl FnOnce(&mut Server<'_>, Q::Params) -> Answer<Q>,
    ) -> Response {
        let params = match serde_json::from_value(request.params) {
            Ok(params) => params,
            Err(error) => {
                let code = ErrorCode::InvalidParams as i32;
                return Response::new_err(request.id, code, error.to_string());
            }
        };
        // An editor's session outlives a question that fails.
        match catch_unwind(AssertUnwindSafe(|| answer(self, params))) {
            Ok(Ok(result)) => Response::new_ok(request.id, result),
            Ok(Err(Refusal { message })) => {
                Response::new_err(request.id, ErrorCode::RequestFailed as i32, message)
            }
            Err(_) => {
                let message = format!("{} failed: this is a mistake in rhawk", Q::METHOD);
                Response::new_err(request.id, ErrorCode::InternalError as i32, message)
            }
        }
    }

    /// Notes what the editor says. What it says wrongly is left out: there is no answer to it.
    pub(crate) fn note(&mut self, notification: Notification) {
        match &*notification.method {
            DidOpenTextDocument::METHOD => {
                let Some(params) = params::<DidOpenTextDocument>(notification) else { return };
                let document = params.text_document;
                self.open(document.uri, document.version, &document.language_id, document.text);
            }
            DidChangeTextDocument::METHOD => {
                let Some(params) = params::<DidChangeTextDocument>(notification) else { return };
                let place = Place::of(&params.text_document.uri);
                let encoding = self.encoding;
                let Some(document) = self.texts.open.get_mut(&place) else { return };
                document.apply(params.content_changes, encoding);
                document.version = params.text_document.version;
                self.changed(&place);
            }
            DidCloseTextDocument::METHOD => {
                let Some(params) = params::<DidCloseTextDocument>(notification) else { return };
                let place = Place::of(&params.text_document.uri);
                self.texts.open.remove(&place);
                self.texts.forget(&place);
                self.last_tokens.forget(&place);
                self.moved();
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => {
                self.texts.forget_files();
                self.moved();
            }
            DidChangeConfiguration::METHOD => {
                let Some(params) = params::<DidChangeConfiguration>(notification) else { return };
                self.settings = Settings::of(&params.settings);
                self.moved();
            }
            _ => {}
        }
    }
}

fn params<N: Notice>(notification: Notification) -> Option<N::Params> {
    serde_json::from_value(notification.params).ok()
}
