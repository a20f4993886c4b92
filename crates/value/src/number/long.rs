//! Numbers of more digits than one look takes: their end is searched for in pieces, and only digits
//! that can matter are converted.

use std::io::Write;

use riverhawk_memory::ran_out;

use super::exponent::read_exponent;
use super::point::decimal_point;

/// Longer texts are read here: a tenth of a millisecond of digits.
pub(super) const AT_ONCE: usize = 1 << 20;

/// Of a double and the middle between two at most 767 digits differ from zero. If anything follows
/// those kept, one digit more stands for it.
const KEPT: usize = 800;

/// A decimal number without sign at the start of `text`, and its length; `None` if there is none, or
/// memory has run out.
#[cold]
pub(super) fn long_decimal(text: &[u8]) -> Option<(f64, usize)> {
    let whole = leading(text, |byte| byte.is_ascii_digit());
    let fraction = match text.get(whole) == Some(&decimal_point()) {
        true => leading(&text[whole + 1..], |byte| byte.is_ascii_digit()),
        false => 0,
    };
    if whole + fraction == 0 || ran_out() {
        return None;
    }
    let mut len = match text.get(whole) == Some(&decimal_point()) {
        true => whole + 1 + fraction,
        false => whole,
    };
    let mut exponent = whole as i64;
    let digits = (&text[..whole], &text[len - fraction..len]);
    if let Some(b'e' | b'E') = text.get(len)
        && let Some((written, written_len)) = read_exponent(&text[len + 1..])
    {
        exponent = exponent.saturating_add(written);
        len += 1 + written_len;
    }
    Some((value(digits.0, digits.1, exponent)?, len))
}

/// `0.` and these digits, times ten to this power.
fn value(whole: &[u8], fraction: &[u8], exponent: i64) -> Option<f64> {
    let is_zero = |byte: u8| byte == b'0';
    let mut zeros = leading(whole, is_zero);
    if zeros == whole.len() {
        zeros += leading(fraction, is_zero);
    }
    let (whole, fraction) = match whole.get(zeros..) {
        Some(whole) => (whole, fraction),
        None => (&whole[..0], &fraction[zeros - whole.len()..]),
    };
    let kept = whole.len().min(KEPT);
    let kept_of_fraction = fraction.len().min(KEPT - kept);
    let rest = (&whole[kept..], &fraction[kept_of_fraction..]);
    let mut text = Vec::with_capacity(KEPT + 32);
    text.extend_from_slice(b"0.");
    text.extend_from_slice(&whole[..kept]);
    text.extend_from_slice(&fraction[..kept_of_fraction]);
    if [rest.0, rest.1].into_iter().any(|rest| leading(rest, is_zero) < rest.len()) {
        text.push(b'1');
    }
    // Without digits it is zero.
    text.push(b'0');
    let power = exponent.saturating_sub(i64::try_from(zeros).unwrap_or(i64::MAX));
    write!(text, "e{power}").ok()?;
    (!ran_out()).then(|| fast_float2::parse(&text).unwrap_or(0.0))
}

/// How many bytes from the start are of a kind; fewer if memory runs out.
fn leading(text: &[u8], is_one: impl Fn(u8) -> bool) -> usize {
    let mut len = 0;
    for piece in text.chunks(AT_ONCE) {
        // Blocks without a branch in them, then bytes.
        let blocks = piece.chunks_exact(64);
        let whole = 64 * blocks.take_while(|block| block.iter().all(|&b| is_one(b))).count();
        let rest = piece[whole..].iter().take_while(|&&byte| is_one(byte)).count();
        len += whole + rest;
        if whole + rest < piece.len() || ran_out() {
            return len;
        }
    }
    len
}

#[cfg(test)]
mod tests {
    use super::{AT_ONCE, KEPT, long_decimal};
    use crate::number::parse_prefix;

    #[test]
    fn numbers_are_those_of_the_short_way() {
        let half = format!("9007199254740993{}", "0".repeat(KEPT));
        let above = format!("{half}{}1", "0".repeat(30));
        let fraction = format!("1.{}1", "0".repeat(2 * KEPT));
        let small = format!("0.{}123e{}", "0".repeat(KEPT), KEPT + 3);
        let both = format!("{}.{}", "7".repeat(KEPT - 1), "5".repeat(KEPT));
        let tie = "0.500000000000000166533453693773481063544750213623046875".to_owned();
        let past_tie = format!("{tie}{}1x", "0".repeat(KEPT));
        for text in [
            "0",
            "00012.50",
            "1e5",
            "12e",
            "12e+",
            "1.",
            ".5",
            "0.0",
            "000",
            "1e999",
            "1e-999",
            "5.e2z",
            "12a",
            "3 apples",
            "1e99999999999999999999",
            &half,
            &above,
            &fraction,
            &small,
            &both,
            &tie,
            &past_tie,
        ] {
            let (value, len) = parse_prefix(text.as_bytes());
            let long = long_decimal(text.as_bytes());
            assert_eq!(
                long.map(|(value, len)| (value.to_bits(), len)),
                Some((value.to_bits(), len)),
                "{text}"
            );
        }
        for text in ["", ".", "e5", "-1", "x"] {
            assert_eq!(long_decimal(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn texts_of_several_pieces_are_read_to_their_end() {
        let nines = "9".repeat(2 * AT_ONCE + 77);
        assert_eq!(parse_prefix(format!(" +{nines}e-{} x", nines.len()).as_bytes()).0, 1.0);
        assert_eq!(
            parse_prefix(format!("-{nines}").as_bytes()),
            (f64::NEG_INFINITY, nines.len() + 1)
        );
        let zeros = "0".repeat(2 * AT_ONCE);
        assert_eq!(parse_prefix(format!("{zeros}.{zeros}25e{}", zeros.len()).as_bytes()).0, 0.25);
        let blanks = " ".repeat(2 * AT_ONCE);
        assert_eq!(parse_prefix(format!("12.5{blanks}").as_bytes()), (12.5, 4));
        assert_eq!(parse_prefix(format!("+inf{blanks}").as_bytes()), (f64::INFINITY, 4));
        assert_eq!(parse_prefix(format!("+inf{blanks}x").as_bytes()), (0.0, 0));
        assert_eq!(parse_prefix(format!("{blanks}12").as_bytes()), (12.0, blanks.len() + 2));
        assert_eq!(parse_prefix(format!("x{blanks}").as_bytes()), (0.0, 0));
    }
}
