//! Simulation by state sets: slow, but decides every case, including word boundaries beside
//! characters beyond ASCII, which no DFA here can, and groups of any match.

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;

use crate::Match;
use crate::longest::Outcome;
use riverhawk_memory::ran_out;

/// The automaton has no groups.
pub(crate) fn longest(nfa: &NFA, text: &[u8], at: usize) -> Outcome {
    let mut threads = Threads::new(nfa, &mut []);
    let mut end = None;
    threads.begin(text, at);
    let mut step_at = at;
    loop {
        if threads.current.members.iter().any(|&id| is_match(nfa, id)) {
            end = Some(step_at);
        }
        if !threads.step(text, step_at) || ran_out() {
            return Outcome::Known { end, read_to: step_at };
        }
        step_at += 1;
    }
}

/// The slots of a match: of the paths that end there, the first by the order of alternatives. None
/// if memory runs out.
pub(crate) fn groups(nfa: &NFA, text: &[u8], whole: Match, slots: &mut [Option<usize>]) {
    slots.fill(None);
    let mut threads = Threads::new(nfa, slots);
    threads.begin(text, whole.start);
    for at in whole.start..whole.end {
        if !threads.step(text, at) || ran_out() {
            break;
        }
    }
    let Threads { current, slots, .. } = threads;
    match current.members.iter().find(|&&id| is_match(nfa, id)) {
        Some(&id) => slots.copy_from_slice(current.slots_of(id)),
        None => slots.fill(None),
    }
}

fn is_match(nfa: &NFA, id: StateID) -> bool {
    matches!(nfa.state(id), State::Match { .. })
}

/// The state after the byte at `at`, from one that reads a byte.
pub(crate) fn after(nfa: &NFA, id: StateID, text: &[u8], at: usize) -> Option<StateID> {
    match nfa.state(id) {
        State::ByteRange { trans } => trans.matches(text, at).then_some(trans.next),
        State::Sparse(sparse) => sparse.matches(text, at),
        State::Dense(dense) => dense.matches(text, at),
        _ => None,
    }
}

/// What is left to do on a path through the automaton.
pub(crate) enum Frame {
    Step(StateID, usize),
    Restore(usize, Option<usize>),
}

/// All paths at one index, in the order of alternatives.
struct Threads<'n, 's> {
    nfa: &'n NFA,
    current: StateSet,
    next: StateSet,
    stack: Vec<Frame>,
    /// Of the path that is followed.
    slots: &'s mut [Option<usize>],
}

impl<'n, 's> Threads<'n, 's> {
    fn new(nfa: &'n NFA, slots: &'s mut [Option<usize>]) -> Threads<'n, 's> {
        let set = || StateSet::new(nfa.states().len(), slots.len());
        Threads { nfa, current: set(), next: set(), stack: Vec::new(), slots }
    }

    fn begin(&mut self, text: &[u8], at: usize) {
        self.follow(text, at, self.nfa.start_anchored());
        std::mem::swap(&mut self.current, &mut self.next);
    }

    /// Reads the byte at `at`; false if no path reads it.
    fn step(&mut self, text: &[u8], at: usize) -> bool {
        self.next.clear();
        for member in 0..self.current.members.len() {
            let id = self.current.members[member];
            if let Some(target) = after(self.nfa, id, text, at) {
                self.slots.copy_from_slice(self.current.slots_of(id));
                self.follow(text, at + 1, target);
            }
        }
        std::mem::swap(&mut self.current, &mut self.next);
        !self.current.members.is_empty()
    }

    /// Adds what is reached from a state without reading.
    fn follow(&mut self, text: &[u8], at: usize, id: StateID) {
        let Threads { nfa, next, stack, slots, .. } = self;
        stack.push(Frame::Step(id, at));
        while let Some(frame) = stack.pop() {
            let id = match frame {
                Frame::Step(id, _) => id,
                Frame::Restore(slot, old) => {
                    slots[slot] = old;
                    continue;
                }
            };
            if !next.insert(id, slots) {
                continue;
            }
            match nfa.state(id) {
                State::Union { alternates } => {
                    stack.extend(alternates.iter().rev().map(|&id| Frame::Step(id, at)))
                }
                State::BinaryUnion { alt1, alt2 } => {
                    stack.extend([Frame::Step(*alt2, at), Frame::Step(*alt1, at)])
                }
                State::Look { look, next } if nfa.look_matcher().matches(*look, text, at) => {
                    stack.push(Frame::Step(*next, at))
                }
                State::Capture { next, slot, .. } => {
                    let slot = slot.as_usize();
                    if let Some(place) = slots.get_mut(slot) {
                        stack.push(Frame::Restore(slot, place.replace(at)));
                    }
                    stack.push(Frame::Step(*next, at));
                }
                _ => {}
            }
        }
    }
}

struct StateSet {
    members: Vec<StateID>,
    present: Vec<bool>,
    /// By state: those of the path to it, if it is a member.
    slots: Vec<Option<usize>>,
    width: usize,
}

impl StateSet {
    fn new(states: usize, width: usize) -> StateSet {
        let slots = vec![None; states * width];
        StateSet { members: Vec::new(), present: vec![false; states], slots, width }
    }

    fn slots_of(&self, id: StateID) -> &[Option<usize>] {
        &self.slots[id.as_usize() * self.width..][..self.width]
    }

    fn insert(&mut self, id: StateID, slots: &[Option<usize>]) -> bool {
        let fresh = !std::mem::replace(&mut self.present[id.as_usize()], true);
        if fresh {
            self.members.push(id);
            self.slots[id.as_usize() * self.width..][..self.width].copy_from_slice(slots);
        }
        fresh
    }

    fn clear(&mut self) {
        for id in self.members.drain(..) {
            self.present[id.as_usize()] = false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::longest;
    use crate::longest::Outcome;
    use crate::{Options, Regex};

    #[test]
    fn every_kind_of_state_is_followed() {
        for (pattern, text, at, want) in [
            ("(a|b|c)x", "zbx", 1, Some(3)),
            ("(ab|cde|f|)x*", "cdexx", 0, Some(5)),
            (r"[a-cx-z]+\y", "abxé", 0, None),
            (r"(é|[b-d])+\>", "ébc d", 0, Some(4)),
            ("a(b)?", "aab", 1, Some(3)),
        ] {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            let Outcome::Known { end, .. } =
                longest(regex.automata.nfa().unwrap(), text.as_bytes(), at)
            else {
                panic!("{pattern} is given up");
            };
            assert_eq!(end, want, "{pattern} in {text}");
        }
    }
}
