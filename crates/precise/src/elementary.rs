//! The elementary functions where all of the work fits on the stack, which is so up to some 1,100
//! bits.
//!
//! Each is computed to some bits more than are wanted; if that leaves the rounding open it is
//! computed with a word more, and if there is no room for one, or anything else is out of the
//! ordinary, there is no answer, and the caller goes the long way.

use crate::context::Context;
use crate::float::Float;
use crate::fraction::{self, Desk, LONGEST};
use crate::short::Signed;
use crate::words::{self, MOST, Room};
use dashu_int::UBig;
use std::cell::RefCell;

thread_local! {
    static DESK: RefCell<Desk> = const { RefCell::new(Desk::new()) };
}

/// How many bits more than are wanted and than may be wrong are computed: once in a million times
/// that is not enough.
const SPARE: usize = 20;

impl Context {
    /// e to the power x.
    pub(crate) fn short_exp(
        &self,
        mantissa: &[u64],
        exponent: i64,
        negative: bool,
    ) -> Option<Float> {
        let top = words::bit_len(mantissa) as i64 + exponent;
        // The number of times that ln 2 goes into it adds as many bits to the error.
        let count_bits = usize::try_from(top + 2).unwrap_or(0);
        if count_bits > 32 || top < -(64 * LONGEST as i64) {
            return None;
        }
        self.with_more_words(count_bits + 1, |len, desk| {
            let mut x: Room = [0; MOST];
            scaled(&mut x[..len + 1], mantissa, exponent + 64 * len as i64)?;
            self.exp_of(
                &mut x[..len + 1],
                negative,
                false,
                fraction::lost_bits(len) + count_bits + 1,
                desk,
            )
        })
    }

    /// e to the power x, with the sign that is given, where x has a word before the point.
    fn exp_of(
        &self,
        x: &mut [u64],
        x_negative: bool,
        negative: bool,
        lost: usize,
        desk: &mut Desk,
    ) -> Option<Float> {
        let len = x.len() - 1;
        let times = (upper_double(x) * std::f64::consts::LOG2_E).floor()
            + if x_negative { 1.0 } else { 0.0 };
        let (times, ln2) = (times as u64, fraction::ln2(len));
        // What is left is between 0 and ln 2, or hardly outside.
        let mut rest: Room = [0; MOST];
        let rest = &mut rest[..len + 1];
        rest[len] = words::add_product(&mut rest[..len], ln2, times);
        let mut times = times as i64;
        if x_negative {
            words::sub(rest, x);
        } else {
            words::sub(x, rest);
            rest.copy_from_slice(x);
        }
        if rest[len] >> 63 == 1 {
            words::add(rest, ln2);
            times -= if x_negative { -1 } else { 1 };
        }
        if rest[len] != 0 {
            return None;
        }
        rest[len] = 1 + fraction::exp(&mut rest[..len], desk);
        let exponent = if x_negative { -times } else { times } - 64 * len as i64;
        self.if_settled_words(negative, rest, exponent, lost)
    }

    /// The natural logarithm of what is above zero and not one.
    pub(crate) fn short_ln(&self, mantissa: &[u64], exponent: i64) -> Option<Float> {
        let (e, e_bits) = binary_part(mantissa, exponent);
        let bits = words::bit_len(mantissa);
        let near = match e {
            0 => leading_equal(mantissa, bits, false),
            -1 => leading_equal(mantissa, bits, true),
            _ => 0,
        };
        self.with_more_words(near + e_bits + 2, |len, desk| {
            let mut logarithm: Room = [0; MOST];
            let logarithm = &mut logarithm[..len + 1];
            ln_of(logarithm, mantissa, e, desk)?;
            self.if_settled_words(
                e < 0,
                logarithm,
                -64 * len as i64,
                fraction::lost_bits(len) + e_bits + 2,
            )
        })
    }

    /// x to the power y, with the sign that is given, where x is above zero and not one, and y not
    /// zero.
    pub(crate) fn short_pow(
        &self,
        x: (&[u64], i64),
        y: Signed<'_>,
        negative: bool,
    ) -> Option<Float> {
        let (e, e_bits) = binary_part(x.0, x.1);
        let y_bits = words::bit_len(y.0);
        let y_top = y_bits as i64 + y.1;
        if e_bits as i64 + y_top > 30 || y_top < -64 || y.0.len() + LONGEST + 2 > MOST {
            return None;
        }
        // What is wrong with the logarithm is multiplied, and there may be a word before the point.
        let more = e_bits + usize::try_from(y_top).unwrap_or(0) + 36;
        self.with_more_words(more, |len, desk| {
            let mut logarithm: Room = [0; MOST];
            let logarithm = &mut logarithm[..len + 1];
            ln_of(logarithm, x.0, e, desk)?;
            let all = len + 1 + y.0.len();
            let mut product: Room = [0; MOST];
            words::mul(&mut product[..all], logarithm, y.0);
            let mut power: Room = [0; MOST];
            scaled(&mut power[..len + 1], &product[..all], y.1)?;
            let lost = fraction::lost_bits(len) + more - 32;
            self.exp_of(&mut power[..len + 1], (e < 0) != y.2, negative, lost, desk)
        })
    }

