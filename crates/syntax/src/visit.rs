//! The places that a profile counts and where a debugger may stop.

use crate::ast::{FunctionId, StmtId};

/// A place in the run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Visit {
    /// A statement is about to run; of a `for`, its first part.
    Statement(StmtId),
    /// The body of a loop is entered.
    Turn(StmtId),
    /// The condition of an `if` was true.
    Then(StmtId),
    /// This case of a `switch` is entered, also by falling through.
    Case(StmtId, u32),
    /// This rule's pattern is about to be evaluated; without a pattern, its action.
    Rule(u32),
    /// This rule's pattern holds.
    Match(u32),
    /// A function is entered.
    Function(FunctionId),
    /// A function has returned within the statement that called it.
    Returned,
}
