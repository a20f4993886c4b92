//! Counting bytes and code points.

/// How many bytes of `text` are `needle`.
pub fn count_byte(text: &[u8], needle: u8) -> usize {
    crate::kernels::count_byte(text, needle)
}

/// The code points of valid UTF-8. In invalid text, counts bytes that are not continuation bytes.
pub fn count_code_points(text: &[u8]) -> usize {
    crate::kernels::count_code_points(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    #[test]
    fn counters_of_narrow_lanes_do_not_overflow_on_long_runs() {
        // Long enough to overflow 8-bit lanes.
        let text = vec![b'x'; 1_000_003];
        assert_eq!(crate::count_byte(&text, b'x'), text.len());
        assert_eq!(crate::count_code_points(&text), text.len());
    }

    #[test]
    fn every_short_length_counts_as_the_twin() {
        for length in 0..600 {
            let text: Vec<u8> = "añ日🦅\n".bytes().cycle().take(length).collect();
            assert_eq!(
                crate::count_byte(&text, b'\n'),
                crate::naive::count_byte(&text, b'\n'),
                "{length}"
            );
            assert_eq!(
                crate::count_code_points(&text),
                crate::naive::count_code_points(&text),
                "{length}"
            );
        }
    }

    proptest! {
        #[test]
        fn counts_equal_the_twins(text in proptest::collection::vec(any::<u8>(), 0..3000), needle: u8) {
            prop_assert_eq!(crate::count_byte(&text, needle), crate::naive::count_byte(&text, needle));
            prop_assert_eq!(crate::count_code_points(&text), crate::naive::count_code_points(&text));
        }

        #[test]
        fn code_points_of_a_string_are_its_chars(text: String) {
            prop_assert_eq!(crate::count_code_points(text.as_bytes()), text.chars().count());
        }
    }
}
