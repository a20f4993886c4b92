//! Natural numbers as words on the stack, lowest word first: what arithmetic of up to a thousand
//! bits or so is made of.
//!
//! An allocation costs as much as twenty multiplications of words. So numbers that are short are
//! worked on in arrays, and only the result is put where numbers are kept. The algorithms are those
//! of school; above [`MOST`] words there are better ones: [`product`](crate::product),
//! [`quotient`](crate::quotient) and [`root`](crate::root).

pub(crate) use crate::kernel::{add_product, mul, sub_product};

/// The most words that a value on its way may have: two numbers of 1,152 bits multiplied, and some
/// to spare.
pub(crate) const MOST: usize = 40;

/// Room for a value on its way.
pub(crate) type Room = [u64; MOST];

/// What was worked on is kept for the next time, unless it is large: 128 KiB.
pub(crate) fn tidy(desk: &mut Vec<u64>) {
    if desk.len() > 1 << 14 {
        *desk = Vec::new();
    }
}

/// How many bits it has.
#[inline]
pub(crate) fn bit_len(words: &[u64]) -> usize {
    let used = significant(words).len();
    match used {
        0 => 0,
        _ => 64 * used - words[used - 1].leading_zeros() as usize,
    }
}

/// Without the zeros at its top.
#[inline]
pub(crate) fn significant(words: &[u64]) -> &[u64] {
    let used = words.iter().rposition(|&word| word != 0).map_or(0, |at| at + 1);
    &words[..used]
}

