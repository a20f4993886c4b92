//! Variables that live within one record: each rule that reads them has assigned them before, for
//! the same record. They become registers of the record loop, and what is assigned to them may stay
//! a view as long as the record is not changed before it is read: `{ k = $1; n[k] += $2 }` copies
//! nothing.
//!
//! Found by liveness, backwards over the rules: a variable that is not live where a record begins,
//! and occurs in no other part of the program, keeps nothing from one record to the next. Beside it
//! goes whether the value may be read after the record has changed; an assignment there must own
//! its value.

use crate::facts::{Facts, facts};
use riverhawk_syntax::ast::{
    Expr, ExprId, ExprKind, GetlineFrom, GlobalId, Name, Program, RulePattern, StmtId, StmtKind,
    VariablePlace,
};
use riverhawk_syntax::deep;

#[derive(Default)]
pub(crate) struct Locals {
    /// By register.
    pub variables: Vec<GlobalId>,
    /// By expression: whether it assigns to one of them, and the value may be a view.
    pub views: Vec<bool>,
}

impl Locals {
    pub(crate) fn register(&self, global: GlobalId) -> Option<u16> {
        self.variables.iter().position(|&local| local == global).map(|at| at as u16)
    }
}

/// One bit each.
const MOST: usize = 64;

/// How often a statement may be looked at, on average: each loop looks at its body at least twice,
/// so loops in loops would take exponential time.
const LOOKS: usize = 64;

pub(crate) fn locals(program: &Program) -> Locals {
    let candidates = candidates(program);
    if candidates.is_empty() {
        return Locals::default();
    }
    let mut flow = Flow::new(program, &candidates);
    let mut others = flow.rules().live;
    if flow.looks_left == 0 {
        return Locals::default();
    }
    for (expr, is_met) in program.exprs.iter().zip(&flow.met) {
        if let Some(at) = flow.number(&expr.kind).filter(|_| !is_met) {
            others |= 1 << at;
        }
    }
    let is_local = |(at, _): &(usize, &GlobalId)| others & 1 << at == 0;
    let variables: Vec<GlobalId> =
        candidates.iter().enumerate().filter(is_local).map(|(_, &global)| global).collect();
    let is_view = |(expr, is_owned): (&Expr, &bool)| match expr.kind {
        ExprKind::Assign { op: None, target, .. } if !is_owned => {
            matches!(program[program.peel(target)].kind,
                ExprKind::Var(VariablePlace::Global(global)) if variables.contains(&global))
        }
        _ => false,
    };
    let views = program.exprs.iter().zip(&flow.owned).map(is_view).collect();
    Locals { variables, views }
}

/// Scalars that nothing knows by name: names without small letters are awk's own, and those of
/// other namespaces may be an extension's.
fn candidates(program: &Program) -> Vec<GlobalId> {
    let is_known_by_name = program.globals.iter().any(|global| global.name == "SYMTAB")
        || program.exprs.iter().any(|expr| {
            matches!(expr.kind, ExprKind::Library { function, .. } if function.reaches_variables())
        });
    if program.rules.is_empty() || is_known_by_name {
        return Vec::new();
    }
    let is_scalar = |id: &GlobalId| {
        let global = &program.globals[id.index()];
        let is_own = global.name.contains(|letter: char| letter.is_ascii_lowercase())
            && !global.name.contains("::")
            && global.column().is_none();
        is_own && global.usage.scalar && !global.usage.array
    };
    (0..program.globals.len()).map(|at| GlobalId(at as u32)).filter(is_scalar).take(MOST).collect()
}

/// What is known of the variables at a place in the program, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Known {
    /// It may be read from here on, before it is assigned.
    live: u64,
    /// So, and the record may have changed until then.
    outlives: u64,
}

impl Known {
    fn or(self, other: Known) -> Known {
        Known { live: self.live | other.live, outlives: self.outlives | other.outlives }
    }
}

#[derive(Clone, Copy, Default)]
struct Exits {
    breaks: Known,
    continues: Known,
}

struct Flow<'a> {
    program: &'a Program,
    facts: Vec<Facts>,
    candidates: &'a [GlobalId],
    /// By expression: whether it is in a rule.
    met: Vec<bool>,
    /// By expression: whether it assigns a value that is read after the record may have changed.
    owned: Vec<bool>,
    /// Innermost loop last.
    exits: Vec<Exits>,
    /// When there are none, nothing that was found counts.
    looks_left: usize,
}

