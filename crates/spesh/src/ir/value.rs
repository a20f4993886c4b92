//! The unboxed values of the intermediate representation, and what stands for several operands.

/// An unboxed value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(pub u32);

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A double.
    Number,
    /// A whole number of 64 bits: see [`Integer`](super::Integer).
    Integer,
    /// True or false.
    Truth,
    /// The address of an array's element: valid until the next instruction that may touch an array.
    Element,
    /// The address of a text's bytes: valid until the next instruction that may change the slot.
    Bytes,
}

/// Which comparison. Each is false when a NaN is involved, but `NotEqual`, which is true.
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

/// Operands that stand in a list of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct List {
    /// Where they begin among all operands of lists.
    pub at: u32,
    /// How many there are.
    pub count: u32,
    /// Registers among them count from this register of the function on.
    pub base: u16,
}

/// Where the text of a slot lies: found before a loop that looks at it and does not change it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Its bytes.
    pub at: Value,
    /// How many there are; none where characters are not bytes, where the slot holds no text, and
    /// where the text is empty.
    pub size: Value,
}
