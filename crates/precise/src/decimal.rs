//! Integers and their decimal digits, by halves, so that most of the work is products.
//!
//! Digits are read as an upper part times a power of ten and a lower part. They are written from a
//! fraction, the number over a power of ten: its first digits are the integer part of a product
//! with a smaller power, and what is left of it is the fraction of the others. So there is
//! one division, and below it none (after D. J. Bernstein, "Scaled remainder trees").

use crate::kernel::set_product;
use crate::product;
use crate::upper;
use crate::words::{self, add, add_word, sub};
use dashu_base::BitTest;
use dashu_int::UBig;
use std::cell::RefCell;
use std::rc::Rc;

/// The digits that fit in a word.
const CHUNK: usize = 19;

/// The number that is one more than those.
const CHUNK_POWER: u64 = 10u64.pow(CHUNK as u32);

/// The least power that is kept has so many chunks of digits, and each further one twice as many.
const LEAST: usize = 16;

/// Up to so many chunks are read and written one by one.
const ONE_BY_ONE: usize = 2 * LEAST;

/// A power of ten, without the words below that are zero.
struct Power {
    words: Vec<u64>,
    zeros: usize,
}

/// What is kept: powers of ten of 16, 32, ... chunks, and the last powers of five that numbers were
/// divided by, by chunks.
struct Known {
    tens: Vec<Rc<Power>>,
    fives: Vec<(usize, Rc<UBig>)>,
}

thread_local! {
    static KNOWN: RefCell<Known> = const { RefCell::new(Known { tens: Vec::new(), fives: Vec::new() }) };
}

/// The most powers of five that are kept, and the most words of one.
const KEPT: usize = 8;
const KEPT_WORDS: usize = 4096;

/// `10^(19 16 2^step)`.
fn power_of_ten(step: usize) -> Rc<Power> {
    KNOWN.with_borrow_mut(|known| {
        while known.tens.len() <= step {
            let (words, zeros) = match known.tens.last() {
                None => (UBig::from(10u8).pow(CHUNK * LEAST), 0),
                Some(last) => (product::squared(&UBig::from_words(&last.words)), 2 * last.zeros),
            };
            let words = words.as_words();
            let below = words.iter().take_while(|&&word| word == 0).count();
            known
                .tens
                .push(Rc::new(Power { words: words[below..].to_vec(), zeros: zeros + below }));
        }
        known.tens[step].clone()
    })
}

/// `5^(19 chunks)`.
fn power_of_five(chunks: usize) -> Rc<UBig> {
    KNOWN.with_borrow_mut(|known| {
        if let Some((_, power)) = known.fives.iter().find(|(of, _)| *of == chunks) {
            return power.clone();
        }
        let power = Rc::new(product::power(&UBig::from(5u64.pow(CHUNK as u32)), chunks));
        if power.as_words().len() <= KEPT_WORDS {
            known.fives.truncate(KEPT - 1);
            known.fives.insert(0, (chunks, power.clone()));
        }
        power
    })
}

/// Of so many chunks, which are too many to be done one by one, the largest power that leaves some:
/// its step, and its chunks.
fn split(chunks: usize) -> (usize, usize) {
    let step = ((chunks - 1) / LEAST).ilog2() as usize;
    (step, LEAST << step)
}

/// The integer that decimal digits are.
pub(crate) fn of_digits(digits: &[u8]) -> UBig {
    UBig::from_words(&read(digits))
}

/// As words, with no zeros at the top.
fn read(digits: &[u8]) -> Vec<u64> {
    let chunks = digits.len().div_ceil(CHUNK);
    if chunks <= ONE_BY_ONE {
        let mut words: Vec<u64> = Vec::with_capacity(chunks + 1);
        let (first, others) = digits.split_at(digits.len() - digits.len() / CHUNK * CHUNK);
        let value = |digits: &[u8]| {
            digits.iter().fold(0, |value, digit| 10 * value + u64::from(digit - b'0'))
        };
        let mut room = [0; ONE_BY_ONE + 1];
        for chunk in std::iter::once(first).chain(others.chunks_exact(CHUNK)) {
            let room = &mut room[..words.len()];
            let carry = set_product(room, &words, CHUNK_POWER);
            words.copy_from_slice(room);
            words.push(carry);
            add_word(&mut words, value(chunk));
            words.truncate(words::significant(&words).len());
        }
        return words;
    }
    let (step, below) = split(chunks);
    let (high, low) = digits.split_at(digits.len() - CHUNK * below);
    let (high, low, power) = (read(high), read(low), power_of_ten(step));
    let mut out = vec![0; high.len() + power.words.len() + power.zeros];
    if !high.is_empty() {
        product::multiply(&mut out[power.zeros..], &high, &power.words);
    }
    // As the lower part is below the power, there is room.
    let len = low.len().max(out.len());
    out.resize(len, 0);
    add(&mut out, &low);
    out.truncate(words::significant(&out).len());
    out
}

