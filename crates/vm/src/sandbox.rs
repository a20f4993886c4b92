//! `--sandbox`: a program that may read its operands and print, and besides only what a list
//! allows.
//!
//! These are the only doors; each asks here before it opens. The engine has the kernel watch too,
//! where it can.

mod questions;

use crate::io::FileName;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// What a program in a sandbox may do besides reading its operands and printing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Files and folders that may be read.
    pub read: Paths,
    /// Files that may be written, and folders in which they may be made, written and removed.
    pub write: Paths,
    /// Whether commands may be started.
    pub commands: Access,
    /// Whether connections may be made.
    pub network: Access,
}

/// Files and folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paths {
    /// These, and what is in them. The paths are absolute and without symbolic links.
    Under(Vec<PathBuf>),
    /// All there are.
    All,
}

/// None.
impl Default for Paths {
    fn default() -> Paths {
        Paths::Under(Vec::new())
    }
}

/// Whether something may be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// It may not.
    #[default]
    Denied,
    /// It may.
    Granted,
}

/// A sandbox.
pub struct Sandbox {
    /// The operands of the command line, which may be read.
    operands: Vec<Vec<u8>>,
    /// What may be done besides; nothing in gawk's sandbox, which has messages of its own.
    list: Option<Allowed>,
}

/// Something that a program is about to do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Door<'a> {
    /// Read a file or a folder.
    Read(&'a [u8]),
    /// Write a file.
    Write(&'a [u8]),
    /// Start a command.
    Command,
    /// Make a connection.
    Connection,
    /// Look at any file.
    Anything,
}

impl Paths {
    /// Whether a file is one of them, wherever its name leads.
    fn hold(&self, name: &[u8]) -> bool {
        let Paths::Under(allowed) = self else { return true };
        let path = Path::new(OsStr::from_bytes(name));
        // A file that is yet to be made is where its folder is; a link that leads to none could
        // lead anywhere.
        let found = match path.canonicalize() {
            Ok(found) => found,
            Err(_) if path.symlink_metadata().is_ok() => return false,
            Err(_) => {
                let folder = path
                    .parent()
                    .filter(|folder| !folder.as_os_str().is_empty())
                    .unwrap_or(Path::new("."));
                match (folder.canonicalize(), path.file_name()) {
                    (Ok(folder), Some(file)) => folder.join(file),
                    _ => return false,
                }
            }
        };
        allowed.iter().any(|allowed| found.starts_with(allowed))
    }
}

impl Allowed {
    /// Why something may not be done, if it may not.
    fn refusal(&self, door: Door<'_>) -> Option<String> {
        let is_named = |name, paths: &Paths| match name {
            FileName::Standard(_) => true,
            FileName::Descriptor(_) => *paths == Paths::All,
            FileName::Path(path) => paths.hold(path),
        };
        let shown = String::from_utf8_lossy;
        match door {
            Door::Read(name) if !is_named(FileName::for_reading(name), &self.read) => Some(
                format!("the sandbox lets nobody read \"{}\": read:PATH allows it", shown(name)),
            ),
            Door::Write(name) if !is_named(FileName::for_writing(name), &self.write) => Some(
                format!("the sandbox lets nobody write \"{}\": write:PATH allows it", shown(name)),
            ),
            Door::Command if self.commands == Access::Denied => {
                Some("the sandbox lets nobody start a command: exec:all allows it".to_owned())
            }
            Door::Connection if self.network == Access::Denied => {
                Some("the sandbox lets nobody make a connection: net:all allows it".to_owned())
            }
            Door::Anything if self.read != Paths::All => {
                Some("the sandbox lets nobody look at all files: read:all allows it".to_owned())
            }
            _ => None,
        }
    }
}

impl Sandbox {
    /// A sandbox for a program with these operands.
    pub fn new(operands: Vec<Vec<u8>>, list: Option<Allowed>) -> Sandbox {
        Sandbox { operands, list }
    }
}
