//! Arguments of built-in functions that are not what the function takes: text for a number, a
//! number for text, times out of range.

use super::check::{Slots, is_made_number};
use super::general;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::{MathFn, Op, PreciseFn, Src};
use riverhawk_syntax::ast::LibraryFn;
use riverhawk_value::{Probe, Value};

/// The bits of what gawk shifts.
const SHIFTED_BITS: f64 = 64.0;

impl Runtime {
    /// Looks at what a built-in function is about to be called with.
    pub(super) fn lint_arguments(&mut self, op: Op, slot: Slots<'_>) -> Fallible<()> {
        match op {
            Op::Math { f, a, .. } => {
                let name = match f {
                    MathFn::Int => "int",
                    MathFn::Sin => "sin",
                    MathFn::Cos => "cos",
                    MathFn::Exp => "exp",
                    MathFn::Log => "log",
                    MathFn::Sqrt => "sqrt",
                };
                self.wants_number(&slot(a), name, "argument")
            }
            Op::Precise { f, a, b, .. } => self.lint_precise(f, slot, a, b),
            Op::Atan2 { a, b, .. } => self.lint_angle(&slot(a), &slot(b)),
            Op::Srand { a, .. } => self.wants_number(&slot(a), "srand", "argument"),
            Op::Length { s, .. } => match slot(s) {
                Value::Array(_) => self.lint_extension("`length(array)' is a gawk extension"),
                value => self.wants_text(&value, "length", "argument"),
            },
            Op::Index { s, t, .. } => {
                self.wants_text_or_input(&slot(s), "index", "first argument")?;
                self.wants_text_or_input(&slot(t), "index", "second argument")
            }
            Op::MatchAt { s, .. } | Op::MatchGroups { s, .. } => {
                self.wants_text_or_input(&slot(s), "match", "first argument")
            }
            Op::ToLower { s, .. } => self.wants_text(&slot(s), "tolower", "argument"),
            Op::ToUpper { s, .. } => self.wants_text(&slot(s), "toupper", "argument"),
            Op::Flush { s, .. } => self.wants_text(&slot(s), "fflush", "argument"),
            Op::System { s, .. } => self.wants_text(&slot(s), "system", "argument"),
            Op::SubstrFrom { s, m, .. } => self.lint_substr(&slot(s), &slot(m), None),
            Op::Substr { s, m, n, .. } => self.lint_substr(&slot(s), &slot(m), Some(&slot(n))),
            Op::Split { by, .. } | Op::SplitKeeping { by, .. } => self.lint_separator(by, slot),
            Op::Library { f, arguments, .. } => {
                let program = self.program.clone();
                let values: Vec<Value> =
                    arguments.of(&program.lists).iter().map(|&argument| slot(argument)).collect();
                self.lint_library(f, &values)
            }
            _ => Ok(()),
        }
    }

    /// The functions that are operations of arithmetic of any precision.
    fn lint_precise(&mut self, f: PreciseFn, slot: Slots<'_>, a: Src, b: Src) -> Fallible<()> {
        let name = match f {
            PreciseFn::Atan2 => return self.lint_angle(&slot(a), &slot(b)),
            PreciseFn::Int => "int",
            PreciseFn::Sin => "sin",
            PreciseFn::Cos => "cos",
            PreciseFn::Exp => "exp",
            PreciseFn::Log => "log",
            PreciseFn::Sqrt => "sqrt",
            PreciseFn::Srand => "srand",
            _ => return Ok(()),
        };
        self.wants_number(&slot(a), name, "argument")
    }

    fn lint_angle(&mut self, y: &Value, x: &Value) -> Fallible<()> {
        self.wants_number(y, "atan2", "first argument")?;
        self.wants_number(x, "atan2", "second argument")
    }

    pub(super) fn wants_number(
        &mut self,
        value: &Value,
        function: &str,
        which: &str,
    ) -> Fallible<()> {
        match self.is_not_numeric(value) {
            true => self.lint_warn(&format!("{function}: received non-numeric {which}")),
            false => Ok(()),
        }
    }

    pub(super) fn wants_text(
        &mut self,
        value: &Value,
        function: &str,
        which: &str,
    ) -> Fallible<()> {
        match self.is_not_text(value) {
            true => self.lint_warn(&format!("{function}: received non-string {which}")),
            false => Ok(()),
        }
    }

    /// The same of functions for which input is text even where it looks like a number.
    pub(super) fn wants_text_or_input(
        &mut self,
        value: &Value,
        function: &str,
        which: &str,
    ) -> Fallible<()> {
        match is_made_number(value) {
            true => self.lint_warn(&format!("{function}: received non-string {which}")),
            false => Ok(()),
        }
    }

    /// `split(s, a, "")`, every character a piece of its own.
    fn lint_separator(
        &mut self,
        by: riverhawk_bytecode::PatternRef,
        slot: Slots<'_>,
    ) -> Fallible<()> {
        use riverhawk_bytecode::operand::PatternKind;
        let is_empty = match by.kind() {
            PatternKind::Constant(re) => self.program.regexes[re.index()].pattern.is_empty(),
            PatternKind::Slot(s) => self.text_of(&slot(s)).is_empty(),
            _ => false,
        };
        match is_empty {
            true => {
                self.lint_extension("split: null string for third arg is a non-standard extension")
            }
            false => Ok(()),
        }
    }

