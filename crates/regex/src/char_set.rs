//! The members of a class beyond ASCII.

use regex_syntax::hir::ClassUnicode;

/// A set of characters: a bit for each of the first 65,536, ranges above.
#[derive(Clone)]
pub(crate) struct CharSet {
    bits: Box<[u64]>,
    above: ClassUnicode,
}

const IN_BITS: u32 = 1 << 16;

impl CharSet {
    pub(crate) fn new(class: &ClassUnicode) -> CharSet {
        let mut bits = vec![0_u64; IN_BITS as usize / 64].into_boxed_slice();
        for range in class.ranges() {
            let (low, high) = (u32::from(range.start()), u32::from(range.end()).min(IN_BITS - 1));
            for word in low / 64..=high / 64 {
                let from = low.saturating_sub(word * 64);
                let to = (high - word * 64).min(63);
                bits[word as usize] |= !0 << from & !0 >> (63 - to);
            }
        }
        CharSet { bits, above: class.clone() }
    }

    #[inline]
    pub(crate) fn contains(&self, character: char) -> bool {
        let code = u32::from(character);
        match self.bits.get(code as usize / 64) {
            Some(bits) => bits >> (code % 64) & 1 == 1,
            None => self.is_above(character),
        }
    }

    #[cold]
    fn is_above(&self, character: char) -> bool {
        let ranges = self.above.ranges();
        let at = ranges.partition_point(|range| range.end() < character);
        ranges.get(at).is_some_and(|range| range.start() <= character)
    }
}

impl std::fmt::Debug for CharSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.above.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::CharSet;
    use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

    #[test]
    fn members_are_those_of_the_ranges() {
        let ranges = [
            ('a', 'c'),
            ('\u{7f}', '\u{81}'),
            ('\u{3000}', '\u{3000}'),
            ('\u{ffff}', '\u{10002}'),
            ('😀', '😂'),
        ];
        let class = ClassUnicode::new(ranges.map(|(low, high)| ClassUnicodeRange::new(low, high)));
        let set = CharSet::new(&class);
        for character in ('\0'..=char::MAX)
            .step_by(7)
            .chain(ranges.into_iter().flat_map(|(low, high)| [low, high]))
        {
            let is_member = ranges.iter().any(|(low, high)| (low..=high).contains(&&character));
            assert_eq!(set.contains(character), is_member, "{character:?}");
        }
        for character in ['\u{fffe}', '\u{10003}', '`', 'd', '\u{2fff}', '\u{3001}'] {
            assert!(!set.contains(character), "{character:?}");
        }
    }
}
