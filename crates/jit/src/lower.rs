//! From the intermediate representation to Cranelift's. Blocks stay blocks and values stay values; what is added is how slots and elements
//! lie in memory, calls of helpers, and ways out, which stand in cold blocks.

use crate::links::Links;
use crate::stubs::{RARE, helper_signature, type_of as type_of_kind};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    self as clif, AbiParam, BlockArg, ExtFuncData, ExternalName, FuncRef, InstBuilder, MemFlagsData, SigRef,
    UserExternalName, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use riverhawk_spesh::ir::{
    Binary, Block, Callee, Class, End, ExitId, Function, Inst, Order, Slot, TagSet, Target, Unary, Value, ValueType,
};
use riverhawk_value::layout::{self, tag};
use riverhawk_vm::native::{Context, Helper, Performed, Status};
use std::collections::BTreeMap;

/// What a function is compiled with.
pub struct Names<'a> {
    /// The candidate's number, which it names when a guard fails.
    pub candidate: u64,
    /// The links of the program.
    pub links: &'a Links,
    /// The link that will lead to this very function: it calls itself directly.
    pub own_link: Option<u32>,
    /// Whether it returns a number.
    pub gives_number: bool,
    /// Where the stubs of [`RARE`](crate::stubs::RARE) are.
    pub stubs: &'a [usize],
}

/// How functions are called: the context, the frame's first register, numbers; a status, and a number.
fn body_signature(numbers: usize, gives_number: bool, convention: CallConv) -> clif::Signature {
    let mut signature = clif::Signature::new(convention);
    signature.params.extend([AbiParam::new(types::I64), AbiParam::new(types::I64)]);
    signature.params.extend((0..numbers).map(|_| AbiParam::new(types::F64)));
    signature.returns.push(AbiParam::new(types::I32));
    if gives_number {
        signature.returns.push(AbiParam::new(types::F64));
    }
    signature
}

/// How the interpreter calls.
fn entry_signature(convention: CallConv) -> clif::Signature {
    body_signature(0, false, convention)
}

/// The name of the function itself, for relocations.
fn own_name(function: &mut clif::Function) -> ExternalName {
    ExternalName::user(function.declare_imported_user_function(UserExternalName { namespace: 0, index: 0 }))
}

/// Fills in `into` from `function`.
pub fn lower(
    function: &Function,
    names: &Names<'_>,
    convention: CallConv,
    config: TargetFrontendConfig,
    into: &mut clif::Function,
    scratch: &mut FunctionBuilderContext,
) {
    let numbers = function.blocks[0].parameters.len();
    into.signature = body_signature(numbers, names.gives_number && function.signature.is_some(), convention);
    let own = own_name(into);
    let builder = FunctionBuilder::new(into, scratch);
    let mut lowering = Lowering::new(function, names, convention, builder, own, function.blocks.len());
    lowering.run();
    lowering.builder.finalize(config);
}

struct Lowering<'a> {
    function: &'a Function,
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
    exits: BTreeMap<ExitId, clif::Block>,
    context: clif::Value,
    base: clif::Value,
    statics: clif::Value,
}

/// Memory that is there and aligned.
const FLAGS: MemFlagsData = MemFlagsData::trusted();