impl<'a> Flow<'a> {
    fn new(program: &'a Program, candidates: &'a [GlobalId]) -> Flow<'a> {
        let none = vec![false; program.exprs.len()];
        Flow {
            program,
            facts: facts(program),
            candidates,
            met: none.clone(),
            owned: none,
            exits: Vec::new(),
            looks_left: LOOKS * program.stmts.len() + 1,
        }
    }

    fn number(&self, kind: &ExprKind) -> Option<usize> {
        let ExprKind::Var(VariablePlace::Global(global)) = *kind else { return None };
        self.candidates.iter().position(|&candidate| candidate == global)
    }

    /// What holds where a record begins.
    fn rules(&mut self) -> Known {
        let program = self.program;
        let mut after = Known::default();
        for rule in program.rules.iter().rev() {
            let inside = match &rule.action {
                Some(body) => self.block(body, after),
                None => after,
            };
            after = match rule.pattern {
                RulePattern::Always => inside,
                RulePattern::Expr(cond) => self.expr(cond, inside.or(after)),
                RulePattern::Range(first, last) => {
                    let last = self.expr(last, inside);
                    self.expr(first, last.or(after)).or(last)
                }
            };
        }
        after
    }

    fn block(&mut self, body: &[StmtId], after: Known) -> Known {
        body.iter().rev().fold(after, |after, &id| self.stmt(id, after))
    }

    /// What holds before the statement.
    fn stmt(&mut self, id: StmtId, after: Known) -> Known {
        self.looks_left = self.looks_left.saturating_sub(1);
        if self.looks_left == 0 {
            return after;
        }
        deep(|| self.stmt_shallow(id, after))
    }

    fn stmt_shallow(&mut self, id: StmtId, after: Known) -> Known {
        let program = self.program;
        match &program[id].kind {
            StmtKind::Expr(expr) => self.expr(*expr, after),
            StmtKind::Print { args, to } | StmtKind::Printf { args, to } => {
                let after = to.map_or(after, |to| self.expr(to.target, after));
                self.exprs(args, after)
            }
            StmtKind::If { cond, then, otherwise } => {
                let no = otherwise.map_or(after, |otherwise| self.stmt(otherwise, after));
                let yes = self.stmt(*then, after);
                self.expr(*cond, yes.or(no))
            }
            StmtKind::While { cond, body } => self.turns(|flow, again| {
                let again = flow.expr(*cond, again.or(after));
                (again, flow.body(*body, again, after))
            }),
            StmtKind::DoWhile { body, cond } => {
                let mut first = Known::default();
                self.turns(|flow, again| {
                    let asked = flow.expr(*cond, again.or(after));
                    first = flow.body(*body, asked, after);
                    (asked, first)
                });
                first
            }
            StmtKind::For { init, cond, step, body } => {
                let before = self.turns(|flow, again| {
                    let asked = match cond {
                        Some(cond) => flow.expr(*cond, again.or(after)),
                        None => again,
                    };
                    let stepped = step.map_or(asked, |step| flow.stmt(step, asked));
                    (asked, flow.body(*body, stepped, after))
                });
                init.map_or(before, |init| self.stmt(init, before))
            }
            StmtKind::ForIn { target, array, body } => {
                let before = self.turns(|flow, again| {
                    let next = again.or(after);
                    let turn = flow.body(*body, next, after);
                    (next, flow.assigned(*target, turn))
                });
                // The order may be a function's.
                self.name(*array, changed(before))
            }
            StmtKind::Switch { subject, cases } => {
                let mut entries = Vec::new();
                self.exits.push(Exits { breaks: after, continues: self.continues() });
                let mut next = after;
                for case in cases.iter().rev() {
                    next = self.block(&case.body, next);
                    entries.push((case.label, next));
                }
                self.exits.pop();
                let default = entries.iter().find(|(label, _)| label.is_none());
                let mut before = default.map_or(after, |&(_, entry)| entry);
                for (label, entry) in entries {
                    if let Some(label) = label {
                        before = self.expr(label, before.or(entry));
                    }
                }
                self.expr(*subject, before)
            }
            StmtKind::Block(body) => self.block(body, after),
            StmtKind::Next | StmtKind::NextFile | StmtKind::Return(None) => Known::default(),
            StmtKind::Exit(value) | StmtKind::Return(value) => {
                value.map_or(Known::default(), |value| self.expr(value, Known::default()))
            }
            StmtKind::Break => self.exits.last().copied().unwrap_or_default().breaks,
            StmtKind::Continue => self.continues(),
            StmtKind::Delete { array, subscripts } => {
                let before = self.exprs(subscripts.as_deref().unwrap_or_default(), after);
                self.name(*array, before)
            }
            StmtKind::DeleteField { field } => self.expr(*field, changed(after)),
        }
    }

    fn continues(&self) -> Known {
        self.exits.last().copied().unwrap_or_default().continues
    }

    fn body(&mut self, body: StmtId, continues: Known, breaks: Known) -> Known {
        self.exits.push(Exits { breaks, continues });
        let before = self.stmt(body, continues);
        self.exits.pop();
        before
    }

    /// What holds where a loop decides whether it goes on. `turn` tells that, and what holds where an
    /// iteration begins, from what holds where the next one does.
    fn turns(&mut self, mut turn: impl FnMut(&mut Self, Known) -> (Known, Known)) -> Known {
        let mut again = Known::default();
        loop {
            let (decides, begins) = turn(self, again);
            let more = again.or(begins);
            if more == again || self.looks_left == 0 {
                return decides;
            }
            again = more;
        }
    }

    fn exprs(&mut self, ids: &[ExprId], after: Known) -> Known {
        ids.iter().rev().fold(after, |after, &id| self.expr(id, after))
    }

    fn name(&mut self, name: Name, after: Known) -> Known {
        name.element.map_or(after, |element| self.expr(element, after))
    }

    /// What holds before the expression is evaluated.
    fn expr(&mut self, id: ExprId, after: Known) -> Known {
        deep(|| self.expr_shallow(id, after))
    }

    fn expr_shallow(&mut self, id: ExprId, after: Known) -> Known {
        let program = self.program;
        let kind = &program[id].kind;
        let at_end = match kind {
            ExprKind::Assign { .. }
            | ExprKind::Step { .. }
            | ExprKind::Call { .. }
            | ExprKind::IndirectCall { .. }
            | ExprKind::Builtin { .. }
            | ExprKind::Host { .. }
            | ExprKind::Library { .. }
            | ExprKind::CannotWork { .. }
            | ExprKind::Getline { .. }
                if self.facts.get(id.index()).is_none_or(|facts| facts.record) =>
            {
                changed(after)
            }
            _ => after,
        };
        match kind {
            ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Regex(_)
            | ExprKind::TypedRegex(_) => after,
            ExprKind::Var(_) => match self.number(kind) {
                Some(at) => {
                    self.met[id.index()] = true;
                    Known { live: after.live | 1 << at, ..after }
                }
                None => after,
            },
            ExprKind::Element { array, subscripts } | ExprKind::In { subscripts, array } => {
                let before = self.exprs(subscripts, after);
                self.name(*array, before)
            }
            ExprKind::Field(inner)
            | ExprKind::Group(inner)
            | ExprKind::Not(inner)
            | ExprKind::Minus(inner)
            | ExprKind::Plus(inner) => self.expr(*inner, after),
            &ExprKind::Assign { op: None, target, value } => {
                if let Some(at) = self.number(&program[program.peel(target)].kind) {
                    self.owned[id.index()] |= at_end.outlives & 1 << at != 0;
                }
                let before = self.assigned(target, at_end);
                self.expr(value, before)
            }
            &ExprKind::Assign { target, value, .. } => {
                let before = self.expr(target, at_end);
                self.expr(value, before)
            }
            &ExprKind::Step { target, .. } => self.expr(target, at_end),
            &ExprKind::Cond { cond, yes, no } => {
                let (yes, no) = (self.expr(yes, after), self.expr(no, after));
                self.expr(cond, yes.or(no))
            }
            &ExprKind::And(a, b) | &ExprKind::Or(a, b) => {
                let second = self.expr(b, after);
                self.expr(a, second.or(after))
            }
            &ExprKind::Binary(_, a, b) | &ExprKind::Match { text: a, regex: b, .. } => {
                self.exprs(&[a, b], after)
            }
            ExprKind::Call { args, .. }
            | ExprKind::Builtin { args, .. }
            | ExprKind::Host { args, .. }
            | ExprKind::Library { args, .. }
            | ExprKind::CannotWork { args, .. } => self.exprs(args, at_end),
            ExprKind::IndirectCall { name, args } => {
                let before = self.exprs(args, at_end);
                self.expr(*name, before)
            }
            &ExprKind::Getline { from, target } => {
                // Nothing is assigned at the end of the input.
                let before = match target {
                    Some(target) => at_end.or(self.assigned(target, at_end)),
                    None => at_end,
                };
                match from {
                    GetlineFrom::Main => before,
                    GetlineFrom::File(from)
                    | GetlineFrom::Command(from)
                    | GetlineFrom::Coprocess(from) => self.expr(from, before),
                }
            }
        }
    }

    /// What holds before something is assigned.
    fn assigned(&mut self, target: ExprId, after: Known) -> Known {
        let target = self.program.peel(target);
        match self.number(&self.program[target].kind) {
            Some(at) => {
                self.met[target.index()] = true;
                Known { live: after.live & !(1 << at), outlives: after.outlives & !(1 << at) }
            }
            None => self.expr(target, after),
        }
    }
}

