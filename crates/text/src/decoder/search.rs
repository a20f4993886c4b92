//! The search for separators.
//!
//! A bitmap marks the last bytes of separators, for 4 KiB of text at a time. At each mark the
//! separators are compared backwards, also into earlier chunks. Since the bitmap is kept, no byte
//! is searched twice, however long the line.

use super::pending::{Pending, Spot};
use super::separators::Separators;
use crate::encoding::Text;

const WINDOW: usize = 4096;

pub(super) struct Search {
    chunk: u64,
    covered: usize,
    base: usize,
    /// The word with the next bit.
    word: usize,
    words: usize,
    /// The last bytes of separators that are not yet examined.
    marks: [u64; WINDOW / 64],
    pub searched: u64,
}

/// What ends at a mark.
pub(super) enum Verdict {
    /// A separator of this length.
    Separator(usize),
    /// No separator.
    Nothing,
    /// A separator of this length unless LF follows, which is not known yet.
    Unless(usize),
}

impl Search {
    pub fn new() -> Search {
        Search {
            chunk: 0,
            covered: 0,
            base: 0,
            word: 0,
            words: 0,
            marks: [0; WINDOW / 64],
            searched: 0,
        }
    }

    pub fn restart<T: Text>(&mut self, pending: &Pending<T>) {
        self.chunk = pending.retired;
        self.covered = pending.chunks.front().map_or(0, |first| first.from);
        self.words = 0;
    }

    /// Skips text that was taken without a search.
    pub fn catch_up<T: Text>(&mut self, pending: &Pending<T>) {
        let from = pending.chunks.front().map_or(0, |first| first.from);
        if self.chunk < pending.retired || self.chunk == pending.retired && self.covered <= from {
            self.restart(pending);
        } else if self.chunk == pending.retired && from > self.base {
            let word = (from - self.base) / 64;
            if word >= self.word && word < self.words {
                self.word = word;
                self.marks[word] &= !0 << ((from - self.base) % 64);
            }
        }
    }

    #[inline]
    pub fn mark<T: Text>(
        &mut self,
        pending: &mut Pending<T>,
        separators: &Separators,
    ) -> Option<Spot> {
        loop {
            while self.word < self.words {
                let bits = self.marks[self.word];
                if bits != 0 {
                    let at = self.base + self.word * 64 + bits.trailing_zeros() as usize;
                    return Some(Spot { chunk: (self.chunk - pending.retired) as usize, at });
                }
                self.word += 1;
            }
            if !self.look_further(pending, separators) {
                return None;
            }
        }
    }

    /// Takes the next mark if it is in the first chunk's bitmap, which it is for nearly every line.
    #[inline]
    pub fn next_in_first(&mut self, retired: u64) -> Option<usize> {
        if self.chunk != retired {
            return None;
        }
        while let Some(bits) = self.marks[..self.words].get_mut(self.word) {
            if *bits != 0 {
                let at = self.base + self.word * 64 + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(at);
            }
            self.word += 1;
        }
        None
    }

    /// As [`next_in_first`](Self::next_in_first), while `each` returns true. A word of marks stays
    /// in a register.
    #[inline]
    pub fn each_in_first(&mut self, retired: u64, mut each: impl FnMut(usize) -> bool) {
        if self.chunk != retired {
            return;
        }
        while let Some(word) = self.marks[..self.words].get_mut(self.word) {
            let base = self.base + self.word * 64;
            let mut bits = *word;
            while bits != 0 {
                let at = base + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                if !each(at) {
                    *word = bits;
                    return;
                }
            }
            self.word += 1;
        }
    }

    #[inline]
    pub fn step(&mut self) {
        self.marks[self.word] &= self.marks[self.word].wrapping_sub(1);
    }

    /// Fills the bitmap from the following text; false if there is none.
    fn look_further<T: Text>(&mut self, pending: &mut Pending<T>, separators: &Separators) -> bool {
        if self.chunk < pending.retired {
            self.restart(pending);
        }
        loop {
            let index = (self.chunk - pending.retired) as usize;
            let (count, last) =
                (pending.chunks.len(), separators.groups().first().map(|group| group.last));
            let counts =
                pending.tracks_place && separators.groups().len() == 1 && last == Some(b'\n');
            let Some(chunk) = pending.chunks.get_mut(index) else { return false };
            self.covered = self.covered.max(chunk.from);
            let rest = &chunk.text.bytes()[self.covered..];
            if rest.is_empty() {
                if index + 1 >= count {
                    return false;
                }
                self.chunk += 1;
                self.covered = 0;
                continue;
            }
            let window = &rest[..rest.len().min(WINDOW)];
            self.base = self.covered;
            self.covered += window.len();
            self.searched += window.len() as u64;
            self.word = 0;
            self.words = window.len().div_ceil(64);
            mark_last_bytes(window, separators, &mut self.marks);
            if counts && chunk.seen.upto == self.base {
                chunk.seen.upto = self.covered;
                chunk.seen.ends.line_feeds += self.marks[..self.words]
                    .iter()
                    .map(|bits| bits.count_ones() as usize)
                    .sum::<usize>();
                chunk.seen.ends.has_cr =
                    chunk.seen.ends.has_cr || memchr::memchr(b'\r', window).is_some();
            }
            return true;
        }
    }
}

fn mark_last_bytes(window: &[u8], separators: &Separators, marks: &mut [u64; WINDOW / 64]) {
    let mut non_ascii = [0; 1];
    match separators.groups() {
        [only] => riverhawk_simd::mark_byte(window, only.last, marks, &mut non_ascii),
        // One pass of the kernel for each byte is faster than the table, for up to ten bytes.
        groups if groups.len() <= 10 => {
            let words = window.len().div_ceil(64);
            let mut one = [0; WINDOW / 64];
            marks[..words].fill(0);
            for group in groups {
                riverhawk_simd::mark_byte(window, group.last, &mut one, &mut non_ascii);
                marks.iter_mut().zip(&one).take(words).for_each(|(all, one)| *all |= one);
            }
        }
        groups => {
            let mut is_last = [false; 256];
            groups.iter().for_each(|group| is_last[usize::from(group.last)] = true);
            for (word, block) in marks.iter_mut().zip(window.chunks(64)) {
                let bits = block
                    .iter()
                    .enumerate()
                    .map(|(bit, byte)| u64::from(is_last[usize::from(*byte)]) << bit);
                *word = bits.fold(0, |all, bit| all | bit);
            }
        }
    }
}

/// The separator that ends with the byte at `mark`.
#[inline]
pub(super) fn judge<T: Text>(pending: &Pending<T>, separators: &Separators, mark: Spot) -> Verdict {
    let end = Spot { chunk: mark.chunk, at: mark.at + 1 };
    let group = match separators.groups() {
        [only] => only,
        groups => {
            let Some(byte) =
                pending.chunks.get(mark.chunk).and_then(|chunk| chunk.text.bytes().get(mark.at))
            else {
                return Verdict::Nothing;
            };
            let Ok(at) = groups.binary_search_by_key(byte, |group| group.last) else {
                return Verdict::Nothing;
            };
            &groups[at]
        }
    };
    for (string, waits_for_lf) in group.strings.iter().zip(&group.waits_for_lf) {
        if string.len() == 1 || pending.ends_with(end, string) {
            return match waits_for_lf.then(|| pending.byte_from(end)) {
                None | Some(Some(0..b'\n' | b'\x0B'..)) => Verdict::Separator(string.len()),
                Some(Some(b'\n')) => Verdict::Nothing,
                Some(None) => Verdict::Unless(string.len()),
            };
        }
    }
    Verdict::Nothing
}
