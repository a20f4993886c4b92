//! Performs arithmetic of any precision, rounded by PREC and ROUNDMODE. Small integers and pairs of
//! floats take a short path.

use super::{
    INTDIV_BY_ZERO, begins_with_a_digit_above_zero, check_power_room, check_room, fault, numeral,
    of_floats, of_small_integers,
};
use crate::arithmetic::Arithmetic;
use crate::current::CurrentRecord;
use crate::globals::Globals;
use crate::library::Clock;
use crate::outside::Outside;
use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::Unit as Program;
use riverhawk_bytecode::{MathFn, PreciseFn};
use riverhawk_precise::{Context, Function, IBig, Number, Rounding};
use riverhawk_syntax::ast::{LibraryFn, Special};
use riverhawk_value::number::precise_written_in_c;
use riverhawk_value::small::SmallStr;
use riverhawk_value::{Value, number};
use std::borrow::Cow;

impl Arithmetic {
    #[inline(never)]
    pub(crate) fn precise(
        &mut self,
        current: &CurrentRecord,
        outside: &mut Outside,
        clock: &Clock,
        f: PreciseFn,
        a: &Value,
        b: &Value,
    ) -> Fallible<Value> {
        if let (Value::Num(a), Value::Num(b)) = (a, b)
            && let Some(result) = of_small_integers(f, *a, *b)
        {
            return Ok(Value::Num(result));
        }
        if let Some(result) = of_floats(f, a, b, &self.precise.context) {
            return Ok(Value::from(result));
        }
        let record = current.record.text();
        let context = &self.precise.context;
        let number =
            |value: &Value| -> Fallible<Number> { Ok(value.precise_number(record).into_owned()) };
        let both = || (a.precise_number(record), b.precise_number(record));
        Ok(Value::from(match f {
            PreciseFn::Add => {
                let (a, b) = both();
                a.add(&b, context)
            }
            PreciseFn::Sub => {
                let (a, b) = both();
                a.sub(&b, context)
            }
            PreciseFn::Mul => {
                let (a, b) = both();
                check_room(a.bits() + b.bits())?;
                a.mul(&b, context).map_err(|error| fault(error, "*"))?
            }
            PreciseFn::Div => {
                let (a, b) = both();
                a.div(&b, context).map_err(|error| fault(error, "/"))?
            }
            PreciseFn::Mod => {
                let (a, b) = both();
                a.rem(&b, context).map_err(|error| fault(error, "%"))?
            }
            PreciseFn::Pow => {
                let (a, b) = both();
                check_power_room(&a, &b)?;
                a.pow(&b, context).map_err(|error| fault(error, "^"))?
            }
            PreciseFn::Neg => a.precise_number(record).neg(context),
            PreciseFn::Number => a.precise_number(record).rounded(context),
            PreciseFn::Print => match a {
                Value::Precise(number) => {
                    if let Some(text) = number.kept_text(&current.specials.ofmt) {
                        let short = SmallStr::new(text.as_bytes());
                        return Ok(short.map_or(Value::Input(text), Value::SmallInput));
                    }
                    let mut text = Vec::new();
                    number::precise_to_text(number, &current.specials.ofmt, &mut text);
                    // Text that looks like a number may become one in JSON.
                    return Ok(Value::from_input(&text));
                }
                other => return Ok(other.clone()),
            },
            PreciseFn::Truth => return Ok(Value::from_bool(a.precise_truth(record))),
            PreciseFn::Not => return Ok(Value::from_bool(!a.precise_truth(record))),
            PreciseFn::Int => a.precise_number(record).int(),
            PreciseFn::Sin => a.precise_number(record).function(Function::Sin, context),
            PreciseFn::Cos => a.precise_number(record).function(Function::Cos, context),
            PreciseFn::Exp => a.precise_number(record).function(Function::Exp, context),
            PreciseFn::Log | PreciseFn::Sqrt => {
                let (plain, function) = match f {
                    PreciseFn::Log => (MathFn::Log, Function::Ln),
                    _ => (MathFn::Sqrt, Function::Sqrt),
                };
                let a = a.precise_number(record);
                if a.is_below_zero() {
                    outside.warn_argument(current, plain, a.to_f64())?;
                }
                a.function(function, &self.precise.context)
            }
            PreciseFn::Atan2 => {
                let (a, b) = both();
                Number::atan2(&a, &b, context)
            }
            PreciseFn::Rand => self.precise.random(),
            PreciseFn::Srand => {
                let seed = number(a)?.truncate().unwrap_or_default();
                self.precise.reseed(seed)
            }
            PreciseFn::SrandByTime => self.precise.reseed(IBig::from(clock.seconds())),
        }))
    }

    /// PREC: the name of an IEEE format, or bits. Anything else is a warning and changes nothing.
    pub(crate) fn set_precision(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        outside: &mut Outside,
        value: &Value,
    ) -> Fallible<()> {
        if !program.precise {
            return Ok(());
        }
        let context = self.precise.context;
        let text = current.text_of(value);
        let named = if matches!(value, Value::Num(_) | Value::Precise(_)) {
            None
        } else {
            context.named(&text)
        };
        let new = named.or_else(|| {
            context.with_precision(value.precise_number(current.record.text()).to_f64())
        });
        self.change_context(current, outside, new, "PREC", &text)
    }

    pub(crate) fn set_rounding(
        &mut self,
        program: &Program,
        current: &CurrentRecord,
        outside: &mut Outside,
        value: &Value,
    ) -> Fallible<()> {
        if !program.precise {
            return Ok(());
        }
        let text = current.text_of(value);
        let new = Rounding::of_name(&text).map(|rounding| self.precise.context.rounding(rounding));
        self.change_context(current, outside, new, "ROUNDMODE", &text)
    }

