//! Numbers that are whole become integers, where a loop gains by it.
//!
//! A loop gets a second version in which every value that can be whole is an [`Integer`]: what
//! arrives from outside is checked before the loop, and what is made in it on each edge, where its
//! range does not follow from its operands. A check that fails leads to the same edge of the
//! version over doubles, with the doubles that the integers stand for. So no guard is needed, and a
//! sum that grows beyond 2^53 goes on in doubles, rounded as it should be.
//!
//! - `closing`: values become parameters of the blocks that use them, so that blocks can be copied;
//! - `kinds`: which values are integers, and how large they may become;
//! - `version`: the copy.
//!
//! A loop gains by subscripts, by remainders and quotients, and by consisting of additions alone.
//! Others stay as they are: twice the code is twice the time of the code generator.

mod closing;
mod kinds;
mod version;

use crate::ir::flow::blocks_by_header;
use crate::ir::function::*;
use kinds::Kinds;
use std::collections::BTreeSet;

/// Larger loops stay as they are: instructions.
const MAX_INSTRUCTIONS: usize = 300;

/// So many loops of one function get a second version.
const MAX_LOOPS: usize = 16;

pub(super) fn run(function: &mut Function) {
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

/// The loops that have none within: their headers and blocks.
fn innermost(function: &Function) -> Vec<(usize, BTreeSet<usize>)> {
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

/// A first look, before anything is copied.
fn may_gain(function: &Function, blocks: &BTreeSet<usize>) -> bool {
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
        Inst::Binary(Binary::Pow | Binary::Atan2, ..) => false,
        Inst::Unary(op, _) => op == Unary::Int,
        ref inst => inst.is_pure(),
    })
}

/// Whether an instruction is faster with an integer.
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