/// An integer's decimal digits.
pub(crate) fn digits_of(whole: &UBig) -> Vec<u8> {
    let bits = whole.bit_len();
    // A little more than the logarithm.
    let chunks = ((bits as f64 * std::f64::consts::LOG10_2) as usize + 1).div_ceil(CHUNK);
    let mut digits = Vec::with_capacity(chunks * CHUNK);
    let Some(mut fraction) = fraction_of(whole, chunks) else {
        return whole.to_string().into_bytes();
    };
    write(&mut digits, &mut fraction, chunks);
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    digits.drain(..zeros.min(digits.len() - 1));
    digits
}

/// So many words does a fraction of so many chunks have: a whole one more than its digits need, in
/// which its error is.
fn words_for(chunks: usize) -> usize {
    // A chunk is 63.117 bits.
    chunks - (chunks as f64 * 0.0137) as usize + 1
}

/// The number and a half, over 10^(19 chunks), and off by far less than such a half: by some units
/// of the last word.
fn fraction_of(whole: &UBig, chunks: usize) -> Option<Vec<u64>> {
    let five = power_of_five(chunks);
    let divisor = five.as_words();
    let (len, places) = (divisor.len(), words_for(chunks));
    let up = divisor[len - 1].leading_zeros() as usize;
    let mut normal = vec![0; len];
    words::place(&mut normal, divisor, up);
    // (2 n + 1) 2^(64 places) / 2^(19 chunks + 1) / 5^(19 chunks), both times 2^up.
    let by = (64 * places + up).checked_sub(CHUNK * chunks + 1)?;
    let mut twice = whole.as_words().to_vec();
    twice.push(0);
    words::double(&mut twice);
    twice[0] |= 1;
    let twice = words::significant(&twice);
    let mut dividend = vec![0; (len + places).max(twice.len() + by / 64 + 1)];
    words::place(&mut dividend, twice, by);
    let mut fraction = vec![0; places];
    let above = match len < 2 {
        true => {
            let above = words::divide(&mut fraction, &mut dividend[..len + places], &normal);
            Some(above)
        }
        false => upper::quotient(&mut fraction, &mut dividend[..len + places], &normal),
    };
    (above == Some(0)).then_some(fraction)
}

/// The digits of a fraction, which is worked on.
fn write(digits: &mut Vec<u8>, fraction: &mut [u64], chunks: usize) {
    // What is below the words that so many chunks need says nothing.
    let above = fraction.len().saturating_sub(words_for(chunks));
    let fraction = &mut fraction[above..];
    if chunks <= ONE_BY_ONE {
        return write_chunks(digits, fraction, chunks);
    }
    let (step, high) = split(chunks);
    let power = power_of_ten(step);
    let low = chunks - high;
    let mut product = vec![0; fraction.len() + power.words.len()];
    product::multiply(&mut product, fraction, &power.words);
    // The power's zeros move the point up.
    let point = product.len() - power.words.len() - power.zeros;
    let behind = &mut product[..point];
    let below = fraction.len() - words_for(high);
    let upper = &mut fraction[below..];
    let share = behind.last().map_or(0.0, |&word| word as f64 / 2f64.powi(64));
    centre(upper, high, share);
    write(digits, upper, high);
    write(digits, behind, low);
}

/// A fraction of so many chunks, behind which there is such a share of their last unit, gets a half
/// instead: between two numbers it may be cut off.
fn centre(fraction: &mut [u64], chunks: usize, share: f64) {
    // The unit has between 64 and 128 bits here.
    let bits = 64.0 * fraction.len() as f64 - (CHUNK * chunks) as f64 * std::f64::consts::LOG2_10;
    let missing = ((0.5 - share) * bits.exp2()) as i128;
    let size = missing.unsigned_abs();
    let size = [size as u64, (size >> 64) as u64];
    if missing >= 0 {
        add(fraction, &size);
    } else {
        sub(fraction, &size);
    }
}

/// One by one: a product with 10^19 carries a chunk out. With each a word less is needed, nearly.
fn write_chunks(digits: &mut Vec<u8>, fraction: &mut [u64], chunks: usize) {
    let mut room = [0; ONE_BY_ONE + 2];
    let (mut from, mut to) = (fraction, &mut room[..]);
    for left in (0..chunks).rev() {
        let len = from.len();
        let chunk = set_product(&mut to[..len], from, CHUNK_POWER);
        let mut buffer = itoa::Buffer::new();
        let text = buffer.format(chunk).as_bytes();
        digits.extend_from_slice(&[b'0'; CHUNK][text.len()..]);
        digits.extend_from_slice(text);
        let below = len.saturating_sub(words_for(left));
        let next = &mut to[below..len];
        (from, to) = (next, from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn digits_are_those_of_large_integers(words in crate::words::tests::words(1..500), nines in 1usize..4000) {
            for whole in [UBig::from_words(&words), UBig::from(10u8).pow(nines), UBig::from(10u8).pow(nines) - UBig::ONE] {
                let digits = digits_of(&whole);
                prop_assert_eq!(std::str::from_utf8(&digits).unwrap(), whole.to_string());
                prop_assert_eq!(of_digits(&digits), whole);
            }
        }
    }
}
