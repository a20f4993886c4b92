//! The formats, and how they are known.

use std::fmt;

/// How a text is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// gzip (RFC 1952).
    Gzip,
    /// Zstandard (RFC 8878).
    Zstd,
    /// bzip2.
    Bzip2,
    /// The `.xz` container.
    Xz,
    /// The frame format of LZ4.
    Lz4,
}

/// What the first bytes of a file say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// It is compressed.
    Compressed(Codec),
    /// It is not.
    Plain,
    /// It takes more bytes to tell.
    Unknown,
}

/// What the formats begin with; `?` is a digit from 1 to 9. After `BZh9` come the bytes of a block
/// or of the end, since a text could begin with `BZh9`.
const BEGINNINGS: &[(&[u8], Codec)] = &[
    (b"\x1F\x8B\x08", Codec::Gzip),
    (b"\x28\xB5\x2F\xFD", Codec::Zstd),
    (b"BZh?\x31\x41\x59\x26\x53\x59", Codec::Bzip2),
    (b"BZh?\x17\x72\x45\x38\x50\x90", Codec::Bzip2),
    (b"\xFD7zXZ\0", Codec::Xz),
    (b"\x04\x22\x4D\x18", Codec::Lz4),
];

impl Codec {
    /// All of them.
    pub const ALL: [Codec; 5] = [Codec::Gzip, Codec::Zstd, Codec::Bzip2, Codec::Xz, Codec::Lz4];

    /// Bytes after which there is no doubt.
    pub const LONGEST_BEGINNING: usize = 10;

    /// What a file that begins so is compressed with.
    pub fn of_content(beginning: &[u8]) -> Option<Codec> {
        match Codec::guess(beginning) {
            Guess::Compressed(codec) => Some(codec),
            Guess::Plain | Guess::Unknown => None,
        }
    }

    /// What a file may be of which only the beginning is there yet.
    pub fn guess(beginning: &[u8]) -> Guess {
        let agrees = |&(&wanted, &found): &(&u8, &u8)| {
            wanted == found || wanted == b'?' && matches!(found, b'1'..=b'9')
        };
        let mut guess = Guess::Plain;
        for &(wanted, codec) in BEGINNINGS {
            if wanted.iter().zip(beginning).all(|pair| agrees(&pair)) {
                if beginning.len() >= wanted.len() {
                    return Guess::Compressed(codec);
                }
                guess = Guess::Unknown;
            }
        }
        guess
    }

    /// What a file of this name should be compressed with, by its ending.
    pub fn of_name(name: &[u8]) -> Option<Codec> {
        let dot = name.iter().rposition(|&byte| byte == b'.')?;
        match &name[dot + 1..] {
            b"gz" => Some(Codec::Gzip),
            b"zst" => Some(Codec::Zstd),
            b"bz2" => Some(Codec::Bzip2),
            b"xz" => Some(Codec::Xz),
            b"lz4" => Some(Codec::Lz4),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Codec::Gzip => "gzip",
            Codec::Zstd => "zstd",
            Codec::Bzip2 => "bzip2",
            Codec::Xz => "xz",
            Codec::Lz4 => "lz4",
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_told_from_compressed_bytes_as_soon_as_it_can_be() {
        assert_eq!(Codec::guess(b""), Guess::Unknown);
        assert_eq!(Codec::guess(b"a"), Guess::Plain);
        assert_eq!(Codec::guess(b"BZ"), Guess::Unknown);
        assert_eq!(Codec::guess(b"BZh9 "), Guess::Plain);
        assert_eq!(Codec::guess(b"BZh0\x31\x41\x59\x26\x53\x59"), Guess::Plain);
        assert_eq!(
            Codec::guess(b"BZh3\x31\x41\x59\x26\x53\x59rest"),
            Guess::Compressed(Codec::Bzip2)
        );
        assert_eq!(Codec::guess(b"\x1F\x8B"), Guess::Unknown);
        assert_eq!(Codec::guess(b"\x1F\x8B\x08"), Guess::Compressed(Codec::Gzip));
        let longest = BEGINNINGS.iter().map(|(beginning, _)| beginning.len()).max();
        assert_eq!(longest, Some(Codec::LONGEST_BEGINNING));
    }

    #[test]
    fn names_end_in_what_they_are() {
        assert_eq!(Codec::of_name(b"a.log.gz"), Some(Codec::Gzip));
        assert_eq!(Codec::of_name(b"a.zst"), Some(Codec::Zstd));
        assert_eq!(Codec::of_name(b"gz"), None);
        assert_eq!(Codec::of_name(b"a.gz.txt"), None);
    }
}
