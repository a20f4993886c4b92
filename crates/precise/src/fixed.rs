//! Elementary functions of fixed-point numbers: integers that stand for multiples of 2^-scale.
//! Errors are in units of that.
//!
//! For e^x and 1 - cos x the argument is halved a number of times, a power series is summed, and the
//! angle or exponent of the result is doubled as often (R. P. Brent, "Fast multiple-precision
//! evaluation of elementary functions", 1976). ln and arctan are single steps of higher order from a result with
//! a fifth of the bits.

use dashu_base::{BitTest, Sign, SquareRoot};
use dashu_int::{IBig, UBig};

/// By how many halvings an argument is reduced, which makes as many squarings of the result.
fn halvings(scale: usize) -> usize {
    (scale as f64).cbrt() as usize + 1
}

/// Additional bits, so that what series and squarings truncate stays below one unit: for each
/// halving the bits by which it multiplies an error, and some for the number of truncations.
fn working_scale(scale: usize, halvings: usize) -> usize {
    scale + halvings + 8 + scale.ilog2() as usize
}

/// `1 + z/d(1) + z^2/(d(1) d(2)) + ...`, or with alternating signs if `sign` is negative, of a z up
/// to a quarter. Off by less than two for each term.
///
/// The terms are summed from the last to the first, in blocks of powers of z that are computed
/// once, so that there is one long product for each power and each block (D. M. Smith, "Efficient
/// multiple-precision evaluation of elementary functions", 1989).
fn series(z: &UBig, scale: usize, sign: Sign, divisor: impl Fn(u64) -> u64) -> UBig {
    // By how many bits a term is smaller than the one before, at least.
    let z_bits = scale - z.bit_len();
    let mut count = 1;
    let mut small = z_bits + divisor(1).ilog2() as usize;
    while small <= scale {
        count += 1;
        small += z_bits + divisor(count).ilog2() as usize;
    }
    let block = (count as usize).isqrt().max(2);
    let mut powers = vec![UBig::ONE << scale, z.clone()];
    for at in 2..=block {
        let power = match at % 2 {
            0 => powers[at / 2].sqr(),
            _ => &powers[at - 1] * z,
        };
        powers.push(power >> scale);
    }
    let mut sum = UBig::ZERO;
    for at in (0..count as usize).rev() {
        if (at + 1).is_multiple_of(block) {
            sum = (sum * &powers[block]) >> scale;
        }
        sum /= divisor(at as u64 + 1);
        // No sum is greater than the power that it begins with, so that none falls below zero.
        sum = match sign {
            Sign::Positive => sum + &powers[at % block],
            Sign::Negative => &powers[at % block] - sum,
        };
    }
    sum
}

/// e^x, off by less than 4, for -1 <= x <= 1.
///
/// The series of the hyperbolic sine has half the terms of that of e^x.
pub(crate) fn exp(x: &IBig, scale: usize) -> UBig {
    let halvings = halvings(scale);
    let wide = working_scale(scale, halvings);
    let (sign, x) = x.clone().into_parts();
    let x = (x << (wide - scale)) >> halvings;
    let square = x.sqr() >> wide;
    let sum = series(&square, wide, Sign::Positive, |at| 2 * at * (2 * at + 1));
    let sinh = (x * sum) >> wide;
    let cosh = ((UBig::ONE << (2 * wide)) + sinh.sqr()).sqrt();
    let mut power = if sign == Sign::Positive { cosh + sinh } else { cosh - sinh };
    for _ in 0..halvings {
        power = power.sqr() >> wide;
    }
    power >> (wide - scale)
}

/// 1 - cos x, off by less than 4, for 0 <= x <= 1.
pub(crate) fn versine(x: &UBig, scale: usize) -> UBig {
    let halvings = halvings(scale);
    // A doubling multiplies the error by 4.
    let wide = working_scale(scale, 2 * halvings);
    let x = (x << (wide - scale)) >> halvings;
    let square = x.sqr() >> wide;
    let sum = series(&square, wide, Sign::Negative, |at| (2 * at + 1) * (2 * at + 2));
    let mut v = (square * sum) >> (wide + 1);
    for _ in 0..halvings {
        // 1 - cos 2x = 2 v (2 - v)
        let square = v.sqr() >> (wide - 1);
        v = (v << 2usize) - square;
    }
    v >> (wide - scale)
}

/// The sine from 1 - cos x, for 0 <= x <= 1, off by less than 4 / sin x.
pub(crate) fn sine_of_versine(v: &UBig, scale: usize) -> UBig {
    ((v << (scale + 1)) - v.sqr()).sqrt()
}

