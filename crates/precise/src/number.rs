//! The numbers of awk's arithmetic.

use crate::context::{Context, MAX_INTEGER_BITS};
use crate::float::Float;
use crate::rounding::{Rounding, Sticky};
use dashu_base::{BitTest, DivRem, Sign};
use dashu_int::{IBig, UBig};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

/// An integer, exact at any size, or a floating-point number.
///
/// Integers stay integers under addition, subtraction, multiplication and remainder, under division
/// without remainder, and as powers with an exponent that is not negative. All other results are
/// floats, rounded once.
#[derive(Clone, Debug)]
pub enum Number {
    /// An integer.
    Integer(IBig),
    /// A floating-point number.
    Float(Float),
}

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// A divisor is zero.
    DivisionByZero,
    /// An integer would have more bits than [`MAX_INTEGER_BITS`].
    TooLarge,
}

impl Number {
    /// How many bits an integer has; none of a float.
    pub fn bits(&self) -> usize {
        match self {
            Number::Integer(integer) => integer.bit_len(),
            Number::Float(_) => 0,
        }
    }
}

impl fmt::Display for NumberError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NumberError::DivisionByZero => f.write_str("division by zero"),
            NumberError::TooLarge => {
                write!(f, "an integer would have more than the limit of {MAX_INTEGER_BITS} bits")
            }
        }
    }
}

impl std::error::Error for NumberError {}

/// The outcome of an operation that may have none.
pub type Outcome = Result<Number, NumberError>;

use Number::{Float as Real, Integer};

impl Number {
    /// Zero.
    pub const ZERO: Number = Integer(IBig::ZERO);

    /// The value of a double: an integer if it has no fraction; minus zero is a float.
    pub fn from_f64(number: f64) -> Number {
        let whole = number as i64;
        if whole as f64 == number && whole != i64::MAX && (whole != 0 || number.is_sign_positive())
        {
            return Integer(IBig::from(whole));
        }
        let float = Float::from_f64(number);
        match float.is_integral() && number != 0.0 {
            true => Integer(float.truncate().unwrap_or_default()),
            false => Real(float),
        }
    }

    /// The nearest double.
    pub fn to_f64(&self) -> f64 {
        match self {
            Integer(integer) => match i64::try_from(integer) {
                Ok(small) => small as f64,
                Err(_) => integer.to_f64().value(),
            },
            Real(float) => float.to_f64(),
        }
    }

    /// The double that it is, if it is an integer of at most 53 bits.
    #[inline]
    pub fn as_small_integer(&self) -> Option<f64> {
        const LIMIT: i64 = 1 << 53;
        match self {
            Integer(integer) => i64::try_from(integer)
                .ok()
                .filter(|whole| (-LIMIT..=LIMIT).contains(whole))
                .map(|whole| whole as f64),
            Real(_) => None,
        }
    }

    /// As a float: an integer keeps all its bits.
    pub fn to_float(&self) -> Float {
        match self {
            Integer(integer) => Float::from_integer(integer),
            Real(float) => float.clone(),
        }
    }

