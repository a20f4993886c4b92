//! How candidates find each other: a *link* is one word with the address of a function's code for a
//! class of arguments.
//!
//! Callers read it at each call, so replacing a callee changes no caller. It is never empty: at
//! first it leads to a *stub*, which leaves to the interpreter.

use crate::memory::CodeMemory;
use riverhawk_spesh::ir::{ReturnForm, Signature};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The links of one program.
#[derive(Debug)]
pub struct Links {
    words: Box<[AtomicUsize]>,
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    links: BTreeMap<Signature, Link>,
    /// Assigned on request, before anything is published.
    numbers: BTreeMap<Signature, u32>,
    /// Code that lives as long as the program: stubs, and replaced code that a thread may still
    /// run.
    retired: Vec<Arc<CodeMemory>>,
}

/// A link.
#[derive(Clone, Debug)]
pub struct Link {
    /// Its number.
    pub number: u32,
    /// What its code returns.
    pub returns: ReturnForm,
    code: Arc<CodeMemory>,
    stub: Arc<CodeMemory>,
}

impl Link {
    /// Leads to the interpreter.
    pub(crate) fn stub(&self) -> Arc<CodeMemory> {
        Arc::clone(&self.stub)
    }
}

/// Per program; calls without a link are left to the interpreter.
const MAX_LINKS: usize = 4_096;

impl Known {
    fn number(&mut self, signature: &Signature) -> Option<u32> {
        if let Some(&number) = self.numbers.get(signature) {
            return Some(number);
        }
        let number = self.numbers.len();
        if number >= MAX_LINKS {
            return None;
        }
        self.numbers.insert(signature.clone(), number as u32);
        Some(number as u32)
    }
}

impl Links {
    /// No links.
    pub fn new() -> Links {
        Links {
            words: (0..MAX_LINKS).map(|_| AtomicUsize::new(0)).collect(),
            known: Mutex::default(),
        }
    }

    /// The link of a signature, if it has one.
    pub fn find(&self, signature: &Signature) -> Option<Link> {
        self.known().links.get(signature).cloned()
    }

    /// The number of a signature's link, if there is room. It never changes, so a recursive
    /// function can be compiled before it is published.
    pub fn number(&self, signature: &Signature) -> Option<u32> {
        self.known().number(signature)
    }

    /// Makes calls lead to `code`. The code before lives on: callers may be in it.
    pub fn publish(
        &self,
        signature: Signature,
        returns: ReturnForm,
        code: Arc<CodeMemory>,
        stub: Arc<CodeMemory>,
    ) {
        let mut known = self.known();
        let Some(number) = known.number(&signature) else { return };
        self.words[number as usize].store(code.start().addr(), Ordering::Release);
        let link = Link { number, returns, code, stub };
        if let Some(before) = known.links.insert(signature, link) {
            known.retired.push(before.code);
        }
    }

    /// Makes calls lead to the interpreter.
    pub fn withdraw(&self, signature: &Signature) {
        let mut known = self.known();
        let Some(link) = known.links.get_mut(signature) else { return };
        let stub = Arc::clone(&link.stub);
        self.words[link.number as usize].store(stub.start().addr(), Ordering::Release);
        let code = std::mem::replace(&mut link.code, stub);
        known.retired.push(code);
    }

    pub(crate) fn keep(&self, code: Arc<CodeMemory>) {
        self.known().retired.push(code);
    }

    /// The address of a link's word, fixed while the links live.
    pub fn word(&self, number: u32) -> usize {
        std::ptr::from_ref(&self.words[number as usize]).addr()
    }

    fn known(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Links {
    fn default() -> Links {
        Links::new()
    }
}
