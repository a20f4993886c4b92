//! Unboxed values, and groups of operands.

/// An unboxed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub u32);

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A double.
    Number,
    /// A whole number in 64 bits: see [`Integer`](super::Integer).
    Integer,
    /// True or false.
    Truth,
    /// An element's address, valid until arrays may change.
    Element,
    /// A text's address, valid until the slot may change.
    Bytes,
}

/// A comparison. With a NaN, only `NotEqual` is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    /// a < b
    Less,
    /// a <= b
    LessEqual,
    /// a == b
    Equal,
    /// a != b
    NotEqual,
}

/// Operands in a list of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// The first, among the operands of all lists.
    pub at: u32,
    /// The number of operands.
    pub count: u32,
    /// The register that their registers count from.
    pub base: u16,
}

/// The bytes of a text that a loop does not change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The address.
    pub at: Value,
    /// In bytes. It is 0 if a character may have several bytes, and if there is no text.
    pub size: Value,
}
