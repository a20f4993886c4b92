//! Expressions from assignment down to comparison; `arithmetic` has what binds tighter.
//!
//! From loosest: assignment (right), `?:` (right), `||`, `&&`, `in`, `~ !~` (left), comparison
//! (none), then concatenation and `| getline`. The left side of an assignment must be a bare
//! variable. It may then be an operand of the operators listed here (`a && b = 1`), but not of
//! tighter ones (`1 + x = 2`).

use super::{Outcome, Parser};
use crate::ast::{BinaryOp, Dialect, ExprId, ExprKind};
use crate::token::TokenKind;

type Strength = u8;
const ANY: Strength = 0;
const COND: Strength = 1;
const OR: Strength = 2;
const AND: Strength = 3;
const IN: Strength = 4;
const MATCH: Strength = 5;
const COMPARE: Strength = 6;

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Outcome<ExprId> {
        self.expression_at(ANY)
    }

    fn expression_at(&mut self, least: Strength) -> Outcome<ExprId> {
        self.nested(|parser| parser.expression_here(least))
    }

    fn expression_here(&mut self, least: Strength) -> Outcome<ExprId> {
        let start = self.token.span.start;
        let mut left = self.concatenation()?;
        if let Some(op) = assignment(self.token.kind) {
            self.check_assignable(left)?;
            self.bump();
            let value = self.expression_at(ANY)?;
            return Ok(self.expr(ExprKind::Assign { op, target: left, value }, start));
        }
        let mut compared = false;
        loop {
            let kind = self.token.kind;
            let made = match kind {
                TokenKind::Question if least <= COND => {
                    // In POSIX a line may not end after `?` and `:`.
                    let over_lines = self.program.dialect != Dialect::Posix;
                    self.bump();
                    if over_lines {
                        self.skip_newlines();
                    }
                    let yes = self.expression_at(ANY)?;
                    if !self.at(TokenKind::Colon) {
                        return Err(self.unexpected("`:` of the conditional expression"));
                    }
                    self.bump();
                    if over_lines {
                        self.skip_newlines();
                    }
                    let no = self.expression_at(COND)?;
                    ExprKind::Cond { cond: left, yes, no }
                }
                TokenKind::Or if least <= OR => {
                    self.bump();
                    self.skip_newlines();
                    ExprKind::Or(left, self.expression_at(OR + 1)?)
                }
                TokenKind::And if least <= AND => {
                    self.bump();
                    self.skip_newlines();
                    ExprKind::And(left, self.expression_at(AND + 1)?)
                }
                TokenKind::In if least <= IN => {
                    self.bump();
                    let array = self.array_name()?;
                    ExprKind::In { subscripts: vec![left], array }
                }
                TokenKind::Match | TokenKind::NoMatch if least <= MATCH => {
                    self.bump();
                    let regex = self.expression_at(MATCH + 1)?;
                    ExprKind::Match { negated: kind == TokenKind::NoMatch, text: left, regex }
                }
                _ => match comparison(kind) {
                    Some(BinaryOp::Gt) if self.print_parens == Some(0) => return Ok(left),
                    Some(_) if compared => return Err(self.chained_comparison()),
                    Some(op) if least <= COMPARE => {
                        self.bump();
                        let right = self.expression_at(COMPARE + 1)?;
                        left = self.expr(ExprKind::Binary(op, left, right), start);
                        compared = true;
                        continue;
                    }
                    _ => return Ok(left),
                },
            };
            left = self.expr(made, start);
            compared = false;
        }
    }

    pub(super) fn expression_list(&mut self) -> Outcome<Vec<ExprId>> {
        let mut list = vec![self.expression()?];
        while self.eat(TokenKind::Comma) {
            self.skip_newlines();
            list.push(self.expression()?);
        }
        Ok(list)
    }
}

/// The operator of an assignment token; plain `=` is `Some(None)`.
pub(super) fn assignment(kind: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        TokenKind::Assign => None,
        TokenKind::AddAssign => Some(BinaryOp::Add),
        TokenKind::SubAssign => Some(BinaryOp::Sub),
        TokenKind::MulAssign => Some(BinaryOp::Mul),
        TokenKind::DivAssign => Some(BinaryOp::Div),
        TokenKind::ModAssign => Some(BinaryOp::Mod),
        TokenKind::PowAssign => Some(BinaryOp::Pow),
        _ => return None,
    })
}

fn comparison(kind: TokenKind) -> Option<BinaryOp> {
    Some(match kind {
        TokenKind::Less => BinaryOp::Lt,
        TokenKind::LessEqual => BinaryOp::Le,
        TokenKind::Equal => BinaryOp::Eq,
        TokenKind::NotEqual => BinaryOp::Ne,
        TokenKind::Greater => BinaryOp::Gt,
        TokenKind::GreaterEqual => BinaryOp::Ge,
        _ => return None,
    })
}
