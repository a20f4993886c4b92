//! Statements, each on a line of its own.

use super::Printer;
use crate::ast::{ExprId, ExprKind, Name, RedirectKind, Redirection, Span, StmtId, StmtKind};
use crate::deep;
use crate::visit::Visit;

impl<'a> Printer<'a> {
    /// `around` ends after the closing brace.
    pub(super) fn body(&mut self, body: &'a [StmtId], around: Span) {
        self.text("\n");
        self.indented(body, around.end.saturating_sub(1));
        self.margin(None);
        self.text("}");
    }

    fn indented(&mut self, body: &'a [StmtId], end: u32) {
        self.level += 1;
        self.statements(body, end);
        self.comments_before(end);
        self.level -= 1;
    }

    fn statements(&mut self, body: &'a [StmtId], end: u32) {
        for (at, &id) in body.iter().enumerate() {
            let next = body.get(at + 1).map_or(end, |&next| self.program[next].span.start);
            deep(|| self.statement(id, next));
        }
    }

    fn statement(&mut self, id: StmtId, next: u32) {
        let program = self.program;
        let statement = &program[id];
        let span = Span { start: statement.span.start, end: self.end_of(id) };
        if let StmtKind::Block(inner) = &statement.kind {
            // Nested braces and lone semicolons mean nothing, so they are dropped.
            self.statements(inner, span.end);
            self.comments_before(span.end);
            return;
        }
        self.comments_before(self.head_end(id));
        self.blank_line(span.start);
        self.written_to = self.written_to.max(span.start);
        let place = match statement.kind {
            StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::For { .. }
            | StmtKind::ForIn { .. } => Visit::Turn(id),
            _ => Visit::Statement(id),
        };
        self.margin(Some(place));
        self.statement_here(id);
        self.written_to = self.written_to.max(span.end);
        self.behind(span.end, next);
        self.text("\n");
    }

    /// The end of a statement. The parser's span may include the line ends after a nested
    /// statement.
    fn end_of(&self, mut id: StmtId) -> u32 {
        loop {
            let statement = &self.program[id];
            id = match &statement.kind {
                StmtKind::If { otherwise: Some(last), .. } => *last,
                StmtKind::If { then: last, .. } => *last,
                StmtKind::While { body, .. }
                | StmtKind::For { body, .. }
                | StmtKind::ForIn { body, .. } => *body,
                _ => return statement.span.end,
            };
        }
    }

    fn head_end(&self, id: StmtId) -> u32 {
        let program = self.program;
        let end_of = |id: ExprId| program[id].span.end;
        let statement = &program[id];
        match &statement.kind {
            StmtKind::If { cond, .. } | StmtKind::While { cond, .. } => end_of(*cond),
            StmtKind::For { init, cond, step, .. } => {
                let parts = [
                    step.map(|step| program[step].span.end),
                    cond.map(end_of),
                    init.map(|init| program[init].span.end),
                ];
                parts.into_iter().flatten().next().unwrap_or(statement.span.start)
            }
            StmtKind::ForIn { array, .. } => array.span.end,
            StmtKind::DoWhile { .. } => statement.span.start,
            StmtKind::Switch { subject, .. } => end_of(*subject),
            _ => statement.span.end,
        }
    }

    fn statement_here(&mut self, id: StmtId) {
        let program = self.program;
        let statement = &program[id];
        match &statement.kind {
            StmtKind::Expr(expr) => self.expr(*expr),
            StmtKind::Print { args, to } => self.print("print", statement.span, args, to.as_ref()),
            StmtKind::Printf { args, to } => {
                self.print("printf", statement.span, args, to.as_ref())
            }
            StmtKind::If { .. } => self.if_chain(id),
            StmtKind::While { cond, body } => {
                self.text("while (");
                self.expr(*cond);
                self.text(") {");
                self.braced(*body, self.end_of(id));
            }
            StmtKind::DoWhile { body, cond } => {
                self.text("do {");
                self.braced(*body, program[*cond].span.start);
                self.text(" while (");
                self.expr(*cond);
                self.text(")");
            }
            StmtKind::For { init, cond, step, body } => {
                self.text("for (");
                init.iter().for_each(|&init| self.statement_here(init));
                // A blank for each absent part, as in gawk, except in `for (;;)`.
                let is_endless = init.is_none() && cond.is_none() && step.is_none();
                self.text(if is_endless { ";;" } else { "; " });
                cond.iter().for_each(|&cond| self.expr(cond));
                self.text(if is_endless { "" } else { "; " });
                step.iter().for_each(|&step| self.statement_here(step));
                self.text(") {");
                self.braced(*body, self.end_of(id));
            }
            StmtKind::ForIn { target, array, body } => {
                self.text("for (");
                self.expr(*target);
                self.text(" in ");
                self.name(array);
                self.text(") {");
                self.braced(*body, self.end_of(id));
            }
            StmtKind::Switch { .. } => self.switch(id),
            StmtKind::Block(_) => {}
            StmtKind::Next => self.text("next"),
            StmtKind::NextFile => self.text("nextfile"),
            StmtKind::Break => self.text("break"),
            StmtKind::Continue => self.text("continue"),
            StmtKind::Exit(value) => self.keyword("exit", *value),
            StmtKind::Return(value) => self.keyword("return", *value),
            StmtKind::Delete { array, subscripts } => {
                self.text("delete ");
                self.name(array);
                if let Some(subscripts) = subscripts {
                    self.text("[");
                    self.list(subscripts);
                    self.text("]");
                }
            }
            StmtKind::DeleteField { field } => self.keyword("delete", Some(*field)),
        }
    }

