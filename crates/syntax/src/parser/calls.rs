//! Calls of user functions and of built-in functions.

use super::{Abandon, Outcome, Parser};
use crate::ast::{Builtin, ExprId, ExprKind, Span, VariablePlace};
use crate::diagnostic::Diagnostic;
use crate::token::TokenKind;
use crate::words::Words;

impl Parser<'_> {
    pub(super) fn call(&mut self) -> Outcome<ExprId> {
        let (word, name) = (self.token.word, self.token.span);
        let is_param = self.names.is_param(word);
        if !is_param {
            if let Some(function) = self.names.host_function(word) {
                return self.host_call(function);
            }
            if let Some(function) = self.names.loaded(Words::extension(word)) {
                return self.library_call(function);
            }
        }
        self.bump();
        let function = self.names.called(word, name);
        let args = self.arguments()?;
        if self.lexer.slice(name).contains(&b':') && !is_param && !self.lexer.has_own(word) {
            let text = self.lexer.words.text(word).to_owned();
            self.written_call(&text, args.len(), self.span_from(name.start))?;
        }
        if is_param {
            let text = self.lexer.words.text(word);
            let message = format!("attempt to use non-function `{text}' in function call");
            let found =
                Diagnostic::error(name, message, "this is a parameter of the enclosing function");
            let shadowed = self.shadowed(&["switch"]).filter(|_| text == "switch");
            let indirect = || format!("to call the function it names, write `@{text}(...)`");
            let help = shadowed.or_else(|| self.program.dialect.has_extensions().then(indirect));
            return Err(self.error(match help {
                Some(help) => found.with_help(help),
                None => found,
            }));
        }
        for &arg in &args {
            self.names.passed(arg, &self.program);
        }
        self.names.note_call(function, args.len(), self.span_from(name.start));
        Ok(self.expr(ExprKind::Call { function, args }, name.start))
    }

    pub(super) fn indirect_call(&mut self) -> Outcome<ExprId> {
        let start = self.token.span.start;
        let mark = self.lexer.mark();
        let next = self.lexer.next();
        let is_call = next.kind == TokenKind::Name && self.lexer.at_paren();
        self.lexer.rewind(mark);
        if !is_call {
            return Err(self.misplaced_at());
        }
        self.bump();
        let variable = self.take_name();
        if let VariablePlace::Special(special) = variable.place {
            let name = special.name();
            return Err(self.error(Diagnostic::error(
                variable.span,
                format!("cannot use special variable `{name}' for indirect function call"),
                "assign the function's name to a variable of your own",
            )));
        }
        let name = self.expr(ExprKind::Var(variable.place), variable.span.start);
        let args = self.arguments()?;
        for &arg in &args {
            self.names.passed(arg, &self.program);
        }
        Ok(self.expr(ExprKind::IndirectCall { name, args }, start))
    }

    pub(super) fn typed_regex(&mut self) -> ExprKind {
        self.bump();
        let span = self.lexer.regex(self.token.span.start);
        self.token.span = span;
        let mut content = std::mem::take(&mut self.lexer.content);
        // The text between the slashes, with `\/` unchanged and continued lines joined.
        if let [b'/', text @ .., b'/'] = self.lexer.slice(span)
            && !text.contains(&b'\n')
        {
            content = text.to_vec();
        }
        self.bump();
        ExprKind::TypedRegex(content)
    }

    pub(super) fn arguments(&mut self) -> Outcome<Vec<ExprId>> {
        let open = self.open_paren()?;
        let args =
            if self.at(TokenKind::RightParen) { Vec::new() } else { self.expression_list()? };
        self.close_paren(open)?;
        Ok(args)
    }

    pub(super) fn builtin(&mut self) -> Outcome<ExprId> {
        let (word, name) = (self.token.word, self.token.span);
        if let Some(function) = Words::library(word) {
            return self.library_call(function);
        }
        let Some(builtin) = Words::builtin(word) else {
            return Err(self.unexpected("an expression"));
        };
        self.bump();
        if !self.at(TokenKind::LeftParen) {
            if builtin == Builtin::Length {
                return Ok(self.expr(ExprKind::Builtin { builtin, args: Vec::new() }, name.start));
            }
            let expected = format!("`(` after the function `{}`", builtin.name());
            return Err(self.unexpected(&expected));
        }
        let args = self.arguments()?;
        let call = self.span_from(name.start);
        let flaw = self.flaw(builtin, &args, call)?;
        Ok(match flaw {
            None => self.expr(ExprKind::Builtin { builtin, args }, name.start),
            Some(flaw) => self.cannot_work(builtin.name(), flaw, args, name.start),
        })
    }

    /// Reports a call that cannot work. If gawk refuses it before the program runs, so does this.
    fn flaw(
        &mut self,
        builtin: Builtin,
        args: &[ExprId],
        call: Span,
    ) -> Outcome<Option<Diagnostic>> {
        let (least, most) = builtin.arity();
        if builtin == Builtin::Sprintf && args.is_empty() {
            return Ok(Some(Diagnostic::error(call, "sprintf: no arguments", "expected a format")));
        }
        if !(least..=most).contains(&args.len()) {
            return Err(self.wrong_arity(builtin.name(), builtin.arity(), args.len(), call));
        }
        match self.extension_argument(builtin, args.len(), call) {
            Some(found) if builtin == Builtin::Split => Ok(Some(found)),
            Some(found) => Err(self.error(found)),
            None => self.check_arguments(builtin, args),
        }
    }

    /// A call that becomes an error when it is reached, as a call of an undefined function does.
    pub(super) fn cannot_work(
        &mut self,
        function: &'static str,
        flaw: Diagnostic,
        args: Vec<ExprId>,
        start: u32,
    ) -> ExprId {
        let (complaint, label) = (flaw.message.clone(), "an error when this runs".into());
        let warning = Diagnostic {
            when_reached: Some(complaint.as_str().into()),
            label,
            ..flaw.clone().warning()
        };
        self.lexer.report(warning.with_help(flaw.label));
        for &arg in &args {
            self.names.passed(arg, &self.program);
        }
        self.expr(ExprKind::CannotWork { function, complaint, args }, start)
    }

    fn extension_argument(&self, builtin: Builtin, count: usize, call: Span) -> Option<Diagnostic> {
        let (most, ordinal) = match builtin {
            Builtin::Match => (2, "third"),
            Builtin::Close => (1, "second"),
            Builtin::Split => (3, "fourth"),
            _ => return None,
        };
        if count <= most || self.program.dialect.has_extensions() {
            return None;
        }
        let message = format!("{}: {ordinal} argument is a gawk extension", builtin.name());
        Some(Diagnostic::error(call, message, "switched off here"))
    }

    pub(super) fn wrong_arity(
        &mut self,
        name: &str,
        arity: (usize, usize),
        count: usize,
        call: Span,
    ) -> Abandon {
        let label = match arity {
            (0, 0) => "takes no arguments".to_string(),
            (1, 1) => "takes 1 argument".to_string(),
            (least, most) if least == most => format!("takes {least} arguments"),
            (least, usize::MAX) => format!("takes {least} arguments or more"),
            (least, most) => format!("takes {least} to {most} arguments"),
        };
        let message = format!("{count} is invalid as number of arguments for {name}");
        self.error(Diagnostic::error(call, message, label))
    }

    fn check_arguments(
        &mut self,
        builtin: Builtin,
        args: &[ExprId],
    ) -> Outcome<Option<Diagnostic>> {
        let arrays: &[(usize, &str)] = match builtin {
            Builtin::Split => &[(1, "second"), (3, "fourth")],
            Builtin::Match => &[(2, "third")],
            Builtin::Sub | Builtin::Gsub => {
                return self.check_substitution(builtin, args).map(|()| None);
            }
            Builtin::Index => return self.check_index(args).map(|()| None),
            // Whether the argument is an array is known only at run time.
            Builtin::Length => {
                if let Some(&arg) = args.first() {
                    self.names.passed(arg, &self.program);
                }
                return Ok(None);
            }
            _ => return Ok(None),
        };
        let flaw = arrays.iter().find_map(|&(at, ordinal)| {
            self.array_argument(builtin.name(), ordinal, *args.get(at)?)
        });
        Ok(flaw)
    }

    pub(super) fn array_argument(
        &mut self,
        function: &str,
        ordinal: &str,
        arg: ExprId,
    ) -> Option<Diagnostic> {
        if let ExprKind::Element { .. } = self.program[arg].kind {
            return None;
        }
        let ExprKind::Var(place) = self.program[arg].kind else {
            let message = format!("{function}: {ordinal} argument is not an array");
            return Some(Diagnostic::error(
                self.program[arg].span,
                message,
                "expected the name of an array",
            ));
        };
        self.names.uses_array(place, &mut self.program);
        self.names.passed(arg, &self.program);
        None
    }

    /// `index` takes text; a regex as its second argument means that `match` was meant.
    fn check_index(&mut self, args: &[ExprId]) -> Outcome<()> {
        let Some(&sought) = args.get(1) else { return Ok(()) };
        if !matches!(self.program[sought].kind, ExprKind::Regex(_) | ExprKind::TypedRegex(_)) {
            return Ok(());
        }
        let message = "index: regexp constant as second argument is not allowed";
        let found = Diagnostic::error(
            self.program[sought].span,
            message,
            "to search for a pattern, use `match`",
        );
        Err(self.error(found.fatal()))
    }

    /// The third argument of `sub` and `gsub` must be assignable. gawk accepts constants, counts,
    /// and drops the result.
    fn check_substitution(&mut self, builtin: Builtin, args: &[ExprId]) -> Outcome<()> {
        let Some(&target) = args.get(2) else { return Ok(()) };
        if self.is_assignable(target) || self.is_constant(target) {
            return Ok(());
        }
        let message = format!("{} third parameter is not a changeable object", builtin.name());
        let found = Diagnostic::error(
            self.program[target].span,
            message,
            "expected a variable, a field or an array element",
        );
        Err(self.error(found))
    }

    fn is_constant(&self, root: ExprId) -> bool {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            match self.program[id].kind {
                ExprKind::Number(_) | ExprKind::String(_) => {}
                ExprKind::Minus(a) | ExprKind::Plus(a) | ExprKind::Not(a) => pending.push(a),
                ExprKind::Binary(_, a, b) => pending.extend([a, b]),
                _ => return false,
            }
        }
        true
    }
}
