//! Integers: whole doubles held in 64 bits. A subscript then needs no conversion, a remainder is a
//! division or a mask, and each addition in a chain takes one cycle instead of three.
//!
//! Every integer has a twin, the double that the program computes with ([`Integer::Number`]).
//! Within 2^53 of zero both are equal, and never negative zero. A larger sum or product is exact
//! while its twin is rounded, so [`Integer::IsWithin`] must check it before it is used.

use super::value::{Order, Value, ValueType};
use std::fmt;

/// From 0, or from -2^bits if signed, to 2^bits - 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerRange {
    /// At most 53.
    pub bits: u8,
    /// Whether it includes negative numbers.
    pub is_signed: bool,
}

impl IntegerRange {
    /// Doubles hold every integer of up to this many bits.
    pub(crate) const MAX_BITS: u8 = 53;

    /// Minimum and maximum.
    pub const fn ends(self) -> (i64, i64) {
        let end = 1i64 << self.bits;
        (if self.is_signed { -end } else { 0 }, end - 1)
    }
}

/// An operation on integers, without failures and effects.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integer {
    /// A constant: integer.
    Constant(i64),
    /// Whether a double is an integer in a range, and not negative zero: truth.
    IsWhole(Value, IntegerRange),
    /// The integer of a checked double: integer.
    Of(Value),
    /// The twin: number.
    Number(Value),
    /// Whether an integer is in a range: truth.
    IsWithin(Value, IntegerRange),
    /// a + b: integer.
    Add(Value, Value),
    /// a - b: integer.
    Sub(Value, Value),
    /// a * b: integer.
    Mul(Value, Value),
    /// a / b, rounded down; a not negative, b positive: integer.
    Div(Value, i64),
    /// a % b; a not negative, b positive: integer.
    Rem(Value, i64),
    /// Truth.
    Compare(Order, Value, Value),
    /// The integer that replaces a double in a comparison: integer.
    Limit(Value, IntegerLimit),
}

/// How a comparison with a double becomes one with an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum IntegerLimit {
    /// Below the double rounded up. A NaN is below every integer.
    Below,
    /// At most the double rounded down. A NaN is below every integer.
    AtMost,
    /// Above the double rounded down. A NaN is above every integer.
    Above,
    /// At least the double rounded up. A NaN is above every integer.
    AtLeast,
}

impl IntegerLimit {
    pub(crate) fn of_right(order: Order) -> Option<IntegerLimit> {
        match order {
            Order::Less => Some(IntegerLimit::Below),
            Order::LessEqual => Some(IntegerLimit::AtMost),
            Order::Equal | Order::NotEqual => None,
        }
    }

    pub(crate) fn of_left(order: Order) -> Option<IntegerLimit> {
        match order {
            Order::Less => Some(IntegerLimit::Above),
            Order::LessEqual => Some(IntegerLimit::AtLeast),
            Order::Equal | Order::NotEqual => None,
        }
    }

    /// Whether the double is rounded up, not down.
    pub fn is_next_above(self) -> bool {
        matches!(self, IntegerLimit::Below | IntegerLimit::AtLeast)
    }

    /// The integer that stands for a NaN.
    pub fn for_nan(self) -> i64 {
        match self {
            IntegerLimit::Below | IntegerLimit::AtMost => i64::MIN,
            IntegerLimit::Above | IntegerLimit::AtLeast => i64::MAX,
        }
    }
}

impl Integer {
    /// The type of its result.
    pub fn result(&self) -> ValueType {
        use Integer::*;
        match self {
            Constant(_) | Of(_) | Limit(..) | Add(..) | Sub(..) | Mul(..) | Div(..) | Rem(..) => {
                ValueType::Integer
            }
            Number(_) => ValueType::Number,
            IsWhole(..) | IsWithin(..) | Compare(..) => ValueType::Truth,
        }
    }

    /// Its operands, with their required types.
    pub fn operands(&self) -> Vec<(Value, ValueType)> {
        use Integer::*;
        match *self {
            Constant(_) => Vec::new(),
            IsWhole(a, _) | Of(a) | Limit(a, _) => vec![(a, ValueType::Number)],
            Number(a) | IsWithin(a, _) | Div(a, _) | Rem(a, _) => vec![(a, ValueType::Integer)],
            Add(a, b) | Sub(a, b) | Mul(a, b) | Compare(_, a, b) => {
                vec![(a, ValueType::Integer), (b, ValueType::Integer)]
            }
        }
    }

    pub(crate) fn map_operands(&mut self, mut f: impl FnMut(Value) -> Value) {
        use Integer::*;
        match self {
            Constant(_) => {}
            IsWhole(a, _)
            | Of(a)
            | Limit(a, _)
            | Number(a)
            | IsWithin(a, _)
            | Div(a, _)
            | Rem(a, _) => *a = f(*a),
            Add(a, b) | Sub(a, b) | Mul(a, b) | Compare(_, a, b) => {
                *a = f(*a);
                *b = f(*b);
            }
        }
    }
}

impl fmt::Display for IntegerRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}2^{}", if self.is_signed { "±" } else { "" }, self.bits)
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use Integer::*;
        match *self {
            Constant(number) => write!(f, "integer {number}"),
            IsWhole(a, range) => write!(f, "is_whole v{}, {range}", a.0),
            Of(a) => write!(f, "integer_of v{}", a.0),
            Limit(a, limit) => write!(f, "limit {limit:?} v{}", a.0),
            Number(a) => write!(f, "number_of v{}", a.0),
            IsWithin(a, range) => write!(f, "is_within v{}, {range}", a.0),
            Add(a, b) => write!(f, "add_integers v{}, v{}", a.0, b.0),
            Sub(a, b) => write!(f, "sub_integers v{}, v{}", a.0, b.0),
            Mul(a, b) => write!(f, "mul_integers v{}, v{}", a.0, b.0),
            Div(a, b) => write!(f, "div_integers v{}, {b}", a.0),
            Rem(a, b) => write!(f, "rem_integers v{}, {b}", a.0),
            Compare(order, a, b) => write!(f, "compare_integers {order:?}, v{}, v{}", a.0, b.0),
        }
    }
}
