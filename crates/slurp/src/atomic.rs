//! Atomic replacement: a new file in the same directory is written, gets the old one's attributes,
//! and then its name.
//!
//! Readers see only `rename(2)`: the old content or the new, even if the process is killed. The
//! inode changes; other hard links keep the old content.

use crate::attributes::{hand_on, permissions};
use crate::error::{Failure, Step, during};
use crate::spew::{IfMissing, Spew};
use crate::target::Target;
use crate::temporary::Temporary;
use crate::writing::{Durability, sync};
use riverhawk_system::fd::{AsFd, BorrowedFd};
use riverhawk_system::fs::{Access, AtFlags, CWD};
use riverhawk_system::io::{Errno, retry_on_intr};
use std::ffi::OsStr;
use std::path::Path;

impl Spew {
    /// Fills a new file by `write` and replaces `path` with it. Any failure or panic changes
    /// nothing.
    pub(crate) fn replace<T>(
        &self,
        path: &Path,
        missing: IfMissing,
        write: impl FnOnce(BorrowedFd<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let target = if self.no_clobber {
            // Saves work; the rename decides.
            if riverhawk_system::fs::lstat(path).is_ok() {
                return Err(during(Step::Open)(Errno::EXIST));
            }
            Target::new_file(path)?
        } else {
            Target::resolve(path)?
        };
        match target.old {
            None if missing == IfMissing::Fail && !self.no_clobber => {
                return Err(during(Step::Open)(Errno::NOENT));
            }
            None => {}
            // A write-protected file must stay, whatever its directory allows.
            Some(_) => riverhawk_system::fs::accessat(
                CWD,
                &target.path,
                Access::WRITE_OK,
                AtFlags::EACCESS,
            )
            .map_err(during(Step::Open))?,
        }

        // Private until it has the old file's permissions.
        let otherwise = if target.old.is_some() { 0o600 } else { DEFAULT_PERMISSIONS };
        let mode = permissions(self.perms, otherwise)?;
        let mut temporary = Temporary::create(target.directory.as_fd(), mode)?;
        let value = write(temporary.file()?)?;
        if let Some(old) = &target.old {
            hand_on(temporary.file()?, old, &target.path, self.keep, self.perms)?;
        }
        if self.durability != Durability::None {
            sync(temporary.file()?)?;
        }
        temporary.close()?;
        if self.no_clobber {
            rename_to_free_name(&target, &temporary)?;
        } else {
            let (directory, name) = (&target.directory, &target.name);
            retry_on_intr(|| {
                riverhawk_system::fs::renameat(directory, &temporary.name, directory, name)
            })
            .map_err(during(Step::Rename))?;
        }
        temporary.keep();
        if self.durability == Durability::FileAndDirectory {
            target.sync_directory()?;
        }
        Ok(value)
    }
}

/// Before the umask.
pub(crate) const DEFAULT_PERMISSIONS: u32 = 0o666;

/// Fails atomically if the name exists.
fn rename_to_free_name(
    target: &Target,
    temporary: &Temporary<BorrowedFd<'_>>,
) -> Result<(), Failure> {
    let (directory, name) = (target.directory.as_fd(), &*target.name);
    match rename_noreplace(directory, &temporary.name, name) {
        // Not supported by every file system.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            link_and_unlink(directory, &temporary.name, name)
        }
        result => result,
    }
    .map_err(during(Step::Rename))
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn rename_noreplace(directory: BorrowedFd<'_>, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    use riverhawk_system::fs::{RenameFlags, renameat_with};
    retry_on_intr(|| renameat_with(directory, from, directory, to, RenameFlags::NOREPLACE))
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn rename_noreplace(_: BorrowedFd<'_>, _: &OsStr, _: &OsStr) -> Result<(), Errno> {
    Err(Errno::NOSYS)
}

/// A link never replaces anything.
fn link_and_unlink(directory: BorrowedFd<'_>, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    riverhawk_system::fs::linkat(directory, from, directory, to, AtFlags::empty())?;
    riverhawk_system::fs::unlinkat(directory, from, AtFlags::empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_a_free_name_take_it_and_leave_a_taken_one_alone() {
        for rename in [rename_noreplace, link_and_unlink] {
            let path = std::env::temp_dir()
                .join(format!("riverhawk-slurp-free-name-{}", std::process::id()));
            std::fs::create_dir(&path).unwrap();
            std::fs::write(path.join("one"), "1").unwrap();
            std::fs::write(path.join("two"), "2").unwrap();
            let directory = std::fs::File::open(&path).unwrap();
            let rename =
                |from: &str, to: &str| rename(directory.as_fd(), from.as_ref(), to.as_ref());
            match rename("one", "two") {
                Err(Errno::INVAL | Errno::NOSYS) => println!("skipped: not on this file system"),
                result => {
                    assert_eq!(result, Err(Errno::EXIST));
                    assert_eq!(std::fs::read(path.join("two")).unwrap(), b"2");
                    rename("one", "three").unwrap();
                    assert_eq!(std::fs::read(path.join("three")).unwrap(), b"1");
                    assert!(!path.join("one").exists());
                }
            }
            std::fs::remove_dir_all(&path).unwrap();
        }
    }
}
