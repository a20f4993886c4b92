//! Shared by the automata for the longest match.

use crate::span::Match;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The end of the longest match, and how far the text was read.
    Known { end: Option<usize>, read_to: usize },
    /// Unknown: another automaton has to decide.
    Quit,
}

/// Whether a text is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// Nothing follows.
    Complete,
    /// More may follow.
    Partial,
}

/// A run through text that arrives in chunks, in state `S`.
pub(crate) struct Walk<S> {
    pub start: usize,
    pub at: usize,
    pub state: S,
    /// The end of the longest match so far, or [`NOWHERE`].
    pub end: usize,
}

/// No index. An `Option` took one more register.
pub(crate) const NOWHERE: usize = usize::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Final.
    Found(Match),
    /// No match begins before this index.
    Nothing { go_on_at: usize },
    /// More text could change the answer.
    Open,
    /// Unknown: another automaton has to decide.
    Quit,
}

impl<S> Walk<S> {
    /// The final answer; an empty match is none.
    #[inline]
    pub(crate) fn settle(&self) -> Reach {
        if self.end == NOWHERE || self.end == self.start {
            return Reach::Nothing { go_on_at: self.start + 1 };
        }
        Reach::Found(Match { start: self.start, end: self.end })
    }
}
