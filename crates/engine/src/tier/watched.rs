//! A program as all threads share it that run it and watch it.

use super::candidates::Candidates;
use super::facts::facts;
use super::processwide::{self, House};
use super::watcher::Watcher;
use crate::Optimising;
use riverhawk_bytecode::{FrameKind, Unit};
use riverhawk_jit::Compiler;
use riverhawk_spesh::StaticFrame;
use riverhawk_spesh::ir::{FrameName, Snapshot};
use riverhawk_syntax::source::SourceMap;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// A program that is watched. Threads that run pieces of its input run other bytecode than the first thread, since they take
/// notes; so there are two of these then, the second shared by all of them.
pub(crate) struct Watched {
    options: Optimising,
    sources: Arc<SourceMap>,
    /// Open before anything runs, for whoever makes the specialiser.
    log: Arc<Mutex<Option<File>>>,
    /// Where it is said which functions were copied into their callers.
    inline_log: Arc<Mutex<Option<File>>>,
    itself: Weak<Watched>,
    known: OnceLock<Known>,
}

/// What is to be said of a run in the end.
#[derive(Default)]
pub(crate) struct Done {
    /// The text that was to be kept of machine code.
    pub(crate) machine_code: String,
    /// What was done, for `--stats`.
    pub(crate) counters: Vec<(&'static str, u64)>,
}

/// What there is once the program is looked at.
pub(super) struct Known {
    pub(super) house: &'static House,
    /// In the order of [`Unit::frames`].
    pub(super) frames: Vec<Frame>,
    /// None when there is to be no machine code.
    machinery: Option<Machinery>,
}

/// A frame that the specialiser knows.
pub(super) struct Frame {
    /// None for the end of callbacks.
    pub(super) name: Option<FrameName>,
    pub(super) frame: Arc<StaticFrame>,
    /// Its first operation.
    pub(super) code_start: u32,
}

/// What makes machine code of the program, and what has been made.
pub(super) struct Machinery {
    pub(super) snapshot: Arc<Snapshot>,
    /// None until something is to be made.
    pub(super) compiler: Mutex<Option<Compiler>>,
    pub(super) candidates: Candidates,
    /// Names of the frames, and their first operations.
    frames: Vec<(Option<FrameName>, u32)>,
}

impl Watched {
    /// A program to be watched as the options say; none when there is nothing to be gained, and nothing to be seen.
    ///
    /// # Errors
    /// A log cannot be written: which, and why.
    pub(crate) fn new(options: &Optimising, sources: &Arc<SourceMap>) -> Result<Option<Arc<Watched>>, String> {
        if !options.watches() {
            return Ok(None);
        }
        let refused = |path: &Option<PathBuf>, error: io::Error| {
            format!("cannot write the log {}: {error}", path.as_deref().unwrap_or(Path::new("")).display())
        };
        let log = processwide::open_log(options).map_err(|error| refused(&options.spesh_log, error))?;
        let inline_log = options.inline_log.as_ref().map(File::create).transpose();
        let inline_log = inline_log.map_err(|error| refused(&options.inline_log, error))?;
        Ok(Some(Watched::with_logs(options, sources, &Arc::new(Mutex::new(log)), &Arc::new(Mutex::new(inline_log)))))
    }

    /// The same program in other bytecode.
    pub(crate) fn sibling(&self) -> Arc<Watched> {
        Watched::with_logs(&self.options, &self.sources, &self.log, &self.inline_log)
    }

    fn with_logs(
        options: &Optimising,
        sources: &Arc<SourceMap>,
        log: &Arc<Mutex<Option<File>>>,
        inline_log: &Arc<Mutex<Option<File>>>,
    ) -> Arc<Watched> {
        Arc::new_cyclic(|itself| Watched {
            options: options.clone(),
            sources: sources.clone(),
            log: log.clone(),
            inline_log: inline_log.clone(),
            itself: itself.clone(),
            known: OnceLock::new(),
        })
    }

    /// Says what became part of a candidate, and what did not. A log that cannot be written any more ends.
    pub(super) fn log_inlining(&self, lines: &[String]) {
        let mut log = self.inline_log.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = log.as_mut() {
            let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
            if file.write_all(text.as_bytes()).is_err() {
                *log = None;
            }
        }
    }

    /// The tier for a thread that runs this bytecode of the program.
    pub(crate) fn watcher(self: &Arc<Watched>, unit: &Rc<Unit>, is_main: bool) -> Watcher {
        Watcher::new(self, unit, is_main)
    }

    /// The run has ended on its first thread.
    pub(crate) fn end(&self, mut watcher: Watcher) -> Done {
        watcher.end();
        let [entries, falls] = watcher.counts();
        let counters = self.known.get().map(|known| known.house.specialiser.counters()).unwrap_or_default();
        Done {
            machine_code: self.machinery().map(|machinery| machinery.candidates.text()).unwrap_or_default(),
            counters: vec![
                ("observations dealt with", counters.entries),
                ("specialisations made", counters.produced),
                ("specialisations refused", counters.refused),
                ("entries into machine code", entries),
                ("guards that failed", falls),
            ],
        }
    }

    /// What the run was asked for.
    pub(super) fn options(&self) -> &Optimising {
        &self.options
    }

    /// What makes machine code, and what was made; none when there is to be none, or the program has not been looked at.
    pub(super) fn machinery(&self) -> Option<&Machinery> {
        self.known.get()?.machinery.as_ref()
    }

    /// What is known of the program. Whichever thread asks first makes it known to the specialiser.
    pub(super) fn known(&self, unit: &Unit) -> &Known {
        self.known.get_or_init(|| {
            let log = self.log.lock().unwrap_or_else(PoisonError::into_inner).take();
            let house = processwide::house(&self.options, log);
            let frames: Vec<Frame> = names(unit)
                .zip(unit.frames().zip(facts(unit, &self.sources)))
                .map(|(name, (frame, facts))| {
                    let code_start = frame.code.start;
                    Frame { name, frame: house.specialiser.register(facts), code_start }
                })
                .collect();
            house.programs.add(&self.itself, frames.iter().map(|frame| frame.frame.id()));
            let machinery = (!self.options.no_jit).then(|| Machinery {
                snapshot: Arc::new(Snapshot::of(unit)),
                compiler: Mutex::default(),
                candidates: Candidates::default(),
                frames: frames.iter().map(|frame| (frame.name, frame.code_start)).collect(),
            });
            Known { house, frames, machinery }
        })
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(known) = self.known.get() {
            known.house.programs.remove(known.frames.iter().map(|frame| frame.frame.id()));
        }
    }
}

impl Machinery {
    /// A frame's name and its first operation.
    pub(super) fn frame(&self, index: usize) -> Option<(FrameName, u32)> {
        let (name, code_start) = *self.frames.get(index)?;
        Some((name?, code_start))
    }
}

/// The name of each frame, in the order of [`Unit::frames`].
fn names(unit: &Unit) -> impl Iterator<Item = Option<FrameName>> {
    let mut functions = 0..;
    unit.frames().map(move |frame| match frame.kind {
        FrameKind::Begin => Some(FrameName::Begin),
        FrameKind::Main => Some(FrameName::Main),
        FrameKind::End => Some(FrameName::End),
        FrameKind::BeginFile | FrameKind::EndFile | FrameKind::Callback => None,
        FrameKind::Function => functions.next().map(FrameName::Function),
    })
}
