//! Warns of the next operation, before it runs.

use super::Level;
use crate::current::CurrentRecord;
use crate::machine::Machine;
use crate::outside::Outside;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::dump::operand_text;
use riverhawk_bytecode::{Dst, Op, Src, StaticFrame};
use riverhawk_value::Value;

pub(super) type Slots<'a> = &'a dyn Fn(Src) -> Value;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}

impl Machine {
    #[cold]
    #[inline(never)]
    pub(crate) fn lint(&mut self, op: Op, slot: Slots<'_>, start: &StaticFrame) -> Fallible<()> {
        self.lint_arrays(&op, slot, start)?;
        self.rt.outside.lint_integers(&self.rt.program, &mut self.rt.current, &op, slot)?;
        match op {
            Op::GetElement { array, key, .. } | Op::ArgumentElement { array, key, .. } => {
                self.lint_element(slot, start, array, key, Access::Read)
            }
            Op::UpdateElement { array, key, .. }
            | Op::StepElement { array, key, .. }
            | Op::CountElement { array, key }
            | Op::AppendElement { array, key, .. } => {
                self.lint_element(slot, start, array, key, Access::Read)
            }
            Op::SetElement { array, key, .. } => {
                self.lint_element(slot, start, array, key, Access::Write)
            }
            Op::GetSubarray { d, array, key } => {
                self.lint_element(slot, start, array, key, Access::Read)?;
                let name = self.element_name(slot, start, array, key);
                self.rt.outside.lint.subarrays.insert(d.number(), name);
                Ok(())
            }
            Op::DeleteElement { array, key } => self.lint_delete(slot, start, array, key),
            Op::BeginKeys { array, .. } | Op::BeginOrderedKeys { array, .. } => {
                match slot(array.src()) {
                    Value::Uninit | Value::Untyped(_) => self.rt.outside.lint_warn(
                        &self.rt.current,
                        "behavior of `for' loop on untyped variable is not defined by POSIX",
                    ),
                    _ => Ok(()),
                }
            }
            Op::Field { n, .. } | Op::OwnField { n, .. } | Op::LengthField { n, .. } => {
                self.rt.outside.lint_field(&mut self.rt.current, n.index(), start.kind)
            }
            Op::PrintRecord {} | Op::SubstituteRecord { .. } => {
                self.rt.outside.lint_field(&mut self.rt.current, 0, start.kind)
            }
            Op::ReachField { i }
            | Op::FieldAt { i, .. }
            | Op::OwnFieldAt { i, .. }
            | Op::UpdateField { i, .. }
            | Op::StepField { i, .. } => {
                self.rt.outside.lint_field_at(&mut self.rt.current, &slot(i), start.kind)
            }
            Op::SetFieldAt { i, .. } | Op::DeleteField { i } => {
                self.rt.outside.lint_field_name(&self.rt.current, &slot(i))
            }
            Op::PrintTo { how, to, parts } => {
                if parts.count == 0 {
                    self.rt.outside.lint_field(&mut self.rt.current, 0, start.kind)?;
                }
                self.rt.outside.lint_output(&self.rt.current, how, &slot(to))
            }
            Op::PrintJoinedTo { how, to, .. } | Op::PrintFormattedTo { how, to } => {
                self.rt.outside.lint_output(&self.rt.current, how, &slot(to))
            }
            Op::GetlineFrom { how, from, .. } | Op::GetlineFromVar { how, from, .. } => {
                self.rt.outside.lint_input(&self.rt.current, how, &slot(from))
            }
            Op::Close { s, .. } => self.rt.outside.lint_close(&self.rt.current, &slot(s)),
            Op::CloseEnd { s, .. } => self.rt.outside.lint_close_end(&self.rt.current, &slot(s)),
            Op::FormatConst { format, parts } => {
                let program = self.rt.program.clone();
                let arguments: Vec<Value> =
                    parts.of(&program.lists).iter().map(|&part| slot(part)).collect();
                self.rt.outside.lint_format(
                    &self.rt.current,
                    &self.rt.locale,
                    &program.formats[format.index()],
                    &arguments,
                )
            }
            Op::Format { parts } | Op::FormatPrecise { parts } => {
                let program = self.rt.program.clone();
                let values: Vec<Value> =
                    parts.of(&program.lists).iter().map(|&part| slot(part)).collect();
                self.rt.outside.lint_computed_format(&self.rt.current, &self.rt.locale, &values)
            }
            Op::SetSpecial { v, s } => {
                self.rt.outside.lint_assignment(&mut self.rt.current, v, &slot(s))
            }
            op => self.rt.lint_arguments(op, slot),
        }
    }

