//! A decimal number in its field, every byte written once. Digits are counted first, since moving
//! bytes just stored one by one waits for the store buffer.

use super::layout::Layout;
use crate::number::decimal_point;
use riverhawk_memory::Growing;
use riverhawk_precise::Sign;

/// Bytes of the buffer, more than a `u64` with its sign needs.
const ROOM: usize = 64;

/// Wider fields may not fit in memory, and are handled elsewhere.
const WIDEST: usize = 40;

const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut at = 0;
    while at < 100 {
        pairs[at] = [b'0' + at as u8 / 10, b'0' + at as u8 % 10];
        at += 1;
    }
    pairs
};

/// Appends `digits` with a point before the last `places`, at most 22. False, and unchanged, if the
/// field is too wide. Ignores grouping and integer precision.
#[inline]
pub(super) fn write(
    sign: Sign,
    digits: u64,
    places: usize,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> bool {
    if layout.width > WIDEST {
        return false;
    }
    let sign = layout.sign(sign);
    let count = (digits.checked_ilog10().unwrap_or(0) as usize + 1).max(places + 1);
    let body = sign.len() + count + usize::from(places > 0);
    let total = body.max(layout.width);
    let zeros = layout.flags.zero && !layout.flags.left;
    let end = if layout.flags.left { body } else { total };
    let mut field = [if zeros { b'0' } else { b' ' }; ROOM];
    let (mut at, mut rest) = (end, digits);
    if places > 0 {
        (at, rest) = put(&mut field, at, rest, places);
        at -= 1;
        field[at] = decimal_point();
    }
    (at, _) = put(&mut field, at, rest, count - places);
    if let Some(sign) = sign.first() {
        field[if zeros { 0 } else { at - 1 }] = *sign;
    }
    let start = out.len();
    out.extend_by(&field);
    out.truncate(start + total);
    true
}

#[inline(always)]
fn put(field: &mut [u8; ROOM], end: usize, mut value: u64, count: usize) -> (usize, u64) {
    let start = end - count;
    let mut at = end;
    while at >= start + 2 {
        at -= 2;
        field[at..at + 2].copy_from_slice(&PAIRS[(value % 100) as usize]);
        value /= 100;
    }
    if at > start {
        at -= 1;
        field[at] = b'0' + (value % 10) as u8;
        value /= 10;
    }
    (at, value)
}
