//! `switch`: constant labels, and cases that fall through.

use super::{Abandon, Outcome, Parser};
use crate::ast::{ExprId, ExprKind, StmtId, StmtKind, SwitchCase};
use crate::diagnostic::Diagnostic;
use crate::token::TokenKind;
use std::collections::HashSet;

impl Parser<'_> {
    pub(super) fn switch(&mut self) -> Outcome<StmtId> {
        let start = self.token.span.start;
        self.bump();
        let subject = self.condition("switch")?;
        self.skip_newlines();
        let open = self.token.span;
        self.expect(TokenKind::LeftBrace)?;
        self.switches += 1;
        let cases = self.cases(open);
        self.switches -= 1;
        let cases = cases?;
        self.bump();
        let statement = self.stmt(StmtKind::Switch { subject, cases }, start);
        self.skip_newlines();
        Ok(statement)
    }

    fn cases(&mut self, open: crate::ast::Span) -> Outcome<Vec<SwitchCase>> {
        let mut cases: Vec<SwitchCase> = Vec::new();
        let mut labels = HashSet::new();
        let mut defaults = 0;
        loop {
            self.skip_newlines();
            match self.token.kind {
                TokenKind::RightBrace => return Ok(cases),
                TokenKind::Eof | TokenKind::Begin | TokenKind::End | TokenKind::Function => {
                    return Err(self.unclosed_block(open));
                }
                TokenKind::Case => {
                    let span = self.token.span;
                    self.bump();
                    let label = self.label()?;
                    let text = self.label_text(label);
                    if !labels.insert(text.clone()) {
                        let text = String::from_utf8_lossy(&text);
                        let message = format!("duplicate case values in switch body: {text}");
                        let span = self.program[label].span;
                        self.error(Diagnostic::error(span, message, "the same value again"));
                    }
                    self.colon()?;
                    cases.push(SwitchCase { label: Some(label), body: Vec::new(), span });
                }
                TokenKind::Default => {
                    defaults += 1;
                    if defaults > 1 {
                        let message = "duplicate `default' detected in switch body";
                        self.error(Diagnostic::error(
                            self.token.span,
                            message,
                            "the second `default`",
                        ));
                    }
                    let span = self.token.span;
                    self.bump();
                    self.colon()?;
                    cases.push(SwitchCase { label: None, body: Vec::new(), span });
                }
                _ => {
                    let Some(case) = cases.last_mut() else { return Err(self.not_a_case()) };
                    let mut body = std::mem::take(&mut case.body);
                    match self.statement() {
                        Ok(statement) => body.push(statement),
                        Err(Abandon::Statement) => self.skip_statement()?,
                        Err(Abandon::Rule) => return Err(Abandon::Rule),
                    }
                    if let Some(case) = cases.last_mut() {
                        case.body = body;
                    }
                }
            }
        }
    }

    fn not_a_case(&mut self) -> Abandon {
        let found = self.unexpected_diagnostic("`case` or `default`");
        let help = self.shadowed(&["case", "default"]);
        self.error(match help {
            Some(help) => found.with_help(help),
            None => found,
        })
    }

    /// A number, possibly with a sign, a string or a regex.
    fn label(&mut self) -> Outcome<ExprId> {
        let start = self.token.span.start;
        let sign = match self.token.kind {
            TokenKind::Minus => -1.0,
            _ => 1.0,
        };
        if matches!(self.token.kind, TokenKind::Minus | TokenKind::Plus) {
            self.bump();
            if !self.at(TokenKind::Number) {
                return Err(self.unexpected("a number after the sign"));
            }
        }
        let kind = match self.token.kind {
            TokenKind::Number => {
                let (value, numeral) = (sign * self.lexer.number, self.lexer.numeral.take());
                self.bump();
                let id = self.expr(ExprKind::Number(value), start);
                let signed = |numeral: Vec<u8>| {
                    if sign < 0.0 { [b"-", &numeral[..]].concat() } else { numeral }
                };
                self.program.numerals.extend(numeral.map(|numeral| (id, signed(numeral))));
                return Ok(id);
            }
            TokenKind::String => ExprKind::String(std::mem::take(&mut self.lexer.content)),
            TokenKind::Slash | TokenKind::DivAssign => {
                self.token.span = self.lexer.regex(start);
                ExprKind::Regex(std::mem::take(&mut self.lexer.content))
            }
            TokenKind::At if self.lexer.at_slash() => {
                let kind = self.typed_regex();
                return Ok(self.expr(kind, start));
            }
            _ => return Err(self.unexpected("a number, a string or a regexp after `case`")),
        };
        self.bump();
        Ok(self.expr(kind, start))
    }

    /// The text by which labels are compared: those with the same text are duplicates.
    fn label_text(&self, label: ExprId) -> Vec<u8> {
        match &self.program[label].kind {
            ExprKind::Number(number) => match self.program.numerals.last() {
                // Too large for a double: compared as written.
                Some((id, numeral)) if *id == label && number.abs() >= 9_007_199_254_740_992.0 => {
                    numeral.clone()
                }
                _ => number.to_string().into_bytes(),
            },
            ExprKind::Regex(text) | ExprKind::TypedRegex(text) => {
                [b"/", text.as_slice(), b"/"].concat()
            }
            ExprKind::String(text) => text.clone(),
            _ => Vec::new(),
        }
    }

    fn colon(&mut self) -> Outcome<()> {
        if !self.at(TokenKind::Colon) {
            return Err(self.unexpected("`:` after the label"));
        }
        self.bump();
        Ok(())
    }
}
