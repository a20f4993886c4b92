//! Products, quotients and square roots of which only the upper words are wanted: without the lower
//! half of the product, or what is left over, which would take as much work again.
//!
//! They are off by a few units, and whoever asks for them says whether that leaves the rounding
//! open (after T. Mulders, "On short multiplications and divisions").

use crate::context::Context;
use crate::float::Float;
use crate::fraction;
use crate::product;
use crate::quotient::{divide_words, take_away};
use crate::root::upper_half;
use crate::short::{leading_zeros, place_upper};
use crate::words::{self, add, add_word, divide_upper, shift_down};
use dashu_int::UBig;

/// A quotient of so many words is computed by halves.
const HALVES_FROM: usize = 200;

/// Shorter products are summed column by column.
const COLUMNS_BELOW: usize = 60;

/// Products of more words are transforms, which have no halves.
const LONGEST_PRODUCT: usize = 270;

/// The upper half of a product of as many words each, and two words below it, as
/// [`fraction::upper_product`]: less by fewer than 2n units of the second of these. Of the same
/// slice it is a square.
fn product(out: &mut [u64], a: &[u64], b: &[u64]) {
    let len = a.len();
    let is_square = std::ptr::eq(a, b);
    if len < COLUMNS_BELOW {
        return match is_square {
            true => fraction::upper_square(out, a),
            false => fraction::upper_product(out, a, b),
        };
    }
    // All of the product of the upper seven tenths, and the upper halves of those of the others
    // with what is opposite them.
    let low = len * 3 / 10;
    let high = len - low;
    let mut room = vec![0; 2 * high + low + 2];
    let (full, cross) = room.split_at_mut(2 * high);
    match is_square {
        true => product::square(full, &a[low..]),
        false => product::multiply(full, &a[low..], &b[low..]),
    }
    out.copy_from_slice(&full[len - 2 - 2 * low..]);
    for (x, y) in [(a, b), (b, a)] {
        product(cross, &x[..low], &y[high..]);
        // In the lowest column there is one product that belongs to neither.
        let between = u128::from(x[low - 1]) * u128::from(y[high - 1]);
        let carry = add(cross, &[between as u64, (between >> 64) as u64]);
        add(out, cross);
        add_word(&mut out[low + 2..], carry);
        if is_square {
            add(out, cross);
            add_word(&mut out[low + 2..], carry);
            break;
        }
    }
}

/// `a * b / 2^(64 len)`, of numbers of hardly more words than that: less by fewer than 1,000 units.
pub(crate) fn fixed_product(a: &UBig, b: &UBig, len: usize) -> UBig {
    let (x, y) = (a.as_words(), b.as_words());
    let count = x.len();
    if count != y.len() || !(8..LONGEST_PRODUCT).contains(&count) || len + 1 < count {
        return product::product(a, b) >> (64 * len);
    }
    let mut out = vec![0; count + 2];
    product(&mut out, x, y);
    UBig::from_words(words::significant(out.get(len + 2 - count..).unwrap_or_default()))
}

/// `a * b / 2^(64 len)` of fractions of so many words, without the zeros at their top: off by no
/// more than three units. Of the same slice it is a square. As many words of both are multiplied as
/// the result has, and two more.
pub(crate) fn leading_product(a: &[u64], b: &[u64], len: usize) -> Vec<u64> {
    let Some(wanted) = (a.len() + b.len()).checked_sub(len).filter(|&wanted| wanted > 0) else {
        return Vec::new();
    };
    let count = a.len().min(b.len()).min(wanted + 2);
    let is_square = std::ptr::eq(a, b);
    let (x, y) = (&a[a.len() - count..], &b[b.len() - count..]);
    let y = if is_square { x } else { y };
    let mut out;
    if (8..LONGEST_PRODUCT).contains(&count) {
        out = vec![0; count + 2];
        product(&mut out, x, y);
    } else {
        out = vec![0; 2 * count];
        product::multiply(&mut out, x, y);
    }
    let below = out.len() - wanted;
    out.drain(..below);
    out.truncate(words::significant(&out).len());
    out
}

