//! The exponent of a decimal number.

use super::digits::read_digits;

/// Exponents beyond this give infinity or zero, whatever digits fit in memory.
const EXPONENT_LIMIT: u64 = 1 << 60;

/// What follows an `e`, and its length; `None` if it is no exponent.
pub(super) fn read_exponent(text: &[u8]) -> Option<(i64, usize)> {
    let negative = text.first() == Some(&b'-');
    let sign_len = usize::from(negative || text.first() == Some(&b'+'));
    // Leading zeros do not make it large.
    let zeros = text[sign_len..].iter().take_while(|&&byte| byte == b'0').count();
    let run = read_digits(&text[sign_len + zeros..], 0);
    let magnitude =
        if run.len > 18 { EXPONENT_LIMIT } else { run.value.min(EXPONENT_LIMIT) } as i64;
    let len = zeros + run.len;
    (len > 0).then_some((if negative { -magnitude } else { magnitude }, sign_len + len))
}
