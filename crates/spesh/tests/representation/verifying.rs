//! The verifier refuses what a wrong pass could make.

use crate::{numeric_loop, optimised};
use riverhawk_spesh::ir::{
    Block, BlockEnd, BlockInst, BlockTarget, Inst, IrFunction, Value, ValueType, verify,
};

fn function() -> IrFunction {
    optimised(numeric_loop(
        "BEGIN { for (i = 0; i < 100; i++) { s += i; if (s > 50) s -= 3 } print s }",
    ))
}

#[test]
fn a_value_that_nobody_makes() {
    let mut function = function();
    function.types.push(ValueType::Number);
    let value = Value(function.types.len() as u32 - 1);
    function.types.push(ValueType::Truth);
    let result = Some(Value(function.types.len() as u32 - 1));
    function.blocks[0].steps.push(BlockInst { inst: Inst::NotZero(value), result });
    assert!(verify(&function).unwrap_err().contains("not made"));
}

#[test]
fn a_value_that_is_made_twice() {
    let mut function = function();
    let step =
        function.blocks[0].steps.iter().find(|step| step.result.is_some()).expect("a step").clone();
    function.blocks[0].steps.push(step);
    assert!(verify(&function).unwrap_err().contains("made twice"));
}

#[test]
fn a_value_that_is_made_on_another_way() {
    let mut function = function();
    let made: Vec<(usize, Value)> = function
        .blocks
        .iter()
        .enumerate()
        .flat_map(|(number, block)| {
            block.steps.iter().filter_map(move |step| Some((number, step.result?)))
        })
        .filter(|(_, value)| function.type_of(*value) == ValueType::Number)
        .collect();
    let (_, late) = *made.last().expect("a value");
    function.types.push(ValueType::Truth);
    let result = Some(Value(function.types.len() as u32 - 1));
    function.blocks[0].steps.insert(0, BlockInst { inst: Inst::NotZero(late), result });
    assert!(verify(&function).unwrap_err().contains("before it is made"));
}

#[test]
fn a_value_of_the_wrong_type() {
    let mut function = function();
    let truth = function.blocks[0]
        .steps
        .iter()
        .filter_map(|step| step.result)
        .find(|&value| function.type_of(value) == ValueType::Truth)
        .expect("a guard's truth");
    function.types.push(ValueType::Truth);
    let result = Some(Value(function.types.len() as u32 - 1));
    function.blocks[0].steps.push(BlockInst { inst: Inst::NotZero(truth), result });
    assert!(verify(&function).unwrap_err().contains("should be"));
}

#[test]
fn a_jump_with_too_few_arguments_or_to_nowhere() {
    let mut function = function();
    let block =
        function.blocks.iter().position(|block| !block.parameters.is_empty()).expect("a loop");
    function.blocks[0].end =
        BlockEnd::Jump(BlockTarget { block: Block(block as u32), arguments: Vec::new() });
    assert!(verify(&function).unwrap_err().contains("arguments"));
    function.blocks[0].end =
        BlockEnd::Jump(BlockTarget { block: Block(999), arguments: Vec::new() });
    assert!(verify(&function).is_err());
}
