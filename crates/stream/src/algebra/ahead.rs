//! Searches for a frequent byte.
//!
//! If the last occurrence was near, the next search marks 64 bytes at once, and later ones count
//! trailing zeros, since starting `memchr` is expensive. Marks are kept by stream offset, so other
//! operations may take bytes in between.

const NEAR: usize = 32;

/// While `offset` is in `word_offset..word_offset + covered`, bit `i` of `word` marks `byte` at
/// `word_offset + i`.
#[derive(Debug, Clone, Default)]
pub(super) struct Ahead {
    byte: u8,
    is_near: bool,
    word: u64,
    word_offset: u64,
    covered: u64,
}

impl Ahead {
    /// The first `byte` of `text`, which begins at `offset`.
    #[inline]
    pub(super) fn find(
        &mut self,
        byte: u8,
        text: &[u8],
        offset: impl FnOnce() -> u64,
    ) -> Option<usize> {
        if self.is_near {
            return self.find_near(byte, text, offset());
        }
        let found = memchr::memchr(byte, text);
        if found.is_some_and(|at| at < NEAR) {
            self.is_near = true;
        }
        found
    }

    /// Not inlined, to keep far searches small.
    #[inline(never)]
    fn find_near(&mut self, byte: u8, text: &[u8], offset: u64) -> Option<usize> {
        let passed = offset.wrapping_sub(self.word_offset);
        if passed < self.covered && byte == self.byte {
            let rest = self.word >> passed;
            if rest != 0 {
                return Some(rest.trailing_zeros() as usize);
            }
        }
        self.mark(byte, text, offset)
    }

    #[inline(never)]
    fn mark(&mut self, byte: u8, text: &[u8], offset: u64) -> Option<usize> {
        let passed = offset.wrapping_sub(self.word_offset);
        let known =
            if byte == self.byte { self.covered.saturating_sub(passed) as usize } else { 0 };
        let from = known.min(text.len());
        let chunk = &text[from..text.len().min(from + riverhawk_simd::BLOCK)];
        let (mut words, mut flags) = ([0], [0]);
        riverhawk_simd::mark_byte(chunk, byte, &mut words, &mut flags);
        self.byte = byte;
        self.word = words[0];
        self.word_offset = offset + from as u64;
        self.covered = chunk.len() as u64;
        if self.word != 0 {
            return Some(from + self.word.trailing_zeros() as usize);
        }
        self.is_near = false;
        let behind = from + chunk.len();
        memchr::memchr(byte, &text[behind..]).map(|at| behind + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_give_what_a_search_gives_while_the_text_grows_and_the_byte_changes() {
        let mut text = Vec::new();
        for gap in (0..140).chain([0, 1, 0, 3, 70, 2, 2, 2]) {
            text.extend(std::iter::repeat_n(b'.', gap));
            text.push(if gap % 3 == 0 { b'a' } else { b'b' });
        }
        for step in [1, 2, 5, 63, 64, 65, 1000, usize::MAX] {
            for pattern in [&b"a"[..], b"b", b"ab", b"aab", b"abbb"] {
                let (mut ahead, mut at, mut shown) = (Ahead::default(), 0, 0);
                for &byte in pattern.iter().cycle() {
                    let found = loop {
                        let found = ahead.find(byte, &text[at..shown], || at as u64);
                        assert_eq!(found, text[at..shown].iter().position(|&other| other == byte));
                        if found.is_some() || shown == text.len() {
                            break found;
                        }
                        shown = text.len().min(shown.saturating_add(step));
                    };
                    let Some(length) = found else { break };
                    at += length + 1;
                }
            }
        }
    }
}
