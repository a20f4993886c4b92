//! Buffers for texts, kept for their allocations.

use crate::printing::arguments::{HeldArguments, format_rules};
use riverhawk_bytecode::Unit as Program;
use riverhawk_value::format::Format;

pub(crate) struct Workspace {
    /// Texts of numbers, for each operand of an operation.
    pub(crate) scratch: [Vec<u8>; 3],
    /// The result of `sub`.
    pub(crate) assembly: Vec<u8>,
    pub(crate) formatted: Vec<u8>,
    pub(crate) pieces: Vec<(u32, u32)>,
    pub(crate) formats: Vec<Format>,
    pub(crate) recent_format: Option<(Vec<u8>, Format)>,
    /// The values of a printf.
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
