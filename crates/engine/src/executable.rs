//! A compiled program, as what runs it needs it.

use std::sync::{Arc, PoisonError};

use riverhawk_syntax::ast::{Extension, Program};
use riverhawk_syntax::lint::Allowances;
use riverhawk_syntax::source::SourceMap;

use crate::code::Code;
use crate::tier::Watched;
use crate::{Config, RuntimeError};

#[derive(Clone, Copy)]
pub(crate) struct Executable<'p> {
    pub code: &'p Code,
    pub program: &'p Arc<Program>,
    pub sources: &'p Arc<SourceMap>,
    pub allowed: &'p Arc<Allowances>,
}

impl Executable<'_> {
    /// The specialiser's part in the run, if any. It does not know operations of observed programs, or
    /// numbers read in other ways. `fork` copies only this thread, and output written backwards needs a
    /// variable that machine code may hold.
    pub(crate) fn watch(self, config: &Config) -> Result<Option<Arc<Watched>>, Box<RuntimeError>> {
        let Executable { code, sources, .. } = self;
        if code.serial
            || !config.machine.has_plain_numbers()
            || code.loads(Extension::Fork)
            || code.loads(Extension::Revoutput)
        {
            return Ok(None);
        }
        let optimiser = &config.optimiser;
        if optimiser.writes_logs() {
            return Watched::new(optimiser, sources, &code.bytecode)
                .map_err(|message| Box::new(RuntimeError::new(message)));
        }
        let mut known = code.watched.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, watched)) = known.as_ref().filter(|(known, _)| known == optimiser) {
            return Ok(watched.clone());
        }
        let watched = Watched::new(optimiser, sources, &code.bytecode)
            .map_err(|message| Box::new(RuntimeError::new(message)))?;
        *known = Some((optimiser.clone(), watched.clone()));
        Ok(watched)
    }
}
