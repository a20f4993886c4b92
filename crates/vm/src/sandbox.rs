//! `--sandbox`: a program that may read its operands and print, and nothing else.
//!
//! These are the only doors; each asks here before it opens. The engine has the kernel watch too, where it can.

use crate::fault::{Fallible, Fault};
use crate::runtime::Runtime;
use riverhawk_syntax::ast::{GlobalId, LibraryFn};
use riverhawk_syntax::extension::Extension;

impl Runtime {
    /// Before `system`.
    pub(crate) fn allow_system(&self) -> Fallible<()> {
        self.allow(|| "'system' function not allowed in sandbox mode".to_owned())
    }

    /// Before a redirection of any kind.
    pub(crate) fn allow_redirection(&self) -> Fallible<()> {
        self.allow(|| "redirection not allowed in sandbox mode".to_owned())
    }

    /// Before a file is edited in place.
    pub(crate) fn allow_edit(&self, _name: &[u8]) -> Fallible<()> {
        self.allow(|| "editing files in place not allowed in sandbox mode".to_owned())
    }

    /// Before a library function.
    pub(crate) fn allow_function(&self, function: LibraryFn) -> Fallible<()> {
        let reaches_out = function.namespace() == Some("file")
            || matches!(
                Extension::of(function),
                Some(Extension::Filefuncs | Extension::Fork | Extension::Readfile | Extension::Rwarray)
            );
        match reaches_out {
            true => self.allow(|| format!("{} not allowed in sandbox mode", function.name())),
            false => Ok(()),
        }
    }

    /// Before a file of ARGV is opened: the command line must have named it.
    pub(crate) fn allow_file(&self, name: &[u8]) -> Fallible<()> {
        match &self.main.sandbox {
            Some(operands) if !operands.iter().any(|operand| operand == name) => {
                let name = String::from_utf8_lossy(name);
                Err(Fault::new(format!("cannot add a new file ({name}) to ARGV in sandbox mode")))
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

    fn allow(&self, message: impl FnOnce() -> String) -> Fallible<()> {
        if self.main.sandbox.is_some() { Err(Fault::new(message())) } else { Ok(()) }
    }
}
