//! Decimal digits eight at a time: one load, one test and three multiplications instead of a loop.

/// A run of decimal digits at the start of a text.
pub(super) struct Run {
    /// Value of the digits, modulo 2^64: exact up to 19 digits.
    pub(super) value: u64,
    /// How many digits.
    pub(super) len: usize,
}

/// Reads the digits at the start of `text`, continuing the number `value`.
#[inline]
pub(super) fn read_digits(text: &[u8], mut value: u64) -> Run {
    let mut len = 0;
    loop {
        let (word, available) = load(&text[len..]);
        let count = count_digits(word).min(available);
        if count == 0 {
            return Run { value, len };
        }
        // The digits move to the high end; the bytes below become leading zeros.
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

/// The first eight bytes of `text`, first byte lowest, and how many there were. Missing ones are 0, which is no digit.
#[inline]
fn load(text: &[u8]) -> (u64, usize) {
    if let Some(chunk) = text.first_chunk::<8>() {
        return (u64::from_le_bytes(*chunk), 8);
    }
    // Two overlapping reads: fields are short, and a loop over their bytes costs as much as the rest together.
    let len = text.len();
    let word = match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << (8 * (len - 4))
        }
        _ => text.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    };
    (word, len)
}

/// How many of the low bytes of `word` are digits before the first that is not.
#[inline]
fn count_digits(word: u64) -> usize {
    let values = word ^ ZEROS;
    // Bit 7 of a byte is set if it is no digit; a carry spoils only bytes above the first such one.
    let marks = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    marks.trailing_zeros() as usize / 8
}

/// The number that eight digit values make, the first digit in the lowest byte (Lemire's SWAR conversion).
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
    use super::read_digits;

    #[test]
    fn reads_runs_of_every_length_whatever_follows_them() {
        let digits = "1234567890123456789";
        for len in 0..=digits.len() {
            for tail in ["", " ", ".", "/", ":", "x", "\u{ff}", "a longer tail 12345"] {
                let text = format!("{}{tail}", &digits[..len]);
                let run = read_digits(text.as_bytes(), 0);
                assert_eq!((run.len, run.value), (len, digits[..len].parse().unwrap_or(0)), "{text}");
            }
        }
    }

    #[test]
    fn continues_a_number_already_begun() {
        assert_eq!(read_digits(b"45e", 123).value, 12345);
    }
}
