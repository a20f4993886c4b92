//! What a run asks the sandbox before it acts.

use super::{Door, Sandbox};
use crate::fault::{Fallible, Fault};
use crate::io::is_inet;
use crate::runtime::Runtime;
use riverhawk_syntax::ast::{GlobalId, LibraryFn};
use riverhawk_syntax::extension::Extension;
use riverhawk_value::Value;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

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
            "file::prepend" | "file::edit" | "file::edit_lines" => {
                refuse(Door::Read(&name)).and_then(|()| refuse(Door::Write(&name)))
            }
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
