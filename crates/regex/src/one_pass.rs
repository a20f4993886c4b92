//! Groups where the next byte always decides the next step: one walk through the match, without
//! backtracking.
//!
//! A row is a place between two bytes. Of two paths to the same state the first by the order of
//! alternatives counts, since both have the same future; two paths to different states make the
//! pattern another automaton's. The automaton of this kind in regex-automata cannot be ended in the
//! middle of a text.

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::alphabet::ByteClasses;
use regex_automata::util::look::Look;
use regex_automata::util::primitives::StateID;
use riverhawk_memory::ran_out;

use crate::Match;
use crate::limits::ONE_PASS_BYTES;
use crate::pieces::AT_ONCE;

pub(crate) struct OnePass {
    classes: ByteClasses,
    /// By row and class of the byte. Rows 0 and 1 begin a match: at the start of the text, and
    /// elsewhere.
    steps: Vec<Step>,
    /// Steps in a row.
    width: usize,
    /// By row: the slots of a match that ends there.
    ends: Vec<Option<Slots>>,
}

/// A set of slots, without those of the whole match.
type Slots = u32;

#[derive(Clone, Copy)]
struct Step {
    /// The index of the next row's first step, or [`NOWHERE`].
    to: u32,
    /// Set to the index of the byte.
    slots: Slots,
}

const NOWHERE: Step = Step { to: u32::MAX, slots: 0 };

impl OnePass {
    /// `None` if a byte does not decide, a place depends on what follows, or there are too many
    /// groups or rows.
    pub(crate) fn build(nfa: &NFA) -> Option<OnePass> {
        let mut builder = Builder {
            nfa,
            width: nfa.byte_classes().alphabet_len(),
            rows: vec![None; nfa.states().len()],
            states: vec![nfa.start_anchored()],
        };
        let mut one_pass = OnePass {
            classes: *nfa.byte_classes(),
            steps: Vec::new(),
            width: builder.width,
            ends: Vec::new(),
        };
        builder.row_of(nfa.start_anchored());
        let mut done = 0;
        while done < builder.states.len() {
            if (done + 1) * builder.width * size_of::<Step>() > ONE_PASS_BYTES {
                return None;
            }
            one_pass.steps.resize((done + 1) * builder.width, NOWHERE);
            let row = &mut one_pass.steps[done * builder.width..];
            one_pass.ends.push(builder.fill(row, builder.states[done], done == 0)?);
            done += 1;
        }
        Some(one_pass)
    }

    /// Sets the slots of a match; if memory runs out, not all of them.
    pub(crate) fn fill(&self, text: &[u8], whole: Match, slots: &mut [Option<usize>]) {
        let mut set = |which: Slots, at: usize| {
            let mut left = which;
            while left != 0 {
                slots[2 + left.trailing_zeros() as usize] = Some(at);
                left &= left - 1;
            }
        };
        let mut row = if whole.start == 0 { 0 } else { self.width };
        let mut at = whole.start;
        for piece in text[whole.start..whole.end].chunks(AT_ONCE) {
            for &byte in piece {
                let step = self.steps[row + usize::from(self.classes.get(byte))];
                if step.to == NOWHERE.to {
                    return;
                }
                if step.slots != 0 {
                    set(step.slots, at);
                }
                row = step.to as usize;
                at += 1;
            }
            if ran_out() {
                return;
            }
        }
        if let Some(end) = self.ends[row / self.width] {
            set(end, at);
        }
    }
}

struct Builder<'n> {
    nfa: &'n NFA,
    width: usize,
    /// By state: its row, unless it is at the start of the text.
    rows: Vec<Option<usize>>,
    /// By row.
    states: Vec<StateID>,
}

