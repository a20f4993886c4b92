//! What `--lint` finds while a program runs: gawk's findings in gawk's words.
//!
//! A program that is compiled to be warned has an operation `Lint` before each that something can
//! be said of. It looks at the operation that follows and at its operands, says what there is to
//! say, and changes nothing: the operation itself knows of no lint, and other programs pay nothing.
//! What a finding costs is a warning, or the run, as [`Level`] says.

mod arguments;
mod arrays;
mod assignments;
mod fields;
mod formats;
mod integers;
mod redirections;
mod substrings;

use crate::fault::{Fallible, Fault};
use crate::machine::Machine;
use crate::runtime::Runtime;
use riverhawk_bytecode::operand::Scope;
use riverhawk_bytecode::{Dst, FrameKind, Op, Src, StaticFrame};
use riverhawk_value::Value;
use riverhawk_value::format::Format;
use std::collections::{HashMap, HashSet};

/// What is warned of while a program runs, and what a warning does. `LINT` says so, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Anything at all.
    pub on: bool,
    /// Extensions of gawk as well.
    pub extensions: bool,
    /// The first finding ends the run.
    pub fatal: bool,
}

impl Level {
    /// Nothing is warned of.
    pub const OFF: Level = Level { on: false, extensions: false, fatal: false };
    /// Everything is.
    pub const ALL: Level = Level { on: true, extensions: true, fatal: false };

    /// Whether there is anything to look for.
    #[inline]
    pub const fn is_on(self) -> bool {
        self.on
    }

    /// What `LINT` says with a text: nothing for the empty one, `fatal` and `no-ext` as the option,
    /// all for others.
    pub fn of_text(text: &[u8]) -> Level {
        match text {
            b"" => Level::OFF,
            b"fatal" => Level { fatal: true, ..Level::ALL },
            b"no-ext" => Level { extensions: false, ..Level::ALL },
            _ => Level::ALL,
        }
    }
}

/// What lint has to know of a run.
pub(crate) struct Lint {
    /// What it does.
    pub level: Level,
    /// Findings that are told once.
    pub(crate) told: HashSet<&'static str>,
    /// What registers hold that are elements which are arrays: their names, as people write them.
    subarrays: HashMap<usize, String>,
    /// Files by how they were opened last, to see `>` and `>>` mixed.
    appended: HashMap<Vec<u8>, bool>,
}

impl Default for Lint {
    fn default() -> Lint {
        Lint {
            level: Level::OFF,
            told: HashSet::new(),
            subarrays: HashMap::new(),
            appended: HashMap::new(),
        }
    }
}

/// How an operation's operands are read.
type Slots<'a> = &'a dyn Fn(Src) -> Value;

