//! Groups of a match whose span is known.
//!
//! gawk's groups are not POSIX's: they follow the order of alternatives, greedily, within the
//! longest match. `(a|ab)(c|bcd)(d*)` splits `abcd` into `a`, `bcd` and nothing. They differ from
//! gawk's in some patterns with intervals, empty alternatives or optional groups inside repeats,
//! where glibc keeps or drops an empty round.

use std::sync::OnceLock;

use regex_automata::dfa::onepass;
use regex_automata::nfa::thompson::{NFA, State, WhichCaptures, pikevm};
use regex_automata::util::primitives::{NonMaxUsize, StateID};
use regex_automata::{Anchored, Input};
use regex_syntax::hir::{Hir, Look};

use crate::Match;
use crate::automata::compile;
use crate::limits::{BACKTRACK_BITS, ONE_PASS_BYTES};

#[derive(Default)]
pub(crate) struct Captures {
    one_pass: OnceLock<Option<onepass::DFA>>,
    nfa: OnceLock<Option<NFA>>,
}

/// A DFA with slots, for patterns where the next byte always decides the next step, without
/// lookahead: the text is cut at the end of the match.
fn one_pass(hir: &Hir) -> Option<onepass::DFA> {
    if hir.properties().look_set().iter().any(|look| look != Look::Start) {
        return None;
    }
    let nfa = compile(&pinned(hir), WhichCaptures::All)?;
    let config = onepass::Config::new().size_limit(Some(ONE_PASS_BYTES));
    onepass::Builder::new().configure(config).build_from_nfa(nfa).ok()
}

fn pinned(hir: &Hir) -> Hir {
    Hir::concat(vec![hir.clone(), Hir::look(Look::End)])
}

/// What a thread needs to find groups.
#[derive(Default)]
pub(crate) struct Scratch {
    one_pass: Option<onepass::Cache>,
    /// By state and index. Those visited have failed or are on the path.
    visited: Vec<u64>,
    stack: Vec<Frame>,
    slots: Vec<Option<usize>>,
    found: Vec<Option<NonMaxUsize>>,
}

enum Frame {
    Step(StateID, usize),
    Restore(usize, Option<usize>),
}

impl Captures {
    #[cfg(test)]
    pub(crate) fn are_decided_by_the_next_byte(hir: &Hir) -> bool {
        one_pass(hir).is_some()
    }

    /// Fills `groups` after its first entry.
    pub(crate) fn fill(
        &self,
        hir: &Hir,
        text: &[u8],
        whole: Match,
        count: usize,
        scratch: &mut Scratch,
        groups: &mut Vec<Option<Match>>,
    ) {
        groups.clear();
        groups.push(Some(whole));
        groups.resize(count + 1, None);
        if count == 0 {
            return;
        }
        if let Some(dfa) = self.one_pass.get_or_init(|| one_pass(hir)) {
            let Scratch { one_pass, found, .. } = scratch;
            found.clear();
            found.resize(2 * (count + 1), None);
            let cache = one_pass.get_or_insert_with(|| dfa.create_cache());
            let input = Input::new(&text[..whole.end]).range(whole.start..).anchored(Anchored::Yes);
            if dfa.try_search_slots(cache, &input, found).is_ok_and(|found| found.is_some()) {
                write_groups(groups, found.iter().map(|slot| slot.map(NonMaxUsize::get)));
                return;
            }
        }
        let Some(nfa) = self.nfa.get_or_init(|| compile(hir, WhichCaptures::All)).as_ref() else {
            return;
        };
        scratch.slots.clear();
        scratch.slots.resize(2 * (count + 1), None);
        let places = whole.end - whole.start + 1;
        if nfa.states().len().saturating_mul(places) <= BACKTRACK_BITS {
            backtrack(nfa, text, whole, scratch);
        } else {
            simulate(hir, &text[..whole.end], whole.start, &mut scratch.slots);
        }
        write_groups(groups, scratch.slots.iter().copied());
    }
}

fn write_groups(groups: &mut [Option<Match>], mut slots: impl Iterator<Item = Option<usize>>) {
    for (index, group) in groups.iter_mut().enumerate() {
        let pair = (slots.next().flatten(), slots.next().flatten());
        if let (Some(start), Some(end)) = pair
            && index > 0
        {
            *group = Some(Match { start, end });
        }
    }
}

/// Tries alternatives in order, never a state twice at one index: linear.
fn backtrack(nfa: &NFA, text: &[u8], whole: Match, scratch: &mut Scratch) {
    let Scratch { visited, stack, slots, .. } = scratch;
    let places = whole.end - whole.start + 1;
    visited.clear();
    visited.resize((nfa.states().len() * places).div_ceil(64), 0);
    stack.clear();
    stack.push(Frame::Step(nfa.start_anchored(), whole.start));
    while let Some(frame) = stack.pop() {
        let (mut id, mut at) = match frame {
            Frame::Restore(slot, old) => {
                slots[slot] = old;
                continue;
            }
            Frame::Step(id, at) => (id, at),
        };
        loop {
            let bit = id.as_usize() * places + (at - whole.start);
            if visited[bit / 64] & (1 << (bit % 64)) != 0 {
                break;
            }
            visited[bit / 64] |= 1 << (bit % 64);
            let inside = at < whole.end;
            let target = match nfa.state(id) {
                State::Match { .. } if at == whole.end => return,
                State::ByteRange { trans } if inside => {
                    trans.matches(text, at).then_some(trans.next)
                }
                State::Sparse(sparse) if inside => sparse.matches(text, at),
                State::Dense(dense) if inside => dense.matches(text, at),
                State::Look { look, next } if nfa.look_matcher().matches(*look, text, at) => {
                    id = *next;
                    continue;
                }
                State::Capture { next, slot, .. } => {
                    let slot = slot.as_usize();
                    stack.push(Frame::Restore(slot, slots[slot]));
                    slots[slot] = Some(at);
                    id = *next;
                    continue;
                }
                State::BinaryUnion { alt1, alt2 } => {
                    stack.push(Frame::Step(*alt2, at));
                    id = *alt1;
                    continue;
                }
                State::Union { alternates } => {
                    let Some((&first, rest)) = alternates.split_first() else { break };
                    stack.extend(rest.iter().rev().map(|&id| Frame::Step(id, at)));
                    id = first;
                    continue;
                }
                _ => None,
            };
            let Some(target) = target else { break };
            id = target;
            at += 1;
        }
    }
}

/// For matches too long for the visited set. The cut makes `$` and word boundaries see the end of
/// the text; this affects only groups.
fn simulate(hir: &Hir, text: &[u8], start_at: usize, slots: &mut [Option<usize>]) {
    let Some(nfa) = compile(&pinned(hir), WhichCaptures::All) else { return };
    let Ok(vm) = pikevm::PikeVM::new_from_nfa(nfa) else { return };
    let mut found: Vec<Option<NonMaxUsize>> = vec![None; slots.len()];
    let input = Input::new(text).range(start_at..).anchored(Anchored::Yes);
    if vm.search_slots(&mut vm.create_cache(), &input, &mut found).is_some() {
        for (slot, found) in slots.iter_mut().zip(found) {
            *slot = found.map(NonMaxUsize::get);
        }
    }
}
