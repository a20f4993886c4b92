//! Installed code.

use crate::links::Links;
use crate::memory::CodeMemory;
use riverhawk_spesh::CandidateCounters;
use riverhawk_spesh::ir::{EntryPoint, ExitReason, FrameName, Signature};
use riverhawk_vm::native::Entry;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What became of a call in a candidate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallNote {
    /// The operation.
    pub at: u32,
    /// `None` when the call is by name.
    pub function: Option<u32>,
    /// Why it was not inlined; `None` when it was.
    pub refused: Option<String>,
}

/// Machine code for one entry into one frame. A thread that runs it must own it, since its memory
/// is freed with the last owner. The [`Links`] of its program also own a function's code.
#[derive(Debug)]
pub struct Candidate {
    pub(crate) number: u64,
    pub(crate) frame: FrameName,
    pub(crate) entry: EntryPoint,
    pub(crate) signature: Option<Signature>,
    pub(crate) counters: CandidateCounters,
    pub(crate) guards: BTreeMap<u32, (u32, ExitReason)>,
    pub(crate) entry_at: usize,
    pub(crate) memory: Arc<CodeMemory>,
    pub(crate) links: Arc<Links>,
    pub(crate) ir: String,
    pub(crate) assembly: String,
    pub(crate) calls: Vec<CallNote>,
}

impl Candidate {
    /// Unique in the process; [`Tier::guard_failed`](riverhawk_vm::tier::Tier::guard_failed) takes
    /// it.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The frame.
    pub fn frame(&self) -> FrameName {
        self.frame
    }

    /// Where it is entered, and its assumptions there.
    pub fn entry_point(&self) -> &EntryPoint {
        &self.entry
    }

    /// How often it was entered and each guard failed.
    pub fn counters(&self) -> &CandidateCounters {
        &self.counters
    }

    /// Each failed guard: operation, reason, count.
    pub fn failures(&self) -> impl Iterator<Item = (u32, ExitReason, u64)> {
        let counted = (0..).zip(self.counters.failures()).filter(|(_, failures)| *failures > 0);
        counted.filter_map(|(guard, failures)| {
            let &(at, reason) = self.guards.get(&guard)?;
            Some((at, reason, failures.into()))
        })
    }

    /// The interpreter's entry.
    pub fn entry(&self) -> Entry {
        // SAFETY: this crate made the code for this entry, within this memory, by the contract of
        // `native`.
        unsafe {
            let start = self.memory.start().add(self.entry_at);
            Entry::new(std::mem::transmute::<
                *const u8,
                unsafe extern "C" fn(
                    *mut riverhawk_vm::native::Context,
                    *mut riverhawk_value::Value,
                ) -> u32,
            >(start))
        }
    }

    /// Makes calls from other candidates lead to the interpreter.
    pub fn withdraw(&self) {
        if let Some(signature) = &self.signature {
            self.links.withdraw(signature);
        }
    }

    /// In bytes.
    pub fn size(&self) -> usize {
        self.memory.size()
    }

    /// Start and length, for profilers.
    pub fn code(&self) -> (usize, usize) {
        (self.memory.start().addr(), self.memory.size())
    }

    /// Which calls were inlined, and why others were not.
    pub fn calls(&self) -> &[CallNote] {
        &self.calls
    }

    /// The intermediate representation, if kept.
    pub fn ir(&self) -> &str {
        &self.ir
    }

    /// The machine code as text, if kept.
    pub fn assembly(&self) -> &str {
        &self.assembly
    }
}
