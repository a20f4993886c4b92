//! The elements of SYMTAB and FUNCTAB.

use super::Variable;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::globals::as_array;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::{NamedTable, Unit as Program, Want};
use riverhawk_syntax::ast::{Builtin, LibraryFn, Special, Usage};
use riverhawk_value::{Probe, Value, new_array};

impl Runtime {
    #[inline(never)]
    pub(crate) fn get_named(
        &mut self,
        table: NamedTable,
        want: Want,
        key: &Value,
    ) -> Fallible<Value> {
        let name = self.current.text_of(key);
        let absent = || {
            let (table, name) = (table.name(), String::from_utf8_lossy(&name));
            Fault::new(format!(
                "reference to uninitialized element `{table}[\"{name}\"] is not allowed'"
            ))
        };
        let value = match table {
            NamedTable::Functions => {
                let functions = self.globals.named.functions.as_ref().ok_or_else(absent)?;
                functions.borrow().get(Probe::from_text(&name)).ok_or_else(absent)?
            }
            NamedTable::Symbols => {
                match self.globals.variable(&self.program, &name).ok_or_else(absent)? {
                    Variable::Special(special) => {
                        self.current.special(&self.program, &self.arithmetic, special)
                    }
                    Variable::Global(at) => {
                        self.globals.global_named(&self.program, at, want, &name)?
                    }
                    Variable::Element => self.globals.element_named(&name),
                }
            }
        };
        let shown = || String::from_utf8_lossy(&name).into_owned();
        match (want, value.is_array()) {
            (Want::Scalar, true) => {
                Err(Fault::new(format!("attempt to use array `{}' in a scalar context", shown())))
            }
            (Want::Array, false) => {
                Err(Fault::new(format!("attempt to use the scalar `{}' as an array", shown())))
            }
            _ => Ok(value),
        }
    }

    #[inline(never)]
    pub(crate) fn set_named(
        &mut self,
        table: NamedTable,
        key: &Value,
        value: Value,
    ) -> Fallible<()> {
        if table == NamedTable::Functions {
            return Err(Fault::new("cannot assign to elements of FUNCTAB"));
        }
        let name = self.current.text_of(key);
        match self.globals.variable(&self.program, &name) {
            None => return Err(Fault::new("cannot assign to arbitrary elements of SYMTAB")),
            Some(Variable::Special(special)) => return self.set_special(special, value),
            Some(Variable::Element) => {
                self.globals.keep_named(&String::from_utf8_lossy(&name), value)
            }
            Some(Variable::Global(at)) => {
                let Usage { scalar, array } = self.program.globals[at].usage;
                if self.globals.statics[at].is_array() || array && !scalar {
                    let name = String::from_utf8_lossy(&name);
                    return Err(Fault::new(format!(
                        "attempt to use array `SYMTAB[\"{name}\"]' in a scalar context"
                    )));
                }
                self.globals.statics[at] = value;
            }
        }
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn refresh_named(&mut self, table: NamedTable) {
        let Some(symbols) =
            self.globals.named.symbols.clone().filter(|_| table == NamedTable::Symbols)
        else {
            return;
        };
        for (name, at) in variables(&self.program) {
            symbols
                .borrow_mut()
                .set(Probe::from_text(name.as_bytes()), element_of(&self.globals.statics[at]));
        }
        for &special in Special::ALL.iter().filter(|&&special| special != Special::Encoding) {
            let value = self.current.special(&self.program, &self.arithmetic, special);
            let value = self.current.owned(&value);
            symbols.borrow_mut().set(Probe::from_text(special.name().as_bytes()), value);
        }
    }
}

impl Globals {
    pub(crate) fn fill_named(&mut self, program: &Program) {
        if !program.dialect.has_extensions() {
            return;
        }
        if let Some(at) = global_array(program, NamedTable::Symbols.name()) {
            let array = new_array();
            for (global, _) in variables(program) {
                array.borrow_mut().set(Probe::from_text(global.as_bytes()), Value::Uninit);
            }
            for special in Special::ALL.iter().filter(|&&special| special != Special::Encoding) {
                array.borrow_mut().set(Probe::from_text(special.name().as_bytes()), Value::Uninit);
            }
            self.statics[at] = Value::Array(array.clone());
            self.named.symbols = Some(array);
        }
        if let Some(at) = global_array(program, NamedTable::Functions.name()) {
            let array = new_array();
            for name in function_names(program) {
                array
                    .borrow_mut()
                    .set(Probe::from_text(name.as_bytes()), Value::from_text(name.as_bytes()));
            }
            self.statics[at] = Value::Array(array.clone());
            self.named.functions = Some(array);
        }
    }

