//! Calls: the effects of a function become those of the calling rule.

use super::same::has_no_effect;
use super::uses::{Use, Variable, WITHIN};
use super::walk::Walker;
use riverhawk_syntax::ast::{
    Builtin, ExprId, ExprKind, FunctionId, Name, Span, Special, VariablePlace,
};
use std::collections::BTreeSet;

impl Walker<'_> {
    pub(super) fn call(&mut self, function: FunctionId, args: &[ExprId], span: Span) {
        let program = self.program;
        let callee = &program.functions[function.index()];
        let mut arrays = Vec::new();
        for (number, (&arg, param)) in (0u16..).zip(args.iter().zip(&callee.params)) {
            let ExprKind::Var(place) = program[arg].kind else {
                if param.usage.array {
                    self.obstacle(program[arg].span, WITHIN);
                }
                self.expr(arg);
                continue;
            };
            let own = match place {
                VariablePlace::Global(global) => program.globals[global.index()].usage,
                VariablePlace::Param(own) => {
                    self.params.get(usize::from(own)).map(|param| param.usage).unwrap_or_default()
                }
                VariablePlace::Special(_) => {
                    self.read(place, span);
                    continue;
                }
            };
            match (param.usage.array || own.array, param.usage.scalar || own.scalar) {
                (true, false) => arrays.push((number, place, program[arg].span)),
                (false, true) => self.read(place, program[arg].span),
                // Unused: nothing changes.
                (false, false) if matches!(place, VariablePlace::Param(_)) => {}
                _ => self.obstacle(
                    program[arg].span,
                    "whether this argument is an array or a scalar is known only at run time",
                ),
            }
        }
        let Some(effects) = self.functions.get(function.index()) else { return };
        for (&(variable, what), &at) in &effects.uses {
            match variable {
                Variable::Param(number) => {
                    let Some((_, place, at)) = arrays.iter().find(|(of, ..)| *of == number) else {
                        continue;
                    };
                    if let Some(own) = self.variable(*place) {
                        self.effects.note(own, what, *at);
                    }
                }
                global => self.effects.note(global, what, at),
            }
        }
        let exposed: Vec<_> =
            effects.exposed.iter().map(|(&variable, &at)| (variable, at)).collect();
        for (variable, at) in exposed {
            match variable {
                Variable::Param(number) => {
                    let Some((_, place, at)) =
                        arrays.iter().find(|(of, ..)| *of == number).copied()
                    else {
                        continue;
                    };
                    if let Some(own) = self.variable(place) {
                        self.expose(own, at);
                    }
                }
                global => self.expose(global, at),
            }
        }
        let of_globals = |variable: Variable| !matches!(variable, Variable::Param(_));
        self.effects.reasons.extend(effects.reasons.iter().cloned());
        self.effects.even_first.extend(effects.even_first.iter().cloned());
        let kept = |all: &BTreeSet<(Variable, ExprId)>| -> Vec<(Variable, ExprId)> {
            all.iter().filter(|(variable, _)| of_globals(*variable)).copied().collect()
        };
        self.effects.addends.extend(kept(&effects.addends));
        self.effects.steps.extend(kept(&effects.steps));
        self.effects.firsts.extend(kept(&effects.firsts));
        self.effects.comparands.extend(kept(&effects.comparands));
        self.effects.counts = self.effects.counts.or(effects.counts);
        self.effects.skips_file = self.effects.skips_file.or(effects.skips_file);
        self.effects.exits = self.effects.exits.or(effects.exits);
        self.effects.prints = self.effects.prints.or(effects.prints);
        self.effects.loops = self.effects.loops.or(effects.loops);
        for called in effects.calls.keys().copied().chain([function]) {
            self.effects.calls.entry(called).or_insert(span);
        }
        match (&mut self.effects.assigned, &effects.assigned) {
            (Some(assigned), Some(certain)) => {
                assigned.extend(certain.iter().copied().filter(|&variable| of_globals(variable)));
            }
            (assigned, None) => *assigned = None,
            (None, _) => {}
        }
        // An array that the function empties is the caller's.
        for (number, place, _) in arrays {
            let emptied = effects
                .assigned
                .as_ref()
                .is_some_and(|certain| certain.contains(&Variable::Param(number)));
            if emptied {
                self.certain(place);
            }
        }
        self.present.clear();
    }

    pub(super) fn builtin(&mut self, builtin: Builtin, args: &[ExprId], span: Span) {
        let program = self.program;
        match builtin {
            Builtin::Split | Builtin::Match => {
                // Arrays are filled last.
                for (at, &arg) in args.iter().enumerate() {
                    if !is_filled(builtin, at) {
                        self.expr(arg);
                    }
                }
                for (at, &arg) in args.iter().enumerate() {
                    match (is_filled(builtin, at), &program[arg].kind) {
                        (true, ExprKind::Var(place)) => {
                            self.use_array(
                                Name { place: *place, span: program[arg].span, element: None },
                                Use::Clear,
                            );
                            self.certain(*place);
                        }
                        (true, _) => self.obstacle(program[arg].span, WITHIN),
                        (false, _) => {}
                    }
                }
                if builtin == Builtin::Match {
                    for special in [Special::Rstart, Special::Rlength] {
                        let variable = if special == Special::Rstart {
                            Variable::Rstart
                        } else {
                            Variable::Rlength
                        };
                        self.effects.note(variable, Use::Set, span);
                        self.certain(VariablePlace::Special(special));
                    }
                }
                self.present.clear();
            }
            Builtin::Sub | Builtin::Gsub => {
                args.iter().take(2).for_each(|&arg| self.expr(arg));
                if let Some(&target) = args.get(2) {
                    self.assign(target, Use::Change);
                }
                self.present.clear();
            }
            Builtin::Length => match args.first().map(|&arg| &program[program.peel(arg)].kind) {
                Some(ExprKind::Var(place)) => self.read(*place, program[args[0]].span),
                _ => args.iter().for_each(|&arg| self.expr(arg)),
            },
            Builtin::Rand => {
                self.obstacle(span, "the result of rand depends on the number of earlier calls")
            }
            Builtin::Srand => {
                self.obstacle(span, "srand changes the results of rand for later records")
            }
            Builtin::Close | Builtin::Fflush => {
                self.obstacle(
                    span,
                    format!("{} affects what other records write or read", builtin.name()),
                );
            }
            Builtin::System => self.obstacle(span, "commands must run in the order of the records"),
            pure if has_no_effect(pure) => args.iter().for_each(|&arg| self.expr(arg)),
            // Functions added later are not proved.
            other => self.obstacle(span, format!("{} is not analysed", other.name())),
        }
    }
}

fn is_filled(builtin: Builtin, at: usize) -> bool {
    match builtin {
        Builtin::Split => at == 1 || at == 3,
        Builtin::Match => at == 2,
        _ => false,
    }
}