/// The bit that counts 2^at.
#[inline]
pub(crate) fn bit(words: &[u64], at: usize) -> bool {
    words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

/// Whether one of the lowest `count` bits is set.
#[inline]
pub(crate) fn any_below(words: &[u64], count: usize) -> bool {
    let (whole, part) = (count / 64, count % 64);
    let Some(below) = words.get(..whole) else { return words.iter().any(|&word| word != 0) };
    below.iter().any(|&word| word != 0)
        || words.get(whole).is_some_and(|word| word & ((1 << part) - 1) != 0)
}

/// `a += b`, as far as `a` goes; what is carried out of it. `b` is not longer.
#[inline]
pub(crate) fn add(a: &mut [u64], b: &[u64]) -> u64 {
    let (low, high) = a.split_at_mut(b.len());
    let mut carry = false;
    // In fours the carry stays in its flag: half the time of one by one.
    let (fours, ones) = low.as_chunks_mut::<4>();
    let (b_fours, b_ones) = b.as_chunks::<4>();
    for ([a0, a1, a2, a3], [b0, b1, b2, b3]) in fours.iter_mut().zip(b_fours) {
        (*a0, carry) = a0.carrying_add(*b0, carry);
        (*a1, carry) = a1.carrying_add(*b1, carry);
        (*a2, carry) = a2.carrying_add(*b2, carry);
        (*a3, carry) = a3.carrying_add(*b3, carry);
    }
    for (a, b) in ones.iter_mut().zip(b_ones) {
        (*a, carry) = a.carrying_add(*b, carry);
    }
    add_word(high, u64::from(carry))
}

/// `a += word`; what is carried out of it.
#[inline]
pub(crate) fn add_word(a: &mut [u64], word: u64) -> u64 {
    let mut carry = word;
    for a in a {
        if carry == 0 {
            return 0;
        }
        let (sum, over) = a.overflowing_add(carry);
        (*a, carry) = (sum, u64::from(over));
    }
    carry
}

/// `a -= b`; 1 if `b` was larger. `b` is not longer.
#[inline]
pub(crate) fn sub(a: &mut [u64], b: &[u64]) -> u64 {
    let (low, high) = a.split_at_mut(b.len());
    let mut borrow = false;
    let (fours, ones) = low.as_chunks_mut::<4>();
    let (b_fours, b_ones) = b.as_chunks::<4>();
    for ([a0, a1, a2, a3], [b0, b1, b2, b3]) in fours.iter_mut().zip(b_fours) {
        (*a0, borrow) = a0.borrowing_sub(*b0, borrow);
        (*a1, borrow) = a1.borrowing_sub(*b1, borrow);
        (*a2, borrow) = a2.borrowing_sub(*b2, borrow);
        (*a3, borrow) = a3.borrowing_sub(*b3, borrow);
    }
    for (a, b) in ones.iter_mut().zip(b_ones) {
        (*a, borrow) = a.borrowing_sub(*b, borrow);
    }
    sub_word(high, u64::from(borrow))
}

/// `a -= word`; 1 if that was larger.
#[inline]
pub(crate) fn sub_word(a: &mut [u64], word: u64) -> u64 {
    let mut borrow = word;
    for a in a {
        if borrow == 0 {
            return 0;
        }
        let (rest, under) = a.overflowing_sub(borrow);
        (*a, borrow) = (rest, u64::from(under));
    }
    borrow
}

/// `a = -a` modulo its size.
#[inline]
pub(crate) fn negate(a: &mut [u64]) {
    for word in a.iter_mut() {
        *word = !*word;
    }
    add_word(a, 1);
}

/// `words *= word`; the highest one is written only.
#[inline]
pub(crate) fn mul_word(words: &mut [u64], word: u64) {
    let mut carry = 0u64;
    if let Some((high, low)) = words.split_last_mut() {
        for low in low {
            let product = u128::from(*low) * u128::from(word) + u128::from(carry);
            (*low, carry) = (product as u64, (product >> 64) as u64);
        }
        *high = carry;
    }
}

/// a * b of two words each.
#[inline]
pub(crate) fn mul_two(a: [u64; 2], b: [u64; 2]) -> [u64; 4] {
    let [a0, a1] = a.map(u128::from);
    let [b0, b1] = b.map(u128::from);
    let low = a0 * b0;
    let middle = a0 * b1 + (low >> 64);
    let other = a1 * b0 + u128::from(middle as u64);
    let high = a1 * b1 + (middle >> 64) + (other >> 64);
    [low as u64, other as u64, high as u64, (high >> 64) as u64]
}

/// `out = a * a`, which has twice the words: the products of different words once, doubled, and the
/// squares.
pub(crate) fn sqr(out: &mut [u64], a: &[u64]) {
    let len = a.len();
    out[..2 * len].fill(0);
    for at in 0..len.saturating_sub(1) {
        let carry = add_product(&mut out[2 * at + 1..at + len], &a[at + 1..], a[at]);
        out[at + len] = carry;
    }
    let (mut carry, mut above) = (0u64, 0u64);
    for (pair, &word) in out[..2 * len].chunks_exact_mut(2).zip(a) {
        let square = u128::from(word) * u128::from(word);
        let low = u128::from(pair[0] << 1 | above) + u128::from(square as u64) + u128::from(carry);
        let high = u128::from(pair[1] << 1 | pair[0] >> 63) + (square >> 64) + (low >> 64);
        above = pair[1] >> 63;
        (pair[0], pair[1], carry) = (low as u64, high as u64, (high >> 64) as u64);
    }
}

/// `out = words * 2^by`; `out` is long enough, and all of it is written.
#[inline]
pub(crate) fn place(out: &mut [u64], words: &[u64], by: usize) {
    let (whole, part) = (by / 64, by % 64);
    out[..whole].fill(0);
    let mut above = 0;
    let (middle, high) = out[whole..].split_at_mut(words.len());
    for (out, &word) in middle.iter_mut().zip(words) {
        *out = word << part | above;
        above = if part == 0 { 0 } else { word >> (64 - part) };
    }
    high.fill(0);
    if let Some(first) = high.first_mut() {
        *first = above;
    }
}

/// `out += words * 2^by`, as far as `out` goes, which is long enough for what is added.
#[inline]
pub(crate) fn add_placed(out: &mut [u64], words: &[u64], by: usize) {
    let (whole, part) = (by / 64, by % 64);
    let (mut above, mut carry) = (0, false);
    let (middle, high) = out[whole..].split_at_mut(words.len());
    for (out, &word) in middle.iter_mut().zip(words) {
        (*out, carry) = out.carrying_add(word << part | above, carry);
        above = if part == 0 { 0 } else { word >> (64 - part) };
    }
    // What is above is no more than a half, so that with what is carried it is a word.
    add_word(high, above + u64::from(carry));
}

/// `out -= words * 2^by`; whether that was larger. `out` is long enough for it.
#[inline]
pub(crate) fn sub_placed(out: &mut [u64], words: &[u64], by: usize) -> bool {
    let (whole, part) = (by / 64, by % 64);
    let (mut above, mut borrow) = (0, false);
    let (middle, high) = out[whole..].split_at_mut(words.len());
    for (out, &word) in middle.iter_mut().zip(words) {
        (*out, borrow) = out.borrowing_sub(word << part | above, borrow);
        above = if part == 0 { 0 } else { word >> (64 - part) };
    }
    sub_word(high, above + u64::from(borrow)) == 1
}

/// `words /= 2^by`, with zeros from above.
#[inline]
pub(crate) fn shift_down(words: &mut [u64], by: usize) {
    let (whole, part) = ((by / 64).min(words.len()), by % 64);
    if words.is_empty() {
        return;
    }
    let kept = words.len() - whole;
    if part == 0 {
        words.copy_within(whole.., 0);
    } else {
        let last = words.len() - 1;
        for at in whole..last {
            words[at - whole] = words[at] >> part | words[at + 1] << (64 - part);
        }
        if whole <= last {
            words[last - whole] = words[last] >> part;
        }
    }
    words[kept..].fill(0);
}

/// `words *= 2`, without what leaves at the top.
#[inline]
pub(crate) fn double(words: &mut [u64]) {
    let mut above = 0;
    for word in words {
        (*word, above) = (*word << 1 | above, *word >> 63);
    }
}

/// Whether the bits from one place to another, which is not part of them, are all the same.
#[inline]
pub(crate) fn all_equal(words: &[u64], from: usize, to: usize) -> bool {
    let expected = if bit(words, from) { u64::MAX } else { 0 };
    let (first, last) = (from / 64, to / 64);
    (first..=last.min(words.len().saturating_sub(1))).all(|at| {
        let mut mask = u64::MAX;
        if at == first {
            mask &= u64::MAX << (from % 64);
        }
        if at == last {
            mask &= (1 << (to % 64)) - 1;
        }
        (words[at] ^ expected) & mask == 0
    })
}

/// What dividing by a word with its highest bit set takes: `floor((2^128 - 1) / divisor) - 2^64`.
#[inline]
pub(crate) fn reciprocal(divisor: u64) -> u64 {
    // The dividend's upper word is below the divisor: that is one division of the machine's.
    ((u128::from(!divisor) << 64 | u128::from(u64::MAX)) / u128::from(divisor)) as u64
}

/// Two words by one: quotient and rest. The divisor has its highest bit set and is above `high`.
/// After Möller and Granlund.
#[inline]
pub(crate) fn divide_two(high: u64, low: u64, divisor: u64, reciprocal: u64) -> (u64, u64) {
    let estimate =
        u128::from(reciprocal) * u128::from(high) + (u128::from(high) << 64 | u128::from(low));
    let mut quotient = ((estimate >> 64) as u64).wrapping_add(1);
    let mut rest = low.wrapping_sub(quotient.wrapping_mul(divisor));
    if rest > estimate as u64 {
        quotient = quotient.wrapping_sub(1);
        rest = rest.wrapping_add(divisor);
    }
    if rest >= divisor {
        quotient = quotient.wrapping_add(1);
        rest -= divisor;
    }
    (quotient, rest)
}

/// `words /= divisor`, rounded down. The divisor is not 0.
#[inline]
pub(crate) fn div_word(words: &mut [u64], divisor: u64) {
    let by = divisor.leading_zeros();
    let divisor = divisor << by;
    let reciprocal = reciprocal(divisor);
    let mut rest = 0;
    for at in (0..words.len()).rev() {
        let word = words[at];
        // The divisor is shifted, so the dividend is, on its way.
        let low = word << by;
        let high = rest | if by == 0 { 0 } else { word >> (64 - by) };
        (words[at], rest) = divide_two(high, low, divisor, reciprocal);
    }
}

/// `quotient = dividend / divisor`, and the rest stays in the dividend's low words. The divisor has
/// its highest bit set; the dividend's upper words are not above it, or the word that is returned
/// is 1, which stands above the quotient. By Knuth's algorithm D.
pub(crate) fn divide(quotient: &mut [u64], dividend: &mut [u64], divisor: &[u64]) -> u64 {
    let (len, all) = (divisor.len(), dividend.len());
    let top = &mut dividend[all - len..];
    let above = u64::from(compare(top, divisor).is_ge());
    if above == 1 {
        sub(top, divisor);
    }
    let first = divisor[len - 1];
    let reciprocal = reciprocal(first);
    for at in (0..all - len).rev() {
        let high = dividend[at + len];
        let digit = if high >= first {
            u64::MAX
        } else {
            let (digit, rest) = divide_two(high, dividend[at + len - 1], first, reciprocal);
            // Too large by at most two; looking at one word more, hardly ever.
            match len {
                1 => digit,
                _ => refined(digit, rest, dividend[at + len - 2], first, divisor[len - 2]),
            }
        };
        let borrow = sub_product(&mut dividend[at..at + len], divisor, digit);
        let (left, under) = dividend[at + len].overflowing_sub(borrow);
        dividend[at + len] = left;
        quotient[at] = digit;
        if under {
            quotient[at] -= 1;
            let carry = add(&mut dividend[at..at + len], divisor);
            dividend[at + len] = dividend[at + len].wrapping_add(carry);
            if dividend[at + len] != 0 {
                quotient[at] -= 1;
                let carry = add(&mut dividend[at..at + len], divisor);
                dividend[at + len] = dividend[at + len].wrapping_add(carry);
            }
        }
    }
    above
}

/// As [`divide`] without most of the work for what is left over: of the divisor as many words count
/// at each step as there are digits still to come. The dividend has as many words more than the
/// divisor as the quotient has, and the divisor at least two. A quotient of n words is off by less
/// than 2n. `None` if a step is not as simple as nearly all are.
pub(crate) fn divide_upper(
    quotient: &mut [u64],
    dividend: &mut [u64],
    divisor: &[u64],
) -> Option<u64> {
    let len = divisor.len();
    let top = dividend.get_mut(quotient.len()..)?;
    let above = u64::from(compare(top, divisor).is_ge());
    if above == 1 {
        sub(top, divisor);
    }
    let &[.., second, first] = divisor else { return None };
    let reciprocal = reciprocal(first);
    for at in (0..quotient.len()).rev() {
        let high = dividend[at + len];
        if high >= first {
            return None;
        }
        let (digit, rest) = divide_two(high, dividend[at + len - 1], first, reciprocal);
        let mut digit = refined(digit, rest, dividend[at + len - 2], first, second);
        let lowest = len - (at + 1).min(len);
        let window = &mut dividend[at + lowest..=at + len];
        let (highest, window) = window.split_last_mut()?;
        let borrow = sub_product(window, &divisor[lowest..], digit);
        let (left, under) = highest.overflowing_sub(borrow);
        *highest = left;
        if under {
            digit -= 1;
            *highest = highest.wrapping_add(add(window, &divisor[lowest..]));
            if *highest != 0 {
                return None;
            }
        }
        quotient[at] = digit;
    }
    Some(above)
}

/// The digit of a quotient, made smaller by what the second words say.
#[inline]
fn refined(mut digit: u64, mut rest: u64, next: u64, first: u64, second: u64) -> u64 {
    while u128::from(digit) * u128::from(second) > (u128::from(rest) << 64 | u128::from(next)) {
        digit -= 1;
        match rest.overflowing_add(first) {
            (sum, false) => rest = sum,
            (_, true) => break,
        }
    }
    digit
}

/// Compares, of the same length.
#[inline]
pub(crate) fn compare(a: &[u64], b: &[u64]) -> std::cmp::Ordering {
    a.iter().rev().cmp(b.iter().rev())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use dashu_base::DivRem;
    use dashu_int::UBig;
    use proptest::prelude::*;

    /// A word, often at an end of its range: there carries go far.
    pub(crate) fn word() -> impl Strategy<Value = u64> {
        prop_oneof![Just(0), Just(u64::MAX), Just(1 << 63), Just(1), any::<u64>(), any::<u64>()]
    }

    /// So many such words.
    pub(crate) fn words(lens: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u64>> {
        proptest::collection::vec(word(), lens)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn products_and_squares_are_those_of_large_integers(a in words(1..9), b in words(1..9)) {
            let mut out = [1; MOST];
            mul(&mut out, &a, &b);
            let (x, y) = (UBig::from_words(&a), UBig::from_words(&b));
            prop_assert_eq!(UBig::from_words(&out[..a.len() + b.len()]), &x * &y);
            sqr(&mut out, &a);
            prop_assert_eq!(UBig::from_words(&out[..2 * a.len()]), x.sqr());
        }

        #[test]
        fn quotients_are_those_of_large_integers(a in words(2..12), b in words(1..7)) {
            let (mut dividend, mut divisor) = (a, b);
            *divisor.last_mut().unwrap() |= 1 << 63;
            dividend.resize(dividend.len().max(divisor.len() + 1), 7);
            let (x, y) = (UBig::from_words(&dividend), UBig::from_words(&divisor));
            let places = dividend.len() - divisor.len();
            let mut quotient = vec![5; places];
            let above = divide(&mut quotient, &mut dividend, &divisor);
            quotient.push(above);
            let (q, r) = (&x).div_rem(&y);
            prop_assert_eq!(UBig::from_words(&quotient), q);
            prop_assert_eq!(UBig::from_words(&dividend[..divisor.len()]), r);
            let mut by_word = x.as_words().to_vec();
            div_word(&mut by_word, divisor[0] | 1);
            prop_assert_eq!(UBig::from_words(&by_word), x / (divisor[0] | 1));
        }

        #[test]
        fn shifts_are_those_of_large_integers(a in words(1..8), by in 0usize..300) {
            let mut out = [1; MOST];
            place(&mut out, &a, by);
            let x = UBig::from_words(&a);
            prop_assert_eq!(UBig::from_words(&out), &x << by);
            let mut down = a.clone();
            shift_down(&mut down, by);
            prop_assert_eq!(UBig::from_words(&down), &x >> by);
            let whole = UBig::from_words(&out);
            prop_assert_eq!(any_below(&a, by), &x % (UBig::ONE << by) != UBig::ZERO);
            prop_assert_eq!(bit_len(&out), dashu_base::BitTest::bit_len(&whole));
        }

        #[test]
        fn what_is_placed_and_added_is_as_shifted_large_integers(a in words(1..12), b in words(1..8), by in 0usize..300) {
            let mut sum = [0; MOST];
            sum[..a.len()].copy_from_slice(&a);
            let (x, y) = (UBig::from_words(&a), UBig::from_words(&b) << by);
            add_placed(&mut sum, &b, by);
            prop_assert_eq!(UBig::from_words(&sum), &x + &y);
            prop_assert!(!sub_placed(&mut sum, &b, by));
            prop_assert_eq!(UBig::from_words(&sum), x.clone());
            prop_assert_eq!(sub_placed(&mut sum, &b, by), x < y);
            if x < y {
                negate(&mut sum);
                prop_assert_eq!(UBig::from_words(&sum), y - x);
            }
        }

        #[test]
        fn sums_and_differences_are_those_of_large_integers(a in words(1..8), b in words(1..8)) {
            let (mut long, short) = if a.len() >= b.len() { (a, b) } else { (b, a) };
            let (x, y) = (UBig::from_words(&long), UBig::from_words(&short));
            let carry = add(&mut long, &short);
            let size = 64 * long.len();
            prop_assert_eq!(UBig::from_words(&long) + (UBig::from(carry) << size), &x + &y);
            let borrow = sub(&mut long, &short);
            prop_assert_eq!(borrow, carry);
            prop_assert_eq!(UBig::from_words(&long), x);
            negate(&mut long);
            add(&mut long, &short);
        }
    }
}
