//! Findings about programs, as editors show them.

use std::collections::BTreeMap;

use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
    PublishDiagnosticsParams, TextEdit,
};
use riverhawk_syntax::diagnostic::{Diagnostic, Edit, Fix, Severity};
use serde_json::{Value, json};

use crate::place::Place;
use crate::program::Program;
use crate::server::Server;

impl Server<'_> {
    /// The diagnostics that are not what the editor has.
    pub(crate) fn diagnose(&mut self) -> Vec<PublishDiagnosticsParams> {
        let found = self.diagnostics();
        let mut gone: Vec<Place> =
            self.published.keys().filter(|place| !found.contains_key(place)).cloned().collect();
        gone.sort();
        let mut params = Vec::new();
        for place in gone {
            self.published.remove(&place);
            params.push(self.publication(&place, Vec::new()));
        }
        for (place, diagnostics) in found {
            // An open text without findings is published once, so that the editor knows.
            if self.published.get(&place) != Some(&diagnostics) {
                params.push(self.publication(&place, diagnostics.clone()));
                self.published.insert(place, diagnostics);
            }
        }
        params
    }

    fn publication(
        &self,
        place: &Place,
        diagnostics: Vec<lsp_types::Diagnostic>,
    ) -> PublishDiagnosticsParams {
        let open = self.texts.open.get(place);
        PublishDiagnosticsParams {
            uri: open.map_or_else(|| place.uri(), |document| document.uri.clone()),
            diagnostics,
            version: open.map(|document| document.version),
        }
    }

    /// The findings in each open text and in what it includes.
    pub(crate) fn diagnostics(&mut self) -> BTreeMap<Place, Vec<lsp_types::Diagnostic>> {
        let open: Vec<Place> = self.texts.open.keys().cloned().collect();
        let mut found: BTreeMap<Place, Vec<lsp_types::Diagnostic>> =
            open.iter().map(|place| (place.clone(), Vec::new())).collect();
        let mut seen = Vec::new();
        for place in &open {
            for program in self.programs_of(place) {
                if seen.iter().any(|other| std::rc::Rc::ptr_eq(other, &program)) {
                    continue;
                }
                for finding in &program.found {
                    let Some(at) = program.place_at(finding.span.start) else { continue };
                    let diagnostic = self.diagnostic(&program, finding);
                    let of_place = found.entry(at.clone()).or_default();
                    of_place.push(diagnostic);
                }
                seen.push(program);
            }
        }
        for diagnostics in found.values_mut() {
            diagnostics.sort_by(|a, b| {
                (a.range.start, a.range.end, &a.message).cmp(&(
                    b.range.start,
                    b.range.end,
                    &b.message,
                ))
            });
            diagnostics.dedup();
        }
        found
    }

    fn diagnostic(&mut self, program: &Program, found: &Diagnostic) -> lsp_types::Diagnostic {
        let related: Vec<DiagnosticRelatedInformation> = found
            .related
            .iter()
            .filter_map(|(span, message)| {
                let place = program.place_at(span.start)?;
                let range = program.range(*span, self.encoding);
                let location = Location::new(self.uri(place), range);
                Some(DiagnosticRelatedInformation { location, message: message.clone() })
            })
            .collect();
        let is_unused = found.message.ends_with("defined but never called directly");
        lsp_types::Diagnostic {
            range: program.range(found.span, self.encoding),
            severity: Some(match found.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
            }),
            code: self
                .codes
                .of(&found.message)
                .map(|code| NumberOrString::String(code.to_string())),
            source: Some("rhawk".to_owned()),
            message: message(found),
            related_information: (!related.is_empty()).then_some(related),
            tags: is_unused.then(|| vec![DiagnosticTag::UNNECESSARY]),
            data: self.proposals(program, found),
            ..lsp_types::Diagnostic::default()
        }
    }
}

/// A change that resolves a finding, kept with it for [`crate::answers::actions`].
pub(crate) struct Proposal {
    pub title: String,
    pub edits: Vec<TextEdit>,
}

impl Proposal {
    fn to_json(&self) -> Value {
        json!({ "title": self.title, "edits": self.edits })
    }

    /// Those of a diagnostic's data.
    pub fn all(data: &Value) -> Vec<Proposal> {
        let read = |value: &Value| {
            let edits = serde_json::from_value(value.get("edits")?.clone()).ok()?;
            Some(Proposal { title: value.get("title")?.as_str()?.to_owned(), edits })
        };
        data.as_array().map(|all| all.iter().filter_map(read).collect()).unwrap_or_default()
    }
}

impl Server<'_> {
    /// The changes that are all in the text of the finding.
    fn proposals(&self, program: &Program, found: &Diagnostic) -> Option<Value> {
        let place = program.place_at(found.span.start)?;
        let is_script = self.texts.is_script(place);
        let fits = |edit: &Edit| {
            // In a script, the shell or make would read these.
            let is_plain = !edit.text.iter().any(|byte| b"'$".contains(byte));
            let is_inside = || program.part.contains(&(edit.span.start as usize));
            program.place_at(edit.span.start) == Some(place)
                && (!is_script || is_plain && is_inside())
        };
        let proposal = |fix: &Fix| Proposal {
            title: fix.title.to_string(),
            edits: (fix.edits.iter())
                .map(|edit| {
                    let text = String::from_utf8_lossy(&edit.text).into_owned();
                    TextEdit::new(program.range(edit.span, self.encoding), text)
                })
                .collect(),
        };
        let fixes = found.fixes.iter().filter(|fix| fix.edits.iter().all(fits));
        let proposals: Vec<Value> = fixes.map(|fix| proposal(fix).to_json()).collect();
        (!proposals.is_empty()).then_some(Value::Array(proposals))
    }
}

/// The message, with what is said below the line and the advice.
fn message(found: &Diagnostic) -> String {
    let mut message = found.message.clone();
    if !found.label.is_empty() && !message.contains(&*found.label) {
        message += &format!("\n{}", found.label);
    }
    if let Some(help) = &found.help {
        message += &format!("\nhelp: {help}");
    }
    message
}
