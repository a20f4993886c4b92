//! Replaces `tier` if the engine is built without a specialiser.

use crate::Optimiser;
use crate::thread_role::ThreadRole;
use riverhawk_bytecode::Unit;
use riverhawk_syntax::source::SourceMap;
use riverhawk_tools::profile::CodeUse;
use riverhawk_vm::tier::NoTier;
use std::sync::Arc;

pub(crate) enum Watched {}

#[derive(Default)]
pub(crate) struct Done {
    pub(crate) machine_code: String,
    pub(crate) counters: Vec<(&'static str, u64)>,
    pub(crate) code_use: CodeUse,
}

impl Watched {
    pub(crate) fn new(
        _: &Optimiser,
        _: &Arc<SourceMap>,
        _: &Unit,
    ) -> Result<Option<Arc<Watched>>, String> {
        Ok(None)
    }

    pub(crate) fn sibling(&self) -> Arc<Watched> {
        match *self {}
    }

    pub(crate) fn watcher(self: &Arc<Watched>, _: &Arc<Unit>, _: ThreadRole) -> NoTier {
        match **self {}
    }

    pub(crate) fn end(&self, _: NoTier) -> Done {
        match *self {}
    }
}