    fn lint_library(&mut self, f: LibraryFn, values: &[Value]) -> Fallible<()> {
        use LibraryFn as F;
        if self.program.has_large_integers()
            && matches!(f, F::And | F::Or | F::Xor | F::Compl | F::Lshift | F::Rshift)
        {
            return self.lint_precise_bits(f, values);
        }
        match (f, values) {
            (F::And | F::Or | F::Xor, values) => {
                for (at, value) in (1..).zip(values) {
                    if self.is_not_numeric(value) {
                        self.lint_warn(&format!("{}: argument {at} is non-numeric", f.name()))?;
                    }
                }
                Ok(())
            }
            (F::Compl, [n]) => {
                self.wants_number(n, "compl", "argument")?;
                let number = self.number(n);
                match number != number.trunc() && number >= 0.0 {
                    true => self.lint_warn(&format!(
                        "compl({number:.6}): fractional value will be truncated"
                    )),
                    false => Ok(()),
                }
            }
            (F::Lshift | F::Rshift, [n, count]) => {
                let name = f.name();
                self.wants_number(n, name, "first argument")?;
                self.wants_number(count, name, "second argument")?;
                let (n, count) = (self.number(n), self.number(count));
                if n < 0.0 || count < 0.0 {
                    return Ok(());
                }
                if n != n.trunc() || count != count.trunc() {
                    let message =
                        format!("{name}({n:.6}, {count:.6}): fractional values will be truncated");
                    self.lint_warn(&message)?;
                }
                match count >= SHIFTED_BITS {
                    true => self.lint_warn(&format!(
                        "{name}({n:.6}, {count:.6}): too large shift value will give strange results"
                    )),
                    false => Ok(()),
                }
            }
            (F::Strftime, values) => self.lint_strftime(values),
            (F::Mktime, [date, ..]) => self.lint_mktime(date),
            (F::Bindtextdomain | F::Dcgettext | F::Dcngettext, values) => {
                self.lint_messages(f, values)
            }
            _ => Ok(()),
        }
    }

    /// As gawk says it where arithmetic is of any precision.
    fn lint_precise_bits(&mut self, f: LibraryFn, values: &[Value]) -> Fallible<()> {
        for (at, value) in (1..).zip(values) {
            let which = if f == LibraryFn::Compl {
                "argument".to_owned()
            } else {
                format!("argument #{at}")
            };
            self.wants_number(value, f.name(), &which)?;
            let number = self.number(value);
            if number == number.trunc() || number < 0.0 {
                continue;
            }
            let shown = general(number);
            self.lint_warn(&match f {
                LibraryFn::Compl => format!("comp({shown}): fractional value will be truncated"),
                _ => format!("{}: {which} fractional value {shown} will be truncated", f.name()),
            })?;
        }
        Ok(())
    }

    /// The functions for programs in several languages.
    fn lint_messages(&mut self, f: LibraryFn, values: &[Value]) -> Fallible<()> {
        let which = [
            "first argument",
            "second argument",
            "third argument",
            "fourth argument",
            "fifth argument",
        ];
        for (at, (value, which)) in values.iter().zip(which).enumerate() {
            match (f, at) {
                (LibraryFn::Dcngettext, 2) => self.wants_number(value, f.name(), which)?,
                _ => self.wants_text(value, f.name(), which)?,
            }
        }
        Ok(())
    }

    fn lint_strftime(&mut self, values: &[Value]) -> Fallible<()> {
        if let Some(time) = values.get(1) {
            self.wants_number(time, "strftime", "second argument")?;
            // What C's `time_t` holds.
            if !(-9.3e18..9.3e18).contains(&self.number(time)) {
                self.lint_warn("strftime: second argument out of range for time_t")?;
            }
        }
        match values.first() {
            Some(format) => {
                self.wants_text(format, "strftime", "first argument")?;
                match self.text_of(format).is_empty() {
                    true => self.lint_warn("strftime: received empty format string"),
                    false => Ok(()),
                }
            }
            None => match self.default_time_format() {
                Some(Value::Num(_)) => self
                    .lint_warn("strftime: format value in PROCINFO[\"strftime\"] has numeric type"),
                _ => Ok(()),
            },
        }
    }

    fn default_time_format(&self) -> Option<Value> {
        let process = self.globals.process.array()?;
        let process = process.borrow();
        process.get(Probe::from_text(b"strftime"))
    }

    fn lint_mktime(&mut self, date: &Value) -> Fallible<()> {
        self.wants_text(date, "mktime", "argument")?;
        let text = String::from_utf8_lossy(&self.text_of(date)).into_owned();
        let parts: Vec<i64> =
            text.split_ascii_whitespace().map_while(|part| part.parse().ok()).collect();
        let usual = match parts[..] {
            [_, month, day, hour, minute, second, ..] => {
                (1..=12).contains(&month)
                    && (1..=31).contains(&day)
                    && (0..=23).contains(&hour)
                    && (0..=59).contains(&minute)
                    && (0..=60).contains(&second)
            }
            // What is not said is in no range.
            _ => false,
        };
        match usual {
            true => Ok(()),
            false => {
                self.lint_warn("mktime: at least one of the values is out of the default range")
            }
        }
    }
}
