//! Asks the sandbox before anything that it may refuse.

use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::outside::Outside;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_awkio::sandbox::{Act, Sandbox};
use riverhawk_syntax::ast::{GlobalId, LibraryFn};
use riverhawk_syntax::extension::Extension;
use riverhawk_value::Value;

impl Outside {
    fn check_sandbox(&self, check: impl FnOnce(&Sandbox) -> Fallible<()>) -> Fallible<()> {
        self.sandbox.as_ref().map_or(Ok(()), check)
    }

    pub(crate) fn allow_system(&self) -> Fallible<()> {
        self.check_sandbox(|sandbox| {
            let message = || "'system' function not allowed in sandbox mode".to_owned();
            sandbox.allow(Act::Command, message)
        })
    }

    pub(crate) fn allow_any_redirection(&self) -> Fallible<()> {
        self.check_sandbox(Sandbox::allow_any_redirection)
    }

    pub(crate) fn allow_redirection(&self, act: Act<'_>) -> Fallible<()> {
        self.check_sandbox(|sandbox| sandbox.allow_redirection(act))
    }

    pub(crate) fn allow_edit(&self, name: &[u8]) -> Fallible<()> {
        if self.io.outputs.file_system().is_some() {
            return Err(for_systems_files("editing in place"));
        }
        self.check_sandbox(|sandbox| sandbox.allow_edit(name))
    }

    pub(crate) fn allow_file(&self, name: &[u8]) -> Fallible<()> {
        self.check_sandbox(|sandbox| sandbox.allow_operand(name))
    }

    pub(crate) fn allow_function(
        &self,
        current: &CurrentRecord,
        function: LibraryFn,
        arguments: &[Value],
    ) -> Fallible<()> {
        if self.sandbox.is_none() && self.io.outputs.file_system().is_none() {
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
        if self.io.outputs.file_system().is_some() {
            return match function.name() {
                "file::slurp" | "file::lines" | "file::spew" | "file::append" => Ok(()),
                name => Err(for_systems_files(name)),
            };
        }
        let Some(sandbox) = &self.sandbox else { return Ok(()) };
        let name = arguments
            .first()
            .filter(|value| !value.is_array())
            .map(|value| current.text_of(value))
            .unwrap_or_default();
        let allow =
            |act| sandbox.allow(act, || format!("{} not allowed in sandbox mode", function.name()));
        match function.name() {
            "file::slurp" | "file::lines" | "file::dir" | "file::stat" | "stat" | "readfile"
            | "reada" | "readall" => allow(Act::Read(&name)),
            "file::spew" | "file::append" | "writea" | "writeall" => allow(Act::Write(&name)),
            "file::prepend" | "file::edit" | "file::edit_lines" => {
                allow(Act::Read(&name)).and_then(|()| allow(Act::Write(&name)))
            }
            "fork" | "wait" | "waitpid" => allow(Act::Command),
            _ => allow(Act::Anything),
        }
    }

    /// As in gawk, all of ARGV is checked before the first file is read.
    pub(crate) fn allow_arguments(
        &self,
        current: &CurrentRecord,
        globals: &mut Globals,
    ) -> Fallible<()> {
        let count = current.number(&globals.statics[GlobalId::ARGC.index()]);
        let mut at = 1.0;
        while at < count {
            let name = globals.argument(current, at)?;
            if !name.is_empty() {
                self.allow_file(&name)?;
            }
            at += 1.0;
        }
        Ok(())
    }
}

fn for_systems_files(what: &str) -> Fault {
    Fault::new(format!("{what} needs the file system, which this run does not use"))
}
