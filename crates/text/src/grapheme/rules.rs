//! The rules of Unicode's extended grapheme clusters (UAX #29, Unicode 18) as a state machine.
//!
//! A code point has one of 19 classes: its Grapheme_Cluster_Break, divided further for GB9c
//! (conjuncts) and GB11 (emoji). From the state and the class of the next code point, [`step`]
//! decides whether a cluster begins there.
//!
//! No rule looks back beyond its cluster, so counting may begin at any boundary.

/// An enum numbered from 0, with the number and a list of its values.
macro_rules! numbered {
    (
        $(#[$doc:meta])*
        $visibility:vis enum $name:ident, $count:ident of them in $all:ident { $($(#[$value_doc:meta])* $value:ident,)* }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        $visibility enum $name { $($(#[$value_doc])* $value),* }

        const $all: [$name; $count] = [$($name::$value),*];
        const $count: usize = [$(stringify!($value)),*].len();
    };
}

numbered! {
    pub(crate) enum Class, CLASSES of them in CLASS {
        /// Everything else.
        Other,
        /// Carriage return.
        Cr,
        /// Line feed.
        Lf,
        /// Control, or a broken byte: nothing joins it.
        Control,
        /// A mark that joins the character before it and takes part in conjuncts.
        Extend,
        /// A mark that joins but ends a conjunct: U+200C.
        ExtendOnly,
        /// A mark that joins and links the next consonant: a virama.
        ExtendLinker,
        /// U+200D.
        Zwj,
        /// A mark that joins and takes room of its own.
        SpacingMark,
        /// Joins the character after it.
        Prepend,
        /// Regional indicator: two are a flag.
        Regional,
        /// Pictograph: several joined by U+200D are one emoji.
        Pictograph,
        /// A consonant that a linker before it joins.
        Consonant,
        /// Links the next consonant, but joins nothing before it.
        Linker,
        /// Hangul leading consonant.
        HangulL,
        /// Hangul vowel.
        HangulV,
        /// Hangul trailing consonant.
        HangulT,
        /// Hangul syllable without a trailing consonant.
        HangulLv,
        /// Hangul syllable with one.
        HangulLvt,
    }
}

numbered! {
    pub(crate) enum State, STATES of them in STATE {
        /// Nothing, a control, a line feed: a cluster always begins here (GB1, GB4).
        Fresh,
        Cr,
        /// Only marks join: after letters, marks, two regional indicators.
        Base,
        Prepend,
        HangulL,
        HangulV,
        /// Hangul T or LVT.
        HangulT,
        /// The first regional indicator of a pair.
        Regional,
        /// A pictograph and any marks.
        Pictograph,
        /// The same and U+200D.
        PictographZwj,
        /// A linker and any marks.
        Linked,
        /// A pictograph, and a linker among its marks.
        PictographLinked,
        /// The same and U+200D.
        PictographLinkedZwj,
    }
}

/// The state after a code point of this class begins a cluster.
const fn begin(class: Class) -> State {
    match class {
        Class::Cr => State::Cr,
        Class::Lf | Class::Control => State::Fresh,
        Class::Prepend => State::Prepend,
        Class::Regional => State::Regional,
        Class::Pictograph => State::Pictograph,
        Class::ExtendLinker | Class::Linker => State::Linked,
        Class::HangulL => State::HangulL,
        Class::HangulV | Class::HangulLv => State::HangulV,
        Class::HangulT | Class::HangulLvt => State::HangulT,
        _ => State::Base,
    }
}

/// The state after a code point of this class, if it joins the cluster; otherwise `None`.
const fn join(state: State, class: Class) -> Option<State> {
    use State::{Linked, Pictograph, PictographLinked, PictographLinkedZwj, PictographZwj};
    match (state, class) {
        // GB3, GB4, GB5.
        (State::Cr, Class::Lf) => Some(State::Fresh),
        (State::Cr | State::Fresh, _) | (_, Class::Cr | Class::Lf | Class::Control) => None,
        // GB9: marks and U+200D join. For GB9c they do not end a conjunct; GB11 allows marks, then
        // one U+200D.
        (Pictograph, Class::Extend | Class::ExtendOnly) | (PictographLinked, Class::ExtendOnly) => {
            Some(Pictograph)
        }
        (PictographLinked, Class::Extend)
        | (Pictograph | PictographLinked, Class::ExtendLinker) => Some(PictographLinked),
        (Pictograph, Class::Zwj) => Some(PictographZwj),
        (PictographLinked, Class::Zwj) => Some(PictographLinkedZwj),
        (Linked | PictographLinkedZwj, Class::Extend | Class::Zwj) | (_, Class::ExtendLinker) => {
            Some(Linked)
        }
        (_, Class::Extend | Class::ExtendOnly | Class::Zwj) => Some(State::Base),
        // GB9a, GB9b.
        (_, Class::SpacingMark) => Some(State::Base),
        (State::Prepend, _) => Some(begin(class)),
        // GB9c, GB11.
        (Linked | PictographLinked | PictographLinkedZwj, Class::Consonant) => Some(State::Base),
        (PictographZwj | PictographLinkedZwj, Class::Pictograph) => Some(Pictograph),
        // GB6, GB7, GB8.
        (State::HangulL, Class::HangulL | Class::HangulV | Class::HangulLv | Class::HangulLvt)
        | (State::HangulV, Class::HangulV | Class::HangulT)
        | (State::HangulT, Class::HangulT) => Some(begin(class)),
        // GB12, GB13.
        (State::Regional, Class::Regional) => Some(State::Base),
        // GB999.
        _ => None,
    }
}

/// Set in a step that begins a cluster.
const BREAK: u8 = 0x80;

/// [`begin`] and [`join`] for every pair, 32 per state. The padding allows a mask instead of a
/// bounds check.
static STEPS: [[u8; 32]; 16] = {
    let mut steps = [[0; 32]; 16];
    let mut state = 0;
    while state < STATES {
        let mut class = 0;
        while class < CLASSES {
            steps[state][class] = match join(STATE[state], CLASS[class]) {
                Some(next) => next as u8,
                None => begin(CLASS[class]) as u8 | BREAK,
            };
            class += 1;
        }
        state += 1;
    }
    steps
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Machine(u8);

impl Machine {
    pub(crate) const START: Machine = Machine(State::Fresh as u8);

    /// Takes the class of the next code point; true if it begins a cluster.
    #[inline(always)]
    pub(crate) fn step(&mut self, class: u8) -> bool {
        let step = STEPS[usize::from(self.0 & 0x0F)][usize::from(class & 0x1F)];
        self.0 = step & !BREAK;
        step & BREAK != 0
    }

    /// As [`step`](Self::step), with a branch for [`Class::Other`]. Faster for counting, where the
    /// branch is predicted, and slower for cutting.
    #[inline(always)]
    pub(crate) fn step_guessing(&mut self, class: u8) -> bool {
        if class == Class::Other as u8 {
            let begins = self.0 != State::Prepend as u8;
            self.0 = State::Base as u8;
            return begins;
        }
        self.step(class)
    }

    /// Whether a cluster always begins here.
    #[inline]
    pub(crate) fn is_fresh(self) -> bool {
        self == Machine::START
    }

    /// Whether an ASCII character may join here: after a carriage return and after a prepended
    /// mark.
    #[inline]
    pub(crate) fn may_join_ascii(self) -> bool {
        self.0 == State::Cr as u8 || self.0 == State::Prepend as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_agree() {
        assert!(CLASS.iter().enumerate().all(|(number, class)| *class as usize == number));
        assert!(STATE.iter().enumerate().all(|(number, state)| *state as usize == number));
    }

    #[test]
    fn a_cluster_depends_on_nothing_before_it() {
        // Cutting depends on this.
        for state in STATE {
            for class in CLASS {
                let mut machine = Machine(state as u8);
                let mut fresh = Machine::START;
                assert!(fresh.step(class as u8));
                let mut guessing = Machine(state as u8);
                let mut stepping = guessing;
                assert_eq!(guessing.step_guessing(class as u8), stepping.step(class as u8));
                assert_eq!(guessing, stepping);
                if machine.step(class as u8) {
                    assert_eq!(machine, fresh, "{state:?} {class:?}");
                }
            }
        }
    }
}
