//! An atomic write in steps: begun, written, and committed or dropped.

use crate::atomic::DEFAULT_PERMISSIONS;
use crate::attributes::hand_on;
use crate::error::{ErrorKind, Failure, Operation, Result, Step, during};
use crate::spew::Spew;
use crate::target::Target;
use crate::temporary::Temporary;
use crate::writing::{Durability, sync};
use riverhawk_system::fd::{AsFd, OwnedFd};
use riverhawk_system::fs::{Access, AtFlags, CWD, Mode, OFlags, RawMode};
use riverhawk_system::io::{Errno, retry_on_intr};
use riverhawk_system::names::{self, OsStrExt};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A file that will replace another. Until [`commit`](Replacement::commit) the old one is
/// unchanged; dropping this removes the new one.
///
/// ```
/// # let path = std::env::temp_dir().join(format!("riverhawk-slurp-doc-replacement-{}", std::process::id()));
/// use riverhawk_slurp::{Spew, write};
/// use std::io::Write;
///
/// write(&path, "old\n")?;
/// let replacement = Spew::new().begin(&path)?;
/// std::fs::File::from(replacement.writer()?).write_all(b"new\n")?;
/// assert_eq!(std::fs::read(&path)?, b"old\n");
/// replacement.commit(None)?;
/// assert_eq!(std::fs::read(&path)?, b"new\n");
/// # std::fs::remove_file(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Replacement {
    spew: Spew,
    path: PathBuf,
    target: Target,
    temporary: Temporary<OwnedFd>,
}

impl Spew {
    /// Begins to replace the file at `path`, which must exist, be regular and writable. Uses the
    /// options for permissions, keeping and durability.
    ///
    /// # Errors
    /// It is not, or its directory cannot get a new file.
    pub fn begin(&self, path: impl AsRef<Path>) -> Result<Replacement> {
        let path = path.as_ref();
        let begun = self.begin_at(path);
        self.reporting.finish(Operation::Edit, path, begun)
    }

    fn begin_at(&self, path: &Path) -> Result<Replacement, Failure> {
        let target = Target::resolve(path)?;
        if target.old.is_none() {
            return Err(during(Step::Open)(Errno::NOENT));
        }
        riverhawk_system::fs::accessat(CWD, &target.path, Access::WRITE_OK, AtFlags::EACCESS)
            .map_err(during(Step::Open))?;
        let directory = riverhawk_system::io::fcntl_dupfd_cloexec(&target.directory, 0)
            .map_err(during(Step::Open))?;
        // Private until it has the old file's permissions.
        let temporary = Temporary::create(
            directory,
            Mode::from_raw_mode(0o600 & DEFAULT_PERMISSIONS as RawMode),
        )?;
        Ok(Replacement { spew: self.clone(), path: path.to_owned(), target, temporary })
    }
}

impl Replacement {
    /// A descriptor for writing the new content.
    ///
    /// # Errors
    /// No free descriptor.
    pub fn writer(&self) -> Result<OwnedFd> {
        let copy = self.temporary.file().and_then(|file| {
            riverhawk_system::io::fcntl_dupfd_cloexec(file, 0).map_err(during(Step::Open))
        });
        self.spew.reporting.finish(Operation::Edit, &self.path, copy)
    }

    /// The new content so far, from its beginning.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn written(&self) -> Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || {
            riverhawk_system::fs::openat(
                &self.target.directory,
                &self.temporary.name,
                flags,
                Mode::empty(),
            )
        };
        let opened = retry_on_intr(open).map_err(during(Step::Open));
        self.spew.reporting.finish(Operation::Edit, &self.path, opened)
    }

    /// Replaces the old file; with a suffix, keeps the old one under its name and the suffix.
    ///
    /// # Errors
    /// The old file is still there, unless the directory's sync failed, which comes last.
    pub fn commit(self, suffix: Option<&OsStr>) -> Result<()> {
        let (reporting, path) = (self.spew.reporting.clone(), self.path.clone());
        reporting.finish(Operation::Edit, &path, self.commit_at(suffix))
    }

    fn commit_at(mut self, suffix: Option<&OsStr>) -> Result<(), Failure> {
        let (target, spew) = (&self.target, &self.spew);
        if let Some(old) = &target.old {
            hand_on(self.temporary.file()?, old, &target.path, spew.keep, spew.perms)?;
        }
        if let Some(perms) = spew.perms {
            let (file, mode) = (self.temporary.file()?, Mode::from_raw_mode(perms as RawMode));
            retry_on_intr(|| riverhawk_system::fs::fchmod(file, mode))
                .map_err(during(Step::SetPermissions))?;
        }
        if spew.durability != Durability::None {
            sync(self.temporary.file()?)?;
        }
        self.temporary.close()?;
        if let Some(suffix) = suffix {
            keep_old(target, suffix)?;
        }
        let (directory, name) = (&target.directory, &target.name);
        retry_on_intr(|| {
            riverhawk_system::fs::renameat(directory, &self.temporary.name, directory, name)
        })
        .map_err(during(Step::Rename))?;
        self.temporary.keep();
        if self.spew.durability == Durability::FileAndDirectory {
            self.target.sync_directory()?;
        }
        Ok(())
    }
}

fn keep_old(target: &Target, suffix: &OsStr) -> Result<(), Failure> {
    if names::has_folder(suffix.as_bytes()) {
        let message = "the suffix of the old file's name has a slash in it";
        return Err(Failure::new(Step::Rename, ErrorKind::NotARegularFile, message));
    }
    let mut backup = target.name.clone();
    backup.push(suffix);
    let directory = target.directory.as_fd();
    let link = || {
        riverhawk_system::fs::linkat(directory, &target.name, directory, &backup, AtFlags::empty())
    };
    match link() {
        Err(Errno::EXIST) => {
            riverhawk_system::fs::unlinkat(directory, &backup, AtFlags::empty())
                .map_err(during(Step::Rename))?;
            link()
        }
        result => result,
    }
    .map_err(during(Step::Rename))
}
