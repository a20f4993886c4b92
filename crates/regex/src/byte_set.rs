//! A set of byte values, and searches for its members.

use memchr::{memchr, memchr2, memchr3};

/// A set of byte values.
#[derive(Clone)]
pub struct ByteSet {
    members: Box<[bool; 256]>,
    /// Up to three members, for SIMD search.
    few: Few,
    /// Up to [`MAX_RANGES`] ranges (start, length less one), tested 32 bytes at a time.
    ranges: Option<([(u8, u8); MAX_RANGES], usize)>,
}

/// More ranges cost more than a table.
const MAX_RANGES: usize = 4;

#[derive(Clone, Copy)]
enum Few {
    None,
    One(u8),
    Two(u8, u8),
    Three(u8, u8, u8),
    Many,
}

impl ByteSet {
    pub(crate) fn new(members: [bool; 256]) -> ByteSet {
        let mut listed = (0..=255u8).filter(|&byte| members[usize::from(byte)]);
        let few = match (listed.next(), listed.next(), listed.next(), listed.next()) {
            (None, ..) => Few::None,
            (Some(a), None, ..) => Few::One(a),
            (Some(a), Some(b), None, _) => Few::Two(a, b),
            (Some(a), Some(b), Some(c), None) => Few::Three(a, b, c),
            _ => Few::Many,
        };
        ByteSet { ranges: ranges(&members), members: Box::new(members), few }
    }

    /// A bit per byte of `block` (at most 64), set for members.
    #[inline]
    pub(crate) fn bitmap(&self, block: &[u8]) -> u64 {
        let mut flags = [0u8; 64];
        let Some((ranges, count)) = self.ranges else {
            for (flag, &byte) in flags.iter_mut().zip(block) {
                *flag = u8::from(self.contains(byte));
            }
            return packed(&flags);
        };
        let mut filled_up = [0u8; 64];
        let whole = <&[u8; 64]>::try_from(block).unwrap_or_else(|_| {
            filled_up[..block.len()].copy_from_slice(block);
            &filled_up
        });
        for &(start, span) in &ranges[..count] {
            for (flag, byte) in flags.iter_mut().zip(whole) {
                *flag |= u8::from(byte.wrapping_sub(start) <= span);
            }
        }
        packed(&flags) & u64::MAX.checked_shr(64 - block.len() as u32).unwrap_or(0)
    }

    /// Whether `byte` is a member.
    #[must_use]
    #[inline]
    pub fn contains(&self, byte: u8) -> bool {
        self.members[usize::from(byte)]
    }

    /// The only member, if there is exactly one.
    #[must_use]
    pub fn only(&self) -> Option<u8> {
        match self.few {
            Few::One(byte) => Some(byte),
            _ => None,
        }
    }

    /// Index of the first member from `from_at` on.
    #[must_use]
    #[inline]
    pub fn find(&self, text: &[u8], from_at: usize) -> Option<usize> {
        let tail = text.get(from_at..)?;
        let found = match self.few {
            Few::None => None,
            Few::One(a) => memchr(a, tail),
            Few::Two(a, b) => memchr2(a, b, tail),
            Few::Three(a, b, c) => memchr3(a, b, c, tail),
            Few::Many => tail.iter().position(|&byte| self.contains(byte)),
        };
        found.map(|at| from_at + at)
    }

    #[inline]
    pub(crate) fn skip(&self, text: &[u8], from_at: usize) -> usize {
        let mut at = from_at;
        while at < text.len() && self.contains(text[at]) {
            at += 1;
        }
        at
    }
}

/// Bit n from the lowest bit of byte n; each byte is 0 or 1.
#[inline]
fn packed(flags: &[u8; 64]) -> u64 {
    // The product moves flag n to bit 56 + n.
    let (words, _) = flags.as_chunks::<8>();
    words.iter().enumerate().fold(0, |bits, (index, word)| {
        let packed = u64::from_le_bytes(*word).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        bits | (packed << (8 * index))
    })
}

fn ranges(members: &[bool; 256]) -> Option<([(u8, u8); MAX_RANGES], usize)> {
    let mut out = [(0, 0); MAX_RANGES];
    let mut count = 0;
    let mut previous = false;
    for byte in 0..=255u8 {
        let member = members[usize::from(byte)];
        if member && previous {
            out[count - 1].1 += 1;
        } else if member {
            *out.get_mut(count)? = (byte, 0);
            count += 1;
        }
        previous = member;
    }
    Some((out, count))
}

impl std::fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set()
            .entries((0..=255u8).filter(|&byte| self.contains(byte)).map(char::from))
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::ByteSet;

    #[test]
    fn find_and_skip_agree_with_the_table_for_sets_of_every_small_size() {
        let text = b"zzabcdeabcdezz";
        for size in 0..6 {
            let mut members = [false; 256];
            b"abcde"[..size.min(5)].iter().for_each(|&byte| members[usize::from(byte)] = true);
            let set = ByteSet::new(members);
            for from in 0..=text.len() {
                let want = (from..text.len()).find(|&at| members[usize::from(text[at])]);
                assert_eq!(set.find(text, from), want);
                let want = (from..text.len())
                    .find(|&at| !members[usize::from(text[at])])
                    .unwrap_or(text.len());
                assert_eq!(set.skip(text, from), want);
            }
            assert_eq!(set.find(text, text.len() + 1), None);
        }
    }

    #[test]
    fn a_bitmap_has_a_bit_for_each_member_of_a_block_whole_or_not() {
        let text: Vec<u8> = (0..64).map(|at: u8| at.wrapping_mul(37)).collect();
        for wanted in [0..10, 100..250] {
            for step in [1, 3] {
                let mut members = [false; 256];
                wanted.clone().step_by(step).for_each(|byte: usize| members[byte] = true);
                let set = ByteSet::new(members);
                for len in [0, 1, 31, 63, 64] {
                    let bits =
                        |bits, at: usize| bits | u64::from(members[usize::from(text[at])]) << at;
                    assert_eq!(
                        set.bitmap(&text[..len]),
                        (0..len).fold(0, bits),
                        "{wanted:?} {step} {len}"
                    );
                }
            }
        }
    }

    #[test]
    fn it_is_shown_by_its_members() {
        let mut members = [false; 256];
        members[usize::from(b'x')] = true;
        assert_eq!(format!("{:?}", ByteSet::new(members)), "{'x'}");
    }
}
