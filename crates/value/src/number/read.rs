//! Text to number.
//!
//! Short integers are read eight digits at a time. Decimals whose digits fit in 53 bits with an
//! exact power of ten (at most 10^22) need one division, which rounds correctly (Clinger's fast
//! path). The rest goes to `fast-float2`.

use super::blank::is_blank;
use super::digits::{read_digits, short_number, short_number_within};
use super::exponent::read_exponent;
use super::long::{AT_ONCE, long_decimal};
use super::point::decimal_point;
use super::powers::EXACT_POWERS;
use super::syntax::{NumberSyntax, after_zero, word};
use riverhawk_memory::ran_out;

/// The number at the start of `text`, and its length in bytes (with leading blanks; 0 without a
/// number).
///
/// Decimal only: `0x1A` is 0, one byte long. The words `+inf`, `-inf`, `+nan`, `-nan`, in any case,
/// count only if only blanks follow.
///
/// ```
/// use riverhawk_value::number::parse_prefix;
/// assert_eq!(parse_prefix(b" -12.5kg"), (-12.5, 6));
/// assert_eq!(parse_prefix(b"1e+"), (1.0, 1));
/// assert_eq!(parse_prefix(b"none"), (0.0, 0));
/// ```
#[inline]
pub fn parse_prefix(text: &[u8]) -> (f64, usize) {
    let mut at = 0;
    while at < text.len() && is_blank(text[at]) {
        at += 1;
    }
    let sign = text.get(at).copied().filter(|byte| matches!(byte, b'-' | b'+'));
    let negative = sign == Some(b'-');
    at += usize::from(sign.is_some());

    // A leading zero is rare, and begins every other form of number.
    if text.get(at) == Some(&b'0')
        && let Some((value, len)) = after_zero(&text[at..], sign)
    {
        // `-0x1F` stops at the x and is 0 without a sign, as in gawk.
        let cut_short = len == 1;
        return (if negative && !cut_short { -value } else { value }, at + len);
    }
    if let Some(value) = short_number(&text[at..]) {
        return (if negative { -value } else { value }, text.len());
    }
    if !may_begin_number(text) {
        return (0.0, 0);
    }
    let whole = if text.len() > AT_ONCE {
        if let Some((value, len)) = long_decimal(&text[at..]) {
            return (if negative { -value } else { value }, at + len);
        }
        // The number is not wanted any more, and what follows reads all digits.
        if ran_out() {
            return (0.0, 0);
        }
        read_digits(&[], 0)
    } else {
        read_digits(&text[at..], 0)
    };
    let next = text.get(at + whole.len).copied().unwrap_or(0);
    // The commonest text: a few digits, then neither point nor comma (which differ by one bit). 18
    // digits cannot overflow.
    let (value, len) = if whole.len.wrapping_sub(1) < 18 && next & !2 != b',' && next | 0x20 != b'e'
    {
        (whole.value as f64, whole.len)
    } else if let Some(simple) = simple_decimal(&text[at..], whole.value, whole.len) {
        simple
    } else if let Some(any) = unsigned(&text[at..], whole.value, whole.len) {
        any
    } else if let Some(word) = word(&text[at..]) {
        word
    } else if sign.is_some()
        && let Some(word) = special_word(&text[at..])
    {
        (word, 3)
    } else {
        return (0.0, 0);
    };
    (if negative { -value } else { value }, at + len)
}

/// The number of the longest numeric beginning of `text`, 0 if there is none.
///
/// ```
/// assert_eq!(riverhawk_value::number::to_number(b"3 apples"), 3.0);
/// ```
#[inline]
pub fn to_number(text: &[u8]) -> f64 {
    parse_prefix(text).0
}

/// As [`to_number`], of `text[start..end]`, which is quicker where bytes follow.
///
/// # Panics
/// If the range is not inside `text`.
#[inline(never)]
pub fn to_number_within(text: &[u8], start: usize, end: usize) -> f64 {
    match short_number_within(text, start, end) {
        Some(number) => number,
        None => parse_prefix(&text[start..end]).0,
    }
}

/// Words begin with letters: most texts end here.
#[inline]
fn may_begin_number(text: &[u8]) -> bool {
    match text.first() {
        Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b' ' | b'\t'..=b'\r') => true,
        Some(b',') => decimal_point() == b',',
        Some(b'i' | b'I' | b'n' | b'N') => NumberSyntax::get().is_posix(),
        _ => false,
    }
}

/// The number that all of `text` is, apart from blanks around it: the strnum rule.
///
/// ```
/// use riverhawk_value::number::looks_numeric;
/// assert_eq!(looks_numeric(b" +1e3\n"), Some(1000.0));
/// assert_eq!(looks_numeric(b"0x1A"), None);
/// assert_eq!(looks_numeric(b"inf"), None);
/// ```
#[inline]
pub fn looks_numeric(text: &[u8]) -> Option<f64> {
    if !may_begin_number(text) {
        return None;
    }
    let (value, len) = parse_prefix(text);
    (len > 0 && text[len..].iter().all(|&byte| is_blank(byte))).then_some(value)
}

/// Digits, a point, digits, no more than a double holds.
#[inline]
fn simple_decimal(text: &[u8], whole: u64, whole_len: usize) -> Option<(f64, usize)> {
    let fraction = read_digits(text.get(whole_len + 1..)?, whole);
    let len = whole_len + 1 + fraction.len;
    let is_simple = text[whole_len] == decimal_point()
        && (2..=20).contains(&len)
        && fraction.value < 1 << 53
        && !matches!(text.get(len), Some(b'e' | b'E'));
    is_simple.then(|| (fraction.value as f64 / EXACT_POWERS[fraction.len], len))
}

fn unsigned(text: &[u8], whole: u64, whole_len: usize) -> Option<(f64, usize)> {
    let mut len = whole_len;
    let mut digits = whole_len;
    let mut mantissa = whole;
    let mut exponent: i64 = 0;
    if text.get(len) == Some(&decimal_point()) {
        let fraction = read_digits(&text[len + 1..], mantissa);
        if whole_len + fraction.len > 0 {
            len += 1 + fraction.len;
        }
        mantissa = fraction.value;
        digits += fraction.len;
        exponent = -(fraction.len as i64);
    }
    if digits == 0 {
        return None;
    }
    if let Some(b'e' | b'E') = text.get(len)
        && let Some((written, written_len)) = read_exponent(&text[len + 1..])
    {
        exponent += written;
        len += 1 + written_len;
    }
    if digits <= 19 && mantissa < 1 << 53 && exponent.unsigned_abs() <= 22 {
        let power = EXACT_POWERS[exponent.unsigned_abs() as usize];
        let value = if exponent < 0 { mantissa as f64 / power } else { mantissa as f64 * power };
        return Some((value, len));
    }
    // This is a well-formed decimal, so it cannot fail.
    let value = match decimal_point() {
        b'.' => fast_float2::parse(&text[..len]),
        point => fast_float2::parse(
            text[..len]
                .iter()
                .map(|&byte| if byte == point { b'.' } else { byte })
                .collect::<Vec<u8>>(),
        ),
    };
    Some((value.unwrap_or(0.0), len))
}

#[cold]
fn special_word(text: &[u8]) -> Option<f64> {
    let (word, rest) = text.split_at_checked(3)?;
    let value = match word.to_ascii_lowercase().as_slice() {
        b"inf" => f64::INFINITY,
        b"nan" => f64::NAN.copysign(1.0),
        _ => return None,
    };
    rest.iter().all(|&byte| is_blank(byte)).then_some(value)
}
