//! From words to residues and back: three words, 192 bits, are one coefficient of a polynomial.
//!
//! A coefficient of a product of two polynomials with no more than 2^15 of them is below 2^399, and
//! the primes' product is hardly below 2^400, so that the residues say which it is (the Chinese
//! remainder theorem).

use super::field::{
    MULTIPLES, OTHERS, Residues, add, mul, mul_positive, power_of_two, reduced, sum_of_quotients,
};

/// The words of a coefficient.
pub(super) const PIECE: usize = 3;

/// Four of these bits are a coefficient, and fewer than a prime has.
const PART: u64 = 48;

const PLACES: [Residues; 3] = [power_of_two(PART), power_of_two(2 * PART), power_of_two(3 * PART)];

/// The residues of words; zeros above.
#[inline(always)]
pub(super) fn take_apart(out: &mut [Residues], words: &[u64]) {
    let (with, without) = out.split_at_mut(words.len().div_ceil(PIECE));
    for (out, words) in with.iter_mut().zip(words.chunks(PIECE)) {
        let mut piece = [0; PIECE];
        piece[..words.len()].copy_from_slice(words);
        let [low, middle, high] = piece;
        const MASK: u64 = (1 << PART) - 1;
        let first = [(low & MASK) as f64; 8];
        let second = mul(&[((low >> 48 | middle << 16) & MASK) as f64; 8], &PLACES[0]);
        let third = mul(&[((middle >> 32 | high << 32) & MASK) as f64; 8], &PLACES[1]);
        let fourth = mul(&[(high >> 16) as f64; 8], &PLACES[2]);
        *out = reduced(&add(&add(&first, &second), &add(&third, &fourth)));
    }
    without.fill([0.0; 8]);
}

/// The words that residues stand for, the first ones of them; `scale` takes out what they are
/// multiplied by.
#[inline(always)]
pub(super) fn put_together(out: &mut [u64], residues: &[Residues], scale: &Residues) {
    // What lies above the words that are written.
    let mut above = [0u64; 4];
    for (words, residues) in out.chunks_mut(PIECE).zip(residues) {
        let digits = mul_positive(residues, scale);
        let times = (sum_of_quotients(&digits) + 0.25) as usize;
        let mut value = sum_of_products(&digits);
        let (mut borrow, mut carry) = (false, false);
        for (at, (word, multiple)) in value.iter_mut().zip(&MULTIPLES[times.min(8)]).enumerate() {
            (*word, borrow) = word.borrowing_sub(*multiple, borrow);
            (*word, carry) = word.carrying_add(*above.get(at).unwrap_or(&0), carry);
        }
        words.copy_from_slice(&value[..words.len()]);
        above.copy_from_slice(&value[PIECE..]);
    }
}

/// The sum of the digits, each times all primes but its own.
#[inline(always)]
fn sum_of_products(digits: &Residues) -> [u64; 7] {
    // An integer of up to 52 bits is the lower part of its sum with 2^52.
    const UNIT: f64 = (1u64 << 52) as f64;
    let mut integers = [0; 8];
    for (integer, digit) in integers.iter_mut().zip(digits) {
        *integer = (digit + UNIT).to_bits() & ((1 << 52) - 1);
    }
    let mut value = [0; 7];
    let mut carry = 0u128;
    for column in 0..6 {
        // Eight products of 114 bits.
        let mut sum = carry;
        for (digit, others) in integers.iter().zip(&OTHERS) {
            sum += u128::from(*digit) * u128::from(others[column]);
        }
        value[column] = sum as u64;
        carry = sum >> 64;
    }
    value[6] = carry as u64;
    value
}
