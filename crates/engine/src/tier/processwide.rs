//! The specialisers of the process: one for all programs that ask for the same.
//!
//! Programs that run side by side share a specialiser, so that there is one thread and nothing is made twice (FACTS X16). Only what
//! differs in a way that can be seen, a log in another file for instance, needs another.

use super::producer::{Maker, Programs};
use crate::Optimising;
use riverhawk_spesh::{Options, Specialiser};
use std::fs::File;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A specialiser, and whose frames it knows.
pub(super) struct House {
    pub(super) specialiser: Specialiser,
    pub(super) programs: Arc<Programs>,
}

static ALL: Mutex<Vec<(Optimising, &'static House)>> = Mutex::new(Vec::new());

/// The specialiser for these options; `log` is where statistics and plans go, should it have to be made.
pub(super) fn house(options: &Optimising, log: Option<File>) -> &'static House {
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = all.iter().find(|(known, _)| known == options) {
        return known;
    }
    let what = Options {
        log: options.spesh_log.clone(),
        nodelay: options.spesh_nodelay,
        limit: options.spesh_limit,
        blocking: options.spesh_blocking,
        buffer: options.spesh_buffer,
    };
    let dump = log.map(|file| Box::new(file) as Box<dyn Write + Send>);
    let programs = Arc::<Programs>::default();
    let maker = Maker { programs: programs.clone() };
    let specialiser = Specialiser::with_dump(&what, maker, dump);
    // It lives as long as the process: its thread may be at work when a program ends.
    let made: &'static House = Box::leak(Box::new(House { specialiser, programs }));
    all.push((options.clone(), made));
    made
}

/// Opens the log, before the program runs: what cannot be written is to be said at once. None when an earlier run of the
/// process writes to it already.
pub(super) fn open_log(options: &Optimising) -> io::Result<Option<File>> {
    let Some(path) = &options.spesh_log else { return Ok(None) };
    let all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    if all.iter().any(|(known, _)| known == options) {
        return Ok(None);
    }
    File::create(path).map(Some)
}
