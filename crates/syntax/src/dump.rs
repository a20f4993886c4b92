//! Prints a tree: one line for each statement, expressions as S-expressions. It uses an explicit
//! stack, since trees may be hundreds of thousands of levels deep.

use std::fmt::Write;

use crate::ast::{
    BinaryOp, ExprId, ExprKind, GetlineFrom, Name, Param, Program, RedirectKind, RuleAction,
    RulePattern, Stmt, StmtId, StmtKind, Usage, VariablePlace,
};

/// Deeper statements are not indented further, or the text would be quadratic in the depth.
const MAX_INDENT: usize = 64;

enum Work {
    Expr(ExprId),
    Stmt(StmtId, usize),
    Text(&'static str),
    Owned(String),
    Line(usize),
}

/// A program as text. Equal texts mean equal trees, apart from positions.
pub fn dump(program: &Program) -> String {
    let mut dumper = Dumper { program, out: String::new(), work: Vec::new(), params: &[] };
    for action in &program.begin {
        dumper.action("(begin", action);
    }
    for action in &program.begin_file {
        dumper.action("(beginfile", action);
    }
    for rule in &program.rules {
        let mut work = match rule.pattern {
            RulePattern::Always => vec![Work::Text("(always")],
            RulePattern::Expr(pattern) => vec![Work::Text("(rule "), Work::Expr(pattern)],
            RulePattern::Range(first, last) => {
                vec![Work::Text("(range "), Work::Expr(first), Work::Text(" "), Work::Expr(last)]
            }
        };
        match &rule.action {
            Some(body) => block(&mut work, body, 1),
            None => work.extend([Work::Line(1), Work::Text("(default)")]),
        }
        dumper.run(work);
    }
    for action in &program.end_file {
        dumper.action("(endfile", action);
    }
    for action in &program.end {
        dumper.action("(end", action);
    }
    for function in program.functions.iter().filter(|function| function.defined) {
        dumper.params = &function.params;
        let params: Vec<String> = function
            .params
            .iter()
            .map(|param| with_usage(param_name(param), param.usage))
            .collect();
        let mut work =
            vec![Work::Owned(format!("(function {} ({})", function.name, params.join(" ")))];
        block(&mut work, &function.body, 1);
        dumper.run(work);
    }
    let globals: Vec<String> =
        program.globals.iter().map(|global| with_usage(&global.name, global.usage)).collect();
    let _ = writeln!(dumper.out, "(globals {})", globals.join(" "));
    dumper.out
}

struct Dumper<'a> {
    program: &'a Program,
    out: String,
    work: Vec<Work>,
    params: &'a [Param],
}

impl<'a> Dumper<'a> {
    fn action(&mut self, head: &'static str, action: &RuleAction) {
        let mut work = vec![Work::Text(head)];
        block(&mut work, &action.body, 1);
        self.run(work);
    }

    fn run(&mut self, mut work: Vec<Work>) {
        work.extend([Work::Text(")"), Work::Text("\n")]);
        self.push(work);
        while let Some(next) = self.work.pop() {
            match next {
                Work::Text(text) => self.out.push_str(text),
                Work::Owned(text) => self.out.push_str(&text),
                Work::Line(level) => {
                    self.out.push('\n');
                    self.out.extend(std::iter::repeat_n("  ", level.min(MAX_INDENT)));
                }
                Work::Expr(id) => self.expr(id),
                Work::Stmt(id, level) => self.stmt(id, level),
            }
        }
    }

    fn push(&mut self, work: Vec<Work>) {
        self.work.extend(work.into_iter().rev());
    }

    fn form(&mut self, head: impl Into<String>, parts: impl IntoIterator<Item = ExprId>) {
        let mut work = vec![Work::Owned(format!("({}", head.into()))];
        list(&mut work, parts);
        work.push(Work::Text(")"));
        self.push(work);
    }

