//! Ways out, which stand in cold blocks: what is stale is put back, and the context says where the interpreter goes on.

use super::{FLAGS, Lowering};
use cranelift_codegen::ir::{self as clif, InstBuilder, types};
use riverhawk_spesh::ir::{ExitId, Reason, Scope};
use riverhawk_vm::native::{Context, Leaving, Status};

/// A reason as the interpreter is told it; none for that of a callee, which has told it.
fn leaving(reason: Reason) -> Option<Leaving> {
    Some(match reason {
        Reason::Argument | Reason::Variable(_) | Reason::Result | Reason::Element | Reason::Special => Leaving::Guard,
        Reason::Operand | Reason::Subarray => Leaving::Operand,
        Reason::Operation => Leaving::Operation,
        Reason::Call => Leaving::Call,
        Reason::Return => Leaving::Return,
        Reason::Assigned => Leaving::Assigned,
        Reason::Depth => Leaving::Depth,
        Reason::Callee => return None,
    })
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

    pub(super) fn put_back(&mut self, exit: ExitId) {
        for store in &self.function.exits[exit.0 as usize].stores {
            let value = self.take_number(store.value);
            let place = self.place(store.slot);
            self.store_at(place, value, store.memory);
        }
    }

    /// The interpreter goes on at an exit's operation.
    pub(super) fn leave(&mut self, exit: ExitId) {
        self.put_back(exit);
        let exit = &self.function.exits[exit.0 as usize];
        // A callee has said why it was left.
        if let Some(leaving) = leaving(exit.reason) {
            self.say_why(leaving);
        }
        if let Some(guard) = exit.guard {
            let candidate = self.builder.ins().iconst(types::I64, self.names.candidate as i64);
            self.builder.ins().store(FLAGS, candidate, self.context, Context::CANDIDATE_AT as i32);
            let guard = self.word(guard);
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

    /// The frame in which the interpreter goes on is a scope's; the calls that lead to it are left.
    pub(super) fn name_frame(&mut self, scope: Scope) {
        let base = self.base_of(scope);
        self.builder.ins().store(FLAGS, base, self.context, Context::BASE_AT as i32);
        self.push_calls(scope);
    }

    /// Goes back to the caller with a status, and no number that counts.
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
