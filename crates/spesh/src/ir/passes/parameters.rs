//! A block parameter that every predecessor gives the same value, or the parameter itself, is that value: a number that a loop only
//! reads needs no place in it.

use crate::ir::function::*;
use std::collections::BTreeMap;

pub(super) fn run(function: &mut Function) {
    while let Some(replaced) = once(function) {
        apply(function, &replaced);
    }
}

/// What each parameter is given that is given one value only; `None` when there is no such parameter.
fn once(function: &mut Function) -> Option<BTreeMap<Value, Value>> {
    // Some(value): that one so far. None: several.
    let mut given: BTreeMap<Value, Option<Value>> = BTreeMap::new();
    for block in &function.blocks {
        for target in block.end.targets() {
            let parameters = &function.blocks[target.block.0 as usize].parameters;
            for (&parameter, &argument) in parameters.iter().zip(&target.arguments) {
                if parameter == argument {
                    continue;
                }
                given
                    .entry(parameter)
                    .and_modify(|so_far| {
                        if *so_far != Some(argument) {
                            *so_far = None;
                        }
                    })
                    .or_insert(Some(argument));
            }
        }
    }
    let replaced: BTreeMap<Value, Value> =
        given.into_iter().filter_map(|(parameter, value)| Some((parameter, value?))).collect();
    (!replaced.is_empty()).then_some(replaced)
}

fn apply(function: &mut Function, replaced: &BTreeMap<Value, Value>) {
    // One may be replaced by another that is replaced too; two that give each other would be a loop that nobody enters.
    let last = |mut value: Value| {
        for _ in 0..=replaced.len() {
            match replaced.get(&value) {
                Some(&next) => value = next,
                None => break,
            }
        }
        value
    };
    let gone: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .map(|block| block.parameters.iter().map(|parameter| replaced.contains_key(parameter)).collect())
        .collect();
    for (block, gone_here) in function.blocks.iter_mut().zip(&gone) {
        let mut at = 0;
        block.parameters.retain(|_| {
            at += 1;
            !gone_here[at - 1]
        });
        for step in &mut block.steps {
            step.inst.map_operands(last);
        }
        for target in block.end.targets_mut() {
            let gone = &gone[target.block.0 as usize];
            let mut at = 0;
            target.arguments.retain(|_| {
                at += 1;
                !gone[at - 1]
            });
            target.arguments.iter_mut().for_each(|value| *value = last(*value));
        }
        match &mut block.end {
            End::Branch { on: value, .. } | End::Return(value) => *value = last(*value),
            _ => {}
        }
    }
    for exit in &mut function.exits {
        exit.stores.iter_mut().for_each(|store| store.value = last(store.value));
    }
}
