//! The top level: rules and functions.

use super::recovery::starts_statement;
use super::{Abandon, Body, Outcome, Parser};
use crate::ast::{FunctionDefinition, Rule, RuleAction, RulePattern, StmtId};
use crate::diagnostic::Diagnostic;
use crate::lexer::Within;
use crate::token::TokenKind;
use crate::words::Words;

impl Parser<'_> {
    pub(super) fn items(&mut self) {
        loop {
            self.skip_newlines();
            if self.lexer.has_too_many_errors() {
                return;
            }
            if self.at(TokenKind::Eof) {
                if !self.lexer.next_piece() {
                    return;
                }
                self.token = self.lexer.next();
                continue;
            }
            let before = self.token.span;
            self.print_parens = None;
            self.loops = 0;
            self.switches = 0;
            let parsed = match self.token.kind {
                TokenKind::Function => self.function(),
                TokenKind::Begin | TokenKind::End | TokenKind::BeginFile | TokenKind::EndFile => {
                    self.special_rule()
                }
                TokenKind::At => match self.at_directive() {
                    true => self.directive(),
                    false => self.rule(),
                },
                TokenKind::RightBrace => Err(self.error(
                    Diagnostic::error(before, "unexpected `}`", "no `{` is open here")
                        .with_help("a `{` is missing before this, or the `}` is one too many"),
                )),
                _ => self.rule(),
            };
            self.names.leave_function();
            self.lexer.enter_function(Within::Nothing);
            if parsed.is_err() {
                self.skip_rule(before);
            }
        }
    }

    fn special_rule(&mut self) -> Outcome<()> {
        let keyword = self.token;
        let name = keyword.kind.describe().trim_matches('`');
        self.bump();
        if !self.at(TokenKind::LeftBrace) {
            let ends = matches!(
                self.token.kind,
                TokenKind::Newline | TokenKind::Semicolon | TokenKind::Eof
            );
            if !ends {
                let expected = format!("`{{` after `{name}`");
                return Err(self.unexpected(&expected));
            }
            let message = format!("{name} blocks must have an action part");
            return Err(self.error(
                Diagnostic::error(keyword.span, message, "expected `{` on the same line")
                    .with_help(format!("the `{{` must be on the same line as `{name}`")),
            ));
        }
        self.body = Body::Special(keyword.kind);
        let body = self.action()?;
        let action = RuleAction { body, span: self.span_from(keyword.span.start) };
        self.end_action();
        match keyword.kind {
            TokenKind::Begin => self.program.begin.push(action),
            TokenKind::BeginFile => self.program.begin_file.push(action),
            TokenKind::EndFile => self.program.end_file.push(action),
            _ => self.program.end.push(action),
        }
        Ok(())
    }

    fn rule(&mut self) -> Outcome<()> {
        let start = self.token.span.start;
        self.body = Body::Main;
        if self.at(TokenKind::Semicolon) {
            return Err(self.error(Diagnostic::error(
                self.token.span,
                "each rule must have a pattern or an action part",
                "an empty rule",
            )));
        }
        let pattern = if self.at(TokenKind::LeftBrace) {
            RulePattern::Always
        } else if starts_statement(self.token.kind) {
            return Err(self.statement_outside_braces());
        } else {
            let first = self.expression()?;
            if self.eat(TokenKind::Comma) {
                self.skip_newlines();
                RulePattern::Range(first, self.expression()?)
            } else {
                RulePattern::Expr(first)
            }
        };
        let action = if self.at(TokenKind::LeftBrace) { Some(self.action()?) } else { None };
        let span = self.span_from(start);
        match action {
            Some(_) => self.end_action(),
            None => self.end_pattern()?,
        }
        self.program.rules.push(Rule { pattern, action, span });
        Ok(())
    }

    fn action(&mut self) -> Outcome<Vec<StmtId>> {
        self.block()
    }

    fn end_action(&mut self) {
        self.skip_newlines();
        self.eat(TokenKind::Semicolon);
    }

    fn end_pattern(&mut self) -> Outcome<()> {
        match self.token.kind {
            TokenKind::Newline | TokenKind::Semicolon => {
                self.bump();
                Ok(())
            }
            TokenKind::Eof => Ok(()),
            _ => Err(self.unexpected_after_pattern()),
        }
    }

    fn function(&mut self) -> Outcome<()> {
        let start = self.token.span.start;
        self.bump();
        let (word, name_span) = (self.token.word, self.token.span);
        match self.token.kind {
            TokenKind::Name if self.names.loaded(Words::extension(word)).is_some() => {
                let message =
                    format!("function name `{}' previously defined", self.lexer.words.text(word));
                return Err(self.error(Diagnostic::error(
                    name_span,
                    message,
                    "a function of an extension",
                )));
            }
            TokenKind::Name => self.bump(),
            TokenKind::Builtin => {
                let name = self.lexer.words.text(word);
                let message = format!("`{name}' is a built-in function, it cannot be redefined");
                return Err(self.error(Diagnostic::error(
                    name_span,
                    message,
                    "choose another name",
                )));
            }
            _ => return Err(self.unexpected("the name of the function")),
        }
        let errors = self.names.define(word, name_span, &self.lexer.words);
        let redefined = !errors.is_empty();
        let name = self.lexer.words.text(word).to_string();
        for found in errors {
            let found = match found.related.first() {
                // Reported at the program's use, not in the library.
                Some(&(used, _)) if self.lexer.in_library() => {
                    let message =
                        format!("`{name}' is a function of the library, which this program calls");
                    Diagnostic::error(used, message, "used as a variable")
                        .with_help("choose another name for it")
                }
                _ => found,
            };
            self.error(found);
        }
        self.parameters(word)?;
        self.skip_newlines();
        if !self.at(TokenKind::LeftBrace) {
            return Err(self.unexpected("`{` of the function's body"));
        }
        self.body = Body::Function;
        let first_expr = self.program.exprs.len();
        let body = self.block_up_to_brace()?;
        self.lexer.enter_function(Within::Nothing);
        self.bump();
        let span = self.span_from(start);
        self.end_action();
        if !redefined {
            let (params, in_library) = (Vec::new(), self.lexer.in_library());
            let function = FunctionDefinition {
                name,
                params,
                body,
                span,
                name_span,
                defined: true,
                builtin: false,
                in_library,
            };
            self.names.finish_function(word, function, first_expr..self.program.exprs.len());
        }
        Ok(())
    }

    fn parameters(&mut self, function: u32) -> Outcome<()> {
        let open = self.token.span;
        if !self.at(TokenKind::LeftParen) {
            return Err(self.unexpected("`(` after the function's name"));
        }
        self.lexer.enter_function(Within::Parameters);
        self.bump();
        if self.at(TokenKind::RightParen) {
            self.end_parameters();
            return Ok(());
        }
        loop {
            if !self.at(TokenKind::Name) {
                return Err(self.unexpected("the name of a parameter"));
            }
            if self.lexer.slice(self.token.span).contains(&b':') {
                let name = String::from_utf8_lossy(self.lexer.slice(self.token.span));
                let of = self.lexer.words.text(function);
                let message =
                    format!("function `{of}': parameter `{name}' cannot contain a namespace");
                return Err(self.error(Diagnostic::error(
                    self.token.span,
                    message,
                    "a parameter is of its function",
                )));
            }
            let (word, span) = (self.token.word, self.token.span);
            self.bump();
            if let Some(found) = self.names.declare_param(function, word, span, &self.lexer.words) {
                let fatal = self.names.too_many_params();
                self.error(found);
                if fatal {
                    return Err(Abandon::Rule);
                }
            }
            if self.at(TokenKind::RightParen) {
                self.end_parameters();
                return Ok(());
            }
            if !self.at(TokenKind::Comma) {
                return Err(self.unclosed("`,` or `)`", open));
            }
            self.bump();
            self.skip_newlines();
        }
    }

    fn end_parameters(&mut self) {
        self.lexer.enter_function(Within::Body);
        self.bump();
    }
}
