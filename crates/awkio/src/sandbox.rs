//! `--sandbox`: reading operands and printing; more by a list.
//!
//! Checked before every effect on the outside, by the kernel too where possible.

use crate::fault::{Fallible, Fault};
use crate::name::{FileName, is_inet};
use riverhawk_system::names::OsStrExt;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// What a sandbox permits besides reading operands and printing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Files and folders that may be read.
    pub read: Paths,
    /// Files that may be written, and folders for new files.
    pub write: Paths,
    /// Whether commands may be started.
    pub commands: Access,
    /// Whether connections may be made.
    pub network: Access,
    /// How refusals are worded.
    pub wording: Wording,
}

/// How refusals are worded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wording {
    /// With the item of `--sandbox` that permits the act.
    #[default]
    Command,
    /// For a program of another program, which permits by functions of its language.
    Embedded,
}

/// A set of files and folders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paths {
    /// These and their contents; absolute, without symbolic links.
    Under(Vec<PathBuf>),
    /// All paths.
    All,
}

/// No paths.
impl Default for Paths {
    fn default() -> Paths {
        Paths::Under(Vec::new())
    }
}

/// A permission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Not permitted.
    #[default]
    Denied,
    /// Permitted.
    Granted,
}

/// A sandbox.
pub struct Sandbox {
    /// The operands of the command line, which may be read.
    pub operands: Vec<Vec<u8>>,
    /// `None` is gawk's sandbox, with its own messages.
    pub allowed: Option<Allowed>,
    /// Whether names like `/inet/tcp/...` are files, not connections.
    pub plain_names: bool,
}

/// An act to be permitted.
#[derive(Clone, Copy, Debug)]
pub enum Act<'a> {
    /// Read a file or folder.
    Read(&'a [u8]),
    /// Write a file.
    Write(&'a [u8]),
    /// Start a command.
    Command,
    /// Make a connection.
    Connection,
    /// Read any file.
    Anything,
}

impl Paths {
    /// After links.
    fn hold(&self, name: &[u8]) -> bool {
        let Paths::Under(allowed) = self else { return true };
        let path = Path::new(OsStr::from_bytes(name));
        // A dangling link could lead anywhere.
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
    fn refusal(&self, act: Act<'_>) -> Option<String> {
        let is_named = |name, paths: &Paths| match name {
            FileName::Standard(_) => true,
            FileName::Descriptor(_) => *paths == Paths::All,
            FileName::Path(path) => paths.hold(path),
        };
        let shown = String::from_utf8_lossy;
        let (what, item) = match act {
            Act::Read(name) if !is_named(FileName::for_reading(name), &self.read) => {
                (format!("reading \"{}\"", shown(name)), "read:PATH")
            }
            Act::Write(name) if !is_named(FileName::for_writing(name), &self.write) => {
                (format!("writing \"{}\"", shown(name)), "write:PATH")
            }
            Act::Command if self.commands == Access::Denied => ("commands".to_owned(), "exec:all"),
            Act::Connection if self.network == Access::Denied => {
                ("connections".to_owned(), "net:all")
            }
            Act::Anything if self.read != Paths::All => {
                ("access to all files".to_owned(), "read:all")
            }
            _ => return None,
        };
        Some(match self.wording {
            Wording::Command => format!("the sandbox does not allow {what}: {item} allows it"),
            Wording::Embedded => format!("the run has no permission for {what}"),
        })
    }
}

impl Sandbox {
    /// Checks an act that gawk's sandbox refuses with this message.
    ///
    /// # Errors
    /// Not permitted, here and below.
    pub fn allow(&self, act: Act<'_>, message: impl FnOnce() -> String) -> Fallible<()> {
        let Some(allowed) = &self.allowed else { return Err(Fault::new(message())) };
        let act = match act {
            Act::Read(name) | Act::Write(name) if !self.plain_names && is_inet(name) => {
                Act::Connection
            }
            act => act,
        };
        allowed.refusal(act).map_or(Ok(()), |refusal| Err(Fault::new(refusal)))
    }

    /// Before the name is known: gawk's sandbox permits none.
    pub fn allow_any_redirection(&self) -> Fallible<()> {
        if self.allowed.is_none() { Err(Fault::new(no_redirection())) } else { Ok(()) }
    }

    /// Checks a redirection.
    pub fn allow_redirection(&self, act: Act<'_>) -> Fallible<()> {
        self.allow(act, no_redirection)
    }

    /// Checks an edit in place.
    pub fn allow_edit(&self, name: &[u8]) -> Fallible<()> {
        let path = Path::new(OsStr::from_bytes(name));
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = target.parent().unwrap_or(Path::new("/")).as_os_str().as_bytes();
        let message = || "editing files in place not allowed in sandbox mode".to_owned();
        self.allow(Act::Read(folder), message)?;
        self.allow(Act::Write(folder), message)
    }

    /// Checks a file of ARGV.
    pub fn allow_operand(&self, name: &[u8]) -> Fallible<()> {
        if self.operands.iter().any(|operand| operand == name) {
            return Ok(());
        }
        let shown = String::from_utf8_lossy(name);
        self.allow(Act::Read(name), || {
            format!("cannot add a new file ({shown}) to ARGV in sandbox mode")
        })
    }
}

fn no_redirection() -> String {
    "redirection not allowed in sandbox mode".to_owned()
}
