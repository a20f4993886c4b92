//! Finds the address of a text in the preheader of a loop that reads but does not change it. The
//! loop of `substr(s, i, 1) == "a"` then needs only two comparisons and a load. Results of
//! `length(s)`, `index(s, t)`, conversions, comparisons and `NF` move to the preheader too.
//!
//! A size that is not known counts as 0: every index is then out of range, and a helper finds the
//! piece. So there is no second version and no guard.

use crate::ir::flow::{blocks_by_header, dominates, dominators};
use crate::ir::function::*;
use crate::ir::slot::Slot;
use crate::ir::text::Text;
use crate::ir::value::Known;
use crate::ir::view::{View, Want};
use crate::ir::written::Written;
use riverhawk_syntax::ast::Special;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum bytes of a constant compared in the loop, without IGNORECASE.
const MAX_COMPARED: usize = 8;

const NF: u32 = Special::Nf as u32;

pub(super) fn run(function: &mut IrFunction) {
    let ones = ones(function);
    let concerns =
        |step: &BlockInst| look(&step.inst, &ones).is_some() || may_be_invariant(&step.inst);
    if !function.blocks.iter().flat_map(|block| &block.steps).any(concerns) {
        return;
    }
    let mut loops: Vec<(usize, BTreeSet<usize>)> = blocks_by_header(function).into_iter().collect();
    // Outer loops first.
    loops.sort_by_key(|(_, blocks)| std::cmp::Reverse(blocks.len()));
    let dominators = dominators(function);
    for (header, blocks) in loops {
        let Some(changed) = Changed::by(function, &blocks, &ones) else { continue };
        let looks = looks(function, &blocks, &changed.slots, &ones);
        let every_turn = |block: usize| {
            latches(function, header, &blocks).all(|at| dominates(&dominators, block, at))
        };
        let asking: Vec<usize> = blocks
            .iter()
            .copied()
            .filter(|&block| {
                function.blocks[block].steps.iter().any(|step| changed.leaves(&step.inst))
            })
            .filter(|&block| every_turn(block))
            .collect();
        if looks.is_empty() && asking.is_empty() {
            continue;
        }
        let preheader = preheader(function, header, &blocks);
        find(function, preheader, &blocks, &looks, &ones);
        for block in asking {
            let steps = std::mem::take(&mut function.blocks[block].steps);
            let (asked, left) = steps.into_iter().partition(|step| changed.leaves(&step.inst));
            function.blocks[block].steps = left;
            function.blocks[preheader].steps.extend::<Vec<BlockInst>>(asked);
        }
    }
}

fn latches(
    function: &IrFunction,
    header: usize,
    blocks: &BTreeSet<usize>,
) -> impl Iterator<Item = usize> {
    let to_header = move |at: &usize| {
        function.blocks[*at].end.targets().iter().any(|to| to.block.0 as usize == header)
    };
    blocks.iter().copied().filter(to_header)
}

fn may_be_invariant(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::ReadNumber(_)
            | Inst::TruthOf(_)
            | Inst::CompareSlots(..)
            | Inst::CompareTexts(..)
            | Inst::EqualsText { .. }
            | Inst::Text(Text::Index { .. })
            | Inst::Special(NF)
    )
}

fn ones(function: &IrFunction) -> BTreeSet<Value> {
    let steps = function.blocks.iter().flat_map(|block| &block.steps);
    steps.filter(|step| step.inst == Inst::Number(1.0)).filter_map(|step| step.result).collect()
}

/// The text to find, and whether it is compared for equality.
fn look(inst: &Inst, ones: &BTreeSet<Value>) -> Option<(Slot, bool)> {
    match *inst {
        Inst::Length { s, known: None } => Some((s, false)),
        // Machine code makes one character itself.
        Inst::Text(Text::Substr { view: false, s, length: Some(length), known: None, .. })
            if ones.contains(&length) =>
        {
            Some((s, false))
        }
        Inst::Text(Text::View { view: View::Piece { s, known: None, .. }, want }) => {
            Some((s, compares(want)))
        }
        _ => None,
    }
}

fn compares(want: Want) -> bool {
    matches!(want, Want::Equals { text: Some(text), .. } if text.len() <= MAX_COMPARED)
}

struct Changed {
    slots: BTreeSet<Slot>,
    /// Slots that hold no array, since the loop reads pieces of them.
    texts: BTreeSet<Slot>,
    arrays: bool,
}

