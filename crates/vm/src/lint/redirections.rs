//! Redirections: names that are numbers, names that stand for several things, files and commands
//! that are never closed.

use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_awkio::{InputKind, OutputKind};
use riverhawk_bytecode::{GetlineSource, PrintTarget};
use riverhawk_value::Value;

/// What a name is open as, in gawk's words.
const FILE_IN: &str = "input file";
const FILE_OUT: &str = "output file";
const PIPE_IN: &str = "input pipe";
const PIPE_OUT: &str = "output pipe";
const TWO_WAY: &str = "two-way pipe";

impl Runtime {
    /// Looks at where `print` is about to go.
    pub(super) fn lint_output(&mut self, how: PrintTarget, to: &Value) -> Fallible<()> {
        let (sign, what) = match how {
            PrintTarget::Truncate => (">", FILE_OUT),
            PrintTarget::Append => (">>", FILE_OUT),
            PrintTarget::Pipe => ("|", PIPE_OUT),
            PrintTarget::Coprocess => ("|&", TWO_WAY),
        };
        let name = self.lint_name(to, sign)?;
        self.lint_other_uses(&name, what)?;
        if what == FILE_OUT {
            let appends = how == PrintTarget::Append;
            let is_open = self.outside.io.outputs.is_open(OutputKind::File, &name);
            if is_open && self.outside.lint.appended.get(&name).is_some_and(|&before| before != appends) {
                let shown = String::from_utf8_lossy(&name).into_owned();
                self.lint_warn(&format!("unnecessary mixing of `>' and `>>' for file `{shown}'"))?;
            }
            if !is_open {
                self.outside.lint.appended.insert(name, appends);
            }
        }
        Ok(())
    }

    /// Looks at what `getline` is about to read.
    pub(super) fn lint_input(&mut self, how: GetlineSource, from: &Value) -> Fallible<()> {
        let (sign, what) = match how {
            GetlineSource::File => ("<", FILE_IN),
            GetlineSource::Command => ("|", PIPE_IN),
            GetlineSource::Coprocess => ("|&", TWO_WAY),
        };
        let name = self.lint_name(from, sign)?;
        self.lint_other_uses(&name, what)?;
        if how == GetlineSource::File && !self.outside.io.inputs.is_open(InputKind::File, &name) {
            self.lint_empty_file(&name)?;
        }
        Ok(())
    }

    fn lint_name(&mut self, value: &Value, sign: &str) -> Fallible<Vec<u8>> {
        let name = self.text_of(value);
        if self.is_not_text(value) {
            self.lint_warn(&format!("expression in `{sign}' redirection is a number"))?;
        }
        if name == b"0" || name == b"1" {
            let shown = String::from_utf8_lossy(&name);
            self.lint_warn(&format!(
                "filename `{shown}' for `{sign}' redirection may be result of logical expression"
            ))?;
        }
        Ok(name)
    }

    /// A name that is open as something else already.
    fn lint_other_uses(&mut self, name: &[u8], what: &str) -> Fallible<()> {
        let uses = [
            (FILE_IN, self.outside.io.inputs.is_open(InputKind::File, name)),
            (FILE_OUT, self.outside.io.outputs.is_open(OutputKind::File, name)),
            (PIPE_IN, self.outside.io.inputs.is_open(InputKind::Command, name)),
            (PIPE_OUT, self.outside.io.outputs.is_open(OutputKind::Pipe, name)),
            (TWO_WAY, self.outside.io.is_open_coprocess(name)),
        ];
        // gawk names the two in this order, whichever came first.
        let place = |of: &str| uses.iter().position(|(name, _)| *name == of);
        for (other, _) in uses.iter().filter(|(other, is_open)| *is_open && *other != what) {
            let (first, second) =
                if place(other) < place(what) { (*other, what) } else { (what, *other) };
            let second = match (first, second) {
                (FILE_IN, FILE_OUT) => "for output file".to_owned(),
                (_, second) => second.to_owned(),
            };
            let shown = String::from_utf8_lossy(name);
            let message = format!("`{shown}' used for {first} and {second}");
            self.lint_warn(&message)?;
        }
        Ok(())
    }

    /// An operand that holds nothing.
    pub(crate) fn lint_empty_operand(&mut self, name: &[u8]) -> Fallible<()> {
        self.outside.warnings.at = u32::MAX;
        self.lint_empty_file(name)
    }

    /// A file that is about to be opened and holds nothing.
    fn lint_empty_file(&mut self, name: &[u8]) -> Fallible<()> {
        use std::os::unix::ffi::OsStrExt;
        // Where no file may be looked at, none is.
        if !self.outside.lint.level.on || self.outside.sandbox.is_some() {
            return Ok(());
        }
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name));
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() && metadata.len() == 0 => {
                let shown = String::from_utf8_lossy(name);
                self.lint_warn(&format!("data file `{shown}' is empty"))
            }
            _ => Ok(()),
        }
    }

    /// Looks at what `close` is about to close.
    pub(super) fn lint_close(&mut self, name: &Value, one_end: bool) -> Fallible<()> {
        let name = self.text_of(name);
        let shown = String::from_utf8_lossy(&name).into_owned();
        if !self.outside.io.is_open(&name) {
            self.lint_warn(&format!("close: `{shown}' is not an open file, pipe or co-process"))
        } else if one_end && !self.outside.io.is_open_coprocess(&name) {
            self.lint_warn(&format!(
                "close: redirection `{shown}' not opened with `|&', second argument ignored"
            ))
        } else {
            Ok(())
        }
    }

    /// The program has ended and this is still open.
    pub(crate) fn lint_left_open(&mut self) -> Fallible<()> {
        if !self.outside.lint.level.on {
            return Ok(());
        }
        self.outside.warnings.at = u32::MAX;
        for (what, name) in self.outside.io.open_streams() {
            let shown = String::from_utf8_lossy(&name);
            let what = what.words();
            self.lint_warn(&format!("no explicit close of {what} `{shown}' provided"))?;
        }
        Ok(())
    }
}
