//! How records are cut into fields: FS, FIELDWIDTHS or FPAT, whichever was assigned last.
//! `PROCINFO["FS"]` tells which.

use crate::widths::Widths;
use riverhawk_regex::Regex;
use riverhawk_syntax::ast::Special;
use std::rc::Rc;

/// What fields are.
#[derive(Clone, Default)]
pub enum FieldMode {
    /// What stands between matches of FS.
    #[default]
    Separator,
    /// What FIELDWIDTHS measures off.
    Widths(Rc<Widths>),
    /// What FPAT matches. The regex is of the moment when FPAT was assigned: as in gawk, IGNORECASE
    /// does not change it.
    Pattern(Rc<Regex>),
}

impl FieldMode {
    /// The variable that it is of.
    pub fn variable(&self) -> Special {
        match self {
            FieldMode::Separator => Special::Fs,
            FieldMode::Widths(_) => Special::Fieldwidths,
            FieldMode::Pattern(_) => Special::Fpat,
        }
    }
}
