//! Lazy DFA for the longest match from a place: for patterns too large for a table, and for text beyond ASCII where the
//! table holds only the ASCII part.

use std::cell::RefCell;

use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, Config, DFA};
use regex_automata::nfa::thompson::NFA;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};

use crate::limits::LAZY_CACHE_BYTES;
use crate::longest::{Outcome, Reach};

/// The automaton and its states so far.
pub(crate) struct Lazy {
    dfa: DFA,
    cache: RefCell<Cache>,
}

impl Lazy {
    pub(crate) fn build(nfa: &NFA) -> Option<Lazy> {
        let config = Config::new()
            .match_kind(MatchKind::All)
            .unicode_word_boundary(true)
            .cache_capacity(LAZY_CACHE_BYTES)
            .skip_cache_capacity_check(true);
        let dfa = DFA::builder().configure(config).build_from_nfa(nfa.clone()).ok()?;
        let cache = RefCell::new(dfa.create_cache());
        Some(Lazy { dfa, cache })
    }

    /// The longest match that begins at `at`.
    pub(crate) fn longest(&self, text: &[u8], at: usize) -> Outcome {
        match self.walk(text, at) {
            Some((end, read_to, _)) => Outcome::Known { end, read_to },
            None => Outcome::Quit,
        }
    }

    /// How far a match from `at` gets when more text may follow. A run that is still alive counts as open.
    pub(crate) fn reach(&self, text: &[u8], at: usize) -> Option<Reach> {
        self.walk(text, at).map(|(end, _, open)| Reach { end, open })
    }

    /// End of the longest match, how far it read, and whether it was still alive at the end of the text.
    fn walk(&self, text: &[u8], at: usize) -> Option<(Option<usize>, usize, bool)> {
        let cache = &mut *self.cache.borrow_mut();
        let before = if at == 0 { None } else { Some(text[at - 1]) };
        let start = start::Config::new().anchored(Anchored::Yes).look_behind(before);
        let mut state: LazyStateID = self.dfa.start_state(cache, &start).ok()?;
        let mut end = None;
        for (step_at, &byte) in text.iter().enumerate().skip(at) {
            state = self.dfa.next_state(cache, state, byte).ok()?;
            if state.is_tagged() {
                if state.is_match() {
                    end = Some(step_at);
                } else if state.is_dead() {
                    return Some((end, step_at, false));
                } else if state.is_quit() {
                    return None;
                }
            }
        }
        if self.dfa.next_eoi_state(cache, state).ok()?.is_match() {
            end = Some(text.len());
        }
        Some((end, text.len(), true))
    }
}
