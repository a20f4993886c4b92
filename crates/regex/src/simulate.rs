//! Simulation by state sets: slow, but decides every case, including word boundaries beside
//! characters beyond ASCII, which no DFA here can.

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;

use crate::longest::Outcome;
use riverhawk_memory::ran_out;

/// The automaton has no groups.
pub(crate) fn longest(nfa: &NFA, text: &[u8], at: usize) -> Outcome {
    let mut current = StateSet::new(nfa.states().len());
    let mut next = StateSet::new(nfa.states().len());
    let mut stack = Vec::new();
    let mut end = None;
    follow(nfa, text, at, nfa.start_anchored(), &mut current, &mut stack);
    let mut step_at = at;
    loop {
        for &id in &current.members {
            let target = match nfa.state(id) {
                State::Match { .. } => {
                    end = Some(step_at);
                    None
                }
                State::ByteRange { trans } => trans.matches(text, step_at).then_some(trans.next),
                State::Sparse(sparse) => sparse.matches(text, step_at),
                State::Dense(dense) => dense.matches(text, step_at),
                _ => None,
            };
            if let Some(target) = target {
                follow(nfa, text, step_at + 1, target, &mut next, &mut stack);
            }
        }
        if next.members.is_empty() || ran_out() {
            return Outcome::Known { end, read_to: step_at };
        }
        std::mem::swap(&mut current, &mut next);
        next.clear();
        step_at += 1;
    }
}

fn follow(
    nfa: &NFA,
    text: &[u8],
    at: usize,
    id: StateID,
    set: &mut StateSet,
    stack: &mut Vec<StateID>,
) {
    stack.push(id);
    while let Some(id) = stack.pop() {
        if !set.insert(id) {
            continue;
        }
        match nfa.state(id) {
            State::Union { alternates } => stack.extend(alternates.iter().copied()),
            State::BinaryUnion { alt1, alt2 } => stack.extend([*alt1, *alt2]),
            State::Look { look, next } if nfa.look_matcher().matches(*look, text, at) => {
                stack.push(*next)
            }
            _ => {}
        }
    }
}

struct StateSet {
    members: Vec<StateID>,
    present: Vec<bool>,
}

impl StateSet {
    fn new(states: usize) -> StateSet {
        StateSet { members: Vec::new(), present: vec![false; states] }
    }

    fn insert(&mut self, id: StateID) -> bool {
        let fresh = !std::mem::replace(&mut self.present[id.as_usize()], true);
        if fresh {
            self.members.push(id);
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
