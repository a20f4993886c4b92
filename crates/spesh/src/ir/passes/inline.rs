//! Inlines small functions.
//!
//! The callee's registers are where the interpreter would put them: from the first argument on. So
//! its instructions are copied with register numbers moved up, and a side exit restores both frames
//! and pushes the call: [`Inlined`].

use crate::ir::function::*;
use crate::ir::slot::Slot;
use crate::ir::snapshot::Snapshot;
use riverhawk_bytecode::Op;
use std::collections::BTreeMap;

/// Maximum bytes of bytecode of an inlined function, as in Rakudo.
pub const MAX_BYTES: usize = 384;

/// Maximum parameters of an inlined function.
pub const MAX_PARAMETERS: u16 = 8;

pub(crate) const MAX_INLINED: usize = 128;

/// Maximum registers of a caller, with those of inlined functions.
pub const MAX_REGISTERS: u16 = 512;

/// Maximum instructions of an inlined function: little bytecode may have become many versions.
const MAX_INSTRUCTIONS: usize = 400;

/// Maximum instructions of a caller that inlines more.
const MAX_ALTOGETHER: usize = 8_000;

/// Why a function is not inlined, if it is not.
pub fn obstacle(callee: &IrFunction, snapshot: &Snapshot) -> Option<String> {
    let Some(frame) = snapshot.frame(callee.frame) else { return Some("it is not there".into()) };
    // Operations of the profiler do not count, so that profiling does not change what is inlined.
    let code =
        snapshot.code().get(frame.code.start as usize..frame.code.end as usize).unwrap_or_default();
    let bytes =
        code.iter().filter(|op| !matches!(op, Op::EnterFunction {} | Op::LeaveFunction {})).count()
            * size_of::<Op>();
    let steps = || {
        callee
            .blocks
            .iter()
            .flat_map(|block| &block.steps)
            .filter(|step| !matches!(step.inst, Inst::Mark(_)))
    };
    let own = callee.signature.as_ref().map(|own| own.function);
    let calls_itself = steps().any(
        |step| matches!(&step.inst, Inst::Call { callee, .. } if Some(callee.function) == own),
    ) || callee.inlined.iter().any(|inlined| Some(inlined.function) == own);
    let leaves_for_a_call = callee.blocks.iter().any(|block| match block.end {
        BlockEnd::Leave(exit) => {
            let at = callee.exits[exit.0 as usize].at as usize;
            matches!(snapshot.code().get(at), Some(Op::Call { .. }))
        }
        _ => false,
    });
    if calls_itself {
        Some("it calls itself".into())
    } else if bytes > MAX_BYTES {
        Some(format!("it has {bytes} bytes of bytecode, and {MAX_BYTES} is the limit"))
    } else if frame.parameters > MAX_PARAMETERS {
        Some(format!("it has {} parameters, and {MAX_PARAMETERS} is the limit", frame.parameters))
    } else if leaves_for_a_call {
        Some("it calls a function that has no code yet".into())
    } else if steps().count() > MAX_INSTRUCTIONS {
        Some("it has too many versions".into())
    } else {
        None
    }
}

/// A call to be inlined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Called {
    /// The operation.
    pub at: u32,
    /// The function.
    pub function: u32,
}

