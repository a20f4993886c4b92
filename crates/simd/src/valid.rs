//! Whether a text is UTF-8.

/// The text is not UTF-8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidUtf8 {
    /// Length of the valid prefix.
    pub valid_up_to: usize,
    /// Length of the broken sequence, 1 to 3; `None` when the text ends inside one.
    pub broken: Option<u8>,
}

impl core::fmt::Display for InvalidUtf8 {
    fn fmt(&self, out: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.broken {
            Some(length) => {
                write!(out, "invalid UTF-8: {length} byte(s) at position {}", self.valid_up_to)
            }
            None => {
                write!(out, "incomplete UTF-8 sequence at the end, position {}", self.valid_up_to)
            }
        }
    }
}

impl core::error::Error for InvalidUtf8 {}

/// The text as a string, or where it stops being UTF-8.
///
/// # Errors
/// [`InvalidUtf8`] has the first broken sequence.
pub fn validate_utf8(text: &[u8]) -> Result<&str, InvalidUtf8> {
    // `basic` is faster on valid text; `compat` finds the position.
    simdutf8::basic::from_utf8(text).map_err(|_| match simdutf8::compat::from_utf8(text) {
        Err(error) => InvalidUtf8 {
            valid_up_to: error.valid_up_to(),
            broken: error.error_len().and_then(|length| u8::try_from(length).ok()),
        },
        Ok(_) => InvalidUtf8 { valid_up_to: text.len(), broken: None },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_sequence_cut_at_the_end_is_told_from_a_broken_one() {
        assert_eq!(validate_utf8(b"a\xC3"), Err(InvalidUtf8 { valid_up_to: 1, broken: None }));
        assert_eq!(validate_utf8(b"ab\xFFc"), Err(InvalidUtf8 { valid_up_to: 2, broken: Some(1) }));
        assert_eq!(
            validate_utf8(b"\xED\xA0\x80"),
            Err(InvalidUtf8 { valid_up_to: 0, broken: Some(1) })
        );
        assert_eq!(validate_utf8("日本".as_bytes()), Ok("日本"));
    }

    proptest! {
        #[test]
        fn validation_equals_the_standard_library(
            mut text in proptest::collection::vec(proptest::char::any(), 0..200)
                .prop_map(|chars| chars.into_iter().collect::<String>().into_bytes()),
            at: proptest::sample::Index,
            byte: u8,
        ) {
            prop_assert!(validate_utf8(&text).is_ok());
            if !text.is_empty() {
                let at = at.index(text.len());
                text[at] = byte;
            }
            let expected = core::str::from_utf8(&text).map_err(|error| InvalidUtf8 {
                valid_up_to: error.valid_up_to(),
                broken: error.error_len().map(|length| length as u8),
            });
            prop_assert_eq!(validate_utf8(&text), expected);
        }
    }
}
