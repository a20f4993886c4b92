//! Walks a rule or function in the order of evaluation, and keeps the variables that are certain to
//! have been assigned since the record began.

use super::counted::is_counted;
use super::same::{assigns_nothing, is_pure, is_same, truth};
use super::shapes::{appended, conditional};
use super::uses::{Effects, ORDERED, Reason, Use, Variable, WITHIN, procinfo};
use riverhawk_syntax::ast::{
    BinaryOp, ExprId, ExprKind, FunctionId, GetlineFrom, GlobalId, Name, Param, Program, Rule,
    RulePattern, Span, Special, StmtId, StmtKind, VariablePlace,
};
use riverhawk_syntax::deep;
use std::collections::BTreeSet;

const GETLINE: &str = "getline reads input that the main loop would read";

/// Variables certain to be assigned; `None` in unreachable code.
type Assigned = Option<BTreeSet<Variable>>;

fn either(a: Assigned, b: Assigned) -> Assigned {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.intersection(&b).copied().collect()),
        (a, None) => a,
        (None, b) => b,
    }
}

/// A rule's effects. `assigned` continues from the rules before it.
pub(super) fn rule(
    program: &Program,
    functions: &[Effects],
    rule: &Rule,
    assigned: &mut Assigned,
) -> Effects {
    let mut walker = Walker::new(program, functions, &[]);
    walker.effects.assigned = assigned.take();
    let action = rule.action.as_deref();
    match rule.pattern {
        RulePattern::Always => walker.action(action, rule.span),
        RulePattern::Expr(cond) => {
            let body = action.unwrap_or_default();
            match conditional(program, cond, body) {
                Some(_) if action.is_some() => walker.accumulate(cond, body),
                _ => match walker.distinct_test(cond, action) {
                    Some(test) => walker.distinct(test, action, rule.span),
                    None => walker.when(cond, |walker| walker.action(action, rule.span), |_| {}),
                },
            }
        }
        RulePattern::Range(first, last) => {
            let before = walker.effects.assigned.clone();
            walker.expr(first);
            // While the range is open, its first pattern is not evaluated.
            walker.effects.assigned.clone_from(&before);
            walker.expr(last);
            walker.action(action, rule.span);
            walker.effects.assigned = either(before, walker.effects.assigned.take());
        }
    }
    assigned.clone_from(&walker.effects.assigned);
    walker.effects
}

/// Given what is known so far of the functions it calls.
pub(super) fn function(program: &Program, functions: &[Effects], id: FunctionId) -> Effects {
    let function = &program.functions[id.index()];
    let mut walker = Walker::new(program, functions, &function.params);
    walker.effects.assigned = Some(BTreeSet::new());
    walker.block(&function.body);
    let end = walker.effects.assigned.take();
    walker.effects.assigned = either(end, walker.returned.take());
    walker.effects
}

pub(super) struct Walker<'p> {
    pub(super) program: &'p Program,
    pub(super) functions: &'p [Effects],
    pub(super) params: &'p [Param],
    pub(super) effects: Effects,
    /// What is certain at every `return` so far.
    returned: Assigned,
    /// Tested, with nothing they depend on changed since: they certainly exist.
    pub(super) present: Vec<(VariablePlace, Vec<ExprId>)>,
}

