//! Splits a header that two loops share because the entry is in the inner one. The code generator
//! would take both for one loop, and keep in registers values that only the outer loop needs.

use crate::ir::flow::{Loop, loops};
use crate::ir::function::*;
use std::collections::BTreeSet;

/// The maximum loop nesting that is split.
const MAX_LEVELS: usize = 8;

pub(super) fn run(function: &mut IrFunction) {
    for _ in 0..MAX_LEVELS {
        if !once(function) {
            break;
        }
    }
}

fn once(function: &mut IrFunction) -> bool {
    let loops = loops(function);
    let headers: BTreeSet<usize> = loops.iter().map(|found| found.header).collect();
    let mut is_any = false;
    for header in headers {
        // The smallest is the inner loop. If it contains every latch, all are one loop with several
        // jumps back.
        let sharing = || loops.iter().filter(|found| found.header == header);
        let Some(inner) = sharing().min_by_key(|found| found.blocks.len()) else { continue };
        if sharing().any(|other| !inner.blocks.contains(&other.latch)) {
            part(function, header, inner);
            is_any = true;
        }
    }
    is_any
}

fn part(function: &mut IrFunction, header: usize, inner: &Loop) {
    let outside = Block(function.blocks.len() as u32);
    let mut block = BlockData::at(function.blocks[header].at);
    block.has_integers = function.blocks[header].has_integers;
    for at in 0..function.blocks[header].parameters.len() {
        let ty = function.type_of(function.blocks[header].parameters[at]);
        function.types.push(ty);
        block.parameters.push(Value(function.types.len() as u32 - 1));
    }
    block.end = BlockEnd::Jump(BlockTarget {
        block: Block(header as u32),
        arguments: block.parameters.clone(),
    });
    for (number, from) in function.blocks.iter_mut().enumerate() {
        if !inner.blocks.contains(&number) {
            let to_header = from
                .end
                .targets_mut()
                .into_iter()
                .filter(|target| target.block.0 as usize == header);
            to_header.for_each(|target| target.block = outside);
        }
    }
    function.blocks.push(block);
}
