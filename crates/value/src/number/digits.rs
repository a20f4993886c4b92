//! Decimal digits eight at a time: one load, one test and three multiplications, no loop.

use super::point::decimal_point;
use super::powers::EXACT_POWERS;

pub(super) struct Run {
    /// Modulo 2^64: exact up to 19 digits.
    pub(super) value: u64,
    pub(super) len: usize,
}

#[inline]
pub(super) fn read_digits(text: &[u8], mut value: u64) -> Run {
    let mut len = 0;
    loop {
        let (word, available) = load(&text[len..]);
        let count = count_digits(word).min(available);
        if count == 0 {
            return Run { value, len };
        }
        // Move the digits to the high end; the bytes below become leading zeros.
        let chunk = eight_digits((word ^ ZEROS) << (64 - 8 * count));
        value = value.wrapping_mul(POWERS[count]).wrapping_add(chunk);
        len += count;
        if count < 8 {
            return Run { value, len };
        }
    }
}

const ZEROS: u64 = 0x3030_3030_3030_3030;
const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The first eight bytes of `text`, first lowest, and how many there were. Missing ones are 0.
#[inline]
fn load(text: &[u8]) -> (u64, usize) {
    if let Some(chunk) = text.first_chunk::<8>() {
        return (u64::from_le_bytes(*chunk), 8);
    }
    // Two overlapping reads: on short fields a byte loop costs as much as the rest.
    let len = text.len();
    let word = match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first))
                | u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4))
        }
        // At most three: the first, the middle and the last.
        _ => match text {
            [] => 0,
            [first, .., last] => {
                let middle = len / 2;
                u64::from(*first)
                    | u64::from(text[middle]) << (8 * middle)
                    | u64::from(*last) << (8 * (len - 1))
            }
            [only] => u64::from(*only),
        },
    };
    (word, len)
}

/// The first eight bytes of `text`, first lowest; missing ones are 0.
#[inline(always)]
pub(crate) fn first_word(text: &[u8]) -> u64 {
    load(text).0
}

/// The whole number of which these are the first `len` bytes, from 1 to 8, if all are digits.
#[inline(always)]
pub(crate) fn whole_number(word: u64, len: usize) -> Option<i64> {
    let values = (word ^ ZEROS) << (64 - 8 * len);
    (non_digits(values) == 0).then(|| eight_digits(values) as i64)
}

/// The number that `text` is, if at most eight bytes of digits and an optional point, as most
/// numbers in files are.
#[inline]
pub(super) fn short_number(text: &[u8]) -> Option<f64> {
    if text.len() > 8 {
        return None;
    }
    let (word, len) = load(text);
    number_of(word, len)
}

/// As [`short_number`], of `text[start..end]`: mostly by one load. `None` also with a zero first.
///
/// # Panics
/// If the range is not inside `text`.
#[inline]
pub(super) fn short_number_within(text: &[u8], start: usize, end: usize) -> Option<f64> {
    let part = &text[start..end];
    if part.is_empty() || part.len() > 8 || part[0] == b'0' {
        return None;
    }
    let beyond = 64 - 8 * part.len();
    let word = match (text[start..].first_chunk::<8>(), text[..end].last_chunk::<8>()) {
        (Some(from), _) => u64::from_le_bytes(*from) << beyond >> beyond,
        (None, Some(to)) => u64::from_le_bytes(*to) >> beyond,
        (None, None) => load(part).0,
    };
    number_of(word, part.len())
}

/// Of the first `len` bytes of `word`; those beyond are 0.
#[inline(always)]
fn number_of(word: u64, len: usize) -> Option<f64> {
    let values = word ^ ZEROS;
    // Exact up to the second non-digit, as neither a point nor a missing byte carries.
    let marks = non_digits(values);
    let first = marks.trailing_zeros() as usize / 8;
    if first >= len {
        return (len > 0).then(|| eight_digits(values << (64 - 8 * len)) as f64);
    }
    let second = (marks & (marks - 1)).trailing_zeros() as usize / 8;
    if word >> (8 * first) & 0xff != u64::from(decimal_point()) || second < len || len < 2 {
        return None;
    }
    let whole = values & ((1 << (8 * first)) - 1);
    let digits = whole | values >> (8 * first) >> 8 << (8 * first);
    let count = len - 1;
    Some(eight_digits(digits << (64 - 8 * count)) as f64 / EXACT_POWERS[count - first])
}