    /// `end` is the end of the enclosing statement, or of this part of it.
    fn braced(&mut self, body: StmtId, end: u32) {
        self.braced_before(body, end, None);
    }

    /// With the count of a part that begins on the line of the closing brace.
    fn braced_before(&mut self, body: StmtId, end: u32, times: Option<u64>) {
        self.text("\n");
        let span = Span { start: self.program[body].span.start, end: self.end_of(body) };
        match &self.program[body].kind {
            StmtKind::Block(inner) if !inner.is_empty() => {
                self.indented(inner, span.end.saturating_sub(1))
            }
            StmtKind::Block(_) => self.indented(&[], span.end.saturating_sub(1)),
            _ => {
                self.level += 1;
                let next = if end > span.end { end } else { u32::MAX };
                self.statement(body, next);
                self.level -= 1;
            }
        }
        self.written_to = self.written_to.max(span.end);
        self.margin_of(times);
        self.text("}");
    }

    fn times_otherwise(&self, id: StmtId) -> Option<u64> {
        let counts = self.layout.counts?;
        let times = counts(Visit::Statement(id)).saturating_sub(counts(Visit::Then(id)));
        (times > 0).then_some(times)
    }

    fn if_chain(&mut self, first: StmtId) {
        let program = self.program;
        let mut id = first;
        loop {
            let StmtKind::If { cond, then, otherwise } = &program[id].kind else { return };
            self.text("if (");
            self.expr(*cond);
            self.text(") {");
            self.times(self.count(Visit::Then(id)));
            let end = otherwise
                .map_or_else(|| self.end_of(id), |otherwise| program[otherwise].span.start);
            let Some(otherwise) = *otherwise else { return self.braced(*then, end) };
            self.braced_before(*then, end, self.times_otherwise(id));
            if let StmtKind::If { .. } = program[otherwise].kind {
                // Comments before `else` must stay before what follows it.
                self.text(" else ");
                id = otherwise;
                continue;
            }
            self.text(" else {");
            self.braced(otherwise, self.end_of(first));
            return;
        }
    }

    fn switch(&mut self, id: StmtId) {
        let program = self.program;
        let StmtKind::Switch { subject, cases } = &program[id].kind else { return };
        self.text("switch (");
        self.expr(*subject);
        self.text(") {\n");
        for (number, case) in cases.iter().enumerate() {
            self.comments_before(case.span.start);
            self.margin(Some(Visit::Case(id, number as u32)));
            match case.label {
                Some(label) => {
                    self.text("case ");
                    self.expr(label);
                    self.text(":\n");
                }
                None => self.text("default:\n"),
            }
            let next =
                cases.get(number + 1).map_or(program[id].span.end - 1, |case| case.span.start);
            self.indented(&case.body, next);
        }
        self.comments_before(program[id].span.end.saturating_sub(1));
        self.margin(None);
        self.text("}");
    }

    fn keyword(&mut self, keyword: &str, value: Option<ExprId>) {
        self.text(keyword);
        if let Some(value) = value {
            self.text(" ");
            self.expr(value);
        }
    }

    fn print(&mut self, keyword: &str, span: Span, args: &'a [ExprId], to: Option<&Redirection>) {
        self.text(keyword);
        let needs_parens = match args {
            [] | [_] => false,
            // gawk puts a redirected list in parentheses; without redirection, a `>` in it must
            // stay in its own.
            [first, ..] => {
                to.is_some()
                    || self.opens_list(span, *first) && args.iter().any(|&arg| self.redirects(arg))
            }
        };
        if needs_parens {
            self.text("(");
            self.list(args);
            self.text(")");
        } else if !args.is_empty() {
            self.text(" ");
            self.list(args);
        }
        if let Some(Redirection { kind, target }) = to {
            self.text(match kind {
                RedirectKind::Truncate => " > ",
                RedirectKind::Append => " >> ",
                RedirectKind::Pipe => " | ",
                RedirectKind::Coprocess => " |& ",
            });
            self.expr(*target);
        }
    }

    fn opens_list(&self, statement: Span, first: ExprId) -> bool {
        let before =
            self.source.slice(Span { start: statement.start, end: self.program[first].span.start });
        before.trim_ascii_end().ends_with(b"(")
    }

    /// Whether the expression has a `>` or `|` outside parentheses, which would redirect.
    fn redirects(&self, root: ExprId) -> bool {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            use crate::ast::{BinaryOp, GetlineFrom};
            match &self.program[id].kind {
                ExprKind::Binary(BinaryOp::Gt, ..)
                | ExprKind::Getline {
                    from: GetlineFrom::Command(_) | GetlineFrom::Coprocess(_),
                    ..
                } => return true,
                ExprKind::Binary(_, a, b) | ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                    pending.extend([*a, *b])
                }
                ExprKind::Match { text, regex, .. } => pending.extend([*text, *regex]),
                ExprKind::Cond { cond, yes, no } => pending.extend([*cond, *yes, *no]),
                ExprKind::Assign { value, .. } => pending.push(*value),
                ExprKind::Not(a) | ExprKind::Minus(a) | ExprKind::Plus(a) | ExprKind::Field(a) => {
                    pending.push(*a)
                }
                ExprKind::In { subscripts, .. } if subscripts.len() == 1 => {
                    pending.push(subscripts[0])
                }
                _ => {}
            }
        }
        false
    }

    pub(super) fn name(&mut self, name: &Name) {
        match name.element {
            Some(element) => self.expr(element),
            None => self.slice(name.span),
        }
    }
}
