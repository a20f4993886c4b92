//! The places that a profile counts and where a debugger may stop.

use crate::ast::{FunctionId, StmtId};

/// A place of a program that a run comes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Visit {
    /// A statement is about to run; of a `for`, its first part.
    Statement(StmtId),
    /// The body of a loop is entered.
    Turn(StmtId),
    /// The condition of an `if` was true.
    Then(StmtId),
    /// The case of a `switch` with this number is entered, also by falling through.
    Case(StmtId, u32),
    /// The pattern of the rule with this number is about to be evaluated; without a pattern, its
    /// action.
    Rule(u32),
    /// The pattern of the rule with this number holds.
    Match(u32),
    /// A function is entered.
    Function(FunctionId),
    /// A function of the program has returned within the statement that called it.
    Returned,
}
