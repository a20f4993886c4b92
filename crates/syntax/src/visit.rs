//! The places that a profile counts and where a debugger may stop.

use crate::ast::{ExprId, FunctionId, StmtId};

/// A place in the run of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Visit {
    /// A statement is about to run; for a `for`, its first part.
    Statement(StmtId),
    /// An iteration of a loop begins.
    Turn(StmtId),
    /// The condition of an `if` was true.
    Then(StmtId),
    /// A condition that the program writes in an expression was true: what `?:` asks, or an operand
    /// of `&&` or `||`.
    Held(ExprId),
    /// It was false.
    Failed(ExprId),
    /// A case of a `switch` is entered, perhaps by falling through.
    Case(StmtId, u32),
    /// A rule's pattern is about to be evaluated; without a pattern, its action is about to run.
    Rule(u32),
    /// A rule's pattern is true.
    Match(u32),
    /// A function is entered.
    Function(FunctionId),
    /// A function has returned to the statement that called it.
    Returned,
}
