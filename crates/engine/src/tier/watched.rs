//! A watched program, shared by all threads that run it.

use super::candidates::Candidates;
use super::facts::facts;
use super::processwide::{self, SharedSpecialiser};
use super::programs::CodeMaker;
use crate::Optimiser;
use riverhawk_awkio::Reason;
use riverhawk_bytecode::{FrameKind, Unit};
use riverhawk_jit::listing::{LineTable, Listing};
use riverhawk_jit::{CallNote, Candidate, Compiler};
use riverhawk_spesh::RegisteredFrame;
use riverhawk_spesh::ir::{FrameName, Snapshot, program_may_gain};
use riverhawk_syntax::ast::Span;
use riverhawk_syntax::source::SourceMap;
use riverhawk_tools::profile::CodeUse;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// Threads that run pieces share a second instance, since their bytecode also takes notes.
pub(crate) struct Watched {
    options: Optimiser,
    sources: Arc<SourceMap>,
    logs: Logs,
    itself: Weak<Watched>,
    pub(super) known: OnceLock<Known>,
}

#[derive(Clone)]
struct Logs {
    /// Taken by the thread that makes the specialiser.
    spesh: Arc<Mutex<Option<File>>>,
    inline: Arc<Mutex<Option<File>>>,
    listing: Option<Arc<Listing>>,
}

#[derive(Default)]
pub(crate) struct Done {
    pub(crate) machine_code: String,
    pub(crate) counters: Vec<(&'static str, u64)>,
    pub(crate) code_use: CodeUse,
}

/// Made when the program is first observed.
pub(super) struct Known {
    pub(super) shared: &'static SharedSpecialiser,
    /// In the order of [`Unit::frames`].
    pub(super) frames: Vec<Frame>,
    /// `None` without machine code.
    machinery: Option<Machinery>,
}

pub(super) struct Frame {
    /// `None` for the callback frame.
    pub(super) name: Option<FrameName>,
    pub(super) frame: Arc<RegisteredFrame>,
    pub(super) code_start: u32,
}

pub(super) struct Machinery {
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) compiler: Mutex<Option<Compiler>>,
    pub(super) candidates: Candidates,
    spans: Arc<[Span]>,
    /// Names and first operations.
    frames: Vec<(Option<FrameName>, u32)>,
}

impl Watched {
    /// `None` if these options do not need watching. An error names the log that cannot be written.
    pub(crate) fn new(
        options: &Optimiser,
        sources: &Arc<SourceMap>,
        unit: &Unit,
    ) -> Result<Option<Arc<Watched>>, String> {
        if !options.watches() {
            return Ok(None);
        }
        let refused = |path: &Option<PathBuf>, error: io::Error| {
            format!(
                "cannot write the log {}: {}",
                path.as_deref().unwrap_or(Path::new("")).display(),
                Reason(&error)
            )
        };
        let listing = processwide::listing(options).map_err(|(path, error)| {
            format!("cannot list machine code in {}: {}", path.display(), Reason(&error))
        })?;
        let log =
            processwide::open_log(options).map_err(|error| refused(&options.spesh_log, error))?;
        let inline_log = options.inline_log.as_ref().map(File::create).transpose();
        let inline_log = inline_log.map_err(|error| refused(&options.inline_log, error))?;
        if !options.needs_watching() && !program_may_gain(unit) {
            return Ok(None);
        }
        let logs = Logs {
            spesh: Arc::new(Mutex::new(log)),
            inline: Arc::new(Mutex::new(inline_log)),
            listing,
        };
        Ok(Some(Watched::with_logs(options, sources, logs)))
    }

    /// The same program with other bytecode.
    pub(crate) fn sibling(&self) -> Arc<Watched> {
        Watched::with_logs(&self.options, &self.sources, self.logs.clone())
    }

    fn with_logs(options: &Optimiser, sources: &Arc<SourceMap>, logs: Logs) -> Arc<Watched> {
        Arc::new_cyclic(|itself| Watched {
            options: options.clone(),
            sources: sources.clone(),
            logs,
            itself: itself.clone(),
            known: OnceLock::new(),
        })
    }

