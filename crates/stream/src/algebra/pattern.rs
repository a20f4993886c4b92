//! Searches for a string in a stream: Knuth-Morris-Pratt, with `memmem` where possible.

use memchr::memmem::Finder;

/// A string, and how much of it the last bytes of a stream matched.
///
/// After an error, repeat the call with the same pattern. Knuth, Morris and Pratt (*Fast pattern
/// matching in strings*, 1977): `fallback[n]` is the length of the longest proper prefix that ends
/// the first `n + 1` bytes. No byte is compared twice, so `aabab` in `aabaabab` is found on a pipe.
#[derive(Debug, Clone)]
pub struct Pattern {
    finder: Finder<'static>,
    fallback: Vec<usize>,
    /// Bytes of the pattern at the stream's last bytes.
    matched: usize,
}

impl Pattern {
    /// The empty pattern is found everywhere.
    pub fn new(text: impl AsRef<[u8]>) -> Self {
        let text = text.as_ref();
        let mut fallback = vec![0; text.len()];
        let mut length = 0;
        for at in 1..text.len() {
            while length > 0 && text[at] != text[length] {
                length = fallback[length - 1];
            }
            length += usize::from(text[at] == text[length]);
            fallback[at] = length;
        }
        Self { finder: Finder::new(text).into_owned(), fallback, matched: 0 }
    }

    /// The string.
    pub fn text(&self) -> &[u8] {
        self.finder.needle()
    }

    /// Its length.
    pub fn len(&self) -> usize {
        self.fallback.len()
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.fallback.is_empty()
    }

    /// Bytes taken by an unfinished search, which may begin an occurrence.
    pub fn held(&self) -> &[u8] {
        &self.text()[..self.matched]
    }

    /// Drops held bytes.
    pub fn reset(&mut self) {
        self.matched = 0;
    }

    /// The first occurrence in `text`, ignoring held bytes.
    pub fn find(&self, text: &[u8]) -> Option<usize> {
        self.finder.find(text)
    }

    /// True if `byte` completes an occurrence. `pass` gets bytes that cannot belong to one.
    pub(super) fn step(&mut self, byte: u8, pass: &mut impl FnMut(&[u8])) -> bool {
        let text = self.finder.needle();
        while self.matched > 0 && text[self.matched] != byte {
            let shorter = self.fallback[self.matched - 1];
            pass(&text[..self.matched - shorter]);
            self.matched = shorter;
        }
        if text.first().is_none_or(|_| text[self.matched] != byte) {
            pass(&[byte]);
            return false;
        }
        self.matched += 1;
        let is_complete = self.matched == text.len();
        if is_complete {
            self.matched = 0;
        }
        is_complete
    }

    /// The end of the occurrence in `block`. Steps only through bytes that continue held ones, and
    /// the last.
    pub(super) fn scan(&mut self, block: &[u8], pass: &mut impl FnMut(&[u8])) -> Option<usize> {
        let mut at = 0;
        while self.matched > 0 && at < block.len() {
            at += 1;
            if self.step(block[at - 1], pass) {
                return Some(at);
            }
        }
        if let Some(found) = self.find(&block[at..]) {
            pass(&block[at..at + found]);
            return Some(at + found + self.len());
        }
        let tail_at = at.max((block.len() + 1).saturating_sub(self.len()));
        pass(&block[at..tail_at]);
        for &byte in &block[tail_at..] {
            self.step(byte, pass);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stepped(pattern: &[u8], text: &[u8]) -> (Vec<u8>, Option<usize>) {
        let (mut pattern, mut passed) = (Pattern::new(pattern), Vec::new());
        let end = text
            .iter()
            .position(|&byte| pattern.step(byte, &mut |bytes| passed.extend_from_slice(bytes)));
        passed.extend_from_slice(pattern.held());
        (passed, end.map(|at| at + 1))
    }

    #[test]
    fn a_pattern_that_overlaps_itself_is_found_without_going_back() {
        assert_eq!(stepped(b"aabab", b"aabaabab!"), (b"aab".to_vec(), Some(8)));
        assert_eq!(stepped(b"aaab", b"aaaaaab"), (b"aaa".to_vec(), Some(7)));
        assert_eq!(stepped(b"abab", b"abaab"), (b"abaab".to_vec(), None));
    }

    #[test]
    fn a_pattern_of_one_byte_needs_no_second_entry_in_its_table() {
        assert_eq!(stepped(b"b", b"aab"), (b"aa".to_vec(), Some(3)));
        assert_eq!(Pattern::new("b").fallback, [0]);
    }

    #[test]
    fn blocks_find_what_steps_find_wherever_the_text_is_cut() {
        for pattern in [&b"aabab"[..], b"a", b"aa", b"abaab"] {
            for bits in 0u32..1 << 10 {
                let text: Vec<u8> = (0..10).map(|i| b'a' + (bits >> i & 1) as u8).collect();
                let expected = stepped(pattern, &text);
                for cut in 0..text.len() {
                    let (mut scanner, mut passed) = (Pattern::new(pattern), Vec::new());
                    let mut pass = |bytes: &[u8]| passed.extend_from_slice(bytes);
                    let end = scanner
                        .scan(&text[..cut], &mut pass)
                        .or_else(|| scanner.scan(&text[cut..], &mut pass).map(|at| cut + at));
                    passed.extend_from_slice(scanner.held());
                    assert_eq!((passed, end), expected, "{pattern:?} in {text:?} cut at {cut}");
                }
            }
        }
    }
}
