//! A decimal number in its field, every byte written once, in its place.
//!
//! The digits are counted first: moving them behind their padding or apart for the point takes
//! longer than making them, since bytes stored one by one cannot be loaded together until they have
//! left the store buffer.

use super::layout::Layout;
use crate::number::decimal_point;
use riverhawk_memory::Growing;
use riverhawk_precise::Sign;

/// Bytes of the widest field that is written this way. Whatever a `u64` and its sign need is less.
const ROOM: usize = 64;

/// The widest field asked for that is written this way: what is wider may not fit in memory, and is
/// for others to try.
const WIDEST: usize = 40;

/// 00, 01 and so on to 99.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut at = 0;
    while at < 100 {
        pairs[at] = [b'0' + at as u8 / 10, b'0' + at as u8 % 10];
        at += 1;
    }
    pairs
};

/// Appends a number that is `digits` with a point before its last `places` digits, or with none if
/// these are 0; false, and nothing is appended, if the field is none for this way. There are at
/// most the 22 places that [`fixed_digits`](crate::number::fixed_digits) gives. Neither grouping
/// nor a precision of integers is looked at.
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

/// Puts the last `count` digits of `value` before `end`: where they begin, and what is left.
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
