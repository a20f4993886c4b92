//! Counts where a thread entered machine code at a loop, and where and why it left.
//!
//! Reasons are always counted, since leaving takes a quarter of a microsecond anyway; positions
//! only in a profiled run.

use riverhawk_bytecode::Unit;
use riverhawk_spesh::ir::{ExitReason, FrameName, Slot};
use riverhawk_tools::profile::CodeUse;
use riverhawk_vm::native::Leaving;
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct CodeUseCounts {
    counts: [u64; Leaving::ALL.len()],
    /// `None` unless the run is profiled.
    places: Option<Places>,
}

#[derive(Default)]
struct Places {
    loops: BTreeMap<u32, u64>,
    left: BTreeMap<(u32, u32), u64>,
}

impl CodeUseCounts {
    pub(super) fn new(unit: &Unit) -> CodeUseCounts {
        let places = (!unit.rules.is_empty()).then(Places::default);
        CodeUseCounts { places, ..CodeUseCounts::default() }
    }

    pub(super) fn enter_loop(&mut self, head: u32) {
        if let Some(places) = &mut self.places {
            *places.loops.entry(head).or_default() += 1;
        }
    }

    pub(super) fn leave(&mut self, why: Leaving, at: u32) {
        self.counts[why as usize] += 1;
        if let Some(places) = &mut self.places {
            *places.left.entry((at, why as u32)).or_default() += 1;
        }
    }

    /// By reason, without failed guards.
    pub(super) fn left(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let counted = Leaving::ALL.into_iter().zip(self.counts);
        counted.filter(|(why, _)| *why != Leaving::Guard).map(|(why, count)| (counter(why), count))
    }

    pub(super) fn code_use(
        &self,
        failures: Vec<(u32, FrameName, ExitReason, u64)>,
        unit: &Unit,
    ) -> CodeUse {
        let mut all: BTreeMap<(u32, bool, String), u64> = BTreeMap::new();
        for (at, frame, reason, count) in failures {
            *all.entry((at, true, guard_in_words(reason, frame, unit))).or_default() += count;
        }
        let mut code_use = CodeUse::default();
        if let Some(places) = &self.places {
            code_use.loops = places.loops.iter().map(|(&head, &count)| (head, count)).collect();
            for (&(at, why), &count) in &places.left {
                if let Some(&why) = Leaving::ALL.get(why as usize) {
                    *all.entry((at, false, in_words(why).to_owned())).or_default() += count;
                }
            }
        }
        code_use.fallbacks = all
            .into_iter()
            .map(|((at, is_guard, why), count)| (at, why, is_guard, count))
            .collect();
        code_use
    }
}

fn counter(why: Leaving) -> &'static str {
    match why {
        Leaving::Guard => "machine code left: a guard",
        Leaving::Operation => "machine code left: an operation of the interpreter",
        Leaving::Call => "machine code left: a call of what has none",
        Leaving::Return => "machine code left: a return behind a loop",
        Leaving::Operand => "machine code left: an unusual operand",
        Leaving::Assigned => "machine code left: a command line assignment",
        Leaving::Depth => "machine code left: recursion too deep",
        Leaving::Error => "machine code left: an error",
    }
}

fn in_words(why: Leaving) -> &'static str {
    match why {
        Leaving::Guard => "what was relied on did not hold",
        Leaving::Operation => "the interpreter alone performs this",
        Leaving::Call => "the function has no machine code for such arguments",
        Leaving::Return => "the code was entered at a loop, and the function returns",
        Leaving::Operand => {
            "an operand that the interpreter treats otherwise, such as a divisor of zero"
        }
        Leaving::Assigned => "the command line assigned variables",
        Leaving::Depth => "no room on the stack for another call",
        Leaving::Error => "it failed",
    }
}

fn guard_in_words(reason: ExitReason, frame: FrameName, unit: &Unit) -> String {
    match reason {
        ExitReason::Argument => {
            String::from("an argument is of another type than the code was made for")
        }
        ExitReason::Variable(slot) => match variable(slot, frame, unit) {
            Some(name) => format!("`{name}' is of another type than when the loop was observed"),
            None => String::from("a value is of another type than when the loop was observed"),
        },
        ExitReason::Result => String::from("this brings no number, as it did when it was observed"),
        ExitReason::Element => {
            String::from("the element is no number, as it was when it was observed")
        }
        ExitReason::Special => {
            String::from("the variable was assigned something that is no number")
        }
        ExitReason::Operand
        | ExitReason::Subarray
        | ExitReason::Operation
        | ExitReason::Call
        | ExitReason::Return
        | ExitReason::Callee
        | ExitReason::Assigned
        | ExitReason::Depth => String::from("what was relied on did not hold"),
    }
}

/// The variable in a slot, if the program's text has it.
fn variable(slot: Slot, frame: FrameName, unit: &Unit) -> Option<&str> {
    match slot {
        Slot::Static(number) => {
            unit.globals.get(usize::from(number)).map(|global| global.name.as_str())
        }
        Slot::Register(number) => {
            let FrameName::Function(function) = frame else { return None };
            unit.functions
                .get(function as usize)?
                .params
                .get(usize::from(number))
                .map(String::as_str)
        }
    }
}
