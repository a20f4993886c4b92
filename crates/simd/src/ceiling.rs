//! The first byte that reaches a limit.

/// The position of the first byte that is `limit` or more, or is `except`.
///
/// In UTF-8 this finds where text stops being ASCII, or below U+0300, or free of carriage returns.
///
/// ```
/// assert_eq!(riverhawk_simd::first_not_below(b"plain\r\n", 0x80, b'\r'), Some(5));
/// assert_eq!(riverhawk_simd::first_not_below("naïve".as_bytes(), 0xCC, b'\r'), None);
/// ```
#[inline]
pub fn first_not_below(text: &[u8], limit: u8, except: u8) -> Option<usize> {
    crate::kernels::first_not_below(text, limit, except)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    #[test]
    fn the_first_of_several_is_found_at_every_place_of_every_length() {
        for length in 0..300 {
            let mut text = vec![b'x'; length];
            assert_eq!(crate::first_not_below(&text, 0x80, b'\r'), None, "{length}");
            for at in (0..length).rev() {
                text[at] = if at % 2 == 0 { b'\r' } else { 0xC3 };
                assert_eq!(crate::first_not_below(&text, 0x80, b'\r'), Some(at), "{length} {at}");
            }
        }
    }

    #[test]
    fn zero_bytes_beyond_a_short_text_are_not_found() {
        assert_eq!(crate::first_not_below(b"abc", 0x80, 0), None);
        assert_eq!(crate::first_not_below(b"abc", 0, 0), Some(0));
        assert_eq!(crate::first_not_below(b"", 0, 0), None);
    }

    proptest! {
        #[test]
        fn positions_equal_the_twin(
            text in proptest::collection::vec(prop_oneof![20 => 0u8..0xCC, 1 => any::<u8>()], 0..600),
            limit: u8,
            except: u8,
        ) {
            for limit in [limit, 0x80, 0xCC] {
                let twin = crate::naive::first_not_below(&text, limit, except);
                prop_assert_eq!(crate::first_not_below(&text, limit, except), twin);
            }
        }
    }
}
