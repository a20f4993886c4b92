//! Counts lines and columns.

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TextPosition {
    line_ends: u64,
    characters: u64,
    /// Whether the last character was CR, to which a following LF belongs.
    after_cr: bool,
}

#[derive(Clone, Copy, Default)]
pub(crate) struct LineBytes {
    pub line_feeds: usize,
    pub has_cr: bool,
}

impl LineBytes {
    pub fn of(text: &[u8]) -> LineBytes {
        LineBytes {
            line_feeds: riverhawk_simd::count_byte(text, b'\n'),
            has_cr: memchr::memchr(b'\r', text).is_some(),
        }
    }
}

impl TextPosition {
    pub fn line(self) -> u64 {
        self.line_ends + 1
    }

    pub fn column(self) -> u64 {
        self.characters + 1
    }

    pub fn advance(&mut self, text: &[u8]) {
        self.advance_over(text, LineBytes::of(text));
    }

    pub fn advance_over(&mut self, text: &[u8], ends: LineBytes) {
        let (Some(first), Some(last)) = (text.first(), text.last()) else { return };
        let mut line_ends = ends.line_feeds;
        if ends.has_cr {
            line_ends += riverhawk_simd::count_byte(text, b'\r') - crlf_count(text);
        }
        if self.after_cr && *first == b'\n' {
            line_ends -= 1;
        }
        self.line_ends += line_ends as u64;
        self.after_cr = *last == b'\r';
        match memchr::memrchr2(b'\n', b'\r', text) {
            Some(at) => self.characters = riverhawk_simd::count_code_points(&text[at + 1..]) as u64,
            None => self.characters += riverhawk_simd::count_code_points(text) as u64,
        }
    }
}

/// Counts CRLF. Sums of comparisons, in blocks whose sum fits a byte, become vector code.
fn crlf_count(text: &[u8]) -> usize {
    let Some((_, after)) = text.split_first() else { return 0 };
    let pairs = text.chunks(128).zip(after.chunks(128));
    let in_block = |(block, after): (&[u8], &[u8])| {
        let sum = block
            .iter()
            .zip(after)
            .map(|(a, b)| u8::from(*a == b'\r') & u8::from(*b == b'\n'))
            .sum::<u8>();
        usize::from(sum)
    };
    pairs.map(in_block).sum()
}

pub(crate) fn keep_recent(recent: &mut Vec<u8>, bytes: &[u8]) {
    recent.extend_from_slice(&bytes[bytes.len().saturating_sub(3)..]);
    recent.drain(..recent.len().saturating_sub(3));
}

#[cfg(test)]
mod tests {
    use super::{TextPosition, crlf_count};

    #[test]
    fn crlf_are_counted_wherever_blocks_meet() {
        for length in 0..600 {
            for text in [
                b"\r\n".repeat(length),
                b"\r\r\n".repeat(length),
                [&b"x"[..], &b"\r\n".repeat(length)].concat(),
            ] {
                assert_eq!(crlf_count(&text), length);
            }
        }
    }

    #[test]
    fn line_and_column_do_not_depend_on_the_cuts() {
        let text = "ab\r\ncd\re\n\n\r\rfü€g".as_bytes();
        for first in 0..=text.len() {
            for second in first..=text.len() {
                let mut place = TextPosition::default();
                [&text[..first], &text[first..second], &text[second..]]
                    .iter()
                    .for_each(|piece| place.advance(piece));
                assert_eq!((place.line(), place.column()), (7, 5), "{first} {second}");
            }
        }
    }
}