/// What holds before the record may change.
fn changed(after: Known) -> Known {
    Known { outlives: after.outlives | after.live, ..after }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The local variables of a program, with `*` where an assignment may keep a view.
    fn locals_of(text: &str) -> Vec<String> {
        let mut sources = riverhawk_syntax::source::SourceMap::new();
        sources.add("row", text.as_bytes().to_vec()).expect("a short program");
        let parsed = riverhawk_syntax::parse(&sources);
        let program = parsed.program.unwrap_or_else(|| panic!("{text}: {:?}", parsed.diagnostics));
        let found = locals(&program);
        let is_viewed = |wanted: GlobalId| {
            program.exprs.iter().zip(&found.views).any(|(expr, &view)| match expr.kind {
                ExprKind::Assign { target, .. } if view => matches!(program[target].kind,
                    ExprKind::Var(VariablePlace::Global(global)) if global == wanted),
                _ => false,
            })
        };
        let marked = |&local: &GlobalId| {
            let name = &program.globals[local.index()].name;
            format!("{name}{}", if is_viewed(local) { "*" } else { "" })
        };
        found.variables.iter().map(marked).collect()
    }

    #[test]
    fn a_variable_is_local_if_each_record_assigns_it_first() {
        for (program, expected) in [
            ("{ k = $1; n[k]++ }", &["k*"][..]),
            ("{ n[k]++; k = $1 }", &[]),
            ("{ if ($1) k = $2; print k }", &[]),
            ("{ if ($1) k = $2; else k = $3; print k }", &["k*"]),
            ("$1 { k = $2 } { print k }", &[]),
            ("{ k = $2 } $1 { print k }", &["k*"]),
            ("(k = $1) && k > 2", &["k*"]),
            ("$1 && (k = $2) { print k } { print k }", &[]),
            ("{ while ((k = $1) != 2) $1 = k + 1 }", &["k*"]),
            ("{ while (k < 3) k++ }", &[]),
            ("{ for (i = 1; i <= NF; i++) s += $i }", &["i*"]),
            ("{ do { k = $1 } while (k); print k }", &["k*"]),
            ("{ for (k in a) print k }", &["k"]),
            ("{ for (k in a) print k; print k }", &[]),
            ("{ switch ($1) { case 1: k = 1; break; default: k = 2 } print k }", &["k*"]),
            ("{ switch ($1) { case 1: k = 1 } print k }", &[]),
            ("{ getline k; print k }", &[]),
            ("{ k = 1; getline k; print k }", &["k"]),
            ("/a/, (k = $1) { print k }", &["k*"]),
            ("{ k += 1 }", &[]),
            ("{ next; print k }", &["k"]),
        ] {
            assert_eq!(locals_of(program), expected, "{program}");
        }
    }

    #[test]
    fn a_variable_that_is_seen_elsewhere_is_none() {
        for program in [
            "{ k = $1 } END { print k }",
            "BEGIN { k = 1 } { k = $1 }",
            "function f() { return k } { k = $1; print f() }",
            "{ k = $1; print SYMTAB[\"k\"] }",
            "{ k = $1; writeall(\"f\") }",
            "{ REVOUT = $1 }",
            "{ inplace::suffix = $1 }",
            "{ k[1] = $1; print k[1] }",
        ] {
            let program = match program.contains("writeall") {
                true => format!("@load \"rwarray\"\n{program}"),
                false => program.to_owned(),
            };
            assert_eq!(locals_of(&program), Vec::<String>::new(), "{program}");
        }
    }

    #[test]
    fn what_is_read_after_the_record_may_have_changed_is_owned() {
        for program in [
            "{ k = $1; $2 = 1; print k }",
            "{ k = $1; NF = 1; print k }",
            "{ k = $1; sub(/a/, \"\"); print k }",
            "{ k = $1; getline; print k }",
            "function f() { $0 = 1 } { k = $1; f(); print k }",
            "{ k = $1 } $3 { $0 = 1 } { print k }",
            "{ k = $1; for (;;) { print k; $0 = 1 } }",
            "{ k = $1; print k f() k } function f() { $0 = 1 }",
            "{ k = $1; FS = 1; print k }",
        ] {
            let found = locals_of(program);
            assert!(found.contains(&"k".to_owned()), "{program}: {found:?}");
        }
    }

    #[test]
    fn loops_in_loops_take_no_exponential_time() {
        let nested = |depth| {
            let heads = "for (i = 1; i < 3; i++) ".repeat(depth);
            locals_of(&format!("{{ k = $1; {heads} {{ k = k 1 }}; print k }}"))
        };
        assert_eq!(nested(3), ["k*", "i*"]);
        assert_eq!(nested(10_000), Vec::<String>::new());
    }

    #[test]
    fn deep_trees_have_room() {
        let text = format!("{{ k = {}1 }}", "1 + ".repeat(100_000));
        assert_eq!(locals_of(&text), ["k*"]);
    }
}
