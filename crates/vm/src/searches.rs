//! Regular expressions, and where they match next.

use riverhawk_bytecode::Unit as Program;
use riverhawk_record::ahead::Ahead;
use riverhawk_record::patterns::Patterns;

pub(crate) struct Searches {
    pub(crate) patterns: Patterns,
    pub(crate) ahead: Vec<Ahead>,
}

impl Searches {
    pub(crate) fn new(program: &Program, patterns: Patterns) -> Searches {
        Searches { patterns, ahead: vec![Ahead::default(); program.regexes.len()] }
    }
}