/// `quotient = dividend / divisor`, as [`divide_upper`], which says what is promised, but off by
/// less than 2n + 64. Returns what is above the quotient.
pub(crate) fn quotient(quotient: &mut [u64], dividend: &mut [u64], divisor: &[u64]) -> Option<u64> {
    let (places, len) = (quotient.len(), divisor.len());
    let (low_places, high_places) = (places / 2, places - places / 2);
    if places < HALVES_FROM || len <= high_places {
        return match len <= high_places {
            true => Some(divide_words(quotient, dividend, divisor)),
            false => divide_upper(quotient, dividend, divisor),
        };
    }
    // The upper half exactly, of all of the divisor.
    let (low, high) = quotient.split_at_mut(low_places);
    let (below, top) = divisor.split_at(len - high_places);
    let mut above = divide_words(high, &mut dividend[low_places + below.len()..], top);
    let mut product = vec![0; len];
    take_away(
        &mut dividend[low_places..low_places + len],
        high,
        &mut above,
        below,
        divisor,
        &mut product,
    );
    // For the lower one as many words count as it has.
    let dropped = len.saturating_sub(low_places);
    let carry = self::quotient(low, &mut dividend[dropped..low_places + len], &divisor[dropped..])?;
    above += add_word(high, carry);
    Some(above)
}

/// The square root of twice as many words, the highest of which has one of its two highest bits
/// set. Off by less than 2n + 64 units. `None` where it is not as simple as nearly always.
pub(crate) fn square_root(root: &mut [u64], square: &mut [u64]) -> Option<()> {
    let len = root.len();
    let low = len / 2;
    let (root_low, root_high) = root.split_at_mut(low);
    let mut more = upper_half(root_high, &mut square[2 * low..]);
    // What is left over, by twice the root; the square of the lower half counts for no more than a
    // unit.
    more += quotient(root_low, &mut square[low..low + len], root_high)?;
    shift_down(root_low, 1);
    root_low[low - 1] |= more << 63;
    (more < 2).then_some(())
}

/// By how many bits more than the result has, and less than a word, rounding is nearly always told.
const SPARE: usize = 24;

impl Context {
    /// The product, rounded, of two of as many words, where its upper half says how. It does not
    /// where it is exact.
    pub(crate) fn long_product(
        &self,
        negative: bool,
        a: &[u64],
        b: &[u64],
        exponent: i64,
    ) -> Option<Float> {
        let len = a.len();
        if b.len() != len || len >= LONGEST_PRODUCT || 64 * len > self.precision + 128 {
            return None;
        }
        let mut upper = vec![0; len + 2];
        product(&mut upper, a, b);
        self.if_settled_words(negative, &mut upper, exponent + 64 * (len as i64 - 2), 64 + 10)
    }

    /// The quotient, rounded, of two that are not zero, where its upper words say how; `exponent`
    /// is the difference of theirs. They do not where it is exact.
    pub(crate) fn long_quotient(
        &self,
        negative: bool,
        a: &[u64],
        b: &[u64],
        exponent: i64,
    ) -> Option<Float> {
        if b.len() < 4 {
            return None;
        }
        let wanted = (self.precision + SPARE).div_ceil(64);
        let lost = lost_bits(wanted);
        let wanted = (self.precision + SPARE + lost).div_ceil(64);
        let (a_up, b_up) = (leading_zeros(a), leading_zeros(b));
        let len = b.len().min(wanted);
        let exponent = exponent + 64 * (a.len() as i64 - b.len() as i64 - wanted as i64)
            - a_up as i64
            + b_up as i64;
        let mut room = vec![0; 2 * (len + wanted) + 1];
        let (divisor, room) = room.split_at_mut(len);
        let (dividend, found) = room.split_at_mut(len + wanted);
        place_upper(divisor, b, b_up);
        place_upper(dividend, a, a_up);
        found[wanted] = quotient(&mut found[..wanted], dividend, divisor)?;
        self.if_settled_words(negative, found, exponent, lost)
    }

