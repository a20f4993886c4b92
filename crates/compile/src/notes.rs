//! What a piece of a parallel run notes while it runs, so that afterwards it is known whether its
//! results may be joined with those of the pieces before it.

use riverhawk_syntax::ast::ExprId;
use std::collections::HashSet;

/// Expressions whose values are noted; none in a serial run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Right sides of `+=` and `-=`: sums are exact in any order while every addend is an integer
    /// and their sizes add up to less than 2^53.
    pub addends: HashSet<ExprId>,
    /// What is compared with the greatest or least value so far: the order does not matter while
    /// all are finite numbers.
    pub comparands: HashSet<ExprId>,
}