    /// x to a power of at least two, with the sign that is given: by squaring, where it is not
    /// exact.
    pub(crate) fn short_integer_power(
        &self,
        x: (&[u64], i64),
        count: u64,
        negative: bool,
    ) -> Option<Float> {
        // Each product is two units too small at most, and in the end there are fewer than twice
        // the power times those, in a fraction of a quarter at least.
        let lost = 64 - count.leading_zeros() as usize + 5;
        // One in a thousand is computed again, further; a word less is a tenth of the time and
        // more.
        let len = (self.precision.max(words::bit_len(x.0)) + lost + 10).div_ceil(64).max(2);
        match len {
            2 => self.power_in::<4>(len, x, count, negative, lost),
            3..=6 => self.power_in::<8>(len, x, count, negative, lost),
            7..=LONGEST => self.power_in::<{ LONGEST + 2 }>(len, x, count, negative, lost),
            _ => None,
        }
    }

    /// The power in so many words, and two more in each array.
    fn power_in<const WORDS: usize>(
        &self,
        len: usize,
        x: (&[u64], i64),
        count: u64,
        negative: bool,
        lost: usize,
    ) -> Option<Float> {
        let bits = words::bit_len(x.0);
        let (mut base, mut power, mut next, mut product) =
            ([0; WORDS], [0; WORDS], [0; WORDS], [0; WORDS]);
        let (base, mut power, mut next) = (&mut base[..len], &mut power[..len], &mut next[..len]);
        words::place(base, x.0, 64 * len - bits);
        let base_exponent = x.1 + bits as i64;
        let mut exponent = base_exponent;
        power.copy_from_slice(base);
        for at in (0..63 - count.leading_zeros()).rev() {
            fraction::sqr(next, power, &mut product);
            (power, next) = (next, power);
            exponent = 2 * exponent - normalise(power);
            if count >> at & 1 == 1 {
                fraction::mul(next, power, base, &mut product);
                (power, next) = (next, power);
                exponent += base_exponent - normalise(power);
            }
        }
        self.if_settled_words(negative, power, exponent - 64 * len as i64, lost)
    }

    /// The sine, or the cosine, of what is not zero.
    pub(crate) fn short_circular(
        &self,
        mantissa: &[u64],
        exponent: i64,
        negative: bool,
        wants_sine: bool,
    ) -> Option<Float> {
        let top = words::bit_len(mantissa) as i64 + exponent;
        let count_bits = usize::try_from(top + 1).unwrap_or(0);
        // A small angle's sine has few bits, and the square root halves them again.
        let small = if wants_sine { 2 * usize::try_from(-top).unwrap_or(0) } else { 0 };
        if count_bits > 32 {
            return None;
        }
        self.with_more_words(count_bits.max(1) + small, |len, desk| {
            // Half of the angle: then a quarter of pi is what counts quarters of a turn, and that
            // is a fraction.
            let mut x: Room = [0; MOST];
            let x = &mut x[..len + 1];
            scaled(x, mantissa, exponent - 1 + 64 * len as i64)?;
            let quarter_pi = fraction::quarter_pi(len);
            let mut times = (upper_double(x) * (4.0 / std::f64::consts::PI)).floor() as u64;
            let borrow = words::sub_product(&mut x[..len], quarter_pi, times);
            x[len] = x[len].wrapping_sub(borrow);
            if x[len] >> 63 == 1 {
                words::add(x, quarter_pi);
                times = times.wrapping_sub(1);
            }
            if x[len] != 0 {
                return None;
            }
            let mut quarter = times % 4;
            // Below an eighth of a turn, from whichever side.
            let mut is_below = false;
            if x[len - 1] >= quarter_pi[len - 1] / 2 {
                let mut other: Room = [0; MOST];
                other[..len].copy_from_slice(quarter_pi);
                if words::sub(&mut other[..len], &x[..len]) == 1 {
                    return None;
                }
                x[..len].copy_from_slice(&other[..len]);
                quarter = (quarter + 1) % 4;
                is_below = true;
            }
            let angle = &mut x[..len];
            words::double(angle);
            fraction::cosine(angle, desk);
            let is_sine = wants_sine == (quarter.is_multiple_of(2));
            let lost = fraction::lost_bits(len) + count_bits + 1;
            let negative = match (wants_sine, quarter) {
                (true, 0) => is_below,
                (true, 2) => !is_below,
                (true, 1) | (false, 0) => false,
                (true, _) | (false, 2) => true,
                (false, 1) => !is_below,
                (false, _) => is_below,
            } != negative;
            if !is_sine {
                // One less this.
                words::negate(x);
                x[len] = 0;
                return self.if_settled_words(negative, x, -64 * len as i64, lost);
            }
            fraction::sine(angle, desk);
            let lost = lost + 1 + 64 * len - words::bit_len(angle);
            self.if_settled_words(negative, angle, -64 * len as i64, lost)
        })
    }

