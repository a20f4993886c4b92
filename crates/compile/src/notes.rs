//! What a piece of a parallel run notes, to decide whether its results can be joined with those
//! before it, and which sums it keeps exactly.

use riverhawk_syntax::ast::{ExprId, GlobalId};
use std::collections::{HashMap, HashSet};

/// Expressions whose values are noted, or added exactly; usually none in a serial run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Right sides of `+=` and `-=`: sums are exact in any order while every addend is an integer
    /// and their magnitudes add up to less than 2^53.
    pub addends: HashSet<ExprId>,
    /// Right sides of `+=` and `-=`, and `++` and `--`, that change sums which are kept exactly.
    pub sums: HashSet<ExprId>,
    /// Compared with a maximum or minimum: the order does not matter while all are finite.
    pub comparands: HashSet<ExprId>,
    /// Conditions that hold for the first record of each key of an array: what is printed then is
    /// not printed if an earlier piece has the key.
    pub firsts: HashMap<ExprId, GlobalId>,
}
