//! Arithmetic beyond one machine instruction.

use crate::fault::{Fallible, Fault};
use crate::ignore_case::folded;
use crate::runtime::Runtime;
use riverhawk_bytecode::{MathFn, Update};
use riverhawk_value::Value;
use std::ops::Range;

/// a to the power b. A whole exponent is raised by squaring, as gawk does, so that `3^40` is what
/// repeated products give.
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

/// The order of multiplications is gawk's, so that the last bit is too.
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

/// a modulo b with the sign of a. Whole numbers below 2^53 go by integer division, which is several
/// times faster than `fmod`.
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
pub fn update(op: Update, a: f64, b: f64) -> Fallible<f64> {
    Ok(match op {
        Update::Add => a + b,
        Update::Sub => a - b,
        Update::Mul => a * b,
        Update::Div if b == 0.0 => return Err(division_by_zero("/")),
        Update::Div => a / b,
        Update::Mod if b == 0.0 => return Err(division_by_zero("%")),
        Update::Mod => remainder(a, b),
        Update::Pow => power(a, b),
    })
}

/// The error of a division by zero. `a /= b` may be compiled as `a = a / b`, so both are called by
/// the operator's name alone.
#[cold]
pub fn division_by_zero(operator: &str) -> Fault {
    Fault::new(format!("division by zero in `{operator}'"))
}

/// A function of one number, and whether gawk warns of that argument.
#[inline(always)]
pub(crate) fn math(f: MathFn, a: f64) -> (f64, bool) {
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

impl Runtime {
    /// A function of one number.
    pub fn math(&mut self, f: MathFn, a: f64) -> Fallible<f64> {
        let (result, is_odd) = math(f, a);
        if is_odd {
            self.warn_argument(f, a)?;
        }
        Ok(result)
    }

    /// `log`, `sqrt` and `exp` complain as gawk does.
    #[cold]
    pub(crate) fn warn_argument(&mut self, f: MathFn, a: f64) -> Fallible<()> {
        let number = crate::lint::general(a);
        self.warn_here(&match f {
            MathFn::Exp => format!("exp: argument {number} is out of range"),
            MathFn::Log => format!("log: received negative argument {number}"),
            _ => format!("sqrt: received negative argument {number}"),
        })
    }

    /// Seconds since 1970, which is what `srand()` seeds by.
    pub fn time_of_day() -> f64 {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0.0, |since| since.as_secs() as f64)
    }

    /// A comparison's text form of equality and order, `None` when a NaN is involved.
    #[inline]
    pub fn compare(&self, a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
        if self.specials.compares_otherwise {
            return self.compare_otherwise(a, b);
        }
        if self.specials.compares_exactly {
            return self.compare_exactly(a, b);
        }
        a.compare(b, self.record.text(), &self.specials.convfmt)
    }

    /// What decides about [`Specials::compares_otherwise`](crate::specials::Specials) may have
    /// changed.
    pub(crate) fn note_how_to_compare(&mut self) {
        self.specials.compares_otherwise =
            self.specials.ignore_case || self.program.precise || self.collation.is_some();
        self.specials.compares_exactly = self.program.exact;
    }

    #[inline(never)]
    fn compare_exactly(&self, a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
        a.compare_exactly(b, self.record.text(), &self.specials.convfmt)
    }

    /// As [`Runtime::compare`] where numbers are of any precision, integers exact, or texts are not
    /// in the order of their bytes: by case that does not count, by a locale.
    #[cold]
    #[inline(never)]
    fn compare_otherwise(&self, a: &Value, b: &Value) -> Option<std::cmp::Ordering> {
        let (record, convfmt) = (self.record.text(), &self.specials.convfmt);
        let ordering = match (self.program.precise, self.program.exact) {
            (true, _) => a.compare_precisely(b, record, convfmt),
            (_, true) => a.compare_exactly(b, record, convfmt),
            _ => a.compare(b, record, convfmt),
        };
        let are_numbers = || a.is_numeric(record) && b.is_numeric(record);
        if ordering.is_none_or(std::cmp::Ordering::is_eq) || are_numbers() {
            return ordering;
        }
        let (mut a_number, mut b_number) = (Vec::new(), Vec::new());
        let (a, b) =
            (a.text(record, convfmt, &mut a_number), b.text(record, convfmt, &mut b_number));
        match &self.collation {
            _ if self.specials.ignore_case => Some(folded(a, self.unit).cmp(&folded(b, self.unit))),
            Some(collation) => Some(collation.order(a, b)),
            None => ordering,
        }
    }
}
