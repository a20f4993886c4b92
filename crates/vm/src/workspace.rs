//! Buffers in which operations put text together, kept so that they are allocated once.

use crate::printing::arguments::{HeldArguments, format_rules};
use riverhawk_bytecode::Unit as Program;
use riverhawk_value::format::Format;

/// The buffers, and what is known of formats.
pub(crate) struct Workspace {
    /// Text of numbers, one for each operand of an operation.
    pub(crate) scratch: [Vec<u8>; 3],
    /// What `sub` is putting together.
    pub(crate) assembly: Vec<u8>,
    /// What was formatted last.
    pub(crate) formatted: Vec<u8>,
    /// Ranges of the pieces of a `split`.
    pub(crate) pieces: Vec<(u32, u32)>,
    /// Constant formats.
    pub(crate) formats: Vec<Format>,
    /// The format that was computed last, and what it says.
    pub(crate) recent_format: Option<(Vec<u8>, Format)>,
    /// The values of a printf being formatted.
    pub(crate) arguments: HeldArguments,
}

impl Workspace {
    pub(crate) fn new(program: &Program) -> Workspace {
        let rules = format_rules(program.dialect);
        let formats =
            program.formats.iter().map(|format| Format::parse_by(rules, format)).collect();
        Workspace {
            scratch: Default::default(),
            assembly: Vec::new(),
            formatted: Vec::new(),
            pieces: Vec::new(),
            formats,
            recent_format: None,
            arguments: HeldArguments::default(),
        }
    }
}
