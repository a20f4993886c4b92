//! Short texts as keys: two words, so that hashing and comparing them takes no loop.

use crate::number::whole_number;
use crate::small::{SMALL_CAPACITY, SmallStr, halves_in, halves_of};
use crate::value::Value;

/// A text of up to [`SMALL_CAPACITY`] bytes, as the halves of the value that holds it
/// ([`SmallStr::halves`]): so a value and an entry are compared as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortKey {
    // Two fields rather than an array: so they are passed in registers.
    low: u64,
    high: u64,
}

impl ShortKey {
    /// `None` if too long.
    #[inline]
    pub(super) fn new(text: &[u8]) -> Option<ShortKey> {
        SmallStr::new(text).map(|small| ShortKey::of_halves(small.halves()))
    }

    #[inline(always)]
    pub(super) fn of_halves([low, high]: [u64; 2]) -> ShortKey {
        ShortKey { low, high }
    }

    /// `text[start..end]`, or `None` if too long. Mostly one load and a mask, as for
    /// [`SmallStr::slice_of`].
    ///
    /// # Panics
    /// If the range is not inside `text`.
    #[inline(always)]
    pub(crate) fn slice_of(text: &[u8], start: usize, end: usize) -> Option<ShortKey> {
        let len = end - start;
        if len > SMALL_CAPACITY {
            return None;
        }
        match halves_of(text, start, len) {
            Some(halves) => Some(ShortKey::of_halves(halves)),
            None => ShortKey::new(&text[start..end]),
        }
    }

    /// Of a value that is a short text.
    #[inline(always)]
    pub(super) fn of_text(value: &Value, record: &[u8]) -> Option<ShortKey> {
        match value {
            Value::View(view) => ShortKey::slice_of(record, view.start as usize, view.end as usize),
            _ => value.small_halves().map(ShortKey::of_halves),
        }
    }

    /// As [`ShortKey::of_text`], without a call: `None` also of a view near the end of `record`.
    #[inline(always)]
    pub(super) fn loaded(value: &Value, record: &[u8]) -> Option<ShortKey> {
        let Value::View(view) = value else {
            return value.small_halves().map(ShortKey::of_halves);
        };
        let (start, len) = (view.start as usize, (view.end - view.start) as usize);
        let bytes = record.get(start..start + SMALL_CAPACITY)?.first_chunk()?;
        (len <= SMALL_CAPACITY).then(|| ShortKey::of_halves(halves_in(bytes, len)))
    }

    #[inline(always)]
    fn len(self) -> usize {
        (self.low >> 8) as u8 as usize
    }

    #[inline(always)]
    fn first_byte(self) -> u8 {
        (self.low >> 16) as u8
    }

    /// The text.
    #[inline]
    pub fn to_small(self) -> SmallStr {
        SmallStr::of_halves([self.low, self.high])
    }

    /// The text as input.
    #[inline(always)]
    pub(crate) fn to_input(self) -> Value {
        Value::small_input([self.low, self.high])
    }

    /// All bits, the length included.
    #[inline(always)]
    pub(super) fn bits(self) -> u128 {
        u128::from(self.low) | u128::from(self.high) << 64
    }

    /// Whether it may be spelled like an integer: most words are not.
    #[inline(always)]
    pub(super) fn may_be_integer(self) -> bool {
        // A minus sign, a digit, and a few others that do not matter.
        self.first_byte().wrapping_sub(b'-') <= b'9' - b'-'
    }

    /// Whether it begins with up to eight digits: no address, no date.
    #[inline(always)]
    pub(super) fn has_digits_first(self) -> bool {
        self.may_be_integer() && whole_number(self.first_word(), self.len().clamp(1, 8)).is_some()
    }

    #[inline(always)]
    fn first_word(self) -> u64 {
        self.low >> 16 | self.high << 48
    }

    /// The integer that awk would print so.
    #[inline(never)]
    pub(super) fn integer(self) -> Option<i64> {
        let first_word = self.first_word();
        match (self.first_byte(), self.len()) {
            (b'0', 1) => Some(0),
            (b'1'..=b'9', len @ 1..=8) => whole_number(first_word, len),
            // Addresses and dates mostly end here.
            (b'1'..=b'9', _) if whole_number(first_word, 8).is_none() => None,
            _ => canonical_integer(self.to_small().as_bytes()),
        }
    }
}

/// The integer of at most 15 digits that awk would print as `text`.
pub(super) fn canonical_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    match digits {
        [b'0'] if !negative => return Some(0),
        [b'1'..=b'9', ..] if digits.len() <= 15 => {}
        _ => return None,
    }
    let mut integer = 0i64;
    for &digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        integer = integer * 10 + i64::from(digit);
    }
    Some(if negative { -integer } else { integer })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_its_text_however_it_was_made() {
        let text = b"abcdefghijklmnopqrstuvwxyz0123";
        for start in 0..text.len() {
            for end in start..text.len() {
                let small = SmallStr::new(&text[start..end]);
                let of_small = small.map(|small| ShortKey::of_halves(small.halves()));
                let value = small.map(Value::Small);
                let of_value = value.and_then(|value| ShortKey::of_text(&value, b""));
                assert_eq!(of_value, of_small);
                assert_eq!(ShortKey::new(&text[start..end]), of_small);
                assert_eq!(ShortKey::slice_of(text, start, end), of_small);
                assert_eq!(of_small.map(ShortKey::to_small), small);
            }
        }
    }

    #[test]
    fn keys_that_differ_in_a_byte_or_only_in_zeros_at_the_end_differ() {
        let text = [0; SMALL_CAPACITY];
        let keys = (0..=SMALL_CAPACITY).map(|len| ShortKey::new(&text[..len]).expect("fits"));
        let keys: Vec<ShortKey> = keys.collect();
        for (len, key) in keys.iter().enumerate() {
            for (other_len, other) in keys.iter().enumerate() {
                assert_eq!(key == other, len == other_len);
                assert_eq!(key.bits() == other.bits(), len == other_len);
            }
            for at in 0..len {
                let mut other = text;
                other[at] = 1;
                assert_ne!(ShortKey::new(&other[..len]), Some(*key));
            }
        }
    }

    #[test]
    fn integers_are_known_as_by_their_text() {
        let digits = (0..14).flat_map(|power| {
            let power = 10i64.pow(power);
            [power - 1, power, power + 7, -power, 3 * power]
        });
        let numbers = digits.map(|number| number.to_string());
        let others = [
            "",
            "-",
            "-0",
            "00",
            "01",
            "-01",
            "1.0",
            "1e3",
            "12a",
            "a12",
            "/1",
            "1/",
            "1:",
            "12345678x",
            "1234567:",
            "+1",
            " 1",
            "1 ",
            ".5",
            "1\0",
            "\0",
        ];
        for text in numbers.chain(others.map(String::from)) {
            let Some(key) = ShortKey::new(text.as_bytes()) else { continue };
            assert_eq!(key.integer(), canonical_integer(text.as_bytes()), "{text:?}");
            assert!(key.integer().is_none() || key.may_be_integer(), "{text:?}");
        }
    }
}
