//! UTF-8: shortest form, no surrogates, nothing over U+10FFFF.

use super::{Decode, Decoded, Encode, Encoded, Encoding, Verbatim};

/// `utf-8`: invalid bytes are undecodable.
#[derive(Clone, Copy, Debug, Default)]
pub struct Utf8;

impl Encoding for Utf8 {
    fn name(&self) -> &str {
        "utf-8"
    }

    fn aliases(&self) -> &[&str] {
        &["utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"]
    }

    fn bom(&self) -> &[u8] {
        b"\xEF\xBB\xBF"
    }

    fn replacement(&self) -> &str {
        "\u{FFFD}"
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(Utf8)
    }

    fn encoder(&self) -> Box<dyn Encode> {
        Box::new(Utf8)
    }
}

impl Decode for Utf8 {
    fn decode(&mut self, input: &[u8], text: &mut String) -> Decoded {
        let (valid, undecodable) = valid_prefix(input);
        text.push_str(valid);
        Decoded { consumed: valid.len(), undecodable }
    }

    fn fork(&self) -> Box<dyn Decode> {
        Box::new(Utf8)
    }

    fn verbatim(&self) -> Verbatim {
        Verbatim::Utf8
    }
}

impl Encode for Utf8 {
    fn encode(&mut self, text: &str, bytes: &mut Vec<u8>) -> Encoded {
        bytes.extend_from_slice(text.as_bytes());
        Encoded::All
    }

    fn verbatim(&self) -> Verbatim {
        Verbatim::Utf8
    }
}

/// The valid text at the start of `input`, and how many invalid bytes follow.
pub(crate) fn valid_prefix(input: &[u8]) -> (&str, usize) {
    // `compat` stops at the first error, so bad input is not read to its end each time.
    match simdutf8::compat::from_utf8(input) {
        Ok(text) => (text, 0),
        Err(error) => {
            // Validated already; validating again avoids `unsafe`.
            let valid =
                simdutf8::basic::from_utf8(&input[..error.valid_up_to()]).unwrap_or_default();
            (valid, error.error_len().unwrap_or(0))
        }
    }
}

/// How many bytes at the end may begin a sequence, 0 to 3.
pub fn incomplete_tail(input: &[u8]) -> usize {
    for back in 1..=input.len().min(3) {
        let tail = &input[input.len() - back..];
        match tail[0] {
            0x80..=0xBF => {}
            0xC2..=0xF4 => {
                return if std::str::from_utf8(tail).is_err_and(|e| e.error_len().is_none()) {
                    back
                } else {
                    0
                };
            }
            _ => return 0,
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_incomplete_tail_is_what_the_standard_library_calls_incomplete() {
        let samples = ["aé€😀", "\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"];
        for sample in samples.map(str::as_bytes) {
            for end in 0..=sample.len() {
                let expected = match std::str::from_utf8(&sample[..end]) {
                    Ok(_) => 0,
                    Err(error) => end - error.valid_up_to(),
                };
                assert_eq!(incomplete_tail(&sample[..end]), expected, "{sample:x?} {end}");
            }
        }
        for complete in [
            &b""[..],
            b"a",
            b"\xFF",
            b"\x80",
            b"\x80\x80\x80",
            b"\xC3\xA9",
            b"\xE0\x80",
            b"\xED\xA0",
            b"\xF4\x90",
        ] {
            assert_eq!(incomplete_tail(complete), 0, "{complete:x?}");
        }
    }

    #[test]
    fn a_surrogate_in_three_bytes_is_undecodable() {
        let mut text = String::new();
        assert_eq!(
            Utf8.decode(b"a\xED\xA0\x80", &mut text),
            Decoded { consumed: 1, undecodable: 1 }
        );
        assert_eq!(text, "a");
    }
}
