//! Arithmetic of any precision (`-M`): what the operation `Precise` does, and the variables PREC
//! and ROUNDMODE.
//!
//! Programs are compiled for it or not; those that are not never come here. An integer of at most
//! 53 bits is a double here too, so that counting costs no allocation; see
//! [`riverhawk_value::precise`].

use crate::arithmetic::division_by_zero;
use crate::fault::{Fallible, Fault};
use crate::random::Twister;
use crate::runtime::Runtime;
use riverhawk_blocks::room;
use riverhawk_bytecode::{MathFn, PreciseFn};
use riverhawk_precise::{
    Context, Float, Function, IBig, LARGEST_INTEGER, Number, NumberError, Rounding,
};
use riverhawk_syntax::ast::{LibraryFn, Special};
use riverhawk_value::number::precise_written_in_c;
use riverhawk_value::small::SmallStr;
use riverhawk_value::{Value, number};
use std::borrow::Cow;

/// What `intdiv` says of it, with doubles too.
pub(crate) const INTDIV_BY_ZERO: &str = "division by zero attempted";

/// What a run with such arithmetic keeps; others have it and never look.
#[derive(Clone, Debug, Default)]
pub struct PreciseState {
    /// What PREC and ROUNDMODE say.
    pub context: Context,
    /// What is to be added to NR and FNR, when numbers were assigned to them that doubles cannot
    /// count on from.
    counted_before: [Option<Number>; 2],
    /// The seed that `srand` was given last.
    seed: Option<Number>,
    /// Where `rand` has come since that seed, once it was asked.
    twister: Option<Box<Twister>>,
}

impl PreciseState {
    /// The next number of `rand`.
    fn random(&mut self) -> Number {
        let seed = self.seed.as_ref().and_then(Number::truncate).unwrap_or(IBig::ONE);
        self.twister.get_or_insert_with(|| Box::new(Twister::new(&seed))).fraction(&self.context)
    }

    /// Starts the sequence of another seed; the seed before.
    fn reseed(&mut self, seed: IBig) -> Number {
        self.twister = None;
        self.seed.replace(Number::Integer(seed)).unwrap_or(Number::Integer(IBig::ONE))
    }
}

/// Integers of fewer bits need no look at what memory there is.
const LONG: usize = 8 << 20;

/// So many times its own size is needed to make a long integer: by the transforms of its factors.
const ROOM_TO_MAKE: usize = 8;

/// Whether there is memory to make an integer of so many bits: those who do cannot be refused any.
/// More bits than an integer may have are their affair.
pub(crate) fn check_room(bits: usize) -> Fallible<()> {
    if !(LONG..=LARGEST_INTEGER).contains(&bits) {
        return Ok(());
    }
    if room::is_there(bits / 8 * ROOM_TO_MAKE) { Ok(()) } else { Err(Fault::memory()) }
}

/// The same for a power.
pub(crate) fn check_power_room(a: &Number, b: &Number) -> Fallible<()> {
    check_room((a.bits().saturating_sub(1) as f64 * b.to_f64().abs()) as usize)
}

