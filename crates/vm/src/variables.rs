//! Lists the variables of a run as gawk's `--dump-variables` does.

use crate::arithmetic::Arithmetic;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::named::elements::function_names;
use riverhawk_bytecode::Unit as Program;
use riverhawk_precise::Number;
use riverhawk_syntax::ast::{Global, GlobalId, Special};
use riverhawk_value::Value;
use riverhawk_value::format::Format;
use std::io::Write;

/// Whether a global variable is the program's own. Flags of range patterns have a blank in their
/// names, numbers of columns are not variables of the program, and tables are the engine's.
pub(crate) fn is_own(program: &Program, global: &Global) -> bool {
    let is_table = program.dialect.has_extensions() && GlobalId::FILLED.contains(&&*global.name);
    !global.name.contains(' ') && global.column().is_none() && !is_table
}

impl Arithmetic {
    /// By name, one each line. PROCINFO, SYMTAB and FUNCTAB are listed even if the program does not
    /// mention them, ENCODING only if it has a value.
    pub(crate) fn list_variables(
        &self,
        program: &Program,
        current: &mut CurrentRecord,
        globals: &Globals,
    ) -> Vec<u8> {
        let listed =
            program.globals.iter().enumerate().filter(|(_, global)| is_own(program, global));
        let mut lines: Vec<(String, Vec<u8>)> = listed
            .map(|(at, global)| {
                (global.name.clone(), current.describe_global(global, &globals.statics[at]))
            })
            .collect();
        let dialect = program.dialect;
        for special in Special::ALL.iter().filter(|special| dialect.has_variable(special.name())) {
            let value = current.special(program, self, *special);
            if *special != Special::Encoding || !matches!(value, Value::Uninit) {
                lines.push((special.name().to_owned(), current.describe(&value)));
            }
        }
        let as_number = |value: Value| {
            if value.is_numeric(b"") { Value::Num(value.number(b"")) } else { value }
        };
        let only_named = globals.only_named(program, current).into_iter();
        lines.extend(only_named.map(|(name, value)| (name, current.describe(&as_number(value)))));
        if dialect.has_extensions() {
            let process = match globals.process.array() {
                Some(array) => array.borrow().len(),
                None => globals.process_info(program, current, &[]).borrow().len(),
            };
            let symbols = lines.len() + 1;
            for (table, size) in
                GlobalId::FILLED.into_iter().zip([process, symbols, function_names(program).len()])
            {
                lines.push((table.to_owned(), format!("array, {size} elements").into_bytes()));
            }
        }
        lines.sort();
        let mut out = Vec::new();
        for (name, value) in lines {
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(b": ");
            out.extend_from_slice(&value);
            out.push(b'\n');
        }
        out
    }
}

impl CurrentRecord {
    fn describe_global(&self, global: &Global, value: &Value) -> Vec<u8> {
        let is_nothing = match value {
            Value::Uninit => true,
            Value::Untyped(cell) => cell.get().is_none(),
            _ => false,
        };
        if is_nothing && !global.usage.scalar {
            b"untyped variable".to_vec()
        } else {
            self.describe(value)
        }
    }

    /// As in gawk: a number with all digits, text in quotes, an array by its size.
    pub(crate) fn describe(&self, value: &Value) -> Vec<u8> {
        let mut out = Vec::new();
        let _ = match value {
            Value::Uninit | Value::Unassigned => write!(out, "uninitialized scalar"),
            Value::Untyped(cell) => match cell.get() {
                Some(array) => write!(out, "array, {} elements", array.borrow().len()),
                None if cell.is_scalar() => write!(out, "uninitialized scalar"),
                None => write!(out, "untyped variable"),
            },
            Value::Array(array) => write!(out, "array, {} elements", array.borrow().len()),
            Value::Num(number) => {
                let _ = Format::parse(b"%.17g").write_number(*number, &mut out);
                Ok(())
            }
            Value::Precise(number) if matches!(**number, Number::Integer(_)) => {
                out.extend_from_slice(&self.text_of(value));
                Ok(())
            }
            Value::Precise(number) => {
                Format::parse(b"%.17g").write_precise_number(number, &mut out);
                Ok(())
            }
            Value::Regex { text, .. } => {
                out.extend_from_slice(b"@/");
                out.extend_from_slice(text.as_bytes());
                out.push(b'/');
                Ok(())
            }
            text => {
                quote(&self.text_of(text), &mut out);
                Ok(())
            }
        };
        out
    }
}

/// As many digits as it takes to be this number again.
pub(crate) fn shortest(number: f64) -> String {
    let digits = format!("{number:?}");
    digits.strip_suffix(".0").map_or(digits.clone(), str::to_owned)
}

fn quote(text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    for &byte in text {
        let letter = match byte {
            b'"' | b'\\' => byte,
            0x07 => b'a',
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0B => b'v',
            0x0C => b'f',
            b'\r' => b'r',
            b' '..=b'~' => {
                out.push(byte);
                continue;
            }
            _ => {
                let _ = write!(out, "\\{byte:03o}");
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', letter]);
    }
    out.push(b'"');
}
