//! The table of a single-byte encoding.

/// The characters of a single-byte encoding that is ASCII below 0x80. Above, a byte has at most
/// three bytes of UTF-8, or no character.
///
/// ```
/// use riverhawk_simd::{ByteTable, widen_bytes};
///
/// let latin1 = ByteTable::new(|byte| Some(char::from(byte)));
/// let mut text = Vec::new();
/// assert_eq!(widen_bytes(b"na\xEFve", &latin1, &mut text), 5);
/// assert_eq!(text, "naïve".as_bytes());
/// ```
#[derive(Clone, Debug)]
pub struct ByteTable {
    /// UTF-8 in the lower three bytes, its length in the uppermost; 0 without a character.
    entries: [u32; 256],
    longest: usize,
}

impl ByteTable {
    /// `character_of` gives the characters from 0x80 on.
    ///
    /// # Panics
    /// If a character is above U+FFFF.
    pub fn new(character_of: impl Fn(u8) -> Option<char>) -> ByteTable {
        let mut table = ByteTable { entries: [0; 256], longest: 1 };
        for byte in 0..=255u8 {
            let character = if byte < 0x80 { Some(char::from(byte)) } else { character_of(byte) };
            let Some(character) = character else { continue };
            let length = character.len_utf8();
            assert!(length <= 3, "{character:?} lies above U+FFFF");
            let mut entry = [0; 4];
            character.encode_utf8(&mut entry);
            entry[3] = length as u8;
            table.entries[usize::from(byte)] = u32::from_le_bytes(entry);
            table.longest = table.longest.max(length);
        }
        table
    }

    /// The UTF-8 of `byte` and its length, 0 without a character.
    #[inline]
    pub fn utf8(&self, byte: u8) -> ([u8; 3], usize) {
        let [a, b, c, length] = self.entry(byte).to_le_bytes();
        ([a, b, c], usize::from(length))
    }

    /// Maximum UTF-8 length of a byte.
    pub fn longest(&self) -> usize {
        self.longest
    }

    #[inline]
    pub(crate) fn entry(&self, byte: u8) -> u32 {
        self.entries[usize::from(byte)]
    }
}

/// The order of the two bytes of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrder {
    /// The lower byte first.
    Little,
    /// The upper byte first.
    Big,
}