#[inline]
fn count_digits(word: u64) -> usize {
    non_digits(word ^ ZEROS).trailing_zeros() as usize / 8
}

/// Sets bit 7 of each non-digit byte; a carry spoils only bytes above the first.
#[inline]
fn non_digits(values: u64) -> u64 {
    (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
}

/// The number of eight digit values, the first in the lowest byte (Lemire's SWAR conversion).
#[inline]
fn eight_digits(values: u64) -> u64 {
    const MASK: u64 = 0x0000_00FF_0000_00FF;
    let pairs = values.wrapping_mul(10).wrapping_add(values >> 8);
    let high = (pairs & MASK).wrapping_mul(100 + (1_000_000 << 32));
    let low = (pairs >> 16 & MASK).wrapping_mul(1 + (10_000 << 32));
    high.wrapping_add(low) >> 32
}

#[cfg(test)]
mod tests {
    use super::{read_digits, short_number, short_number_within};

    fn expected(text: &[u8]) -> Option<f64> {
        let is_simple = text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.')
            && text.iter().any(u8::is_ascii_digit)
            && text.iter().filter(|&&byte| byte == b'.').count() < 2;
        is_simple.then(|| std::str::from_utf8(text).unwrap().parse().unwrap())
    }

    #[test]
    fn short_numbers_are_read_as_a_whole_or_not_at_all() {
        let bytes = b"0279./:-e \xff";
        let mut texts = vec![Vec::new()];
        for at in 0..6 {
            let longer = |text: &Vec<u8>| bytes.map(|byte| [text.as_slice(), &[byte]].concat());
            let from = texts.iter().position(|text: &Vec<u8>| text.len() == at).unwrap();
            let more: Vec<Vec<u8>> = texts[from..].iter().flat_map(longer).collect();
            texts.extend(more);
            if at == 3 {
                texts.retain(|text| text.len() < 4 || text[1].is_ascii_digit());
            }
        }
        let long = [
            "1234567.",
            ".1234567",
            "12345678",
            "1234.567",
            "99999999",
            "1234567x",
            "123456789",
            "1.2.3.4.",
        ];
        for text in texts.iter().map(Vec::as_slice).chain(long.map(str::as_bytes)) {
            let short = expected(text).filter(|_| text.len() <= 8);
            assert_eq!(short_number(text).map(f64::to_bits), short.map(f64::to_bits), "{text:?}");
            let short = short.filter(|_| text[0] != b'0');
            for (before, after) in
                [("", ""), ("7", ""), ("123456789", ""), ("", "5"), ("3", "123456789")]
            {
                let line = [before.as_bytes(), text, after.as_bytes()].concat();
                let within = short_number_within(&line, before.len(), before.len() + text.len());
                assert_eq!(within.map(f64::to_bits), short.map(f64::to_bits), "{line:?}");
            }
        }
    }

    #[test]
    fn reads_runs_of_every_length_whatever_follows_them() {
        let digits = "1234567890123456789";
        for len in 0..=digits.len() {
            for tail in ["", " ", ".", "/", ":", "x", "\u{ff}", "a longer tail 12345"] {
                let text = format!("{}{tail}", &digits[..len]);
                let run = read_digits(text.as_bytes(), 0);
                assert_eq!(
                    (run.len, run.value),
                    (len, digits[..len].parse().unwrap_or(0)),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn continues_a_number_already_begun() {
        assert_eq!(read_digits(b"45e", 123).value, 12345);
    }
}
