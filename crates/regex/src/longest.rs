//! What the automata for the longest match have in common.

use crate::span::Match;

/// Answer of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Where the longest match ends, and how far the text was read.
    Known { end: Option<usize>, read_to: usize },
    /// This automaton cannot say; another has to.
    Quit,
}

/// Whether a text is all there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// Nothing follows it.
    Complete,
    /// It is the beginning of one that goes on.
    Partial,
}

/// One run through text that arrives in pieces, in state `S`.
pub(crate) struct Walk<S> {
    pub start: usize,
    pub at: usize,
    pub state: S,
    /// Where the longest match so far ends, or [`NOWHERE`].
    pub end: usize,
}

/// No index. An `Option` took a register more.
pub(crate) const NOWHERE: usize = usize::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// The match, whatever follows.
    Found(Match),
    /// There is none that begins before this index.
    Nothing { go_on_at: usize },
    /// More text could change the answer.
    Open,
    /// This automaton cannot say; another has to.
    Quit,
}

impl<S> Walk<S> {
    /// What is known once nothing can change it; an empty match is none.
    pub(crate) fn settle(&self) -> Reach {
        if self.end == NOWHERE || self.end == self.start {
            return Reach::Nothing { go_on_at: self.start + 1 };
        }
        Reach::Found(Match { start: self.start, end: self.end })
    }
}
