//! Computes whole numbers as integers in loops that gain by it.
//!
//! A loop gets a second version over [`Integer`](crate::ir::Integer)s. Values from outside are
//! checked before it; others on each edge, unless their operands imply the range. If a check fails,
//! the version over doubles continues. So this needs no guard, and a sum beyond 2^53 is rounded as
//! it should be.
//!
//! - `closing`: makes blocks copyable;
//! - `kinds`: finds integers and ranges;
//! - `version`: copies the loop.
//!
//! Only loops with subscripts, remainders, quotients, or nothing but additions gain. For others the
//! code generator would take twice the time for nothing.

mod closing;
mod kinds;
mod version;

use crate::ir::flow::blocks_by_header;
use crate::ir::function::*;
use kinds::Kinds;
use std::collections::BTreeSet;

const MAX_INSTRUCTIONS: usize = 300;

const MAX_LOOPS: usize = 16;

pub(super) fn run(function: &mut IrFunction) {
    for (header, blocks) in innermost(function).into_iter().take(MAX_LOOPS) {
        if !may_gain(function, &blocks) {
            continue;
        }
        let mut closed = function.clone();
        if !closing::close(&mut closed, header, &blocks) {
            continue;
        }
        let Some(kinds) = Kinds::of(&closed, header, &blocks) else { continue };
        version::add(&mut closed, header, &blocks, &kinds);
        *function = closed;
    }
}

fn innermost(function: &IrFunction) -> Vec<(usize, BTreeSet<usize>)> {
    let by_header = blocks_by_header(function);
    let has_another = |header: usize, blocks: &BTreeSet<usize>| {
        blocks.iter().any(|&at| at != header && by_header.contains_key(&at))
    };
    by_header
        .iter()
        .filter(|(header, blocks)| !has_another(**header, blocks))
        .map(|(&header, blocks)| (header, blocks.clone()))
        .collect()
}

/// A first check before anything is copied.
fn may_gain(function: &IrFunction, blocks: &BTreeSet<usize>) -> bool {
    if blocks.iter().any(|&at| function.blocks[at].has_integers) {
        return false;
    }
    let steps = || blocks.iter().flat_map(|&at| &function.blocks[at].steps);
    if steps().count() > MAX_INSTRUCTIONS {
        return false;
    }
    if steps().any(|step| is_reason(&step.inst)) {
        return true;
    }
    let constants: BTreeSet<Value> = function
        .blocks
        .iter()
        .flat_map(|block| &block.steps)
        .filter(|step| matches!(step.inst, Inst::Number(_)))
        .filter_map(|step| step.result)
        .collect();
    steps().all(|step| match step.inst {
        Inst::Binary(Binary::Mul, a, b) => constants.contains(&a) || constants.contains(&b),
        Inst::Binary(op, ..) if !op.has_integers() => false,
        Inst::Unary(op, _) => op == Unary::Int,
        ref inst => inst.is_pure(),
    })
}

fn is_reason(inst: &Inst) -> bool {
    match inst {
        Inst::Text(text) => text.piece().is_some_and(|(_, _, known)| known.is_some()),
        inst => {
            matches!(
                inst,
                Inst::Binary(Binary::Rem | Binary::Div, ..)
                    | Inst::Element { .. }
                    | Inst::HasElement { .. }
            )
        }
    }
}
