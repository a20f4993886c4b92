//! The states of a run, and what needs most of them.

use crate::arithmetic::Arithmetic;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::host::HostFunctions;
use crate::locale::Locale;
use crate::main_input::MainInput;
use crate::outside::Outside;
use crate::searches::Searches;
use crate::specials::too_many_fields;
use crate::workspace::Workspace;
use riverhawk_awkio::Io;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::Unit as Program;
use riverhawk_record::TextKind;
use riverhawk_record::patterns::Patterns;
use riverhawk_record::terminator::FIELD_LIMIT;
use riverhawk_value::Value;
use std::sync::Arc;

pub struct Runtime {
    pub(crate) program: Arc<Program>,
    pub(crate) current: CurrentRecord,
    pub(crate) globals: Globals,
    pub(crate) searches: Searches,
    pub(crate) workspace: Workspace,
    pub(crate) locale: Locale,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) main: MainInput,
    pub(crate) outside: Outside,
    pub(crate) library: crate::library::Kept,
    pub(crate) host_functions: HostFunctions,
}

impl Runtime {
    pub(crate) fn new(program: Arc<Program>, patterns: Patterns, io: Io) -> Runtime {
        Runtime {
            current: CurrentRecord::new(&program, *patterns.options()),
            globals: Globals::new(&program),
            locale: Locale::new(patterns.unit()),
            searches: Searches::new(&program, patterns),
            workspace: Workspace::new(&program),
            arithmetic: Arithmetic::default(),
            main: MainInput::default(),
            outside: Outside::new(program.clone(), io),
            library: crate::library::Kept::default(),
            host_functions: HostFunctions::default(),
            program,
        }
    }

    pub fn set_field(&mut self, n: usize, value: &Value) -> Fallible<()> {
        if n == 0 {
            let mut text = std::mem::take(&mut self.workspace.scratch[0]);
            text.clear();
            value.append_to(self.current.record.text(), &self.current.specials.convfmt, &mut text);
            let too_long = u32::try_from(text.len()).is_err();
            match value {
                _ if too_long => {}
                Value::Num(number) => self.current.record.set_whole(Value::Num(*number), &text),
                Value::Precise(_) | Value::Regex { .. } => {
                    self.current.record.set_whole(value.clone(), &text)
                }
                Value::Uninit | Value::Unassigned | Value::Untyped(_) => {
                    self.current.record.set_whole(Value::Unassigned, &text)
                }
                Value::Small(_) | Value::Str(_) => {
                    self.current.record.set_text(&text, TextKind::Text)
                }
                _ => self.current.record.set_text(&text, TextKind::Input),
            }
            self.workspace.scratch[0] = text;
            return if too_long { Err(record_too_long()) } else { Ok(()) };
        }
        if self.current.tables.is_json() {
            return self.current.record.set_json_member(n, value);
        }
        if n >= FIELD_LIMIT {
            return Err(too_many_fields(n as f64));
        }
        if self.current.tables.keep_header {
            self.outside.check_column(&self.program, &mut self.current, n)?;
        }
        let value = self.current.owned(value);
        self.current.record.set_field(n, value);
        Ok(())
    }

    pub(crate) fn delete_field(&mut self, n: usize) -> Fallible<()> {
        if !self.current.tables.is_json() {
            return self.set_field(n, &Value::Uninit);
        }
        self.current.record.delete_json_member(n);
        Ok(())
    }
}

#[cold]
fn record_too_long() -> Fault {
    Fault::new("a record is longer than the limit of 4294967295 bytes")
}