impl Changed {
    /// None if the loop may change anything.
    fn by(
        function: &IrFunction,
        blocks: &BTreeSet<usize>,
        ones: &BTreeSet<Value>,
    ) -> Option<Changed> {
        let mut changed = Changed { slots: BTreeSet::new(), texts: BTreeSet::new(), arrays: false };
        for step in blocks.iter().flat_map(|&at| &function.blocks[at].steps) {
            match step.inst.written() {
                Written::Nothing => {}
                Written::Slots(slot, other) => {
                    changed.slots.insert(slot);
                    changed.slots.extend(other);
                }
                Written::Anything => return None,
            }
            changed.arrays |= step.inst.changes_element_count();
            if !matches!(step.inst, Inst::Length { .. }) {
                changed.texts.extend(look(&step.inst, ones).map(|(slot, _)| slot));
            }
        }
        Some(changed)
    }

    fn leaves(&self, inst: &Inst) -> bool {
        let is_same = |slot: Slot| !self.slots.contains(&slot);
        match *inst {
            Inst::ReadNumber(slot) | Inst::TruthOf(slot) => is_same(slot),
            Inst::Length { s, .. } => is_same(s) && (!self.arrays || self.texts.contains(&s)),
            Inst::CompareSlots(_, a, b)
            | Inst::CompareTexts(_, a, b)
            | Inst::EqualsText { slot: a, constant: b, .. }
            | Inst::Text(Text::Index { s: a, t: b, .. }) => is_same(a) && is_same(b),
            // Whatever changes the record changes anything.
            Inst::Special(NF) => true,
            _ => false,
        }
    }
}

fn looks(
    function: &IrFunction,
    blocks: &BTreeSet<usize>,
    changed: &BTreeSet<Slot>,
    ones: &BTreeSet<Value>,
) -> BTreeSet<(Slot, bool)> {
    let steps = blocks.iter().flat_map(|&at| &function.blocks[at].steps);
    steps
        .filter_map(|step| look(&step.inst, ones))
        .filter(|(slot, _)| !changed.contains(slot))
        .collect()
}

fn preheader(function: &mut IrFunction, header: usize, blocks: &BTreeSet<usize>) -> usize {
    let goes_there = |block: &BlockData| {
        block.end.targets().iter().any(|target| target.block.0 as usize == header)
    };
    let entries: Vec<usize> = (0..function.blocks.len())
        .filter(|at| !blocks.contains(at) && goes_there(&function.blocks[*at]))
        .collect();
    if let [entry] = entries[..]
        && let BlockEnd::Jump(_) = function.blocks[entry].end
    {
        return entry;
    }
    let preheader = function.blocks.len();
    let mut block = BlockData::at(function.blocks[header].at);
    block.has_integers = function.blocks[header].has_integers;
    for at in 0..function.blocks[header].parameters.len() {
        let ty = function.type_of(function.blocks[header].parameters[at]);
        block.parameters.push(new_value(function, ty));
    }
    block.end = BlockEnd::Jump(BlockTarget {
        block: Block(header as u32),
        arguments: block.parameters.clone(),
    });
    for entry in entries {
        let targets = function.blocks[entry].end.targets_mut();
        let to_header = targets.into_iter().filter(|target| target.block.0 as usize == header);
        to_header.for_each(|target| target.block = Block(preheader as u32));
    }
    function.blocks.push(block);
    preheader
}

/// Finds the texts at the end of a block, for the loop's instructions.
fn find(
    function: &mut IrFunction,
    preheader: usize,
    blocks: &BTreeSet<usize>,
    looks: &BTreeSet<(Slot, bool)>,
    ones: &BTreeSet<Value>,
) {
    let mut found: BTreeMap<(Slot, bool), Known> = BTreeMap::new();
    let mut places: BTreeMap<Slot, Value> = BTreeMap::new();
    for &(s, compared) in looks {
        let size = add(function, preheader, Text::KnownSize { s, compared }, ValueType::Integer);
        let at = match places.get(&s) {
            Some(&at) => at,
            None => add(function, preheader, Text::KnownAt { s }, ValueType::Bytes),
        };
        places.insert(s, at);
        found.insert((s, compared), Known { at, size });
    }
    for &block in blocks {
        for step in &mut function.blocks[block].steps {
            let Some(shown) = look(&step.inst, ones).and_then(|look| found.get(&look).copied())
            else {
                continue;
            };
            match &mut step.inst {
                Inst::Length { known, .. } => *known = Some(shown),
                Inst::Text(text) => {
                    if let Some((_, _, known)) = text.piece_mut() {
                        *known = Some(shown);
                    }
                }
                _ => {}
            }
        }
    }
}

fn add(function: &mut IrFunction, block: usize, text: Text, ty: ValueType) -> Value {
    let value = new_value(function, ty);
    function.blocks[block].steps.push(BlockInst { inst: Inst::Text(text), result: Some(value) });
    value
}

fn new_value(function: &mut IrFunction, ty: ValueType) -> Value {
    function.types.push(ty);
    Value(function.types.len() as u32 - 1)
}
