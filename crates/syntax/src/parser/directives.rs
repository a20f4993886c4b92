//! `@include`, `@load` and `@namespace`. They are outside rules and functions, each on its own line
//! or before a `;`.

use super::{Outcome, Parser};
use crate::ast::{Directive, DirectiveKind, Span};
use crate::diagnostic::Diagnostic;
use crate::extension::{Extension, OTHERS};
use crate::source::Included;
use crate::token::TokenKind;
use crate::words::is_reserved;
use crate::{Wanted, suggest::nearest};

const DIRECTIVES: [&[u8]; 3] = [b"include", b"load", b"namespace"];

impl Parser<'_> {
    /// Whether a directive begins at this `@`. Its word alone decides, so that a mistake after it
    /// is reported as one in a directive.
    pub(super) fn at_directive(&mut self) -> bool {
        let mark = self.lexer.mark();
        let next = self.lexer.next();
        let found =
            next.kind == TokenKind::Name && DIRECTIVES.contains(&self.lexer.slice(next.span));
        self.lexer.rewind(mark);
        found
    }

    pub(super) fn directive(&mut self) -> Outcome<()> {
        let start = self.token.span.start;
        self.bump();
        let word = self.lexer.slice(self.token.span);
        self.bump();
        if !self.at(TokenKind::String) {
            return Err(self.unexpected("a name in double quotes"));
        }
        let (name, span) = (std::mem::take(&mut self.lexer.content), self.token.span);
        self.bump();
        if !matches!(self.token.kind, TokenKind::Newline | TokenKind::Semicolon | TokenKind::Eof) {
            return Err(self.unexpected("`;` or the end of the line"));
        }
        let does_nothing = name.is_empty();
        let kind = match word {
            b"include" => DirectiveKind::Include(self.include(name, span)),
            b"load" => {
                self.load(&name, span);
                DirectiveKind::Load
            }
            _ => {
                self.namespace(&name, span);
                DirectiveKind::Namespace(String::from_utf8_lossy(&name).into_owned())
            }
        };
        if !does_nothing && !self.lexer.in_library() {
            self.program.directives.push(Directive { span: Span { start, end: span.end }, kind });
        }
        if !self.at(TokenKind::Eof) {
            self.bump();
        }
        Ok(())
    }

    /// Continues with the file's text, unless it has been read before. Returns the number of its
    /// piece. A file that the source map lacks is added to `wanted`.
    fn include(&mut self, name: Vec<u8>, span: Span) -> Option<usize> {
        if name.is_empty() {
            return None;
        }
        match self.lexer.included(&name) {
            Some(&Included::Piece(piece)) => {
                if self.lexer.enter(piece) {
                    // The rest of this line is read after the file.
                    self.token.kind = TokenKind::Newline;
                    return Some(piece);
                }
            }
            Some(Included::Refused(why)) => {
                let found = Diagnostic::error(span, why.clone(), "included here");
                self.error(found);
            }
            Some(Included::ProgramFile) => {
                let shown = String::from_utf8_lossy(&name);
                let message = format!("cannot include `{shown}' and use it as a program file");
                self.error(
                    Diagnostic::error(span, message, "it is already part of the program").fatal(),
                );
            }
            None => {
                let shown = String::from_utf8_lossy(&name).into_owned();
                self.wanted.push(Wanted { name, span });
                self.error(Diagnostic::error(
                    span,
                    format!("cannot open source file `{shown}'"),
                    "included here",
                ));
            }
        }
        None
    }

    fn load(&mut self, name: &[u8], span: Span) {
        if name.is_empty() {
            return;
        }
        if !self.program.dialect.has_extensions() {
            let found = Diagnostic::error(
                span,
                "-l (--load) is a gawk extension",
                "switched off by --posix and --traditional",
            );
            self.error(found);
            return;
        }
        let name = String::from_utf8_lossy(name);
        // gawk adds `.so` if it is missing.
        if let Some(extension) = Extension::from_name(name.strip_suffix(".so").unwrap_or(&name)) {
            return self.names.load(extension);
        }
        let found = match OTHERS.iter().find(|(other, _)| *other == name) {
            Some((_, help)) => Diagnostic::error(
                span,
                format!("the extension `{name}' is not available"),
                "a part of gawk",
            )
            .with_help(*help),
            None => {
                let message = format!(
                    "cannot open shared library `{name}' for reading: there are no shared libraries"
                );
                let found = Diagnostic::error(span, message, "not a built-in extension");
                match nearest(&name, Extension::ALL.iter().map(|extension| extension.name())) {
                    Some(near) => found.with_help(format!("there is an extension `{near}`")),
                    None => found,
                }
            }
        };
        self.error(found);
    }

    fn namespace(&mut self, name: &[u8], span: Span) {
        let shown = String::from_utf8_lossy(name).into_owned();
        let starts_well =
            name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_');
        if !starts_well || !name.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            let message = format!("namespace name `{shown}' must meet identifier naming rules");
            self.error(Diagnostic::error(span, message, "letters, digits and underscores"));
        } else if is_reserved(&shown) {
            let message =
                format!("using reserved identifier `{shown}' as a namespace is not allowed");
            self.error(Diagnostic::error(span, message, "a word of the language"));
        } else {
            self.lexer.set_namespace(&shown);
        }
    }
}
