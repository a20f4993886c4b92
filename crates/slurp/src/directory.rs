//! The names in a directory.

use crate::error::{Failure, Operation, Result, Step, during};
use crate::reporting::{Reporting, reporting_options};
use riverhawk_system::fs::{Dir, Mode, OFlags};
use riverhawk_system::io::retry_on_intr;
use riverhawk_system::names::OsStrExt;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// How to read a directory. By default: bare names in the file system's order, without `.` and
/// `..`.
///
/// ```
/// use riverhawk_slurp::ReadDir;
/// let names = ReadDir::new().prefix().sorted().read("/proc/self")?;
/// assert!(names.iter().any(|name| name.as_os_str() == "/proc/self/status"));
/// # Ok::<(), riverhawk_slurp::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ReadDir {
    keep_dots: bool,
    prefix: bool,
    sorted: bool,
    reporting: Reporting,
}

impl ReadDir {
    /// The default options.
    pub fn new() -> Self {
        Self::default()
    }

    /// Includes `.` and `..`.
    #[must_use]
    pub fn keep_dots(mut self) -> Self {
        self.keep_dots = true;
        self
    }

    /// Prefixes each name with the directory's path.
    #[must_use]
    pub fn prefix(mut self) -> Self {
        self.prefix = true;
        self
    }

    /// Sorts the names by their bytes.
    #[must_use]
    pub fn sorted(mut self) -> Self {
        self.sorted = true;
        self
    }

    reporting_options!();

    /// The names in the directory at `path`: all of them, or an error.
    ///
    /// # Errors
    /// It is not a directory, or cannot be opened or read.
    pub fn read(&self, path: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
        let path = path.as_ref();
        self.reporting.finish(Operation::ReadDir, path, self.list(path))
    }

    fn list(&self, path: &Path) -> Result<Vec<PathBuf>, Failure> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let file = retry_on_intr(|| riverhawk_system::fs::open(path, flags, Mode::empty()))
            .map_err(during(Step::Open))?;
        let directory = Dir::new(file).map_err(during(Step::Read))?;
        let mut names = Vec::new();
        for entry in directory {
            let entry = entry.map_err(during(Step::Read))?;
            let name = entry.file_name().to_bytes();
            if !self.keep_dots && matches!(name, b"." | b"..") {
                continue;
            }
            let name = OsStr::from_bytes(name);
            names.push(if self.prefix { path.join(name) } else { PathBuf::from(name) });
        }
        if self.sorted {
            // Not by path components: as `LC_ALL=C sort`.
            names.sort_unstable_by(|one, other| {
                one.as_os_str().as_bytes().cmp(other.as_os_str().as_bytes())
            });
        }
        Ok(names)
    }
}
