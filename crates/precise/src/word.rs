//! Integers of up to 64 and 128 bits as `dashu-int` holds them: in words, whose size is that of the
//! machine's. On machines of 32 bits a value of 64 bits takes one or two.

use dashu_int::UBig;

#[cfg(target_pointer_width = "64")]
mod this {
    use super::UBig;

    #[inline]
    pub(crate) fn of_word(integer: u64) -> UBig {
        UBig::from_word(integer)
    }

    #[inline]
    pub(crate) fn of_dword(integer: u128) -> UBig {
        UBig::from_dword(integer)
    }

    /// The value of an integer below 2^64 that is not zero.
    #[inline]
    pub(crate) fn word(integer: &UBig) -> Option<u64> {
        match *integer.as_words() {
            [word] => Some(word),
            _ => None,
        }
    }

    /// The value of an integer below 2^128 that is not zero.
    #[inline]
    pub(crate) fn dword(integer: &UBig) -> Option<u128> {
        match *integer.as_words() {
            [low] => Some(u128::from(low)),
            [low, high] => Some(u128::from(high) << 64 | u128::from(low)),
            _ => None,
        }
    }
}

#[cfg(not(target_pointer_width = "64"))]
mod this {
    use super::UBig;

    pub(crate) fn of_word(integer: u64) -> UBig {
        UBig::from(integer)
    }

    pub(crate) fn of_dword(integer: u128) -> UBig {
        UBig::from(integer)
    }

    /// The value of an integer below 2^64 that is not zero.
    pub(crate) fn word(integer: &UBig) -> Option<u64> {
        u64::try_from(integer).ok().filter(|&word| word != 0)
    }

    /// The value of an integer below 2^128 that is not zero.
    pub(crate) fn dword(integer: &UBig) -> Option<u128> {
        u128::try_from(integer).ok().filter(|&dword| dword != 0)
    }
}

pub(crate) use this::{dword, of_dword, of_word, word};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_of_one_and_two_words_come_back() {
        for value in [1u64, 7, u64::from(u32::MAX), 1 << 32, u64::MAX] {
            assert_eq!(word(&of_word(value)), Some(value));
            assert_eq!(dword(&of_word(value)), Some(value.into()));
            let wide = u128::from(value) << 64 | 5;
            assert_eq!(word(&of_dword(wide)), None);
            assert_eq!(dword(&of_dword(wide)), Some(wide));
        }
        let too_wide = UBig::ONE << 128usize;
        assert_eq!((word(&UBig::ZERO), dword(&UBig::ZERO), dword(&too_wide)), (None, None, None));
    }
}
