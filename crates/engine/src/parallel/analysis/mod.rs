//! Decides which programs give the same output when the input is cut into pieces, each piece is run
//! by itself, and the results are joined in order.
//!
//! A program qualifies if only joinable variables carry values from one record to a later one. The
//! walk ([`walk`], [`calls`]) visits every rule, and every function that rules call, in the order
//! of evaluation. It finds the uses of each variable ([`uses`]), whether it may be read before the
//! current record has assigned it, and other obstacles. [`shapes`] recognises accumulating
//! statements. [`verdict`] decides for each variable.
//!
//! What is unknown is not proved: a construct that the walk does not know is an obstacle.
//!
//! Every piece comes after the first record, which the coordinator runs. Conditions such as `NR ==
//! 1` are false there, so what they guard need not qualify ([`same::truth`]), unless it changes the
//! input ([`uses::Effects::even_first`]). If that is not enough, the coordinator runs the first file
//! too, and `NR == FNR` is false as well ([`later_files`]).

mod calls;
mod counted;
mod distinct;
mod later_files;
mod library;
mod library_calls;
mod mentions;
mod same;
mod shapes;
mod uses;
mod verdict;
mod walk;

use riverhawk_compile::Notes;
use riverhawk_parallel::{Join, Lead, Plan, Share, Slot};
use riverhawk_syntax::ast::{
    ExprId, ExprKind, Extension, FunctionId, GlobalId, Program, RulePattern, Span, StmtKind,
};
use std::collections::BTreeSet;
use uses::{Effects, ORDERED, Use, Variable, procinfo};
pub use verdict::{Obstacle, Verdict};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleVerdict {
    pub span: Span,
    pub prints: bool,
    /// Its variables, as indexes of [`Analysis::variables`].
    pub variables: Vec<usize>,
    /// Obstacles in this rule or in functions that it calls, apart from variables.
    pub obstacles: Vec<Obstacle>,
}

#[derive(Clone, Debug)]
pub struct Analysis {
    pub rules: Vec<RuleVerdict>,
    pub variables: Vec<Verdict>,
    /// Obstacles of the program as a whole.
    pub obstacles: Vec<Obstacle>,
    /// What pieces note and how they are joined; `None` if there is an obstacle.
    pub plan: Option<(Plan, Notes)>,
}

pub fn analyse(program: &Program) -> Analysis {
    let program = &*riverhawk_compile::normalised(program);
    let found = of_pieces(program);
    if found.plan.is_some() {
        return found;
    }
    let Some(later) = later_files::of(program) else { return found };
    let mut found = of_pieces(&later);
    if let Some((plan, _)) = &mut found.plan {
        plan.lead = Lead::FirstFile;
    }
    found
}

fn of_pieces(program: &Program) -> Analysis {
    let functions = functions(program);
    let mut assigned = Some(BTreeSet::new());
    let rules: Vec<Effects> = program
        .rules
        .iter()
        .map(|rule| walk::rule(program, &functions, rule, &mut assigned))
        .collect();
    let together = merged(&rules);

    let all: BTreeSet<Variable> = together.uses.keys().map(|(variable, _)| *variable).collect();
    let all: Vec<Variable> = all.into_iter().collect();
    let variables: Vec<Verdict> =
        all.iter().filter_map(|&variable| verdict::verdict(program, &together, variable)).collect();

    let mut obstacles = Vec::new();
    if let (Some(span), Some(_)) = (together.skips_file, together.counts) {
        let message =
            "nextfile skips records, so NR and FNR of later records cannot be computed in advance";
        obstacles.push(Obstacle { span, message: message.to_owned() });
    }
    let ranges =
        program.rules.iter().filter(|rule| matches!(rule.pattern, RulePattern::Range(..))).count();
    if ranges > 0 {
        obstacles.extend(endless(&together, &functions));
    }
    obstacles.extend(order_of_loops(program, &together));
    if let Some(action) = program.begin_file.iter().chain(&program.end_file).next() {
        let message = "BEGINFILE and ENDFILE must run between the records of two files";
        obstacles.push(Obstacle { span: action.span, message: message.to_owned() });
    }
    if program.extensions.contains(&Extension::Readdir) {
        let message = "operands may be directories, which are read in one piece";
        obstacles.push(Obstacle { span: Span::default(), message: message.to_owned() });
    }
    if program.globals.iter().any(|global| global.name == "SYMTAB") {
        let message = "SYMTAB accesses every variable";
        obstacles.push(Obstacle { span: Span::default(), message: message.to_owned() });
    }
    let has_getline =
        program.exprs.iter().any(|expr| matches!(expr.kind, ExprKind::Getline { .. }));
    if let (Some(span), true) = (together.exits, has_getline) {
        let message = "after exit, getline in END may read the remaining records";
        obstacles.push(Obstacle { span, message: message.to_owned() });
    }
    let rules: Vec<RuleVerdict> = program
        .rules
        .iter()
        .zip(&rules)
        .map(|(rule, effects)| RuleVerdict {
            span: rule.span,
            prints: effects.prints.is_some(),
            variables: (0..all.len())
                .filter(|&at| effects.uses_of(all[at]).next().is_some())
                .collect(),
            obstacles: effects
                .reasons
                .iter()
                .map(|reason| Obstacle {
                    span: Span { start: reason.span.0, end: reason.span.1 },
                    message: reason.message.clone(),
                })
                .collect(),
        })
        .collect();

    let proved = obstacles.is_empty()
        && rules.iter().all(|rule| rule.obstacles.is_empty())
        && variables.iter().all(|variable| variable.finding.is_ok());
    let has_records = !program.rules.is_empty() || !program.end.is_empty();
    let plan = (proved && has_records).then(|| {
        let (plan, notes) = plan(program, &together, &all, &variables);
        (Plan { globals: program.globals.len(), ranges, ..plan }, notes)
    });
    Analysis { rules, variables, obstacles, plan }
}