    /// The square root, rounded, of what is not zero, where its upper words say how. They do not
    /// where it is exact.
    pub(crate) fn long_sqrt(&self, mantissa: &[u64], exponent: i64) -> Option<Float> {
        let len = (self.precision + SPARE).div_ceil(64);
        let lost = lost_bits(len);
        let len = (self.precision + SPARE + lost).div_ceil(64);
        let up = leading_zeros(mantissa) as i64;
        // The number is shifted up to the top, or one less so that its exponent is even.
        let bottom = exponent + 64 * (mantissa.len() as i64 - 2 * len as i64) - up;
        let is_odd = bottom % 2 != 0;
        let mut square = vec![0; 2 * len];
        place_upper(&mut square, mantissa, up as usize);
        if is_odd {
            shift_down(&mut square, 1);
        }
        let mut root = vec![0; len];
        square_root(&mut root, &mut square)?;
        self.if_settled_words(false, &mut root, (bottom + i64::from(is_odd)) / 2, lost)
    }
}

/// How many of the lowest bits of a result of so many words may be wrong: it is off by less than 2n
/// + 64 units, and four more for what was cut off.
fn lost_bits(len: usize) -> usize {
    words::bit_len(&[2 * len as u64 + 68]) + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tests::words;
    use dashu_base::{DivRem, SquareRoot};
    use dashu_int::IBig;
    use proptest::prelude::*;

    fn apart(a: UBig, b: UBig) -> UBig {
        (IBig::from(a) - IBig::from(b)).into_parts().1
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn quotients_are_off_by_a_few_units(a in words(4..700), b in words(2..350)) {
            let (mut divisor, mut dividend) = (b, a);
            *divisor.last_mut().unwrap() |= 1 << 63;
            dividend.resize(dividend.len().max(divisor.len() + 1), 7);
            let places = dividend.len() - divisor.len();
            divisor.drain(..divisor.len().saturating_sub(places.max(2)));
            let places = dividend.len() - divisor.len();
            let (x, y) = (UBig::from_words(&dividend), UBig::from_words(&divisor));
            let mut found = vec![5; places + 1];
            if let Some(above) = quotient(&mut found[..places], &mut dividend, &divisor) {
                found[places] = above;
                let exact = x.div_rem(y).0;
                prop_assert!(apart(UBig::from_words(&found), exact) < UBig::from(2 * places + 64));
            }
        }

        #[test]
        fn products_are_less_by_a_few_units(a in words(200..201), b in words(200..201), len in 4usize..200) {
            let (a, b) = (&a[..len], &b[..len]);
            for (a, b) in [(a, b), (a, a)] {
                let exact = (UBig::from_words(a) * UBig::from_words(b)) >> (64 * (len - 2));
                let mut out = vec![7; len + 2];
                product(&mut out, a, b);
                let found = UBig::from_words(&out);
                prop_assert!(found <= exact && exact - found < UBig::from(2 * len) << 64);
            }
        }

        #[test]
        fn leading_words_are_off_by_a_few_units(a in words(1..400), b in words(1..400), more in 0usize..100) {
            let len = a.len().max(b.len()) + more;
            for (a, b) in [(&a, &b), (&a, &a)] {
                let exact = (UBig::from_words(a) * UBig::from_words(b)) >> (64 * len);
                let found = UBig::from_words(&leading_product(a, b, len));
                prop_assert!(found <= exact && exact - found <= UBig::from(3u8));
            }
        }

        #[test]
        fn roots_are_off_by_a_few_units(a in words(4..500)) {
            let mut square = a;
            square.truncate(square.len() / 2 * 2);
            *square.last_mut().unwrap() |= 1 << 62;
            let exact = UBig::from_words(&square).sqrt();
            let mut root = vec![5; square.len() / 2];
            if square_root(&mut root, &mut square).is_some() {
                prop_assert!(apart(UBig::from_words(&root), exact) < UBig::from(2 * root.len() + 64));
            }
        }
    }
}
