//! `print` and `printf`, with their lists and redirections.
//!
//! In the list `>` and `|` redirect unless they are in parentheses, so `print a > b ? c : d` is an
//! error, as in gawk. Parentheses may hold the whole list, `print (1, 2) > "f"`, or start an
//! expression, `print (1)(2)`, `print (1, 2) in a`.

use super::{Outcome, Parser};
use crate::ast::{RedirectKind, Redirection, StmtId, StmtKind};
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn print(&mut self) -> Outcome<StmtId> {
        let keyword = self.token;
        self.bump();
        self.print_parens = Some(0);
        let outcome = self.print_rest(keyword.kind == TokenKind::Printf, keyword.span.start);
        self.print_parens = None;
        self.print_list = None;
        outcome
    }

    fn print_rest(&mut self, formatted: bool, start: u32) -> Outcome<StmtId> {
        let mut args = Vec::new();
        if !self.at_print_end() {
            self.print_list =
                self.at(TokenKind::LeftParen).then_some((self.token.span.start, None));
            args.push(self.expression()?);
            match self.print_list.take() {
                Some((_, Some(list))) => args = list,
                _ => {
                    while self.eat(TokenKind::Comma) {
                        self.skip_newlines();
                        args.push(self.expression()?);
                    }
                }
            }
        }
        let to = self.redirect()?;
        let kind =
            if formatted { StmtKind::Printf { args, to } } else { StmtKind::Print { args, to } };
        Ok(self.stmt(kind, start))
    }

    fn redirect(&mut self) -> Outcome<Option<Redirection>> {
        let kind = match self.token.kind {
            TokenKind::Greater => RedirectKind::Truncate,
            TokenKind::Append => RedirectKind::Append,
            TokenKind::Pipe => RedirectKind::Pipe,
            TokenKind::Coprocess => RedirectKind::Coprocess,
            _ => return Ok(None),
        };
        self.bump();
        // The target is a concatenation: `print > "a" "b"` writes to "ab". A second `>` is an
        // error.
        self.print_parens = None;
        let target = self.nested(Parser::concatenation)?;
        Ok(Some(Redirection { kind, target }))
    }

    pub(super) fn at_print_end(&self) -> bool {
        matches!(
            self.token.kind,
            TokenKind::Newline
                | TokenKind::Semicolon
                | TokenKind::RightBrace
                | TokenKind::RightParen
                | TokenKind::Eof
                | TokenKind::Greater
                | TokenKind::Append
                | TokenKind::Pipe
                | TokenKind::Coprocess
        )
    }
}
