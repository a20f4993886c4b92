//! How often values are used.

use riverhawk_spesh::ir::{BlockEnd, IrFunction, Value};
use std::collections::BTreeMap;

pub(super) fn count_uses(function: &IrFunction) -> BTreeMap<Value, usize> {
    let mut uses = BTreeMap::new();
    let mut count = |value: Value| *uses.entry(value).or_default() += 1;
    for block in &function.blocks {
        for step in &block.steps {
            step.inst.each_operand(|value, _| count(value));
        }
        for target in block.end.targets() {
            target.arguments.iter().copied().for_each(&mut count);
        }
        if let BlockEnd::Branch { on: value, .. } | BlockEnd::Return(value) = block.end {
            count(value);
        }
    }
    for exit in &function.exits {
        exit.stores.iter().for_each(|store| count(store.value));
    }
    uses
}
