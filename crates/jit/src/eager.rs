//! A tier that compiles everything at once, with its current types.

use crate::candidate::Candidate;
use crate::compiler::{Compiler, CompilerOptions};
use riverhawk_bytecode::{CodeAt, FrameId, Unit};
use riverhawk_spesh::ir::{CodeRequest, EntryPoint, Feedback, FrameName, Refusal, Snapshot};
use riverhawk_spesh::{CandidateVerdict, Type};
use riverhawk_value::Value;
use riverhawk_vm::native::{Entry, Leaving};
use riverhawk_vm::tier::{Decision, Execution, Kind, Part, RunningFrame, Tier, TierCall, TierPace};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Compiles each loop at its first repetition and each function at its first call.
pub struct Eager {
    compiler: Compiler,
    snapshot: Arc<Snapshot>,
    loops: BTreeMap<u32, Place>,
    functions: BTreeMap<u32, Place>,
    candidates: BTreeMap<u64, Arc<Candidate>>,
    /// Number of functions in the unit.
    functions_of_unit: usize,
    entries: u64,
    failures: u64,
    refusals: Vec<String>,
}

#[derive(Default)]
struct Place {
    /// `None` when withdrawn or refused.
    candidate: Option<Arc<Candidate>>,
    made: u32,
}

/// Types that flip need more than one candidate for a place.
const MAX_MADE: u32 = 3;

impl Eager {
    /// # Errors
    /// There is no code generator for this machine.
    pub fn new(unit: &Unit, options: CompilerOptions) -> Result<Eager, Refusal> {
        let snapshot = Arc::new(Snapshot::of(unit));
        Ok(Eager {
            compiler: Compiler::new(Arc::clone(&snapshot), options)?,
            snapshot,
            loops: BTreeMap::new(),
            functions: BTreeMap::new(),
            candidates: BTreeMap::new(),
            functions_of_unit: unit.functions.len(),
            entries: 0,
            failures: 0,
            refusals: Vec::new(),
        })
    }

    /// How often machine code was entered.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// How often a guard failed.
    pub fn failures(&self) -> u64 {
        self.failures
    }

    /// Why something was not compiled.
    pub fn refusals(&self) -> &[String] {
        &self.refusals
    }

    /// All candidates that were made, in order.
    pub fn candidates(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.values().map(Arc::as_ref)
    }

    fn make(&mut self, request: &CodeRequest) -> Option<Arc<Candidate>> {
        let made = self.compiler.compile(request);
        for callee in self.compiler.take_callees() {
            self.candidates.insert(callee.number(), Arc::new(callee));
        }
        match made {
            Ok(candidate) => {
                let candidate = Arc::new(candidate);
                self.candidates.insert(candidate.number(), Arc::clone(&candidate));
                Some(candidate)
            }
            Err(refusal) => {
                self.refusals.push(format!("{}: {refusal}", request.frame));
                None
            }
        }
    }
}

fn offer(place: &Place, entries: &mut u64) -> Option<Entry> {
    let candidate = place.candidate.as_ref()?;
    candidate.counters().enter();
    *entries += 1;
    Some(candidate.entry())
}

/// The type that shows without following pointers.
fn type_of(value: &Value) -> Option<Type> {
    match value {
        Value::Num(_) => Some(Type::Num),
        Value::Array(_) => Some(Type::Array),
        Value::Uninit => Some(Type::Uninit),
        _ => None,
    }
}

impl Eager {
    fn at_loop(&mut self, header: CodeAt, here: RunningFrame<'_>) -> Option<Entry> {
        let place = self.loops.entry(header.0).or_default();
        if place.candidate.is_none() && place.made < MAX_MADE {
            place.made += 1;
            let frame = self.snapshot.frame_at(header.0)?;
            let entry = EntryPoint::Loop {
                header: header.0,
                registers: here.registers.iter().map(type_of).collect(),
                globals: here.globals.iter().map(type_of).collect(),
            };
            let made = self.make(&CodeRequest { frame, entry, feedback: Feedback::default() });
            self.loops.entry(header.0).or_default().candidate = made;
        }
        offer(self.loops.get(&header.0)?, &mut self.entries)
    }

    fn at_call(&mut self, function: FrameId, arguments: &[Value]) -> Option<Entry> {
        let place = self.functions.entry(function.0).or_default();
        if place.candidate.is_none() && place.made < MAX_MADE {
            place.made += 1;
            let frame = FrameName::Function(function.0);
            let entry = EntryPoint::Call { arguments: arguments.iter().map(type_of).collect() };
            let made = self.make(&CodeRequest { frame, entry, feedback: Feedback::default() });
            self.functions.entry(function.0).or_default().candidate = made;
        }
        offer(self.functions.get(&function.0)?, &mut self.entries)
    }
}

impl Tier for Eager {
    fn pace(&self) -> TierPace {
        TierPace { asks_at_calls: vec![true; self.functions_of_unit].into(), ..TierPace::after(1) }
    }

    fn jumped_forward(&mut self, pace: &mut TierPace) {
        pace.countdown = 1;
    }

    fn watches_callbacks(&self, _: FrameId) -> bool {
        true
    }

    fn begins(&mut self, _: &mut TierPace, _: RunningFrame<'_>) -> Execution {
        Execution::Plain
    }

    fn unwound(&mut self, _: &mut TierPace, _: usize) {}

    fn looped(&mut self, pace: &mut TierPace, header: CodeAt, here: RunningFrame<'_>) -> Execution {
        pace.countdown = 1;
        self.at_loop(header, here).map_or(Execution::Plain, Execution::Native)
    }

    fn entered(
        &mut self,
        pace: &mut TierPace,
        call: TierCall,
        here: RunningFrame<'_>,
    ) -> Execution {
        pace.countdown = 1;
        let arguments = here.registers.get(..call.passed).unwrap_or_default();
        self.at_call(call.function, arguments).map_or(Execution::Plain, Execution::Native)
    }

    fn left(&mut self, _: &mut TierPace, _: usize, _: Kind) {}

    fn saw(&mut self, _: u32, _: Part, _: Kind) {}

    fn decided(&mut self, _: u32, _: Decision) {}

    fn exited_machine_code(&mut self, _: &mut TierPace, _: Leaving, _: u32) {}

    fn guard_failed(&mut self, _: &mut TierPace, candidate: u64, guard: u32) {
        self.failures += 1;
        let Some(failed) = self.candidates.get(&candidate) else { return };
        if failed.counters().fail(guard as usize) == CandidateVerdict::Keep {
            return;
        }
        failed.withdraw();
        let is_this = |place: &Place| {
            place.candidate.as_ref().is_some_and(|known| known.number() == candidate)
        };
        for place in self.loops.values_mut().chain(self.functions.values_mut()) {
            if is_this(place) {
                place.candidate = None;
            }
        }
    }
}
