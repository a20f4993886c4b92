//! Host functions: functions of the program that embeds the engine, declared before an awk program
//! is parsed, so that its calls of them are checked like calls of built-in functions.

use std::ops::RangeInclusive;

/// What a program must know of a host function to call it.
///
/// ```
/// use riverhawk_syntax::host::HostDeclaration;
///
/// let lookup = HostDeclaration::new("geo::lookup", 1..=2).with_array(1);
/// assert_eq!((lookup.name(), lookup.arity()), ("geo::lookup", (1, 2)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostDeclaration {
    name: String,
    arity: (usize, usize),
    arrays: Vec<usize>,
    is_pure: bool,
}

impl HostDeclaration {
    /// Arguments after this many are never arrays.
    pub const MAX_ARRAYS: usize = u16::BITS as usize;

    /// A function with a plain or a qualified name, and its least and greatest number of arguments
    /// (`usize::MAX` for any). Parsing reports a name that programs cannot call.
    pub fn new(name: impl Into<String>, arguments: RangeInclusive<usize>) -> HostDeclaration {
        let arity = (*arguments.start(), *arguments.end());
        HostDeclaration { name: name.into(), arity, arrays: Vec::new(), is_pure: false }
    }

    /// The argument at this index, from 0, is an array, which the function may change. Others are
    /// scalars.
    pub fn with_array(mut self, at: usize) -> HostDeclaration {
        self.arrays.push(at);
        self
    }

    /// The result depends on the arguments alone and nothing else is changed. Only such functions
    /// are called by programs that run in pieces on several cores.
    pub fn pure(mut self) -> HostDeclaration {
        self.is_pure = true;
        self
    }

    /// The name with its namespace.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Least and greatest number of arguments.
    pub fn arity(&self) -> (usize, usize) {
        self.arity
    }

    /// Whether the argument at this index is an array.
    pub fn takes_array(&self, at: usize) -> bool {
        self.arrays.contains(&at)
    }

    /// Whether any argument is.
    pub fn takes_arrays(&self) -> bool {
        !self.arrays.is_empty()
    }

    /// The indexes of the arguments that are arrays.
    pub(crate) fn arrays(&self) -> &[usize] {
        &self.arrays
    }

    /// Whether it is declared [`pure`](HostDeclaration::pure).
    pub fn is_pure(&self) -> bool {
        self.is_pure
    }
}
