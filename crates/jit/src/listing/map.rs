//! A perf map: a line per function, with address and size in hexadecimal and its name.

use super::Symbol;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where `perf` looks for the map: `/tmp/perf-PID.map`.
pub fn perf_map_path() -> PathBuf {
    PathBuf::from(format!("/tmp/perf-{}.map", std::process::id()))
}

/// `None` after a write failed.
pub(super) struct PerfMap(Option<File>);

impl PerfMap {
    pub(super) fn create(path: &Path) -> Result<PerfMap, (PathBuf, io::Error)> {
        // Every user can write to /tmp: create the file here, never open an existing link.
        let removed = std::fs::remove_file(path);
        if let Err(error) = removed
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err((path.to_owned(), error));
        }
        let file = File::create_new(path).map_err(|error| (path.to_owned(), error))?;
        Ok(PerfMap(Some(file)))
    }

    pub(super) fn add(&mut self, symbol: &Symbol<'_>) {
        let Some(file) = &mut self.0 else { return };
        let line = format!("{:x} {:x} {}\n", symbol.address, symbol.code.len(), symbol.name);
        if file.write_all(line.as_bytes()).is_err() {
            self.0 = None;
        }
    }
}
