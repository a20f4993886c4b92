//! From the intermediate representation to Cranelift's: adds the memory layout of slots and
//! elements, calls of helpers, and side exits in cold blocks.

mod arithmetic;
mod calls;
mod copies;
mod edges;
mod elements;
mod entry;
mod exits;
mod instructions;
mod integers;
mod marks;
mod packed;
mod piece;
mod record;
mod runs;
mod slots;
mod texts;
mod uses;
mod views;

pub(crate) use entry::lower_entry;

use crate::links::Links;
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{
    self as clif, AbiParam, BlockArg, ExternalName, FuncRef, InstBuilder, InstructionData,
    MemFlagsData, SigRef, SourceLoc, UserExternalName, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use packed::{Content, PackedElement};
use piece::SlowComparison;
use riverhawk_spesh::ir::{
    Binary, Block, BlockData, BlockEnd, BlockInst, BlockTarget, ExitId, FrameScope, Inst,
    InstClass, IrFunction, Mark, ReturnForm, Slot, TagSet, Value, ValueType, loop_depths,
};
use riverhawk_value::layout;
use riverhawk_vm::native::{Context, MIN_CALL, Status};
use std::collections::BTreeMap;
use uses::count_uses;

/// Where the truth that an instruction gives is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TruthUse {
    /// Only in the block's branch, so each of two blocks may branch.
    Branch,
    /// Anywhere.
    Value,
}

pub(crate) struct Names<'a> {
    /// Reported when a guard fails.
    pub candidate: u64,
    pub links: &'a Links,
    /// The link to this function, which calls itself directly.
    pub own_link: Option<u32>,
    pub returns: ReturnForm,
    /// Addresses of the stubs of [`RARE`](crate::stubs::RARE).
    pub stubs: &'a [usize],
    /// Whether to record which operations code comes from.
    pub lists_lines: bool,
}

/// Takes the context, the frame's first register and numbers; gives a status and a number.
fn body_signature(numbers: usize, returns: ReturnForm, convention: CallConv) -> clif::Signature {
    let mut signature = clif::Signature::new(convention);
    signature.params.extend([AbiParam::new(types::I64), AbiParam::new(types::I64)]);
    signature.params.extend((0..numbers).map(|_| AbiParam::new(types::F64)));
    signature.returns.push(AbiParam::new(types::I32));
    if returns == ReturnForm::Number {
        signature.returns.push(AbiParam::new(types::F64));
    }
    signature
}

fn own_name(function: &mut clif::Function) -> ExternalName {
    ExternalName::user(
        function.declare_imported_user_function(UserExternalName { namespace: 0, index: 0 }),
    )
}

pub(crate) fn lower(
    function: &IrFunction,
    names: &Names<'_>,
    convention: CallConv,
    config: TargetFrontendConfig,
    into: &mut clif::Function,
    scratch: &mut FunctionBuilderContext,
) {
    let numbers = function.blocks[0].parameters.len();
    // A loop's code returns to the interpreter.
    let returns = match function.signature {
        Some(_) => names.returns,
        None => ReturnForm::Value,
    };
    into.signature = body_signature(numbers, returns, convention);
    let own = own_name(into);
    let builder = FunctionBuilder::new(into, scratch);
    let mut lowering =
        Lowering::new(function, names, convention, builder, own, function.blocks.len());
    lowering.run();
    lowering.builder.finalize(config);
}

