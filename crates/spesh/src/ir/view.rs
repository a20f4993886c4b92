//! Unmaterialised strings, read only by the next operation.
//!
//! A piece is read in place; other texts are made in a buffer of the engine. The two operations are
//! one instruction, so nothing can happen between them.

use super::slot::Slot;
use super::value::{Known, List, Order, Value, ValueType};
use riverhawk_value::SmallStr;

/// An unmaterialised string.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each row says what its operands are")]
pub enum View {
    /// `substr(s, from, length)`.
    Piece { s: Slot, from: Value, length: Option<Value>, known: Option<Known> },
    /// s in lower or upper case.
    Case { s: Slot, upper: bool },
    /// a followed by b.
    Joined { a: Slot, b: Slot },
    /// The list, concatenated.
    JoinedAll(List),
    /// The subscript of the list.
    Key(List),
}

/// What is read of the string.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each row says what its operands are")]
pub enum Want {
    /// In characters: number.
    Length,
    /// Converted: number.
    Number,
    /// Position of t in it from 1, or 0: number.
    Index { t: Slot },
    /// Whether it equals a slot, or the short constant `text`: truth.
    Equals { other: Slot, text: Option<SmallStr> },
    /// Compares it with a slot, on the left if `view_first`: truth. `byte` is a constant of one
    /// byte.
    Order { order: Order, other: Slot, byte: Option<u8>, view_first: bool },
    /// Whether an array has it as a key: truth.
    Has { array: Slot },
    /// The element under it, made if absent: element.
    Element { array: Slot },
}

/// A string left unmaterialised for the next operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewed {
    /// The operation that reads it.
    pub at: u32,
    /// The register that would hold the string.
    pub slot: Slot,
    pub text: Unmade,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Unmade {
    View(View),
    /// A field by its number, for a subscript.
    Field(Value),
}

impl View {
    pub(super) fn move_registers(&mut self, by: u16) {
        match self {
            View::Piece { s, .. } | View::Case { s, .. } => s.move_register(by),
            View::Joined { a, b } => {
                a.move_register(by);
                b.move_register(by);
            }
            View::JoinedAll(list) | View::Key(list) => list.base += by,
        }
    }
}

impl Want {
    /// The type of the result.
    pub fn result(&self) -> ValueType {
        match self {
            Want::Length | Want::Number | Want::Index { .. } => ValueType::Number,
            Want::Equals { .. } | Want::Order { .. } | Want::Has { .. } => ValueType::Truth,
            Want::Element { .. } => ValueType::Element,
        }
    }

    pub(super) fn move_registers(&mut self, by: u16) {
        match self {
            Want::Length | Want::Number => {}
            Want::Index { t: slot }
            | Want::Equals { other: slot, .. }
            | Want::Order { other: slot, .. }
            | Want::Has { array: slot }
            | Want::Element { array: slot } => slot.move_register(by),
        }
    }
}

impl std::fmt::Display for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            View::Piece { s, from, length: None, .. } => write!(f, "piece({s}, v{})", from.0),
            View::Piece { s, from, length: Some(length), .. } => {
                write!(f, "piece({s}, v{}, v{})", from.0, length.0)
            }
            View::Case { s, upper: false } => write!(f, "lower({s})"),
            View::Case { s, upper: true } => write!(f, "upper({s})"),
            View::Joined { a, b } => write!(f, "joined({a}, {b})"),
            View::JoinedAll(list) => write!(f, "joined({} operands)", list.count),
            View::Key(list) => write!(f, "key({} operands)", list.count),
        }
    }
}

impl std::fmt::Display for Want {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Want::Length => write!(f, "length of"),
            Want::Number => write!(f, "number of"),
            Want::Index { t } => write!(f, "index of {t} in"),
            Want::Equals { other, text: None } => write!(f, "{other} equals"),
            Want::Equals { text: Some(text), .. } => write!(f, "{text:?} equals"),
            Want::Order { order, other, view_first: true, .. } => {
                write!(f, "{order:?}, before {other},")
            }
            Want::Order { order, other, view_first: false, .. } => {
                write!(f, "{order:?}, behind {other},")
            }
            Want::Has { array } => write!(f, "{array} has_element"),
            Want::Element { array } => write!(f, "element of {array} under"),
        }
    }
}