    /// Logs a candidate's calls. A failed write ends the log.
    pub(super) fn log_inlining(&self, candidate: &Candidate) {
        let mut log = self.logs.inline.lock().unwrap_or_else(PoisonError::into_inner);
        let (Some(file), Some(machinery)) = (log.as_mut(), self.machinery()) else { return };
        if file.write_all(machinery.calls(candidate, &self.sources).as_bytes()).is_err() {
            *log = None;
        }
    }

    pub(super) fn options(&self) -> &Optimiser {
        &self.options
    }

    pub(super) fn listing(&self) -> Option<(Arc<Listing>, Arc<LineTable>)> {
        let listing = self.logs.listing.clone()?;
        let mut lines = LineTable::default();
        for &span in self.machinery()?.spans.iter() {
            let (name, line) =
                self.sources.locate(span).map_or(("", 0), |at| (at.name, at.line as u32));
            let known = lines.files.iter().position(|known| known == name);
            let file = known.unwrap_or_else(|| {
                lines.files.push(name.to_owned());
                lines.files.len() - 1
            });
            lines.of.push((file as u32, line));
        }
        Some((listing, Arc::new(lines)))
    }

    /// `None` without machine code, or before the program is observed.
    pub(super) fn machinery(&self) -> Option<&Machinery> {
        self.known.get()?.machinery.as_ref()
    }

    /// The first call registers the program with the specialiser.
    pub(super) fn known(&self, unit: &Unit) -> &Known {
        self.known.get_or_init(|| {
            let log = self.logs.spesh.lock().unwrap_or_else(PoisonError::into_inner).take();
            let shared = processwide::shared_specialiser(&self.options, log);
            let frames: Vec<Frame> = names(unit)
                .zip(unit.frames().zip(facts(unit, &self.sources)))
                .map(|(name, (frame, facts))| {
                    let code_start = frame.code.start;
                    Frame { name, frame: shared.specialiser.register(facts), code_start }
                })
                .collect();
            let itself: Weak<dyn CodeMaker> = self.itself.clone();
            shared.programs.add(&itself, frames.iter().map(|frame| frame.frame.id()));
            let machinery = (!self.options.no_jit).then(|| Machinery {
                snapshot: Arc::new(Snapshot::of(unit)),
                compiler: Mutex::default(),
                candidates: Candidates::default(),
                spans: unit.spans.clone().into(),
                frames: frames.iter().map(|frame| (frame.name, frame.code_start)).collect(),
            });
            Known { shared, frames, machinery }
        })
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(known) = self.known.get() {
            known.shared.programs.remove(known.frames.iter().map(|frame| frame.frame.id()));
        }
    }
}

impl Machinery {
    fn calls(&self, candidate: &Candidate, sources: &SourceMap) -> String {
        let name = |frame: FrameName| match frame {
            FrameName::Function(_) => {
                self.snapshot.frame(frame).map_or_else(String::new, |frame| frame.name.clone())
            }
            phase => phase.to_string(),
        };
        let into = name(candidate.frame());
        let line = |note: &CallNote| {
            let span = self.spans.get(note.at as usize).copied().unwrap_or_default();
            let place =
                sources.locate(span).map(|at| format!("{}:{}:{}: ", at.name, at.line, at.column));
            let place = place.unwrap_or_default();
            let callee = note
                .function
                .map_or_else(|| String::from("a function"), |of| name(FrameName::Function(of)));
            match &note.refused {
                None => format!("{place}Can inline {callee} into {into}\n"),
                Some(why) => format!("{place}Can NOT inline {callee} into {into}: {why}\n"),
            }
        };
        candidate.calls().iter().map(line).collect()
    }

    pub(super) fn frame(&self, index: usize) -> Option<(FrameName, u32)> {
        let (name, code_start) = *self.frames.get(index)?;
        Some((name?, code_start))
    }
}

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
