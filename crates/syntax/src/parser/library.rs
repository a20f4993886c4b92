//! Calls of library functions, and names in the library's namespaces that are none.

use super::{Abandon, Outcome, Parser};
use crate::ast::{ExprId, ExprKind, GlobalId, Place};
use crate::diagnostic::Diagnostic;
use crate::extension::Extension;
use crate::library::{LibraryFn, ParameterKind};
use crate::suggest::nearest;
use crate::token::TokenKind;

impl Parser<'_> {
    /// A library function with its arguments.
    pub(super) fn library_call(&mut self, function: LibraryFn) -> Outcome<ExprId> {
        let start = self.token.span.start;
        self.bump();
        if !self.at(TokenKind::LeftParen) {
            let expected = format!("`(` after the function `{}`", function.name());
            return Err(self.unexpected(&expected));
        }
        let args = self.arguments()?;
        let (least, most) = function.arity();
        if !(least..=most).contains(&args.len()) {
            let call = self.span_from(start);
            if most == usize::MAX {
                let message = format!("{}: called with less than two arguments", function.name());
                let flaw = Diagnostic::error(call, message, "takes 2 arguments or more");
                return self.flawed_call(function, flaw, args, start);
            }
            if Extension::of(function).is_some() && args.len() < least {
                let message =
                    format!("{}: called with {} arguments, expecting at least {least}", function.name(), args.len());
                let flaw = Diagnostic::error(call, message, format!("it is {}", function.signature()));
                return self.flawed_call(function, flaw, args, start);
            }
            let wrong = self.wrong_arity(&function.signature(), (least, most), args.len(), call);
            return Err(wrong);
        }
        for (at, &arg) in args.iter().enumerate() {
            match function.parameter(at) {
                ParameterKind::Array => {
                    let ordinal = ["first", "second", "third", "fourth"].get(at).copied().unwrap_or("last");
                    if let Some(flaw) = self.array_argument(function.name(), ordinal, arg) {
                        return self.flawed_call(function, flaw, args, start);
                    }
                }
                ParameterKind::Any => {
                    // Whether or not the rest of the text says so, it is one: it must be filled.
                    if let ExprKind::Var(place @ Place::Global(GlobalId::ENVIRON)) = self.program[arg].kind {
                        self.names.uses_array(place, &mut self.program);
                    }
                    self.names.passed(arg, &self.program);
                }
                ParameterKind::Value | ParameterKind::Pattern => {}
            }
        }
        Ok(self.expr(ExprKind::Library { function, args }, start))
    }

    /// A call of a function that gawk has is an error when it is reached, as there; of any other, before the program runs.
    fn flawed_call(&mut self, function: LibraryFn, flaw: Diagnostic, args: Vec<ExprId>, start: u32) -> Outcome<ExprId> {
        match function.namespace() {
            Some(_) => Err(self.error(flaw.fatal())),
            None => Ok(self.cannot_work(function.name(), flaw, args, start)),
        }
    }

    /// The error for a name in a namespace of the library that the library does not have.
    pub(super) fn not_in_library(&mut self) -> Abandon {
        let (name, namespace) = self.qualified_name();
        let is_call = self.lexer.at_paren();
        let (message, label) = match is_call {
            true => (format!("there is no function `{name}`"), "not in this namespace"),
            false => {
                (format!("`{name}` is no variable: the namespace `{namespace}` holds only functions"), "no variable")
            }
        };
        let found = Diagnostic::error(self.token.span, message, label);
        let names = || LibraryFn::of_namespace(&namespace).map(|function| function.name());
        let plain = name.split_once("::").map_or("", |(_, plain)| plain);
        // The plain names are compared: a namespace in common makes no two names alike.
        let plain_names = LibraryFn::of_namespace(&namespace).map(LibraryFn::plain_name);
        let elsewhere = LibraryFn::reserved().find(|function| function.plain_name() == plain);
        let help = match (nearest(plain, plain_names), elsewhere) {
            (_, Some(function)) => format!("there is a function `{}`", function.name()),
            (Some(near), None) => format!("there is a function `{namespace}::{near}`"),
            (None, None) => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
        };
        let found = found.with_help(help);
        // gawk calls an undefined function a fatal error.
        self.error(if is_call { found.fatal() } else { found })
    }

    /// The error for the definition of a function in a namespace of the library.
    pub(super) fn defined_in_library(&mut self) -> Abandon {
        let (name, namespace) = self.qualified_name();
        let message =
            format!("`{name}` cannot be defined: the namespace `{namespace}` belongs to the built-in functions");
        let found = Diagnostic::error(self.token.span, message, "choose another name");
        self.error(found.with_help("a name without a namespace is free"))
    }

    /// The name at the current token, and its namespace.
    fn qualified_name(&self) -> (String, String) {
        let name = self.lexer.words.text(self.token.word).to_string();
        let namespace = name.split_once("::").map_or("", |(namespace, _)| namespace).to_string();
        (name, namespace)
    }
}
