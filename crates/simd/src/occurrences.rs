//! Repeated searches for a literal in one text.
//!
//! Where occurrences are close, most of the cost is restarting a substring search. Here the
//! literal's first and last byte are marked 4 KiB at a time; each answer costs a bit and a
//! comparison.

use crate::block::BLOCK;

/// Positions marked at once.
const CHUNK: usize = 64 * BLOCK;

/// Sets bit `i` of `marks[k]` if the byte at `64 * k + i` is `first` and the one `distance` after
/// it is `second`.
///
/// # Panics
/// If `marks` has fewer than `text.len().div_ceil(64)` words.
fn mark_pair(text: &[u8], first: u8, second: u8, distance: usize, marks: &mut [u64]) {
    let blocks = text.len().div_ceil(BLOCK);
    assert!(marks.len() >= blocks, "mark words for {blocks} blocks");
    let marked = crate::kernels::mark_pair(text, first, second, distance, &mut marks[..blocks]);
    crate::naive::mark_pair(
        &text[marked.min(text.len())..],
        first,
        second,
        distance,
        &mut marks[marked / BLOCK..],
    );
}

/// The occurrences of a literal, in ascending order.
#[derive(Debug, Clone)]
pub struct Occurrences {
    literal: Box<[u8]>,
    /// Candidates in the current block, and the position of bit 0.
    word: u64,
    word_at: usize,
    next_word: usize,
    filled: usize,
    /// Positions before this one have been marked or skipped.
    marked_to: usize,
    words: Box<[u64; CHUNK / BLOCK]>,
}

impl Occurrences {
    /// The occurrences of `literal`.
    ///
    /// # Panics
    /// If it is empty.
    pub fn new(literal: &[u8]) -> Occurrences {
        assert!(!literal.is_empty(), "the empty text is everywhere");
        Occurrences {
            literal: literal.into(),
            word: 0,
            word_at: 0,
            next_word: 0,
            filled: 0,
            marked_to: 0,
            words: Box::new([0; CHUNK / BLOCK]),
        }
    }

    /// What is looked for.
    pub fn literal(&self) -> &[u8] {
        &self.literal
    }

    /// Starts anew: the text has changed.
    pub fn restart(&mut self) {
        self.word = 0;
        self.next_word = 0;
        self.filled = 0;
        self.marked_to = 0;
    }

    /// The first occurrence at `from_at` or later. Until [`restart`](Self::restart) the text stays
    /// the same and `from_at` does not decrease.
    ///
    /// ```
    /// let mut found = riverhawk_simd::Occurrences::new(b"an");
    /// assert_eq!(found.next(b"banana", 0), Some(1));
    /// assert_eq!(found.next(b"banana", 3), Some(3));
    /// assert_eq!(found.next(b"banana", 5), None);
    /// ```
    #[inline]
    pub fn next(&mut self, text: &[u8], from_at: usize) -> Option<usize> {
        loop {
            while self.word == 0 {
                if self.next_word == self.filled && !self.mark_more(text, from_at) {
                    return None;
                }
                self.word = self.words[self.next_word % 64];
                self.word_at = self.word_at.wrapping_add(BLOCK);
                self.next_word += 1;
            }
            let at = self.word_at.wrapping_add(self.word.trailing_zeros() as usize);
            self.word &= self.word - 1;
            if at >= from_at && text.get(at..).is_some_and(|rest| rest.starts_with(&self.literal)) {
                return Some(at);
            }
        }
    }

    #[inline(never)]
    fn mark_more(&mut self, text: &[u8], from_at: usize) -> bool {
        let at = self.marked_to.max(from_at);
        let distance = self.literal.len() - 1;
        // The last byte of a literal may be after the chunk.
        let Some(rest) = text.get(at..).filter(|rest| rest.len() > distance) else { return false };
        let places = (rest.len() - distance).min(CHUNK);
        self.filled = places.div_ceil(BLOCK);
        let reach = &rest[..(places + distance).min(rest.len())];
        let mut marks = [0; CHUNK / BLOCK + 1];
        let blocks = reach.len().div_ceil(BLOCK);
        if blocks <= marks.len() {
            mark_pair(reach, self.literal[0], self.literal[distance], distance, &mut marks);
        } else {
            // A literal longer than a block.
            let mut all = vec![0; blocks];
            mark_pair(reach, self.literal[0], self.literal[distance], distance, &mut all);
            marks[..self.filled].copy_from_slice(&all[..self.filled]);
        }
        self.words[..self.filled].copy_from_slice(&marks[..self.filled]);
        if !places.is_multiple_of(BLOCK) {
            self.words[self.filled - 1] &= (1 << (places % BLOCK)) - 1;
        }
        self.word_at = at.wrapping_sub(BLOCK);
        self.next_word = 0;
        self.marked_to = at + places;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(text: &[u8], literal: &[u8], step: usize) -> Vec<usize> {
        let mut occurrences = Occurrences::new(literal);
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = occurrences.next(text, from) {
            found.push(at);
            from = at + step;
        }
        found
    }

    fn naively(text: &[u8], literal: &[u8], step: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut from = 0;
        while let Some(at) = (from..text.len()).find(|&at| text[at..].starts_with(literal)) {
            found.push(at);
            from = at + step;
        }
        found
    }

    #[test]
    fn a_literal_across_every_boundary_is_found() {
        for literal in [&b"x"[..], b"xy", b"the literal", &[b'z'; 100]] {
            for at in (0..300).chain(CHUNK - 120..CHUNK + 20) {
                let mut text = vec![b'.'; CHUNK + 300];
                text[at..at + literal.len()].copy_from_slice(literal);
                assert_eq!(all(&text, literal, 1), [at]);
            }
        }
    }

    proptest! {
        #[test]
        fn finds_what_a_naive_search_finds(
            text in proptest::collection::vec(proptest::sample::select(b"aab".to_vec()), 0..700),
            literal in proptest::collection::vec(proptest::sample::select(b"aab".to_vec()), 1..5),
            step in 1..6usize,
        ) {
            prop_assert_eq!(all(&text, &literal, step), naively(&text, &literal, step));
        }
    }
}
