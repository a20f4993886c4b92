//! Constructs that are rarely meant.

use super::Linter;
use super::wording::is_to_file;
use crate::ast::{Builtin, ExprId, ExprKind, Span, Special, Stmt, StmtKind, VariablePlace};
use crate::diagnostic::Fix;

impl Linter<'_> {
    pub(super) fn suspicious(&mut self) {
        for (id, _) in self.exprs() {
            self.suspicious_expr(id);
        }
        for stmt in &self.program.stmts {
            self.suspicious_stmt(stmt);
        }
        self.without_effect();
        self.functions();
        for action in self.program.begin.iter().chain(&self.program.end) {
            self.plain_prints(&action.body);
        }
        for piece in self.source.pieces() {
            if piece.text.is_empty() {
                let message = match piece.is_command_line() {
                    true => "empty program text on command line".to_owned(),
                    false => format!("source file `{}' is empty", piece.name),
                };
                self.warn(crate::ast::Span { start: piece.base, end: piece.base }, message, "");
            }
        }
    }

    fn suspicious_expr(&mut self, id: ExprId) {
        let program = self.program;
        let span = program[id].span;
        let is_regex = |id: &ExprId| matches!(program[*id].kind, ExprKind::Regex(_));
        match &program[id].kind {
            ExprKind::Number(_) => self.number(id),
            ExprKind::Regex(_) => {
                let text = self.text(span);
                let shown = String::from_utf8_lossy(text);
                if text == b"//" {
                    self.warn(
                        span,
                        "regexp constant `//' looks like a C++ comment, but is not",
                        "an empty regexp",
                    );
                } else if text.starts_with(b"/*") && text.ends_with(b"*/") {
                    let message =
                        format!("regexp constant `{shown}' looks like a C comment, but is not");
                    self.warn(span, message, "a regexp");
                }
            }
            ExprKind::String(_) if self.text(span).windows(2).any(|pair| pair == b"\\\n") => {
                self.warn(
                    span,
                    "backslash string continuation is not portable",
                    "continues on the next line",
                );
            }
            ExprKind::Assign { op: None, value, .. } if is_regex(value) => {
                self.warn(
                    program[*value].span,
                    "regular expression on right of assignment",
                    "matched against $0",
                );
            }
            ExprKind::Match { text, .. } if is_regex(text) => {
                let message = "regular expression on left of `~' or `!~' operator";
                self.warn(program[*text].span, message, "matched against $0");
            }
            ExprKind::Binary(op, _, right) if is_comparison(*op) && is_regex(right) => {
                self.warn(
                    program[*right].span,
                    "regular expression on right of comparison",
                    "matched against $0",
                );
            }
            ExprKind::Call { args, .. } => {
                for (at, arg) in args.iter().enumerate().filter(|(_, arg)| is_regex(arg)) {
                    let message =
                        format!("regexp constant for parameter #{} yields boolean value", at + 1);
                    self.warn(program[*arg].span, message, "matched against $0");
                }
            }
            ExprKind::Builtin { builtin: builtin @ (Builtin::Sub | Builtin::Gsub), args } => {
                let text = args
                    .get(2)
                    .filter(|&&target| matches!(program[target].kind, ExprKind::String(_)));
                if let Some(&target) = text {
                    let name = builtin.name();
                    let message = format!(
                        "{name}: string literal as last argument of substitute has no effect"
                    );
                    self.warn(program[target].span, message, "a constant");
                }
            }
            ExprKind::Builtin { builtin: Builtin::Length, args }
                if args.is_empty() && !self.text(span).ends_with(b")") =>
            {
                let message = "call of `length' without parentheses is not portable";
                let end = Span { start: span.end, end: span.end };
                let fix = Fix::safe("write `length()`", end, "()");
                self.warn_with(span, message, "write length()", fix);
            }
            _ => {}
        }
    }

    fn number(&mut self, id: ExprId) {
        let span = self.program[id].span;
        let text = self.text(span);
        let shown = String::from_utf8_lossy(text);
        let octal = text.len() > 1
            && text[0] == b'0'
            && text.iter().all(|digit| (b'0'..b'8').contains(digit));
        if !self.program.dialect.has_extensions() {
        } else if text.len() > 2 && text[0] == b'0' && text[1] | 0x20 == b'x' {
            self.warn(span, format!("numeric constant `{shown}' treated as hexadecimal"), "");
        } else if octal {
            self.warn(span, format!("numeric constant `{shown}' treated as octal"), "");
        }
    }

    fn suspicious_stmt(&mut self, stmt: &Stmt) {
        let program = self.program;
        match &stmt.kind {
            StmtKind::If { cond, .. }
            | StmtKind::While { cond, .. }
            | StmtKind::DoWhile { cond, .. }
            | StmtKind::For { cond: Some(cond), .. } => {
                if let ExprKind::Assign { op: None, .. } = program[*cond].kind {
                    let message = "assignment used in conditional context";
                    self.assigns_in_condition(*cond, program[*cond].span, message);
                }
            }
            StmtKind::Print { to: Some(to), .. } | StmtKind::Printf { to: Some(to), .. } => {
                let target = &program[to.target];
                let concatenated =
                    matches!(target.kind, ExprKind::Binary(crate::ast::BinaryOp::Concat, ..));
                if concatenated && !self.is_constant_text(to.target) && is_to_file(to.kind) {
                    let message = "concatenation as I/O `>' redirection target is ambiguous";
                    let at = |offset| Span { start: offset, end: offset };
                    let fix = Fix::safe("put it in parentheses", at(target.span.start), "(")
                        .and(at(target.span.end), ")");
                    self.warn_with(target.span, message, "put it in parentheses", fix);
                }
            }
            StmtKind::Delete { subscripts: None, array }
                if array.element.is_none() && self.is_in_parentheses(b"delete", stmt.span) =>
            {
                let message = "`delete(array)' is a non-portable tawk extension";
                let written = [b"delete ", self.text(array.span)].concat();
                let text = self.text(stmt.span);
                let length = text.iter().position(|&byte| byte == b')').map_or(0, |at| at + 1);
                let whole = Span { start: stmt.span.start, end: stmt.span.start + length as u32 };
                let fix = Fix::safe("write it without parentheses", whole, written);
                self.warn_with(stmt.span, message, "write delete array", fix);
            }
            _ => {}
        }
    }

    /// Warns of statements without effect. As in gawk, a body without braces is not checked.
    fn without_effect(&mut self) {
        let program = self.program;
        let blocks = program.stmts.iter().flat_map(|stmt| match &stmt.kind {
            StmtKind::Block(body) => vec![body.as_slice()],
            StmtKind::Switch { cases, .. } => {
                cases.iter().map(|case| case.body.as_slice()).collect()
            }
            _ => Vec::new(),
        });
        let actions = [&program.begin, &program.begin_file, &program.end_file, &program.end];
        let actions = actions.into_iter().flatten().map(|action| action.body.as_slice());
        let rules = program.rules.iter().filter_map(|rule| rule.action.as_deref());
        let functions = program.functions.iter().filter(|function| !function.builtin);
        let functions = functions.map(|function| function.body.as_slice());
        for stmt in actions.chain(rules).chain(functions).chain(blocks).flatten() {
            if let StmtKind::Expr(expr) = program[*stmt].kind
                && self.has_no_effect(expr)
            {
                self.warn(program[expr].span, "statement has no effect", "its value is not used");
            }
        }
    }

    /// Whether an expression has no effect as a statement. As in gawk, parentheses, a plus and any
    /// call count as an effect.
    fn has_no_effect(&self, root: ExprId) -> bool {
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            match &self.program[id].kind {
                ExprKind::Group(_) | ExprKind::Plus(_) | ExprKind::Cond { .. } => return false,
                ExprKind::Builtin { .. } | ExprKind::Library { .. } => return false,
                ExprKind::Call { .. }
                | ExprKind::Host { .. }
                | ExprKind::IndirectCall { .. }
                | ExprKind::CannotWork { .. } => {
                    return false;
                }
                ExprKind::Assign { .. } | ExprKind::Step { .. } | ExprKind::Getline { .. } => {
                    return false;
                }
                // Reading these counts records or splits the record.
                ExprKind::Var(VariablePlace::Special(Special::Nr | Special::Fnr | Special::Nf)) => {
                    return false;
                }
                ExprKind::Number(_)
                | ExprKind::String(_)
                | ExprKind::Regex(_)
                | ExprKind::TypedRegex(_)
                | ExprKind::Var(_) => {}
                // It makes the arrays that it passes through.
                ExprKind::Element { array, .. } if array.element.is_some() => return false,
                ExprKind::Element { subscripts, .. } | ExprKind::In { subscripts, .. } => {
                    pending.extend(subscripts)
                }
                ExprKind::Field(a) | ExprKind::Not(a) | ExprKind::Minus(a) => pending.push(*a),
                ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) => {
                    pending.extend([*a, *b])
                }
                ExprKind::Match { text, regex, .. } => pending.extend([*text, *regex]),
            }
        }
        true
    }

    fn functions(&mut self) {
        let program = self.program;
        let mut called = vec![false; program.functions.len()];
        for (_, expr) in self.exprs() {
            if let ExprKind::Call { function, .. } = expr.kind {
                called[function.index()] = true;
            }
        }
        for (function, called) in program.functions.iter().zip(called) {
            if function.builtin {
                continue;
            }
            // `--test` calls what it is named after.
            let name = function.name.rsplit("::").next().unwrap_or_default();
            if function.defined && !called && !name.starts_with("test_") {
                let message =
                    format!("function `{}' defined but never called directly", function.name);
                self.warn(function.name_span, message, "");
            }
            for param in function.params.iter().filter(|param| !param.name.is_empty()) {
                if program.globals.iter().any(|global| global.name == param.name) {
                    let message = format!(
                        "function `{}': parameter `{}' shadows global variable",
                        function.name, param.name
                    );
                    self.warn(param.span, message, "another variable than the global one");
                }
            }
        }
    }

    /// Finds `print` without arguments where there is no record.
    fn plain_prints(&mut self, body: &[crate::ast::StmtId]) {
        let mut pending = body.to_vec();
        while let Some(id) = pending.pop() {
            let stmt = &self.program[id];
            match &stmt.kind {
                StmtKind::Print { args, .. } if args.is_empty() => {
                    let message =
                        "plain `print' in BEGIN or END rule should probably be `print \"\"'";
                    self.warn(stmt.span, message, "prints $0");
                }
                StmtKind::Block(body) => pending.extend(body),
                StmtKind::If { then, otherwise, .. } => {
                    pending.extend([Some(*then), *otherwise].into_iter().flatten())
                }
                StmtKind::While { body, .. }
                | StmtKind::DoWhile { body, .. }
                | StmtKind::For { body, .. }
                | StmtKind::ForIn { body, .. } => pending.push(*body),
                StmtKind::Switch { cases, .. } => {
                    pending.extend(cases.iter().flat_map(|case| &case.body))
                }
                _ => {}
            }
        }
    }
}

fn is_comparison(op: crate::ast::BinaryOp) -> bool {
    use crate::ast::BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
    matches!(op, Lt | Le | Eq | Ne | Gt | Ge)
}
