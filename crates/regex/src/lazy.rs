//! Lazy DFA for the longest match: for patterns too large for a table, and text beyond ASCII where
//! the table is ASCII only.

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, Config, DFA};
use regex_automata::nfa::thompson::NFA;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};

use crate::limits::LAZY_CACHE_BYTES;
use crate::longest::{Arrival, NOWHERE, Outcome, Reach, Walk};
use crate::pieces::bytes_at_once;
use riverhawk_memory::ran_out;

pub(crate) struct Lazy {
    dfa: DFA,
    /// Bytes between two questions whether the search is still wanted.
    at_once: usize,
}

impl Lazy {
    pub(crate) fn build(nfa: &NFA) -> Option<Lazy> {
        let config = Config::new()
            .match_kind(MatchKind::All)
            .unicode_word_boundary(true)
            .cache_capacity(LAZY_CACHE_BYTES)
            .skip_cache_capacity_check(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa.clone()).ok()?;
        Some(Lazy { dfa, at_once: bytes_at_once(nfa.states().len()) })
    }

    pub(crate) fn longest(&self, cache: &mut Cache, text: &[u8], at: usize) -> Outcome {
        let Some(mut walk) = self.begin(cache, text, at) else { return Outcome::Quit };
        match self.go_on(cache, &mut walk, text, Arrival::Complete) {
            Reach::Quit | Reach::Open => Outcome::Quit,
            _ => {
                Outcome::Known { end: (walk.end != NOWHERE).then_some(walk.end), read_to: walk.at }
            }
        }
    }

    /// Whether there is a match from `at` on, if known; false if memory has run out.
    pub(crate) fn matches(&self, cache: &mut Cache, text: &[u8], at: usize) -> Option<bool> {
        let before = if at == 0 { None } else { Some(text[at - 1]) };
        let start = start::Config::new().anchored(Anchored::No).look_behind(before);
        let mut state = self.dfa.start_state(cache, &start).ok()?;
        for piece in text[at..].chunks(self.at_once) {
            for &byte in piece {
                state = self.dfa.next_state(cache, state, byte).ok()?;
                if state.is_tagged() {
                    if state.is_match() {
                        return Some(true);
                    } else if state.is_dead() {
                        return Some(false);
                    } else if state.is_quit() {
                        return None;
                    }
                }
            }
            if ran_out() {
                return Some(false);
            }
        }
        self.dfa.next_eoi_state(cache, state).ok().map(|state| state.is_match())
    }

    pub(crate) fn create_cache(&self) -> Cache {
        self.dfa.create_cache()
    }

    pub(crate) fn begin(
        &self,
        cache: &mut Cache,
        text: &[u8],
        at: usize,
    ) -> Option<Walk<LazyStateID>> {
        let before = if at == 0 { None } else { Some(text[at - 1]) };
        let start = start::Config::new().anchored(Anchored::Yes).look_behind(before);
        let state = self.dfa.start_state(cache, &start).ok()?;
        Some(Walk { start: at, at, state, end: NOWHERE })
    }

    /// If more text may come, a live run stays open.
    pub(crate) fn go_on(
        &self,
        cache: &mut Cache,
        walk: &mut Walk<LazyStateID>,
        text: &[u8],
        arrival: Arrival,
    ) -> Reach {
        for piece in text[walk.at..].chunks(self.at_once) {
            for &byte in piece {
                let Ok(state) = self.dfa.next_state(cache, walk.state, byte) else {
                    return Reach::Quit;
                };
                walk.state = state;
                if state.is_tagged() {
                    if state.is_match() {
                        walk.end = walk.at;
                    } else if state.is_dead() {
                        return walk.settle();
                    } else if state.is_quit() {
                        return Reach::Quit;
                    }
                }
                walk.at += 1;
            }
            if ran_out() && arrival == Arrival::Complete {
                return walk.settle();
            }
        }
        if arrival == Arrival::Partial {
            return Reach::Open;
        }
        match self.dfa.next_eoi_state(cache, walk.state) {
            Ok(state) if state.is_match() => walk.end = walk.at,
            Ok(_) => {}
            Err(_) => return Reach::Quit,
        }
        walk.settle()
    }
}