    pub(super) fn array_name(&self, array: Dst, start: &StaticFrame) -> String {
        let program = &self.rt.program;
        let frame =
            self.frames.last().map_or(start, |call| &program.functions[call.function.index()]);
        let is_register = !array.is_static() && array.number() >= frame.params.len();
        if is_register && let Some(name) = self.rt.outside.lint.subarrays.get(&array.number()) {
            return name.clone();
        }
        operand_text(program, frame, array.into())
    }

    pub(super) fn element_name(
        &self,
        slot: Slots<'_>,
        start: &StaticFrame,
        array: Dst,
        key: Src,
    ) -> String {
        let key = self.rt.current.text_of(&slot(key));
        format!("{}[\"{}\"]", self.array_name(array, start), String::from_utf8_lossy(&key))
    }

    pub(super) fn has(&mut self, slot: Slots<'_>, array: Dst, key: Src) -> Option<bool> {
        match slot(array.src()) {
            Value::Array(array) => {
                Some(self.rt.workspace.with_key(&self.rt.current, &slot(key), |probe| {
                    array.borrow().get(probe).is_some()
                }))
            }
            Value::Untyped(cell) if cell.get().is_some() => None,
            Value::Uninit | Value::Untyped(_) => Some(false),
            _ => None,
        }
    }

    pub(super) fn lint_element(
        &mut self,
        slot: Slots<'_>,
        start: &StaticFrame,
        array: Dst,
        key: Src,
        access: Access,
    ) -> Fallible<()> {
        if self.has(slot, array, key) != Some(false) {
            return Ok(());
        }
        if access == Access::Read {
            let name = self.element_name(slot, start, array, key);
            self.rt.outside.lint_warn(
                &self.rt.current,
                &format!("reference to uninitialized element `{name}'"),
            )?;
        }
        if self.rt.current.text_of(&slot(key)).is_empty() {
            let name = self.array_name(array, start);
            self.rt.outside.lint_warn(
                &self.rt.current,
                &format!("subscript of array `{name}' is null string"),
            )?;
        }
        Ok(())
    }

    pub(super) fn lint_delete(
        &mut self,
        slot: Slots<'_>,
        start: &StaticFrame,
        array: Dst,
        key: Src,
    ) -> Fallible<()> {
        if self.has(slot, array, key) != Some(false) {
            return Ok(());
        }
        let (name, key) = (self.array_name(array, start), self.rt.current.text_of(&slot(key)));
        self.rt.outside.lint_warn(
            &self.rt.current,
            &format!("delete: index `{}' not in array `{name}'", String::from_utf8_lossy(&key)),
        )
    }
}

impl Outside {
    pub(crate) fn lint_warn(&mut self, current: &CurrentRecord, message: &str) -> Fallible<()> {
        match self.lint.level {
            Level { on: false, .. } => Ok(()),
            Level { fatal: true, .. } if self.is_allowed(message) => Ok(()),
            Level { fatal: true, .. } => Err(Fault::new(message)),
            _ => self.warn_here(current, message),
        }
    }

    pub(super) fn lint_once(
        &mut self,
        current: &CurrentRecord,
        message: &'static str,
    ) -> Fallible<()> {
        if self.lint.level.on && self.lint.reported.insert(message) {
            self.lint_warn(current, message)
        } else {
            Ok(())
        }
    }

    pub(super) fn lint_extension(
        &mut self,
        current: &CurrentRecord,
        message: &'static str,
    ) -> Fallible<()> {
        if self.lint.level.extensions { self.lint_once(current, message) } else { Ok(()) }
    }
}

impl CurrentRecord {
    pub(super) fn is_not_numeric(&self, value: &Value) -> bool {
        !matches!(value, Value::Bool(_) | Value::Untyped(_))
            && !value.is_numeric(self.record.text())
    }

    pub(super) fn is_not_text(&self, value: &Value) -> bool {
        match value {
            value if is_made_number(value) => true,
            Value::Uninit | Value::Unassigned | Value::Untyped(_) | Value::NoField => false,
            value => value.strnum(self.record.text()).is_some(),
        }
    }
}

pub(super) fn is_made_number(value: &Value) -> bool {
    matches!(value, Value::Num(_) | Value::Bool(_) | Value::Precise(_) | Value::Regex { .. })
}