    pub(crate) fn keep_named(&mut self, name: &str, value: Value) {
        match &self.named.symbols {
            Some(symbols) => symbols.borrow_mut().set(Probe::from_text(name.as_bytes()), value),
            None => drop(self.named.unasked.insert(name.to_owned(), value)),
        }
    }

    pub(crate) fn only_named(
        &self,
        program: &Program,
        current: &CurrentRecord,
    ) -> Vec<(String, Value)> {
        let Some(symbols) = &self.named.symbols else {
            return self
                .named
                .unasked
                .iter()
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect();
        };
        let names = symbols
            .borrow()
            .keys()
            .map(|key| String::from_utf8_lossy(&current.text_of(&key)).into_owned());
        let only = names.filter(|name| {
            matches!(self.variable(program, name.as_bytes()), Some(Variable::Element))
        });
        only.map(|name| (name.clone(), self.element_named(name.as_bytes()))).collect()
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.named
            .symbols
            .as_ref()
            .is_some_and(|symbols| symbols.borrow().contains(Probe::from_text(name.as_bytes())))
    }

    fn variable(&self, program: &Program, name: &[u8]) -> Option<Variable> {
        let symbols = self.named.symbols.as_ref()?;
        if !symbols.borrow().contains(Probe::from_text(name)) {
            return None;
        }
        let name = std::str::from_utf8(name).ok()?;
        Some(match Special::from_name(name) {
            Some(special) => Variable::Special(special),
            None => match program.globals.iter().position(|global| global.name == name) {
                Some(at) => Variable::Global(at),
                None => Variable::Element,
            },
        })
    }

    fn element_named(&self, name: &[u8]) -> Value {
        let symbols = self.named.symbols.as_ref();
        symbols.and_then(|symbols| symbols.borrow().get(Probe::from_text(name))).unwrap_or_default()
    }

    /// A variable without a value becomes an array if that is wanted and possible.
    fn global_named(
        &mut self,
        program: &Program,
        at: usize,
        want: Want,
        name: &[u8],
    ) -> Fallible<Value> {
        let Usage { scalar, array } = program.globals[at].usage;
        let slot = &mut self.statics[at];
        if want == Want::Array && !slot.is_array() && (array || !scalar) {
            as_array(slot).map_err(|_| {
                let name = String::from_utf8_lossy(name);
                Fault::new(format!("attempt to use the scalar `{name}' as an array"))
            })?;
        }
        Ok(element_of(slot))
    }
}

pub(crate) fn builtins() -> impl Iterator<Item = &'static str> {
    let plain = LibraryFn::reserved().filter(|function| function.namespace().is_none());
    Builtin::ALL.iter().map(|builtin| builtin.name()).chain(plain.map(|function| function.name()))
}

fn element_of(variable: &Value) -> Value {
    match variable {
        Value::Uninit => Value::Unassigned,
        Value::Untyped(cell) => {
            cell.get().map_or(Value::Unassigned, |array| Value::Array(array.clone()))
        }
        value => value.clone(),
    }
}

pub(crate) fn global_array(program: &Program, name: &str) -> Option<usize> {
    program.globals.iter().position(|global| global.name == name && global.usage.array)
}

pub(crate) fn variables(program: &Program) -> Vec<(String, usize)> {
    let tables = [NamedTable::Symbols.name(), NamedTable::Functions.name()];
    let globals = program.globals.iter().enumerate();
    // Flags of range patterns, with a blank in the name, are not variables.
    let visible = globals
        .filter(|(_, global)| !global.name.contains(' ') && !tables.contains(&&*global.name));
    visible.map(|(at, global)| (global.name.clone(), at)).collect()
}

pub(crate) fn function_names(program: &Program) -> Vec<String> {
    let users =
        program.functions.iter().filter(|f| f.defined && !f.builtin).map(|f| f.name.clone());
    let hosts = program.host_functions.iter().map(|function| function.name().to_owned());
    users.chain(hosts).chain(builtins().map(str::to_owned)).collect()
}
