//! The fast path of single-byte separators: where the next separators are, as bits, and whether the text is ASCII.
//!
//! Text is marked 4 KiB at a time, when the first record that ends there is asked for, so that it is still in the first-level
//! cache when the record is used. Taking a record is then a count of trailing zeros, and clearing a bit.

/// Bytes marked at once: 64 blocks, so that one word holds the non-ASCII flags of all of them.
const CHUNK: usize = 64 * riverhawk_simd::BLOCK;

/// Marks of one chunk, taken one by one.
///
/// All indexes are into the window's block. They wrap: after the block's bytes have moved to the front, the word being
/// worked off may begin "before" index 0; a mark itself never does.
#[derive(Debug)]
pub(crate) struct Marks {
    /// Marks of the current block of 64 bytes that have not been taken.
    word: u64,
    /// Index of the byte that bit 0 of `word` stands for.
    word_at: usize,
    /// The next word to load, and how many there are.
    next_word: usize,
    filled: usize,
    /// Non-ASCII flags of the blocks from `next_word` on.
    flags: u64,
    /// Whether the current block is not ASCII (0 or 1).
    here: u64,
    /// Whether any block since the one that the current record began in is not ASCII.
    seen: u64,
    /// How far the text has been marked.
    marked_to: usize,
    words: Box<[u64; CHUNK / riverhawk_simd::BLOCK]>,
}

impl Marks {
    pub(crate) fn new() -> Self {
        Self {
            word: 0,
            word_at: 0,
            next_word: 0,
            filled: 0,
            flags: 0,
            here: 0,
            seen: 0,
            marked_to: 0,
            words: Box::new([0; _]),
        }
    }

    /// The index of the next mark in this chunk, and whether everything since the mark before is certainly ASCII.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<(usize, bool)> {
        while self.word == 0 {
            if self.next_word == self.filled {
                return None;
            }
            self.word = self.words[self.next_word % 64];
            self.word_at = self.word_at.wrapping_add(64);
            self.next_word += 1;
            self.here = self.flags & 1;
            self.flags >>= 1;
            self.seen |= self.here;
        }
        let at = self.word_at.wrapping_add(self.word.trailing_zeros() as usize);
        self.word &= self.word - 1;
        let is_ascii = self.seen == 0;
        self.seen = self.here;
        Some((at, is_ascii))
    }

    /// Marks the next chunk of `text`; false if all of it has been marked. Only when [`take`](Self::take) has run dry.
    #[inline]
    pub(crate) fn mark_more(&mut self, text: &[u8], separator: u8) -> bool {
        debug_assert!(self.word == 0 && self.next_word == self.filled);
        let Some(rest) = text.get(self.marked_to..).filter(|rest| !rest.is_empty()) else { return false };
        let chunk = &rest[..rest.len().min(CHUNK)];
        riverhawk_simd::mark_byte(chunk, separator, &mut self.words[..], std::slice::from_mut(&mut self.flags));
        self.word_at = self.marked_to.wrapping_sub(64);
        self.next_word = 0;
        self.filled = chunk.len().div_ceil(64);
        self.marked_to += chunk.len();
        true
    }

    /// Forgets all marks: the text from `at` on counts as unmarked.
    pub(crate) fn restart_at(&mut self, at: usize) {
        self.word = 0;
        self.next_word = 0;
        self.filled = 0;
        self.here = 0;
        self.seen = 0;
        self.marked_to = at;
    }

    /// All indexes have shrunk by `by`.
    pub(crate) fn shift(&mut self, by: usize) {
        self.word_at = self.word_at.wrapping_sub(by);
        // Other separators than a byte do not use the marks, which then stay behind.
        self.marked_to = self.marked_to.saturating_sub(by);
    }

    /// Whether the text since the last mark taken is certainly ASCII, once everything has been marked and taken.
    pub(crate) fn rest_is_ascii(&self) -> bool {
        self.seen == 0
    }
}
