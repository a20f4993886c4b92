//! Input and output besides the main input, permissions and warnings.

use crate::backwards::ReversingOutputs;
use crate::lint::Lint;
use crate::warning::Warnings;
use riverhawk_awkio::Io;
use riverhawk_awkio::in_place::InPlace;
use riverhawk_awkio::sandbox::Sandbox;
use riverhawk_bytecode::Unit as Program;
use std::sync::Arc;

pub(crate) struct Outside {
    pub(crate) io: Io,
    pub(crate) in_place: Option<InPlace>,
    pub(crate) backwards: Option<Box<ReversingOutputs>>,
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) warnings: Warnings,
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
