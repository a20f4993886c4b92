//! What is to be compiled, and what is known about it.

use crate::outcome::Outcome;
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
    /// As machine code names it: the phases first, then the functions.
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

/// Where a candidate is entered, and what it relies on there. `None` relies on nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EntryPoint {
    /// By a call of the function.
    Call {
        /// The type of each argument that is passed. Parameters after the last are omitted.
        arguments: Vec<Option<Type>>,
    },
    /// At a loop header, in the middle of the frame.
    Loop {
        /// The operation at the header.
        header: u32,
        /// The type of what each register holds; those after the last are unknown.
        registers: Vec<Option<Type>>,
        /// The type of what each global holds; those after the last are unknown.
        globals: Vec<Option<Type>>,
    },
}

/// What was seen at one operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How often its result had each type, by [`Type`]'s order.
    pub types: [u32; Type::COUNT],
    /// How often it went each way, by [`Outcome`]'s order.
    pub outcomes: [u32; Outcome::COUNT],
}

impl Seen {
    /// Whether a result was seen, and all but one in a hundred were plain numbers.
    pub fn is_number(&self) -> bool {
        let all: u64 = self.types.iter().map(|&count| u64::from(count)).sum();
        let numbers = u64::from(self.types[Type::Num as usize]);
        all > 0 && (all - numbers) * 100 <= all
    }

    /// Whether a result was seen at all.
    pub fn has_types(&self) -> bool {
        self.types.iter().any(|&count| count > 0)
    }
}

/// What was seen, by the operation's index in the program's code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Feedback {
    /// The operations of which anything is known.
    pub seen: BTreeMap<u32, Seen>,
}

/// Something to compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The frame.
    pub frame: FrameName,
    /// Where it is entered.
    pub entry: EntryPoint,
    /// What was seen in it. Without, types are guessed from those at the entry, and from uses.
    pub feedback: Feedback,
}
