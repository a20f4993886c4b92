//! Host functions: functions of the program that embeds the engine. They are declared before an awk
//! program is parsed, so that its calls of them are checked as those of built-in functions are.

use std::ops::RangeInclusive;

/// What the parser must know of a host function.
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
    /// Only the first arguments, this many, can be arrays.
    pub const MAX_ARRAYS: usize = u16::BITS as usize;

    /// A function with a plain or qualified name, and its minimum and maximum number of arguments
    /// (`usize::MAX` for any). Parsing reports a name that programs cannot call.
    pub fn new(name: impl Into<String>, arguments: RangeInclusive<usize>) -> HostDeclaration {
        let arity = (*arguments.start(), *arguments.end());
        HostDeclaration { name: name.into(), arity, arrays: Vec::new(), is_pure: false }
    }

    /// Makes the argument at this index, from 0, an array, which the function may change. Other
    /// arguments are scalars.
    pub fn with_array(mut self, at: usize) -> HostDeclaration {
        self.arrays.push(at);
        self
    }

    /// Declares that the result depends on the arguments alone and that nothing else is changed. A
    /// program that calls other host functions is not run on several cores.
    pub fn pure(mut self) -> HostDeclaration {
        self.is_pure = true;
        self
    }

    /// The name with its namespace.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Minimum and maximum number of arguments.
    pub fn arity(&self) -> (usize, usize) {
        self.arity
    }

    /// Whether the argument at this index is an array.
    pub fn takes_array(&self, at: usize) -> bool {
        self.arrays.contains(&at)
    }

    /// Whether any argument is an array.
    pub fn takes_arrays(&self) -> bool {
        !self.arrays.is_empty()
    }

    pub(crate) fn arrays(&self) -> &[usize] {
        &self.arrays
    }

    /// Whether it is declared [`pure`](HostDeclaration::pure).
    pub fn is_pure(&self) -> bool {
        self.is_pure
    }
}
