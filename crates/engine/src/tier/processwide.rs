//! The process's specialisers. Programs with the same options share one, so that there is one
//! thread and nothing is made twice. Options with a visible effect, such as another log file, need
//! another one; so does a forked process, which has no thread of its parent.

use super::programs::{Maker, Programs};
use crate::Optimiser;
use riverhawk_jit::listing::{Listing, perf_map_path};
use riverhawk_pool::{Serial, process};
use riverhawk_spesh::{Executor, Specialiser, SpecialiserOptions, Work};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub(super) struct SharedSpecialiser {
    pub(super) specialiser: Specialiser,
    pub(super) programs: Arc<Programs>,
}

/// The pool as the specialiser uses it: work in order, on a worker without general work. So pieces
/// of a parallel run do not delay it, and it takes no worker from them.
#[derive(Default)]
struct Background {
    /// `None` inside if no thread was available.
    queue: OnceLock<Option<Serial>>,
}

impl Executor for Background {
    fn execute(&self, work: Work) -> bool {
        let start = || {
            let pool = process::handle();
            let queue = pool.serial();
            (pool.usage().affinity.workers > 0).then_some(queue)
        };
        let queue = self.queue.get_or_init(start).as_ref();
        queue.map(|queue| queue.run(work)).is_some()
    }
}

/// Each with the process that made it.
static ALL: Mutex<Vec<(Optimiser, u32, &'static SharedSpecialiser)>> = Mutex::new(Vec::new());

/// The specialiser for these options, made if needed with `log` for statistics and plans.
pub(super) fn shared_specialiser(
    options: &Optimiser,
    log: Option<File>,
) -> &'static SharedSpecialiser {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    let known = all.iter().find(|(known, id, _)| known == options && *id == process);
    if let Some((_, _, known)) = known {
        return known;
    }
    let what = SpecialiserOptions {
        log: options.spesh_log.clone(),
        nodelay: options.spesh_nodelay,
        limit: options.spesh_limit,
        blocking: options.spesh_blocking,
        buffer: options.spesh_buffer,
    };
    let dump = log.map(|file| Box::new(file) as Box<dyn Write + Send>);
    let programs = Arc::<Programs>::default();
    let maker = Maker { programs: programs.clone() };
    let specialiser = Specialiser::with_executor(&what, maker, dump, Background::default());
    // Never freed: its thread may still be working when a program ends.
    let made: &'static SharedSpecialiser =
        Box::leak(Box::new(SharedSpecialiser { specialiser, programs }));
    all.push((options.clone(), process, made));
    made
}

/// The process's listings, by whether they have a perf map and a jitdump. Never closed, since code
/// may be installed until the process ends.
static LISTINGS: Mutex<Vec<([bool; 2], Arc<Listing>)>> = Mutex::new(Vec::new());

/// The listing for these options, perhaps of an earlier run.
pub(super) fn listing(options: &Optimiser) -> Result<Option<Arc<Listing>>, (PathBuf, io::Error)> {
    let wanted = [options.perf_map, options.jitdump];
    if wanted == [false; 2] || options.no_jit {
        return Ok(None);
    }
    let mut all = LISTINGS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = all.iter().find(|(known, _)| *known == wanted) {
        return Ok(Some(known.clone()));
    }
    let map_at = options.perf_map.then(perf_map_path);
    let dump_in = options.jitdump.then_some(Path::new("."));
    let made = Arc::new(Listing::begin(map_at.as_deref(), dump_in)?);
    all.push((wanted, made.clone()));
    Ok(Some(made))
}

/// Opens the log before the run, to report errors at once. `None` if an earlier run of the process
/// writes to it.
pub(super) fn open_log(options: &Optimiser) -> io::Result<Option<File>> {
    let Some(path) = &options.spesh_log else { return Ok(None) };
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if all.iter().any(|(known, _, _)| known == options) {
        return Ok(None);
    }
    File::create(path).map(Some)
}