impl Machine {
    /// Looks at the operation that is about to be performed.
    ///
    /// # Errors
    /// A finding, where findings are fatal.
    #[cold]
    #[inline(never)]
    pub(crate) fn lint(&mut self, op: Op, slot: Slots<'_>, start: &StaticFrame) -> Fallible<()> {
        self.lint_arrays(&op, slot, start)?;
        self.rt.lint_integers(&op, slot)?;
        match op {
            Op::GetElement { array, key, .. } | Op::ArgumentElement { array, key, .. } => {
                self.lint_element(slot, start, array, key, true)
            }
            Op::UpdateElement { array, key, .. }
            | Op::StepElement { array, key, .. }
            | Op::CountElement { array, key }
            | Op::AppendElement { array, key, .. } => {
                self.lint_element(slot, start, array, key, true)
            }
            Op::SetElement { array, key, .. } => self.lint_element(slot, start, array, key, false),
            Op::GetSubarray { d, array, key } => {
                self.lint_element(slot, start, array, key, true)?;
                let name = self.element_name(slot, start, array, key);
                self.rt.lint.subarrays.insert(d.number(), name);
                Ok(())
            }
            Op::DeleteElement { array, key } => self.lint_delete(slot, start, array, key),
            Op::BeginKeys { array, .. } | Op::BeginOrderedKeys { array, .. } => {
                match slot(array.src()) {
                    Value::Uninit | Value::Untyped(_) => self.rt.lint_warn(
                        "behavior of `for' loop on untyped variable is not defined by POSIX",
                    ),
                    _ => Ok(()),
                }
            }
            Op::Field { n, .. } | Op::OwnField { n, .. } | Op::LengthField { n, .. } => {
                self.rt.lint_field(n.index(), start.kind)
            }
            Op::PrintRecord {} | Op::SubstituteRecord { .. } => self.rt.lint_field(0, start.kind),
            Op::ReachField { i }
            | Op::FieldAt { i, .. }
            | Op::OwnFieldAt { i, .. }
            | Op::UpdateField { i, .. }
            | Op::StepField { i, .. } => self.rt.lint_field_at(&slot(i), start.kind),
            Op::SetFieldAt { i, .. } | Op::DeleteField { i } => self.rt.lint_field_name(&slot(i)),
            Op::PrintTo { how, to, parts } => {
                if parts.count == 0 {
                    self.rt.lint_field(0, start.kind)?;
                }
                self.rt.lint_output(how, &slot(to))
            }
            Op::PrintJoinedTo { how, to, .. } | Op::PrintFormattedTo { how, to } => {
                self.rt.lint_output(how, &slot(to))
            }
            Op::GetlineFrom { how, from, .. } | Op::GetlineFromVar { how, from, .. } => {
                self.rt.lint_input(how, &slot(from))
            }
            Op::Close { s, .. } => self.rt.lint_close(&slot(s), false),
            Op::CloseEnd { s, .. } => self.rt.lint_close(&slot(s), true),
            Op::FormatConst { format, parts } => {
                let program = self.rt.program.clone();
                let arguments: Vec<Value> =
                    parts.of(&program).iter().map(|&part| slot(part)).collect();
                self.rt.lint_format(&program.formats[format.index()], &arguments)
            }
            Op::Format { parts } | Op::FormatPrecise { parts } => {
                let program = self.rt.program.clone();
                let values: Vec<Value> =
                    parts.of(&program).iter().map(|&part| slot(part)).collect();
                self.rt.lint_computed_format(&values)
            }
            Op::SetSpecial { v, s } => self.rt.lint_assignment(v, &slot(s)),
            op => self.rt.lint_arguments(op, slot),
        }
    }

    /// An array's name as people write it, an element that is an array with its keys.
    fn array_name(&self, array: Dst, start: &StaticFrame) -> String {
        let program = &self.rt.program;
        let frame =
            self.frames.last().map_or(start, |call| &program.functions[call.function.index()]);
        let is_register = !array.is_static() && array.number() >= frame.params.len();
        if is_register && let Some(name) = self.rt.lint.subarrays.get(&array.number()) {
            return name.clone();
        }
        Scope { unit: program, frame }.slot_name(array.is_static(), array.number())
    }

    fn element_name(&self, slot: Slots<'_>, start: &StaticFrame, array: Dst, key: Src) -> String {
        let key = self.rt.text_of(&slot(key));
        format!("{}[\"{}\"]", self.array_name(array, start), String::from_utf8_lossy(&key))
    }

    /// Whether the array has the element; `None` when it is no array.
    fn has(&mut self, slot: Slots<'_>, array: Dst, key: Src) -> Option<bool> {
        match slot(array.src()) {
            Value::Array(array) => {
                Some(self.rt.with_key(&slot(key), |probe| array.borrow().get(probe).is_some()))
            }
            Value::Untyped(cell) if cell.get().is_some() => None,
            Value::Uninit | Value::Untyped(_) => Some(false),
            _ => None,
        }
    }

