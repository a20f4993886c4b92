//! Runs of one byte class, 64 bytes at a time: `[0-9]+`, `[ \t]+`.
//!
//! A table lookup mispredicts a branch at each end of a run; counting zeros of a bitmap has none.

use crate::byte_set::ByteSet;
use crate::span::Match;
use riverhawk_memory::ran_out;
use riverhawk_simd::mask_of_members;

/// The last block's bitmap, for one text.
#[derive(Default)]
pub(crate) struct Runs {
    /// Its index plus one; 0 for none.
    block: usize,
    bits: u64,
}

impl Runs {
    /// The first run from `from_at` on. A run that began earlier is cut there.
    #[inline]
    pub(crate) fn next(
        &mut self,
        set: &ByteSet,
        text: &[u8],
        from_at: usize,
    ) -> Option<(usize, usize)> {
        let start = self.first(set, text, from_at, 0)?;
        let end = self.first(set, text, start + 1, u64::MAX).unwrap_or(text.len());
        Some((start, end))
    }

    /// The first member from `from_at` on.
    #[inline]
    pub(crate) fn first_member(
        &mut self,
        set: &ByteSet,
        text: &[u8],
        from_at: usize,
    ) -> Option<usize> {
        self.first(set, text, from_at, 0)
    }

    /// The first member from `from_at` on; the first non-member if `flip` has all bits set.
    #[inline]
    fn first(&mut self, set: &ByteSet, text: &[u8], from_at: usize, flip: u64) -> Option<usize> {
        if from_at >= text.len() {
            return None;
        }
        match self.ahead(set, text, from_at, flip) {
            0 => self.first_of_later_blocks(set, text, from_at / 64 + 1, flip),
            ahead => {
                let at = from_at + ahead.trailing_zeros() as usize;
                (at < text.len()).then_some(at)
            }
        }
    }

    /// The bits of the block from `from_at` on.
    #[inline]
    fn ahead(&mut self, set: &ByteSet, text: &[u8], from_at: usize, flip: u64) -> u64 {
        let block = from_at / 64;
        if self.block != block + 1 {
            self.bits = mask_of_members(text, block * 64, set.class());
            self.block = block + 1;
        }
        (self.bits ^ flip) >> (from_at % 64)
    }

    /// Out of line, with the question whether the search is still wanted, so that what finds in the
    /// first block stays small.
    #[inline(never)]
    fn first_of_later_blocks(
        &mut self,
        set: &ByteSet,
        text: &[u8],
        mut block: usize,
        flip: u64,
    ) -> Option<usize> {
        while block * 64 < text.len() && !ran_out() {
            let ahead = self.ahead(set, text, block * 64, flip);
            if ahead != 0 {
                let at = block * 64 + ahead.trailing_zeros() as usize;
                return (at < text.len()).then_some(at);
            }
            block += 1;
        }
        None
    }
}

/// Iterator over the matches of a class in one text: of each member, or of each `RUN`.
pub struct ClassMatches<'r, 't, const RUN: bool> {
    set: &'r ByteSet,
    text: &'t [u8],
    /// Of the block that comes next.
    block_at: usize,
    /// In the block before: of runs the edges, alternately a start and an end, so that nothing is
    /// searched for twice.
    bits: u64,
    /// Of a run that goes on.
    start: Option<usize>,
}

impl<'r, 't, const RUN: bool> ClassMatches<'r, 't, RUN> {
    pub(crate) fn new(set: &'r ByteSet, text: &'t [u8]) -> Self {
        ClassMatches { set, text, block_at: 0, bits: 0, start: None }
    }

    #[inline(always)]
    fn next_bit(&mut self) -> Option<usize> {
        while self.bits == 0 {
            // One block more ends a run that ends with the text.
            if self.block_at > self.text.len() || ran_out() {
                return None;
            }
            let members = mask_of_members(self.text, self.block_at, self.set.class());
            let is_open = u64::from(self.start.is_some());
            self.bits = if RUN { members ^ (members << 1 | is_open) } else { members };
            self.block_at += 64;
        }
        let at = self.block_at - 64 + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(at)
    }
}

impl<const RUN: bool> Iterator for ClassMatches<'_, '_, RUN> {
    type Item = Match;

    #[inline(always)]
    fn next(&mut self) -> Option<Match> {
        if !RUN {
            return self.next_bit().map(|start| Match { start, end: start + 1 });
        }
        self.start = Some(self.next_bit()?);
        let end = self.next_bit()?;
        self.start.take().map(|start| Match { start, end })
    }
}

#[cfg(test)]
mod tests {
    use super::{ClassMatches, Runs};
    use crate::byte_set::ByteSet;
    use crate::span::Match;

    #[test]
    fn runs_agree_with_a_byte_by_byte_search_across_blocks() {
        for members in
            [&b"1"[..], b"13", b"0123456789", b"abcdefghij0", b"acegi", b"0123456789abcdefABCDEF_"]
        {
            let mut flags = [false; 256];
            members.iter().for_each(|&byte| flags[usize::from(byte)] = true);
            let set = ByteSet::new(flags);
            for len in [0, 1, 63, 64, 65, 127, 128, 200] {
                for step in [3usize, 7, 31] {
                    let text: Vec<u8> =
                        (0..len).map(|at| b"1aa33_xyz\xff00"[at * at / step % 12]).collect();
                    let is_member = |&at: &usize| flags[usize::from(text[at])];
                    let starts =
                        (0..len).filter(|&at| is_member(&at) && (at == 0 || !is_member(&(at - 1))));
                    let runs = starts.map(|start| {
                        let end = (start..len).find(|at| !is_member(at)).unwrap_or(len);
                        Match { start, end }
                    });
                    let found: Vec<Match> = ClassMatches::<true>::new(&set, &text).collect();
                    assert_eq!(found, runs.collect::<Vec<_>>(), "{members:?} {len}");
                    let found: Vec<Match> = ClassMatches::<false>::new(&set, &text).collect();
                    let all =
                        (0..len).filter(is_member).map(|start| Match { start, end: start + 1 });
                    assert_eq!(found, all.collect::<Vec<_>>(), "{members:?} {len}");
                    let mut runs = Runs::default();
                    for from in 0..=len {
                        let start = (from..len).find(|&at| flags[usize::from(text[at])]);
                        let want = start.map(|start| {
                            (
                                start,
                                (start..len)
                                    .find(|&at| !flags[usize::from(text[at])])
                                    .unwrap_or(len),
                            )
                        });
                        assert_eq!(runs.next(&set, &text, from), want, "{members:?} {len} {from}");
                    }
                }
            }
        }
    }
}