    /// Tries with so many words as the precision needs, and what may be wrong; and with more, if
    /// that decides nothing.
    fn with_more_words(
        &self,
        lost: usize,
        mut attempt: impl FnMut(usize, &mut Desk) -> Option<Float>,
    ) -> Option<Float> {
        let least = (self.precision + lost + SPARE).div_ceil(64).max(2);
        // What the functions themselves lose grows with the number of words, a little.
        let mut len =
            (self.precision + lost + SPARE + fraction::lost_bits(least)).div_ceil(64).max(2);
        DESK.with_borrow_mut(|desk| {
            for _ in 0..3 {
                if len > LONGEST {
                    return None;
                }
                if let Some(result) = attempt(len, desk) {
                    return Some(result);
                }
                len += 1;
            }
            None
        })
    }

    /// What every number less than 2^lost units away is rounded to, if that is the same for all.
    pub(crate) fn if_settled_words(
        &self,
        negative: bool,
        words: &mut [u64],
        exponent: i64,
        lost: usize,
    ) -> Option<Float> {
        let bits = words::bit_len(words);
        let top = bits as i64 + exponent;
        let drop = bits.checked_sub(self.precision)?;
        if top > self.range.greatest
            || top < self.range.least + self.precision as i64
            || drop < lost + 2
        {
            return None;
        }
        // On one side of the middle between neighbours, and neither there nor at one of them: the
        // bits below the middle's are not all the same.
        let settled = !words::all_equal(words, lost, drop - 1);
        settled.then(|| self.finish_words(negative, words, exponent, true))
    }
}

/// [`fixed::cos_sin`](crate::fixed::cos_sin), with the same promise, if the numbers are short and
/// the angle is below 0.8.
pub(crate) fn cos_sin(r: &UBig, scale: usize) -> Option<(UBig, UBig)> {
    let len = (scale + 2 + fraction::lost_bits(scale / 64 + 2)).div_ceil(64).max(2);
    let angle = r.as_words();
    if len > LONGEST || angle.len() > len {
        return None;
    }
    let down = 64 * len - scale;
    let mut v: Room = [0; MOST];
    scaled(&mut v[..len], angle, down as i64)?;
    if v[len - 1] > u64::MAX / 5 * 4 {
        return None;
    }
    DESK.with_borrow_mut(|desk| {
        let v = &mut v[..len];
        fraction::cosine(v, desk);
        let mut cosine: Room = [0; MOST];
        cosine[len] = 1;
        words::sub(&mut cosine[..=len], v);
        fraction::sine(v, desk);
        words::shift_down(&mut cosine[..=len], down);
        words::shift_down(v, down);
        Some((UBig::from_words(&cosine[..=len]), UBig::from_words(v)))
    })
}

/// Makes a fraction of a quarter or more one of a half or more; by how many bits it is moved.
fn normalise(words: &mut [u64]) -> i64 {
    match words.last() {
        Some(top) if top >> 63 == 0 => {
            words::double(words);
            1
        }
        _ => 0,
    }
}

/// The power of two that is not above a number, and how many bits that exponent has.
fn binary_part(mantissa: &[u64], exponent: i64) -> (i64, usize) {
    let e = exponent + words::bit_len(mantissa) as i64 - 1;
    (e, 64 - e.unsigned_abs().leading_zeros() as usize)
}

/// The magnitude of the logarithm of m * 2^e, where m, at least one and below two, has the bits of
/// a mantissa: with a word before the point. It is negative if e is. Off by less than
/// 2^(`lost_bits` + e's bits + 2) units.
fn ln_of(out: &mut [u64], mantissa: &[u64], e: i64, desk: &mut Desk) -> Option<()> {
    let len = out.len() - 1;
    let (mut wide, mut of_power): (Room, Room) = ([0; MOST], [0; MOST]);
    scaled(&mut wide[..len + 1], mantissa, 64 * len as i64 + 1 - words::bit_len(mantissa) as i64)?;
    // Without the one before the point.
    ln(&mut out[..len], &wide[..len], desk);
    out[len] = 0;
    let of_power = &mut of_power[..len + 1];
    of_power[len] = words::add_product(&mut of_power[..len], fraction::ln2(len), e.unsigned_abs());
    if e < 0 {
        words::sub(of_power, out);
        out.copy_from_slice(of_power);
    } else {
        words::add(out, of_power);
    }
    (out[len] >> 63 == 0).then_some(())
}

