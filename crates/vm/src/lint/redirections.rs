//! Warns of redirections to names that are numbers or used in two ways, and of files and commands
//! never closed.

use crate::current::CurrentRecord;
use crate::outside::Outside;
use riverhawk_awkio::fault::Fallible;
use riverhawk_awkio::{InputKind, OutputKind};
use riverhawk_bytecode::{GetlineSource, PrintTarget};
use riverhawk_value::Value;

const FILE_IN: &str = "input file";
const FILE_OUT: &str = "output file";
const PIPE_IN: &str = "input pipe";
const PIPE_OUT: &str = "output pipe";
const TWO_WAY: &str = "two-way pipe";

impl Outside {
    pub(super) fn lint_output(
        &mut self,
        current: &CurrentRecord,
        how: PrintTarget,
        to: &Value,
    ) -> Fallible<()> {
        let (sign, what) = match how {
            PrintTarget::Truncate => (">", FILE_OUT),
            PrintTarget::Append => (">>", FILE_OUT),
            PrintTarget::Pipe => ("|", PIPE_OUT),
            PrintTarget::Coprocess => ("|&", TWO_WAY),
        };
        let name = self.lint_name(current, to, sign)?;
        self.lint_other_uses(current, &name, what)?;
        if what == FILE_OUT {
            let appends = how == PrintTarget::Append;
            let is_open = self.io.outputs.is_open(OutputKind::File, &name);
            if is_open && self.lint.appended.get(&name).is_some_and(|&before| before != appends) {
                let shown = String::from_utf8_lossy(&name).into_owned();
                self.lint_warn(
                    current,
                    &format!("unnecessary mixing of `>' and `>>' for file `{shown}'"),
                )?;
            }
            if !is_open {
                self.lint.appended.insert(name, appends);
            }
        }
        Ok(())
    }

    pub(super) fn lint_input(
        &mut self,
        current: &CurrentRecord,
        how: GetlineSource,
        from: &Value,
    ) -> Fallible<()> {
        let (sign, what) = match how {
            GetlineSource::File => ("<", FILE_IN),
            GetlineSource::Command => ("|", PIPE_IN),
            GetlineSource::Coprocess => ("|&", TWO_WAY),
        };
        let name = self.lint_name(current, from, sign)?;
        self.lint_other_uses(current, &name, what)?;
        if how == GetlineSource::File && !self.io.inputs.is_open(InputKind::File, &name) {
            self.lint_empty_file(current, &name)?;
        }
        Ok(())
    }

    fn lint_name(
        &mut self,
        current: &CurrentRecord,
        value: &Value,
        sign: &str,
    ) -> Fallible<Vec<u8>> {
        let name = current.text_of(value);
        if current.is_not_text(value) {
            self.lint_warn(current, &format!("expression in `{sign}' redirection is a number"))?;
        }
        if name == b"0" || name == b"1" {
            let shown = String::from_utf8_lossy(&name);
            self.lint_warn(current, &format!(
                "filename `{shown}' for `{sign}' redirection may be result of logical expression"
            ))?;
        }
        Ok(name)
    }

    fn lint_other_uses(
        &mut self,
        current: &CurrentRecord,
        name: &[u8],
        what: &str,
    ) -> Fallible<()> {
        let uses = [
            (FILE_IN, self.io.inputs.is_open(InputKind::File, name)),
            (FILE_OUT, self.io.outputs.is_open(OutputKind::File, name)),
            (PIPE_IN, self.io.inputs.is_open(InputKind::Command, name)),
            (PIPE_OUT, self.io.outputs.is_open(OutputKind::Pipe, name)),
            (TWO_WAY, self.io.is_open_coprocess(name)),
        ];
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
            self.lint_warn(current, &message)?;
        }
        Ok(())
    }

    pub(crate) fn lint_empty_operand(
        &mut self,
        current: &CurrentRecord,
        name: &[u8],
    ) -> Fallible<()> {
        self.warnings.at = u32::MAX;
        self.lint_empty_file(current, name)
    }

    fn lint_empty_file(&mut self, current: &CurrentRecord, name: &[u8]) -> Fallible<()> {
        use riverhawk_system::names::OsStrExt;
        let is_elsewhere = self.io.outputs.file_system().is_some();
        if !self.lint.level.on || self.sandbox.is_some() || is_elsewhere {
            return Ok(());
        }
        let path = std::path::Path::new(std::ffi::OsStr::from_bytes(name));
        match std::fs::metadata(path) {
            Ok(metadata) if metadata.is_file() && metadata.len() == 0 => {
                let shown = String::from_utf8_lossy(name);
                self.lint_warn(current, &format!("data file `{shown}' is empty"))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn lint_close(&mut self, current: &CurrentRecord, name: &Value) -> Fallible<()> {
        let name = current.text_of(name);
        let shown = String::from_utf8_lossy(&name).into_owned();
        if self.io.is_open(&name) {
            return Ok(());
        }
        self.lint_warn(
            current,
            &format!("close: `{shown}' is not an open file, pipe or co-process"),
        )
    }

    pub(super) fn lint_close_end(&mut self, current: &CurrentRecord, name: &Value) -> Fallible<()> {
        self.lint_close(current, name)?;
        let name = current.text_of(name);
        if !self.io.is_open(&name) || self.io.is_open_coprocess(&name) {
            return Ok(());
        }
        let shown = String::from_utf8_lossy(&name);
        self.lint_warn(
            current,
            &format!("close: redirection `{shown}' not opened with `|&', second argument ignored"),
        )
    }

    pub(crate) fn lint_left_open(&mut self, current: &CurrentRecord) -> Fallible<()> {
        if !self.lint.level.on {
            return Ok(());
        }
        self.warnings.at = u32::MAX;
        for (what, name) in self.io.open_streams() {
            let shown = String::from_utf8_lossy(&name);
            let what = what.words();
            self.lint_warn(current, &format!("no explicit close of {what} `{shown}' provided"))?;
        }
        Ok(())
    }
}
