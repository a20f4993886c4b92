//! The rare calls to a tier, and observed operations.
//!
//! An operation is observed before it runs, together with the result of the previous one, so
//! operations need no code for it. This may be slow, since an activation is observed for some
//! thousand iterations at most.

use crate::observed_types::{Deciding, operands, result};

use crate::error::RuntimeError;
use crate::flow::{Flow, LoopMode, Stopped};
use crate::machine::Machine;
use crate::tier::{Decision, Execution, Kind, PacedTier, Part, Running, RunningFrame, TierCall};
use riverhawk_bytecode::operand::PatternKind;
use riverhawk_bytecode::{CodeAt, Dst, FrameKind, Op, Src, StaticFrame};
use riverhawk_value::Value;

/// The last operation and its slot, if not yet observed.
pub(crate) type Unseen = Option<(u32, Dst)>;

/// Not inlined, since the interpreter's loop has many jumps.
#[cold]
#[inline(never)]
pub(crate) fn jumped_forward(watch: &mut PacedTier) {
    watch.tier.jumped_forward(&mut watch.pace);
}

impl Machine {
    pub(crate) fn interpret(
        &mut self,
        start: &StaticFrame,
        watch: &mut PacedTier,
    ) -> Result<Flow, Box<RuntimeError>> {
        if self.stack.len() < start.registers as usize {
            self.stack.resize(start.registers as usize, Value::Uninit);
        }
        let here = self.here(start.code.start, 0, start);
        let execution = watch.tier.begins(&mut watch.pace, here);
        let flow = self.run_from(start, start.code.start, 0, execution, watch);
        watch.tier.unwound(&mut watch.pace, 0);
        flow
    }

    pub(crate) fn run_from(
        &mut self,
        start: &StaticFrame,
        mut entry: u32,
        mut base_at: usize,
        execution: Execution,
        watch: &mut PacedTier,
    ) -> Result<Flow, Box<RuntimeError>> {
        let mut observes = match execution {
            Execution::Plain => false,
            Execution::Observing => true,
            Execution::Native(code) => {
                let left = self.enter_native(code, base_at, start, watch)?;
                (entry, base_at) = (left.at, left.base_at);
                watch.pace.observes(self.frames.len())
            }
        };
        loop {
            const PLAIN: u8 = LoopMode::Plain as u8;
            const OBSERVING: u8 = LoopMode::Observing as u8;
            let execute = match (observes, self.rt.program.exact) {
                (true, _) => Machine::execute::<OBSERVING, true>,
                (false, false) => Machine::execute::<PLAIN, false>,
                (false, true) => Machine::execute::<PLAIN, true>,
            };
            let stopped = execute(self, start, entry, 0, base_at, watch);
            match stopped? {
                Stopped::By(flow) => return Ok(flow),
                Stopped::Switch { at, base_at: base } => {
                    (entry, base_at, observes) = (at, base, !observes)
                }
                // Only [`LoopMode::Few`] stops there.
                Stopped::Before(at) => entry = at,
            }
        }
    }

    #[inline(never)]
    pub(crate) fn looped(
        &mut self,
        to: CodeAt,
        base_at: usize,
        start: &StaticFrame,
        watch: &mut PacedTier,
    ) -> Execution {
        watch.tier.looped(&mut watch.pace, to, self.here(to.0, base_at, start))
    }

    #[inline(never)]
    pub(crate) fn called(
        &mut self,
        passed: usize,
        at: u32,
        base_at: usize,
        watch: &mut PacedTier,
    ) -> Execution {
        let program = self.rt.program.clone();
        let Some(frame) = self.frames.last() else { return Execution::Plain };
        let callee = &program.functions[frame.function.index()];
        let call = TierCall { function: frame.function, passed, at };
        watch.tier.entered(&mut watch.pace, call, self.here(callee.code.start, base_at, callee))
    }

    fn here(&self, at: u32, base_at: usize, start: &StaticFrame) -> RunningFrame<'_> {
        let (running, frame) = match self.frames.last() {
            Some(call) => (
                Running::Function(call.function),
                &self.rt.program.functions[call.function.index()],
            ),
            None => (
                match start.kind {
                    FrameKind::Begin => Running::Begin,
                    FrameKind::Main => Running::Main,
                    FrameKind::End => Running::End,
                    FrameKind::Callback
                    | FrameKind::BeginFile
                    | FrameKind::EndFile
                    | FrameKind::Function => Running::Callback,
                },
                start,
            ),
        };
        RunningFrame {
            running,
            at,
            depth: self.frames.len(),
            registers: &self.stack[base_at..base_at + frame.registers as usize],
            globals: &self.rt.globals.statics[..self.rt.program.globals.len()],
            record: self.rt.current.record.text(),
        }
    }

    #[inline(never)]
    pub(crate) fn observe(
        &self,
        op: &Op,
        at: u32,
        base_at: usize,
        unseen: &mut Unseen,
        watch: &mut PacedTier,
    ) {
        let kind = |src: Src| {
            let slots =
                if src.is_static() { &self.rt.globals.statics } else { &self.stack[base_at..] };
            crate::tier::kind(&slots[src.number()], self.rt.current.record.text())
        };
        if let Some((at, slot)) = unseen.take() {
            watch.tier.saw(at, Part::Result, kind(slot.src()));
        }
        *unseen = result(op).map(|d| (at, d));
        let (first, second, deciding) = operands(op);
        let (a, b) = (first.map(kind), second.map(kind));
        // A register is written only by operations; a global also by others.
        let globals = self.rt.program.globals.len();
        let is_global =
            |src: Option<Src>| src.is_some_and(|src| src.is_static() && src.number() < globals);
        if let (Some(a), true) = (a, is_global(first)) {
            watch.tier.saw(at, Part::First, a);
        }
        if let (Some(b), true) = (b, is_global(second)) {
            watch.tier.saw(at, Part::Second, b);
        }
        if let Some(decision) = decision(deciding, a, b) {
            watch.tier.decided(at, decision);
        }
    }
}

fn decision(deciding: Deciding, a: Option<Kind>, b: Option<Kind>) -> Option<Decision> {
    let any = |is: fn(Kind) -> bool| a.is_some_and(is) || b.is_some_and(is);
    let is_input = |kind| matches!(kind, Kind::InputNumeric | Kind::InputText);
    let is_text = |kind| matches!(kind, Kind::Text | Kind::Regex);
    Some(match deciding {
        Deciding::Nothing => return None,
        Deciding::Matching(PatternKind::Constant(_)) => Decision::FixedPattern,
        Deciding::Matching(_) => Decision::MadePattern,
        Deciding::Arithmetic if any(is_text) => Decision::TextAsNumber,
        Deciding::Arithmetic if any(is_input) => Decision::InputAsNumber,
        Deciding::Arithmetic => Decision::Numbers,
        Deciding::Comparing if any(is_text) || any(|kind| kind == Kind::InputText) => {
            if any(|kind| kind == Kind::Number) {
                Decision::NumberAsText
            } else if any(is_input) {
                Decision::InputAsText
            } else {
                Decision::Texts
            }
        }
        Deciding::Comparing if any(is_input) => Decision::InputAsNumber,
        Deciding::Comparing => Decision::Numbers,
        Deciding::Joining if any(|kind| kind == Kind::Number) => Decision::NumberAsText,
        Deciding::Joining if any(is_input) => Decision::InputAsText,
        Deciding::Joining => Decision::Texts,
    })
}
