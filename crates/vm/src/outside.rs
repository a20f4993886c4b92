//! What a run reads and writes besides the main input, what it may, and what it warns of.

use crate::backwards::ReversingOutputs;
use crate::lint::Lint;
use crate::warning::Warnings;
use riverhawk_awkio::Io;
use riverhawk_awkio::in_place::InPlace;
use riverhawk_awkio::sandbox::Sandbox;
use riverhawk_bytecode::Unit as Program;
use std::sync::Arc;

/// The world outside the program.
pub(crate) struct Outside {
    /// Files, commands and connections.
    pub(crate) io: Io,
    /// Files that are replaced by what is printed, if any are.
    pub(crate) in_place: Option<InPlace>,
    /// Files that are written backwards, for programs that have them.
    pub(crate) backwards: Option<Box<ReversingOutputs>>,
    /// What the program may not do, if it is not trusted.
    pub(crate) sandbox: Option<Sandbox>,
    /// Warnings on standard error.
    pub(crate) warnings: Warnings,
    /// What lint has to know.
    pub(crate) lint: Lint,
}

impl Outside {
    pub(crate) fn new(program: Arc<Program>, io: Io) -> Outside {
        Outside {
            io,
            in_place: None,
            backwards: None,
            sandbox: None,
            warnings: Warnings::new(program),
            lint: Lint::default(),
        }
    }
}
