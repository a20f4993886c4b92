//! What the automata for "the longest match from here" have in common.

/// Answer of one run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Where the longest match ends, if there is one, and how far the text was read to learn it.
    Known { end: Option<usize>, read_to: usize },
    /// This automaton cannot say; another has to.
    Quit,
}

/// Answer of one run over text that may go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Where the longest match ends if the text ends here.
    pub end: Option<usize>,
    /// More text could change that.
    pub open: bool,
}
