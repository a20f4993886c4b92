//! Where what is printed goes while a file is read: a new file beside the old one, or memory when
//! it is only to be compared.

use super::options::Effect;
use riverhawk_slurp::{Replacement, Spew};
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

/// What may become the content of a file.
pub(super) enum NewContent {
    /// It takes the file's place.
    Replacement(Box<Replacement>),
    /// It is only looked at.
    Scratch(OwnedFd),
}

impl NewContent {
    /// Begins the new content of the file at `path`.
    pub(super) fn begin(path: &Path, effect: Effect) -> Result<NewContent, String> {
        match effect {
            Effect::Replace => {
                let begun = Spew::new().begin(path).map_err(|error| error.to_string())?;
                Ok(NewContent::Replacement(Box::new(begun)))
            }
            Effect::Show(_) => {
                let file = scratch()
                    .map_err(|error| format!("cannot edit {}: {error}", path.display()))?;
                Ok(NewContent::Scratch(file))
            }
        }
    }

    /// A descriptor to write to.
    pub(super) fn writer(&self) -> Result<OwnedFd, String> {
        match self {
            NewContent::Replacement(replacement) => {
                replacement.writer().map_err(|error| error.to_string())
            }
            NewContent::Scratch(file) => file.try_clone().map_err(|error| error.to_string()),
        }
    }

    /// What has been written so far, from its beginning. Nothing is written after that.
    pub(super) fn written(&self) -> io::Result<File> {
        match self {
            NewContent::Replacement(replacement) => Ok(File::from(replacement.written()?)),
            NewContent::Scratch(file) => {
                let file = file.try_clone()?;
                rustix::fs::seek(&file, rustix::fs::SeekFrom::Start(0))?;
                Ok(File::from(file))
            }
        }
    }

    /// Puts it into the file's place; with a suffix, the old one is kept.
    pub(super) fn commit(self, suffix: Option<&OsStr>) -> Result<(), String> {
        match self {
            NewContent::Replacement(replacement) => {
                replacement.commit(suffix).map_err(|error| error.to_string())
            }
            NewContent::Scratch(_) => Ok(()),
        }
    }
}

/// A file that has no name.
#[cfg(target_os = "linux")]
fn scratch() -> io::Result<OwnedFd> {
    Ok(rustix::fs::memfd_create(c"riverhawk", rustix::fs::MemfdFlags::CLOEXEC)?)
}

/// A file whose name is gone as soon as it is there.
#[cfg(not(target_os = "linux"))]
fn scratch() -> io::Result<OwnedFd> {
    static COUNT: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
    let count = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("riverhawk-{}-{count}", std::process::id()));
    let file = File::options().read(true).write(true).create_new(true).open(&path)?;
    std::fs::remove_file(&path)?;
    Ok(file.into())
}