impl Builder<'_> {
    fn row_of(&mut self, state: StateID) -> usize {
        let Builder { rows, states, .. } = self;
        *rows[state.as_usize()].get_or_insert_with(|| {
            states.push(state);
            states.len() - 1
        })
    }

    /// The slots of a match that ends here; `None` if the next byte does not decide.
    fn fill(&mut self, row: &mut [Step], from: StateID, at_start: bool) -> Option<Option<Slots>> {
        let mut end = None;
        let mut seen = vec![false; self.nfa.states().len()];
        let mut stack: Vec<(StateID, Slots)> = vec![(from, 0)];
        while let Some((id, slots)) = stack.pop() {
            if std::mem::replace(&mut seen[id.as_usize()], true) {
                continue;
            }
            match self.nfa.state(id) {
                State::Match { .. } => end = Some(slots),
                State::ByteRange { trans } => {
                    self.add(row, trans.start..=trans.end, trans.next, slots)?
                }
                State::Sparse(sparse) => {
                    for trans in &sparse.transitions {
                        self.add(row, trans.start..=trans.end, trans.next, slots)?;
                    }
                }
                State::Dense(_) => return None,
                State::Look { look: Look::Start, next } => {
                    if at_start {
                        stack.push((*next, slots));
                    }
                }
                State::Look { .. } => return None,
                State::Capture { next, slot, .. } => {
                    let with = match slot.as_usize().checked_sub(2) {
                        None => slots,
                        Some(slot) => slots | 1u32.checked_shl(slot as u32)?,
                    };
                    stack.push((*next, with));
                }
                State::Union { alternates } => {
                    stack.extend(alternates.iter().rev().map(|&id| (id, slots)))
                }
                State::BinaryUnion { alt1, alt2 } => stack.extend([(*alt2, slots), (*alt1, slots)]),
                State::Fail => {}
            }
        }
        Some(end)
    }

    fn add(
        &mut self,
        row: &mut [Step],
        bytes: std::ops::RangeInclusive<u8>,
        next: StateID,
        slots: Slots,
    ) -> Option<()> {
        let to = u32::try_from(self.row_of(next) * self.width).ok()?;
        for byte in bytes {
            let step = &mut row[usize::from(self.nfa.byte_classes().get(byte))];
            if step.to == NOWHERE.to {
                *step = Step { to, slots };
            } else if step.to != to {
                return None;
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use crate::pieces::AT_ONCE;
    use crate::{Match, Options, Regex};

    fn is_one_pass(pattern: &str) -> bool {
        let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
        regex.captures.one_pass(&regex.hir).is_some()
    }

    #[test]
    fn the_next_byte_decides_in_everyday_patterns() {
        for (pattern, want) in [
            ("(a)(b+)", true),
            ("^([^=]+)=(.*)", true),
            ("(a*)*", true),
            (r"(a)\y(b)", false),
            ("(a)$", false),
            ("(a|ab)(c|bcd)", false),
            ("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)(l)(m)(n)(o)(p)", true),
            ("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)(l)(m)(n)(o)(p)(q)", false),
        ] {
            assert_eq!(is_one_pass(pattern), want, "{pattern}");
        }
    }

    #[test]
    fn groups_of_a_match_of_several_pieces_are_found() {
        // By this automaton, and by simulation, since there are too many states for the others.
        for pattern in ["^(a+)(b)(c*)$|^(a+)(b)(c*)", "x(a+)(b)(c*)", "x(a+)(ba?)(c*)"] {
            let regex = Regex::new(pattern.as_bytes(), &Options::default()).unwrap();
            let mut text = vec![b'a'; 2 * AT_ONCE];
            text.push(b'b');
            text.extend(std::iter::repeat_n(b'c', 2 * AT_ONCE + 3));
            if pattern.starts_with('x') {
                text.insert(0, b'x');
            }
            let begin = usize::from(pattern.starts_with('x'));
            let middle = begin + 2 * AT_ONCE;
            let mut groups = Vec::new();
            assert!(regex.captures(&text, &mut groups));
            assert_eq!(groups[0], Some(Match { start: 0, end: text.len() }), "{pattern}");
            let expected = [(begin, middle), (middle, middle + 1), (middle + 1, text.len())];
            for (group, (start, end)) in groups[1..].iter().zip(expected) {
                assert_eq!(*group, Some(Match { start, end }), "{pattern}");
            }
        }
    }
}
