//! Uses of what POSIX lacks, and of what the first awk lacked.

use super::Linter;
use crate::ast::{Builtin, ExprKind, GetlineFrom, RedirectKind, Span, StmtKind};
use crate::diagnostic::Fix;
use crate::extension::Extension;
use std::collections::HashSet;

impl Linter<'_> {
    pub(super) fn extensions(&mut self) {
        let program = self.program;
        let mut named: HashSet<&'static str> = HashSet::new();
        let mut once = |linter: &mut Self, name: &'static str, span: Span| {
            if named.insert(name) {
                linter.warn(span, format!("`{name}' is a gawk extension"), "");
            }
        };
        let mut reported: Vec<String> = Vec::new();
        for (_, expr) in self.exprs() {
            match &expr.kind {
                ExprKind::Library { function, .. }
                    if function.namespace().is_none() && Extension::of(*function).is_none() =>
                {
                    once(self, function.name(), expr.span);
                }
                ExprKind::Builtin { builtin, args } => {
                    let most = match builtin {
                        Builtin::Match => (2, "third"),
                        Builtin::Close => (1, "second"),
                        Builtin::Split => (3, "fourth"),
                        _ => continue,
                    };
                    if args.len() > most.0 {
                        let message =
                            format!("{}: {} argument is a gawk extension", builtin.name(), most.1);
                        if !reported.contains(&message) {
                            self.warn(expr.span, message.clone(), "");
                            reported.push(message);
                        }
                    }
                }
                ExprKind::IndirectCall { .. } => {
                    self.warn_once(expr.span, "indirect function calls are a gawk extension");
                }
                ExprKind::Element { array, .. } if array.element.is_some() => {
                    self.warn(expr.span, "multidimensional arrays are a gawk extension", "");
                }
                ExprKind::Getline { from: GetlineFrom::Coprocess(_), .. } => {
                    once(self, "|&", expr.span)
                }
                ExprKind::Assign { op: Some(crate::ast::BinaryOp::Pow), target, .. } => {
                    let start = program[*target].span.end;
                    let after = self.text(Span { start, end: expr.span.end }).trim_ascii_start();
                    if after.starts_with(b"**=") {
                        let at = self.operator_at(start, b"**=");
                        let at = Span { start: at, end: at + 3 };
                        let fix = Fix::safe("write `^=`", at, "^=");
                        let message = "POSIX does not allow operator `**='";
                        self.warn_with(expr.span, message, "write ^=", fix);
                    }
                }
                ExprKind::Binary(crate::ast::BinaryOp::Pow, left, _) => {
                    let start = program[*left].span.end;
                    let after = self.text(Span { start, end: expr.span.end }).trim_ascii_start();
                    if after.starts_with(b"**") {
                        let at = self.operator_at(start, b"**");
                        let at = Span { start: at, end: at + 2 };
                        let fix = Fix::safe("write `^`", at, "^");
                        let message = "POSIX does not allow operator `**'";
                        self.warn_with(expr.span, message, "write ^", fix);
                    }
                }
                _ => {}
            }
        }
        for stmt in &program.stmts {
            match &stmt.kind {
                StmtKind::Switch { .. } => once(self, "switch", stmt.span),
                StmtKind::Print { to: Some(to), .. } | StmtKind::Printf { to: Some(to), .. }
                    if to.kind == RedirectKind::Coprocess =>
                {
                    once(self, "|&", stmt.span);
                }
                _ => {}
            }
        }
        for function in
            program.functions.iter().filter(|function| function.defined && !function.builtin)
        {
            let words = self.text(function.span);
            if words.starts_with(b"func") && !words.starts_with(b"function") {
                let start = function.span.start;
                let fix = Fix::safe("write `function`", Span { start, end: start + 4 }, "function");
                let message = "POSIX does not allow `func'";
                self.warn_with(function.name_span, message, "write function", fix);
            }
        }
    }

    pub(super) fn old(&mut self) {
        let program = self.program;
        for (_, expr) in self.exprs() {
            let name = match &expr.kind {
                ExprKind::In { .. } => {
                    let message = "old awk does not support the keyword `in' except after `for'";
                    self.warn(expr.span, message, "");
                    continue;
                }
                ExprKind::Element { subscripts, .. } if subscripts.len() > 1 => {
                    self.warn(expr.span, "old awk does not support multidimensional arrays", "");
                    continue;
                }
                ExprKind::Getline { .. } => "getline",
                ExprKind::Builtin { builtin, .. } => match builtin {
                    Builtin::Length
                    | Builtin::Substr
                    | Builtin::Index
                    | Builtin::Split
                    | Builtin::Sprintf
                    | Builtin::Exp
                    | Builtin::Log
                    | Builtin::Sqrt
                    | Builtin::Int => continue,
                    other => other.name(),
                },
                ExprKind::Library { function, .. } => function.name(),
                _ => continue,
            };
            self.warn(expr.span, format!("`{name}' is not supported in old awk"), "");
        }
        for stmt in &program.stmts {
            let name = match &stmt.kind {
                StmtKind::Delete { .. } | StmtKind::DeleteField { .. } => "delete",
                StmtKind::DoWhile { .. } => "do",
                StmtKind::Return(_) => "return",
                _ => continue,
            };
            self.warn(stmt.span, format!("`{name}' is not supported in old awk"), "");
        }
        for function in
            program.functions.iter().filter(|function| function.defined && !function.builtin)
        {
            self.warn(function.name_span, "`function' is not supported in old awk", "");
        }
        if program.begin.len() > 1 || program.end.len() > 1 {
            let rules = if program.begin.len() > 1 { &program.begin } else { &program.end };
            self.warn(
                rules[1].span,
                "old awk does not support multiple `BEGIN' or `END' rules",
                "",
            );
        }
    }
}
