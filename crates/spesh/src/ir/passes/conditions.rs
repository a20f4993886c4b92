//! Truths that are known, and conversions there and back.

use crate::ir::function::*;
use std::collections::BTreeMap;

pub(super) fn run(function: &mut Function) {
    let mut known = Known { made_by: BTreeMap::new() };
    for block in &function.blocks {
        for step in &block.steps {
            if let Some(result) = step.result {
                known.made_by.insert(result, step.inst.clone());
            }
        }
    }
    for block in &mut function.blocks {
        for step in &mut block.steps {
            step.inst.map_operands(|value| known.simplest(value));
        }
        block.steps.retain(|step| !matches!(step.inst, Inst::Guard { holds, .. } if known.truth(holds) == Some(true)));
        for target in block.end.targets_mut() {
            target.arguments.iter_mut().for_each(|value| *value = known.simplest(*value));
        }
        let decided = match &mut block.end {
            End::Branch { on, yes, no } => {
                *on = known.simplest(*on);
                match known.truth(*on) {
                    Some(truth) => Some(End::Jump(if truth { yes.clone() } else { no.clone() })),
                    // The same, asked the other way round.
                    None => match known.made_by.get(on) {
                        Some(Inst::Not(other)) => {
                            Some(End::Branch { on: known.simplest(*other), yes: no.clone(), no: yes.clone() })
                        }
                        _ => None,
                    },
                }
            }
            End::Return(value) => Some(End::Return(known.simplest(*value))),
            _ => None,
        };
        if let Some(end) = decided {
            block.end = end;
        }
    }
    for exit in &mut function.exits {
        exit.stores.iter_mut().for_each(|store| store.value = known.simplest(store.value));
    }
}

/// Which instruction made a value.
struct Known {
    made_by: BTreeMap<Value, Inst>,
}

impl Known {
    /// The same value, found earlier: a truth made a number and then a truth again is the truth.
    fn simplest(&self, value: Value) -> Value {
        match self.made_by.get(&value) {
            Some(Inst::NotZero(number)) => match self.made_by.get(number) {
                Some(Inst::FromTruth(truth)) => self.simplest(*truth),
                _ => value,
            },
            Some(Inst::Not(inner)) => match self.made_by.get(&self.simplest(*inner)) {
                Some(Inst::Not(twice)) => self.simplest(*twice),
                _ => value,
            },
            _ => value,
        }
    }

    fn number(&self, value: Value) -> Option<f64> {
        match self.made_by.get(&value)? {
            Inst::Number(number) => Some(*number),
            Inst::Unary(Unary::Neg, a) => Some(-self.number(*a)?),
            _ => None,
        }
    }

    fn truth(&self, value: Value) -> Option<bool> {
        Some(match *self.made_by.get(&value)? {
            Inst::NotZero(number) => self.number(number)? != 0.0,
            Inst::Not(truth) => !self.truth(truth)?,
            Inst::Compare(order, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match order {
                    Order::Less => a < b,
                    Order::LessEqual => a <= b,
                    Order::Equal => a == b,
                    Order::NotEqual => a != b,
                }
            }
            _ => return None,
        })
    }
}