    fn expr(&mut self, id: ExprId) {
        let program = self.program;
        match &program[id].kind {
            ExprKind::Number(value) => drop(write!(self.out, "{value}")),
            ExprKind::String(text) => drop(write!(self.out, "\"{}\"", text.escape_ascii())),
            ExprKind::Regex(text) => drop(write!(self.out, "/{}/", text.escape_ascii())),
            ExprKind::TypedRegex(text) => drop(write!(self.out, "@/{}/", text.escape_ascii())),
            ExprKind::Var(place) => {
                let name = self.place(*place);
                self.out.push_str(name);
            }
            ExprKind::Element { array, subscripts } => {
                let head = format!("[]{}", self.name(array));
                self.form(head, array.element.into_iter().chain(subscripts.iter().copied()));
            }
            ExprKind::Field(index) => self.form("$", [*index]),
            ExprKind::Group(inner) => self.form("group", [*inner]),
            ExprKind::In { subscripts, array } => {
                let head = format!("in{}", self.name(array));
                self.form(head, array.element.into_iter().chain(subscripts.iter().copied()));
            }
            ExprKind::Assign { op, target, value } => {
                self.form(format!("{}=", op.map_or("", head)), [*target, *value]);
            }
            ExprKind::Step { prefix, down, target } => {
                let when = if *prefix { "pre" } else { "post" };
                self.form(format!("{when}{}", if *down { "--" } else { "++" }), [*target]);
            }
            ExprKind::Cond { cond, yes, no } => self.form("?", [*cond, *yes, *no]),
            ExprKind::And(left, right) => self.form("&&", [*left, *right]),
            ExprKind::Or(left, right) => self.form("||", [*left, *right]),
            ExprKind::Not(operand) => self.form("!", [*operand]),
            ExprKind::Minus(operand) => self.form("neg", [*operand]),
            ExprKind::Plus(operand) => self.form("pos", [*operand]),
            ExprKind::Binary(op, left, right) => self.form(head(*op), [*left, *right]),
            ExprKind::Match { negated, text, regex } => {
                self.form(if *negated { "!~" } else { "~" }, [*text, *regex])
            }
            ExprKind::Call { function, args } => {
                let name =
                    program.functions.get(function.index()).map_or("?", |function| &function.name);
                self.form(format!("call {name}"), args.iter().copied());
            }
            ExprKind::IndirectCall { name, args } => {
                self.form("@", std::iter::once(*name).chain(args.iter().copied()))
            }
            ExprKind::Builtin { builtin, args } => self.form(builtin.name(), args.iter().copied()),
            ExprKind::Library { function, args } => {
                self.form(function.name(), args.iter().copied())
            }
            ExprKind::Host { function, args } => {
                let name = program.host_functions.get(function.index()).map_or("?", |of| of.name());
                self.form(format!("host {name}"), args.iter().copied());
            }
            ExprKind::CannotWork { function, args, .. } => {
                self.form(format!("error {function}"), args.iter().copied());
            }
            ExprKind::Getline { from, target } => {
                let (head, source) = match from {
                    GetlineFrom::Main => ("getline", None),
                    GetlineFrom::File(file) => ("getline<", Some(*file)),
                    GetlineFrom::Command(command) => ("getline|", Some(*command)),
                    GetlineFrom::Coprocess(command) => ("getline|&", Some(*command)),
                };
                self.form(head, source.into_iter().chain(*target));
            }
        }
    }