/// The result of inlining.
#[derive(Debug, Default)]
pub struct Done {
    /// Inlined calls.
    pub inlined: Vec<Called>,
    /// Calls that were not inlined, and why.
    pub refused: Vec<(Called, &'static str)>,
}

/// Inlines the callees whose `body` is known, within the limits.
pub fn inline<'a>(
    function: &mut IrFunction,
    body: impl Fn(Callee) -> Option<&'a IrFunction>,
) -> Done {
    let mut done = Done::default();
    let mut total: usize = function.blocks.iter().map(|block| block.steps.len()).sum();
    let mut number = 0;
    let mut from = 0;
    while number < function.blocks.len() {
        let steps = function.blocks[number].steps[from..].iter().zip(from..);
        let found = steps.into_iter().find_map(|(step, at)| match &step.inst {
            Inst::Call { callee, exit, .. } => {
                let called = Called { at: function.called_at(*exit), function: callee.function };
                Some((at, called, body(*callee)?))
            }
            _ => None,
        });
        let Some((at, called, callee)) = found else {
            // The rest of a split block is a new block, visited later.
            (number, from) = (number + 1, 0);
            continue;
        };
        let first = match function.blocks[number].steps[at].inst {
            Inst::Call { first, .. } => first,
            _ => 0,
        };
        let size = callee.blocks.iter().map(|block| block.steps.len()).sum::<usize>();
        let refused = if total + size > MAX_ALTOGETHER {
            Some("the caller would be too large")
        } else if function.inlined.len() + callee.inlined.len() >= MAX_INLINED {
            Some("the caller has taken in as many as it may")
        } else if first.saturating_add(callee.registers) > MAX_REGISTERS {
            Some("the caller would have too many registers")
        } else {
            None
        };
        if let Some(why) = refused {
            done.refused.push((called, why));
            from = at + 1;
            continue;
        }
        total += size;
        done.inlined.push(called);
        splice(function, number, at, callee);
        (number, from) = (number + 1, 0);
    }
    if !done.inlined.is_empty() && function.begin.is_none() {
        // A function entered in a loop must now also check for room on the stack.
        let at = function.blocks[0].at;
        function.exits.push(Exit {
            at,
            guard: None,
            reason: ExitReason::Depth,
            stores: Vec::new(),
            scope: FrameScope::OWN,
        });
        function.begin = Some(ExitId(function.exits.len() as u32 - 1));
    }
    done
}

/// Maximum instructions of an unrolled function: two calls of itself make three times the code.
const MAX_UNROLLED: usize = 40;

const MAX_SELF_CALLS: usize = 2;

/// Inlines a recursive function once in itself, which saves half of its calls and stack checks.
/// `link` is its own; other arguments would call another candidate.
pub fn unroll(function: &mut IrFunction, link: u32) -> bool {
    let is_own =
        |step: &BlockInst| matches!(&step.inst, Inst::Call { callee, .. } if callee.link == link);
    let steps = || function.blocks.iter().flat_map(|block| &block.steps);
    let calls = steps().filter(|step| is_own(step)).count();
    if calls == 0
        || calls > MAX_SELF_CALLS
        || steps().count() > MAX_UNROLLED
        || !function.inlined.is_empty()
    {
        return false;
    }
    let body = function.clone();
    let mut number = 0;
    while number < function.blocks.len() {
        let of_its_own = |step: &BlockInst| match &step.inst {
            Inst::Call { callee, exit, .. } => {
                callee.link == link && function.exits[exit.0 as usize].scope == FrameScope::OWN
            }
            _ => false,
        };
        if let Some(at) = function.blocks[number].steps.iter().position(of_its_own) {
            splice(function, number, at, &body);
        }
        number += 1;
    }
    true
}

