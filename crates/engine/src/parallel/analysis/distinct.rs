//! Recognises what prints the first record of each key: `!seen[$1]++`.
//!
//! A piece prints for keys that are new in it, and marks it. When it is joined, what it printed for keys
//! of earlier pieces is dropped. So nothing but output to the standard output may depend on the
//! condition, and nothing but such conditions may use the array.

use super::same::{is_pure, truth};
use super::uses::{Use, Variable};
use super::walk::Walker;
use riverhawk_syntax::ast::{
    BinaryOp, ExprId, ExprKind, GlobalId, Name, Program, Span, StmtId, StmtKind, VariablePlace,
};

/// What is evaluated before the test, if it decides; the array's name; the subscripts.
pub(super) struct Test<'p> {
    cond: ExprId,
    before: Vec<ExprId>,
    array: Name,
    number: u32,
    subscripts: &'p [ExprId],
}

/// `!a[k]++`, `a[k]++ == 0` or `++a[k] == 1`, also as the last part of `&&`.
fn test(program: &Program, cond: ExprId) -> Option<Test<'_>> {
    let mut before = Vec::new();
    let mut last = program.peel(cond);
    while let ExprKind::And(a, b) = program[last].kind {
        match truth(program, a) {
            Some(true) if is_pure(program, a) => {}
            Some(_) => return None,
            None => before.push(a),
        }
        last = program.peel(b);
    }
    let (step, counts_first) = match program[last].kind {
        ExprKind::Not(step) => (step, false),
        ExprKind::Binary(BinaryOp::Eq, step, number) => match program[program.peel(number)].kind {
            ExprKind::Number(0.0) => (step, false),
            ExprKind::Number(1.0) => (step, true),
            _ => return None,
        },
        _ => return None,
    };
    let ExprKind::Step { prefix, down: false, target } = program[program.peel(step)].kind else {
        return None;
    };
    let ExprKind::Element { array, subscripts } = &program[program.peel(target)].kind else {
        return None;
    };
    let VariablePlace::Global(GlobalId(number)) = array.place else { return None };
    let is_simple = array.element.is_none() && prefix == counts_first;
    is_simple.then_some(Test { cond, before, array: *array, number, subscripts })
}

/// Whether all that it does is to print to the standard output.
fn only_prints(program: &Program, body: &[StmtId]) -> bool {
    body.iter().all(|&id| match &program[id].kind {
        StmtKind::Block(inner) => only_prints(program, inner),
        StmtKind::Print { args, to: None } | StmtKind::Printf { args, to: None } => {
            args.iter().all(|&arg| is_pure(program, arg))
        }
        _ => false,
    })
}

impl<'p> Walker<'p> {
    /// The test, if the condition only decides what is printed for the first record of a key.
    pub(super) fn distinct_test(
        &self,
        cond: ExprId,
        action: Option<&[StmtId]>,
    ) -> Option<Test<'p>> {
        if !action.is_none_or(|body| only_prints(self.program, body)) {
            return None;
        }
        test(self.program, cond).filter(|test| !self.is_certain(Variable::Global(test.number)))
    }

    pub(super) fn distinct(&mut self, test: Test<'_>, action: Option<&[StmtId]>, span: Span) {
        let variable = Variable::Global(test.number);
        let mut assigned = None;
        for &before in &test.before {
            self.expr(before);
            // Only the first part is certain to be evaluated.
            assigned.get_or_insert_with(|| self.effects.assigned.clone());
        }
        test.subscripts.iter().for_each(|&id| self.expr(id));
        self.use_array(test.array, Use::Distinct);
        self.effects.firsts.insert((variable, test.cond));
        self.present.clear();
        let assigned = assigned.unwrap_or_else(|| self.effects.assigned.clone());
        self.action(action, span);
        self.effects.assigned = assigned;
    }
}
