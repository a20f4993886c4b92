//! Calls of library functions, and of unknown names in the library's namespaces.

use super::{Abandon, Outcome, Parser};
use crate::ast::{ExprId, ExprKind, GlobalId, Span, VariablePlace};
use crate::diagnostic::{Diagnostic, Fix};
use crate::extension::Extension;
use crate::library::{LibraryFn, ParameterKind};
use crate::source::Included;
use crate::suggest::nearest;
use crate::token::TokenKind;
use crate::written::{WRITTEN, Written, WrittenFn};

pub(super) fn ordinal(at: usize) -> &'static str {
    ["first", "second", "third", "fourth"].get(at).copied().unwrap_or("later")
}

impl Parser<'_> {
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
                let message = format!(
                    "{}: called with {} arguments, expecting at least {least}",
                    function.name(),
                    args.len()
                );
                let flaw =
                    Diagnostic::error(call, message, format!("it is {}", function.signature()));
                return self.flawed_call(function, flaw, args, start);
            }
            let wrong = self.wrong_arity(&function.signature(), (least, most), args.len(), call);
            return Err(wrong);
        }
        for (at, &arg) in args.iter().enumerate() {
            match function.parameter(at) {
                ParameterKind::Array => {
                    if let Some(flaw) = self.array_argument(function.name(), ordinal(at), arg) {
                        return self.flawed_call(function, flaw, args, start);
                    }
                }
                ParameterKind::Any => {
                    // ENVIRON must be filled for this call, so it is an array whatever the rest of
                    // the text says.
                    if let ExprKind::Var(place @ VariablePlace::Global(GlobalId::ENVIRON)) =
                        self.program[arg].kind
                    {
                        self.names.uses_array(place, &mut self.program);
                    }
                    self.names.passed(arg, &self.program);
                }
                ParameterKind::Value | ParameterKind::Pattern => {}
            }
        }
        Ok(self.expr(ExprKind::Library { function, args }, start))
    }

    /// A wrong call of gawk's function is an error when it is reached, as in gawk; of any other
    /// function, before the program runs.
    fn flawed_call(
        &mut self,
        function: LibraryFn,
        flaw: Diagnostic,
        args: Vec<ExprId>,
        start: u32,
    ) -> Outcome<ExprId> {
        match function.namespace() {
            Some(_) => Err(self.error(flaw.fatal())),
            None => Ok(self.cannot_work(function.name(), flaw, args, start)),
        }
    }

    pub(super) fn written_call(&mut self, name: &str, count: usize, call: Span) -> Outcome<()> {
        let Some(function) = WrittenFn::from_name(name).filter(|_| !self.lexer.in_library()) else {
            return Ok(());
        };
        let (least, most) = function.arity();
        match (least..=most).contains(&count) {
            true => Ok(()),
            false => Err(self.wrong_arity(function.signature, (least, most), count, call)),
        }
    }

    /// Reads the library's texts whose functions are called, after the program's own text. Indirect
    /// calls may need every function whose name the program contains.
    pub(super) fn library(&mut self) {
        let calls_by_name = self
            .program
            .exprs
            .iter()
            .any(|expr| matches!(expr.kind, ExprKind::IndirectCall { .. }));
        // Each text may call functions of another.
        while let Some(piece) =
            WRITTEN.iter().find_map(|written| self.wanted_library(written, calls_by_name))
        {
            if self.lexer.enter(piece) {
                self.token = self.lexer.next();
                self.items();
            }
        }
    }

    fn wanted_library(&mut self, written: &Written, calls_by_name: bool) -> Option<usize> {
        let Some(&Included::Piece(piece)) = self.lexer.included(&written.key()) else {
            return None;
        };
        if self.lexer.has_entered(piece) || self.lexer.is_own(written.name) {
            return None;
        }
        (calls_by_name || self.names.lacks_function_of(written.name, &self.lexer.words))
            .then_some(piece)
    }

    pub(super) fn not_in_library(&mut self) -> Abandon {
        let name = self.lexer.words.text(self.token.word).to_string();
        let (namespace, plain) = name.split_once("::").unwrap_or_default();
        let message = format!("there is no function `{name}`");
        let found = Diagnostic::error(self.token.span, message, "not in this namespace");
        let all =
            LibraryFn::reserved().map(LibraryFn::name).chain(WrittenFn::all().map(WrittenFn::name));
        let parts: Vec<(&str, &str)> = all.filter_map(|name| name.split_once("::")).collect();
        let inside = || parts.iter().filter(|(of, _)| *of == namespace).map(|(_, plain)| *plain);
        // Only the plain names are compared: a common namespace does not make names similar.
        let meant = match parts.iter().find(|(_, other)| *other == plain) {
            Some((elsewhere, _)) => Some(format!("{elsewhere}::{plain}")),
            None => nearest(plain, inside()).map(|near| format!("{namespace}::{near}")),
        };
        let found = match meant {
            Some(meant) => {
                let fix =
                    Fix::suggested(format!("call `{meant}`"), self.token.span, meant.as_str());
                found.with_help(format!("there is a function `{meant}`")).with_fix(fix)
            }
            None => {
                let names: Vec<String> =
                    inside().map(|plain| format!("{namespace}::{plain}")).collect();
                found.with_help(format!("there are {}", names.join(", ")))
            }
        };
        // In gawk an undefined function is fatal.
        self.error(found.fatal())
    }
}
