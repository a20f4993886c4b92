//! Passes each value that leaves a loop as a parameter to the blocks that use it. The loop's blocks
//! can then be copied by renaming.

use crate::ir::function::*;
use std::collections::{BTreeMap, BTreeSet};

/// Whether it succeeded; if not, discard the function.
pub(super) fn close(function: &mut IrFunction, header: usize, blocks: &BTreeSet<usize>) -> bool {
    if !each_exit_is_of_one_block(function) {
        return false;
    }
    let mut of_loop = vec![false; function.types.len()];
    for &block in blocks {
        made_in(&function.blocks[block]).for_each(|value| of_loop[value.0 as usize] = true);
    }
    let needed = needed(function, &of_loop);
    if !needed[header].is_empty() || !needed[0].is_empty() {
        return false;
    }
    let mut names: Vec<BTreeMap<Value, Value>> = Vec::new();
    for needs in &needed {
        let mut of_block = BTreeMap::new();
        for &value in needs {
            function.types.push(function.type_of(value));
            of_block.insert(value, Value(function.types.len() as u32 - 1));
        }
        names.push(of_block);
    }
    for (block, names) in function.blocks.iter_mut().zip(&names) {
        let name = |value: Value| names.get(&value).copied().unwrap_or(value);
        block.parameters.extend(names.values());
        for step in &mut block.steps {
            step.inst.map_operands(name);
        }
        for target in block.end.targets_mut() {
            target.arguments.iter_mut().for_each(|value| *value = name(*value));
            target
                .arguments
                .extend(needed[target.block.0 as usize].iter().map(|&value| name(value)));
        }
        if let BlockEnd::Branch { on: value, .. } | BlockEnd::Return(value) = &mut block.end {
            *value = name(*value);
        }
        for exit in exits_of(block) {
            function.exits[exit.0 as usize]
                .stores
                .iter_mut()
                .for_each(|store| store.value = name(store.value));
        }
    }
    true
}

fn needed(function: &IrFunction, of_loop: &[bool]) -> Vec<BTreeSet<Value>> {
    let own: Vec<BTreeSet<Value>> =
        function.blocks.iter().map(|block| made_in(block).collect()).collect();
    let mut needed: Vec<BTreeSet<Value>> = function
        .blocks
        .iter()
        .zip(&own)
        .map(|(block, own)| {
            let used = used_in(function, block).into_iter();
            used.filter(|value| of_loop[value.0 as usize] && !own.contains(value)).collect()
        })
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..function.blocks.len()).rev() {
            for target in function.blocks[at].end.targets() {
                let more: Vec<Value> = needed[target.block.0 as usize]
                    .iter()
                    .copied()
                    .filter(|value| !own[at].contains(value) && !needed[at].contains(value))
                    .collect();
                changed |= !more.is_empty();
                needed[at].extend(more);
            }
        }
    }
    needed
}

pub(super) fn made_in(block: &BlockData) -> impl Iterator<Item = Value> + '_ {
    block.parameters.iter().copied().chain(block.steps.iter().filter_map(|step| step.result))
}

fn used_in(function: &IrFunction, block: &BlockData) -> Vec<Value> {
    let mut used: Vec<Value> = Vec::new();
    for step in &block.steps {
        used.extend(step.inst.operands().into_iter().map(|(value, _)| value));
    }
    for exit in exits_of(block) {
        used.extend(function.exits[exit.0 as usize].stores.iter().map(|store| store.value));
    }
    for target in block.end.targets() {
        used.extend(&target.arguments);
    }
    if let BlockEnd::Branch { on: value, .. } | BlockEnd::Return(value) = block.end {
        used.push(value);
    }
    used
}

fn exits_of(block: &BlockData) -> Vec<ExitId> {
    let mut exits: Vec<ExitId> = block.steps.iter().flat_map(|step| step.inst.exits()).collect();
    if let BlockEnd::Leave(exit) = block.end {
        exits.push(exit);
    }
    exits
}

fn each_exit_is_of_one_block(function: &IrFunction) -> bool {
    let mut owner = BTreeMap::new();
    let mut all = function
        .blocks
        .iter()
        .enumerate()
        .flat_map(|(at, block)| exits_of(block).into_iter().map(move |exit| (exit, at)));
    all.all(|(exit, at)| *owner.entry(exit).or_insert(at) == at)
}
