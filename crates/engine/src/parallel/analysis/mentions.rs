//! Finds what is read after all records.

use super::uses::Variable;
use riverhawk_syntax::ast::{
    Builtin, ExprId, ExprKind, FunctionId, Program, Special, StmtId, StmtKind, VariablePlace,
};
use std::collections::BTreeSet;

/// What `END` and functions that it may call mention.
pub(super) struct InEnd {
    /// The final values of others do not matter.
    pub variables: BTreeSet<Variable>,
    /// Whether the last record, NF or RT may be read.
    pub reads_record: bool,
}

pub(super) fn in_end(program: &Program) -> InEnd {
    let mut found = Mentions {
        program,
        found: InEnd { variables: BTreeSet::new(), reads_record: false },
        functions: BTreeSet::new(),
        exprs: Vec::new(),
    };
    let mut stmts: Vec<StmtId> =
        program.end.iter().flat_map(|action| action.body.iter().copied()).collect();
    loop {
        while let Some(id) = stmts.pop() {
            found.statement(id, &mut stmts);
        }
        match found.exprs.pop() {
            Some(id) => found.expr(id, &mut stmts),
            None => return found.found,
        }
    }
}

struct Mentions<'p> {
    program: &'p Program,
    found: InEnd,
    functions: BTreeSet<FunctionId>,
    exprs: Vec<ExprId>,
}

impl Mentions<'_> {
    fn place(&mut self, place: VariablePlace) {
        if matches!(place, VariablePlace::Special(Special::Nf | Special::Rt)) {
            self.found.reads_record = true;
        }
        self.found.variables.extend(match place {
            VariablePlace::Global(global) => Some(Variable::Global(global.0)),
            VariablePlace::Special(Special::Rstart) => Some(Variable::Rstart),
            VariablePlace::Special(Special::Rlength) => Some(Variable::Rlength),
            _ => None,
        });
    }

    fn everything(&mut self) {
        self.found.reads_record = true;
        self.found.variables.extend((0..self.program.globals.len() as u32).map(Variable::Global));
        self.found.variables.extend([Variable::Rstart, Variable::Rlength]);
    }

    fn statement(&mut self, id: StmtId, stmts: &mut Vec<StmtId>) {
        match &self.program[id].kind {
            StmtKind::Expr(expr) => self.exprs.push(*expr),
            StmtKind::Print { args, to } | StmtKind::Printf { args, to } => {
                self.found.reads_record |= args.is_empty();
                self.exprs.extend(args);
                self.exprs.extend(to.map(|to| to.target));
            }
            StmtKind::If { cond, then, otherwise } => {
                self.exprs.push(*cond);
                stmts.push(*then);
                stmts.extend(otherwise);
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.exprs.push(*cond);
                stmts.push(*body);
            }
            StmtKind::For { init, cond, step, body } => {
                self.exprs.extend(cond);
                stmts.extend(init.iter().chain(step).chain([body]));
            }
            StmtKind::ForIn { target, array, body } => {
                self.exprs.push(*target);
                self.place(array.place);
                stmts.push(*body);
            }
            StmtKind::Switch { subject, cases } => {
                self.exprs.push(*subject);
                stmts.extend(cases.iter().flat_map(|case| &case.body));
            }
            StmtKind::Block(body) => stmts.extend(body),
            StmtKind::Next | StmtKind::NextFile | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Exit(value) | StmtKind::Return(value) => self.exprs.extend(value),
            StmtKind::Delete { array, subscripts } => {
                self.place(array.place);
                self.exprs.extend(subscripts.iter().flatten());
            }
            StmtKind::DeleteField { field } => {
                self.found.reads_record = true;
                self.exprs.push(*field);
            }
            #[allow(unreachable_patterns)]
            _ => self.everything(),
        }
    }

    fn expr(&mut self, id: ExprId, stmts: &mut Vec<StmtId>) {
        match &self.program[id].kind {
            ExprKind::Number(_) | ExprKind::String(_) | ExprKind::TypedRegex(_) => {}
            // It may be matched with the record.
            ExprKind::Regex(_) => self.found.reads_record = true,
            ExprKind::Var(place) => self.place(*place),
            ExprKind::Element { array, subscripts } | ExprKind::In { subscripts, array } => {
                self.place(array.place);
                self.exprs.extend(subscripts);
            }
            ExprKind::Field(inner) => {
                self.found.reads_record = true;
                self.exprs.push(*inner);
            }
            ExprKind::Group(inner)
            | ExprKind::Not(inner)
            | ExprKind::Minus(inner)
            | ExprKind::Plus(inner) => self.exprs.push(*inner),
            ExprKind::Assign { target, value, .. } => self.exprs.extend([*target, *value]),
            ExprKind::Step { target, .. } => self.exprs.push(*target),
            ExprKind::Cond { cond, yes, no } => self.exprs.extend([*cond, *yes, *no]),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Binary(_, a, b) => {
                self.exprs.extend([*a, *b])
            }
            ExprKind::Match { text, regex, .. } => self.exprs.extend([*text, *regex]),
            ExprKind::Call { function, args } => {
                self.exprs.extend(args);
                if self.functions.insert(*function) {
                    stmts.extend(&self.program.functions[function.index()].body);
                }
            }
            ExprKind::Builtin { args, builtin, .. } => {
                let takes_record = match builtin {
                    Builtin::Length => args.is_empty(),
                    Builtin::Sub | Builtin::Gsub => true,
                    _ => false,
                };
                self.found.reads_record |= takes_record;
                self.exprs.extend(args);
            }
            ExprKind::Library { args, .. } | ExprKind::Host { args, .. } => {
                self.found.reads_record = true;
                self.exprs.extend(args);
            }
            ExprKind::Getline { target, .. } => {
                self.exprs.extend(target);
                // The expression for the name or command may read any.
                self.everything();
            }
            #[allow(unreachable_patterns)]
            _ => self.everything(),
        }
    }
}
