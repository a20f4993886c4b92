//! A set of byte values, and searches for its members.

use memchr::{memchr, memchr2, memchr3};
use riverhawk_simd::{BLOCK, ByteClass, mask_of_members};

/// So many bytes are looked at one by one first.
const NEAR: usize = 8;

/// A set of byte values.
#[derive(Clone)]
pub struct ByteSet {
    members: Box<[bool; 256]>,
    /// Up to three members, for SIMD search.
    few: Few,
    /// For 64 bytes at a time.
    class: ByteClass,
}

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
        let class = ByteClass::new(|byte| members[usize::from(byte)]);
        ByteSet { members: Box::new(members), few, class }
    }

    /// As the kernels look for it.
    #[must_use]
    #[inline]
    pub fn class(&self) -> &ByteClass {
        &self.class
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
            Few::Many => self.find_one_of_many(tail),
        };
        found.map(|at| from_at + at)
    }

    #[inline]
    fn find_one_of_many(&self, text: &[u8]) -> Option<usize> {
        // Where members are dense, the next is nearer than a block is quick.
        let near = text.len().min(NEAR);
        if let Some(at) = text[..near].iter().position(|&byte| self.contains(byte)) {
            return Some(at);
        }
        (near..text.len()).step_by(BLOCK).find_map(|at| {
            match mask_of_members(text, at, &self.class) {
                0 => None,
                members => Some(at + members.trailing_zeros() as usize),
            }
        })
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
    fn it_is_shown_by_its_members() {
        let mut members = [false; 256];
        members[usize::from(b'x')] = true;
        assert_eq!(format!("{:?}", ByteSet::new(members)), "{'x'}");
    }
}
