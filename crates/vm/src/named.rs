//! SYMTAB and FUNCTAB.
//!
//! Their keys are names, made when the run begins for programs that mention them. FUNCTAB's values
//! are the names. SYMTAB's elements are the variables: `SYMTAB["x"]` is compiled to an operation
//! that finds `x`. Where SYMTAB is used as a whole, its elements first become what the variables
//! are; arrays are shared.

pub(crate) mod elements;

use riverhawk_syntax::ast::Special;
use riverhawk_value::{ArrayRef, Value};
use std::collections::BTreeMap;

/// What a name stands for in SYMTAB.
enum Variable {
    Special(Special),
    Global(usize),
    /// Only the command line names it: the element is its value.
    Element,
}

#[derive(Default)]
pub struct Named {
    pub(crate) symbols: Option<ArrayRef>,
    pub(crate) functions: Option<ArrayRef>,
    /// Named only by the command line, for lists of variables where there is no SYMTAB.
    unasked: BTreeMap<String, Value>,
}
