//! SYMTAB and FUNCTAB: the program's variables and functions by name.
//!
//! Both are arrays whose keys are the names, made when the run begins and only for programs that
//! mention them. The values of FUNCTAB are the names again. SYMTAB's elements are the variables
//! themselves: `SYMTAB["x"]` is compiled to an operation that finds `x`. Where SYMTAB as a whole
//! goes somewhere (a function, a loop), its elements are first made what the variables are at
//! that moment; arrays among them are the arrays themselves.

pub(crate) mod elements;

use riverhawk_syntax::ast::Special;
use riverhawk_value::{ArrayRef, Value};
use std::collections::BTreeMap;

/// What a name stands for in SYMTAB.
enum Variable {
    Special(Special),
    Global(usize),
    /// A variable that only the command line names: its value is the element.
    Element,
}

/// The arrays, for programs that mention them.
#[derive(Default)]
pub struct Named {
    pub(crate) symbols: Option<ArrayRef>,
    pub(crate) functions: Option<ArrayRef>,
    /// The variables that only the command line names, while no SYMTAB has them: for who lists all
    /// variables.
    unasked: BTreeMap<String, Value>,
}
