//! Lines and columns, as the protocol counts them, and offsets.

use lsp_types::{Position, PositionEncodingKind, Range};

/// What a column counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Halves of UTF-16: what every editor can do.
    #[default]
    Utf16,
    /// Code points.
    Utf32,
}

impl Encoding {
    /// Bytes if the editor offers them, since they take no counting.
    pub fn choose(offered: &[PositionEncodingKind]) -> Encoding {
        match () {
            () if offered.contains(&PositionEncodingKind::UTF8) => Encoding::Utf8,
            () if offered.contains(&PositionEncodingKind::UTF32) => Encoding::Utf32,
            () => Encoding::Utf16,
        }
    }

    /// Its name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
            Encoding::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    fn units(self, char: char) -> u32 {
        match self {
            Encoding::Utf8 => char.len_utf8() as u32,
            Encoding::Utf16 => char.len_utf16() as u32,
            Encoding::Utf32 => 1,
        }
    }

    /// How long a text is in columns.
    pub fn length(self, text: &[u8]) -> u32 {
        match self == Encoding::Utf8 || text.is_ascii() {
            true => text.len() as u32,
            false => String::from_utf8_lossy(text).chars().map(|char| self.units(char)).sum(),
        }
    }
}

/// Where the lines of a text start. A line ends at `\n`, `\r\n` or `\r`, as in the protocol.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    /// Offsets; the first is 0.
    starts: Vec<u32>,
}

impl Lines {
    /// The lines of a text.
    pub fn of(text: &[u8]) -> Lines {
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', text) {
            if text[at] == b'\n' || text.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        }
        Lines { starts }
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.starts.len() as u32
    }

    /// Where a line is, without its end.
    pub fn line(&self, text: &[u8], line: u32) -> std::ops::Range<usize> {
        let Some(&start) = self.starts.get(line as usize) else { return text.len()..text.len() };
        let start = start as usize;
        let end = self.starts.get(line as usize + 1).map_or(text.len(), |&next| next as usize);
        let ends =
            text[start..end].iter().rev().take_while(|&&byte| byte == b'\n' || byte == b'\r');
        start..end - ends.count()
    }

    /// The offset of a position. One behind the end of its line means that end, and one inside a
    /// character its start.
    pub fn offset(&self, text: &[u8], position: Position, encoding: Encoding) -> usize {
        let line = self.line(text, position.line);
        let content = &text[line.clone()];
        if content.is_ascii() {
            return (line.start + position.character as usize).min(line.end);
        }
        let (mut at, mut column) = (line.start, 0);
        for chunk in content.utf8_chunks() {
            for char in chunk.valid().chars() {
                column += encoding.units(char);
                if column > position.character {
                    return at;
                }
                at += char.len_utf8();
            }
            if !chunk.invalid().is_empty() {
                column += if encoding == Encoding::Utf8 { chunk.invalid().len() as u32 } else { 1 };
                if column > position.character {
                    return at;
                }
                at += chunk.invalid().len();
            }
        }
        at
    }

    /// The line of an offset.
    pub fn line_of(&self, offset: usize) -> u32 {
        self.starts.partition_point(|&start| start as usize <= offset).max(1) as u32 - 1
    }

    /// The position of an offset. Inside a line's end it is that end.
    pub fn position(&self, text: &[u8], offset: usize, encoding: Encoding) -> Position {
        let offset = offset.min(text.len());
        let line = self.line_of(offset);
        let content = self.line(text, line);
        let before = &text[content.start..offset.min(content.end).max(content.start)];
        Position::new(line, encoding.length(before))
    }

    /// The range of two offsets.
    pub fn range(&self, text: &[u8], offsets: std::ops::Range<usize>, encoding: Encoding) -> Range {
        Range::new(
            self.position(text, offsets.start, encoding),
            self.position(text, offsets.end, encoding),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets_agree_in_every_encoding() {
        let text = "a\u{e9}\u{1F600}z\r\n\u{1F600}\rlast".as_bytes();
        let lines = Lines::of(text);
        assert_eq!(lines.count(), 3);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            for (offset, _) in std::str::from_utf8(text).unwrap().char_indices() {
                if text[offset] == b'\n' {
                    continue;
                }
                let position = lines.position(text, offset, encoding);
                assert_eq!(lines.offset(text, position, encoding), offset, "{encoding:?}");
            }
        }
        let columns = |encoding| lines.position(text, 8, encoding).character;
        assert_eq!([Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].map(columns), [8, 5, 4]);
    }

    #[test]
    fn what_is_outside_a_line_or_inside_a_character_is_brought_in() {
        let text = "ab\n\u{1F600}".as_bytes();
        let lines = Lines::of(text);
        let offset =
            |line, column| lines.offset(text, Position::new(line, column), Encoding::Utf16);
        assert_eq!([offset(0, 9), offset(1, 1), offset(1, 2), offset(7, 0)], [2, 3, 7, 7]);
    }
}
