//! Warns of arguments that a built-in function does not expect.

use super::check::{Slots, is_made_number};
use super::general;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::outside::Outside;
use crate::runtime::Runtime;
use riverhawk_awkio::fault::Fallible;
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::{MathFn, Op, PreciseFn, Src};
use riverhawk_syntax::ast::LibraryFn;
use riverhawk_value::{Probe, Value};

const SHIFTED_BITS: f64 = 64.0;

impl Runtime {
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
                self.outside.wants_number(&self.current, &slot(a), name, "argument")
            }
            Op::Precise { f, a, b, .. } => self.outside.lint_precise(&self.current, f, slot, a, b),
            Op::Atan2 { a, b, .. } => self.outside.lint_angle(&self.current, &slot(a), &slot(b)),
            Op::Srand { a, .. } => {
                self.outside.wants_number(&self.current, &slot(a), "srand", "argument")
            }
            Op::Length { s, .. } => match slot(s) {
                Value::Array(_) => self
                    .outside
                    .lint_extension(&self.current, "`length(array)' is a gawk extension"),
                value => self.outside.wants_text(&self.current, &value, "length", "argument"),
            },
            Op::Index { s, t, .. } => {
                self.outside.wants_text_or_input(
                    &self.current,
                    &slot(s),
                    "index",
                    "first argument",
                )?;
                self.outside.wants_text_or_input(
                    &self.current,
                    &slot(t),
                    "index",
                    "second argument",
                )
            }
            Op::MatchAt { s, .. } | Op::MatchGroups { s, .. } => {
                self.outside.wants_text_or_input(&self.current, &slot(s), "match", "first argument")
            }
            Op::ToLower { s, .. } => {
                self.outside.wants_text(&self.current, &slot(s), "tolower", "argument")
            }
            Op::ToUpper { s, .. } => {
                self.outside.wants_text(&self.current, &slot(s), "toupper", "argument")
            }
            Op::Flush { s, .. } => {
                self.outside.wants_text(&self.current, &slot(s), "fflush", "argument")
            }
            Op::System { s, .. } => {
                self.outside.wants_text(&self.current, &slot(s), "system", "argument")
            }
            Op::SubstrFrom { s, m, .. } => self.lint_substr(&slot(s), &slot(m), None),
            Op::Substr { s, m, n, .. } => self.lint_substr(&slot(s), &slot(m), Some(&slot(n))),
            Op::Split { by, .. } | Op::SplitKeeping { by, .. } => {
                self.outside.lint_separator(&self.program, &self.current, by, slot)
            }
            Op::Library { f, arguments, .. } => {
                let program = self.program.clone();
                let values: Vec<Value> =
                    arguments.of(&program.lists).iter().map(|&argument| slot(argument)).collect();
                self.outside.lint_library(&self.program, &self.current, &self.globals, f, &values)
            }
            _ => Ok(()),
        }
    }
}

impl Outside {
    fn lint_precise(
        &mut self,
        current: &CurrentRecord,
        f: PreciseFn,
        slot: Slots<'_>,
        a: Src,
        b: Src,
    ) -> Fallible<()> {
        let name = match f {
            PreciseFn::Atan2 => return self.lint_angle(current, &slot(a), &slot(b)),
            PreciseFn::Int => "int",
            PreciseFn::Sin => "sin",
            PreciseFn::Cos => "cos",
            PreciseFn::Exp => "exp",
            PreciseFn::Log => "log",
            PreciseFn::Sqrt => "sqrt",
            PreciseFn::Srand => "srand",
            _ => return Ok(()),
        };
        self.wants_number(current, &slot(a), name, "argument")
    }

    fn lint_angle(&mut self, current: &CurrentRecord, y: &Value, x: &Value) -> Fallible<()> {
        self.wants_number(current, y, "atan2", "first argument")?;
        self.wants_number(current, x, "atan2", "second argument")
    }

    pub(super) fn wants_number(
        &mut self,
        current: &CurrentRecord,
        value: &Value,
        function: &str,
        which: &str,
    ) -> Fallible<()> {
        match current.is_not_numeric(value) {
            true => self.lint_warn(current, &format!("{function}: received non-numeric {which}")),
            false => Ok(()),
        }
    }

    pub(super) fn wants_text(
        &mut self,
        current: &CurrentRecord,
        value: &Value,
        function: &str,
        which: &str,
    ) -> Fallible<()> {
        match current.is_not_text(value) {
            true => self.lint_warn(current, &format!("{function}: received non-string {which}")),
            false => Ok(()),
        }
    }

    /// Input counts as text, even if it looks like a number.
    pub(super) fn wants_text_or_input(
        &mut self,
        current: &CurrentRecord,
        value: &Value,
        function: &str,
        which: &str,
    ) -> Fallible<()> {
        match is_made_number(value) {
            true => self.lint_warn(current, &format!("{function}: received non-string {which}")),
            false => Ok(()),
        }
    }

    fn lint_separator(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        by: riverhawk_bytecode::PatternRef,
        slot: Slots<'_>,
    ) -> Fallible<()> {
        use riverhawk_bytecode::operand::PatternKind;
        let is_empty = match by.kind() {
            PatternKind::Constant(re) => program.regexes[re.index()].pattern.is_empty(),
            PatternKind::Slot(s) => current.text_of(&slot(s)).is_empty(),
            _ => false,
        };
        match is_empty {
            true => self.lint_extension(
                current,
                "split: null string for third arg is a non-standard extension",
            ),
            false => Ok(()),
        }
    }

