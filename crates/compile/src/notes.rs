//! What a chunk of a parallel run notes, so that afterwards it is known whether its results may be
//! joined with those of the chunks before it.

use riverhawk_syntax::ast::ExprId;
use std::collections::HashSet;

/// Expressions whose values are noted; none in a serial run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Right sides of `+=` and `-=`: sums are exact in any order while every addend is an integer
    /// and their sizes add up to less than 2^53.
    pub addends: HashSet<ExprId>,
    /// What is compared with a maximum or minimum so far: the order does not matter while all are
    /// finite.
    pub comparands: HashSet<ExprId>,
}