    fn lint_element(
        &mut self,
        slot: Slots<'_>,
        start: &StaticFrame,
        array: Dst,
        key: Src,
        is_read: bool,
    ) -> Fallible<()> {
        if self.has(slot, array, key) != Some(false) {
            return Ok(());
        }
        if is_read {
            let name = self.element_name(slot, start, array, key);
            self.rt.lint_warn(&format!("reference to uninitialized element `{name}'"))?;
        }
        if self.rt.text_of(&slot(key)).is_empty() {
            let name = self.array_name(array, start);
            self.rt.lint_warn(&format!("subscript of array `{name}' is null string"))?;
        }
        Ok(())
    }

    fn lint_delete(
        &mut self,
        slot: Slots<'_>,
        start: &StaticFrame,
        array: Dst,
        key: Src,
    ) -> Fallible<()> {
        if self.has(slot, array, key) != Some(false) {
            return Ok(());
        }
        let (name, key) = (self.array_name(array, start), self.rt.text_of(&slot(key)));
        self.rt.lint_warn(&format!(
            "delete: index `{}' not in array `{name}'",
            String::from_utf8_lossy(&key)
        ))
    }
}

impl Runtime {
    /// Tells of a finding about the running operation, if anybody wants to know.
    ///
    /// # Errors
    /// The finding, where findings are fatal.
    pub(crate) fn lint_warn(&mut self, message: &str) -> Fallible<()> {
        match self.lint.level {
            Level { on: false, .. } => Ok(()),
            Level { fatal: true, .. } => Err(Fault::new(message)),
            _ => self.warn_here(message),
        }
    }

    /// The same, the first time only.
    fn lint_once(&mut self, message: &'static str) -> Fallible<()> {
        if self.lint.level.on && self.lint.told.insert(message) {
            self.lint_warn(message)
        } else {
            Ok(())
        }
    }

    /// The same, about an extension.
    fn lint_extension(&mut self, message: &'static str) -> Fallible<()> {
        if self.lint.level.extensions { self.lint_once(message) } else { Ok(()) }
    }

    /// Whether a value is text and looks like no number: what gawk calls non-numeric.
    fn is_not_numeric(&self, value: &Value) -> bool {
        !matches!(value, Value::Bool(_) | Value::Untyped(_))
            && !value.is_numeric(self.record.text())
    }

    /// Whether a value is a number, or looks like one: what gawk calls non-string.
    fn is_not_text(&self, value: &Value) -> bool {
        match value {
            value if is_made_number(value) => true,
            Value::Uninit | Value::Unassigned | Value::Untyped(_) | Value::NoField => false,
            value => value.strnum(self.record.text()).is_some(),
        }
    }

    /// Whether the run is in END.
    fn in_end(kind: FrameKind) -> bool {
        kind == FrameKind::End
    }
}

/// Whether a value is neither text nor input, whatever that looks like.
fn is_made_number(value: &Value) -> bool {
    matches!(value, Value::Num(_) | Value::Bool(_) | Value::Precise(_) | Value::Regex { .. })
}

/// A number as `%g` writes it, as in gawk's warnings: elsewhere integers are written out in full.
pub(crate) fn general(number: f64) -> String {
    let mut text = Vec::new();
    // A format of one number that is short.
    let _ = Format::parse(b"%g").write_number(number, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Level, general};

    #[test]
    fn large_numbers_have_six_digits_as_in_c() {
        for (number, text) in [
            (1e300, "1e+300"),
            (1_234_567.0, "1.23457e+06"),
            (1.8446744073709552e19, "1.84467e+19"),
        ] {
            assert_eq!(general(number), text);
        }
    }

    #[test]
    fn the_text_of_lint_says_what_the_option_says() {
        assert_eq!(Level::of_text(b""), Level::OFF);
        assert_eq!(Level::of_text(b"abc"), Level::ALL);
        assert!(Level::of_text(b"fatal").fatal && !Level::of_text(b"no-ext").extensions);
    }
}
