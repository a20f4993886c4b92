//! Output of an edit: a new file beside the old one, or memory if it is only compared.

use super::options::Effect;
use riverhawk_slurp::{Replacement, Spew};
use riverhawk_system::fd::OwnedFd;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::path::Path;

pub(super) enum NewContent {
    /// Takes the file's place.
    Replacement(Box<Replacement>),
    /// Only compared.
    Scratch(OwnedFd),
}

impl NewContent {
    pub(super) fn begin(path: &Path, effect: Effect) -> Result<NewContent, String> {
        match effect {
            Effect::Replace => {
                let begun = Spew::new().begin(path).map_err(|error| error.to_string())?;
                Ok(NewContent::Replacement(Box::new(begun)))
            }
            Effect::Show(_) => {
                let file = crate::system::scratch()
                    .map_err(|error| format!("cannot edit {}: {error}", path.display()))?;
                Ok(NewContent::Scratch(file))
            }
        }
    }

    pub(super) fn writer(&self) -> Result<OwnedFd, String> {
        match self {
            NewContent::Replacement(replacement) => {
                replacement.writer().map_err(|error| error.to_string())
            }
            NewContent::Scratch(file) => file.try_clone().map_err(|error| error.to_string()),
        }
    }

    /// Nothing may be written after this.
    pub(super) fn written(&self) -> io::Result<File> {
        match self {
            NewContent::Replacement(replacement) => Ok(File::from(replacement.written()?)),
            NewContent::Scratch(file) => {
                let file = file.try_clone()?;
                riverhawk_system::fs::seek(&file, riverhawk_system::fs::SeekFrom::Start(0))?;
                Ok(File::from(file))
            }
        }
    }

    /// With a suffix, the old file is kept.
    pub(super) fn commit(self, suffix: Option<&OsStr>) -> Result<(), String> {
        match self {
            NewContent::Replacement(replacement) => {
                replacement.commit(suffix).map_err(|error| error.to_string())
            }
            NewContent::Scratch(_) => Ok(()),
        }
    }
}
