//! The first match of a text that may arrive in chunks, from all starts at once: slower than a run
//! from one start, but each byte is read once however many starts fail.
//!
//! States advance together, each with its earliest start. The first start with a match ends later
//! ones and waits for earlier ones.

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::primitives::StateID;

use crate::Match;
use crate::longest::{Arrival, Reach};
use crate::simulate::after;
use riverhawk_memory::ran_out;

pub(crate) struct EveryStart {
    /// Read up to here.
    pub at: usize,
    /// States entered at `at` and their starts, earliest first.
    entered: Vec<(StateID, usize)>,
    /// Their closure over empty transitions, in the same order.
    reached: Vec<(StateID, usize)>,
    is_reached: Vec<bool>,
    stack: Vec<StateID>,
    best: Option<Match>,
    /// Bytes that assertions look ahead.
    looks_ahead: usize,
}

impl EveryStart {
    pub(crate) fn new(nfa: &NFA) -> EveryStart {
        let looks = nfa.look_set_any();
        let looks_ahead = match looks.is_empty() {
            true => 0,
            // One character.
            false if looks.contains_word_unicode() => 4,
            false => 1,
        };
        let is_reached = vec![false; nfa.states().len()];
        let (entered, reached, stack) = (Vec::new(), Vec::new(), Vec::new());
        EveryStart { at: 0, entered, reached, is_reached, stack, best: None, looks_ahead }
    }

    pub(crate) fn begin(&mut self, at: usize) {
        self.at = at;
        self.entered.clear();
        self.best = None;
    }

    pub(crate) fn earliest(&self) -> usize {
        let entered = self.entered.first().map_or(self.at, |&(_, start)| start);
        self.best.map_or(entered, |best| entered.min(best.start))
    }

    /// Continues through a text that has grown. Ends without a match when no run is left.
    pub(crate) fn go_on(&mut self, nfa: &NFA, text: &[u8], arrival: Arrival) -> Reach {
        let at_end = arrival == Arrival::Complete;
        loop {
            if !at_end && self.at + self.looks_ahead > text.len() {
                return Reach::Open;
            }
            self.reach(nfa, text);
            let is_alive =
                self.reached.iter().any(|&(id, _)| !matches!(nfa.state(id), State::Match { .. }));
            if self.at == text.len() && is_alive && !at_end {
                return Reach::Open;
            }
            self.entered.clear();
            for &(id, start) in &self.reached {
                let target = after(nfa, id, text, self.at);
                self.entered.extend(target.map(|target| (target, start)));
            }
            self.at += 1;
            if self.entered.is_empty() || (at_end && ran_out()) {
                return self.best.map_or(Reach::Nothing { go_on_at: self.at }, Reach::Found);
            }
        }
    }

    /// Follows empty transitions, and begins a run unless an earlier one has matched.
    fn reach(&mut self, nfa: &NFA, text: &[u8]) {
        self.reached.clear();
        let stack = &mut self.stack;
        let begun = self.best.is_none().then_some((nfa.start_anchored(), self.at));
        for (id, start) in self.entered.iter().copied().chain(begun) {
            if self.best.is_some_and(|best| best.start < start) {
                break;
            }
            stack.push(id);
            while let Some(id) = stack.pop() {
                if std::mem::replace(&mut self.is_reached[id.as_usize()], true) {
                    continue;
                }
                self.reached.push((id, start));
                match nfa.state(id) {
                    State::Match { .. } if start < self.at => {
                        self.best = Some(Match { start, end: self.at })
                    }
                    State::Union { alternates } => stack.extend(alternates.iter().copied()),
                    State::BinaryUnion { alt1, alt2 } => stack.extend([*alt1, *alt2]),
                    State::Capture { next, .. } => stack.push(*next),
                    State::Look { look, next }
                        if nfa.look_matcher().matches(*look, text, self.at) =>
                    {
                        stack.push(*next)
                    }
                    _ => {}
                }
            }
        }
        for &(id, _) in &self.reached {
            self.is_reached[id.as_usize()] = false;
        }
        self.reached.retain(|&(id, _)| {
            matches!(
                nfa.state(id),
                State::Match { .. } | State::ByteRange { .. } | State::Sparse(_) | State::Dense(_)
            )
        });
    }
}
