//! Removes block parameters that get the same value from every predecessor.

use crate::ir::function::*;

pub(super) fn run(function: &mut IrFunction) {
    while let Some(replaced) = once(function) {
        apply(function, &replaced);
    }
}

fn once(function: &mut IrFunction) -> Option<Vec<Option<Value>>> {
    #[derive(Clone, Copy)]
    enum Given {
        Nothing,
        One(Value),
        Several,
    }
    let mut given = vec![Given::Nothing; function.types.len()];
    for block in &function.blocks {
        for target in block.end.targets() {
            let parameters = &function.blocks[target.block.0 as usize].parameters;
            for (&parameter, &argument) in parameters.iter().zip(&target.arguments) {
                let so_far = &mut given[parameter.0 as usize];
                *so_far = match *so_far {
                    _ if parameter == argument => continue,
                    Given::Nothing => Given::One(argument),
                    Given::One(other) if other == argument => continue,
                    Given::One(_) | Given::Several => Given::Several,
                };
            }
        }
    }
    let one = |given| if let Given::One(value) = given { Some(value) } else { None };
    let replaced: Vec<Option<Value>> = given.into_iter().map(one).collect();
    replaced.iter().any(Option::is_some).then_some(replaced)
}

fn apply(function: &mut IrFunction, replaced: &[Option<Value>]) {
    let with = |value: Value| replaced.get(value.0 as usize).copied().flatten();
    // A replacement may be replaced too.
    let most = replaced.iter().flatten().count();
    let last = |mut value: Value| {
        for _ in 0..=most {
            match with(value) {
                Some(next) => value = next,
                None => break,
            }
        }
        value
    };
    let gone: Vec<Vec<bool>> = function
        .blocks
        .iter()
        .map(|block| block.parameters.iter().map(|parameter| with(*parameter).is_some()).collect())
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
            BlockEnd::Branch { on: value, .. } | BlockEnd::Return(value) => *value = last(*value),
            _ => {}
        }
    }
    for exit in &mut function.exits {
        exit.stores.iter_mut().for_each(|store| store.value = last(store.value));
    }
}
