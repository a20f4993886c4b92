//! The places of a program that a profile counts and where a debugger may stop.

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
    /// The case of a `switch` with this number is entered, also from the one above it.
    Case(StmtId, u32),
    /// The pattern of the rule with this number is about to be looked at; a rule without one is
    /// about to run.
    Rule(u32),
    /// The pattern of the rule with this number holds.
    Match(u32),
    /// A function is entered.
    Function(FunctionId),
    /// A function of the program has returned, in the middle of the statement that called it.
    Returned,
}
