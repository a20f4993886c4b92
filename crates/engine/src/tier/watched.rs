//! A program as all threads share it that run it and watch it.

use super::facts::facts;
use super::{Watcher, processwide};
use crate::Optimising;
use riverhawk_bytecode::Unit;
use riverhawk_spesh::{Specialiser, StaticFrame};
use riverhawk_syntax::source::SourceMap;
use std::fs::File;
use std::io;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A program that is watched. Threads that run pieces of its input run other bytecode than the first thread, since they take
/// notes; so there are two of these then, the second shared by all of them.
pub(crate) struct Watched {
    options: Optimising,
    sources: Arc<SourceMap>,
    /// Open before anything runs, for whoever makes the specialiser.
    log: Arc<Mutex<Option<File>>>,
    frames: OnceLock<Frames>,
}

/// The program's frames, known to a specialiser.
pub(crate) struct Frames {
    pub(super) specialiser: &'static Specialiser,
    /// In the order of [`Unit::frames`], each with its first operation.
    pub(super) frames: Vec<(Arc<StaticFrame>, u32)>,
    /// Index of the first function's.
    pub(super) functions_at: usize,
}

impl Watched {
    /// A program to be watched as the options say; none when there is nothing to be gained, and nothing to be seen.
    ///
    /// # Errors
    /// The log cannot be written.
    pub(crate) fn new(options: &Optimising, sources: &Arc<SourceMap>) -> io::Result<Option<Arc<Watched>>> {
        if !options.watches() {
            return Ok(None);
        }
        let log = Arc::new(Mutex::new(processwide::open_log(options)?));
        let (options, sources) = (options.clone(), sources.clone());
        Ok(Some(Arc::new(Watched { options, sources, log, frames: OnceLock::new() })))
    }

    /// The same program in other bytecode.
    pub(crate) fn sibling(&self) -> Arc<Watched> {
        let (options, sources, log) = (self.options.clone(), self.sources.clone(), self.log.clone());
        Arc::new(Watched { options, sources, log, frames: OnceLock::new() })
    }

    /// The tier for a thread that runs this bytecode of the program.
    pub(crate) fn watcher(self: &Arc<Watched>, unit: &Rc<Unit>, is_main: bool) -> Watcher {
        Watcher::new(self, unit, is_main)
    }

    /// The thread has ended.
    pub(crate) fn end(&self, mut watcher: Watcher) {
        watcher.end();
    }

    /// What the run was asked for.
    pub(super) fn options(&self) -> &Optimising {
        &self.options
    }

    /// The frames, registered by whichever thread asks first.
    pub(super) fn frames(&self, unit: &Unit) -> &Frames {
        self.frames.get_or_init(|| {
            let log = self.log.lock().unwrap_or_else(PoisonError::into_inner).take();
            let specialiser = processwide::specialiser(&self.options, log);
            let facts = facts(unit, &self.sources);
            let functions_at = facts.len() - unit.functions.len();
            let frames = unit.frames().zip(facts);
            let frames = frames.map(|(frame, facts)| (specialiser.register(facts), frame.code.start)).collect();
            Frames { specialiser, frames, functions_at }
        })
    }
}
