//! How fields are found: by FS, FIELDWIDTHS or FPAT.

use crate::widths::Widths;
use riverhawk_regex::Regex;
use riverhawk_syntax::ast::Special;
use std::rc::Rc;

/// What determines fields.
#[derive(Clone, Default)]
pub enum FieldMode {
    /// The text between matches of FS.
    #[default]
    Separator,
    /// The parts measured by FIELDWIDTHS.
    Widths(Rc<Widths>),
    /// The matches of FPAT, with IGNORECASE as it was, like gawk.
    Pattern {
        /// FPAT's.
        regex: Rc<Regex>,
        /// IGNORECASE as it was.
        ignores_case: bool,
    },
}

impl FieldMode {
    /// The variable of this mode.
    pub fn variable(&self) -> Special {
        match self {
            FieldMode::Separator => Special::Fs,
            FieldMode::Widths(_) => Special::Fieldwidths,
            FieldMode::Pattern { .. } => Special::Fpat,
        }
    }
}
