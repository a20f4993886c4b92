//! Statements, and what ends them.
//!
//! A simple statement ends at a newline, a `;`, or before a `}`. Newlines after it are skipped, so
//! an `else` may be on a later line. A second `;` is an empty statement. `do ... while (c)` needs
//! nothing after it.

use super::{Abandon, Body, Outcome, Parser};
use crate::ast::{ExprId, ExprKind, Span, StmtId, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::token::TokenKind;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Outcome<Vec<StmtId>> {
        let body = self.block_up_to_brace()?;
        self.bump();
        Ok(body)
    }

    pub(super) fn block_up_to_brace(&mut self) -> Outcome<Vec<StmtId>> {
        let open = self.token.span;
        self.expect(TokenKind::LeftBrace)?;
        let mut body = Vec::new();
        loop {
            self.skip_newlines();
            match self.token.kind {
                TokenKind::RightBrace => break,
                TokenKind::Eof
                | TokenKind::Begin
                | TokenKind::End
                | TokenKind::BeginFile
                | TokenKind::EndFile
                | TokenKind::Function => {
                    return Err(self.unclosed_block(open));
                }
                _ => {}
            }
            match self.statement() {
                Ok(statement) => body.push(statement),
                Err(Abandon::Statement) => self.skip_statement()?,
                Err(Abandon::Rule) => return Err(Abandon::Rule),
            }
        }
        Ok(body)
    }

    pub(super) fn statement(&mut self) -> Outcome<StmtId> {
        self.nested(Parser::statement_here)
    }

    fn statement_here(&mut self) -> Outcome<StmtId> {
        let start = self.token.span.start;
        match self.token.kind {
            TokenKind::Semicolon => {
                self.bump();
                let empty = self.stmt(StmtKind::Block(Vec::new()), start);
                self.skip_newlines();
                Ok(empty)
            }
            TokenKind::LeftBrace => {
                let body = self.block()?;
                let block = self.stmt(StmtKind::Block(body), start);
                self.skip_newlines();
                Ok(block)
            }
            TokenKind::If => self.if_statement(),
            TokenKind::While => {
                self.bump();
                let cond = self.condition("while")?;
                let body = self.loop_body()?;
                Ok(self.stmt(StmtKind::While { cond, body }, start))
            }
            TokenKind::Do => {
                self.bump();
                let body = self.loop_body()?;
                if !self.at(TokenKind::While) {
                    return Err(self.unexpected("`while` after the body of `do`"));
                }
                self.bump();
                let cond = self.condition("while")?;
                let statement = self.stmt(StmtKind::DoWhile { body, cond }, start);
                self.skip_newlines();
                Ok(statement)
            }
            TokenKind::For => self.for_statement(),
            TokenKind::RightBrace | TokenKind::Eof | TokenKind::Else => {
                Err(self.unexpected("a statement"))
            }
            TokenKind::Switch => self.switch(),
            _ => {
                let statement = self.simple_statement()?;
                self.end_statement()?;
                Ok(statement)
            }
        }
    }

    fn if_statement(&mut self) -> Outcome<StmtId> {
        let start = self.token.span.start;
        self.bump();
        let cond = self.condition("if")?;
        self.skip_newlines();
        let then = self.statement()?;
        let otherwise = if self.eat(TokenKind::Else) {
            self.skip_newlines();
            Some(self.statement()?)
        } else {
            None
        };
        Ok(self.stmt(StmtKind::If { cond, then, otherwise }, start))
    }

    pub(super) fn condition(&mut self, keyword: &str) -> Outcome<ExprId> {
        if !self.at(TokenKind::LeftParen) {
            let expected = format!("`(` after `{keyword}`");
            return Err(self.unexpected(&expected));
        }
        let open = self.open_paren()?;
        let cond = self.expression()?;
        self.close_paren(open)?;
        Ok(cond)
    }

    fn loop_body(&mut self) -> Outcome<StmtId> {
        self.skip_newlines();
        self.loops += 1;
        let body = self.statement();
        self.loops -= 1;
        body
    }

    fn for_statement(&mut self) -> Outcome<StmtId> {
        let start = self.token.span.start;
        self.bump();
        if !self.at(TokenKind::LeftParen) {
            return Err(self.unexpected("`(` after `for`"));
        }
        let open = self.open_paren()?;
        if self.at_for_in() {
            return self.for_in(start, open);
        }
        let init =
            if self.at(TokenKind::Semicolon) { None } else { Some(self.simple_statement()?) };
        self.for_separator(init)?;
        let cond = if self.at(TokenKind::Semicolon) { None } else { Some(self.expression()?) };
        self.for_separator(None)?;
        let step =
            if self.at(TokenKind::RightParen) { None } else { Some(self.simple_statement()?) };
        self.close_paren(open)?;
        let body = self.loop_body()?;
        Ok(self.stmt(StmtKind::For { init, cond, step, body }, start))
    }

    /// Whether this is `for (name in array)`: as in gawk, only a name and `)` may follow `in`.
    fn at_for_in(&mut self) -> bool {
        if !self.at(TokenKind::Name) || self.lexer.at_paren() {
            return false;
        }
        let mark = self.lexer.mark();
        let found = self.lexer.next().kind == TokenKind::In;
        self.lexer.rewind(mark);
        found
    }

    fn for_in(&mut self, start: u32, open: Span) -> Outcome<StmtId> {
        let name = self.take_name();
        let target = self.expr(ExprKind::Var(name.place), name.span.start);
        self.expect(TokenKind::In)?;
        let array = self.array_name()?;
        self.close_paren(open)?;
        let body = self.loop_body()?;
        Ok(self.stmt(StmtKind::ForIn { target, array, body }, start))
    }

    fn for_separator(&mut self, init: Option<StmtId>) -> Outcome<()> {
        if !self.at(TokenKind::Semicolon) {
            return Err(self.bad_for_separator(init));
        }
        self.bump();
        self.skip_newlines();
        Ok(())
    }

    fn simple_statement(&mut self) -> Outcome<StmtId> {
        let start = self.token.span.start;
        let keyword = self.token.span;
        let kind = match self.token.kind {
            TokenKind::Print | TokenKind::Printf => return self.print(),
            TokenKind::Delete => return self.delete(),
            TokenKind::Break => {
                self.bump();
                if self.loops == 0 && self.switches == 0 {
                    let message = "`break' is not allowed outside a loop or switch";
                    self.error(Diagnostic::error(keyword, message, "no loop around it"));
                }
                StmtKind::Break
            }
            TokenKind::Continue => {
                self.bump();
                if self.loops == 0 {
                    let message = "`continue' is not allowed outside a loop";
                    self.error(Diagnostic::error(keyword, message, "no loop around it"));
                }
                StmtKind::Continue
            }
            TokenKind::Next | TokenKind::NextFile => {
                let word = if self.at(TokenKind::Next) { "next" } else { "nextfile" };
                let statement =
                    if self.at(TokenKind::Next) { StmtKind::Next } else { StmtKind::NextFile };
                self.bump();
                // In a function it depends on the caller, which is known only at run time.
                if let Body::Special(rule) = self.body
                    && (word, rule) != ("nextfile", TokenKind::BeginFile)
                {
                    let rule = rule.describe().trim_matches('`');
                    let message = format!("`{word}' used in {rule} action");
                    self.error(Diagnostic::error(keyword, message, "there is no record here"));
                }
                statement
            }
            TokenKind::Exit => {
                self.bump();
                StmtKind::Exit(self.optional_value()?)
            }
            TokenKind::Return => {
                self.bump();
                if self.body != Body::Function {
                    let message = "`return' used outside function context";
                    self.error(Diagnostic::error(keyword, message, "not in a function"));
                }
                StmtKind::Return(self.optional_value()?)
            }
            _ => StmtKind::Expr(self.expression()?),
        };
        Ok(self.stmt(kind, start))
    }

    fn optional_value(&mut self) -> Outcome<Option<ExprId>> {
        if self.at_statement_end() { Ok(None) } else { self.expression().map(Some) }
    }

    fn delete(&mut self) -> Outcome<StmtId> {
        let start = self.token.span.start;
        self.bump();
        if self.at_column() {
            let field = self.column()?;
            return Ok(self.stmt(StmtKind::DeleteField { field }, start));
        }
        if self.at(TokenKind::LeftParen) {
            let open = self.open_paren()?;
            if !self.at(TokenKind::Name) {
                return Err(self.unexpected("the name of an array"));
            }
            let array = self.take_name();
            self.names.uses_array(array.place, &mut self.program);
            self.close_paren(open)?;
            return Ok(self.stmt(StmtKind::Delete { array, subscripts: None }, start));
        }
        if !self.at(TokenKind::Name) || self.lexer.at_paren() {
            return Err(self.unexpected("the name of an array"));
        }
        let array = self.take_name();
        self.names.uses_array(array.place, &mut self.program);
        let (array, subscripts) = match self.at(TokenKind::LeftBracket) {
            true => self.element(array).map(|(array, subscripts)| (array, Some(subscripts)))?,
            false => (array, None),
        };
        Ok(self.stmt(StmtKind::Delete { array, subscripts }, start))
    }

    pub(super) fn at_statement_end(&self) -> bool {
        matches!(
            self.token.kind,
            TokenKind::Newline
                | TokenKind::Semicolon
                | TokenKind::RightBrace
                | TokenKind::RightParen
                | TokenKind::Eof
        )
    }

    fn end_statement(&mut self) -> Outcome<()> {
        match self.token.kind {
            TokenKind::Newline | TokenKind::Semicolon => {
                self.bump();
                self.skip_newlines();
                Ok(())
            }
            // The block reports its own missing end.
            TokenKind::RightBrace | TokenKind::Eof => Ok(()),
            _ => Err(self.unexpected_after_statement()),
        }
    }
}