fn splice(function: &mut IrFunction, number: usize, at: usize, callee: &IrFunction) {
    let caller = &mut function.blocks[number];
    let mut rest = caller.steps.split_off(at + 1);
    let Some(BlockInst { inst: Inst::Call { callee: called, arguments, first, d, exit }, result }) =
        caller.steps.pop()
    else {
        return;
    };
    let called_at = function.exits[exit.0 as usize].at - 1;
    caller.steps.pop_if(|step| step.inst == Inst::Mark(Mark::Call(called_at)));
    // The callee stores its result directly in the caller's destination.
    let taken = match rest.first() {
        Some(BlockInst { inst: Inst::Take { d, .. }, .. }) if result.is_none() => Some(*d),
        _ => None,
    };
    rest.drain(..usize::from(taken.is_some()));
    let behind = Block(function.blocks.len() as u32);
    let end = std::mem::replace(&mut function.blocks[number].end, BlockEnd::ReturnValue);
    let BlockData { at: place, is_rare, has_integers, .. } = function.blocks[number];
    let parameters = result.into_iter().collect();
    function.blocks.push(BlockData {
        at: place,
        parameters,
        steps: rest,
        end,
        is_rare,
        has_integers,
    });

    function.registers = function.registers.max(first + callee.registers);
    let left = function.exits[exit.0 as usize].clone();
    let copy = Copied::new(function, callee, Call { function: called.function, left, d, first });
    let first_block = function.blocks.len() as u32;
    let moved = |target: &BlockTarget| BlockTarget {
        block: Block(first_block + target.block.0),
        arguments: target.arguments.iter().map(|&argument| copy.value(argument)).collect(),
    };
    for block in &callee.blocks {
        let steps = block.steps.iter().map(|step| {
            let mut inst = step.inst.clone();
            inst.map_operands(|value| copy.value(value));
            inst.map_exits(|exit| copy.exit(exit));
            inst.map_scope(|scope| copy.scope(scope));
            inst.move_registers(first);
            if inst == Inst::Mark(Mark::Enter) {
                inst = Inst::Mark(Mark::EnterInlined(called_at));
            }
            if let (
                Inst::ReturnSlot { d, first: from, .. }
                | Inst::ReturnUnassigned { d, first: from, .. },
                Some(taken),
            ) = (&mut inst, taken)
                && *d == Slot::Register(first)
                && *from == first
            {
                *d = taken;
            }
            BlockInst { inst, result: step.result.map(|result| copy.value(result)) }
        });
        let end = match &block.end {
            BlockEnd::Jump(target) => BlockEnd::Jump(moved(target)),
            BlockEnd::Branch { on, yes, no } => {
                BlockEnd::Branch { on: copy.value(*on), yes: moved(yes), no: moved(no) }
            }
            BlockEnd::Return(value) => {
                BlockEnd::Jump(BlockTarget { block: behind, arguments: vec![copy.value(*value)] })
            }
            BlockEnd::ReturnValue => {
                BlockEnd::Jump(BlockTarget { block: behind, arguments: Vec::new() })
            }
            BlockEnd::Leave(exit) => BlockEnd::Leave(copy.exit(*exit)),
        };
        let parameters = block.parameters.iter().map(|&parameter| copy.value(parameter)).collect();
        let steps = steps.collect();
        function.blocks.push(BlockData { parameters, steps, end, ..*block });
    }
    function.blocks[number].end =
        BlockEnd::Jump(BlockTarget { block: Block(first_block), arguments });
}

struct Call {
    function: u32,
    left: Exit,
    d: Slot,
    first: u16,
}

struct Copied {
    values: BTreeMap<Value, Value>,
    first_exit: u32,
    own: FrameScope,
    first_scope: u32,
}

impl Copied {
    fn new(function: &mut IrFunction, callee: &IrFunction, call: Call) -> Copied {
        let mut values = BTreeMap::new();
        for block in &callee.blocks {
            let results = block.steps.iter().filter_map(|step| step.result);
            for value in block.parameters.iter().copied().chain(results) {
                function.types.push(callee.type_of(value));
                values.insert(value, Value(function.types.len() as u32 - 1));
            }
        }
        let Call { function: called, left, d, first } = call;
        function.inlined.push(Inlined {
            caller: left.scope,
            function: called,
            return_to: left.at,
            d,
            base: first,
        });
        let own = FrameScope(function.inlined.len() as u32);
        let copied = Copied {
            values,
            first_exit: function.exits.len() as u32,
            own,
            first_scope: function.inlined.len() as u32,
        };
        for inlined in &callee.inlined {
            let (caller, base) = (copied.scope(inlined.caller), first + inlined.base);
            function.inlined.push(Inlined { caller, base, ..*inlined });
        }
        for exit in &callee.exits {
            let mut stores = exit.stores.clone();
            for store in &mut stores {
                store.value = copied.value(store.value);
                store.slot.move_register(first);
            }
            // The caller's numbers that are stale while the callee runs.
            stores.extend(left.stores.iter().cloned());
            let guard = exit.guard.map(|guard| guard + function.guards);
            function.exits.push(Exit {
                at: exit.at,
                guard,
                reason: exit.reason,
                stores,
                scope: copied.scope(exit.scope),
            });
        }
        function.guards += callee.guards;
        copied
    }

    fn value(&self, value: Value) -> Value {
        self.values.get(&value).copied().unwrap_or(value)
    }

    fn exit(&self, exit: ExitId) -> ExitId {
        ExitId(self.first_exit + exit.0)
    }

    fn scope(&self, scope: FrameScope) -> FrameScope {
        if scope == FrameScope::OWN { self.own } else { FrameScope(self.first_scope + scope.0) }
    }
}
