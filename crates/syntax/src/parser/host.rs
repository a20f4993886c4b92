//! Host functions: their declarations and calls.

use super::library::ordinal;
use super::{Outcome, Parser};
use crate::ast::{ExprId, ExprKind, GlobalId, HostId, Span, Special};
use crate::diagnostic::Diagnostic;
use crate::host::HostDeclaration;
use crate::lexer::{is_of_library, malformed};
use crate::words::{is_reserved, is_variable_name};

impl Parser<'_> {
    pub(super) fn declare(&mut self, functions: &[HostDeclaration]) {
        let Ok(_) = u16::try_from(functions.len()) else {
            let message = format!("{} host functions are declared", functions.len());
            return self.lexer.report(without_place(message, "at most 65535 are possible"));
        };
        for (at, function) in functions.iter().enumerate() {
            let word = self.lexer.words.number(function.name());
            if let Some(found) = flaw(function) {
                self.lexer.report(found);
            } else if !self.names.declare_host(word, HostId(at as u32)) {
                let message = format!("host function `{}': declared twice", function.name());
                self.lexer.report(without_place(message, "a name can have only one function"));
            }
        }
        self.program.host_functions = functions.to_vec();
    }

    pub(super) fn host_call(&mut self, function: HostId) -> Outcome<ExprId> {
        let start = self.token.span.start;
        self.bump();
        let args = self.arguments()?;
        let declared = self.program.host_functions[function.index()].clone();
        let (least, most) = declared.arity();
        if !(least..=most).contains(&args.len()) {
            let call = self.span_from(start);
            return Err(self.wrong_arity(declared.name(), (least, most), args.len(), call));
        }
        for (at, &arg) in args.iter().enumerate().filter(|(at, _)| declared.takes_array(*at)) {
            if let Some(flaw) = self.array_argument(declared.name(), ordinal(at), arg) {
                return Err(self.error(flaw.fatal()));
            }
        }
        Ok(self.expr(ExprKind::Host { function, args }, start))
    }
}

/// Declarations have no position in the text.
fn without_place(message: String, label: &str) -> Diagnostic {
    Diagnostic::error(Span::default(), message, label).fatal()
}

/// Why programs could not call a function.
fn flaw(function: &HostDeclaration) -> Option<Diagnostic> {
    let name = function.name();
    let found = |what: &str, label: &str| {
        Some(without_place(format!("host function `{name}': {what}"), label))
    };
    if !is_variable_name(name) {
        return found("not a name", "expected `name` or `namespace::name`");
    }
    if is_reserved(name) {
        return found("the name is taken", "by the language");
    }
    let is_variable = Special::from_name(name).is_some()
        || GlobalId::PREDEFINED.contains(&name)
        || GlobalId::FILLED.contains(&name);
    if is_variable {
        return found("the name is taken", "by a special variable");
    }
    if let Some((namespace, plain)) = name.split_once("::") {
        if namespace == "awk" {
            return found("a qualified plain name", "declare it without `awk::`");
        }
        if is_of_library(namespace) {
            return found("the name is taken", "the namespace is the library's");
        }
        if let Some((message, label)) = malformed(name, namespace, plain) {
            return Some(without_place(message, label));
        }
    }
    let (least, most) = function.arity();
    if least > most {
        return found("no number of arguments is valid", "the minimum exceeds the maximum");
    }
    if function.arrays().iter().any(|&at| at >= most.min(HostDeclaration::MAX_ARRAYS)) {
        return found("not an argument that can be an array", "only the first 16 can");
    }
    None
}
