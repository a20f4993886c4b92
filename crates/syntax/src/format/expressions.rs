//! Expressions, each on one line. The tree keeps every parenthesis of the source.

use super::Printer;
use super::wrap::Break;
use crate::ast::{BinaryOp, ExprId, ExprKind, GetlineFrom, VariablePlace};
use crate::deep;

impl Printer<'_> {
    pub(super) fn expr(&mut self, id: ExprId) {
        deep(|| self.expr_here(id));
    }

    pub(super) fn list(&mut self, list: &[ExprId]) {
        for (at, &id) in list.iter().enumerate() {
            if at > 0 {
                self.text(", ");
                self.may_break();
            }
            self.expr(id);
        }
    }

    /// The blank that was just written may become a line end.
    fn may_break(&mut self) {
        self.breaks.push(Break { at: self.out.len() - 1, depth: self.depth });
    }

    fn is_column(&self, number: ExprId) -> bool {
        match self.program[number].kind {
            ExprKind::Var(VariablePlace::Global(global)) => {
                self.program.globals[global.index()].column().is_some()
            }
            _ => false,
        }
    }

    fn expr_here(&mut self, id: ExprId) {
        let program = self.program;
        let expr = &program[id];
        match &expr.kind {
            ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Regex(_)
            | ExprKind::TypedRegex(_)
            | ExprKind::Var(_) => self.slice(expr.span),
            ExprKind::Element { array, subscripts } => {
                self.name(array);
                self.text("[");
                self.depth += 1;
                self.list(subscripts);
                self.depth -= 1;
                self.text("]");
            }
            ExprKind::Field(index) => {
                self.text(if self.is_column(*index) { "@" } else { "$" });
                self.expr(*index);
            }
            ExprKind::Group(inner) => self.enclosed("(", &[*inner]),
            ExprKind::In { subscripts, array } => {
                match &subscripts[..] {
                    [one] => self.expr(*one),
                    several => self.enclosed("(", several),
                }
                self.text(" in ");
                self.name(array);
            }
            ExprKind::Assign { op, target, value } => {
                self.expr(*target);
                self.text(&format!(" {}= ", op.map_or("", BinaryOp::symbol)));
                self.expr(*value);
            }
            ExprKind::Step { prefix, down, target } => {
                let step = if *down { "--" } else { "++" };
                if *prefix {
                    self.text(step);
                }
                self.expr(*target);
                if !*prefix {
                    self.text(step);
                }
            }
            ExprKind::Cond { cond, yes, no } => {
                self.expr(*cond);
                self.text(" ? ");
                self.expr(*yes);
                self.text(" : ");
                self.expr(*no);
            }
            ExprKind::And(left, right) => self.condition(*left, " && ", *right),
            ExprKind::Or(left, right) => self.condition(*left, " || ", *right),
            ExprKind::Not(operand) => self.prefix("! ", *operand),
            ExprKind::Minus(operand) => self.prefix("-", *operand),
            ExprKind::Plus(operand) => self.prefix("+", *operand),
            ExprKind::Binary(BinaryOp::Concat, left, right) => self.infix(*left, " ", *right),
            ExprKind::Binary(op, left, right) => {
                self.infix(*left, &format!(" {} ", op.symbol()), *right)
            }
            ExprKind::Match { negated, text, regex } => {
                self.infix(*text, if *negated { " !~ " } else { " ~ " }, *regex);
            }
            ExprKind::Call { args, .. } | ExprKind::Host { args, .. } => {
                let text = self.source.slice(expr.span);
                let name = text.iter().position(|&byte| byte == b'(').unwrap_or(text.len());
                self.out.extend_from_slice(&text[..name]);
                self.enclosed("(", args);
            }
            ExprKind::IndirectCall { name, args } => {
                self.text("@");
                self.expr(*name);
                self.enclosed("(", args);
            }
            ExprKind::CannotWork { function, args, .. } => {
                self.text(function);
                self.enclosed("(", args);
            }
            ExprKind::Builtin { builtin, args } => {
                self.text(builtin.name());
                self.enclosed("(", args);
            }
            ExprKind::Library { function, args } => {
                // The program may use the plain name for its own function or parameter.
                if self.source.slice(expr.span).starts_with(b"awk::") {
                    self.text("awk::");
                }
                self.text(function.name());
                self.enclosed("(", args);
            }
            ExprKind::Getline { from, target } => self.getline(*from, *target),
        }
    }

    fn getline(&mut self, from: GetlineFrom, target: Option<ExprId>) {
        if let GetlineFrom::Command(command) | GetlineFrom::Coprocess(command) = from {
            self.expr(command);
            self.text(if matches!(from, GetlineFrom::Command(_)) { " | " } else { " |& " });
        }
        self.text("getline");
        if let Some(target) = target {
            self.text(" ");
            self.expr(target);
        }
        if let GetlineFrom::File(file) = from {
            self.text(" < ");
            self.expr(file);
        }
    }

    fn enclosed(&mut self, open: &str, list: &[ExprId]) {
        self.text(open);
        self.depth += 1;
        self.list(list);
        self.depth -= 1;
        self.text(")");
    }

    fn infix(&mut self, left: ExprId, operator: &str, right: ExprId) {
        self.expr(left);
        self.text(operator);
        self.expr(right);
    }

    fn condition(&mut self, left: ExprId, operator: &str, right: ExprId) {
        self.expr(left);
        self.text(operator);
        self.may_break();
        self.expr(right);
    }

    /// An operator before its operand. A blank keeps `- -x` from becoming a decrement.
    fn prefix(&mut self, operator: &str, operand: ExprId) {
        self.text(operator);
        let at = self.out.len();
        self.expr(operand);
        if self
            .out
            .get(at)
            .is_some_and(|&first| matches!(first, b'-' | b'+') && operator.as_bytes() == [first])
        {
            self.out.insert(at, b' ');
            let later = self.breaks.iter_mut().filter(|found| found.at >= at);
            later.for_each(|found| found.at += 1);
        }
    }
}
