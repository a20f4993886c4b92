//! `--sandbox`: a program that may read its operands and print, and besides only what a list
//! allows.
//!
//! These are the only doors; each asks here before it opens. The engine has the kernel watch too,
//! where it can.

use crate::fault::{Fallible, Fault};
use crate::io::{FileName, is_inet};
use crate::runtime::Runtime;
use riverhawk_syntax::ast::{GlobalId, LibraryFn};
use riverhawk_syntax::extension::Extension;
use riverhawk_value::Value;
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

impl Runtime {
    /// Before `system`.
    pub(crate) fn allow_system(&self) -> Fallible<()> {
        self.allow(Door::Command, || "'system' function not allowed in sandbox mode".to_owned())
    }

    /// Before a redirection of any kind, whose name is not known yet: gawk's sandbox has none.
    pub(crate) fn allow_redirection(&self) -> Fallible<()> {
        match &self.main.sandbox {
            Some(Sandbox { list: None, .. }) => Err(no_redirection()),
            _ => Ok(()),
        }
    }

    /// Before a redirection.
    pub(crate) fn allow_door(&self, door: Door<'_>) -> Fallible<()> {
        let door = match door {
            Door::Read(name) | Door::Write(name)
                if !self.io.outputs.plain_names && is_inet(name) =>
            {
                Door::Connection
            }
            door => door,
        };
        match &self.main.sandbox {
            Some(Sandbox { list: Some(list), .. }) => {
                list.refusal(door).map_or(Ok(()), |refusal| Err(Fault::new(refusal)))
            }
            Some(_) => Err(no_redirection()),
            None => Ok(()),
        }
    }

    /// Before a file is edited in place: it is read, and another one takes its place in its folder.
    pub(crate) fn allow_edit(&self, name: &[u8]) -> Fallible<()> {
        let path = Path::new(OsStr::from_bytes(name));
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = target.parent().unwrap_or(Path::new("/")).as_os_str().as_bytes();
        let message = || "editing files in place not allowed in sandbox mode".to_owned();
        self.allow(Door::Read(folder), message)?;
        self.allow(Door::Write(folder), message)
    }

    /// Before a library function.
    pub(crate) fn allow_function(&self, function: LibraryFn, arguments: &[Value]) -> Fallible<()> {
        if self.main.sandbox.is_none() {
            return Ok(());
        }
        let reaches_out = function.namespace() == Some("file")
            || matches!(
                Extension::of(function),
                Some(
                    Extension::Filefuncs
                        | Extension::Fork
                        | Extension::Readfile
                        | Extension::Rwarray
                )
            );
        if !reaches_out {
            return Ok(());
        }
        let name = arguments
            .first()
            .filter(|value| !value.is_array())
            .map(|value| self.text_of(value))
            .unwrap_or_default();
        let refuse =
            |door| self.allow(door, || format!("{} not allowed in sandbox mode", function.name()));
        match function.name() {
            "file::slurp" | "file::lines" | "file::dir" | "file::stat" | "stat" | "readfile"
            | "reada" | "readall" => refuse(Door::Read(&name)),
            "file::spew" | "file::append" | "writea" | "writeall" => refuse(Door::Write(&name)),
            "file::prepend" => refuse(Door::Read(&name)).and_then(|()| refuse(Door::Write(&name))),
            "fork" | "wait" | "waitpid" => refuse(Door::Command),
            _ => refuse(Door::Anything),
        }
    }

    /// Before a file of ARGV is opened: the command line must have named it.
    pub(crate) fn allow_file(&self, name: &[u8]) -> Fallible<()> {
        match &self.main.sandbox {
            Some(Sandbox { operands, list }) if !operands.iter().any(|operand| operand == name) => {
                match list {
                    Some(_) => self.allow_door(Door::Read(name)),
                    None => {
                        let name = String::from_utf8_lossy(name);
                        Err(Fault::new(format!(
                            "cannot add a new file ({name}) to ARGV in sandbox mode"
                        )))
                    }
                }
            }
            _ => Ok(()),
        }
    }

    /// Before the first file is opened: as in gawk, all of ARGV is looked at then.
    pub(crate) fn allow_arguments(&mut self) -> Fallible<()> {
        let count = self.number(&self.statics[GlobalId::ARGC.index()]);
        let mut at = 1.0;
        while at < count {
            let name = self.argument(at)?;
            if !name.is_empty() {
                self.allow_file(&name)?;
            }
            at += 1.0;
        }
        Ok(())
    }

    fn allow(&self, door: Door<'_>, message: impl FnOnce() -> String) -> Fallible<()> {
        match &self.main.sandbox {
            Some(Sandbox { list: None, .. }) => Err(Fault::new(message())),
            Some(_) => self.allow_door(door),
            None => Ok(()),
        }
    }
}

fn no_redirection() -> Fault {
    Fault::new("redirection not allowed in sandbox mode")
}
