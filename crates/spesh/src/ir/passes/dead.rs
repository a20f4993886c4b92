//! Removes unreachable blocks and unused values.

use crate::ir::function::*;

pub(super) fn run(function: &mut IrFunction) {
    drop_unreached(function);
    while drop_unused(function) {}
}

fn drop_unreached(function: &mut IrFunction) {
    let mut reached = vec![false; function.blocks.len()];
    reached[0] = true;
    let mut waiting = vec![Block(0)];
    while let Some(block) = waiting.pop() {
        for target in function.blocks[block.0 as usize].end.targets() {
            if !std::mem::replace(&mut reached[target.block.0 as usize], true) {
                waiting.push(target.block);
            }
        }
    }
    if reached.iter().all(|reached| *reached) {
        return;
    }
    let numbers: Vec<Block> = {
        let mut next = 0;
        reached
            .iter()
            .map(|&reached| {
                let here = Block(next);
                next += u32::from(reached);
                here
            })
            .collect()
    };
    let mut at = 0;
    function.blocks.retain(|_| {
        at += 1;
        reached[at - 1]
    });
    for block in &mut function.blocks {
        for target in block.end.targets_mut() {
            target.block = numbers[target.block.0 as usize];
        }
    }
}

fn drop_unused(function: &mut IrFunction) -> bool {
    let mut used = Used {
        values: vec![false; function.types.len()],
        exits: vec![false; function.exits.len()],
    };
    function.begin.into_iter().for_each(|exit| used.exit(exit));
    for block in &function.blocks {
        for step in &block.steps {
            step.inst.each_operand(|value, _| used.value(value));
            step.inst.exits().into_iter().for_each(|exit| used.exit(exit));
        }
        for target in block.end.targets() {
            target.arguments.iter().for_each(|&value| used.value(value));
        }
        match &block.end {
            BlockEnd::Branch { on: value, .. } | BlockEnd::Return(value) => used.value(*value),
            BlockEnd::Leave(exit) => used.exit(*exit),
            _ => {}
        }
    }
    for (exit, _) in function.exits.iter().zip(used.exits.clone()).filter(|(_, used)| *used) {
        exit.stores.iter().for_each(|store| used.value(store.value));
    }
    let used = |value: &Value| used.values[value.0 as usize];
    let mut dropped = false;
    for block in &mut function.blocks {
        let before = block.steps.len();
        block.steps.retain(|step| {
            !(step.inst.is_idle() && step.result.is_some_and(|result| !used(&result)))
        });
        dropped |= block.steps.len() != before;
    }
    // The entry's parameters stay: they are how it is called.
    let unused: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .enumerate()
        .map(|(at, block)| {
            block.parameters.iter().map(|parameter| at > 0 && !used(parameter)).collect()
        })
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

struct Used {
    values: Vec<bool>,
    exits: Vec<bool>,
}

impl Used {
    fn value(&mut self, value: Value) {
        self.values[value.0 as usize] = true;
    }

    fn exit(&mut self, exit: ExitId) {
        self.exits[exit.0 as usize] = true;
    }
}
