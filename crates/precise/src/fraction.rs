//! The work of the elementary functions where it fits on the stack: fractions of some words, lowest
//! first, that stand for multiples of 2^(-64 n).
//!
//! As in [`fixed`](crate::fixed) an argument is halved a few times, a short series is summed, and
//! the result doubled as often. The series is summed in blocks of powers (Paterson and Stockmeyer;
//! Smith), so that it takes few products of two fractions, and over a common denominator that is a
//! word, so that it takes few divisions. Where "units" are spoken of they are those of the last
//! place.

use crate::constants;
use crate::root;
use crate::words::{self, MOST, Room};
use std::sync::OnceLock;

/// The most words of a fraction: 1,280 bits. Above, products are no longer what counts.
pub(crate) const LONGEST: usize = 20;

/// The powers of a block.
const BLOCK: usize = 8;

/// Where a series is worked on. It is kept from one call to the next: to clear it would take longer
/// than short series do.
#[derive(Clone)]
pub(crate) struct Desk {
    powers: [[u64; LONGEST]; BLOCK],
    sum: Room,
    product: Room,
}

impl Desk {
    pub const fn new() -> Desk {
        Desk { powers: [[0; LONGEST]; BLOCK], sum: [0; MOST], product: [0; MOST] }
    }
}

/// `out = a * b`, rounded down, and one unit less at times. All have the same number of words, at
/// least two.
///
/// Of the lower half of the full product only the highest two columns are computed: what is below
/// carries next to nothing.
#[inline]
pub(crate) fn mul(out: &mut [u64], a: &[u64], b: &[u64], product: &mut [u64]) {
    if let (&[a0, a1], &[b0, b1]) = (a, b) {
        let [_, _, low, high] = words::mul_two([a0, a1], [b0, b1]);
        return out.copy_from_slice(&[low, high]);
    }
    let len = out.len();
    upper_product(product, a, b);
    out.copy_from_slice(&product[2..len + 2]);
}

/// The upper half of a product of as many words each, and two words below it, less by fewer than so
/// many units of the second of these.
#[inline]
pub(crate) fn upper_product(product: &mut [u64], a: &[u64], b: &[u64]) {
    let len = a.len();
    product[..2].fill(0);
    for (at, &word) in a[..len - 1].iter().enumerate() {
        let first = len - 2 - at;
        let count = at + 2;
        let carry = words::add_product(&mut product[..count], &b[first..len], word);
        product[count] = carry;
    }
    product[len + 1] = words::add_product(&mut product[1..=len], &b[..len], a[len - 1]);
}

/// `out = a * a`, as [`mul`], with half the work.
#[inline]
pub(crate) fn sqr(out: &mut [u64], a: &[u64], product: &mut [u64]) {
    let len = out.len();
    if len < 4 {
        return mul(out, a, a, product);
    }
    upper_square(product, a);
    out.copy_from_slice(&product[2..len + 2]);
}

/// The upper half of a square of at least four words, and two words below it, as [`upper_product`].
#[inline]
pub(crate) fn upper_square(product: &mut [u64], a: &[u64]) {
    let len = a.len();
    // Column c of the full product is column c - (len - 2) here.
    product[..len + 2].fill(0);
    for at in 0..len - 1 {
        let first = (len - 2).saturating_sub(at).max(at + 1);
        let start = at + first - (len - 2);
        let count = len - first;
        let carry = words::add_product(&mut product[start..start + count], &a[first..len], a[at]);
        product[start + count] = carry;
    }
    words::double(&mut product[..len + 2]);
    let lowest = (len - 2).div_ceil(2);
    let mut carry = 0u64;
    if (len - 2) % 2 == 1 {
        // The square that begins a column below has its upper word here.
        let below = u128::from(a[lowest - 1]) * u128::from(a[lowest - 1]);
        let (sum, over) = product[0].overflowing_add((below >> 64) as u64);
        (product[0], carry) = (sum, u64::from(over));
    }
    let start = 2 * lowest - (len - 2);
    for (pair, &word) in product[start..len + 2].chunks_exact_mut(2).zip(&a[lowest..len]) {
        let square = u128::from(word) * u128::from(word);
        let low = u128::from(pair[0]) + u128::from(square as u64) + u128::from(carry);
        let high = u128::from(pair[1]) + (square >> 64) + (low >> 64);
        (pair[0], pair[1], carry) = (low as u64, high as u64, (high >> 64) as u64);
    }
}

