//! What nobody needs: blocks that are not reached, values that are not used.

use crate::ir::function::*;
use std::collections::BTreeSet;

pub(super) fn run(function: &mut Function) {
    drop_unreached(function);
    while drop_unused(function) {}
}

fn drop_unreached(function: &mut Function) {
    let mut reached = BTreeSet::from([Block(0)]);
    let mut waiting = vec![Block(0)];
    while let Some(block) = waiting.pop() {
        for target in function.blocks[block.0 as usize].end.targets() {
            if reached.insert(target.block) {
                waiting.push(target.block);
            }
        }
    }
    if reached.len() == function.blocks.len() {
        return;
    }
    let numbers: Vec<Block> = {
        let mut next = 0;
        (0..function.blocks.len() as u32)
            .map(|block| {
                let here = Block(next);
                next += u32::from(reached.contains(&Block(block)));
                here
            })
            .collect()
    };
    let mut at = 0;
    function.blocks.retain(|_| {
        at += 1;
        reached.contains(&Block(at - 1))
    });
    for block in &mut function.blocks {
        for target in block.end.targets_mut() {
            target.block = numbers[target.block.0 as usize];
        }
    }
}

/// Drops what is unused; whether there was any.
fn drop_unused(function: &mut Function) -> bool {
    let mut used = BTreeSet::new();
    let mut exits = BTreeSet::from_iter(function.begin);
    for block in &function.blocks {
        for step in &block.steps {
            used.extend(step.inst.operands().into_iter().map(|(value, _)| value));
            exits.extend(step.inst.exits());
        }
        for target in block.end.targets() {
            used.extend(&target.arguments);
        }
        match &block.end {
            End::Branch { on: value, .. } | End::Return(value) => {
                used.insert(*value);
            }
            End::Leave(exit) => {
                exits.insert(*exit);
            }
            _ => {}
        }
    }
    for exit in exits {
        used.extend(function.exits[exit.0 as usize].stores.iter().map(|store| store.value));
    }
    let mut dropped = false;
    for block in &mut function.blocks {
        let before = block.steps.len();
        block.steps.retain(|step| !(step.inst.is_idle() && step.result.is_some_and(|result| !used.contains(&result))));
        dropped |= block.steps.len() != before;
    }
    // Parameters, but those of the entry: they are how it is called.
    let unused: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .enumerate()
        .map(|(at, block)| block.parameters.iter().map(|parameter| at > 0 && !used.contains(parameter)).collect())
        .collect();
    if unused.iter().flatten().any(|&unused| unused) {
        dropped = true;
        for (block, gone) in function.blocks.iter_mut().zip(&unused) {
            retain_others(&mut block.parameters, gone);
            for target in block.end.targets_mut() {
                retain_others(&mut target.arguments, &unused[target.block.0 as usize]);
            }
        }
    }
    dropped
}

fn retain_others(values: &mut Vec<Value>, gone: &[bool]) {
    let mut at = 0;
    values.retain(|_| {
        at += 1;
        !gone[at - 1]
    });
}