/// The natural logarithm, off by less than 4, for 1/2 <= m <= 2.
///
/// With y near ln m, d = (m - e^y) / (m + e^y) is the hyperbolic tangent of half the difference,
/// which therefore is 2 (d + d^3/3) + ...
pub(crate) fn ln(m: &UBig, scale: usize) -> IBig {
    let wide = scale + 8;
    let m = m << 8usize;
    let start = if scale <= 228 {
        // The error of a double, 2^-50, to the fifth power is less than a unit.
        from_double(to_double(&m, wide).ln(), wide)
    } else {
        let fifth = scale / 5 + 8;
        ln(&(&m >> (wide - fifth)), fifth) << (wide - fifth)
    };
    let power = exp(&start, wide);
    let (over, under) = (IBig::from(m.clone()) - IBig::from(power.clone()), m + power);
    let (sign, over) = over.into_parts();
    // The quotient has no more bits than its dividend, so that the divisor needs no more either.
    let dropped = (wide - over.bit_len().min(wide)).saturating_sub(16);
    let twice = (over << (wide + 1 - dropped)) / (under >> dropped);
    let cube = ((twice.sqr() >> wide) * &twice) >> wide;
    (start + IBig::from_parts(sign, twice + cube / 12u32)) >> 8usize
}

/// The arc tangent, off by less than 8 / q, for 0 < q <= 1.
///
/// With y near arctan q, the difference is the arc tangent of t = (q cos y - sin y) / (cos y + q sin
/// y), which is t - t^3/3 + ...
pub(crate) fn atan(q: &UBig, scale: usize) -> UBig {
    let wide = scale + 8;
    let q = q << 8usize;
    // Leading zeros of the result.
    let small = wide - q.bit_len().min(wide);
    let start = if wide - small <= 228 {
        if small >= 60 {
            q.clone()
        } else {
            let start = to_double(&q, wide).atan() * 2f64.powi(small as i32);
            magnitude(from_double(start, wide)) >> small
        }
    } else {
        let fifth = (wide - small) / 5 + small + 8;
        atan(&(&q >> (wide - fifth)), fifth) << (wide - fifth)
    };
    let v = versine(&start, wide);
    let sine = sine_of_versine(&v, wide);
    let cosine = (UBig::ONE << wide) - v;
    let over = IBig::from(&q * &cosine) - IBig::from(&sine << wide);
    let under = (cosine << wide) + q * sine;
    let (sign, over) = over.into_parts();
    let dropped = (2 * wide - over.bit_len().min(2 * wide)).saturating_sub(16).min(wide);
    let t = (over << (wide - dropped)) / (under >> dropped);
    let cube = ((t.sqr() >> wide) * &t) >> wide;
    let difference = IBig::from_parts(sign, t - cube / 3u32);
    magnitude(IBig::from(start) + difference) >> 8usize
}

/// Of a number that is below zero only by its error.
fn magnitude(number: IBig) -> UBig {
    match number.into_parts() {
        (Sign::Positive, magnitude) => magnitude,
        (Sign::Negative, _) => UBig::ZERO,
    }
}

/// The nearest double or the one beside it, if that is neither too large nor too small for one.
pub(crate) fn to_double(number: &UBig, scale: usize) -> f64 {
    let down = number.bit_len().saturating_sub(64);
    let top = u64::try_from(&(number >> down)).unwrap_or(u64::MAX) as f64;
    top * 2f64.powi(down as i32 - scale as i32)
}

/// From a double between -1 and 1.
fn from_double(number: f64, scale: usize) -> IBig {
    let whole = IBig::from((number * 2f64.powi(62)) as i64);
    if scale >= 62 { whole << (scale - 62) } else { whole >> (62 - scale) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// At another scale the numbers of halvings and terms are others.
        #[test]
        fn functions_agree_with_themselves_at_a_larger_scale(
            part in -1.0f64..1.0, cut in 2usize..3000, scale in 70usize..3000, more in 100usize..2000,
        ) {
            let x: IBig = (from_double(part, scale) * IBig::from(0x9e37_79b9_7f4a_7c15u64)) >> 64;
            let x = x >> (scale - cut.min(scale)) << (scale - cut.min(scale));
            let near = |low: IBig, high: IBig| {
                let (_, apart) = ((high >> more) - low).into_parts();
                apart < UBig::from(5u8)
            };
            let size = x.clone().into_parts().1;
            prop_assert!(near(exp(&x, scale).into(), exp(&(&x << more), scale + more).into()), "exp");
            let v = versine(&size, scale);
            let wide = versine(&(&size << more), scale + more);
            prop_assert!(near(v.clone().into(), wide.clone().into()), "versine");
            let sine = sine_of_versine(&v, scale) >> 8;
            let wide = sine_of_versine(&wide, scale + more) >> 8;
            prop_assert!(near(sine.into(), wide.into()) || part.abs() < 0.01, "sine");
            let m = (UBig::ONE << scale) + &size;
            prop_assert!(near(ln(&m, scale), ln(&(&m << more), scale + more)), "ln");
            if part.abs() > 0.1 {
                let angle = atan(&size, scale) >> 8;
                let wide = atan(&(&size << more), scale + more) >> 8;
                prop_assert!(near(angle.into(), wide.into()), "atan");
            }
        }
    }
}
