//! What a site enters, and how.

/// What can be entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// A function, by its number.
    Function(u32),
    /// A rule, by its place in [`Unit::rules`](riverhawk_bytecode::Unit::rules).
    Rule(u32),
}

pub(super) const NO_TARGET: u32 = u32::MAX;

/// The kind of code that ran a rule or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeKind {
    /// By the interpreter.
    Interpreted = 0,
    /// As machine code of its own.
    Compiled = 1,
    /// As a part of its caller's machine code.
    Inlined = 2,
}