impl Runtime {
    /// f(a, b).
    #[inline(never)]
    pub(crate) fn precise(&mut self, f: PreciseFn, a: &Value, b: &Value) -> Fallible<Value> {
        if let (Value::Num(a), Value::Num(b)) = (a, b)
            && let Some(result) = of_small_integers(f, *a, *b)
        {
            return Ok(Value::Num(result));
        }
        if let Some(result) = of_floats(f, a, b, &self.precise.context) {
            return Ok(Value::from(result));
        }
        let record = self.record.text();
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
                    if let Some(text) = number.kept_text(&self.specials.ofmt) {
                        let short = SmallStr::new(text.as_bytes());
                        return Ok(short.map_or(Value::Input(text), Value::SmallInput));
                    }
                    let mut text = Vec::new();
                    number::precise_to_text(number, &self.specials.ofmt, &mut text);
                    // What is spelled as a number may be one in JSON.
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
                    self.warn_argument(plain, a.to_f64())?;
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
            PreciseFn::SrandByTime => {
                self.precise.reseed(IBig::from(Runtime::time_of_day() as i64))
            }
        }))
    }

    // PREC and ROUNDMODE.

    /// PREC was assigned: the name of an IEEE format, or bits. What is neither is told of and
    /// changes nothing.
    pub(crate) fn set_precision(&mut self, value: &Value) -> Fallible<()> {
        if !self.program.precise {
            return Ok(());
        }
        let context = self.precise.context;
        let text = self.text_of(value);
        let named = if matches!(value, Value::Num(_) | Value::Precise(_)) {
            None
        } else {
            context.named(&text)
        };
        let new = named
            .or_else(|| context.with_precision(value.precise_number(self.record.text()).to_f64()));
        self.change_context(new, "PREC", &text)
    }

    /// ROUNDMODE was assigned.
    pub(crate) fn set_rounding(&mut self, value: &Value) -> Fallible<()> {
        if !self.program.precise {
            return Ok(());
        }
        let text = self.text_of(value);
        let new = Rounding::of_name(&text).map(|rounding| self.precise.context.rounding(rounding));
        self.change_context(new, "ROUNDMODE", &text)
    }

    fn change_context(&mut self, new: Option<Context>, name: &str, text: &[u8]) -> Fallible<()> {
        match new {
            Some(context) => {
                self.precise.context = context;
                context.set_current();
                Ok(())
            }
            None => self
                .warn_here(&format!("{name} value `{}' is invalid", String::from_utf8_lossy(text))),
        }
    }

    /// Reads the constants that are more than doubles, to the precision that holds now.
    pub(crate) fn read_numerals(&mut self) {
        let program = self.program.clone();
        let first = program.globals.len();
        for (constant, text) in &program.numerals {
            self.statics[first + constant.index()] = Value::from(numeral(text));
        }
    }

    // NR and FNR.

    /// NR or FNR was assigned: what of it a double does not count on from is kept apart.
    pub(crate) fn set_counter(&mut self, special: Special, value: &Value) -> f64 {
        let number = value.precise_number(self.record.text()).int();
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

    /// NR or FNR, if it is more than a double can count.
    pub(crate) fn large_counter(&self, special: Special, count: f64) -> Option<Value> {
        let before = self.precise.counted_before[usize::from(special == Special::Fnr)].as_ref()?;
        Some(Value::from(before.add(&Number::from_f64(count), &self.precise.context)))
    }

    /// A file begins: FNR counts anew.
    pub(crate) fn forget_large_counter(&mut self) {
        self.precise.counted_before[1] = None;
    }

    // Bits.

    /// `and`, `or` and `xor` of integers of any size.
    pub(crate) fn precise_bits(&mut self, f: LibraryFn, numbers: &[Value]) -> Fallible<Value> {
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

    /// `compl`: all bits, of which there is no end, so that the result is negative.
    pub(crate) fn precise_complement(&mut self, n: &Value) -> Fallible<Value> {
        let number = self.operand_of_bits(LibraryFn::Compl, n, || "argument 1".to_owned())?;
        Ok(Value::from(Number::Integer(!&*number)))
    }

    /// `lshift` and `rshift`: no bit is lost at the top.
    pub(crate) fn precise_shift(
        &mut self,
        f: LibraryFn,
        n: &Value,
        count: &Value,
    ) -> Fallible<Value> {
        let number = self.operand_of_bits(f, n, || "argument 1".to_owned())?;
        let count = self.operand_of_bits(f, count, || "argument 2".to_owned())?;
        let shifted = Number::shift(&number, &count, f == LibraryFn::Lshift);
        Ok(Value::from(shifted.map_err(|error| fault(error, f.name()))?))
    }

    /// The integer without its fraction; 0 for what is infinite or not a number.
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

    /// `intdiv`: the quotient, cut towards zero, and what is left.
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

    /// `strtonum` with all digits.
    pub(crate) fn precise_strtonum(&mut self, s: &Value) -> Value {
        let record = self.record.text();
        match s {
            Value::Num(_) | Value::Precise(_) => {
                Value::from(s.precise_number(record).rounded(&self.precise.context))
            }
            // Without a zero before it a number in C is one here, and may have been read before.
            s if begins_with_a_digit_above_zero(s.bytes(record).unwrap_or_default()) => {
                Value::from(s.precise_number(record).into_owned())
            }
            s if s.is_numeric(record) => Value::from(s.precise_number(record).into_owned()),
            s => Value::from(precise_written_in_c(s.bytes(record).unwrap_or_default())),
        }
    }
}

fn begins_with_a_digit_above_zero(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'1'..=b'9'))
}

