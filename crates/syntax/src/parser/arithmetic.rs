//! Expressions from concatenation down to powers and unary operators.
//!
//! As in gawk, `+` and `-` after an operand are always binary: `1 " " -1` is `1 (" " - 1)`.
//! `command | getline` may be the left side of a concatenation or of arithmetic, never the right.
//! `-x^2` is `-(x^2)`.

use super::{Outcome, Parser};
use crate::ast::{BinaryOp, ExprId, ExprKind, GetlineFrom};
use crate::token::TokenKind;

type Strength = u8;
const ADD: Strength = 1;
const MUL: Strength = 2;
const UNARY: Strength = 3;
const POW: Strength = 4;

impl Parser<'_> {
    /// Adjacent operands, and commands piped into getline.
    pub(super) fn concatenation(&mut self) -> Outcome<ExprId> {
        let start = self.token.span.start;
        let mut left = self.arithmetic()?;
        loop {
            match self.token.kind {
                TokenKind::Pipe | TokenKind::Coprocess if self.print_parens == Some(0) => {
                    return Ok(left);
                }
                kind @ (TokenKind::Pipe | TokenKind::Coprocess) => {
                    self.bump();
                    if !self.at(TokenKind::Getline) {
                        return Err(self.unexpected_after_pipe());
                    }
                    self.bump();
                    let target = self.getline_target()?;
                    let from = match kind {
                        TokenKind::Pipe => GetlineFrom::Command(left),
                        _ => GetlineFrom::Coprocess(left),
                    };
                    let made = ExprKind::Getline { from, target };
                    left = self.expr(made, start);
                    left = self.arithmetic_after(left, ADD)?;
                }
                // After an operand a slash divides, but gawk reads `1 /=2/` as a concatenation with
                // a regex.
                TokenKind::DivAssign if self.is_assignable(left) => return Ok(left),
                kind if starts_operand(kind) => {
                    let right = self.arithmetic()?;
                    left = self.expr(ExprKind::Binary(BinaryOp::Concat, left, right), start);
                }
                _ => return Ok(left),
            }
        }
    }

    pub(super) fn arithmetic(&mut self) -> Outcome<ExprId> {
        self.arithmetic_at(ADD)
    }

    fn arithmetic_at(&mut self, least: Strength) -> Outcome<ExprId> {
        let left = self.unary()?;
        self.arithmetic_after(left, least)
    }

    fn arithmetic_after(&mut self, mut left: ExprId, least: Strength) -> Outcome<ExprId> {
        let start = self.start_of(left);
        loop {
            let (op, strength) = match self.token.kind {
                TokenKind::Plus => (BinaryOp::Add, ADD),
                TokenKind::Minus => (BinaryOp::Sub, ADD),
                TokenKind::Star => (BinaryOp::Mul, MUL),
                TokenKind::Slash => (BinaryOp::Div, MUL),
                TokenKind::Percent => (BinaryOp::Mod, MUL),
                TokenKind::Caret => (BinaryOp::Pow, POW),
                _ => return Ok(left),
            };
            if strength < least {
                return Ok(left);
            }
            self.bump();
            // Only `^` associates to the right.
            let right_least = if strength == POW { POW } else { strength + 1 };
            let right = if strength == POW {
                self.nested(|parser| parser.arithmetic_at(right_least))?
            } else {
                self.arithmetic_at(right_least)?
            };
            left = self.expr(ExprKind::Binary(op, left, right), start);
        }
    }

    /// `!`, `-`, `+` before an operand bind looser than `^`, and tighter than all else.
    pub(super) fn unary(&mut self) -> Outcome<ExprId> {
        let start = self.token.span.start;
        let make: fn(ExprId) -> ExprKind = match self.token.kind {
            TokenKind::Not => ExprKind::Not,
            TokenKind::Minus => ExprKind::Minus,
            TokenKind::Plus => ExprKind::Plus,
            _ => return self.operand_with_step(),
        };
        self.bump();
        let operand = self.nested(|parser| parser.arithmetic_at(UNARY))?;
        Ok(self.expr(make(operand), start))
    }
}

/// Whether a token begins another operand to concatenate. `+`, `-` and `/` do not: they are binary.
fn starts_operand(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Number
            | TokenKind::String
            | TokenKind::Name
            | TokenKind::Builtin
            | TokenKind::Qualified
            | TokenKind::Dollar
            | TokenKind::Not
            | TokenKind::LeftParen
            | TokenKind::Increment
            | TokenKind::Decrement
            | TokenKind::Getline
            | TokenKind::DivAssign
            | TokenKind::At
    )
}
