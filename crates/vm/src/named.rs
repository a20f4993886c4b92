//! SYMTAB and FUNCTAB.
//!
//! They are filled when a program that mentions them begins. FUNCTAB's values are the functions'
//! names. SYMTAB's elements are the variables: `SYMTAB["x"]` is compiled to an operation that finds
//! `x`. Before SYMTAB is used as a whole, its elements are updated from the variables; arrays are
//! shared.

pub(crate) mod elements;

use riverhawk_syntax::ast::Special;
use riverhawk_value::{ArrayRef, Value};
use std::collections::BTreeMap;

enum Variable {
    Special(Special),
    Global(usize),
    Element,
}

#[derive(Default)]
pub struct Named {
    pub(crate) symbols: Option<ArrayRef>,
    pub(crate) functions: Option<ArrayRef>,
    /// Variables named only by the command line, to be listed when there is no SYMTAB.
    unasked: BTreeMap<String, Value>,
}
