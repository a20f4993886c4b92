//! Findings about programs, as editors show them.

use std::collections::BTreeMap;

use lsp_types::{
    DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, NumberOrString,
    PublishDiagnosticsParams,
};
use riverhawk_syntax::diagnostic::{Diagnostic, Severity};

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
            ..lsp_types::Diagnostic::default()
        }
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
