//! A set of bytes to search for.

use std::fmt;

/// Up to three bytes are found with SIMD (`memchr`), more through a table.
#[derive(Clone)]
pub struct ByteSet {
    flags: [bool; 256],
    few: [u8; 3],
    count: usize,
}

impl ByteSet {
    /// Repetitions in `members` do not matter.
    pub fn new(members: impl AsRef<[u8]>) -> Self {
        let (mut flags, mut few, mut count) = ([false; 256], [0; 3], 0);
        for &byte in members.as_ref() {
            if !flags[usize::from(byte)] {
                flags[usize::from(byte)] = true;
                if let Some(slot) = few.get_mut(count) {
                    *slot = byte;
                }
                count += 1;
            }
        }
        Self { flags, few, count }
    }

    /// Whether `byte` is a member.
    #[inline]
    pub fn contains(&self, byte: u8) -> bool {
        self.flags[usize::from(byte)]
    }

    /// The first member in `text`.
    pub fn find(&self, text: &[u8]) -> Option<usize> {
        let [a, b, c] = self.few;
        match self.count {
            0 => None,
            1 => memchr::memchr(a, text),
            2 => memchr::memchr2(a, b, text),
            3 => memchr::memchr3(a, b, c, text),
            _ => text.iter().position(|&byte| self.contains(byte)),
        }
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let members: Vec<u8> = (0..=255).filter(|&byte| self.contains(byte)).collect();
        write!(out, "ByteSet({:?})", members.escape_ascii().to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_every_size_find_what_a_loop_finds() {
        let text: Vec<u8> = (0..=255).rev().chain(0..=255).collect();
        for members in [&b""[..], b"a", b"ab", b"abc", b"abcd", b"aaab", b"\0\xff", b"zzyyxxww"] {
            let set = ByteSet::new(members);
            for from in 0..text.len() {
                let expected = text[from..].iter().position(|byte| members.contains(byte));
                assert_eq!(set.find(&text[from..]), expected, "{set:?} from {from}");
            }
        }
    }
}
