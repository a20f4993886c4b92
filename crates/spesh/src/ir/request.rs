//! What is to be compiled, and what was observed of it.

use crate::outcome::OperatorOutcome;
use crate::types::Type;
use std::collections::BTreeMap;
use std::fmt;

/// A static frame of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrameName {
    /// All BEGIN actions.
    Begin,
    /// The record loop.
    Main,
    /// All END actions.
    End,
    /// A user function, by its number.
    Function(u32),
}

impl FrameName {
    /// Its number in machine code: phases first, then functions.
    pub const fn number(self) -> u32 {
        match self {
            FrameName::Begin => 0,
            FrameName::Main => 1,
            FrameName::End => 2,
            FrameName::Function(function) => function + 3,
        }
    }
}

impl fmt::Display for FrameName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FrameName::Begin => f.write_str("BEGIN"),
            FrameName::Main => f.write_str("main"),
            FrameName::End => f.write_str("END"),
            FrameName::Function(number) => write!(f, "function {number}"),
        }
    }
}

/// Where a candidate is entered, and the types it relies on; `None` stands for any.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryPoint {
    /// By a call of the function.
    Call {
        /// Types of the passed arguments; the other parameters are omitted.
        arguments: Vec<Option<Type>>,
    },
    /// At a loop header, in the middle of the frame.
    Loop {
        /// The first operation.
        header: u32,
        /// The type of each register; later ones are unknown.
        registers: Vec<Option<Type>>,
        /// The type of each global; later ones are unknown.
        globals: Vec<Option<Type>>,
    },
}

/// Observations at one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Counts of result types, in [`Type`]'s order.
    pub types: [u32; Type::COUNT],
    /// Counts of outcomes, in [`OperatorOutcome`]'s order.
    pub outcomes: [u32; OperatorOutcome::COUNT],
}

impl Seen {
    /// Whether at least 99 % of the results were numbers.
    pub fn is_number(&self) -> bool {
        let all: u64 = self.types.iter().map(|&count| u64::from(count)).sum();
        let numbers = u64::from(self.types[Type::Num as usize]);
        all > 0 && (all - numbers) * 100 <= all
    }

    pub(crate) fn has_types(&self) -> bool {
        self.types.iter().any(|&count| count > 0)
    }
}

/// Observations by operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// By index in the program's code.
    pub seen: BTreeMap<u32, Seen>,
}

/// Something to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeRequest {
    /// The frame.
    pub frame: FrameName,
    /// Where it is entered.
    pub entry: EntryPoint,
    /// The observations; without them types are guessed.
    pub feedback: Feedback,
}
