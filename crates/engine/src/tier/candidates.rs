//! The machine code of one program, shared by the thread that makes it and those that run it.
//!
//! Changes are made in the book, then counted. A thread that runs the program opens the book only
//! if the count has changed.

use riverhawk_jit::Candidate;
use riverhawk_spesh::ir::{EntryPoint, ExitReason, FrameName};
use riverhawk_spesh::{RegisteredFrame, SpecialisationKey, Type};
use riverhawk_value::Value;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Default)]
pub(super) struct Candidates {
    edition: AtomicU32,
    book: Mutex<CandidateRegistry>,
}

#[derive(Default)]
pub(super) struct CandidateRegistry {
    /// By number. A withdrawn one stays alive where it runs, since each thread owns those it has
    /// seen.
    all: BTreeMap<u64, Arc<Made>>,
    /// Guards of withdrawn candidates: operation, frame, reason, failures.
    failures: Vec<(u32, FrameName, ExitReason, u64)>,
    /// Kept for the final report.
    withdrawn: Vec<Arc<Made>>,
    /// By loop header.
    pub(super) loops: BTreeMap<u32, Arc<Made>>,
    /// By function, in the order to try.
    pub(super) functions: BTreeMap<u32, Vec<Arc<Made>>>,
    /// Contents of slots when a loop repeated.
    heads: BTreeMap<(FrameName, u32), Head>,
}

pub(super) struct Made {
    pub(super) candidate: Candidate,
    /// `None` if it was compiled as a callee.
    pub(super) origin: Option<(Arc<RegisteredFrame>, SpecialisationKey)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) turns: u32,
    pub(super) registers: Vec<Option<Type>>,
    pub(super) globals: Vec<Option<Type>>,
}

impl Candidates {
    pub(super) fn edition(&self) -> u32 {
        self.edition.load(Ordering::Acquire)
    }

    pub(super) fn book(&self) -> MutexGuard<'_, CandidateRegistry> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn publish(&self, made: Made) {
        let made = Arc::new(made);
        let mut book = self.book();
        book.all.insert(made.candidate.number(), made.clone());
        match (made.candidate.entry_point(), made.candidate.frame()) {
            (EntryPoint::Loop { header, .. }, _) => {
                book.loops.insert(*header, made);
            }
            (EntryPoint::Call { .. }, FrameName::Function(function)) => {
                let of_function = book.functions.entry(function).or_default();
                of_function.push(made);
                // The one with the most assumptions comes first.
                of_function.sort_by_key(|made| std::cmp::Reverse(made.relies_on()));
            }
            (EntryPoint::Call { .. }, _) => {}
        }
        drop(book);
        self.edition.fetch_add(1, Ordering::Release);
    }

    pub(super) fn withdraw(&self, made: &Arc<Made>) {
        made.candidate.withdraw();
        let mut book = self.book();
        let failures = made
            .candidate
            .failures()
            .map(|(at, reason, count)| (at, made.candidate.frame(), reason, count));
        book.failures.extend(failures);
        if let Some(made) = book.all.remove(&made.candidate.number())
            && !(made.candidate.ir().is_empty() && made.candidate.assembly().is_empty())
        {
            book.withdrawn.push(made);
        }
        let is_other = |other: &Arc<Made>| !Arc::ptr_eq(other, made);
        book.loops.retain(|_, other| is_other(other));
        book.functions.values_mut().for_each(|of_function| of_function.retain(is_other));
        book.functions.retain(|_, of_function| !of_function.is_empty());
        drop(book);
        self.edition.fetch_add(1, Ordering::Release);
    }

    pub(super) fn numbered(&self, number: u64) -> Option<Arc<Made>> {
        self.book().all.get(&number).cloned()
    }

    pub(super) fn text(&self) -> String {
        let book = self.book();
        let mut all: Vec<&Arc<Made>> = book.all.values().chain(&book.withdrawn).collect();
        all.sort_by_key(|made| made.candidate.number());
        let text =
            |made: &&Arc<Made>| format!("{}{}", made.candidate.ir(), made.candidate.assembly());
        all.iter().map(text).collect()
    }

    pub(super) fn failures(&self) -> Vec<(u32, FrameName, ExitReason, u64)> {
        let book = self.book();
        let live = book.all.values().flat_map(|made| {
            let frame = made.candidate.frame();
            made.candidate.failures().map(move |(at, reason, count)| (at, frame, reason, count))
        });
        book.failures.iter().copied().chain(live).collect()
    }

    pub(super) fn note_head(&self, frame: FrameName, at: u32, head: Head) {
        self.book().heads.insert((frame, at), head);
    }

    pub(super) fn heads(&self, frame: FrameName) -> Vec<(u32, Head)> {
        let book = self.book();
        let of_frame = book.heads.iter().filter(|((name, _), _)| *name == frame);
        of_frame.map(|((_, at), head)| (*at, head.clone())).collect()
    }
}

impl Made {
    /// Number of arguments with an assumed type.
    fn relies_on(&self) -> usize {
        match self.candidate.entry_point() {
            EntryPoint::Call { arguments } => arguments.iter().flatten().count(),
            EntryPoint::Loop { .. } => 0,
        }
    }

    /// Whether its guards may hold; the machine code checks again.
    pub(super) fn admits(&self, arguments: &[Value]) -> bool {
        let EntryPoint::Call { arguments: wanted } = self.candidate.entry_point() else {
            return false;
        };
        wanted.len() == arguments.len()
            && wanted
                .iter()
                .zip(arguments)
                .all(|(wanted, value)| wanted.is_none() || *wanted == certain_type(value))
    }
}

/// The type, if the tag determines it.
pub(super) fn certain_type(value: &Value) -> Option<Type> {
    match value {
        Value::Num(_) => Some(Type::Num),
        Value::Array(_) => Some(Type::Array),
        Value::Uninit => Some(Type::Uninit),
        _ => None,
    }
}