    fn lint_library(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        globals: &Globals,
        f: LibraryFn,
        values: &[Value],
    ) -> Fallible<()> {
        use LibraryFn as F;
        if program.has_large_integers()
            && matches!(f, F::And | F::Or | F::Xor | F::Compl | F::Lshift | F::Rshift)
        {
            return self.lint_precise_bits(current, f, values);
        }
        match (f, values) {
            (F::And | F::Or | F::Xor, values) => {
                for (at, value) in (1..).zip(values) {
                    if current.is_not_numeric(value) {
                        self.lint_warn(
                            current,
                            &format!("{}: argument {at} is non-numeric", f.name()),
                        )?;
                    }
                }
                Ok(())
            }
            (F::Compl, [n]) => {
                self.wants_number(current, n, "compl", "argument")?;
                let number = current.number(n);
                match number != number.trunc() && number >= 0.0 {
                    true => self.lint_warn(
                        current,
                        &format!("compl({number:.6}): fractional value will be truncated"),
                    ),
                    false => Ok(()),
                }
            }
            (F::Lshift | F::Rshift, [n, count]) => {
                let name = f.name();
                self.wants_number(current, n, name, "first argument")?;
                self.wants_number(current, count, name, "second argument")?;
                let (n, count) = (current.number(n), current.number(count));
                if n < 0.0 || count < 0.0 {
                    return Ok(());
                }
                if n != n.trunc() || count != count.trunc() {
                    let message =
                        format!("{name}({n:.6}, {count:.6}): fractional values will be truncated");
                    self.lint_warn(current, &message)?;
                }
                match count >= SHIFTED_BITS {
                    true => self.lint_warn(current, &format!(
                        "{name}({n:.6}, {count:.6}): too large shift value will give strange results"
                    )),
                    false => Ok(()),
                }
            }
            (F::Strftime, values) => self.lint_strftime(current, globals, values),
            (F::Mktime, [date, ..]) => self.lint_mktime(current, date),
            (F::Bindtextdomain | F::Dcgettext | F::Dcngettext, values) => {
                self.lint_messages(current, f, values)
            }
            _ => Ok(()),
        }
    }

    fn lint_precise_bits(
        &mut self,
        current: &CurrentRecord,
        f: LibraryFn,
        values: &[Value],
    ) -> Fallible<()> {
        for (at, value) in (1..).zip(values) {
            let which = if f == LibraryFn::Compl {
                "argument".to_owned()
            } else {
                format!("argument #{at}")
            };
            self.wants_number(current, value, f.name(), &which)?;
            let number = current.number(value);
            if number == number.trunc() || number < 0.0 {
                continue;
            }
            let shown = general(number);
            self.lint_warn(
                current,
                &match f {
                    LibraryFn::Compl => {
                        format!("comp({shown}): fractional value will be truncated")
                    }
                    _ => {
                        format!("{}: {which} fractional value {shown} will be truncated", f.name())
                    }
                },
            )?;
        }
        Ok(())
    }

    fn lint_messages(
        &mut self,
        current: &CurrentRecord,
        f: LibraryFn,
        values: &[Value],
    ) -> Fallible<()> {
        let which = [
            "first argument",
            "second argument",
            "third argument",
            "fourth argument",
            "fifth argument",
        ];
        for (at, (value, which)) in values.iter().zip(which).enumerate() {
            match (f, at) {
                (LibraryFn::Dcngettext, 2) => self.wants_number(current, value, f.name(), which)?,
                _ => self.wants_text(current, value, f.name(), which)?,
            }
        }
        Ok(())
    }

    fn lint_strftime(
        &mut self,
        current: &CurrentRecord,
        globals: &Globals,
        values: &[Value],
    ) -> Fallible<()> {
        if let Some(time) = values.get(1) {
            self.wants_number(current, time, "strftime", "second argument")?;
            if !(-9.3e18..9.3e18).contains(&current.number(time)) {
                self.lint_warn(current, "strftime: second argument out of range for time_t")?;
            }
        }
        match values.first() {
            Some(format) => {
                self.wants_text(current, format, "strftime", "first argument")?;
                match current.text_of(format).is_empty() {
                    true => self.lint_warn(current, "strftime: received empty format string"),
                    false => Ok(()),
                }
            }
            None => match globals.default_time_format() {
                Some(Value::Num(_)) => self.lint_warn(
                    current,
                    "strftime: format value in PROCINFO[\"strftime\"] has numeric type",
                ),
                _ => Ok(()),
            },
        }
    }

    fn lint_mktime(&mut self, current: &CurrentRecord, date: &Value) -> Fallible<()> {
        self.wants_text(current, date, "mktime", "argument")?;
        let text = String::from_utf8_lossy(&current.text_of(date)).into_owned();
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
            _ => false,
        };
        match usual {
            true => Ok(()),
            false => self.lint_warn(
                current,
                "mktime: at least one of the values is out of the default range",
            ),
        }
    }
}

impl Globals {
    fn default_time_format(&self) -> Option<Value> {
        let process = self.process.array()?;
        let process = process.borrow();
        process.get(Probe::from_text(b"strftime"))
    }
}