    fn stmt(&mut self, id: StmtId, level: usize) {
        let program = self.program;
        let mut work = Vec::new();
        let Stmt { kind, .. } = &program[id];
        match kind {
            StmtKind::Expr(expr) => return self.push(vec![Work::Expr(*expr)]),
            StmtKind::Print { args, to } | StmtKind::Printf { args, to } => {
                work.push(Work::Text(if matches!(kind, StmtKind::Print { .. }) {
                    "(print"
                } else {
                    "(printf"
                }));
                list(&mut work, args.iter().copied());
                if let Some(to) = to {
                    work.push(Work::Text(match to.kind {
                        RedirectKind::Truncate => " (>",
                        RedirectKind::Append => " (>>",
                        RedirectKind::Pipe => " (|",
                        RedirectKind::Coprocess => " (|&",
                    }));
                    list(&mut work, [to.target]);
                    work.push(Work::Text(")"));
                }
            }
            StmtKind::If { cond, then, otherwise } => {
                work.push(Work::Text("(if"));
                list(&mut work, [*cond]);
                block(&mut work, std::slice::from_ref(then), level + 1);
                block(&mut work, otherwise.as_slice(), level + 1);
            }
            StmtKind::While { cond, body } => {
                work.push(Work::Text("(while"));
                list(&mut work, [*cond]);
                block(&mut work, std::slice::from_ref(body), level + 1);
            }
            StmtKind::DoWhile { body, cond } => {
                work.push(Work::Text("(do"));
                block(&mut work, std::slice::from_ref(body), level + 1);
                list(&mut work, [*cond]);
            }
            StmtKind::For { init, cond, step, body } => {
                work.push(Work::Text("(for "));
                work.push(init.map_or(Work::Text("-"), |init| Work::Stmt(init, level + 1)));
                work.push(Work::Text(" "));
                work.push(cond.map_or(Work::Text("-"), Work::Expr));
                work.push(Work::Text(" "));
                work.push(step.map_or(Work::Text("-"), |step| Work::Stmt(step, level + 1)));
                block(&mut work, std::slice::from_ref(body), level + 1);
            }
            StmtKind::ForIn { target, array, body } => {
                work.push(Work::Text("(for-in "));
                work.push(Work::Expr(*target));
                work.push(Work::Owned(self.name(array)));
                list(&mut work, array.element);
                block(&mut work, std::slice::from_ref(body), level + 1);
            }
            StmtKind::Switch { subject, cases } => {
                work.push(Work::Text("(switch"));
                list(&mut work, [*subject]);
                for case in cases {
                    work.extend([
                        Work::Line(level + 1),
                        Work::Text(if case.label.is_some() { "(case" } else { "(default" }),
                    ]);
                    list(&mut work, case.label);
                    block(&mut work, &case.body, level + 2);
                    work.push(Work::Text(")"));
                }
            }
            StmtKind::Block(body) => {
                work.push(Work::Text("(block"));
                block(&mut work, body, level + 1);
            }
            StmtKind::Next => work.push(Work::Text("(next")),
            StmtKind::NextFile => work.push(Work::Text("(nextfile")),
            StmtKind::Break => work.push(Work::Text("(break")),
            StmtKind::Continue => work.push(Work::Text("(continue")),
            StmtKind::Exit(value) => {
                work.push(Work::Text("(exit"));
                list(&mut work, *value);
            }
            StmtKind::Return(value) => {
                work.push(Work::Text("(return"));
                list(&mut work, *value);
            }
            StmtKind::Delete { array, subscripts } => {
                work.push(Work::Owned(format!("(delete{}", self.name(array))));
                list(&mut work, array.element);
                list(&mut work, subscripts.iter().flatten().copied());
            }
            StmtKind::DeleteField { field } => {
                work.push(Work::Text("(delete"));
                list(&mut work, [*field]);
            }
        }
        work.push(Work::Text(")"));
        self.push(work);
    }

    fn name(&self, name: &Name) -> String {
        match name.element {
            Some(_) => String::new(),
            None => format!(" {}", self.place(name.place)),
        }
    }

    fn place(&self, place: VariablePlace) -> &'a str {
        match place {
            VariablePlace::Global(id) => {
                self.program.globals.get(id.index()).map_or("?", |global| &global.name)
            }
            VariablePlace::Param(at) => self.params.get(usize::from(at)).map_or("?", param_name),
            VariablePlace::Special(special) => special.name(),
        }
    }
}

fn list(work: &mut Vec<Work>, exprs: impl IntoIterator<Item = ExprId>) {
    work.extend(exprs.into_iter().flat_map(|expr| [Work::Text(" "), Work::Expr(expr)]));
}

fn block(work: &mut Vec<Work>, body: &[StmtId], level: usize) {
    work.extend(body.iter().flat_map(|&stmt| [Work::Line(level), Work::Stmt(stmt, level)]));
}

/// Parameters for extra arguments have no name.
fn param_name(param: &Param) -> &str {
    if param.name.is_empty() { "_" } else { &param.name }
}

fn with_usage(name: &str, usage: Usage) -> String {
    let scalar = if usage.scalar { ":scalar" } else { "" };
    let array = if usage.array { ":array" } else { "" };
    format!("{name}{scalar}{array}")
}

fn head(op: BinaryOp) -> &'static str {
    if op == BinaryOp::Concat { "cat" } else { op.symbol() }
}