/// `words *= 2^by`; what leaves at the top. `by` is below 64 and not 0.
#[inline]
fn shift_up(words: &mut [u64], by: u32) -> u64 {
    let mut above = 0;
    for word in words {
        (*word, above) = (*word << by | above, *word >> (64 - by));
    }
    above
}

/// `desk.sum = 1 - z/d(1) + z^2/(d(1) d(2)) - ...`, or with `+` alone, in one word more than `z`
/// has, off by less than 4 units. `z` is below 2^-z_bits. The product of a block's divisors is a
/// word, so that it may have to be a small one.
fn series(
    desk: &mut Desk,
    z: &[u64],
    z_bits: usize,
    alternating: bool,
    most: usize,
    divisor: impl Fn(u64) -> u64,
) {
    let len = z.len();
    let (mut terms, mut small) = (0u64, 0);
    while small <= 64 * len {
        terms += 1;
        small += z_bits + divisor(terms).ilog2() as usize;
    }
    let terms = terms as usize;
    // An even block, so that with alternating signs all blocks begin with a plus.
    let block = match terms {
        0..8 => 2,
        8..20 => 4,
        20..40 => 6,
        _ => BLOCK,
    }
    .min(most);
    let Desk { powers, sum, product } = desk;
    powers[1][..len].copy_from_slice(z);
    for at in 2..=block.min(BLOCK - 1) {
        let (low, high) = powers.split_at_mut(at);
        match at % 2 {
            0 => sqr(&mut high[0][..len], &low[at / 2][..len], product),
            _ => mul(&mut high[0][..len], &low[at - 1][..len], z, product),
        }
    }
    if block == BLOCK {
        let (low, high) = powers.split_at_mut(BLOCK / 2);
        sqr(&mut low[0][..len], &high[0][..len], product);
    }
    let highest = if block == BLOCK { 0 } else { block };
    let sum = &mut sum[..=len];
    sum.fill(0);
    let mut denominator = 1u64;
    let mut is_first = true;
    for begin in (0..terms.div_ceil(block)).rev().map(|at| at * block) {
        let divisors = (begin + 1..=begin + block).map(|at| divisor(at as u64));
        let own: u128 = divisors.map(u128::from).product();
        if u128::from(denominator) * own >= 1 << 62 {
            words::div_word(sum, denominator);
            denominator = 1;
        }
        if !is_first {
            // The part before the point, too, counts so many times the power.
            let whole = sum[len];
            let mut fraction: Room = [0; MOST];
            mul(&mut fraction[..len], &sum[..len], &powers[highest][..len], product);
            sum[..len].copy_from_slice(&fraction[..len]);
            sum[len] = words::add_product(&mut sum[..len], &powers[highest][..len], whole);
        }
        is_first = false;
        for at in (0..block).rev() {
            denominator *= divisor((begin + at + 1) as u64);
            if at == 0 {
                sum[len] = sum[len].wrapping_add(denominator);
            } else if alternating && at % 2 == 1 {
                let borrow = words::sub_product(&mut sum[..len], &powers[at][..len], denominator);
                sum[len] = sum[len].wrapping_sub(borrow);
            } else {
                let carry = words::add_product(&mut sum[..len], &powers[at][..len], denominator);
                sum[len] = sum[len].wrapping_add(carry);
            }
        }
    }
    words::div_word(sum, denominator);
}

/// By how many bits [`exp`] and [`cosine`] may be wrong in fractions of so many words: a result is
/// off by less than 2 to this.
pub(crate) fn lost_bits(len: usize) -> usize {
    (exp_halvings(len) + 4).max(2 * cosine_halvings(len) + 3)
}

