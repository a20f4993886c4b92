//! The work of the elementary functions, on integers that stand for multiples of 2^-scale. Each
//! function says how far off it may be, in units of that.

use crate::elementary;
use crate::product::{product, squared};
use crate::quotient::divide;
use crate::root::square_root;
use crate::series::series;
use crate::smooth::{REST_BITS, Smooth};
use crate::upper::fixed_product;
use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};

/// e^x, off by less than 4, for -1 <= x <= 1.
///
/// A fraction of small primes is taken out of it. With s the hyperbolic sine of x / 2^j, whose
/// series has half the terms, e^(x / 2^j) is s + sqrt(1 + s^2), which is squared j times.
pub(crate) fn exp(x: &IBig, scale: usize) -> UBig {
    let halvings = halvings(scale).saturating_sub(REST_BITS);
    // A squaring doubles the error, and what is off before that is less than a word.
    let len = (scale + halvings + SPARE).div_ceil(64);
    let wide = 64 * len;
    let near = {
        let (sign, size) = x.clone().into_parts();
        let size = to_double(&size, scale);
        Smooth::near(if sign == Sign::Negative { -size } else { size })
    };
    let rest = (x << (wide - scale)) - near.logarithm(wide);
    let (sign, x) = rest.into_parts();
    let x = x >> halvings;
    let square = fixed_product(&x, &x, len);
    let sum = series(&square, len, false, |at| 2 * at * (2 * at + 1));
    let sinh = product(&x, &sum) >> wide;
    let (cosh, _) = square_root(&((UBig::ONE << (2 * wide)) + squared(&sinh)));
    let mut power = if sign == Sign::Positive { cosh + sinh } else { cosh - sinh };
    for _ in 0..halvings {
        power = fixed_product(&power, &power, len);
    }
    near.times(power) >> (wide - scale)
}

/// How often an argument is halved before a series is summed: as many products, about, as that
/// saves. From 0.8 to 1.2 of the cube root makes no difference of a tenth between 3,500 bits and
/// 100,000; 0.6 takes 8% longer.
fn halvings(scale: usize) -> usize {
    (scale as f64).cbrt() as usize
}

/// What a series and the products after it may be off by has fewer bits.
const SPARE: usize = 32;

/// The natural logarithm, off by less than 4, for 1/2 <= m <= 2.
///
/// From a result y with a fifth of the bits, for which e^y = m is nearly so: d = (m - e^y) / (m +
/// e^y) is the hyperbolic tangent of half of what is missing, which therefore is 2 (d + d^3/3) +
/// ... With a third of the bits and d alone (Halley's step) it took 8% longer at 10,000 bits.
pub(crate) fn ln(m: &UBig, scale: usize) -> IBig {
    let wide = scale + 8;
    let m = m << 8usize;
    let start = if scale <= 228 {
        // A double is right to 50 bits, and 2^-254 / 80 is well below one unit.
        from_double(to_double(&m, wide).ln(), wide)
    } else {
        let fifth = scale / 5 + 8;
        ln(&(&m >> (wide - fifth)), fifth) << (wide - fifth)
    };
    let power = exp(&start, wide);
    let (over, under) = (IBig::from(m.clone()) - IBig::from(power.clone()), m + power);
    let (sign, over) = over.into_parts();
    // The quotient has as many bits as what is over, and of what is under no more than a few more
    // count.
    let dropped = (wide - over.bit_len().min(wide)).saturating_sub(16);
    let (twice, _) = divide(&(over << (wide + 1 - dropped)), &(under >> dropped));
    // Of its cube only the bits above the point count, and as many of it.
    let cube_bits = (3 * twice.bit_len()).saturating_sub(2 * wide) + 8;
    let below = twice.bit_len().saturating_sub(cube_bits);
    let upper = &twice >> below;
    let cube = product(&squared(&upper), &upper) >> (2 * wide - 3 * below);
    (start + IBig::from_parts(sign, twice + cube / 12u32)) >> 8
}