struct Lowering<'a> {
    function: &'a IrFunction,
    names: &'a Names<'a>,
    convention: CallConv,
    builder: FunctionBuilder<'a>,
    own: ExternalName,
    own_function: Option<FuncRef>,
    blocks: Vec<clif::Block>,
    values: BTreeMap<Value, clif::Value>,
    helpers: BTreeMap<u32, SigRef>,
    rare: BTreeMap<u32, SigRef>,
    constants: BTreeMap<Value, f64>,
    /// Numbers that are positions in texts, as integers.
    whole: BTreeMap<Value, clif::Value>,
    /// That of the current instruction.
    made_whole: Option<clif::Value>,
    uses: BTreeMap<Value, usize>,
    /// The packed element of the current run.
    packed: Option<PackedElement>,
    /// The element of the current run, and what it is known to hold.
    expected: Option<(Value, Content)>,
    /// Truths known in that run.
    known: BTreeMap<Value, bool>,
    exits: BTreeMap<ExitId, clif::Block>,
    /// The opposite of each negated truth.
    negated: BTreeMap<clif::Value, clif::Value>,
    /// The block that ends the run for lack of memory; its parameter is the operation.
    no_memory: Option<clif::Block>,
    /// Where the current block begins.
    at: u32,
    /// Emitting a deopt.
    is_leaving: bool,
    /// Loop depth by block.
    depths: Vec<u32>,
    is_in_loop: bool,
    /// The block's last truth, if only its branch uses it.
    decides: Option<Value>,
    /// The cold block that computes it in another way, and branches itself.
    slow_comparison: Option<SlowComparison>,
    context: clif::Value,
    base: clif::Value,
    statics: clif::Value,
}

/// Valid and aligned memory.
const FLAGS: MemFlagsData = MemFlagsData::trusted();

