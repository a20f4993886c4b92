//! Arithmetic beyond single machine instructions.

use riverhawk_awkio::fault::{Fallible, Fault};
use riverhawk_bytecode::{MathFn, Update};
use std::ops::Range;

/// a to the power b. Integer exponents use squaring, as in gawk.
#[inline]
pub fn power(a: f64, b: f64) -> f64 {
    let whole = b as i64;
    if whole as f64 != b {
        return a.powf(b);
    }
    match whole {
        0 => 1.0,
        1.. => power_of_whole(a, whole as u64),
        _ => 1.0 / power_of_whole(a, whole.unsigned_abs()),
    }
}

/// In gawk's order, for the same last bit.
fn power_of_whole(mut a: f64, mut n: u64) -> f64 {
    let mut product = 1.0;
    while n > 1 {
        if n % 2 == 1 {
            product *= a;
        }
        a *= a;
        n /= 2;
    }
    product * a
}

/// a modulo b with the sign of a. Integers below 2^53 avoid the slower `fmod`.
#[inline]
pub fn remainder(a: f64, b: f64) -> f64 {
    const EXACT: Range<i64> = 1..1 << 53;
    let (whole_a, whole_b) = (a as i64, b as i64);
    if whole_a as f64 == a
        && whole_b as f64 == b
        && EXACT.contains(&whole_a)
        && EXACT.contains(&whole_b.saturating_abs())
    {
        return (whole_a % whole_b) as f64;
    }
    a % b
}

/// `a op b` of an update.
///
/// # Errors
/// A division by zero.
#[inline(always)]
pub fn update(op: Update, a: f64, b: f64) -> Fallible<f64> {
    match op {
        Update::Add => Ok(a + b),
        Update::Sub => Ok(a - b),
        Update::Mul => Ok(a * b),
        Update::Div | Update::Mod | Update::Pow => update_rarely(op, a, b),
    }
}

#[inline(never)]
fn update_rarely(op: Update, a: f64, b: f64) -> Fallible<f64> {
    match op {
        Update::Pow => Ok(power(a, b)),
        Update::Mod if b == 0.0 => Err(division_by_zero("%")),
        Update::Mod => Ok(remainder(a, b)),
        _ if b == 0.0 => Err(division_by_zero("/")),
        _ => Ok(a / b),
    }
}

/// Names the operator alone, since `a /= b` may be compiled as `a = a / b`.
#[cold]
pub fn division_by_zero(operator: &str) -> Fault {
    Fault::new(format!("division by zero in `{operator}'"))
}

/// Also returns whether gawk warns about the argument.
#[inline(always)]
pub fn math(f: MathFn, a: f64) -> (f64, bool) {
    match f {
        MathFn::Int => (a.trunc(), false),
        MathFn::Sin => (a.sin(), false),
        MathFn::Cos => (a.cos(), false),
        MathFn::Exp => {
            let result = a.exp();
            (result, (result.is_infinite() || result == 0.0) && a.is_finite())
        }
        MathFn::Log => (a.ln(), a < 0.0),
        MathFn::Sqrt => (a.sqrt(), a < 0.0),
    }
}
