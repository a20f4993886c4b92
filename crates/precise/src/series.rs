//! Power series of fractions of any length, in few products of two of them: blocks of powers are
//! summed with small factors, and only one product joins a block to those above it (Paterson and
//! Stockmeyer; D. M. Smith, "Efficient multiple-precision evaluation of elementary functions").
//! What a block is multiplied by is small, so that the further up it lies the fewer of its words
//! count.

use crate::upper::leading_product;
use crate::words::{self, add_product, add_word, sub_product, sub_word};
use dashu_base::BitTest;
use dashu_int::UBig;

/// A common denominator has fewer bits than this.
const DENOMINATOR_BITS: u32 = 62;

/// `1 + z/d(1) + z^2/(d(1) d(2)) + ...`, or with signs that alternate, of a z below one in units of
/// 2^(-64 len), as the sum is. Off by less than four for each term and block. The divisors have
/// fewer than 32 bits.
pub(crate) fn series(
    z: &UBig,
    len: usize,
    alternating: bool,
    divisor: impl Fn(u64) -> u64,
) -> UBig {
    // How many bits smaller each term is than the one before, at least.
    let z_bits = 64 * len - z.bit_len();
    let mut terms = 1;
    let mut small = z_bits + divisor(1).ilog2() as usize;
    while small <= 64 * len {
        terms += 1;
        small += z_bits + divisor(terms).ilog2() as usize;
    }
    let terms = terms as usize;
    // Even, so that with alternating signs all blocks begin with a plus. Joining takes less than a
    // power does, since it is with fewer words, but each block is divided once more: with half
    // of the terms under the root it took 3 to 8% longer at 10,000 bits.
    let block = ((terms * 4 / 5).isqrt() / 2 * 2).max(2);
    let mut powers = powers(z, block, len);
    // So many words less are needed of each block than of the one below it.
    let fewer = (block * z_bits / 64).min(len);
    powers[block].resize(len - fewer, 0);
    // Of the highest at least one word counts.
    let most = (len - 1).checked_div(fewer).map_or(terms, |above| above + 1);
    let blocks = terms.div_ceil(block).min(most);
    let mut sum = vec![0; len + 1];
    let mut denominator = 1u64;
    for at_block in (0..blocks).rev() {
        let dropped = at_block * fewer;
        let count = len - dropped;
        if at_block + 1 < blocks {
            join(&mut sum, count, fewer, &powers[block]);
        }
        let sum = &mut sum[..=count];
        for at in (0..block).rev() {
            let term = (at_block * block + at) as u64;
            let next = divisor(term + 1);
            // Where the sum may be negative, after an odd term, it is not divided.
            let needed = u128::from(next) * if at % 2 == 1 { u128::from(divisor(term)) } else { 1 };
            if at % 2 == 1 && (u128::from(denominator) * needed) >> DENOMINATOR_BITS != 0 {
                words::div_word(sum, denominator);
                denominator = 1;
            }
            denominator *= next;
            let power = powers[at].get(dropped..).unwrap_or_default();
            let (same, above) = sum.split_at_mut(power.len());
            if alternating && at % 2 == 1 {
                sub_word(above, sub_product(same, power, denominator));
            } else {
                add_word(above, add_product(same, power, denominator));
            }
        }
    }
    words::div_word(&mut sum, denominator);
    UBig::from_words(words::significant(&sum))
}

/// The powers of z from none to as many as a block has, each without the zeros at its top.
fn powers(z: &UBig, block: usize, len: usize) -> Vec<Vec<u64>> {
    let mut one = vec![0; len + 1];
    one[len] = 1;
    let mut powers = vec![one, z.as_words().to_vec()];
    for at in 2..=block {
        let (a, b) = (&powers[at / 2], &powers[at - at / 2]);
        let power = leading_product(a, b, len);
        powers.push(power);
    }
    powers
}

/// The sum of all blocks above one that has so many words, times the power that is between them. It
/// has `fewer` words less, and of the power, which begins as many words below the point, as many
/// count.
fn join(sum: &mut [u64], count: usize, fewer: usize, power: &[u64]) {
    let above = count - fewer;
    // With a word before the point the sum is a fraction of one word more.
    let power = &power[power.len().saturating_sub(above + 1)..];
    let joined = leading_product(&sum[..=above], power, power.len());
    sum[..=count].fill(0);
    sum[..joined.len()].copy_from_slice(&joined);
}
