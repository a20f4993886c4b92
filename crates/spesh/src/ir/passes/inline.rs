//! Small functions become part of their callers.
//!
//! What is put into its caller cannot leave: it is arithmetic and branches and nothing else, so no frame of it will ever have to be put
//! back, and a recursion is never among them. Others are called, which takes 2 ns.

use crate::ir::function::*;
use std::collections::BTreeMap;

/// The most instructions of a function that becomes part of others. At 16 bytes of bytecode for each that is within the 192 bytes of
/// X7's limit for most, since constants count here and not there.
pub const MOST_INSTRUCTIONS: usize = 24;

/// A function does not grow past this by what it takes in: instructions.
const MOST_ALTOGETHER: usize = 8_000;

/// Why a function is not put into its callers; nothing when it can be.
pub fn obstacle(callee: &Function) -> Option<&'static str> {
    // A profile must not change what becomes part of what.
    let steps =
        || callee.blocks.iter().flat_map(|block| &block.steps).filter(|step| !matches!(step.inst, Inst::Mark(_)));
    let count = steps().count();
    let calls_itself = callee.signature.as_ref().is_some_and(|own| {
        steps().any(|step| matches!(&step.inst, Inst::Call { callee, .. } if callee.function == own.function))
    });
    if calls_itself {
        Some("it calls itself")
    } else if count > MOST_INSTRUCTIONS {
        Some("it is too large")
    } else if steps().any(|step| matches!(step.inst, Inst::Call { .. })) {
        Some("it calls others")
    } else if !steps().all(|step| step.inst.is_pure()) {
        Some("it does more than arithmetic")
    } else if !callee.blocks.iter().all(|block| matches!(block.end, End::Jump(_) | End::Branch { .. } | End::Return(_)))
    {
        Some("it may leave")
    } else {
        None
    }
}

/// A callee that became part of its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inlined {
    /// The operation that called it.
    pub at: u32,
    /// The function.
    pub function: u32,
}

/// Puts every callee that `body` gives into the function; which, as often as that was done.
pub fn inline<'a>(function: &mut Function, body: impl Fn(Callee) -> Option<&'a Function>) -> Vec<Inlined> {
    let mut done = Vec::new();
    let mut total: usize = function.blocks.iter().map(|block| block.steps.len()).sum();
    let mut number = 0;
    while number < function.blocks.len() {
        let found =
            function.blocks[number].steps.iter().enumerate().find_map(|(at, step)| match (&step.inst, step.result) {
                (Inst::Call { callee, arguments, exit, .. }, Some(result)) => {
                    Some((at, arguments.clone(), result, body(*callee)?, *exit))
                }
                _ => None,
            });
        match found {
            Some((at, arguments, result, callee, exit)) if total < MOST_ALTOGETHER => {
                total += callee.blocks.iter().map(|block| block.steps.len()).sum::<usize>();
                let called_at = function.called_at(exit);
                done.extend(callee.signature.as_ref().map(|own| Inlined { at: called_at, function: own.function }));
                let call = Call { number, at, called_at, result };
                put_in(function, &call, &arguments, callee);
            }
            _ => {}
        }
        // What stood behind the call is a block of its own now, and looked at later.
        number += 1;
    }
    done
}

/// A call that is replaced.
struct Call {
    /// Its block.
    number: usize,
    /// Its place there.
    at: usize,
    /// Its operation.
    called_at: u32,
    /// What it gives.
    result: Value,
}

/// Splits the block of a call there, and puts the callee's blocks between the halves.
fn put_in(function: &mut Function, call: &Call, arguments: &[Value], callee: &Function) {
    let &Call { number, at, called_at, result } = call;
    let caller = &mut function.blocks[number];
    let rest = caller.steps.split_off(at + 1);
    caller.steps.pop();
    caller.steps.pop_if(|step| step.inst == Inst::Mark(Mark::Call(called_at)));
    let behind = Block(function.blocks.len() as u32);
    let end = std::mem::replace(&mut function.blocks[number].end, End::ReturnValue);
    let place = function.blocks[number].at;
    function.blocks.push(BlockData { at: place, parameters: vec![result], steps: rest, end });

    let first = function.blocks.len() as u32;
    let mut values: BTreeMap<Value, Value> = BTreeMap::new();
    for block in &callee.blocks {
        let results = block.steps.iter().filter_map(|step| step.result);
        for value in block.parameters.iter().copied().chain(results) {
            function.types.push(callee.type_of(value));
            values.insert(value, Value(function.types.len() as u32 - 1));
        }
    }
    let renamed = |value: Value| values.get(&value).copied().unwrap_or(value);
    let moved = |target: &Target| Target {
        block: Block(first + target.block.0),
        arguments: target.arguments.iter().map(|&argument| renamed(argument)).collect(),
    };
    for block in &callee.blocks {
        let steps = block.steps.iter().map(|step| {
            let mut inst = step.inst.clone();
            inst.map_operands(renamed);
            if inst == Inst::Mark(Mark::Enter) {
                inst = Inst::Mark(Mark::EnterInlined(called_at));
            }
            Step { inst, result: step.result.map(renamed) }
        });
        let end = match &block.end {
            End::Jump(target) => End::Jump(moved(target)),
            End::Branch { on, yes, no } => End::Branch { on: renamed(*on), yes: moved(yes), no: moved(no) },
            End::Return(value) => End::Jump(Target { block: behind, arguments: vec![renamed(*value)] }),
            End::Leave(_) | End::ReturnValue => End::ReturnValue,
        };
        let parameters = block.parameters.iter().map(|&parameter| renamed(parameter)).collect();
        let steps = steps.collect();
        function.blocks.push(BlockData { at: place, parameters, steps, end });
    }
    let arguments = arguments.to_vec();
    function.blocks[number].end = End::Jump(Target { block: Block(first), arguments });
}
