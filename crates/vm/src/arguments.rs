//! Assignments on the command line: `-v var=value`, and operands `var=value`.

use crate::runtime::Runtime;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_record::patterns::NO_CONSTANT;
use riverhawk_syntax::ast::{GlobalId, Special};
use riverhawk_syntax::is_reserved;
use riverhawk_value::{HeapStr, Value};

pub fn assignment(operand: &[u8]) -> Option<(&str, &[u8])> {
    let equals = memchr::memchr(b'=', operand)?;
    let (name, value) = (&operand[..equals], &operand[equals + 1..]);
    let name = std::str::from_utf8(name).ok()?;
    riverhawk_syntax::is_variable_name(name)
        .then(|| (name.strip_prefix("awk::").unwrap_or(name), value))
}

fn name_with_one_colon(operand: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(&operand[..memchr::memchr(b'=', operand)?]).ok()?;
    (riverhawk_syntax::has_namespace(name) && !name.contains("::")).then_some(name)
}

fn typed_regex(value: &[u8]) -> Option<&[u8]> {
    value.strip_prefix(b"@/")?.strip_suffix(b"/")
}

impl Runtime {
    pub(crate) fn assign_operand(&mut self, operand: &[u8]) -> Fallible<bool> {
        if self.main.only_files {
            return Ok(false);
        }
        let Some((name, value)) = assignment(operand) else {
            if let Some(name) = name_with_one_colon(operand) {
                self.outside.warn(&format!(
                    "identifier {name}: namespace separator is two colons, not one"
                ))?;
            }
            self.outside.lint_operand(&self.current, operand)?;
            return Ok(false);
        };
        let refused = |why: String| {
            Fault::operand(format!("operand \"{}\": {why}", String::from_utf8_lossy(operand)))
        };
        if is_reserved(name) {
            return Err(refused(format!("`{name}' is a keyword, not a variable")));
        }
        self.assign_variable(name, value).map_err(|fault| refused(fault.message()))?;
        Ok(true)
    }

    /// The value is input text, after its escapes are replaced.
    pub(crate) fn assign_variable(&mut self, name: &str, value: &[u8]) -> Fallible<()> {
        let regex = typed_regex(value).filter(|_| self.program.dialect.has_extensions());
        let (value, warnings) = match regex {
            Some(regex) => (regex.to_vec(), Vec::new()),
            None => riverhawk_text::process_escapes(value),
        };
        for warning in warnings {
            self.outside.warn(&warning.to_string())?;
        }
        if self.outside.in_place.as_mut().is_some_and(|in_place| in_place.set(name, &value)) {
            return Ok(());
        }
        let value = if regex.is_some() {
            self.searches.patterns.dynamic(&value)?;
            self.searches.warn_of_unknown_escapes(&self.current, &mut self.outside)?;
            Value::Regex { number: NO_CONSTANT, text: HeapStr::new(&value) }
        } else {
            Value::from_input(&value)
        };
        self.assign_value(name, value)
    }

    pub(crate) fn assign_value(&mut self, name: &str, value: Value) -> Fallible<()> {
        self.outside.warnings.at = u32::MAX;
        let dialect = self.program.dialect;
        if let Some(special) =
            Special::from_name(name).filter(|special| dialect.has_variable(special.name()))
        {
            if special == Special::Encoding {
                let name = self.current.text_of(&value);
                self.library.coding("ENCODING", &name)?;
            }
            self.outside.lint_assignment(&mut self.current, special, &value)?;
            return self.set_special(special, value);
        }
        if self.program.functions.iter().any(|function| function.name == name) {
            return Err(Fault::new(format!(
                "`{name}' is a function of the program, not a variable"
            )));
        }
        if dialect.has_extensions() && matches!(name, "PROCINFO" | "SYMTAB" | "FUNCTAB") {
            return Err(Fault::new(format!("`{name}' is an array")));
        }
        let Some(at) = self.program.globals.iter().position(|global| global.name == name) else {
            self.globals.keep_named(name, value);
            return Ok(());
        };
        let usage = self.program.globals[at].usage;
        let only_array = usage.array && !usage.scalar;
        // ENVIRON is filled only for programs that use it.
        if only_array || self.globals.statics[at].is_array() || at == GlobalId::ENVIRON.index() {
            return Err(Fault::new(format!("`{name}' is an array")));
        }
        self.globals.statics[at] = value;
        self.globals.assignments += 1;
        Ok(())
    }
}
