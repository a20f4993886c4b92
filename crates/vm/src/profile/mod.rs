//! The profile of a run: how often rules and functions are entered, from where, and how long they
//! take.
//!
//! A profiled program has operations, *marks*, where a rule begins and where a function begins and
//! returns. They keep a stack, count, and poll a byte that a timer sets. The mark that finds it set
//! takes a *sample*: the time since the last one counts for the stack before the mark. Between two
//! marks only one rule or function runs, so a late sample is still correct. Machine code does the
//! same ([`crate::native`]).
//!
//! A *site* is where something is entered from: a call, or the mark of a rule. An operation that
//! may call any function is a site for each.

mod target;
use target::NO_TARGET;
pub use target::{CodeKind, Target};

mod recorded;

mod tree;

pub use tree::Node;
use tree::Tree;

use riverhawk_bytecode::{Op, Unit as Program};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A site and its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Site {
    /// The operation.
    pub at: u32,
    /// What is entered.
    pub target: Target,
    /// Number of entries, by [`CodeKind`].
    pub entries: [u64; 3],
    /// Nanoseconds here and below. A sample counts once for each target, at its outermost site.
    pub time: u64,
}

/// A profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// Time of the run.
    pub elapsed: Duration,
    /// Number of samples.
    pub samples: u64,
    /// The sites by operation.
    pub sites: Vec<Site>,
    /// The call tree; the first node is the program.
    pub tree: Vec<Node>,
    /// Nanoseconds in a target and below it; recursion counts once.
    pub inclusive: Vec<(Target, u64)>,
}

/// A power of two above the deepest nesting, so that a masked index is valid. Unused pages are
/// never mapped.
pub(crate) const STACK: usize = 2 * crate::frames::MAX_CALLS;

/// Makes a profile while a program runs.
pub struct Recorder {
    due: Arc<AtomicBool>,
    always: bool,
    began: Instant,
    last: Instant,
    samples: u64,
    pub(crate) stack: Vec<u32>,
    pub(crate) depth: u32,
    floor: u32,
    targets: Vec<u32>,
    others: HashMap<(u32, u32), u32>,
    pub(crate) entries: [Vec<u64>; 3],
    functions: u32,
    tree: Tree,
}

impl Recorder {
    /// For a profiled program. A timer sets `due`; without one every mark takes a sample.
    pub fn new(program: &Program, due: Option<Arc<AtomicBool>>) -> Recorder {
        let always = due.is_none();
        let due = due.unwrap_or_else(|| Arc::new(AtomicBool::new(true)));
        let functions = program.functions.len() as u32;
        let target = |op: &Op| match *op {
            Op::Call { function, .. } => function.0,
            Op::EnterRule { rule } => functions + rule.0,
            _ => NO_TARGET,
        };
        let targets: Vec<u32> = program.code.iter().map(target).collect();
        let sites = targets.len();
        let now = Instant::now();
        Recorder {
            due,
            always,
            began: now,
            last: now,
            samples: 0,
            stack: vec![0; STACK],
            depth: 0,
            floor: 0,
            targets,
            others: HashMap::new(),
            entries: std::array::from_fn(|_| vec![0; sites]),
            functions,
            tree: Tree::new(functions as usize + program.rules.len()),
        }
    }

    pub(crate) fn site(&mut self, at: u32, function: u32) -> u32 {
        if self.targets.get(at as usize) == Some(&function) {
            return at;
        }
        *self.others.entry((at, function)).or_insert_with(|| {
            self.targets.push(function);
            self.entries.iter_mut().for_each(|entries| entries.push(0));
            self.targets.len() as u32 - 1
        })
    }

    fn enter_rule(&mut self, at: u32) {
        self.sample_if_due(CodeKind::Interpreted);
        self.depth = self.floor;
        self.push(at);
    }

    fn enter_function(&mut self, site: u32) {
        self.sample_if_due(CodeKind::Interpreted);
        self.push(site);
    }

    fn leave_function(&mut self) {
        self.sample_if_due(CodeKind::Interpreted);
        self.depth = self.depth.saturating_sub(1);
    }

    fn push(&mut self, site: u32) {
        self.stack[self.depth as usize % STACK] = site;
        self.depth += 1;
        if let Some(entries) = self.entries[CodeKind::Interpreted as usize].get_mut(site as usize) {
            *entries += 1;
        }
    }

    #[inline]
    pub(crate) fn sample_if_due(&mut self, code: CodeKind) {
        if self.due.load(Ordering::Relaxed) {
            self.sample(code);
        }
    }

    #[cold]
    #[inline(never)]
    fn sample(&mut self, code: CodeKind) {
        self.due.store(self.always, Ordering::Relaxed);
        let now = Instant::now();
        let time = (now - self.last).as_nanos() as u64;
        self.last = now;
        self.samples += 1;
        let depth = (self.depth as usize).min(STACK);
        self.tree.add(&self.stack[..depth], &self.targets, time, code);
    }

    pub(crate) fn due(&self) -> *const u8 {
        self.due.as_ptr().cast_const().cast()
    }

    /// The profile.
    pub fn finish(mut self) -> Recorded {
        self.sample(CodeKind::Interpreted);
        let target = |number: u32| match number.checked_sub(self.functions) {
            None => Target::Function(number),
            Some(rule) => Target::Rule(rule),
        };
        let operations: HashMap<u32, u32> =
            self.others.iter().map(|(&(at, _), &site)| (site, at)).collect();
        let mut sites = Vec::new();
        for (site, &entered) in (0..).zip(&self.targets) {
            let entries = [0, 1, 2].map(|how| self.entries[how][site as usize]);
            if entered != NO_TARGET && entries != [0; 3] {
                let at = operations.get(&site).copied().unwrap_or(site);
                sites.push(Site {
                    at,
                    target: target(entered),
                    entries,
                    time: self.tree.below(site),
                });
            }
        }
        sites.sort_by_key(|site| (site.at, site.target));
        let inclusive =
            self.tree.inclusive().map(|(number, time)| (target(number), time)).collect();
        Recorded {
            elapsed: self.last - self.began,
            samples: self.samples,
            sites,
            tree: self.tree.nodes(target),
            inclusive,
        }
    }
}