    /// As a float that is borrowed if it is one.
    pub fn as_float(&self) -> Cow<'_, Float> {
        match self {
            Integer(integer) => Cow::Owned(Float::from_integer(integer)),
            Real(float) => Cow::Borrowed(float),
        }
    }

    /// The integer part; `None` if it is infinite or not a number.
    pub fn truncate(&self) -> Option<IBig> {
        match self {
            Integer(integer) => Some(integer.clone()),
            Real(float) => float.truncate(),
        }
    }

    /// awk's `int`: the integer part; infinities and NaNs stay what they are.
    pub fn int(&self) -> Number {
        match self.truncate() {
            Some(integer) => Integer(integer),
            None => self.clone(),
        }
    }

    /// Whether it is zero, of either sign.
    pub fn is_zero(&self) -> bool {
        match self {
            Integer(integer) => integer.is_zero(),
            Real(float) => float.is_zero(),
        }
    }

    /// Whether it is less than zero; false of a NaN.
    pub fn is_below_zero(&self) -> bool {
        match self {
            Integer(integer) => integer.sign() == Sign::Negative && !integer.is_zero(),
            Real(float) => float.is_negative() && !float.is_zero() && !float.is_nan(),
        }
    }

    /// Compares the values, exactly; `None` if one is not a number.
    pub fn compare(&self, other: &Number) -> Option<Ordering> {
        match (self, other) {
            (Integer(a), Integer(b)) => Some(a.cmp(b)),
            (a, b) => a.as_float().compare(&b.as_float()),
        }
    }

    /// a + b.
    pub fn add(&self, other: &Number, context: &Context) -> Number {
        match (self, other) {
            (Integer(a), Integer(b)) => Integer(a + b),
            (Real(a), Real(b)) => Real(context.add(a, b)),
            // A NaN keeps its sign when zero is added to it.
            (Real(a), Integer(zero)) | (Integer(zero), Real(a)) if zero.is_zero() => {
                Real(context.round(a))
            }
            (a, b) => Real(context.add(&a.as_float(), &b.as_float())),
        }
    }

    /// a - b.
    pub fn sub(&self, other: &Number, context: &Context) -> Number {
        match (self, other) {
            (Integer(a), Integer(b)) => Integer(a - b),
            (Real(a), Real(b)) => Real(context.sub(a, b)),
            (Real(a), Integer(zero)) if zero.is_zero() => Real(context.round(a)),
            (Integer(zero), Real(b)) if zero.is_zero() => Real(context.round(&b.clone().negated())),
            // As MPFR does it: -(3 + b).
            (Integer(a), Real(b)) if b.is_nan() => Real(nan_of_sign(a)),
            (a, b) => Real(context.sub(&a.as_float(), &b.as_float())),
        }
    }

    /// a * b.
    ///
    /// # Errors
    /// The integer is too large.
    pub fn mul(&self, other: &Number, context: &Context) -> Outcome {
        Ok(match (self, other) {
            (Integer(a), Integer(b)) => {
                if a.bit_len() > MAX_INTEGER_BITS - b.bit_len() {
                    return Err(NumberError::TooLarge);
                }
                Integer(if std::ptr::eq(a, b) { a.sqr().into() } else { a * b })
            }
            (Real(a), Real(b)) => Real(context.mul(a, b)),
            (Real(a), Integer(b)) | (Integer(b), Real(a)) if a.is_nan() => Real(nan_of_sign(b)),
            (a, b) => Real(context.mul(&a.as_float(), &b.as_float())),
        })
    }

    /// a / b: an integer if both are and nothing is left over.
    ///
    /// # Errors
    /// b is zero.
    pub fn div(&self, other: &Number, context: &Context) -> Outcome {
        if other.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        if let (Integer(a), Integer(b)) = (self, other) {
            let (quotient, rest) = a.div_rem(b);
            if rest.is_zero() {
                return Ok(Integer(quotient));
            }
            if quotient.bit_len() >= context.precision + 2 {
                // The remainder lies below the last place.
                let (sign, quotient) = quotient.into_parts();
                return Ok(Real(context.finish(sign, quotient, 0, Sticky::Set)));
            }
        }
        Ok(Real(context.div(&self.as_float(), &other.as_float())))
    }

    /// What is left of a after subtracting b as often as possible, with the sign of a.
    ///
    /// # Errors
    /// b is zero.
    pub fn rem(&self, other: &Number, context: &Context) -> Outcome {
        if other.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        Ok(match (self, other) {
            (Integer(a), Integer(b)) => Integer(a.div_rem(b).1),
            (a, b) => Real(context.rem(&a.as_float(), &b.as_float())),
        })
    }

    /// a to the power b.
    ///
    /// # Errors
    /// The integer is too large.
    pub fn pow(&self, other: &Number, context: &Context) -> Outcome {
        if let (Integer(a), Integer(b)) = (self, other)
            && let Ok(exponent) = usize::try_from(b)
        {
            if a.bit_len() > 1 {
                let bits = (a.bit_len() - 1).checked_mul(exponent);
                if bits.is_none_or(|bits| bits >= MAX_INTEGER_BITS) {
                    return Err(NumberError::TooLarge);
                }
            }
            return Ok(Integer(power(a, exponent)));
        }
        Ok(Real(context.pow(&self.as_float(), &other.as_float())))
    }

    /// The operand of a unary plus: a float is rounded.
    pub fn rounded(&self, context: &Context) -> Number {
        match self {
            Integer(integer) => Integer(integer.clone()),
            Real(float) => Real(context.round(float)),
        }
    }

    /// -a: a float is rounded; of zero it is minus zero, which is a float.
    pub fn neg(&self, context: &Context) -> Number {
        match self {
            Integer(zero) if zero.is_zero() => Real(Float::zero(Sign::Negative)),
            Integer(integer) => Integer(-integer),
            Real(float) => Real(context.round(&float.clone().negated())),
        }
    }

    /// Quotient and remainder of the integer parts, truncated toward zero; `None` if one number is
    /// infinite or not a number.
    ///
    /// # Errors
    /// The divisor is zero.
    pub fn divide_integers(&self, other: &Number) -> Result<Option<(Number, Number)>, NumberError> {
        let (Some(a), Some(b)) = (self.truncate(), other.truncate()) else { return Ok(None) };
        if b.is_zero() {
            return Err(NumberError::DivisionByZero);
        }
        let (quotient, rest) = a.div_rem(b);
        Ok(Some((Integer(quotient), Integer(rest))))
    }

    /// An integer that is not negative times two to the power `by`, which is not negative either.
    ///
    /// # Errors
    /// The integer is too large.
    pub fn shift_left(integer: &IBig, by: &IBig) -> Outcome {
        if integer.is_zero() {
            return Ok(Number::ZERO);
        }
        let count = usize::try_from(by).unwrap_or(usize::MAX);
        match integer.bit_len().saturating_add(count) > MAX_INTEGER_BITS {
            true => Err(NumberError::TooLarge),
            false => Ok(Integer(integer << count)),
        }
    }

    /// An integer that is not negative without its last `by` bits.
    pub fn shift_right(integer: &IBig, by: &IBig) -> Number {
        let count = usize::try_from(by).unwrap_or(usize::MAX);
        Integer(if count >= integer.bit_len() { IBig::ZERO } else { integer >> count })
    }

    /// A function of one number, rounded to the precision or to that of the argument, if that is
    /// more: of an integer at least 64 bits, as in gawk.
    pub fn function(&self, function: Function, context: &Context) -> Number {
        let x = self.as_float();
        let own = match self {
            Integer(integer) => match integer.bit_len() {
                bits @ 65.. => (bits - integer.trailing_zeros().unwrap_or(0)).max(64),
                _ => 64,
            },
            Real(float) => float.precision as usize,
        };
        let context = &Context { precision: context.precision.max(own), ..*context };
        Real(match function {
            Function::Sqrt => context.sqrt(&x),
            Function::Exp => context.exp(&x),
            Function::Ln => context.ln(&x),
            Function::Sin => context.sin(&x),
            Function::Cos => context.cos(&x),
        })
    }

    /// The angle of the point (x, y).
    pub fn atan2(y: &Number, x: &Number, context: &Context) -> Number {
        Real(context.atan2(&y.as_float(), &x.as_float()))
    }

    /// `digits` over 2 to the power of the precision: at least 0 and below 1 if `digits` has no
    /// more bits than that.
    pub fn fraction(digits: UBig, context: &Context) -> Number {
        let exact = Context { rounding: Rounding::Zero, ..*context };
        Real(exact.finish(Sign::Positive, digits, -(context.precision as i64), Sticky::Clear))
    }
}

/// The functions of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The square root.
    Sqrt,
    /// e to the power x.
    Exp,
    /// The natural logarithm.
    Ln,
    /// The sine.
    Sin,
    /// The cosine.
    Cos,
}

/// The NaN of an operation of a NaN and an integer: MPFR computes with the magnitude of one that fits
/// in a word, and then changes the sign.
fn nan_of_sign(integer: &IBig) -> Float {
    let sign = if i64::try_from(integer).is_ok() { integer.sign() } else { Sign::Positive };
    Float { sign, ..Float::NAN }
}

/// The power; of 2^k m, the shift is made last.
fn power(base: &IBig, exponent: usize) -> IBig {
    match base.trailing_zeros() {
        None | Some(0) => base.pow(exponent),
        Some(zeros) => (base >> zeros).pow(exponent) << (zeros * exponent),
    }
}
