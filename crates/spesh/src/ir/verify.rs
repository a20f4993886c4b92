//! Checks that every value is made once, before its use, with the right type.

use super::flow::{dominates, dominators};
use super::function::*;
use std::collections::BTreeMap;

/// Checks a function.
///
/// # Errors
/// The first thing that is wrong.
pub fn verify(function: &IrFunction) -> Result<(), String> {
    let defined = definitions(function)?;
    let dominators = dominators(function);
    for (number, data) in function.blocks.iter().enumerate() {
        let available = |value: Value, before: usize| -> Result<(), String> {
            let Some(&(block, step)) = defined.get(&value) else {
                return Err(format!("v{} is used and not made", value.0));
            };
            let here =
                if block == number { step < before } else { dominates(&dominators, block, number) };
            if here {
                Ok(())
            } else {
                Err(format!("v{} is used in b{number} before it is made in b{block}", value.0))
            }
        };
        let expect = |value: Value, ty: ValueType, before: usize| {
            available(value, before)?;
            let has = function.type_of(value);
            if has == ty {
                Ok(())
            } else {
                Err(format!("v{} is {has:?} and should be {ty:?}", value.0))
            }
        };
        let expect_whole = |value: Value, before: usize| match function.type_of(value) {
            ValueType::Integer => available(value, before),
            _ => expect(value, ValueType::Number, before),
        };
        let exit = |exit: ExitId, before: usize| -> Result<(), String> {
            let Some(exit) = function.exits.get(exit.0 as usize) else {
                return Err(format!("no exit {}", exit.0));
            };
            exit.stores.iter().try_for_each(|store| expect_whole(store.value, before))
        };
        if dominators[number].is_none() {
            continue;
        }
        for (at, step) in data.steps.iter().enumerate() {
            // A key or a bound may be an integer.
            let is_key = matches!(step.inst, Inst::Element { .. } | Inst::HasElement { .. })
                || matches!(&step.inst, Inst::Text(text) if text.piece().is_some_and(|(_, _, known)| known.is_some()));
            step.inst.operands().into_iter().try_for_each(|(value, ty)| match ty {
                ValueType::Number if is_key => expect_whole(value, at + 1),
                _ => expect(value, ty, at + 1),
            })?;
            step.inst.exits().into_iter().try_for_each(|id| exit(id, at + 1))?;
            if step.inst.result() != step.result.map(|result| function.type_of(result)) {
                return Err(format!("{:?} gives something else than b{number} says", step.inst));
            }
        }
        let behind = data.steps.len() + 1;
        match &data.end {
            BlockEnd::Branch { on, .. } => expect(*on, ValueType::Truth, behind)?,
            BlockEnd::Return(value) => expect(*value, ValueType::Number, behind)?,
            BlockEnd::Leave(id) => exit(*id, behind)?,
            BlockEnd::Jump(_) | BlockEnd::ReturnValue => {}
        }
        for target in data.end.targets() {
            let Some(block) = function.blocks.get(target.block.0 as usize) else {
                return Err(format!("no b{}", target.block.0));
            };
            if block.parameters.len() != target.arguments.len() {
                return Err(format!(
                    "b{number} gives b{} {} arguments",
                    target.block.0,
                    target.arguments.len()
                ));
            }
            for (&parameter, &argument) in block.parameters.iter().zip(&target.arguments) {
                expect(argument, function.type_of(parameter), behind)?;
            }
        }
    }
    Ok(())
}

fn definitions(function: &IrFunction) -> Result<BTreeMap<Value, (usize, usize)>, String> {
    let mut defined = BTreeMap::new();
    for (number, block) in function.blocks.iter().enumerate() {
        let parameters = block.parameters.iter().map(|&parameter| (parameter, 0));
        let results =
            block.steps.iter().enumerate().filter_map(|(at, step)| Some((step.result?, at + 1)));
        for (value, at) in parameters.chain(results) {
            if defined.insert(value, (number, at)).is_some() {
                return Err(format!("v{} is made twice", value.0));
            }
        }
    }
    Ok(defined)
}
