//! Runs of instructions that use an element, from the one that finds it to its last use.
//!
//! A dense part of numbers has its own layout ([`DenseLayout`]), which is known once the element is
//! found. So its uses are emitted twice, with one branch before them.

use super::elements::Growth;
use super::packed::{Content, PackedElement};
use super::{FLAGS, Lowering};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, types};
use riverhawk_spesh::ir::{BlockInst, Inst, Slot, TagSet, Value};
use riverhawk_value::DenseLayout;
use riverhawk_value::layout::tag;
use riverhawk_vm::native::Helper;
use std::collections::{BTreeMap, BTreeSet};

/// Longer runs are not emitted twice. The longest known is `a[i] ^= x` over integers: seven.
const LONGEST: usize = 16;

impl Lowering<'_> {
    /// Gives the step after the run that begins here, `None` without one.
    pub(super) fn element_run(&mut self, block: usize, first: usize) -> Option<usize> {
        let layout = DenseLayout::get()?;
        let function = self.function;
        let steps = &function.blocks[block].steps;
        let element = steps[first].result?;
        let (mut last, mut left) = (first, *self.uses.get(&element).unwrap_or(&0));
        while left > 0 {
            last += 1;
            let step = steps.get(last).filter(|_| last - first < LONGEST)?;
            left -= step.inst.operands().iter().filter(|(value, _)| *value == element).count();
        }
        let run = &steps[first + 1..=last];
        if run.iter().any(|step| step.inst.finds_element()) {
            return None;
        }
        // A copy to an element may be no number: then the element is packed no longer.
        if run.iter().rev().skip(1).any(|step| matches!(step.inst, Inst::CopyToElement { .. })) {
            return None;
        }
        let made: BTreeSet<Value> = run.iter().filter_map(|step| step.result).collect();
        let exits = run.iter().flat_map(|step| step.inst.exits());
        if exits
            .flat_map(|exit| &function.exits[exit.0 as usize].stores)
            .any(|store| made.contains(&store.value))
        {
            return None;
        }
        let lasting = self.lasting(run);
        // What does not depend on the element is emitted once, first.
        let mut dependent = BTreeSet::from([element]);
        let mut rest = Vec::new();
        for (at, step) in run.iter().enumerate() {
            if step.inst.is_pure()
                && !step.inst.operands().iter().any(|(value, _)| dependent.contains(value))
            {
                self.step(step);
            } else {
                dependent.extend(step.result);
                rest.push(first + 1 + at);
            }
        }
        let lasting: Vec<Value> =
            lasting.into_iter().filter(|value| dependent.contains(value)).collect();

        // What the paths add does not hold after them.
        let whole = self.whole.clone();
        let [packed, other, on] = [(); 3].map(|()| self.builder.create_block());
        let address = self.builder.append_block_param(packed, types::I64);
        let word = self.builder.append_block_param(packed, types::I64);
        let value = self.builder.append_block_param(other, types::I64);
        let growth = run.iter().find_map(|step| match step.inst {
            Inst::StoreElement { .. } => Some(Growth::Numbers),
            Inst::CopyToElement { .. } => Some(Growth::Values),
            _ => None,
        });
        let array = self.find_element(layout, &steps[first].inst, growth, packed, other)?;

        self.builder.switch_to_block(packed);
        let found = (block, first);
        self.packed = Some(PackedElement { element, address, word, array, found, is_there: false });
        for &at in &rest {
            self.step(&steps[at]);
        }
        self.make_packed();
        self.packed = None;
        self.known.clear();
        self.jump_with(on, &lasting);

        self.builder.switch_to_block(other);
        self.values.insert(element, value);
        if let Some(content) = expected(run) {
            let [usual, any] = [(); 2].map(|()| self.builder.create_block());
            self.builder.set_cold_block(any);
            let tag = self.tag_at((value, 0));
            let is_usual = match content {
                Content::Number => {
                    self.builder.ins().icmp_imm_u(IntCC::Equal, tag, i64::from(tag::NUM))
                }
                Content::Short => self.is_tag_of_two(tag, tag::SMALL),
            };
            self.builder.ins().brif(is_usual, usual, &[], any, &[]);
            self.builder.switch_to_block(usual);
            self.expected = Some((element, content));
            for &at in &rest {
                self.step(&steps[at]);
            }
            self.expected = None;
            self.known.clear();
            self.jump_with(on, &lasting);
            self.builder.switch_to_block(any);
        }
        for &at in &rest {
            self.step(&steps[at]);
        }
        self.jump_with(on, &lasting);

        self.builder.switch_to_block(on);
        self.whole = whole;
        for &value in &lasting {
            let ty = self.builder.func.dfg.value_type(self.values[&value]);
            let parameter = self.builder.append_block_param(on, ty);
            self.values.insert(value, parameter);
        }
        Some(last + 1)
    }

    fn jump_with(&mut self, to: clif::Block, values: &[Value]) {
        let arguments: Vec<BlockArg> =
            values.iter().map(|&value| BlockArg::Value(self.take(value))).collect();
        self.builder.ins().jump(to, &arguments);
    }

    /// Values used after the run.
    fn lasting(&self, run: &[BlockInst]) -> Vec<Value> {
        let mut within: BTreeMap<Value, usize> = BTreeMap::new();
        for (value, _) in run.iter().flat_map(|step| step.inst.operands()) {
            *within.entry(value).or_default() += 1;
        }
        let results = run.iter().filter_map(|step| step.result);
        results
            .filter(|result| self.uses.get(result).unwrap_or(&0) > within.get(result).unwrap_or(&0))
            .collect()
    }

    /// An instruction whose form differs for the element of this run; gives its result, if any.
    pub(super) fn element_inst(&mut self, step: &BlockInst) -> Option<Option<clif::Value>> {
        let expected = self.expected.map(|(element, _)| element);
        let element = self.packed.map(|packed| packed.element).or(expected)?;
        Some(match step.inst {
            Inst::IsArray(a) if a == element => Some(self.known_truth(step, false)),
            Inst::Not(a) if let Some(&truth) = self.known.get(&a) => {
                Some(self.known_truth(step, !truth))
            }
            _ => match (self.packed, self.expected) {
                (Some(packed), _) => return self.packed_inst(packed, step),
                (None, Some((_, content))) => return self.expected_inst(element, content, step),
                (None, None) => return None,
            },
        })
    }

    fn known_truth(&mut self, step: &BlockInst, truth: bool) -> clif::Value {
        self.known.extend(step.result.map(|result| (result, truth)));
        self.builder.ins().iconst(types::I8, i64::from(truth))
    }

    fn expected_inst(
        &mut self,
        element: Value,
        content: Content,
        step: &BlockInst,
    ) -> Option<Option<clif::Value>> {
        Some(match (content, &step.inst) {
            (Content::Number, &Inst::ReadElement(a)) if a == element => {
                let address = self.take(a);
                Some(self.number_at((address, 0)))
            }
            (Content::Number, &Inst::StoreElement { element: a, value }) if a == element => {
                let (address, value) = (self.take(a), self.take(value));
                self.store_at((address, 0), value, TagSet::NUM);
                None
            }
            (Content::Short, &Inst::CopyFromElement { slot, element: a }) if a == element => {
                let (to, from) = (self.place(slot), self.take(a));
                self.let_go(to);
                self.copy_halves(to, (from, 0));
                None
            }
            _ => return None,
        })
    }

    fn packed_inst(
        &mut self,
        packed: PackedElement,
        step: &BlockInst,
    ) -> Option<Option<clif::Value>> {
        let element = packed.element;
        Some(match step.inst {
            Inst::IsNumber(a) if a == element => Some(self.is_packed_number(packed.word)),
            // Guarded to be a number.
            Inst::LoadElement(a) if a == element => {
                self.note_element_exists();
                Some(self.packed_number(packed.address))
            }
            Inst::ReadElement(a) if a == element => {
                let is_number = self.is_packed_number(packed.word);
                let number = self.either(
                    is_number,
                    types::F64,
                    |this| this.packed_number(packed.address),
                    |this| {
                        this.make_packed();
                        this.builder.ins().f64const(0.0)
                    },
                );
                self.note_element_exists();
                Some(number)
            }
            Inst::StoreElement { element: a, value } if a == element => {
                let value = self.take(value);
                self.store_packed(value);
                None
            }
            Inst::CopyFromElement { slot, element: a } if a == element => {
                self.copy_from_packed(slot, packed);
                None
            }
            Inst::CopyToElement { element: a, slot } if a == element => {
                self.copy_to_packed(slot, packed);
                None
            }
            _ => return None,
        })
    }

    fn packed_number(&mut self, address: clif::Value) -> clif::Value {
        self.builder.ins().load(types::F64, FLAGS, address, 0)
    }

    fn is_packed_number(&mut self, word: clif::Value) -> clif::Value {
        self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThan, word, DenseLayout::UNINIT as i64)
    }

    /// From here on the element exists on every path.
    fn note_element_exists(&mut self) {
        if let Some(packed) = &mut self.packed {
            packed.is_there = true;
        }
    }

    /// A hole becomes an unassigned element.
    fn make_packed(&mut self) {
        let Some(packed) = self.packed.filter(|packed| !packed.is_there) else { return };
        let on = self.if_hole(packed);
        let nothing = self.builder.ins().iconst(types::I64, DenseLayout::UNINIT as i64);
        self.builder.ins().store(FLAGS, nothing, packed.address, 0);
        self.one_hole_less(packed);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
        self.note_element_exists();
    }

    /// Branches to a new block for holes; gives the other one.
    fn if_hole(&mut self, packed: PackedElement) -> clif::Block {
        let is_hole =
            self.builder.ins().icmp_imm_s(IntCC::Equal, packed.word, DenseLayout::HOLE as i64);
        let (hole, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.ins().brif(is_hole, hole, &[], on, &[]);
        self.builder.switch_to_block(hole);
        on
    }

    fn one_hole_less(&mut self, packed: PackedElement) {
        let Some(layout) = DenseLayout::get() else { return };
        let holes = self.builder.ins().load(types::I64, FLAGS, packed.array, layout.holes);
        let fewer = self.builder.ins().iadd_imm_s(holes, -1);
        self.builder.ins().store(FLAGS, fewer, packed.array, layout.holes);
    }

    fn store_packed(&mut self, value: clif::Value) {
        let Some(packed) = self.packed else { return };
        if !packed.is_there {
            let on = self.if_hole(packed);
            self.one_hole_less(packed);
            self.builder.ins().jump(on, &[]);
            self.builder.switch_to_block(on);
            self.note_element_exists();
        }
        self.builder.ins().store(FLAGS, value, packed.address, 0);
    }

    fn copy_from_packed(&mut self, slot: Slot, packed: PackedElement) {
        let is_number = self.is_packed_number(packed.word);
        let [number, nothing, on] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(nothing);
        self.builder.ins().brif(is_number, number, &[], nothing, &[]);
        self.builder.switch_to_block(number);
        let (place, value) = (self.place(slot), self.packed_number(packed.address));
        self.store_at(place, value, TagSet::ANY);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(nothing);
        self.make_packed();
        self.store_nothing(slot, TagSet::ANY);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
        self.note_element_exists();
    }

    fn copy_to_packed(&mut self, slot: Slot, packed: PackedElement) {
        let place = self.place(slot);
        let is_number = self.tag_is(place, tag::NUM);
        let [number, other, on] = [(); 3].map(|()| self.builder.create_block());
        self.builder.set_cold_block(other);
        self.builder.ins().brif(is_number, number, &[], other, &[]);
        self.builder.switch_to_block(number);
        let value = self.number_at(place);
        self.store_packed(value);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(other);
        let function = self.function;
        if let Some(address) =
            self.element_as_value(&function.blocks[packed.found.0].steps[packed.found.1].inst)
        {
            let slot = self.address(slot);
            self.call(Helper::Copy, &[address, slot]);
        }
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
        self.note_element_exists();
    }

    pub(super) fn element_as_value(&mut self, inst: &Inst) -> Option<clif::Value> {
        match *inst {
            Inst::Element { array, key } => {
                let (array, key) = (self.address(array), self.take_number(key));
                Some(self.call_for(Helper::Element, &[array, key]))
            }
            Inst::ElementUnder { array, key } => {
                let (array, key) = (self.address(array), self.address(key));
                Some(self.call_for(Helper::ElementUnder, &[array, key]))
            }
            Inst::ElementUnderField { array, n } => {
                let (array, n) = (self.address(array), self.take_number(n));
                Some(self.call_for(Helper::ElementUnderField, &[array, n]))
            }
            _ => None,
        }
    }
}

fn expected(run: &[BlockInst]) -> Option<Content> {
    let has = |is: fn(&Inst) -> bool| run.iter().any(|step| is(&step.inst));
    let stores = has(|inst| matches!(inst, Inst::StoreElement { .. }));
    if stores && has(|inst| matches!(inst, Inst::ReadElement(_))) {
        return Some(Content::Number);
    }
    let copies = has(|inst| matches!(inst, Inst::CopyFromElement { .. }));
    (copies && !stores).then_some(Content::Short)
}
