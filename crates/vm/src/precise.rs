//! Arithmetic of any precision (`-M`), PREC and ROUNDMODE.
//!
//! Only programs compiled for it use this. Integers of at most 53 bits stay doubles, so that
//! counting allocates nothing; see [`riverhawk_value::precise`].

mod operations;

use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_builtins::arithmetic::division_by_zero;
use riverhawk_builtins::random::Twister;
use riverhawk_bytecode::PreciseFn;
use riverhawk_memory as memory;
use riverhawk_precise::{Context, Float, IBig, MAX_INTEGER_BITS, Number, NumberError, Sign};
use riverhawk_value::Value;

pub(crate) const INTDIV_BY_ZERO: &str = "division by zero attempted";

#[derive(Clone, Debug, Default)]
pub struct PreciseState {
    pub context: Context,
    /// Added to NR and FNR after they were assigned numbers too large for doubles to count.
    counted_before: [Option<Number>; 2],
    seed: Option<Number>,
    twister: Option<Box<Twister>>,
}

impl PreciseState {
    fn random(&mut self) -> Number {
        let seed = self.seed.as_ref().and_then(Number::truncate).unwrap_or(IBig::ONE);
        self.twister.get_or_insert_with(|| Box::new(Twister::new(&seed))).fraction(&self.context)
    }

    pub(crate) fn seed(&mut self, seed: u32) {
        self.reseed(IBig::from(seed));
    }

    fn reseed(&mut self, seed: IBig) -> Number {
        self.twister = None;
        self.seed.replace(Number::Integer(seed)).unwrap_or(Number::Integer(IBig::ONE))
    }
}

/// Memory is checked from this many bits on.
const LONG: usize = 8 << 20;

/// Transforms need this many times the size of a long product.
const ROOM_TO_MAKE: usize = 8;

/// Whether there is memory for an integer of this many bits. Those beyond the maximum may fail
/// elsewhere.
pub(crate) fn check_room(bits: usize) -> Fallible<()> {
    if !(LONG..=MAX_INTEGER_BITS).contains(&bits) {
        return Ok(());
    }
    if memory::is_available(bits / 8 * ROOM_TO_MAKE) { Ok(()) } else { Err(Fault::memory()) }
}

pub(crate) fn check_power_room(a: &Number, b: &Number) -> Fallible<()> {
    check_room((a.bits().saturating_sub(1) as f64 * b.to_f64().abs()) as usize)
}

fn begins_with_a_digit_above_zero(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'1'..=b'9'))
}

const LARGEST_SMALL: i64 = 1 << 53;

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

/// Not for NaN, whose sign matters among integers.
#[inline]
fn as_float(number: &Number) -> Option<&Float> {
    match number {
        Number::Float(float) if !float.is_nan() => Some(float),
        _ => None,
    }
}

#[inline]
fn whole(number: f64) -> Option<i64> {
    let whole = number as i64;
    (whole as f64 == number && whole.abs() <= LARGEST_SMALL).then_some(whole)
}

/// As in gawk, a constant is rounded without its sign, and negative zero is a float.
fn numeral(text: &[u8]) -> Number {
    let Some(negated) = text.strip_prefix(b"-") else { return unsigned_numeral(text) };
    match numeral(negated) {
        Number::Integer(integer) if integer == IBig::ZERO => {
            Number::Float(Float::zero(Sign::Negative))
        }
        Number::Integer(integer) => Number::Integer(-integer),
        Number::Float(float) => Number::Float(float.negated()),
    }
}

fn unsigned_numeral(text: &[u8]) -> Number {
    let is_octal =
        text.len() > 1 && text[0] == b'0' && text.iter().all(|digit| (b'0'..b'8').contains(digit));
    let context = Context::current();
    let read = match text {
        [b'0', b'x' | b'X', ..] => Number::read_hexadecimal_integer(text),
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