    fn change_context(
        &mut self,
        current: &CurrentRecord,
        outside: &mut Outside,
        new: Option<Context>,
        name: &str,
        text: &[u8],
    ) -> Fallible<()> {
        match new {
            Some(context) => {
                self.precise.context = context;
                context.set_current();
                Ok(())
            }
            None => outside.warn_here(
                current,
                &format!("{name} value `{}' is invalid", String::from_utf8_lossy(text)),
            ),
        }
    }

    /// Keeps apart the part of NR or FNR that doubles cannot count.
    pub(crate) fn set_counter(
        &mut self,
        current: &CurrentRecord,
        special: Special,
        value: &Value,
    ) -> f64 {
        let number = value.precise_number(current.record.text()).int();
        let before = &mut self.precise.counted_before[usize::from(special == Special::Fnr)];
        match number.as_small_integer() {
            Some(small) => {
                *before = None;
                small
            }
            None => {
                *before = number.truncate().map(Number::Integer);
                0.0
            }
        }
    }

    pub(crate) fn large_counter(&self, special: Special, count: f64) -> Option<Value> {
        let before = self.precise.counted_before[usize::from(special == Special::Fnr)].as_ref()?;
        Some(Value::from(before.add(&Number::from_f64(count), &self.precise.context)))
    }

    pub(crate) fn forget_large_counter(&mut self) {
        self.precise.counted_before[1] = None;
    }

    pub(crate) fn precise_strtonum(&self, current: &CurrentRecord, s: &Value) -> Value {
        let record = current.record.text();
        match s {
            Value::Num(_) | Value::Precise(_) => {
                Value::from(s.precise_number(record).rounded(&self.precise.context))
            }
            // Text without a leading zero is the same number in C and here, and may have been read
            // before.
            s if begins_with_a_digit_above_zero(s.bytes(record).unwrap_or_default()) => {
                Value::from(s.precise_number(record).into_owned())
            }
            s if s.is_numeric(record) => Value::from(s.precise_number(record).into_owned()),
            s => Value::from(precise_written_in_c(s.bytes(record).unwrap_or_default())),
        }
    }
}

impl Globals {
    pub(crate) fn read_numerals(&mut self, program: &Program) {
        let first = program.globals.len();
        for (constant, text) in &program.numerals {
            self.statics[first + constant.index()] = Value::from(numeral(text));
        }
    }
}

impl CurrentRecord {
    pub(crate) fn precise_bits(&self, f: LibraryFn, numbers: &[Value]) -> Fallible<Value> {
        let mut result: Option<Cow<'_, IBig>> = None;
        for (at, number) in (1..).zip(numbers) {
            let number = self.operand_of_bits(f, number, || format!("argument {at}"))?;
            result = Some(match (result, f) {
                (None, _) => number,
                (Some(result), LibraryFn::And) => Cow::Owned(&*result & &*number),
                (Some(result), LibraryFn::Or) => Cow::Owned(&*result | &*number),
                (Some(result), _) => Cow::Owned(&*result ^ &*number),
            });
        }
        Ok(Value::from(Number::Integer(result.unwrap_or_default().into_owned())))
    }

    /// Infinitely many bits change, so the result is negative.
    pub(crate) fn precise_complement(&self, n: &Value) -> Fallible<Value> {
        let number = self.operand_of_bits(LibraryFn::Compl, n, || "argument 1".to_owned())?;
        Ok(Value::from(Number::Integer(!&*number)))
    }

    /// No bit is lost at the top.
    pub(crate) fn precise_shift(&self, f: LibraryFn, n: &Value, count: &Value) -> Fallible<Value> {
        let number = self.operand_of_bits(f, n, || "argument 1".to_owned())?;
        let count = self.operand_of_bits(f, count, || "argument 2".to_owned())?;
        let shifted = match f {
            LibraryFn::Lshift => {
                Number::shift_left(&number, &count).map_err(|error| fault(error, f.name()))?
            }
            _ => Number::shift_right(&number, &count),
        };
        Ok(Value::from(shifted))
    }

    fn operand_of_bits<'a>(
        &self,
        f: LibraryFn,
        value: &'a Value,
        which: impl FnOnce() -> String,
    ) -> Fallible<Cow<'a, IBig>> {
        let number = value.precise_number(self.record.text());
        if number.is_below_zero() {
            let mut text = Vec::new();
            number::precise_to_text(&number, &self.specials.convfmt, &mut text);
            let (name, text) = (f.name(), String::from_utf8_lossy(&text));
            return Err(Fault::new(format!(
                "{name}: {} negative value {text} is not allowed",
                which()
            )));
        }
        Ok(match number {
            Cow::Borrowed(Number::Integer(integer)) => Cow::Borrowed(integer),
            Cow::Owned(Number::Integer(integer)) => Cow::Owned(integer),
            other => Cow::Owned(other.truncate().unwrap_or_default()),
        })
    }

    pub(crate) fn precise_intdiv(
        &self,
        a: &Value,
        b: &Value,
    ) -> Result<(Value, Value), &'static str> {
        let record = self.record.text();
        let whole = |value: &Value| value.precise_number(record).truncate();
        let a = whole(a).ok_or("numerator is not finite")?;
        let b = whole(b).ok_or("denominator is not finite")?;
        if b == IBig::ZERO {
            return Err(INTDIV_BY_ZERO);
        }
        let integer = |integer| Value::from(Number::Integer(integer));
        Ok((integer(&a / &b), integer(&a % &b)))
    }
}
