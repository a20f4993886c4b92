//! Strings of up to 14 bytes inside the value: no allocation, no reference count.

use crate::number::first_word;

/// The longest [`SmallStr`], in bytes: a 16-byte value without tag and length.
pub const SMALL_CAPACITY: usize = 14;

/// A string of at most [`SMALL_CAPACITY`] bytes. Bytes past the length are zero, so equal texts are
/// equal bit for bit.
///
/// The bytes are parts that lie within the halves of a [`Value`](crate::Value), so that a text is
/// made and copied in registers. As an array it went through memory, and each load that spanned two
/// stores waited for both: half the time of a short concatenation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(C, packed)]
pub struct SmallStr {
    len: u8,
    first: u16,
    second: u32,
    last: u64,
}

impl SmallStr {
    /// The empty string.
    pub const EMPTY: SmallStr = SmallStr { len: 0, first: 0, second: 0, last: 0 };

    /// A copy of `text`, or `None` if too long.
    #[inline]
    pub fn new(text: &[u8]) -> Option<SmallStr> {
        let len = text.len();
        if len > SMALL_CAPACITY {
            return None;
        }
        Some(SmallStr::of_words(words_of(text).into(), len))
    }

    /// The digits of a whole number, or `None` if negative or above eight digits. All are made at
    /// once in one word.
    #[inline]
    pub fn of_integer(number: i64) -> Option<SmallStr> {
        let number = u64::try_from(number).ok().filter(|&number| number < 100_000_000)?;
        // Two halves of four digits, four quarters of two, eight digits, the first in the lowest
        // byte. The products are exact quotients by 100 and 10 here.
        let halves = (number / 10_000) | (number % 10_000) << 32;
        let hundreds = ((halves * 10_486) >> 20) & 0x0000_007f_0000_007f;
        let quarters = hundreds | (halves - hundreds * 100) << 16;
        let tens = ((quarters * 103) >> 10) & 0x000f_000f_000f_000f;
        let digits = tens | (quarters - tens * 10) << 8;
        // Skip leading zeros, but keep the last digit.
        let zeros = (digits | 1 << 56).trailing_zeros() / 8;
        let text = (digits | 0x3030_3030_3030_3030) >> (8 * zeros);
        Some(SmallStr::of_words([text, 0], 8 - zeros as usize))
    }

    /// Two texts joined, or `None` if too long. A shift suffices, as zeros follow the first.
    #[inline]
    pub fn joined(self, other: SmallStr) -> Option<SmallStr> {
        let len = self.len() + other.len();
        if len > SMALL_CAPACITY {
            return None;
        }
        Some(SmallStr::of_wide(self.wide() | other.wide() << (8 * u32::from(self.len)), len))
    }

    /// The bytes in two words, the first in the lowest bits.
    #[inline(always)]
    fn words(&self) -> [u64; 2] {
        let [low, high] = self.halves();
        [low >> 16 | high << 48, high >> 16]
    }

    /// What [`SmallStr::words`] gives, with the length.
    #[inline(always)]
    fn of_words([low, high]: [u64; 2], len: usize) -> SmallStr {
        SmallStr::of_halves([(len as u64) << 8 | low << 16, low >> 48 | high << 16])
    }

    /// The 16 bytes of a value that holds it, but zero for the tag: the first in the lowest bits of
    /// the first word.
    #[inline(always)]
    pub fn halves(&self) -> [u64; 2] {
        let [first, second] =
            [u64::from(u16::from_le(self.first)), u64::from(u32::from_le(self.second))];
        [u64::from(self.len) << 8 | first << 16 | second << 32, u64::from_le(self.last)]
    }

    /// What [`SmallStr::halves`] gives.
    #[inline(always)]
    pub(crate) fn of_halves([low, high]: [u64; 2]) -> SmallStr {
        SmallStr {
            len: (low >> 8) as u8,
            first: ((low >> 16) as u16).to_le(),
            second: ((low >> 32) as u32).to_le(),
            last: high.to_le(),
        }
    }

    #[inline(always)]
    fn of_wide(wide: u128, len: usize) -> SmallStr {
        SmallStr::of_words([wide as u64, (wide >> 64) as u64], len)
    }

    #[inline(always)]
    fn wide(self) -> u128 {
        let [low, high] = self.words();
        u128::from(low) | u128::from(high) << 64
    }

    /// Whether every byte is ASCII.
    #[inline]
    pub fn is_ascii(self) -> bool {
        self.wide() & 0x8080_8080_8080_8080_8080_8080_8080_8080 == 0
    }

