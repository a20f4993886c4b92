//! Folds known truths, and conversions to another type and back.

use crate::ir::function::*;

pub(super) fn run(function: &mut IrFunction) {
    let count = function.types.len();
    let mut known = Known { made_by: vec![None; count], constants: vec![None; count] };
    for step in function.blocks.iter().flat_map(|block| &block.steps) {
        if let Some(result) = step.result {
            known.made_by[result.0 as usize] = copied(&step.inst);
            known.constants[result.0 as usize] = known.computed(&step.inst);
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
            BlockEnd::Branch { on, yes, no } => {
                *on = known.simplest(*on);
                match known.truth(*on) {
                    Some(truth) => {
                        Some(BlockEnd::Jump(if truth { yes.clone() } else { no.clone() }))
                    }
                    None => match known.made_by(*on) {
                        Some(Inst::Not(other)) => Some(BlockEnd::Branch {
                            on: known.simplest(*other),
                            yes: no.clone(),
                            no: yes.clone(),
                        }),
                        _ => None,
                    },
                }
            }
            BlockEnd::Return(value) => Some(BlockEnd::Return(known.simplest(*value))),
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

fn copied(inst: &Inst) -> Option<Inst> {
    match *inst {
        Inst::NotZero(a) => Some(Inst::NotZero(a)),
        Inst::Not(a) => Some(Inst::Not(a)),
        Inst::FromTruth(a) => Some(Inst::FromTruth(a)),
        Inst::Compare(order, a, b) => Some(Inst::Compare(order, a, b)),
        _ => None,
    }
}

struct Known {
    made_by: Vec<Option<Inst>>,
    constants: Vec<Option<f64>>,
}

impl Known {
    fn made_by(&self, value: Value) -> Option<&Inst> {
        self.made_by.get(value.0 as usize)?.as_ref()
    }

    /// The first value equal to this one: a truth converted to a number and back is the same truth.
    fn simplest(&self, value: Value) -> Value {
        match self.made_by(value) {
            Some(Inst::NotZero(number)) => match self.made_by(*number) {
                Some(Inst::FromTruth(truth)) => self.simplest(*truth),
                _ => value,
            },
            Some(Inst::Not(inner)) => match self.made_by(self.simplest(*inner)) {
                Some(Inst::Not(twice)) => self.simplest(*twice),
                _ => value,
            },
            _ => value,
        }
    }

    fn number(&self, value: Value) -> Option<f64> {
        *self.constants.get(value.0 as usize)?
    }

    /// Folds constants, except to NaN: its sign is printed and must be the machine's.
    fn computed(&self, inst: &Inst) -> Option<f64> {
        let number = match *inst {
            Inst::Number(number) => number,
            Inst::Unary(Unary::Neg, a) => -self.number(a)?,
            Inst::Binary(op, a, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                match op {
                    Binary::Add => a + b,
                    Binary::Sub => a - b,
                    Binary::Mul => a * b,
                    _ => return None,
                }
            }
            _ => return None,
        };
        (!number.is_nan()).then_some(number)
    }

    fn truth(&self, value: Value) -> Option<bool> {
        Some(match *self.made_by(value)? {
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