/// A loop whose order rules change. Otherwise loops in `END` have theirs: the coordinator runs it, with
/// the PROCINFO of `BEGIN`.
fn order_of_loops(program: &Program, together: &Effects) -> Option<Obstacle> {
    let is_read = |what| matches!(what, Use::Read | Use::Fetch | Use::Touch);
    if together.uses_of(procinfo(program)?).all(|(what, _)| is_read(what)) {
        return None;
    }
    let loops = program.stmts.iter().find(|stmt| matches!(stmt.kind, StmtKind::ForIn { .. }))?;
    Some(Obstacle { span: loops.span, message: ORDERED.to_owned() })
}

/// A loop that may be endless for an unexpected record. Most pieces assume which ranges are open; a
/// piece must end even if that was wrong.
fn endless(together: &Effects, functions: &[Effects]) -> Option<Obstacle> {
    if let Some(span) = together.loops {
        let message = "this loop may not end, and with a range pattern it may run for records outside the range";
        return Some(Obstacle { span, message: message.to_owned() });
    }
    let recursive =
        |function: &FunctionId| functions[function.index()].calls.contains_key(function);
    let (_, &span) = together.calls.iter().find(|(function, _)| recursive(function))?;
    let message = "this recursion may not end, and with a range pattern it may run for records outside the range";
    Some(Obstacle { span, message: message.to_owned() })
}

fn plan(
    program: &Program,
    effects: &Effects,
    all: &[Variable],
    verdicts: &[Verdict],
) -> (Plan, Notes) {
    let end = mentions::in_end(program);
    let mut plan = Plan {
        counts_records: effects.counts.is_some(),
        end_reads_record: end.reads_record,
        ..Plan::default()
    };
    let mut notes = Notes::default();
    for (&variable, verdict) in all.iter().zip(verdicts) {
        let Ok(join) = verdict.finding else { continue };
        // Commands get ENVIRON's values even if the text does not mention it again.
        let wanted = end.variables.contains(&variable)
            || join == Join::Distinct
            || variable <= Variable::Global(GlobalId::ENVIRON.0);
        plan.shares.extend(verdict::share(program, variable, join, wanted));
        let of = |set: &BTreeSet<(Variable, ExprId)>| -> Vec<ExprId> {
            set.iter().filter(|(other, _)| *other == variable).map(|(_, id)| *id).collect()
        };
        match join {
            Join::Sum => {
                notes.addends.extend(of(&effects.addends));
                notes.sums.extend(of(&effects.addends));
                notes.sums.extend(of(&effects.steps));
            }
            Join::Distinct => {
                if let Variable::Global(array) = variable {
                    let firsts = of(&effects.firsts).into_iter();
                    notes.firsts.extend(firsts.map(|cond| (cond, GlobalId(array))));
                }
            }
            Join::Best { .. } => notes.comparands.extend(of(&effects.comparands)),
            _ => {}
        }
    }
    // Only the followed variable shows whether a follower is assigned.
    let followed: Vec<Slot> =
        plan.shares.iter().filter(|share| share.wanted).filter_map(Share::follows).collect();
    for share in &mut plan.shares {
        share.wanted |= followed.contains(&share.slot);
    }
    (plan, notes)
}

/// By iteration to a fixpoint.
fn functions(program: &Program) -> Vec<Effects> {
    let mut effects = vec![Effects::default(); program.functions.len()];
    loop {
        let again: Vec<Effects> = (0..program.functions.len() as u32)
            .map(|number| {
                walk::function(program, &effects, FunctionId(number))
                    .at_the_places_of(&effects[number as usize])
            })
            .collect();
        if again == effects {
            return effects;
        }
        effects = again;
    }
}

fn merged(rules: &[Effects]) -> Effects {
    let mut all = Effects::default();
    for rule in rules {
        for (&(variable, what), &span) in &rule.uses {
            all.note(variable, what, span);
        }
        for (&variable, &span) in &rule.exposed {
            all.exposed.entry(variable).or_insert(span);
        }
        all.addends.extend(&rule.addends);
        all.steps.extend(&rule.steps);
        all.firsts.extend(&rule.firsts);
        all.comparands.extend(&rule.comparands);
        all.counts = all.counts.or(rule.counts);
        all.skips_file = all.skips_file.or(rule.skips_file);
        all.exits = all.exits.or(rule.exits);
        all.loops = all.loops.or(rule.loops);
        for (&function, &span) in &rule.calls {
            all.calls.entry(function).or_insert(span);
        }
    }
    all
}

#[cfg(test)]
mod tests;