/// The logarithm of 1 + m, behind the point, off by less than 2^(`lost_bits` + 1) units.
///
/// From a logarithm y with fewer bits: d = (1 + m) e^-y - 1 is small, and ln (1 + d) a series of
/// few terms.
fn ln(out: &mut [u64], m: &[u64], desk: &mut Desk) {
    let len = m.len();
    out.fill(0);
    // How many bits of y are right, at least.
    let right = if len < 7 {
        let near = (1.0 + upper_fraction(m)).ln();
        out[len - 1] = (near * 2f64.powi(64)) as u64;
        49
    } else {
        let third = len.div_ceil(3);
        ln(&mut out[len - third..], &m[len - third..], desk);
        64 * third - fraction::lost_bits(third) - 3
    };
    if words::significant(out).is_empty() {
        // Then d is m.
        let mut d: Room = [0; MOST];
        d[..len].copy_from_slice(m);
        return add_ln_of_one_and(out, &d[..len], false, right);
    }
    // e^(ln 2 - y) = 2 e^-y; halved, with the one before m, it is between a half and one, and so is
    // half of 1 + m.
    let mut power: Room = [0; MOST];
    let power = &mut power[..len];
    power.copy_from_slice(fraction::ln2(len));
    if words::sub(power, out) == 1 {
        // y is ln 2, or a little more.
        power.fill(0);
        out.copy_from_slice(fraction::ln2(len));
    }
    let whole = 1 + fraction::exp(power, desk);
    let mut half = [0; MOST];
    let half = &mut half[..len];
    half.copy_from_slice(m);
    words::shift_down(half, 1);
    half[len - 1] |= 1 << 63;
    words::shift_down(power, 1);
    power[len - 1] |= whole << 63;
    let mut d: Room = [0; MOST];
    let d = &mut d[..len];
    if whole == 2 {
        d.copy_from_slice(half);
    } else {
        let mut product: Room = [0; MOST];
        fraction::mul(d, half, power, &mut product);
    }
    // (1 + d) / 2.
    let negative = d[len - 1] >> 63 == 0;
    words::double(d);
    if negative {
        words::negate(d);
    }
    add_ln_of_one_and(out, d, negative, right);
}

/// `out += ln(1 + d)` or, if negative, `ln(1 - d)`, where d is below 2^-right.
fn add_ln_of_one_and(out: &mut [u64], d: &[u64], negative: bool, right: usize) {
    let len = d.len();
    let mut power: Room = [0; MOST];
    let (mut part, mut product): (Room, Room) = ([0; MOST], [0; MOST]);
    let power = &mut power[..len];
    power.copy_from_slice(d);
    let mut k = 1u64;
    loop {
        part[..len].copy_from_slice(power);
        if k > 1 {
            words::div_word(&mut part[..len], k);
        }
        if negative || k.is_multiple_of(2) {
            words::sub(out, &part[..len]);
        } else {
            words::add(out, &part[..len]);
        }
        if k as usize * right > 64 * len {
            return;
        }
        k += 1;
        part[..len].copy_from_slice(power);
        fraction::mul(power, &part[..len], d, &mut product);
    }
}

/// `out = mantissa * 2^by`, rounded down; nothing if it does not fit.
fn scaled(out: &mut [u64], mantissa: &[u64], by: i64) -> Option<()> {
    let bits = words::bit_len(mantissa) as i64;
    if bits + by > 64 * out.len() as i64 || mantissa.len() >= MOST {
        return None;
    }
    let mut wide: Room = [0; MOST];
    match usize::try_from(by) {
        Ok(up) => words::place(&mut wide, mantissa, up),
        Err(_) => {
            wide[..mantissa.len()].copy_from_slice(mantissa);
            words::shift_down(&mut wide[..mantissa.len()], by.unsigned_abs() as usize);
        }
    }
    let len = out.len();
    out.copy_from_slice(&wide[..len]);
    Some(())
}

/// The word before the point and the one behind it, as a double.
fn upper_double(words: &[u64]) -> f64 {
    match words {
        [.., fraction, whole] => *whole as f64 + *fraction as f64 / 2f64.powi(64),
        _ => 0.0,
    }
}

/// The word behind the point, as a double.
fn upper_fraction(words: &[u64]) -> f64 {
    words.last().map_or(0.0, |&fraction| fraction as f64 / 2f64.powi(64))
}

/// How many bits below the highest one are all set, or all clear.
fn leading_equal(words: &[u64], bits: usize, set: bool) -> usize {
    (0..bits - 1).rev().take_while(|&at| words::bit(words, at) == set).count() + 1
}