impl<'a> Lowering<'a> {
    fn new(
        function: &'a IrFunction,
        names: &'a Names<'a>,
        convention: CallConv,
        mut builder: FunctionBuilder<'a>,
        own: ExternalName,
        blocks: usize,
    ) -> Lowering<'a> {
        let blocks: Vec<clif::Block> = (0..blocks).map(|_| builder.create_block()).collect();
        let nowhere = clif::Value::from_u32(0);
        Lowering {
            function,
            names,
            convention,
            builder,
            own,
            own_function: None,
            blocks,
            values: BTreeMap::new(),
            helpers: BTreeMap::new(),
            rare: BTreeMap::new(),
            constants: BTreeMap::new(),
            whole: BTreeMap::new(),
            made_whole: None,
            uses: count_uses(function),
            packed: None,
            expected: None,
            known: BTreeMap::new(),
            exits: BTreeMap::new(),
            negated: BTreeMap::new(),
            no_memory: None,
            at: 0,
            is_leaving: false,
            depths: Vec::new(),
            is_in_loop: false,
            decides: None,
            slow_comparison: None,
            context: nowhere,
            base: nowhere,
            statics: nowhere,
        }
    }

    fn run(&mut self) {
        self.begin();
        self.depths = loop_depths(self.function);
        for (number, data) in self.function.blocks.iter().enumerate() {
            if number > 0 {
                let block = self.blocks[number];
                if data.is_rare {
                    self.builder.set_cold_block(block);
                }
                for &parameter in &data.parameters {
                    let ty = type_of(self.function.type_of(parameter));
                    let value = self.builder.append_block_param(block, ty);
                    self.values.insert(parameter, value);
                }
            }
        }
        // In this order definitions come before uses.
        for number in self.order() {
            if number > 0 {
                self.builder.switch_to_block(self.blocks[number]);
            }
            let data = &self.function.blocks[number];
            self.is_in_loop = self.depths[number] > 0;
            self.decides = self.decided_by_last(data);
            self.set_source(Some(data.at));
            self.at = data.at;
            let mut next = 0;
            while let Some(step) = data.steps.get(next) {
                if step.inst.finds_element()
                    && let Some(end) = self.element_run(number, next)
                {
                    next = end;
                    continue;
                }
                self.step(step);
                next += 1;
            }
            self.end(number, &data.end);
            if let Some(otherwise) = self.slow_comparison.take()
                && let BlockEnd::Branch { on, .. } = data.end
            {
                let truth = self.equals_slowly(otherwise);
                self.values.insert(on, truth);
                self.end(number, &data.end);
            }
        }
        self.side_exits();
        self.end_without_memory();
        self.builder.seal_all_blocks();
    }

    fn decided_by_last(&self, data: &BlockData) -> Option<Value> {
        let result = data.steps.last()?.result?;
        let decides = matches!(data.end, BlockEnd::Branch { on, .. } if on == result)
            && self.uses.get(&result) == Some(&1);
        decides.then_some(result)
    }

    fn step(&mut self, step: &BlockInst) {
        if let Inst::Guard { holds, .. } = step.inst
            && self.known.get(&holds) == Some(&true)
        {
            return;
        }
        let operation = self.operation_of(&step.inst);
        self.at = operation.unwrap_or(self.at);
        self.set_source(operation);
        if let (Inst::Number(number), Some(result)) = (&step.inst, step.result) {
            self.constants.insert(result, *number);
        }
        let value = match self.element_inst(step) {
            Some(value) => value,
            None => {
                let decides = step.result.is_some() && step.result == self.decides;
                self.inst(&step.inst, if decides { TruthUse::Branch } else { TruthUse::Value })
            }
        };
        if let (Some(result), Some(value)) = (step.result, value) {
            self.values.insert(result, value);
            let whole = self.made_whole.take().or_else(|| self.shifted(&step.inst));
            self.whole.extend(whole.map(|whole| (result, whole)));
        }
    }

    /// A position plus or minus a small constant, as an integer.
    fn shifted(&mut self, inst: &Inst) -> Option<clif::Value> {
        let &Inst::Binary(op @ (Binary::Add | Binary::Sub), a, b) = inst else { return None };
        let (&whole, &by) = (self.whole.get(&a)?, self.constants.get(&b)?);
        let by = if op == Binary::Add { by } else { -by };
        (by.fract() == 0.0 && by.abs() < f64::from(1 << 20))
            .then(|| self.builder.ins().iadd_imm_s(whole, by as i64))
    }

    /// Sets the source operation of the following code, if known.
    fn set_source(&mut self, at: Option<u32>) {
        if let Some(at) = at.filter(|_| self.names.lists_lines) {
            self.builder.set_srcloc(SourceLoc::new(at));
        }
    }

    fn operation_of(&self, inst: &Inst) -> Option<u32> {
        match *inst {
            Inst::Perform { at, .. }
            | Inst::NextRecord { at, .. }
            | Inst::RecordMatches { at, .. } => Some(at),
            Inst::Guard { exit, .. } => Some(self.function.exits[exit.0 as usize].at),
            Inst::Call { exit, .. } => Some(self.function.called_at(exit)),
            Inst::Mark(Mark::Rule(at) | Mark::Call(at) | Mark::EnterInlined(at)) => Some(at),
            _ => None,
        }
    }

    /// Reverse postorder.
    fn order(&self) -> Vec<usize> {
        let mut seen = vec![false; self.function.blocks.len()];
        let mut order = Vec::new();
        let mut stack = vec![(0usize, 0usize)];
        seen[0] = true;
        while let Some((block, next)) = stack.pop() {
            match self.function.blocks[block].end.targets().get(next) {
                Some(target) => {
                    stack.push((block, next + 1));
                    let to = target.block.0 as usize;
                    if !std::mem::replace(&mut seen[to], true) {
                        stack.push((to, 0));
                    }
                }
                None => order.push(block),
            }
        }
        order.reverse();
        order
    }

    /// Parameters, and for functions the check for room.
    fn begin(&mut self) {
        let entry = self.blocks[0];
        self.builder.append_block_params_for_function_params(entry);
        self.builder.switch_to_block(entry);
        let parameters = self.builder.block_params(entry).to_vec();
        (self.context, self.base) = (parameters[0], parameters[1]);
        for (&parameter, &value) in self.function.blocks[0].parameters.iter().zip(&parameters[2..])
        {
            self.values.insert(parameter, value);
        }
        let readonly = FLAGS.with_readonly();
        self.statics =
            self.builder.ins().load(types::I64, readonly, self.context, Context::STATICS_AT as i32);
        let Some(begin) = self.function.begin else { return };
        let depth = (1..=self.function.inlined.len() as u32)
            .map(|scope| self.function.frames(FrameScope(scope)).count())
            .max();
        if let Some(depth) = depth {
            // Each active call takes its share of the machine's stack: this limits their number.
            let size = (depth * MIN_CALL) as u32;
            self.builder.create_sized_stack_slot(clif::StackSlotData::new(
                clif::StackSlotKind::ExplicitSlot,
                size,
                0,
            ));
        }
        let stack = self.builder.ins().get_stack_pointer(types::I64);
        let limit = self.builder.ins().load(
            types::I64,
            FLAGS,
            self.context,
            Context::STACK_LIMIT_AT as i32,
        );
        let is_deep = self.builder.ins().icmp(IntCC::UnsignedLessThan, stack, limit);
        let (out, shallow, on) =
            (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(out);
        self.builder.ins().brif(is_deep, out, &[], shallow, &[]);
        self.builder.switch_to_block(shallow);
        let size = i64::from(self.function.registers) * layout::SIZE as i64;
        let end = self.builder.ins().iadd_imm_s(self.base, size);
        let room =
            self.builder.ins().load(types::I64, FLAGS, self.context, Context::ROOM_AT as i32);
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, end, room);
        self.builder.ins().brif(is_full, out, &[], on, &[]);
        self.builder.switch_to_block(out);
        for (number, class) in
            self.function.signature.iter().flat_map(|known| known.parameters.iter().enumerate())
        {
            if *class == InstClass::Nothing {
                self.store_nothing(Slot::Register(number as u16), TagSet::ANY);
            }
        }
        self.leave(begin);
        self.builder.switch_to_block(on);
    }

    fn target(&mut self, target: &BlockTarget) -> (clif::Block, Vec<BlockArg>) {
        let arguments =
            target.arguments.iter().map(|&argument| BlockArg::Value(self.take(argument))).collect();
        (self.block(target.block), arguments)
    }

    fn block(&self, block: Block) -> clif::Block {
        self.blocks[block.0 as usize]
    }

    fn end(&mut self, number: usize, end: &BlockEnd) {
        match end {
            BlockEnd::Jump(target) => {
                let (block, arguments) = self.target(target);
                self.builder.ins().jump(block, &arguments);
            }
            BlockEnd::Branch { on, yes, no } => {
                let on = self.take(*on);
                let stays =
                    |to: &BlockTarget| self.depths[to.block.0 as usize] >= self.depths[number];
                let (on, yes, no) = match (stays(yes), stays(no)) {
                    // Cranelift places the last target next, which keeps a loop's blocks together.
                    (true, false) if let Some(opposite) = self.opposite(on) => (opposite, no, yes),
                    _ => (on, yes, no),
                };
                let ((yes, yes_arguments), (no, no_arguments)) =
                    (self.target(yes), self.target(no));
                self.builder.ins().brif(on, yes, &yes_arguments, no, &no_arguments);
            }
            BlockEnd::Leave(exit) => self.leave(*exit),
            BlockEnd::Return(value) => {
                let (status, value) = (self.word(Status::ReturnedNumber as u32), self.take(*value));
                self.builder.ins().return_(&[status, value]);
            }
            // A caller among candidates reads only the return.
            BlockEnd::ReturnValue => self.give(0),
        }
    }
}

impl Lowering<'_> {
    fn opposite(&mut self, truth: clif::Value) -> Option<clif::Value> {
        let inst = self.builder.func.dfg.value_def(truth).inst()?;
        match self.builder.func.dfg.insts[inst] {
            InstructionData::IntCompare { args: [a, b], cond, .. } => {
                Some(self.builder.ins().icmp(cond.complement(), a, b))
            }
            InstructionData::FloatCompare { args: [a, b], cond, .. } => {
                Some(self.builder.ins().fcmp(cond.complement(), a, b))
            }
            _ => None,
        }
    }
}

fn type_of(ty: ValueType) -> clif::Type {
    match ty {
        ValueType::Number => types::F64,
        ValueType::Truth => types::I8,
        ValueType::Integer | ValueType::Element | ValueType::Bytes => types::I64,
    }
}
