//! `var=value` on the command line: `-v` and operands.

use crate::fault::{Fallible, Fault};
use crate::runtime::Runtime;
use riverhawk_syntax::ast::Special;
use riverhawk_value::Value;

/// Splits `name=value` when `name` could be a variable's.
pub fn assignment(operand: &[u8]) -> Option<(&str, &[u8])> {
    let equals = memchr::memchr(b'=', operand)?;
    let (name, value) = (&operand[..equals], &operand[equals + 1..]);
    let starts = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    if !starts || !name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    Some((std::str::from_utf8(name).ok()?, value))
}

impl Runtime {
    /// Performs an operand that is an assignment; whether it is one.
    pub(crate) fn assign_operand(&mut self, operand: &[u8]) -> Fallible<bool> {
        let Some((name, value)) = assignment(operand) else { return Ok(false) };
        self.assign_variable(name, value)?;
        Ok(true)
    }

    /// Assigns a variable by its name; the value's escapes are processed, and it is input text.
    pub(crate) fn assign_variable(&mut self, name: &str, value: &[u8]) -> Fallible<()> {
        let (value, warnings) = riverhawk_text::process_escapes(value);
        for warning in warnings {
            self.warn(&warning.to_string())?;
        }
        let value = Value::from_input(&value);
        if let Some(special) = Special::from_name(name) {
            return self.set_special(special, value);
        }
        if self.program.functions.iter().any(|function| function.name == name) {
            return Err(Fault::new(format!("the function `{name}' cannot be assigned on the command line")));
        }
        let Some(at) = self.program.globals.iter().position(|global| global.name == name) else {
            // Nobody will ever look at it.
            return Ok(());
        };
        if matches!(self.statics[at], Value::Array(_)) {
            return Err(Fault::new(format!("the array `{name}' cannot be assigned on the command line")));
        }
        self.statics[at] = value;
        Ok(())
    }
}