impl<'p> Walker<'p> {
    fn new(program: &'p Program, functions: &'p [Effects], params: &'p [Param]) -> Walker<'p> {
        Walker {
            program,
            functions,
            params,
            effects: Effects::default(),
            returned: None,
            present: Vec::new(),
        }
    }

    pub(super) fn obstacle(&mut self, span: Span, message: impl Into<String>) {
        self.effects.reasons.insert(Reason::new(span, message));
    }

    pub(super) fn action(&mut self, action: Option<&[StmtId]>, span: Span) {
        match action {
            Some(body) => self.block(body),
            None => drop(self.effects.prints.get_or_insert(span)),
        }
    }

    fn block(&mut self, body: &[StmtId]) {
        for &id in body {
            self.statement(id);
        }
    }

    fn statement(&mut self, id: StmtId) {
        deep(|| self.statement_shallow(id));
    }

    fn statement_shallow(&mut self, id: StmtId) {
        let program = self.program;
        let stmt = &program[id];
        match &stmt.kind {
            StmtKind::Expr(expr) => self.effect(*expr),
            StmtKind::Print { args, to } | StmtKind::Printf { args, to } => {
                if let Some(to) = to {
                    self.obstacle(
                        stmt.span,
                        "output goes to a file or command, in the order of the records",
                    );
                    self.expr(to.target);
                }
                args.iter().for_each(|&arg| self.expr(arg));
                self.effects.prints.get_or_insert(stmt.span);
            }
            StmtKind::If { cond, then, otherwise } => {
                let body = std::slice::from_ref(then);
                if otherwise.is_none() && conditional(program, *cond, body).is_some() {
                    return self.accumulate(*cond, body);
                }
                if otherwise.is_none()
                    && let Some(test) = self.distinct_test(*cond, Some(body))
                {
                    return self.distinct(test, Some(body), stmt.span);
                }
                self.when(
                    *cond,
                    |walker| walker.statement(*then),
                    |walker| {
                        if let Some(otherwise) = otherwise {
                            walker.statement(*otherwise);
                        }
                    },
                );
            }
            StmtKind::While { cond, body } => {
                self.effects.loops.get_or_insert(stmt.span);
                self.turns(None, Some(*cond), None, *body);
            }
            StmtKind::DoWhile { cond, body } => {
                self.effects.loops.get_or_insert(stmt.span);
                // The body runs at least once, but `continue` and `break` may leave it.
                let before = self.effects.assigned.clone();
                self.present.clear();
                self.statement(*body);
                self.effects.assigned = either(self.effects.assigned.take(), before.clone());
                self.expr(*cond);
                self.effects.assigned = before;
                self.present.clear();
            }
            StmtKind::For { init, cond, step, body } => {
                if !is_counted(program, (*init, *cond, *step), *body) {
                    self.effects.loops.get_or_insert(stmt.span);
                }
                self.turns(*init, *cond, *step, *body);
            }
            StmtKind::ForIn { target, array, body } => {
                if procinfo(self.program).is_some() {
                    self.obstacle(stmt.span, ORDERED);
                }
                self.use_array(*array, Use::Read);
                let before = self.effects.assigned.clone();
                self.present.clear();
                self.assign(*target, Use::Set);
                if is_pure(program, *target) {
                    self.present.push((array.place, vec![*target]));
                }
                self.statement(*body);
                self.present.clear();
                self.effects.assigned = before;
            }
            StmtKind::Switch { subject, cases } => {
                // Any case may be entered from the start or by falling through, or none: what is
                // certain before is certain after.
                self.expr(*subject);
                let before = self.effects.assigned.clone();
                for case in cases {
                    self.present.clear();
                    self.effects.assigned = either(self.effects.assigned.take(), before.clone());
                    self.block(&case.body);
                }
                self.present.clear();
                self.effects.assigned = before;
            }
            StmtKind::Block(body) => self.block(body),
            StmtKind::Next => self.effects.assigned = None,
            StmtKind::NextFile => {
                self.effects.skips_file.get_or_insert(stmt.span);
                self.effects.assigned = None;
            }
            // What follows is unreachable; the loop's end assumes no assignment in the loop.
            StmtKind::Break | StmtKind::Continue => self.effects.assigned = None,
            // A piece that exits is run again by the coordinator, which then exits.
            StmtKind::Exit(status) => {
                status.iter().for_each(|&status| self.expr(status));
                self.effects.exits.get_or_insert(stmt.span);
                self.effects.assigned = None;
            }
            StmtKind::Return(value) => {
                value.iter().for_each(|&value| self.expr(value));
                let here = self.effects.assigned.take();
                self.returned = either(self.returned.take(), here);
            }
            StmtKind::Delete { array, subscripts: None } => {
                self.use_array(*array, Use::Clear);
                self.certain(array.place);
                self.present.clear();
            }
            StmtKind::Delete { array, subscripts: Some(subscripts) } => {
                subscripts.iter().for_each(|&id| self.expr(id));
                self.use_array(*array, Use::Change);
                self.present.clear();
            }
            StmtKind::DeleteField { field } => self.expr(*field),
            #[allow(unreachable_patterns)]
            // Statements added later are not proved.
            _ => self.obstacle(stmt.span, "this kind of statement is not analysed"),
        }
    }

    /// For `while` and `for`: an iteration's assignments are not certain afterwards, since there
    /// may be no iteration.
    fn turns(
        &mut self,
        init: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<StmtId>,
        body: StmtId,
    ) {
        if let Some(init) = init {
            self.statement(init);
        }
        self.present.clear();
        let mut before = self.effects.assigned.clone();
        if let Some(cond) = cond {
            // A `break` comes after the condition.
            self.expr(cond);
            before = self.effects.assigned.clone();
        }
        let head = self.effects.assigned.clone();
        self.statement(body);
        // `continue` leads here.
        self.effects.assigned = either(self.effects.assigned.take(), head);
        if let Some(step) = step {
            self.statement(step);
        }
        self.effects.assigned = before;
        self.present.clear();
    }

    fn when(&mut self, cond: ExprId, yes: impl FnOnce(&mut Self), no: impl FnOnce(&mut Self)) {
        let settled = truth(self.program, cond).filter(|_| is_pure(self.program, cond));
        match settled {
            Some(true) => return yes(self),
            Some(false) => {
                self.first_record(yes);
                return no(self);
            }
            None => self.expr(cond),
        }
        let before = self.effects.assigned.clone();
        let known = self.present.len();
        self.assume_elements(cond);
        yes(self);
        self.present.truncate(known);
        let after_yes = std::mem::replace(&mut self.effects.assigned, before);
        no(self);
        self.effects.assigned = either(after_yes, self.effects.assigned.take());
    }

    /// For what only the first record does. The coordinator runs it, so all is allowed but changing
    /// the input: its files, where records end, and what has been read.
    fn first_record(&mut self, body: impl FnOnce(&mut Self)) {
        let mut first = Walker::new(self.program, self.functions, self.params);
        body(&mut first);
        for (&(variable, what), &span) in &first.effects.uses {
            let names_files = [GlobalId::ARGC, GlobalId::ARGV]
                .map(|global| Variable::Global(global.0))
                .contains(&variable);
            if names_files && !matches!(what, Use::Read | Use::Fetch | Use::Touch) {
                let message = format!(
                    "{} is changed, and decides which files follow",
                    variable.name(self.program)
                );
                self.obstacle_even_first(span, message);
            }
        }
        for reason in first.effects.even_first {
            self.effects.even_first.insert(reason.clone());
            self.effects.reasons.insert(reason);
        }
    }

    /// As [`Walker::obstacle`], but even in the first record.
    pub(super) fn obstacle_even_first(&mut self, span: Span, message: impl Into<String>) {
        let reason = Reason::new(span, message);
        self.effects.even_first.insert(reason.clone());
        self.effects.reasons.insert(reason);
    }

    /// Elements exist if the condition that tests them is true.
    fn assume_elements(&mut self, cond: ExprId) {
        let program = self.program;
        let mut todo = vec![cond];
        while let Some(id) = todo.pop() {
            match &program[program.peel(id)].kind {
                ExprKind::In { subscripts, array }
                    if subscripts.iter().all(|&id| is_pure(program, id)) =>
                {
                    self.present.push((array.place, subscripts.clone()));
                }
                // The first part still holds after the second is evaluated.
                ExprKind::And(a, b) if assigns_nothing(program, *b) => todo.extend([*a, *b]),
                _ => {}
            }
        }
    }

    fn accumulate(&mut self, cond: ExprId, body: &[StmtId]) {
        let program = self.program;
        let Some(found) = conditional(program, cond, body) else { return };
        self.expr(found.value);
        let variable = match &program[found.target].kind {
            ExprKind::Var(place) => self.variable(*place),
            ExprKind::Element { array, subscripts } => {
                subscripts.iter().for_each(|&id| self.expr(id));
                self.variable(array.place)
            }
            _ => None,
        };
        match variable {
            // A variable that this record has already assigned is not an accumulator.
            Some(variable @ Variable::Global(number)) if !self.is_certain(variable) => {
                for (follower, value) in found.followers {
                    self.expr(value);
                    self.effects.note(
                        Variable::Global(follower.0),
                        Use::Follow(number),
                        program[value].span,
                    );
                }
                if let Some(comparand) = found.comparand {
                    self.effects.comparands.insert((variable, comparand));
                }
                self.expose(variable, program[found.target].span);
                self.effects.note(variable, found.what, program[found.target].span);
                self.present.clear();
            }
            // Nor is a parameter, a field or a special.
            _ => self.when(cond, |walker| walker.block(body), |_| {}),
        }
    }

    /// The variable of a name, if it can outlive the record.
    pub(super) fn variable(&mut self, place: VariablePlace) -> Option<Variable> {
        match place {
            VariablePlace::Global(GlobalId(number)) => Some(Variable::Global(number)),
            VariablePlace::Special(Special::Rstart) => Some(Variable::Rstart),
            VariablePlace::Special(Special::Rlength) => Some(Variable::Rlength),
            VariablePlace::Special(_) => None,
            VariablePlace::Param(number) => {
                let array =
                    self.params.get(usize::from(number)).is_some_and(|param| param.usage.array);
                array.then_some(Variable::Param(number))
            }
        }
    }

    pub(super) fn expose(&mut self, variable: Variable, span: Span) {
        if !self.is_certain(variable) {
            self.effects.exposed.entry(variable).or_insert(span);
        }
    }

    pub(super) fn is_certain(&self, variable: Variable) -> bool {
        self.effects.assigned.as_ref().is_none_or(|assigned| assigned.contains(&variable))
    }

    pub(super) fn certain(&mut self, place: VariablePlace) {
        if let (Some(variable), Some(assigned)) = (self.variable(place), &mut self.effects.assigned)
        {
            assigned.insert(variable);
        }
    }

    pub(super) fn use_array(&mut self, array: Name, what: Use) {
        if array.element.is_some() {
            self.obstacle(array.span, WITHIN);
        }
        let Some(variable) = self.variable(array.place) else { return };
        // In a function an array parameter is the caller's array; accumulation in it is not
        // analysed.
        let what = match (variable, what) {
            (
                Variable::Param(_),
                Use::Sum | Use::Append | Use::First | Use::Best { .. } | Use::Set,
            ) => Use::Change,
            (_, what) => what,
        };
        if what != Use::Clear {
            self.expose(variable, array.span);
        }
        self.effects.note(variable, what, array.span);
    }

    pub(super) fn read(&mut self, place: VariablePlace, span: Span) {
        match place {
            VariablePlace::Special(special) => match special {
                Special::Nr | Special::Fnr => drop(self.effects.counts.get_or_insert(span)),
                Special::Rstart | Special::Rlength => {}
                Special::Nf
                | Special::Fs
                | Special::Ofs
                | Special::Ors
                | Special::Rs
                | Special::Rt
                | Special::Subsep
                | Special::Convfmt
                | Special::Ofmt
                | Special::Filename => {}
                #[allow(unreachable_patterns)]
                // Specials added later are not proved.
                other => {
                    self.obstacle(span, format!("{} may depend on earlier records", other.name()))
                }
            },
            VariablePlace::Global(_) | VariablePlace::Param(_) => {}
        }
        // An array read as a scalar is a run-time error, which the coordinator finds too.
        if let Some(variable) = self.variable(place) {
            self.expose(variable, span);
            self.effects.note(variable, Use::Read, span);
        }
    }

    /// Assigns the lvalue, whose subscripts are not evaluated yet. `what` is [`Use::Set`],
    /// [`Use::Sum`] or the like.
    pub(super) fn assign(&mut self, target: ExprId, what: Use) {
        let program = self.program;
        let target = program.peel(target);
        let span = program[target].span;
        match &program[target].kind {
            ExprKind::Var(VariablePlace::Special(Special::Nf)) => {}
            ExprKind::Var(VariablePlace::Special(special))
                if !matches!(special, Special::Rstart | Special::Rlength) =>
            {
                let message = format!("{} is assigned, and later records see it", special.name());
                match special {
                    // Pieces start with the values after the first record.
                    Special::Fs
                    | Special::Fieldwidths
                    | Special::Fpat
                    | Special::Ofs
                    | Special::Ors
                    | Special::Subsep
                    | Special::Convfmt
                    | Special::Ofmt
                    | Special::Nr
                    | Special::Fnr => self.obstacle(span, message),
                    // RS, and IGNORECASE if that is a pattern, decide where records end; ENCODING
                    // and FILENAME belong to files.
                    _ => self.obstacle_even_first(span, message),
                }
            }
            ExprKind::Var(place) => {
                if let Some(variable) = self.variable(*place) {
                    if what != Use::Set {
                        self.expose(variable, span);
                    }
                    self.effects.note(variable, what, span);
                }
                if what == Use::Set || what == Use::Change {
                    self.certain(*place);
                }
            }
            ExprKind::Element { array, subscripts } => {
                subscripts.iter().for_each(|&id| self.expr(id));
                self.use_array(*array, what);
            }
            ExprKind::Field(index) => self.expr(*index),
            _ => {}
        }
        // Elements whose keys depend on it are no longer certain to exist.
        self.present.clear();
    }

    fn is_present(&self, array: Name, subscripts: &[ExprId]) -> bool {
        self.present.iter().any(|(place, keys)| {
            *place == array.place
                && keys.len() == subscripts.len()
                && keys.iter().zip(subscripts).all(|(&a, &b)| is_same(self.program, a, b))
        })
    }

    fn changed(&mut self, target: ExprId) -> Option<Variable> {
        match &self.program[target].kind {
            ExprKind::Var(place) => self.variable(*place),
            ExprKind::Element { array, .. } => self.variable(array.place),
            _ => None,
        }
    }

    /// Recognises accumulators.
    fn effect(&mut self, id: ExprId) {
        let program = self.program;
        let id = program.peel(id);
        match program[id].kind {
            ExprKind::Assign { op: Some(BinaryOp::Add | BinaryOp::Sub), target, value } => {
                self.expr(value);
                let target = program.peel(target);
                self.assign(target, Use::Sum);
                let variable = self.changed(target);
                self.effects.addends.extend(variable.map(|variable| (variable, value)));
            }
            ExprKind::Step { target, .. } => {
                let target = program.peel(target);
                self.assign(target, Use::Sum);
                let variable = self.changed(target);
                self.effects.steps.extend(variable.map(|variable| (variable, id)));
            }
            ExprKind::Assign { op: None, target, value } => {
                let target = program.peel(target);
                match appended(program, target, value) {
                    Some(rest) => {
                        rest.iter().for_each(|&id| self.expr(id));
                        self.assign(target, Use::Append);
                    }
                    None => {
                        self.expr(value);
                        self.assign(target, Use::Set);
                    }
                }
            }
            ExprKind::Element { array, ref subscripts } => {
                subscripts.iter().for_each(|&id| self.expr(id));
                self.use_array(array, Use::Touch);
            }
            _ => self.expr(id),
        }
    }

    pub(super) fn expr(&mut self, id: ExprId) {
        deep(|| self.expr_shallow(id));
    }

    fn expr_shallow(&mut self, id: ExprId) {
        let program = self.program;
        let span = program[id].span;
        match &program[id].kind {
            ExprKind::Number(_)
            | ExprKind::String(_)
            | ExprKind::Regex(_)
            | ExprKind::TypedRegex(_) => {}
            ExprKind::Var(place) => self.read(*place, span),
            ExprKind::Element { array, subscripts } => {
                subscripts.iter().for_each(|&id| self.expr(id));
                let there = self.is_present(*array, subscripts);
                self.use_array(*array, if there { Use::Read } else { Use::Fetch });
            }
            ExprKind::Field(inner)
            | ExprKind::Group(inner)
            | ExprKind::Not(inner)
            | ExprKind::Minus(inner)
            | ExprKind::Plus(inner) => self.expr(*inner),
            ExprKind::In { subscripts, array } => {
                subscripts.iter().for_each(|&id| self.expr(id));
                self.use_array(*array, Use::Read);
            }
            ExprKind::Assign { op: None, target, value } => {
                // What is used is the assigned value, not an earlier one.
                self.expr(*value);
                self.assign(*target, Use::Set);
            }
            ExprKind::Assign { op: Some(_), target, value } => {
                self.expr(*value);
                self.assign(*target, Use::Change);
            }
            ExprKind::Step { target, .. } => self.assign(*target, Use::Change),
            ExprKind::Cond { cond, yes, no } => {
                self.when(*cond, |walker| walker.expr(*yes), |walker| walker.expr(*no));
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                let and = matches!(program[id].kind, ExprKind::And(..));
                let (yes, no) = (and.then_some(*b), (!and).then_some(*b));
                let side = |b: Option<ExprId>| {
                    move |walker: &mut Walker<'p>| b.iter().for_each(|&b| walker.expr(b))
                };
                self.when(*a, side(yes), side(no));
            }
            ExprKind::Binary(_, a, b) => {
                self.expr(*a);
                self.expr(*b);
            }
            ExprKind::Match { text, regex, .. } => {
                self.expr(*text);
                self.expr(*regex);
            }
            ExprKind::Call { function, args } => self.call(*function, args, span),
            ExprKind::Builtin { builtin, args } => self.builtin(*builtin, args, span),
            ExprKind::IndirectCall { .. } => {
                self.obstacle_even_first(
                    span,
                    "which function is called here is known only at run time",
                );
            }
            ExprKind::CannotWork { .. } => {
                self.obstacle(span, "is an error, which must occur in the order of the records")
            }
            ExprKind::Library { function, args } => self.library(*function, args, span),
            ExprKind::Host { function, args } => self.host_call(*function, args, span),
            ExprKind::Getline { from, target } => {
                target.iter().for_each(|&target| self.assign(target, Use::Change));
                let is_other_file = |file: &ExprId| match &program[program.peel(*file)].kind {
                    ExprKind::String(name) => name != b"-" && !name.starts_with(b"/dev/"),
                    _ => false,
                };
                if let GetlineFrom::File(from)
                | GetlineFrom::Command(from)
                | GetlineFrom::Coprocess(from) = from
                {
                    self.expr(*from);
                }
                match from {
                    GetlineFrom::Command(_) | GetlineFrom::Coprocess(_) => {
                        self.obstacle(span, GETLINE)
                    }
                    GetlineFrom::File(file) if is_other_file(file) => self.obstacle(span, GETLINE),
                    // The main input, or a name that may be the same standard input.
                    GetlineFrom::Main | GetlineFrom::File(_) => {
                        self.obstacle_even_first(span, GETLINE)
                    }
                }
            }
            #[allow(unreachable_patterns)]
            // Expressions added later are not proved.
            _ => self.obstacle(span, "this kind of expression is not analysed"),
        }
    }
}
