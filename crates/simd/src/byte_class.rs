//! Sets of bytes as the kernels look for them.

/// Any set of bytes, in two tables of 16 that a vector instruction looks up at once.
///
/// Source: the classification of bytes by their halves in Geoff Langdale and Daniel Lemire,
/// "Parsing Gigabytes of JSON per Second" (2019), for sets of any kind.
///
/// ```
/// use riverhawk_simd::ByteClass;
///
/// let vowels = ByteClass::new(|byte| b"aeiou".contains(&byte));
/// assert!(vowels.contains(b'e') && !vowels.contains(b'x'));
/// assert_eq!(riverhawk_simd::mask_of_members(b"a text", 0, &vowels), 0b001001);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByteClass {
    /// By the lower half of a byte below 0x80: a bit for each upper half.
    pub(crate) below: [u8; 16],
    /// The same from 0x80 on.
    pub(crate) above: [u8; 16],
}

impl ByteClass {
    /// The bytes of which `is_member` holds.
    pub fn new(is_member: impl Fn(u8) -> bool) -> ByteClass {
        let mut class = ByteClass { below: [0; 16], above: [0; 16] };
        for byte in (0..=255u8).filter(|&byte| is_member(byte)) {
            let half = if byte < 0x80 { &mut class.below } else { &mut class.above };
            half[usize::from(byte & 15)] |= 1 << (byte >> 4 & 7);
        }
        class
    }

    /// Whether `byte` is a member.
    #[inline]
    pub fn contains(&self, byte: u8) -> bool {
        let half = if byte < 0x80 { &self.below } else { &self.above };
        half[usize::from(byte & 15)] >> (byte >> 4 & 7) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_bytes_that_it_was_made_of() {
        for wanted in 0..=255u8 {
            let class = ByteClass::new(|byte| byte == wanted || byte % 7 == 3);
            for byte in 0..=255u8 {
                assert_eq!(class.contains(byte), byte == wanted || byte % 7 == 3);
            }
        }
    }
}