    /// With ASCII letters in lower case, eight bytes at once; `None` unless every byte is ASCII.
    #[inline]
    pub fn ascii_lowercase(self) -> Option<SmallStr> {
        self.with_case(|word| word | letters(word, b'A') >> 2)
    }

    /// With ASCII letters in upper case; `None` unless every byte is ASCII.
    #[inline]
    pub fn ascii_uppercase(self) -> Option<SmallStr> {
        self.with_case(|word| word & !(letters(word, b'a') >> 2))
    }

    #[inline(always)]
    fn with_case(self, change: impl Fn(u64) -> u64) -> Option<SmallStr> {
        let [low, high] = self.words();
        self.is_ascii().then(|| SmallStr::of_words([change(low), change(high)], self.len()))
    }

    /// The text and zeros.
    #[inline]
    pub fn padded(&self) -> &[u8; SMALL_CAPACITY] {
        const AT: usize = std::mem::offset_of!(SmallStr, first);
        const _: () = assert!(size_of::<SmallStr>() == AT + SMALL_CAPACITY);
        // SAFETY: the parts lie behind each other, without gaps.
        unsafe { &*std::ptr::from_ref(self).cast::<u8>().add(AT).cast() }
    }

    /// Appends the text to another. Copying all bytes and truncating avoids a call.
    #[inline]
    pub fn append_to(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.len();
        out.extend_from_slice(self.padded());
        out.truncate(end);
    }

    /// A copy of `text[start..end]`, or `None` if too long. Mostly one load and a mask, since the
    /// lengths of fields defeat branch prediction.
    ///
    /// # Panics
    /// If the range is not inside `text`.
    #[inline(always)]
    pub fn slice_of(text: &[u8], start: usize, end: usize) -> Option<SmallStr> {
        let len = end - start;
        if len > SMALL_CAPACITY {
            return None;
        }
        match halves_of(text, start, len) {
            Some(halves) => Some(SmallStr::of_halves(halves)),
            None => Some(SmallStr::of_words(words_of(&text[start..end]).into(), len)),
        }
    }

    /// The text.
    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        // `min` lets the compiler drop the bounds check.
        &self.padded()[..self.len().min(SMALL_CAPACITY)]
    }

    /// Length in bytes.
    #[inline]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no byte.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The highest bit of each byte that is one of 26 letters from `first` on; all bytes are ASCII, so
/// that no sum reaches the next byte.
#[inline(always)]
fn letters(word: u64, first: u8) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let from = |byte: u8| word + ONES * u64::from(0x80 - byte);
    from(first) & !from(first + 26) & (ONES << 7)
}

/// See [`SmallStr::words`]. A pair comes from a call in registers, a text or an array in memory.
#[inline(never)]
fn words_of(text: &[u8]) -> (u64, u64) {
    (first_word(text), second_word(text))
}

/// The bytes of a short text from the ninth on, the first in the lowest bits.
#[inline(always)]
fn second_word(text: &[u8]) -> u64 {
    match text.last_chunk::<8>() {
        // In two steps, as there is no shift by 64.
        Some(last) => (u64::from_le_bytes(*last) >> (120 - 8 * text.len())) >> 8,
        None => 0,
    }
}

/// The [`SmallStr::halves`] of `len` bytes of `text` from `start` on, at most [`SMALL_CAPACITY`];
/// `None` if the text is shorter than that.
#[inline(always)]
pub(crate) fn halves_of(text: &[u8], start: usize, len: usize) -> Option<[u64; 2]> {
    if let Some(bytes) = text[start..].first_chunk() {
        return Some(halves_in(bytes, len));
    }
    // What is near the end comes with the bytes before it.
    let [first, last] = ends_of(text.last_chunk()?);
    let behind = SMALL_CAPACITY - (text.len() - start);
    let wide = u128::from(first) | u128::from(last >> 16) << 64;
    let wide = wide.unbounded_shr(8 * behind as u32);
    Some(kept([wide as u64, (wide >> 48) as u64], len))
}

/// The [`SmallStr::halves`] of the first `len` bytes. Each half is loaded by itself: to shift bits
/// from one to the other takes longer.
#[inline(always)]
pub(crate) fn halves_in(bytes: &[u8; SMALL_CAPACITY], len: usize) -> [u64; 2] {
    kept(ends_of(bytes), len)
}

#[inline(always)]
fn kept([first, last]: [u64; 2], len: usize) -> [u64; 2] {
    let [low, high] = HALVES_KEPT[len];
    [first << 16 & low | (len as u64) << 8, last & high]
}

