//! Unmaterialised strings: what an operation would have put into a register that only the following
//! operation reads.
//!
//! A piece is looked at where it lies; what is joined or changed lies in a buffer of the engine.
//! Both operations are one instruction, so nothing can come between.

use super::slot::Slot;
use super::value::{Known, List, Order, Value, ValueType};
use riverhawk_value::SmallStr;

/// A text that is not made.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each row says what its operands are")]
pub enum View {
    /// s from a character on, all of it or so many.
    Piece { s: Slot, from: Value, length: Option<Value>, known: Option<Known> },
    /// s in lower or upper case.
    Case { s: Slot, upper: bool },
    /// a followed by b.
    Joined { a: Slot, b: Slot },
    /// All of them, one after the other.
    JoinedAll(List),
    /// The subscript made of all of them.
    Key(List),
}

/// What is wanted of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each row says what its operands are")]
pub enum Want {
    /// Its characters: number.
    Length,
    /// What it is as a number: number.
    Number,
    /// Where t stands in it, counted from 1; 0 when it does not: number.
    Index { t: Slot },
    /// Whether it is equal to what a slot holds, which is `text` if that is a short constant:
    /// truth.
    Equals { other: Slot, text: Option<SmallStr> },
    /// Whether it is less than what a slot holds, or less or equal; or the other way round: truth.
    /// The slot holds `byte` if it is a constant of one.
    Order { order: Order, other: Slot, byte: Option<u8>, view_first: bool },
    /// Whether an array has an element under it: truth. The slot holds an array.
    Has { array: Slot },
    /// The element of an array under it, made if there is none: element. The slot holds an array.
    Element { array: Slot },
}

/// A text that the following operation looks at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Viewed {
    /// The operation that looks at it; the one before would have made it.
    pub at: u32,
    /// The register where it would stand.
    pub slot: Slot,
    pub view: View,
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
    /// The type of what is wanted.
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