fn exp_halvings(len: usize) -> usize {
    (64 * len).isqrt() * 3 / 4
}

fn cosine_halvings(len: usize) -> usize {
    (64 * len).isqrt() * 3 / 8
}

/// `x = e^x - 1` for 0 <= x < 1; what is before the point is returned. Off by less than
/// 2^[`lost_bits`] units.
///
/// A doubling doubles the error and multiplies it by the power itself, which in the end is below 4.
pub(crate) fn exp(x: &mut [u64], desk: &mut Desk) -> u64 {
    let len = x.len();
    let halvings = exp_halvings(len);
    words::shift_down(x, halvings);
    series(desk, x, halvings, false, BLOCK, |at| at);
    x.copy_from_slice(&desk.sum[..len]);
    let mut whole = 0;
    let mut square: Room = [0; MOST];
    for _ in 0..halvings {
        sqr(&mut square[..len], x, &mut desk.product);
        whole = shift_up(x, 1);
        whole += words::add(x, &square[..len]);
    }
    whole
}

/// `x = 1 - cos x` for 0 <= x < 0.8. Off by less than 2^[`lost_bits`] units.
///
/// A doubling is 1 - cos 2x = 2 v (2 - v), where v is 1 - cos x; it multiplies the error by no more
/// than 4.
pub(crate) fn cosine(x: &mut [u64], desk: &mut Desk) {
    let len = x.len();
    let halvings = cosine_halvings(len);
    words::shift_down(x, halvings);
    let mut square: Room = [0; MOST];
    let square = &mut square[..len];
    sqr(square, x, &mut desk.product);
    series(desk, square, 2 * halvings, true, 4, |at| (2 * at + 1) * (2 * at + 2));
    if desk.sum[len] == 0 {
        mul(x, square, &desk.sum[..len], &mut desk.product);
    } else {
        x.copy_from_slice(square);
    }
    words::shift_down(x, 1);
    for _ in 0..halvings {
        sqr(square, x, &mut desk.product);
        shift_up(x, 2);
        shift_up(square, 1);
        words::sub(x, square);
    }
}

/// The sine from 1 - cosine, with what is off in that divided by the sine.
pub(crate) fn sine(v: &mut [u64], desk: &mut Desk) {
    let len = v.len();
    let mut square: Room = [0; MOST];
    sqr(&mut square[..len], v, &mut desk.product);
    shift_up(v, 1);
    words::sub(v, &square[..len]);
    // The root of a number that fills its words, twice as long.
    let by = (64 * len - words::bit_len(v)) / 2 * 2;
    if by == 64 * len {
        return;
    }
    words::place(&mut square, words::significant(v), 64 * len + by);
    root::sqrt(v, &mut square[..2 * len]);
    words::shift_down(v, by / 2);
}

/// A constant's words behind the point.
fn constant(
    cell: &'static OnceLock<[u64; LONGEST]>,
    len: usize,
    compute: fn() -> [u64; LONGEST],
) -> &'static [u64] {
    &cell.get_or_init(compute)[LONGEST - len..]
}

fn words_of(number: &dashu_int::UBig) -> [u64; LONGEST] {
    let mut out = [0; LONGEST];
    let words = number.as_words();
    out[..words.len().min(LONGEST)].copy_from_slice(&words[..words.len().min(LONGEST)]);
    out
}

/// The natural logarithm of 2, rounded down.
pub(crate) fn ln2(len: usize) -> &'static [u64] {
    static WORDS: OnceLock<[u64; LONGEST]> = OnceLock::new();
    constant(&WORDS, len, || words_of(&(constants::ln2(64 * LONGEST + 64) >> 64)))
}

/// A quarter of pi, rounded down.
pub(crate) fn quarter_pi(len: usize) -> &'static [u64] {
    static WORDS: OnceLock<[u64; LONGEST]> = OnceLock::new();
    constant(&WORDS, len, || words_of(&(constants::pi(64 * LONGEST + 64) >> 66)))
}