/// The first and the last eight bytes.
#[inline(always)]
fn ends_of(bytes: &[u8; SMALL_CAPACITY]) -> [u64; 2] {
    let word = |part: Option<&[u8; 8]>| part.map_or(0, |part| u64::from_le_bytes(*part));
    [word(bytes.first_chunk()), word(bytes.last_chunk())]
}

/// The text's bits in the halves. A load costs less than making a mask of two words by shifts.
static HALVES_KEPT: [[u64; 2]; SMALL_CAPACITY + 1] = {
    let mut masks = [[0; 2]; SMALL_CAPACITY + 1];
    let mut len = 0;
    while len <= SMALL_CAPACITY {
        let wide = ((1u128 << (8 * len)) - 1) << 16;
        masks[len] = [wide as u64, (wide >> 64) as u64];
        len += 1;
    }
    masks
};

impl std::fmt::Debug for SmallStr {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_is_what_a_copy_of_it_is_with_and_without_room_behind() {
        let text = b"abcdefghijklmnopqrstuvwxyz0123";
        for text in (0..=text.len()).map(|length| &text[..length]) {
            for start in 0..=text.len() {
                for end in start..=text.len() {
                    let copy = SmallStr::new(&text[start..end]);
                    assert_eq!(SmallStr::slice_of(text, start, end), copy);
                }
            }
        }
    }

    #[test]
    fn whole_numbers_of_up_to_eight_digits_are_spelled_like_themselves() {
        let powers = (0..8).flat_map(|power| (-2..3).map(move |near| 10i64.pow(power) + near));
        for number in
            (0..20_000).chain((0..100_000_000).step_by(9_973)).chain(powers).chain([99_999_999])
        {
            let expected =
                if number < 0 { None } else { SmallStr::new(number.to_string().as_bytes()) };
            assert_eq!(SmallStr::of_integer(number), expected, "{number}");
        }
        for other in [-1, 100_000_000, i64::MAX, i64::MIN] {
            assert_eq!(SmallStr::of_integer(other), None);
        }
    }

    #[test]
    fn letters_change_their_case_and_nothing_else_does() {
        for byte in 0..=u8::MAX {
            for (at, len) in (0..SMALL_CAPACITY).flat_map(|at| [(at, at + 1), (at, SMALL_CAPACITY)])
            {
                let mut text = [b'[', b'@', b'Z', b'z', b'`', b'{', 0, 127, b'a', b'A'].repeat(2);
                text.truncate(len);
                text[at] = byte;
                let small = SmallStr::new(&text).expect("fits");
                let [lower, upper] = [text.to_ascii_lowercase(), text.to_ascii_uppercase()]
                    .map(|text| SmallStr::new(&text).filter(|_| byte.is_ascii()));
                assert_eq!((small.ascii_lowercase(), small.ascii_uppercase()), (lower, upper));
            }
        }
    }

    #[test]
    fn two_are_joined_as_their_bytes_are_and_refused_when_too_long() {
        let text = b"abcdefghijk\xc3\xa9m";
        for middle in 0..=text.len() {
            for (start, end) in
                [(0, text.len()), (0, middle), (middle, text.len()), (middle / 2, middle)]
            {
                let [first, second] =
                    [&text[start..middle.max(start)], &text[middle.min(end)..end]];
                let [a, b] = [first, second].map(|part| SmallStr::new(part).expect("fits"));
                assert_eq!(a.joined(b), SmallStr::new(&[first, second].concat()));
                assert_eq!(a.is_ascii(), first.is_ascii());
                let mut out = second.to_vec();
                a.append_to(&mut out);
                assert_eq!(out, [second, first].concat());
            }
        }
        let eight = SmallStr::new(b"12345678").expect("fits");
        assert_eq!((eight.joined(eight), eight.joined(SmallStr::EMPTY)), (None, Some(eight)));
    }

    #[test]
    fn every_length_up_to_the_capacity_round_trips_and_longer_is_refused() {
        let text = b"abcdefghijklmnop";
        for len in 0..=SMALL_CAPACITY {
            let small = SmallStr::new(&text[..len]).expect("fits");
            assert_eq!(small.as_bytes(), &text[..len]);
            assert_eq!(small.len(), len);
            assert!(small.padded()[len..].iter().all(|&byte| byte == 0));
        }
        assert!(SmallStr::new(&text[..SMALL_CAPACITY + 1]).is_none());
    }
}
