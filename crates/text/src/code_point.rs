/// Length in bytes of the first character of `text`: of a valid UTF-8 sequence, otherwise 1; 0 if
/// `text` is empty.
#[inline]
pub fn char_len(text: &[u8]) -> usize {
    match text {
        [] => 0,
        [0x00..=0x7F, ..] => 1,
        // Table 3-7 of the Unicode standard: no overlong forms, no surrogates, nothing over
        // U+10FFFF.
        [0xC2..=0xDF, 0x80..=0xBF, ..] => 2,
        [0xE0, 0xA0..=0xBF, 0x80..=0xBF, ..]
        | [0xE1..=0xEC | 0xEE | 0xEF, 0x80..=0xBF, 0x80..=0xBF, ..]
        | [0xED, 0x80..=0x9F, 0x80..=0xBF, ..] => 3,
        [0xF0, 0x90..=0xBF, 0x80..=0xBF, 0x80..=0xBF, ..]
        | [0xF1..=0xF3, 0x80..=0xBF, 0x80..=0xBF, 0x80..=0xBF, ..]
        | [0xF4, 0x80..=0x8F, 0x80..=0xBF, 0x80..=0xBF, ..] => 4,
        _ => 1,
    }
}

/// The code point at the start of `text`, if valid, and its length in bytes.
#[inline]
pub fn first_code_point(text: &[u8]) -> Option<(char, usize)> {
    let len = char_len(text);
    let low = |byte: u8| u32::from(byte & 0x3F);
    let code = match &text[..len] {
        [byte @ 0x00..=0x7F] => u32::from(*byte),
        [a, b] => u32::from(a & 0x1F) << 6 | low(*b),
        [a, b, c] => u32::from(a & 0x0F) << 12 | low(*b) << 6 | low(*c),
        [a, b, c, d] => u32::from(a & 0x07) << 18 | low(*b) << 12 | low(*c) << 6 | low(*d),
        _ => return None,
    };
    Some((char::from_u32(code)?, len))
}

/// Appends the bytes that `printf "%c"` writes for a number in UTF-8.
///
/// As in gawk, surrogates and numbers from 2^31 on are written as their lowest byte, and U+110000
/// to 2^31 - 1 in the long UTF-8 of 1996.
///
/// ```
/// let mut out = Vec::new();
/// riverhawk_text::encode_code_point(0x20AC, &mut out);
/// assert_eq!(out, "€".as_bytes());
/// ```
pub fn encode_code_point(code: u32, out: &mut Vec<u8>) {
    if let Some(valid) = char::from_u32(code) {
        out.extend_from_slice(valid.encode_utf8(&mut [0; 4]).as_bytes());
        return;
    }
    let (lead, continuations) = match code {
        0x11_0000..=0x1F_FFFF => (0xF0, 3),
        0x20_0000..=0x3FF_FFFF => (0xF8, 4),
        0x400_0000..=0x7FFF_FFFF => (0xFC, 5),
        _ => return out.push(code as u8),
    };
    out.push(lead | (code >> (6 * continuations)) as u8);
    out.extend((0..continuations).rev().map(|place| 0x80 | (code >> (6 * place)) as u8 & 0x3F));
}

#[cfg(test)]
mod tests {
    use super::{char_len, encode_code_point, first_code_point};

    fn encoded(code: u32) -> Vec<u8> {
        let mut out = Vec::new();
        encode_code_point(code, &mut out);
        out
    }

    #[test]
    fn every_code_point_survives_encoding_and_decoding() {
        for c in '\0'..=char::MAX {
            let bytes = encoded(c.into());
            assert_eq!(first_code_point(&bytes), Some((c, c.len_utf8())));
            assert_eq!(char_len(&bytes), c.len_utf8());
        }
    }

    #[test]
    fn lengths_agree_with_the_standard_library_on_all_short_sequences() {
        let follow = [
            0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF0,
            0xF4, 0xFF,
        ];
        for lead in 0..=0xFF {
            for (b, c, d) in follow
                .iter()
                .flat_map(|b| follow.iter().flat_map(move |c| follow.map(|d| (*b, *c, d))))
            {
                let text = [lead, b, c, d];
                for len in 1..=4 {
                    let text = &text[..len];
                    let expected =
                        match text.utf8_chunks().next().map(|chunk| chunk.valid().chars().next()) {
                            Some(Some(first)) => {
                                (Some((first, first.len_utf8())), first.len_utf8())
                            }
                            _ => (None, 1),
                        };
                    assert_eq!((first_code_point(text), char_len(text)), expected, "{text:x?}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_code_point_is_written_as_gawk_writes_it() {
        assert_eq!(encoded(0xD800), [0x00]);
        assert_eq!(encoded(0xDFFF), [0xFF]);
        assert_eq!(encoded(0x11_0000), [0xF4, 0x90, 0x80, 0x80]);
        assert_eq!(encoded(0x1F_FFFF), [0xF7, 0xBF, 0xBF, 0xBF]);
        assert_eq!(encoded(0x20_0000), [0xF8, 0x88, 0x80, 0x80, 0x80]);
        assert_eq!(encoded(0x3FF_FFFF), [0xFB, 0xBF, 0xBF, 0xBF, 0xBF]);
        assert_eq!(encoded(0x400_0000), [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80]);
        assert_eq!(encoded(0x7FFF_FFFF), [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]);
        assert_eq!(encoded(0x8000_0000 + 233), [233]);
        assert_eq!(encoded(-200i32 as u32), [b'8']);
    }

    #[test]
    fn nothing_has_no_character() {
        assert_eq!((char_len(b""), first_code_point(b"")), (0, None));
    }
}