/// Integers up to this are doubles.
const LARGEST_SMALL: i64 = 1 << 53;

/// What comes of integers that stay below 2^53: as fast as doubles are.
#[inline]
fn of_small_integers(f: PreciseFn, a: f64, b: f64) -> Option<f64> {
    let (whole_a, whole_b) = (whole(a)?, whole(b)?);
    let result = match f {
        PreciseFn::Add => whole_a + whole_b,
        PreciseFn::Sub => whole_a - whole_b,
        PreciseFn::Mul => whole_a.checked_mul(whole_b)?,
        PreciseFn::Div if whole_b != 0 && whole_a % whole_b == 0 => whole_a / whole_b,
        PreciseFn::Mod if whole_b != 0 => whole_a % whole_b,
        PreciseFn::Number | PreciseFn::Int => whole_a,
        PreciseFn::Neg if whole_a != 0 => -whole_a,
        PreciseFn::Truth => i64::from(whole_a != 0),
        PreciseFn::Not => i64::from(whole_a == 0),
        _ => return None,
    };
    (-LARGEST_SMALL..=LARGEST_SMALL).contains(&result).then_some(result as f64)
}

/// What is most frequent among floats, and among those and small integers that are not zero.
#[inline]
fn of_floats(f: PreciseFn, a: &Value, b: &Value, context: &Context) -> Option<Float> {
    let of_integer = |number: f64| Float::from_small_integer(whole(number)?);
    let (a_small, b_small);
    let (a, b) = match (a, b) {
        (Value::Precise(a), Value::Precise(b)) => (as_float(a)?, as_float(b)?),
        (Value::Precise(a), Value::Num(b)) => {
            b_small = of_integer(*b)?;
            (as_float(a)?, &b_small)
        }
        (Value::Num(a), Value::Precise(b)) => {
            a_small = of_integer(*a)?;
            (&a_small, as_float(b)?)
        }
        (Value::Num(a), Value::Num(b)) if f == PreciseFn::Div => {
            (a_small, b_small) = (of_integer(*a)?, of_integer(*b)?);
            (&a_small, &b_small)
        }
        _ => return None,
    };
    Some(match f {
        PreciseFn::Add => context.add(a, b),
        PreciseFn::Sub => context.sub(a, b),
        PreciseFn::Mul => context.mul(a, b),
        PreciseFn::Div if !b.is_zero() => context.div(a, b),
        PreciseFn::Pow => context.pow(a, b),
        _ => return None,
    })
}

/// The float that it is, unless it is no number: among integers the sign of that is a question of
/// its own.
#[inline]
fn as_float(number: &Number) -> Option<&Float> {
    match number {
        Number::Float(float) if !float.is_nan() => Some(float),
        _ => None,
    }
}

/// The integer that a double is, below 2^53.
#[inline]
fn whole(number: f64) -> Option<i64> {
    let whole = number as i64;
    (whole as f64 == number && whole.abs() <= LARGEST_SMALL).then_some(whole)
}

/// A constant of the program's text, which may have signs. As gawk does it, the number is read and
/// rounded without them, and minus zero is a float.
fn numeral(text: &[u8]) -> Number {
    let Some(negated) = text.strip_prefix(b"-") else { return unsigned_numeral(text) };
    match numeral(negated) {
        Number::Integer(integer) if integer == IBig::ZERO => Number::Float(Float::zero(true)),
        Number::Integer(integer) => Number::Integer(-integer),
        Number::Float(float) => Number::Float(float.negated()),
    }
}

fn unsigned_numeral(text: &[u8]) -> Number {
    let is_octal =
        text.len() > 1 && text[0] == b'0' && text.iter().all(|digit| (b'0'..b'8').contains(digit));
    let context = Context::current();
    let read = match text {
        [b'0', b'x' | b'X', ..] => Number::read_hexadecimal(text, b'.', false, &context),
        _ if is_octal => return Number::read_octal(text).unwrap_or(Number::ZERO),
        _ => Number::read_decimal(text, b'.', &context),
    };
    read.map_or(Number::ZERO, |read| read.0)
}

#[cold]
pub(crate) fn fault(error: NumberError, operator: &str) -> Fault {
    match error {
        NumberError::DivisionByZero => division_by_zero(operator),
        NumberError::TooLarge => Fault::new(format!("`{operator}': {error}")),
    }
}
