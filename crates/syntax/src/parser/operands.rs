//! Operands: constants, variables, fields, groups, getline, increments.

use super::{Body, Outcome, Parser};
use crate::ast::{ExprId, ExprKind, GetlineFrom, Name};
use crate::diagnostic::{Diagnostic, Fix};
use crate::token::TokenKind;
use crate::words::Words;

impl Parser<'_> {
    pub(super) fn operand_with_step(&mut self) -> Outcome<ExprId> {
        let operand = self.operand()?;
        if self.is_assignable(operand) { Ok(self.with_step(operand)) } else { Ok(operand) }
    }

    pub(super) fn with_step(&mut self, target: ExprId) -> ExprId {
        if !matches!(self.token.kind, TokenKind::Increment | TokenKind::Decrement) {
            return target;
        }
        let down = self.at(TokenKind::Decrement);
        self.bump();
        let start = self.start_of(target);
        self.expr(ExprKind::Step { prefix: false, down, target }, start)
    }

    fn operand(&mut self) -> Outcome<ExprId> {
        let start = self.token.span.start;
        let kind = match self.token.kind {
            TokenKind::Number => {
                let (value, numeral) = (self.lexer.number, self.lexer.numeral.take());
                self.bump();
                if let Some(numeral) = numeral {
                    let id = self.expr(ExprKind::Number(value), start);
                    self.program.numerals.push((id, numeral));
                    return Ok(id);
                }
                ExprKind::Number(value)
            }
            TokenKind::String => {
                let content = std::mem::take(&mut self.lexer.content);
                let marked = self.token.word == Words::MARK;
                self.bump();
                if marked {
                    let id = self.expr(ExprKind::String(content), start);
                    self.program.translatable.push(id);
                    return Ok(id);
                }
                ExprKind::String(content)
            }
            TokenKind::Slash | TokenKind::DivAssign => {
                self.token.span = self.lexer.regex(start);
                let content = std::mem::take(&mut self.lexer.content);
                self.bump();
                ExprKind::Regex(content)
            }
            TokenKind::LeftParen => return self.group(),
            TokenKind::Dollar => return self.field(),
            TokenKind::Increment | TokenKind::Decrement => {
                let down = self.at(TokenKind::Decrement);
                self.bump();
                let target = self.step_target(down)?;
                ExprKind::Step { prefix: true, down, target }
            }
            TokenKind::Getline => {
                self.bump();
                let target = self.getline_target()?;
                let from = if self.eat(TokenKind::Less) {
                    // The file is an operand with arithmetic but no concatenation: `getline < "a"
                    // "b"` reads "a".
                    GetlineFrom::File(self.nested(Parser::arithmetic)?)
                } else {
                    self.check_plain_getline(start);
                    GetlineFrom::Main
                };
                ExprKind::Getline { from, target }
            }
            TokenKind::Name if self.lexer.at_paren() => return self.call(),
            TokenKind::Name => return self.variable(),
            TokenKind::Builtin => return self.builtin(),
            TokenKind::Qualified => return Err(self.not_in_library()),
            TokenKind::At if self.lexer.at_slash() => self.typed_regex(),
            TokenKind::At if self.at_column() => return self.column_or_step(),
            TokenKind::At => return self.indirect_call(),
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(self.expr(kind, start))
    }

    /// `(expression)`, `(list) in array`, or the whole list of a `print` in parentheses.
    fn group(&mut self) -> Outcome<ExprId> {
        let open = self.open_paren()?;
        let mut list = self.expression_list()?;
        self.close_paren(open)?;
        if list.len() == 1 {
            return Ok(self.expr(ExprKind::Group(list[0]), open.start));
        }
        if self.eat(TokenKind::In) {
            let array = self.array_name()?;
            return Ok(self.expr(ExprKind::In { subscripts: list, array }, open.start));
        }
        if self.print_list.as_ref().is_none_or(|(start, _)| *start != open.start) {
            return Err(self.unexpected("`in` after a list in parentheses"));
        }
        if !self.at_print_end() {
            return Err(self.after_print_list());
        }
        // The print takes the list, so this is a placeholder.
        let stands_for = list[0];
        self.print_list = Some((open.start, Some(std::mem::take(&mut list))));
        Ok(stands_for)
    }

    /// `$` and its operand. An increment belongs to the field: `$i++` is `($i)++`. With two `$` it
    /// belongs to the inner field: `$$i++` is `$(($i)++)`.
    fn field(&mut self) -> Outcome<ExprId> {
        let start = self.token.span.start;
        self.bump();
        let operand_start = self.token.span;
        let index = self.nested(|parser| match parser.token.kind {
            TokenKind::Not | TokenKind::Minus | TokenKind::Plus => parser.unary(),
            TokenKind::Getline => Err(parser.unexpected("a field number")),
            _ => parser.operand(),
        })?;
        if matches!(self.program[index].kind, ExprKind::In { .. }) {
            return Err(self.error(Diagnostic::error(
                operand_start,
                "`$` cannot be applied to a list in parentheses",
                "expected a field number",
            )));
        }
        let field = self.expr(ExprKind::Field(index), start);
        Ok(self.with_step(field))
    }

    fn step_target(&mut self, down: bool) -> Outcome<ExprId> {
        let is_variable = match self.token.kind {
            TokenKind::Name => !self.lexer.at_paren(),
            kind => kind == TokenKind::Dollar || self.at_column(),
        };
        if !is_variable {
            return Err(self.unexpected(if down {
                "a variable after `--`"
            } else {
                "a variable after `++`"
            }));
        }
        let target = self.nested(Parser::operand)?;
        self.check_assignable(target)?;
        Ok(target)
    }

    /// Reports getline in BEGINFILE and ENDFILE, where there is no next record. In a function it
    /// depends on the caller.
    fn check_plain_getline(&mut self, start: u32) {
        if let Body::Special(rule @ (TokenKind::BeginFile | TokenKind::EndFile)) = self.body {
            let rule = rule.describe().trim_matches('`');
            let message = format!("non-redirected `getline' invalid inside `{rule}' rule");
            self.error(Diagnostic::error(
                self.span_from(start),
                message,
                "name the file to read, as in `getline < file`",
            ));
        }
    }

    pub(super) fn getline_target(&mut self) -> Outcome<Option<ExprId>> {
        match self.token.kind {
            TokenKind::Name if !self.lexer.at_paren() => {}
            TokenKind::Dollar => {}
            TokenKind::At if self.at_column() => {}
            _ => return Ok(None),
        }
        let target = self.nested(Parser::operand)?;
        self.check_assignable(target)?;
        Ok(Some(target))
    }

    fn variable(&mut self) -> Outcome<ExprId> {
        let start = self.token.span.start;
        let name = self.take_name();
        if !self.at(TokenKind::LeftBracket) {
            return Ok(self.expr(ExprKind::Var(name.place), start));
        }
        let (array, subscripts) = self.element(name)?;
        Ok(self.expr(ExprKind::Element { array, subscripts }, start))
    }

    /// Reads the subscripts after the name of an array. Returns the array that the last brackets
    /// belong to, and their content.
    pub(super) fn element(&mut self, mut array: Name) -> Outcome<(Name, Vec<ExprId>)> {
        loop {
            let subscripts = self.subscripts(array)?;
            if !self.at(TokenKind::LeftBracket) {
                return Ok((array, subscripts));
            }
            if !self.program.dialect.has_extensions() {
                let message = "multidimensional arrays are a gawk extension";
                return Err(self.error(
                    Diagnostic::error(self.token.span, message, "switched off here").fatal(),
                ));
            }
            let element = self.expr(ExprKind::Element { array, subscripts }, array.span.start);
            array.element = Some(element);
        }
    }

    fn subscripts(&mut self, array: Name) -> Outcome<Vec<ExprId>> {
        let open = self.token.span;
        self.names.uses_array(array.place, &mut self.program);
        self.expect(TokenKind::LeftBracket)?;
        let subscripts = self.expression_list()?;
        if !self.at(TokenKind::RightBracket) {
            return Err(self.unclosed("`]`", open));
        }
        self.bump();
        Ok(subscripts)
    }

    pub(super) fn array_name(&mut self) -> Outcome<Name> {
        if !self.at(TokenKind::Name) || self.lexer.at_paren() {
            return Err(self.unexpected("the name of an array"));
        }
        let name = self.take_name();
        self.names.uses_array(name.place, &mut self.program);
        if !self.at(TokenKind::LeftBracket) {
            return Ok(name);
        }
        let (array, subscripts) = self.element(name)?;
        let element = self.expr(ExprKind::Element { array, subscripts }, name.span.start);
        Ok(Name { element: Some(element), ..name })
    }

    pub(super) fn take_name(&mut self) -> Name {
        let (word, span) = (self.token.word, self.token.span);
        self.bump();
        Name {
            place: self.names.place(word, span, &self.lexer.words, &mut self.program),
            span,
            element: None,
        }
    }

    pub(super) fn is_assignable(&self, target: ExprId) -> bool {
        matches!(
            self.program[target].kind,
            ExprKind::Var(_) | ExprKind::Element { .. } | ExprKind::Field(_)
        )
    }

    pub(super) fn check_assignable(&mut self, target: ExprId) -> Outcome<()> {
        if self.is_assignable(target) {
            return Ok(());
        }
        let span = self.program[target].span;
        let of_field = |id: ExprId| matches!(self.program[id].kind, ExprKind::Field(_));
        let found = match &self.program[target].kind {
            ExprKind::Step { prefix: false, target, .. } if of_field(*target) => Diagnostic::error(
                span,
                "cannot assign a value to the result of a field post-increment expression",
                "this is a value, not a field",
            ),
            ExprKind::Group(_) => {
                Diagnostic::error(span, "cannot assign to an expression in parentheses", "expected a variable")
                    .with_help("write the variable without the parentheses")
            }
            ExprKind::Binary(_, _, right) if self.is_assignable(*right) => {
                Diagnostic::error(span, "cannot assign to an expression", "expected a variable").with_help(
                    "to assign inside an expression, put the assignment in parentheses; to compare, write `==`",
                )
            }
            _ => Diagnostic::error(span, "cannot assign to an expression", "expected a variable")
                .with_help("to compare, write `==`"),
        };
        let is_assignment = self.token.kind == TokenKind::Assign;
        let is_comparison = found.help.as_ref().is_some_and(|help| help.ends_with("write `==`"));
        Err(self.error(match is_assignment && is_comparison {
            true => found.with_fix(Fix::suggested("compare: write `==`", self.token.span, "==")),
            false => found,
        }))
    }
}
