//! Removes stores of a number that the slot already holds. They arise after an operation that reads
//! all slots: numbers loaded again count as stale.

use crate::ir::flow::reverse_postorder;
use crate::ir::function::*;
use crate::ir::slot::Slot;

pub(super) fn run(function: &mut IrFunction) {
    let before = sole_predecessors(function);
    let takes = takes(function);
    let mut at_end: Vec<Held> = vec![Held::default(); function.blocks.len()];
    for at in reverse_postorder(function) {
        let mut held = before[at].map(|before| at_end[before].clone()).unwrap_or_default();
        let exits = &mut function.exits;
        let mut clean = |exit: ExitId, held: &Held| {
            if takes[exit.0 as usize] == 1 {
                exits[exit.0 as usize].stores.retain(|store| !held.holds(store.slot, store.value));
            }
        };
        let block = &mut function.blocks[at];
        block.steps.retain(|step| match step.inst {
            Inst::StoreNumber { slot, value, .. } => {
                let is_there = held.holds(slot, value);
                held.put(slot, Some(value));
                !is_there
            }
            Inst::LoadNumber(slot) => {
                held.put(slot, step.result);
                true
            }
            Inst::CopyShort { d: slot, .. }
            | Inst::StoreNothing { slot, .. }
            | Inst::LetGo(slot) => {
                held.put(slot, None);
                true
            }
            Inst::Guard { exit, .. } => {
                clean(exit, &held);
                true
            }
            ref inst => {
                if !inst.is_idle() {
                    held = Held::default();
                }
                true
            }
        });
        if let BlockEnd::Leave(exit) = block.end {
            clean(exit, &held);
        }
        at_end[at] = held;
    }
}

#[derive(Clone, Default)]
struct Held(Vec<(Slot, Value)>);

impl Held {
    fn holds(&self, slot: Slot, value: Value) -> bool {
        self.0.contains(&(slot, value))
    }

    fn put(&mut self, slot: Slot, value: Option<Value>) {
        self.0.retain(|(other, _)| *other != slot);
        self.0.extend(value.map(|value| (slot, value)));
    }
}

fn sole_predecessors(function: &IrFunction) -> Vec<Option<usize>> {
    let mut found = vec![None; function.blocks.len()];
    let mut ways = vec![0u32; function.blocks.len()];
    for (from, block) in function.blocks.iter().enumerate() {
        for target in block.end.targets() {
            let to = target.block.0 as usize;
            (found[to], ways[to]) = (Some(from), ways[to] + 1);
        }
    }
    found.into_iter().zip(ways).map(|(from, ways)| from.filter(|_| ways == 1)).collect()
}

fn takes(function: &IrFunction) -> Vec<u32> {
    let mut takes = vec![0; function.exits.len()];
    let mut count = |exit: ExitId| takes[exit.0 as usize] += 1;
    function.begin.into_iter().for_each(&mut count);
    for block in &function.blocks {
        block.steps.iter().flat_map(|step| step.inst.exits()).for_each(&mut count);
        if let BlockEnd::Leave(exit) = block.end {
            count(exit);
        }
    }
    takes
}
