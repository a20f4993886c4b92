//! A perf map: a line for each function, with its address and size in hexadecimal and its name.

use super::Symbol;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where `perf` looks for it.
pub(super) fn path() -> PathBuf {
    PathBuf::from(format!("/tmp/perf-{}.map", std::process::id()))
}

/// The file; none once it could not be written.
pub(super) struct PerfMap(Option<File>);

impl PerfMap {
    pub(super) fn create(path: &Path) -> Result<PerfMap, (PathBuf, io::Error)> {
        // Anybody may write in /tmp, so the file must be made here: not a link that was put there.
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
