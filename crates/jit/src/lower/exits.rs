//! Side exits, in cold blocks: they store stale slots and set where the interpreter continues.

use super::{FLAGS, Lowering};
use cranelift_codegen::ir::{self as clif, BlockArg, InstBuilder, types};
use riverhawk_spesh::ir::{Exit, ExitId, ExitReason, FrameScope};
use riverhawk_vm::native::{Context, Leaving, Status};
use std::collections::BTreeMap;

/// `None` for a callee's exit, which has set its own reason.
fn leaving(reason: ExitReason) -> Option<Leaving> {
    Some(match reason {
        ExitReason::Argument
        | ExitReason::Variable(_)
        | ExitReason::Result
        | ExitReason::Element
        | ExitReason::Special => Leaving::Guard,
        ExitReason::Operand | ExitReason::Subarray => Leaving::Operand,
        ExitReason::Operation => Leaving::Operation,
        ExitReason::Call => Leaving::Call,
        ExitReason::Return => Leaving::Return,
        ExitReason::Assigned => Leaving::Assigned,
        ExitReason::Depth => Leaving::Depth,
        ExitReason::Callee => return None,
    })
}

/// Apart from the guard's number.
fn is_same(a: &Exit, b: &Exit) -> bool {
    (a.at, a.scope, leaving(a.reason)) == (b.at, b.scope, leaving(b.reason))
        && a.guard.is_some() == b.guard.is_some()
        && a.stores == b.stores
}

impl Lowering<'_> {
    pub(super) fn exit(&mut self, exit: ExitId) -> clif::Block {
        if let Some(&block) = self.exits.get(&exit) {
            return block;
        }
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        self.exits.insert(exit, block);
        block
    }

    /// Emits the side exits that are used. Those that differ only in the guard's number share code:
    /// the guards before a loop were half of its instructions.
    pub(super) fn side_exits(&mut self) {
        let mut by_operation: BTreeMap<u32, Vec<Vec<(ExitId, clif::Block)>>> = BTreeMap::new();
        for (exit, block) in std::mem::take(&mut self.exits) {
            let data = &self.function.exits[exit.0 as usize];
            let groups = by_operation.entry(data.at).or_default();
            let is_its = |group: &&mut Vec<(ExitId, clif::Block)>| {
                is_same(&self.function.exits[group[0].0.0 as usize], data)
            };
            match groups.iter_mut().find(is_its) {
                Some(group) => group.push((exit, block)),
                None => groups.push(vec![(exit, block)]),
            }
        }
        for group in by_operation.into_values().flatten() {
            let (first, block) = group[0];
            self.builder.switch_to_block(block);
            self.set_source(Some(self.function.exits[first.0 as usize].at));
            if group.len() == 1 {
                self.leave(first);
                continue;
            }
            let out = self.builder.create_block();
            self.builder.set_cold_block(out);
            let is_guard = self.function.exits[first.0 as usize].guard.is_some();
            let guard = is_guard.then(|| self.builder.append_block_param(out, types::I32));
            for (exit, block) in group {
                self.builder.switch_to_block(block);
                let guard = self.function.exits[exit.0 as usize].guard;
                let guard = guard.map(|guard| BlockArg::Value(self.word(guard)));
                self.builder.ins().jump(out, guard.as_slice());
            }
            self.builder.switch_to_block(out);
            self.leave_by(first, guard);
        }
    }

    pub(super) fn put_back(&mut self, exit: ExitId) {
        let was_leaving = std::mem::replace(&mut self.is_leaving, true);
        for store in &self.function.exits[exit.0 as usize].stores {
            let value = self.take_number(store.value);
            let place = self.place(store.slot);
            self.store_at(place, value, store.memory);
        }
        self.is_leaving = was_leaving;
    }

    pub(super) fn leave(&mut self, exit: ExitId) {
        let guard = self.function.exits[exit.0 as usize].guard;
        let guard = guard.map(|guard| self.word(guard));
        self.leave_by(exit, guard);
    }

    /// By the guard with this number.
    fn leave_by(&mut self, exit: ExitId, guard: Option<clif::Value>) {
        self.put_back(exit);
        let exit = &self.function.exits[exit.0 as usize];
        if let Some(leaving) = leaving(exit.reason) {
            self.say_why(leaving);
        }
        if let Some(guard) = guard {
            let candidate = self.builder.ins().iconst(types::I64, self.names.candidate as i64);
            self.builder.ins().store(FLAGS, candidate, self.context, Context::CANDIDATE_AT as i32);
            self.builder.ins().store(FLAGS, guard, self.context, Context::GUARD_AT as i32);
        }
        self.name_operation(exit.at);
        self.name_frame(exit.scope);
        self.give(Status::Left as u32);
    }

    pub(super) fn say_why(&mut self, leaving: Leaving) {
        let leaving = self.word(leaving as u32);
        self.builder.ins().store(FLAGS, leaving, self.context, Context::LEAVING_AT as i32);
    }

    pub(super) fn name_operation(&mut self, at: u32) {
        let at = self.word(at);
        self.builder.ins().store(FLAGS, at, self.context, Context::AT_AT as i32);
    }

    /// Names a scope's frame to the interpreter, and pushes the calls to it.
    pub(super) fn name_frame(&mut self, scope: FrameScope) {
        let base = self.base_of(scope);
        self.builder.ins().store(FLAGS, base, self.context, Context::BASE_AT as i32);
        self.push_calls(scope);
    }

    /// Returns a status, and an unused number.
    pub(super) fn give(&mut self, status: u32) {
        let status = self.word(status);
        self.give_value(status);
    }

    pub(super) fn give_value(&mut self, status: clif::Value) {
        if self.builder.func.signature.returns.len() > 1 {
            let nothing = self.builder.ins().f64const(0.0);
            self.builder.ins().return_(&[status, nothing]);
        } else {
            self.builder.ins().return_(&[status]);
        }
    }
}
