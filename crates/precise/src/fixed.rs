//! The work of the elementary functions, on integers that stand for multiples of 2^-scale. Each function says how far off it may be, in
//! units of that.

use crate::elementary;
use crate::product::{product, squared};
use crate::quotient::divide;
use crate::root::square_root;
use crate::series::series;
use crate::upper::fixed_product;
use dashu_base::{BitTest, Sign};
use dashu_int::{IBig, UBig};
use std::cell::RefCell;

/// e^x, off by less than 4, for -1 <= x <= 1.
///
/// With s the hyperbolic sine of x / 2^j, whose series has half the terms, e^(x / 2^j) is s + sqrt(1 + s^2), which is squared j times.
pub(crate) fn exp(x: &IBig, scale: usize) -> UBig {
    let halvings = halvings(scale);
    // A squaring doubles the error, and what is off before that is less than a word.
    let len = (scale + halvings + SPARE).div_ceil(64);
    let wide = 64 * len;
    let (sign, x) = x.clone().into_parts();
    let x = x << (wide - scale) >> halvings;
    let square = fixed_product(&x, &x, len);
    let sum = series(&square, len, false, |at| 2 * at * (2 * at + 1));
    let sinh = product(&x, &sum) >> wide;
    let (cosh, _) = square_root(&((UBig::ONE << (2 * wide)) + squared(&sinh)));
    let mut power = if sign == Sign::Positive { cosh + sinh } else { cosh - sinh };
    for _ in 0..halvings {
        power = fixed_product(&power, &power, len);
    }
    power >> (wide - scale)
}

/// How often an argument is halved before a series is summed: as many products, about, as that saves. From 0.6 to 1.0 of the cube root makes
/// no difference of a tenth between 1,500 bits and 100,000.
fn halvings(scale: usize) -> usize {
    ((scale as f64).cbrt() * 0.8) as usize
}

/// What a series and the products after it may be off by has fewer bits.
const SPARE: usize = 32;

/// The natural logarithm, off by less than 4, for 1/2 <= m <= 2.
///
/// By Halley's step on e^y = m, from a result with a third of the bits: if d is what is missing, 2 (m - e^y) / (m + e^y) is 2 tanh(d/2),
/// which is d - d^3/12 + ...
pub(crate) fn ln(m: &UBig, scale: usize) -> IBig {
    let wide = scale + 8;
    let m = m << 8usize;
    let start = if scale <= 130 {
        // A double is right to 50 bits, and 2^-150 / 12 is well below one unit.
        from_double(to_double(&m, wide).ln(), wide)
    } else {
        let third = scale / 3 + 8;
        ln(&(&m >> (wide - third)), third) << (wide - third)
    };
    let power = exp(&start, wide);
    let (over, under) = (IBig::from(m.clone()) - IBig::from(power.clone()), m + power);
    let (sign, over) = over.into_parts();
    // The quotient has as many bits as what is over, and of what is under no more than a few more count.
    let dropped = (wide - over.bit_len().min(wide)).saturating_sub(16);
    let (missing, _) = divide(&(over << (wide + 1 - dropped)), &(under >> dropped));
    (start + IBig::from_parts(sign, missing)) >> 8
}

/// Cosine and sine, for 0 <= r <= 1. The cosine is off by less than 4; the sine by less than 4 / sin r.
///
/// The series of 1 - cos x at r / 2^j, doubled j times: 1 - cos 2x = 2 v (2 - v) where v is 1 - cos x.
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
/// From a result y with a fifth of the bits that say something: what is missing is the arc tangent of t = (q cos y - sin y) / (cos y + q sin y), which
/// is t - t^3/3 + ...
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

/// The circle's circumference over its diameter, off by less than 2.
pub(crate) fn pi(scale: usize) -> UBig {
    thread_local! {
        static KNOWN: RefCell<(usize, UBig)> = const { RefCell::new((0, UBig::ZERO)) };
    }
    known(&KNOWN, scale, compute_pi)
}

/// The natural logarithm of 2, off by less than 2.
pub(crate) fn ln2(scale: usize) -> UBig {
    thread_local! {
        static KNOWN: RefCell<(usize, UBig)> = const { RefCell::new((0, UBig::ZERO)) };
    }
    known(&KNOWN, scale, compute_ln2)
}

/// A constant, from what is known of it already if that reaches.
fn known(
    cell: &'static std::thread::LocalKey<RefCell<(usize, UBig)>>,
    scale: usize,
    compute: fn(usize) -> UBig,
) -> UBig {
    cell.with_borrow_mut(|(known, value)| {
        if *known < scale {
            *known = scale + scale / 4 + 64;
            *value = compute(*known);
        }
        &*value >> (*known - scale)
    })
}

/// By the series of the brothers Chudnovsky, 47 bits a term, summed by halves.
fn compute_pi(scale: usize) -> UBig {
    struct Part {
        p: IBig,
        q: IBig,
        t: IBig,
    }
    fn part(from: u64, to: u64) -> Part {
        if to - from == 1 {
            let a = from as i64;
            let (p, q) = if a == 0 {
                (IBig::ONE, IBig::ONE)
            } else {
                let q = IBig::from(a).pow(3) * 10_939_058_860_032_000u64;
                (IBig::from(6 * a - 5) * (2 * a - 1) * (6 * a - 1), q)
            };
            let t = &p * (IBig::from(545_140_134u32) * a + 13_591_409u32);
            return Part { t: if a % 2 == 1 { -t } else { t }, p, q };
        }
        let middle = from + (to - from) / 2;
        let (low, high) = (part(from, middle), part(middle, to));
        Part { t: low.t * &high.q + &low.p * high.t, p: low.p * high.p, q: low.q * high.q }
    }
    let wide = scale + 16;
    let all = part(0, wide as u64 / 47 + 2);
    let (root, _) = square_root(&(UBig::from(10_005u32) << (2 * wide)));
    magnitude(all.q * 426_880u32 * root / all.t) >> 16
}

/// 18 artanh(1/26) - 2 artanh(1/4801) + 8 artanh(1/8749).
fn compute_ln2(scale: usize) -> UBig {
    let wide = scale + 16;
    let artanh = |of: u32| {
        let square = of * of;
        let mut power = (UBig::ONE << wide) / of;
        let mut sum = power.clone();
        let mut k = 3u32;
        loop {
            power /= square;
            if power.is_zero() {
                return sum;
            }
            sum += &power / k;
            k += 2;
        }
    };
    ((artanh(26) * 18u32 + artanh(8749) * 8u32) - artanh(4801) * 2u32) >> 16
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
