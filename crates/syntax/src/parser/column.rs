//! `@"name"`: a field by the name of its column.
//!
//! For each column a hidden global holds the field's number, assigned when the header is read. So
//! `@"name"` costs as much as `$n`, without a look-up for each record.

use super::{Outcome, Parser};
use crate::ast::{ExprId, ExprKind, Global};
use crate::token::TokenKind;

const PREFIX: char = '@';

impl Global {
    /// The column, if this is a hidden global that holds a column's number.
    pub fn column(&self) -> Option<&str> {
        self.name.strip_prefix(PREFIX)
    }
}

impl Parser<'_> {
    pub(super) fn at_column(&self) -> bool {
        self.at(TokenKind::At) && self.lexer.at_quote()
    }

    pub(super) fn column_or_step(&mut self) -> Outcome<ExprId> {
        let field = self.column()?;
        Ok(self.with_step(field))
    }

    pub(super) fn column(&mut self) -> Outcome<ExprId> {
        let start = self.token.span.start;
        self.bump();
        let span = self.token.span;
        let name = format!("{PREFIX}{}", String::from_utf8_lossy(&self.lexer.content));
        self.bump();
        let word = self.lexer.words.number(&name);
        let place = self.names.place(word, span, &self.lexer.words, &mut self.program);
        let number = self.expr(ExprKind::Var(place), span.start);
        Ok(self.expr(ExprKind::Field(number), start))
    }
}