impl<'a> Lowering<'a> {
    fn new(
        function: &'a Function,
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
            exits: BTreeMap::new(),
            context: nowhere,
            base: nowhere,
            statics: nowhere,
        }
    }

    fn run(&mut self) {
        self.begin();
        for (number, data) in self.function.blocks.iter().enumerate() {
            if number > 0 {
                let block = self.blocks[number];
                for &parameter in &data.parameters {
                    let ty = type_of(self.function.type_of(parameter));
                    let value = self.builder.append_block_param(block, ty);
                    self.values.insert(parameter, value);
                }
            }
        }
        // Blocks are made in the order in which they were met, which need not be one in which values come before their uses.
        for number in self.order() {
            if number > 0 {
                self.builder.switch_to_block(self.blocks[number]);
            }
            let data = &self.function.blocks[number];
            for step in &data.steps {
                if let (Inst::Number(number), Some(result)) = (&step.inst, step.result) {
                    self.constants.insert(result, *number);
                }
                let value = self.inst(&step.inst);
                if let (Some(result), Some(value)) = (step.result, value) {
                    self.values.insert(result, value);
                }
            }
            self.end(&data.end);
        }
        for (exit, block) in std::mem::take(&mut self.exits) {
            self.builder.switch_to_block(block);
            self.leave(exit);
        }
        self.builder.seal_all_blocks();
    }

    /// Blocks in reverse postorder.
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

    /// The entry: parameters, and for functions whether there is room.
    fn begin(&mut self) {
        let entry = self.blocks[0];
        self.builder.append_block_params_for_function_params(entry);
        self.builder.switch_to_block(entry);
        let parameters = self.builder.block_params(entry).to_vec();
        (self.context, self.base) = (parameters[0], parameters[1]);
        for (&parameter, &value) in self.function.blocks[0].parameters.iter().zip(&parameters[2..]) {
            self.values.insert(parameter, value);
        }
        let readonly = FLAGS.with_readonly();
        self.statics = self.builder.ins().load(types::I64, readonly, self.context, Context::STATICS_AT as i32);
        let Some(begin) = self.function.begin else { return };
        let stack = self.builder.ins().get_stack_pointer(types::I64);
        let limit = self.builder.ins().load(types::I64, FLAGS, self.context, Context::STACK_LIMIT_AT as i32);
        let is_deep = self.builder.ins().icmp(IntCC::UnsignedLessThan, stack, limit);
        let size = i64::from(self.function.registers) * layout::SIZE as i64;
        let end = self.builder.ins().iadd_imm_s(self.base, size);
        let room = self.builder.ins().load(types::I64, FLAGS, self.context, Context::ROOM_AT as i32);
        let is_full = self.builder.ins().icmp(IntCC::UnsignedGreaterThan, end, room);
        let leaves = self.builder.ins().bor(is_deep, is_full);
        let (out, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(out);
        self.builder.ins().brif(leaves, out, &[], on, &[]);
        self.builder.switch_to_block(out);
        for (number, class) in self.function.signature.iter().flat_map(|known| known.parameters.iter().enumerate()) {
            if *class == Class::Nothing {
                self.store_nothing(Slot::Register(number as u16), TagSet::ANY);
            }
        }
        self.leave(begin);
        self.builder.switch_to_block(on);
    }

    // Slots.

    fn place(&self, slot: Slot) -> (clif::Value, i32) {
        match slot {
            Slot::Register(number) => (self.base, i32::from(number) * layout::SIZE as i32),
            Slot::Static(number) => (self.statics, i32::from(number) * layout::SIZE as i32),
        }
    }

    fn address(&mut self, slot: Slot) -> clif::Value {
        let (base, offset) = self.place(slot);
        self.builder.ins().iadd_imm_s(base, i64::from(offset))
    }

    fn tag_at(&mut self, (base, offset): (clif::Value, i32)) -> clif::Value {
        self.builder.ins().load(types::I8, FLAGS, base, offset)
    }

    fn number_at(&mut self, (base, offset): (clif::Value, i32)) -> clif::Value {
        self.builder.ins().load(types::F64, FLAGS, base, offset + layout::NUMBER_AT as i32)
    }

    /// Lets go of what a place holds, if it needs that. The place is then never assigned, or what it was.
    fn let_go(&mut self, place: (clif::Value, i32)) {
        let tag = self.tag_at(place);
        let is_counted =
            self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, tag, i64::from(tag::FIRST_COUNTED));
        let (cold, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(cold);
        self.builder.ins().brif(is_counted, cold, &[], on, &[]);
        self.builder.switch_to_block(cold);
        let address = self.builder.ins().iadd_imm_s(place.0, i64::from(place.1));
        self.call_rarely(Helper::LetGo, &[address]);
        self.builder.ins().jump(on, &[]);
        self.builder.switch_to_block(on);
    }

    fn store_at(&mut self, place: (clif::Value, i32), value: clif::Value, memory: TagSet) {
        if !memory.is_plain() {
            self.let_go(place);
        }
        if !memory.is_number() {
            let tag = self.builder.ins().iconst(types::I8, i64::from(tag::NUM));
            self.builder.ins().store(FLAGS, tag, place.0, place.1);
        }
        self.builder.ins().store(FLAGS, value, place.0, place.1 + layout::NUMBER_AT as i32);
    }

    fn store_nothing(&mut self, slot: Slot, memory: TagSet) {
        let place = self.place(slot);
        if !memory.is_plain() {
            self.let_go(place);
        }
        let tag = self.builder.ins().iconst(types::I8, i64::from(tag::UNINIT));
        self.builder.ins().store(FLAGS, tag, place.0, place.1);
    }

    fn tag_is(&mut self, place: (clif::Value, i32), wanted: u8) -> clif::Value {
        let tag = self.tag_at(place);
        self.builder.ins().icmp_imm_u(IntCC::Equal, tag, i64::from(wanted))
    }

    /// One of two ways to a value: the usual one here, the other in a cold block.
    fn either(
        &mut self,
        usual: clif::Value,
        ty: clif::Type,
        here: impl FnOnce(&mut Self) -> clif::Value,
        there: impl FnOnce(&mut Self) -> clif::Value,
    ) -> clif::Value {
        let (hot, cold, on) = (self.builder.create_block(), self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(cold);
        let result = self.builder.append_block_param(on, ty);
        self.builder.ins().brif(usual, hot, &[], cold, &[]);
        self.builder.switch_to_block(hot);
        let value = here(self);
        self.builder.ins().jump(on, &[BlockArg::Value(value)]);
        self.builder.switch_to_block(cold);
        let value = there(self);
        self.builder.ins().jump(on, &[BlockArg::Value(value)]);
        self.builder.switch_to_block(on);
        result
    }

    /// What a place holds as a number.
    fn read_at(&mut self, place: (clif::Value, i32)) -> clif::Value {
        let is_number = self.tag_is(place, tag::NUM);
        self.either(
            is_number,
            types::F64,
            |this| this.number_at(place),
            |this| {
                let address = this.builder.ins().iadd_imm_s(place.0, i64::from(place.1));
                this.call_rarely_for(Helper::Number, &[address])
            },
        )
    }

    // Calls.

    fn helper(&mut self, helper: Helper) -> (clif::Value, SigRef) {
        let reference = match self.helpers.get(&(helper as u32)) {
            Some(&reference) => reference,
            None => {
                let signature = helper_signature(helper, self.convention);
                let reference = self.builder.import_signature(signature);
                self.helpers.insert(helper as u32, reference);
                reference
            }
        };
        let address = self.builder.ins().iconst(types::I64, helper.address() as i64);
        (address, reference)
    }

    fn call(&mut self, helper: Helper, arguments: &[clif::Value]) -> Option<clif::Value> {
        let (address, signature) = self.helper(helper);
        let mut all = vec![self.context];
        all.extend(arguments);
        let call = self.builder.ins().call_indirect(signature, address, &all);
        self.builder.inst_results(call).first().copied()
    }

    /// As [`Lowering::call`], for helpers that give something.
    fn call_for(&mut self, helper: Helper, arguments: &[clif::Value]) -> clif::Value {
        debug_assert!(helper.result().is_some(), "{helper:?}");
        self.call(helper, arguments).unwrap_or(self.context)
    }

    /// Calls a helper from a path that is hardly ever taken.
    fn call_rarely(&mut self, helper: Helper, arguments: &[clif::Value]) {
        let signature = match self.rare.get(&(helper as u32)) {
            Some(&reference) => reference,
            None => {
                let reference = self.builder.import_signature(helper_signature(helper, CallConv::PreserveAll));
                self.rare.insert(helper as u32, reference);
                reference
            }
        };
        let at = RARE.iter().position(|&rare| rare == helper).and_then(|at| self.names.stubs.get(at));
        debug_assert!(at.is_some(), "{helper:?} has no stub");
        let address = at.copied().unwrap_or_default();
        let address = self.builder.ins().iconst(types::I64, address as i64);
        let mut all = vec![self.context];
        all.extend(arguments);
        self.builder.ins().call_indirect(signature, address, &all);
    }

    /// As [`Lowering::call_rarely`], for helpers that give something.
    fn call_rarely_for(&mut self, helper: Helper, arguments: &[clif::Value]) -> clif::Value {
        self.call_rarely(helper, arguments);
        let ty = helper.result().map_or(types::I32, type_of_kind);
        self.builder.ins().load(ty, FLAGS, self.context, Context::NUMBER_AT as i32)
    }

    fn word(&mut self, word: u32) -> clif::Value {
        self.builder.ins().iconst(types::I32, i64::from(word))
    }

    // Ways out.

    fn exit(&mut self, exit: ExitId) -> clif::Block {
        if let Some(&block) = self.exits.get(&exit) {
            return block;
        }
        let block = self.builder.create_block();
        self.builder.set_cold_block(block);
        self.exits.insert(exit, block);
        block
    }

    fn put_back(&mut self, exit: ExitId) {
        for store in &self.function.exits[exit.0 as usize].stores {
            let value = self.values[&store.value];
            let place = self.place(store.slot);
            self.store_at(place, value, store.memory);
        }
    }

    /// The interpreter goes on at an exit's operation.
    fn leave(&mut self, exit: ExitId) {
        self.put_back(exit);
        let exit = &self.function.exits[exit.0 as usize];
        if let Some(guard) = exit.guard {
            let candidate = self.builder.ins().iconst(types::I64, self.names.candidate as i64);
            self.builder.ins().store(FLAGS, candidate, self.context, Context::CANDIDATE_AT as i32);
            let guard = self.word(guard);
            self.builder.ins().store(FLAGS, guard, self.context, Context::GUARD_AT as i32);
        }
        self.name_operation(exit.at);
        self.give(Status::Left as u32);
    }

    fn name_operation(&mut self, at: u32) {
        let at = self.word(at);
        self.builder.ins().store(FLAGS, at, self.context, Context::AT_AT as i32);
        self.builder.ins().store(FLAGS, self.base, self.context, Context::BASE_AT as i32);
    }

    /// Goes back to the caller with a status, and no number that counts.
    fn give(&mut self, status: u32) {
        let status = self.word(status);
        self.give_value(status);
    }

    fn give_value(&mut self, status: clif::Value) {
        if self.builder.func.signature.returns.len() > 1 {
            let nothing = self.builder.ins().f64const(0.0);
            self.builder.ins().return_(&[status, nothing]);
        } else {
            self.builder.ins().return_(&[status]);
        }
    }

    // Instructions.

    fn take(&self, value: Value) -> clif::Value {
        self.values[&value]
    }

    fn inst(&mut self, inst: &Inst) -> Option<clif::Value> {
        let value = match *inst {
            Inst::Number(number) => self.builder.ins().f64const(number),
            Inst::LoadNumber(slot) => {
                let place = self.place(slot);
                self.number_at(place)
            }
            Inst::ReadNumber(slot) => {
                let place = self.place(slot);
                self.read_at(place)
            }
            Inst::Is(slot, tags) => self.is(slot, tags),
            Inst::StoreNumber { slot, value, memory } => {
                let (place, value) = (self.place(slot), self.take(value));
                self.store_at(place, value, memory);
                return None;
            }
            Inst::StoreNothing { slot, memory } => {
                self.store_nothing(slot, memory);
                return None;
            }
            Inst::LetGo(slot) => {
                let place = self.place(slot);
                self.let_go(place);
                return None;
            }
            Inst::Binary(Binary::Rem, a, b) if self.constants.get(&b).is_some_and(|b| is_whole_divisor(*b)) => {
                self.remainder_by(a, b, self.constants[&b])
            }
            Inst::Binary(op, a, b) => {
                let (a, b) = (self.take(a), self.take(b));
                match op {
                    Binary::Add => self.builder.ins().fadd(a, b),
                    Binary::Sub => self.builder.ins().fsub(a, b),
                    Binary::Mul => self.builder.ins().fmul(a, b),
                    Binary::Div => self.builder.ins().fdiv(a, b),
                    Binary::Rem => self.call_for(Helper::Remainder, &[a, b]),
                    Binary::Pow => self.call_for(Helper::Power, &[a, b]),
                    Binary::Atan2 => self.call_for(Helper::Atan2, &[a, b]),
                }
            }
            Inst::Unary(op, a) => {
                let a = self.take(a);
                match op {
                    Unary::Neg => self.builder.ins().fneg(a),
                    Unary::Int => self.builder.ins().trunc(a),
                    Unary::Sqrt => self.builder.ins().sqrt(a),
                    Unary::Sin => self.call_for(Helper::Sin, &[a]),
                    Unary::Cos => self.call_for(Helper::Cos, &[a]),
                    Unary::Exp => self.call_for(Helper::Exp, &[a]),
                    Unary::Log => self.call_for(Helper::Log, &[a]),
                }
            }
            Inst::Compare(order, a, b) => {
                let (a, b) = (self.take(a), self.take(b));
                self.builder.ins().fcmp(float_order(order), a, b)
            }
            Inst::CompareSlots(order, a, b) => self.compare_slots(order, a, b),
            Inst::TruthOf(slot) => {
                let place = self.place(slot);
                let is_number = self.tag_is(place, tag::NUM);
                self.either(
                    is_number,
                    types::I8,
                    |this| {
                        let number = this.number_at(place);
                        this.not_zero(number)
                    },
                    |this| {
                        let address = this.address(slot);
                        let truth = this.call_rarely_for(Helper::Truth, &[address]);
                        this.builder.ins().icmp_imm_u(IntCC::NotEqual, truth, 0)
                    },
                )
            }
            Inst::NotZero(a) => {
                let a = self.take(a);
                self.not_zero(a)
            }
            Inst::Not(a) => {
                let a = self.take(a);
                self.builder.ins().bxor_imm_u(a, 1)
            }
            Inst::FromTruth(a) => {
                let a = self.take(a);
                let wide = self.builder.ins().uextend(types::I32, a);
                self.builder.ins().fcvt_from_sint(types::F64, wide)
            }
            Inst::Guard { holds, exit } => {
                let (holds, out, on) = (self.take(holds), self.exit(exit), self.builder.create_block());
                self.builder.ins().brif(holds, on, &[], out, &[]);
                self.builder.switch_to_block(on);
                return None;
            }
            Inst::Perform { at, count, assigned } => {
                let (frame, from, count) = (self.word(self.function.frame.number()), self.word(at), self.word(count));
                let status = self.call_for(Helper::Perform, &[self.base, frame, from, count]);
                self.performed(status, assigned)
            }
            Inst::NextRecord { at, assigned } => {
                let at = self.word(at);
                let status = self.call_for(Helper::NextRecord, &[at]);
                self.performed(status, Some(assigned))
            }
            Inst::RecordMatches { at, regex } => {
                let (at, regex) = (self.word(at), self.word(regex));
                let status = self.call_for(Helper::RecordMatches, &[regex, at]);
                self.performed(status, None)
            }
            Inst::Field { d, n } => {
                let (d, n) = (self.address(d), self.word(n));
                self.call(Helper::Field, &[d, n]);
                return None;
            }
            Inst::FieldNumberAt(n) => {
                let n = self.take(n);
                self.call_for(Helper::FieldNumberAt, &[n])
            }
            Inst::CompareField { order, n, value, field_first } => {
                let (n, value) = (self.word(n), self.take(value));
                let found = self.call_for(Helper::CompareField, &[n, value]);
                self.ordered(order, found, field_first)
            }
            Inst::Special(special) => {
                let special = self.word(special);
                self.call_for(Helper::SpecialNumber, &[special])
            }
            Inst::FieldLength(n) => {
                let n = self.word(n);
                self.call_for(Helper::FieldLength, &[n])
            }
            Inst::Length(slot) => {
                let slot = self.address(slot);
                self.call_for(Helper::Length, &[slot])
            }
            Inst::FieldNumber(n) => {
                let n = self.word(n);
                self.call_for(Helper::FieldNumber, &[n])
            }
            Inst::Rand => self.call_for(Helper::Rand, &[]),
            Inst::Element { array, key } => {
                let (array, key) = (self.address(array), self.take(key));
                self.call_for(Helper::Element, &[array, key])
            }
            Inst::ElementUnder { array, key } => {
                let (array, key) = (self.address(array), self.address(key));
                self.call_for(Helper::ElementUnder, &[array, key])
            }
            Inst::HasElement { array, key } => {
                let (array, key) = (self.address(array), self.take(key));
                let has = self.call_for(Helper::HasElement, &[array, key]);
                self.builder.ins().icmp_imm_u(IntCC::NotEqual, has, 0)
            }
            Inst::IsNumber(a) => {
                let a = self.take(a);
                self.tag_is((a, 0), tag::NUM)
            }
            Inst::IsArray(a) => {
                let a = self.take(a);
                let tag = self.tag_at((a, 0));
                let from_array = self.builder.ins().iadd_imm_s(tag, -i64::from(tag::ARRAY));
                // Arrays and untyped ones stand next to each other.
                self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, from_array, 2)
            }
            Inst::LoadElement(a) => {
                let a = self.take(a);
                self.number_at((a, 0))
            }
            Inst::ReadElement(a) => {
                let a = self.take(a);
                self.read_at((a, 0))
            }
            Inst::StoreElement { element, value } => {
                let (element, value) = (self.take(element), self.take(value));
                self.store_at((element, 0), value, TagSet::ANY);
                return None;
            }
            Inst::CopyToElement { element, slot } => {
                let (element, slot) = (self.take(element), self.address(slot));
                self.call(Helper::Copy, &[element, slot]);
                return None;
            }
            Inst::CopyFromElement { slot, element } => {
                let (slot, element) = (self.address(slot), self.take(element));
                self.call(Helper::CloneValue, &[slot, element]);
                return None;
            }
            Inst::Copy { d, s } => {
                let (d, s) = (self.address(d), self.address(s));
                self.call(Helper::Copy, &[d, s]);
                return None;
            }
            Inst::Call { callee, ref arguments, first, d, exit } => {
                return self.call_function(callee, arguments, first, d, exit);
            }
            Inst::Take { d, first } => {
                let (d, s) = (self.address(d), self.address(Slot::Register(first)));
                self.call(Helper::Take, &[d, s]);
                return None;
            }
            Inst::ReturnSlot(slot) => {
                let slot = self.address(slot);
                let count = self.word(u32::from(self.function.registers));
                self.call(Helper::GiveBack, &[self.base, slot, count]);
                return None;
            }
            Inst::ReturnUnassigned => {
                let count = self.word(u32::from(self.function.registers));
                self.call(Helper::GiveNothing, &[self.base, count]);
                return None;
            }
        };
        Some(value)
    }

    fn is(&mut self, slot: Slot, tags: TagSet) -> clif::Value {
        let place = self.place(slot);
        if let Some(single) = tags.single() {
            return self.tag_is(place, single);
        }
        let tag = self.tag_at(place);
        let tag = self.builder.ins().uextend(types::I32, tag);
        let mask = self.word(u32::from(tags.bits()));
        let bit = self.builder.ins().ushr(mask, tag);
        let bit = self.builder.ins().band_imm_u(bit, 1);
        self.builder.ins().icmp_imm_u(IntCC::NotEqual, bit, 0)
    }

    fn not_zero(&mut self, number: clif::Value) -> clif::Value {
        let zero = self.builder.ins().f64const(0.0);
        self.builder.ins().fcmp(FloatCC::NotEqual, number, zero)
    }

    fn compare_slots(&mut self, order: Order, a: Slot, b: Slot) -> clif::Value {
        let (place_a, place_b) = (self.place(a), self.place(b));
        let (is_a, is_b) = (self.tag_is(place_a, tag::NUM), self.tag_is(place_b, tag::NUM));
        let both = self.builder.ins().band(is_a, is_b);
        self.either(
            both,
            types::I8,
            |this| {
                let (a, b) = (this.number_at(place_a), this.number_at(place_b));
                this.builder.ins().fcmp(float_order(order), a, b)
            },
            |this| {
                let (a, b) = (this.address(a), this.address(b));
                let found = this.call_rarely_for(Helper::Compare, &[a, b]);
                this.ordered(order, found, true)
            },
        )
    }

    /// The remainder by a whole number: of a whole number that is not negative by integer division, as the interpreter has it.
    fn remainder_by(&mut self, a: Value, b: Value, divisor: f64) -> clif::Value {
        let (a, b) = (self.take(a), self.take(b));
        let whole = self.builder.ins().fcvt_to_sint_sat(types::I64, a);
        let back = self.builder.ins().fcvt_from_sint(types::F64, whole);
        let is_whole = self.builder.ins().fcmp(FloatCC::Equal, back, a);
        // From 1 to 2^53: a zero may have a sign to keep.
        let less = self.builder.ins().iadd_imm_s(whole, -1);
        let is_small = self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, less, (1 << 53) - 1);
        let usual = self.builder.ins().band(is_whole, is_small);
        self.either(
            usual,
            types::F64,
            |this| {
                let rest = this.builder.ins().urem_imm_u(whole, divisor as i64);
                this.builder.ins().fcvt_from_sint(types::F64, rest)
            },
            |this| this.call_rarely_for(Helper::Remainder, &[a, b]),
        )
    }

    /// What a helper that compares has found, as a truth; `in_order` unless it was asked the other way round.
    fn ordered(&mut self, order: Order, found: clif::Value, in_order: bool) -> clif::Value {
        let (condition, number) = match (order, in_order) {
            (Order::Less, true) => (IntCC::Equal, 0),
            (Order::Less, false) => (IntCC::Equal, 2),
            (Order::LessEqual, true) => (IntCC::UnsignedLessThanOrEqual, 1),
            (Order::LessEqual, false) => {
                // Equal or greater, and no NaN.
                let less = self.builder.ins().iadd_imm_s(found, -1);
                return self.builder.ins().icmp_imm_u(IntCC::UnsignedLessThan, less, 2);
            }
            (Order::Equal, _) => (IntCC::Equal, 1),
            (Order::NotEqual, _) => (IntCC::NotEqual, 1),
        };
        self.builder.ins().icmp_imm_u(condition, found, number)
    }

    /// Whether a helper that performs an operation jumped.
    fn performed(&mut self, status: clif::Value, assigned: Option<(ExitId, ExitId)>) -> clif::Value {
        let is_rare =
            self.builder.ins().icmp_imm_u(IntCC::UnsignedGreaterThan, status, i64::from(Performed::Jumped as u32));
        let (rare, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(rare);
        self.builder.ins().brif(is_rare, rare, &[], on, &[]);
        self.builder.switch_to_block(rare);
        if let Some((next, jumped)) = assigned {
            for (which, exit) in [(Performed::NextAssigned, next), (Performed::JumpedAssigned, jumped)] {
                let is_this = self.builder.ins().icmp_imm_u(IntCC::Equal, status, i64::from(which as u32));
                let (out, other) = (self.exit(exit), self.builder.create_block());
                self.builder.set_cold_block(other);
                self.builder.ins().brif(is_this, out, &[], other, &[]);
                self.builder.switch_to_block(other);
            }
        }
        // The helper has said which operation failed.
        self.builder.ins().store(FLAGS, self.base, self.context, Context::BASE_AT as i32);
        self.give(Status::Failed as u32);
        self.builder.switch_to_block(on);
        self.builder.ins().icmp_imm_u(IntCC::NotEqual, status, 0)
    }

    fn call_function(
        &mut self,
        callee: Callee,
        arguments: &[Value],
        first: u16,
        d: Slot,
        exit: ExitId,
    ) -> Option<clif::Value> {
        let base = self.address(Slot::Register(first));
        let mut all = vec![self.context, base];
        all.extend(arguments.iter().map(|&argument| self.take(argument)));
        let signature = body_signature(arguments.len(), callee.gives_number, self.convention);
        let call = if self.names.own_link == Some(callee.link) {
            let reference = match self.own_function {
                Some(reference) => reference,
                None => {
                    let signature = self.builder.import_signature(signature);
                    let name = self.own.clone();
                    let data = ExtFuncData { name, signature, colocated: true, patchable: false };
                    let reference = self.builder.import_function(data);
                    self.own_function = Some(reference);
                    reference
                }
            };
            self.builder.ins().call(reference, &all)
        } else {
            let signature = self.builder.import_signature(signature);
            let word = self.builder.ins().iconst(types::I64, self.names.links.word(callee.link) as i64);
            let address = self.builder.ins().load(types::I64, FLAGS, word, 0);
            self.builder.ins().call_indirect(signature, address, &all)
        };
        let results = self.builder.inst_results(call).to_vec();
        let status = results[0];
        let (out, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(out);
        self.builder.ins().brif(status, out, &[], on, &[]);
        self.builder.switch_to_block(out);
        self.put_back(exit);
        let return_to = self.word(self.function.exits[exit.0 as usize].at);
        let function = self.word(callee.function);
        let d = self.word(match d {
            Slot::Register(number) => u32::from(number),
            Slot::Static(number) => u32::from(number) | 0x8000,
        });
        self.call(Helper::PushCall, &[self.base, return_to, function, d]);
        self.give_value(status);
        self.builder.switch_to_block(on);
        results.get(1).copied()
    }

    fn target(&mut self, target: &Target) -> (clif::Block, Vec<BlockArg>) {
        let arguments = target.arguments.iter().map(|&argument| BlockArg::Value(self.take(argument))).collect();
        (self.block(target.block), arguments)
    }

    fn block(&self, block: Block) -> clif::Block {
        self.blocks[block.0 as usize]
    }

    fn end(&mut self, end: &End) {
        match end {
            End::Jump(target) => {
                let (block, arguments) = self.target(target);
                self.builder.ins().jump(block, &arguments);
            }
            End::Branch { on, yes, no } => {
                let on = self.take(*on);
                let ((yes, yes_arguments), (no, no_arguments)) = (self.target(yes), self.target(no));
                self.builder.ins().brif(on, yes, &yes_arguments, no, &no_arguments);
            }
            End::Leave(exit) => self.leave(*exit),
            End::Return(value) => {
                let (status, value) = (self.word(Status::ReturnedNumber as u32), self.take(*value));
                self.builder.ins().return_(&[status, value]);
            }
            // To a caller among candidates all that counts is that it returned.
            End::ReturnValue => self.give(0),
        }
    }
}

/// The entry that the interpreter uses for a function: looks at the arguments, and hands on the numbers.
pub fn lower_entry(
    function: &Function,
    names: &Names<'_>,
    convention: CallConv,
    config: TargetFrontendConfig,
    into: &mut clif::Function,
    scratch: &mut FunctionBuilderContext,
) {
    into.signature = entry_signature(convention);
    let own = own_name(into);
    let builder = FunctionBuilder::new(into, scratch);
    // One block: those of the body play no part here.
    let mut lowering = Lowering::new(function, names, convention, builder, own, 1);
    lowering.entry();
    lowering.builder.finalize(config);
}

impl Lowering<'_> {
    fn entry(&mut self) {
        let Some(signature) = &self.function.signature else { return };
        let block = self.blocks[0];
        self.builder.append_block_params_for_function_params(block);
        self.builder.switch_to_block(block);
        let parameters = self.builder.block_params(block).to_vec();
        (self.context, self.base) = (parameters[0], parameters[1]);
        let mut arguments = vec![self.context, self.base];
        for (number, &class) in signature.parameters.iter().enumerate() {
            let place = self.place(Slot::Register(number as u16));
            let Some(wanted) = class.tags().single() else { continue };
            let holds = self.tag_is(place, wanted);
            let (out, on) = (self.builder.create_block(), self.builder.create_block());
            self.builder.set_cold_block(out);
            self.builder.ins().brif(holds, on, &[], out, &[]);
            self.builder.switch_to_block(out);
            let candidate = self.builder.ins().iconst(types::I64, self.names.candidate as i64);
            self.builder.ins().store(FLAGS, candidate, self.context, Context::CANDIDATE_AT as i32);
            let guard = self.word(self.function.guards + number as u32);
            self.builder.ins().store(FLAGS, guard, self.context, Context::GUARD_AT as i32);
            self.name_operation(self.function.blocks[0].at);
            self.give(Status::Left as u32);
            self.builder.switch_to_block(on);
            if class == Class::Number {
                arguments.push(self.number_at(place));
            }
        }
        let body = body_signature(arguments.len() - 2, self.names.gives_number, self.convention);
        let signature = self.builder.import_signature(body);
        let name = self.own.clone();
        let reference =
            self.builder.import_function(ExtFuncData { name, signature, colocated: true, patchable: false });
        let call = self.builder.ins().call(reference, &arguments);
        let results = self.builder.inst_results(call).to_vec();
        let (out, on) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(out);
        self.builder.ins().brif(results[0], out, &[], on, &[]);
        self.builder.switch_to_block(out);
        self.builder.ins().return_(&[results[0]]);
        self.builder.switch_to_block(on);
        if let Some(&number) = results.get(1) {
            self.builder.ins().store(FLAGS, number, self.context, Context::NUMBER_AT as i32);
            self.give(Status::ReturnedNumber as u32);
        } else {
            self.give(Status::ReturnedValue as u32);
        }
        self.builder.seal_all_blocks();
    }
}

fn type_of(ty: ValueType) -> clif::Type {
    match ty {
        ValueType::Number => types::F64,
        ValueType::Truth => types::I8,
        ValueType::Element => types::I64,
    }
}

/// Whether a remainder by it can be taken by integer division.
fn is_whole_divisor(divisor: f64) -> bool {
    divisor.fract() == 0.0 && divisor >= 1.0 && divisor < (1u64 << 53) as f64
}

fn float_order(order: Order) -> FloatCC {
    match order {
        Order::Less => FloatCC::LessThan,
        Order::LessEqual => FloatCC::LessThanOrEqual,
        Order::Equal => FloatCC::Equal,
        Order::NotEqual => FloatCC::NotEqual,
    }
}
