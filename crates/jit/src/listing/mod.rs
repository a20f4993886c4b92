//! Describes functions of machine code to the system's profilers: a [`Listing`] writes a perf map,
//! a jitdump, or both.
//!
//! `perf report` reads `/tmp/perf-PID.map`: addresses and names. A jitdump adds code and lines,
//! from which `perf inject --jit` makes object files for `perf annotate`.

mod dump;
mod map;
#[allow(unsafe_code)]
mod marker;

pub use map::perf_map_path;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The number of a file and a line for each operation.
#[derive(Clone, Debug, Default)]
pub struct LineTable {
    /// The files.
    pub files: Vec<String>,
    /// By operation.
    pub of: Vec<(u32, u32)>,
}

impl LineTable {
    /// The file and the line of an operation.
    pub fn find(&self, at: u32) -> Option<(&str, u32)> {
        let &(file, line) = self.of.get(at as usize)?;
        Some((self.files.get(file as usize)?, line))
    }
}

/// A function of machine code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its address.
    pub address: u64,
    /// Its bytes.
    pub code: &'a [u8],
    /// Where another operation begins: offset, file, line.
    pub lines: &'a [(u32, &'a str, u32)],
}

/// Lists all machine code of the process.
pub struct Listing {
    map: Option<Mutex<map::PerfMap>>,
    dump: Option<Mutex<dump::JitDump>>,
}

impl Listing {
    /// Begins a perf map and `jit-PID.dump` in a folder, each if its path is given.
    ///
    /// # Errors
    /// Which file cannot be written, and why.
    pub fn begin(
        map_at: Option<&Path>,
        dump_in: Option<&Path>,
    ) -> Result<Listing, (PathBuf, io::Error)> {
        let map = map_at.map(map::PerfMap::create).transpose()?;
        let dump = dump_in.map(|folder| dump::JitDump::create(&dump::path(folder))).transpose()?;
        Ok(Listing { map: map.map(Mutex::new), dump: dump.map(Mutex::new) })
    }

    /// Lists a function. A failed write ends its file: the program goes on.
    pub fn add(&self, symbol: &Symbol<'_>) {
        if let Some(map) = &self.map {
            map.lock().unwrap_or_else(PoisonError::into_inner).add(symbol);
        }
        if let Some(dump) = &self.dump {
            dump.lock().unwrap_or_else(PoisonError::into_inner).add(symbol);
        }
    }
}

impl fmt::Debug for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (map, dump) = (self.map.is_some(), self.dump.is_some());
        f.debug_struct("Listing").field("map", &map).field("dump", &dump).finish()
    }
}
