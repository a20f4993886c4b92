//! Groups of a match whose span is known.
//!
//! gawk's groups are not POSIX's: they follow the order of alternatives, greedily, within the
//! longest match. `(a|ab)(c|bcd)(d*)` splits `abcd` into `a`, `bcd` and nothing. They differ from
//! gawk's in some patterns with intervals, empty alternatives or optional groups inside repeats,
//! where glibc keeps or drops an empty round.

use std::sync::OnceLock;

use regex_automata::nfa::thompson::{NFA, State, WhichCaptures};
use regex_syntax::hir::Hir;
use riverhawk_memory::ran_out;

use crate::Match;
use crate::automata::compile;
use crate::limits::BACKTRACK_BITS;
use crate::one_pass::OnePass;
use crate::pieces::AT_ONCE;
use crate::simulate::{self, Frame};

#[derive(Default)]
pub(crate) struct Captures {
    nfa: OnceLock<Option<NFA>>,
    one_pass: OnceLock<Option<OnePass>>,
}

/// What a thread needs to find groups.
#[derive(Default)]
pub(crate) struct Scratch {
    /// By state and index. Those visited have failed or are on the path.
    visited: Vec<u64>,
    stack: Vec<Frame>,
    slots: Vec<Option<usize>>,
}

impl Captures {
    fn nfa(&self, hir: &Hir) -> Option<&NFA> {
        self.nfa.get_or_init(|| compile(hir, WhichCaptures::All)).as_ref()
    }

    pub(crate) fn one_pass(&self, hir: &Hir) -> Option<&OnePass> {
        self.one_pass.get_or_init(|| OnePass::build(self.nfa(hir)?)).as_ref()
    }

    /// Fills `groups` after its first entry; if memory runs out, not all of them.
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
        let Some(nfa) = self.nfa(hir) else { return };
        scratch.slots.clear();
        scratch.slots.resize(2 * (count + 1), None);
        let places = whole.end - whole.start + 1;
        let most_steps = nfa.states().len().saturating_mul(places);
        if let Some(one_pass) = self.one_pass(hir) {
            one_pass.fill(text, whole, &mut scratch.slots);
        } else if most_steps <= AT_ONCE {
            backtrack(nfa, text, whole, scratch, || true);
        } else if most_steps <= BACKTRACK_BITS {
            let mut steps = 0;
            backtrack(nfa, text, whole, scratch, || {
                steps += 1;
                steps % AT_ONCE != 0 || !ran_out()
            });
        } else {
            simulate::groups(nfa, text, whole, &mut scratch.slots);
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

/// Tries alternatives in order, never a state twice at one index: linear. `goes_on` is asked before
/// each step, and may end it.
fn backtrack(
    nfa: &NFA,
    text: &[u8],
    whole: Match,
    scratch: &mut Scratch,
    mut goes_on: impl FnMut() -> bool,
) {
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
            if !goes_on() {
                return;
            }
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

#[cfg(test)]
mod tests {
    use super::{Scratch, backtrack};
    use crate::{Options, Regex, simulate};

    #[test]
    fn all_ways_to_find_groups_agree() {
        let mut one_pass_texts = 0;
        for pattern in [
            "(a)(b*)",
            "(a*)(b)?c*",
            "^(a+)(b*)",
            "((a)|b)+",
            "(a|ab)(c|bcd)(d*)",
            "(a*)*",
            "(a*)+b",
            "(a?)*?b",
            "((a|b)*c|(a)b)*",
            "(é|a)+(b?)",
            "(a)$",
            r"(a+)\y(b?)",
            "(^a|b)(c*)",
            "()(a)",
            "(a|(b))(c|(d))*",
            "(a{1,2})(b{0,2})c?",
            "(.)(.*)(d)",
            "([^a]*)a(.?)",
            "(a|b|)(c|)",
        ] {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            let slots = 2 * (regex.group_count() + 1);
            let nfa = regex.captures.nfa(&regex.hir).unwrap();
            for seed in 0..1500usize {
                let alphabet = ["a", "b", "c", "d", "é"];
                let text: String =
                    (0..7).map(|place| alphabet[(seed * 7919 / 5usize.pow(place)) % 5]).collect();
                for whole in regex.matches(text.as_bytes()) {
                    let mut scratch = Scratch { slots: vec![None; slots], ..Scratch::default() };
                    backtrack(nfa, text.as_bytes(), whole, &mut scratch, || true);
                    let mut simulated = vec![None; slots];
                    simulate::groups(nfa, text.as_bytes(), whole, &mut simulated);
                    assert_eq!(simulated, scratch.slots, "{pattern} in {text} at {whole:?}");
                    if let Some(one_pass) = regex.captures.one_pass(&regex.hir) {
                        let mut found = vec![None; slots];
                        one_pass.fill(text.as_bytes(), whole, &mut found);
                        assert_eq!(found[2..], scratch.slots[2..], "{pattern} in {text}");
                        one_pass_texts += 1;
                    }
                }
            }
        }
        assert!(one_pass_texts > 10_000);
    }
}
