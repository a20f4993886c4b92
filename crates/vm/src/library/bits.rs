//! Bit operations and `strtonum`, on doubles or on integers of any size, which keep all their bits.

use crate::arithmetic::Arithmetic;
use crate::current::CurrentRecord;
use riverhawk_awkio::fault::Fallible;
use riverhawk_builtins::bits::{combined, complement, from_c, shifted};
use riverhawk_bytecode::Unit as Program;
use riverhawk_syntax::ast::LibraryFn;
use riverhawk_value::Value;
use riverhawk_value::exact::is_small;

impl CurrentRecord {
    pub(super) fn bits(
        &self,
        program: &Program,
        f: LibraryFn,
        numbers: &[Value],
    ) -> Fallible<Value> {
        if program.has_large_integers() {
            return self.precise_bits(f, numbers);
        }
        let numbers = numbers.iter().map(|number| self.number(number));
        Ok(Value::Num(combined(f, numbers)?))
    }

    pub(super) fn complement(&self, program: &Program, n: &Value) -> Fallible<Value> {
        if program.has_large_integers() {
            return self.precise_complement(n);
        }
        Ok(Value::Num(complement(self.number(n))?))
    }

    pub(super) fn shifted(
        &self,
        program: &Program,
        f: LibraryFn,
        n: &Value,
        count: &Value,
    ) -> Fallible<Value> {
        if program.has_large_integers() {
            return self.precise_shift(f, n, count);
        }
        Ok(Value::Num(shifted(f, self.number(n), self.number(count))?))
    }
}

impl Arithmetic {
    /// The text may be in C's hexadecimal or octal.
    pub(super) fn strtonum(&self, program: &Program, current: &CurrentRecord, s: &Value) -> Value {
        if program.precise {
            return self.precise_strtonum(current, s);
        }
        let record = current.record.text();
        if program.exact && !is_small(s.number(record)) {
            return current.exact_number(s);
        }
        Value::Num(match s {
            Value::Num(number) => *number,
            Value::Regex { .. } => 0.0,
            s if s.is_numeric(record) => s.number(record),
            s => from_c(s.bytes(record).unwrap_or_default()),
        })
    }
}