/// Cosine and sine, for 0 <= r <= 1. The cosine is off by less than 4; the sine by less than 4 /
/// sin r.
///
/// The series of 1 - cos x at r / 2^j, doubled j times: 1 - cos 2x = 2 v (2 - v) where v is 1 - cos
/// x.
pub(crate) fn cos_sin(r: &UBig, scale: usize) -> (UBig, UBig) {
    if let Some(found) = elementary::cos_sin(r, scale) {
        return found;
    }
    let halvings = halvings(scale);
    // A doubling multiplies the error by 4.
    let len = (scale + 2 * halvings + SPARE).div_ceil(64);
    let wide = 64 * len;
    let x = r << (wide - scale) >> halvings;
    let square = fixed_product(&x, &x, len);
    let sum = series(&square, len, true, |at| (2 * at + 1) * (2 * at + 2));
    let mut v = product(&square, &sum) >> (wide + 1);
    for _ in 0..halvings {
        v = (&v << 2) - (fixed_product(&v, &v, len) << 1);
    }
    let sine = (&v << (wide + 1)) - squared(&v);
    let (sine, _) = square_root(&sine);
    let cosine = (UBig::ONE << wide) - v;
    (cosine >> (wide - scale), sine >> (wide - scale))
}

/// The arc tangent, off by less than 8 / q, for 0 < q <= 1.
///
/// From a result y with a fifth of the bits that say something: what is missing is the arc tangent
/// of t = (q cos y - sin y) / (cos y + q sin y), which is t - t^3/3 + ...
pub(crate) fn atan(q: &UBig, scale: usize) -> UBig {
    let wide = scale + 8;
    let q = q << 8usize;
    // How far below one it is: so many bits of a result say nothing.
    let small = wide - q.bit_len().min(wide);
    let start = if wide - small <= 228 {
        // A double is right to 50 bits of those.
        let start = to_double(&q, wide).atan() * 2f64.powi(small.min(60) as i32);
        if small >= 60 { q.clone() } else { magnitude(from_double(start, wide)) >> small }
    } else {
        let fifth = (wide - small) / 5 + small + 8;
        atan(&(&q >> (wide - fifth)), fifth) << (wide - fifth)
    };
    let (cosine, sine) = cos_sin(&start, wide);
    let over = IBig::from(product(&q, &cosine)) - IBig::from(&sine << wide);
    let under = IBig::from((cosine << wide) + product(&q, &sine));
    let ((sign, over), (_, under)) = (over.into_parts(), under.into_parts());
    let dropped = (2 * wide - over.bit_len().min(2 * wide)).saturating_sub(16).min(wide);
    let (t, _) = divide(&(over << (wide - dropped)), &(under >> dropped));
    let cube = product(&(squared(&t) >> wide), &t) >> wide;
    let missing = IBig::from_parts(sign, t - cube / 3u32);
    magnitude((IBig::from(start) + missing) >> 8)
}

/// Of a number that is not negative but for its error.
fn magnitude(number: IBig) -> UBig {
    match number.into_parts() {
        (Sign::Positive, magnitude) => magnitude,
        (Sign::Negative, _) => UBig::ZERO,
    }
}

/// A double from an integer of at most a few bits above the scale.
fn to_double(number: &UBig, scale: usize) -> f64 {
    let down = number.bit_len().saturating_sub(64);
    let top = u64::try_from(&(number >> down)).unwrap_or(u64::MAX) as f64;
    top * 2f64.powi(down as i32 - scale as i32)
}

/// An integer from a double between -1 and 1.
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

        /// With more bits other numbers of halvings and terms are chosen.
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
            let (cos, sin) = cos_sin(&size, scale);
            let (wide_cos, wide_sin) = cos_sin(&(&size << more), scale + more);
            prop_assert!(near(cos.into(), wide_cos.into()), "cos");
            prop_assert!(near((sin >> 8).into(), (wide_sin >> 8).into()) || part.abs() < 0.01, "sin");
            let m = (UBig::ONE << scale) + size;
            prop_assert!(near(ln(&m, scale), ln(&(&m << more), scale + more)), "ln");
        }
    }
}
