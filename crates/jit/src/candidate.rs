//! Installed code.

use crate::links::Links;
use crate::memory::CodeMemory;
use riverhawk_spesh::CandidateCounters;
use riverhawk_spesh::ir::{EntryPoint, FrameName, Reason, Signature};
use riverhawk_vm::native::Entry;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What became of a call in a candidate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallNote {
    /// The operation.
    pub at: u32,
    /// The function; none when the call is by its name.
    pub function: Option<u32>,
    /// Why it was not inlined; none when it was.
    pub refused: Option<String>,
}

/// Machine code for one entry into one frame. Its memory lives as long as an owner: the thread that
/// runs it must be one. A function's code is also owned by the [`Links`] of its program.
#[derive(Debug)]
pub struct Candidate {
    pub(crate) number: u64,
    pub(crate) frame: FrameName,
    pub(crate) entry: EntryPoint,
    pub(crate) signature: Option<Signature>,
    pub(crate) counters: CandidateCounters,
    pub(crate) guards: BTreeMap<u32, (u32, Reason)>,
    pub(crate) entry_at: usize,
    pub(crate) memory: Arc<CodeMemory>,
    pub(crate) links: Arc<Links>,
    pub(crate) ir: String,
    pub(crate) assembly: String,
    pub(crate) calls: Vec<CallNote>,
}

impl Candidate {
    /// Its number, unique in the process, which
    /// [`Tier::guard_failed`](riverhawk_vm::tier::Tier::guard_failed) is given.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The frame.
    pub fn frame(&self) -> FrameName {
        self.frame
    }

    /// Where it is entered, and what it relies on there.
    pub fn entry_point(&self) -> &EntryPoint {
        &self.entry
    }

    /// How often it was entered, and how often each of its guards failed.
    pub fn counters(&self) -> &CandidateCounters {
        &self.counters
    }

    /// The operation at which a guard stands.
    pub fn guard_at(&self, guard: u32) -> Option<u32> {
        self.guards.get(&guard).map(|(at, _)| *at)
    }

    /// Every guard that has failed: its operation, its reason, and how often.
    pub fn failures(&self) -> impl Iterator<Item = (u32, Reason, u64)> {
        let counted = (0..).zip(self.counters.failures()).filter(|(_, failures)| *failures > 0);
        counted.filter_map(|(guard, failures)| {
            let &(at, reason) = self.guards.get(&guard)?;
            Some((at, reason, failures.into()))
        })
    }

    /// Where the interpreter enters it.
    pub fn entry(&self) -> Entry {
        // SAFETY: the code was made by this crate for this entry, lies within the memory, and keeps
        // the contract of `native`.
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

    /// From now on, calls from other candidates lead to the interpreter.
    pub fn withdraw(&self) {
        if let Some(signature) = &self.signature {
            self.links.withdraw(signature);
        }
    }

    /// Bytes of memory that its code takes.
    pub fn size(&self) -> usize {
        self.memory.size()
    }

    /// Where the code lies: start and length, for profilers.
    pub fn code(&self) -> (usize, usize) {
        (self.memory.start().addr(), self.memory.size())
    }

    /// Its calls: which were inlined, and why others were not.
    pub fn calls(&self) -> &[CallNote] {
        &self.calls
    }

    /// The intermediate representation, if it was to be kept.
    pub fn ir(&self) -> &str {
        &self.ir
    }

    /// The machine code as text, if it was to be kept.
    pub fn assembly(&self) -> &str {
        &self.assembly
    }
}
